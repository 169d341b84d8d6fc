# SPDX-License-Identifier: Apache-2.0
"""The executable specification of the TensorLoad and matrix instruction sets, and operators that run on it."""

from typing import NamedTuple

import numpy as np

from ._native import Machine, Outcome, Trap, TrapError, assemble  # noqa: F401
from ._native import disassemble as _disassemble, operator as _operator


class Result(NamedTuple):
    """What an operator gives; `cycles` are those that the plan predicts."""

    array: np.ndarray
    program: str
    cycles: int


def disassemble(words, config="w16"):
    return _disassemble(np.atleast_1d(np.asarray(words, np.uint32)), config)


def _run(name, arrays, config, **attributes):
    arrays = [np.ascontiguousarray(array) for array in map(np.asarray, arrays)]
    dtype = arrays[0].dtype
    if dtype.hasobject or any(array.dtype != dtype for array in arrays):
        raise ValueError(f"types {[str(array.dtype) for array in arrays]}; allowed is one type of numbers")
    inputs = [(array.reshape(-1).view(np.uint8), list(array.shape), 8 * dtype.itemsize) for array in arrays]
    outputs, program, cycles = _operator(name, inputs, config, attributes)
    return [Result(flat.view(dtype).reshape(shape), program, cycles) for flat, shape in outputs]


def transpose(x, perm=None, config="w16"):
    return _run("transpose", [x], config, perm=None if perm is None else list(perm))[0]


def reshape(x, shape, config="w16"):
    return _run("reshape", [x], config, shape=list(shape))[0]


def flatten(x, axis=1, config="w16"):
    return _run("flatten", [x], config, axis=axis)[0]


def squeeze(x, axes=None, config="w16"):
    return _run("squeeze", [x], config, axes=None if axes is None else list(axes))[0]


def concat(arrays, axis, config="w16"):
    return _run("concat", arrays, config, axis=axis)[0]


def split(x, sizes, axis=0, config="w16"):
    return _run("split", [x], config, axis=axis, sizes=list(sizes))


def slice(x, starts, ends, axes=None, steps=None, config="w16"):
    return _run("slice", [x], config, starts=list(starts), ends=list(ends), axes=axes, steps=steps)[0]


def gather(x, indices, axis=0, config="w16"):
    indices = np.asarray(indices)
    return _run("gather", [x], config, axis=axis, indices=indices.reshape(-1).tolist(), shape=list(indices.shape))[0]


def compress(x, condition, axis=None, config="w16"):
    return _run("compress", [x], config, axis=axis, condition=[bool(value) for value in condition])[0]


def pad(x, pads, value=0, mode="constant", config="w16"):
    x = np.asarray(x)
    bits = int(np.asarray(value, x.dtype).view(f"u{x.dtype.itemsize}"))
    return _run("pad", [x], config, pads=list(pads), value=bits, mode=mode)[0]


def add_constant(x, value, config="w16"):
    x = np.asarray(x)
    if x.dtype.kind != "u":
        raise ValueError(f"elements are {x.dtype}; tl.addi adds to uint8, uint16 and uint32")
    return _run("add_constant", [x], config, value=value)[0]


def im2col(x, kernel, strides=(1, 1), dilations=(1, 1), padding=(0, 0), nhwc=False, config="w16"):
    return _run(
        "im2col", [x], config, kernel=kernel, strides=strides, dilations=dilations, padding=padding, nhwc=nhwc
    )[0]


def space_to_depth(x, blocksize, crd=False, config="w16"):
    return _run("space_to_depth", [x], config, blocksize=blocksize, crd=crd)[0]


def depth_to_space(x, blocksize, crd=False, config="w16"):
    return _run("depth_to_space", [x], config, blocksize=blocksize, crd=crd)[0]
