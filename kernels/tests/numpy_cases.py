# SPDX-License-Identifier: Apache-2.0
"""Runs random operators with `cosim op` and compares them with NumPy.

    python kernels/tests/numpy_cases.py target/release/cosim --cases 2000 --model
    python kernels/tests/numpy_cases.py target/release/cosim --cases 200 --config tiny --config w16 --config mx1024

Without --model the cases run on the RTL, every other one with random stalls. Several configurations take turns. Exit code 1
when a case fails; the message has the command and the number of the case, and --first N --cases 1 runs it alone.
"""

import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

TYPES = [np.int8, np.uint8, np.int16, np.int32, np.float16, np.float32, np.int64]
SIZES = [1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 32]
LARGE = [31, 64, 97, 128, 196, 300]
MOST = 24_000


def words(values):
    return ",".join(str(int(value)) for value in values)


def shape_of(rng, rank, size):
    """A shape of at most MOST bytes in which one dimension is large."""
    while True:
        shape = [rng.choice(SIZES) for _ in range(rank)]
        shape[rng.randrange(rank)] = rng.choice(LARGE + SIZES)
        if np.prod(shape) * size <= MOST:
            return shape


def filled(rng, shape, dtype):
    count = int(np.prod(shape))
    return np.frombuffer(rng.randbytes(count * np.dtype(dtype).itemsize), dtype).reshape(shape)


def transpose(rng, x):
    perm = rng.sample(range(x.ndim), x.ndim)
    return ["transpose", f"--perm={words(perm)}"], [x], [x.transpose(perm)]


def reshape(rng, x):
    last = x.shape[-1]
    kind = rng.randrange(3)
    if kind == 0:
        return ["reshape", f"--shape=-1,{last}"], [x], [x.reshape(-1, last)]
    if kind == 1:
        axis = rng.randrange(x.ndim + 1)
        return ["flatten", f"--axis={axis}"], [x], [x.reshape(int(np.prod(x.shape[:axis])), -1)]
    return ["squeeze"], [x], [x.squeeze()]


def concat(rng, x):
    axis = rng.randrange(-x.ndim, x.ndim)
    inputs = [x]
    for _ in range(rng.randrange(3)):
        shape = list(x.shape)
        shape[axis] = rng.randint(1, 9)
        inputs.append(filled(rng, shape, x.dtype))
    return ["concat", f"--axis={axis}"], inputs, [np.concatenate(inputs, axis)]


def split(rng, x):
    axis = rng.randrange(x.ndim)
    first = rng.randint(1, max(1, x.shape[axis] - 1))
    parts = [first, x.shape[axis] - first] if x.shape[axis] > 1 else [1]
    return ["split", f"--axis={axis}", f"--split={words(parts)}"], [x], np.split(x, np.cumsum(parts)[:-1], axis)


def slice_(rng, x):
    starts, ends, steps, index = [], [], [], []
    for size in x.shape:
        step = rng.choice([1, 1, 2, 3, -1, -2])
        low, high = sorted(rng.sample(range(size + 1), 2))
        # Backward from high - 1 down to low; before the first element there is no index, so ONNX takes a very small one.
        start, end = (low, high) if step > 0 else (high - 1, low - 1)
        index.append(slice(start, end if end >= 0 else None, step))
        starts.append(start)
        ends.append(end if end >= 0 else -(2**40))
        steps.append(step)
    options = [f"--starts={words(starts)}", f"--ends={words(ends)}", f"--steps={words(steps)}"]
    return ["slice", *options], [x], [x[tuple(index)]]


def gather(rng, x):
    axis = rng.randrange(x.ndim)
    indices = [rng.randrange(-x.shape[axis], x.shape[axis]) for _ in range(rng.randint(1, 8))]
    return ["gather", f"--axis={axis}", f"--indices={words(indices)}"], [x], [np.take(x, indices, axis)]


def compress(rng, x, folder):
    axis = rng.choice([None, *range(x.ndim)])
    size = min(x.size if axis is None else x.shape[axis], 60)
    condition = np.array([rng.random() < 0.5 for _ in range(size)])
    np.save(folder / "condition.npy", condition)
    options = [] if axis is None else [f"--axis={axis}"]
    command = ["compress", f"--condition={folder / 'condition.npy'}", *options]
    return command, [x], [np.compress(condition, x, axis)]


def pad(rng, x):
    pads = [(rng.randrange(4), rng.randrange(4)) for _ in range(x.ndim)]
    mode = rng.choice(["constant", "reflect", "edge", "wrap"])
    if mode != "constant":
        # Wider than the tensor, too.
        axis = rng.randrange(x.ndim)
        pads[axis] = (pads[axis][0], rng.randrange(3 * min(x.shape[axis], 16)))
        command = ["pad", f"--pads={words([p[0] for p in pads] + [p[1] for p in pads])}", f"--mode={mode}"]
        return command, [x], [np.pad(x, pads, mode)]
    value = filled(rng, [1], x.dtype)
    bits = int.from_bytes(value.tobytes(), "little")
    if rng.random() < 0.5:
        value, bits = np.zeros(1, x.dtype), 0
    # As bits: a float that is no number has to keep them.
    raw = x.view(f"u{x.dtype.itemsize}")
    padded = np.pad(raw, pads, constant_values=value.view(raw.dtype)[0]).view(x.dtype)
    command = ["pad", f"--pads={words([p[0] for p in pads] + [p[1] for p in pads])}", f"--value={bits}"]
    return command, [x], [padded]


def add_constant(rng, x):
    x = x.view(f"u{min(x.dtype.itemsize, 4)}")
    value = rng.randint(-128, 127)
    result = np.clip(x.astype(np.int64) + value, 0, np.iinfo(x.dtype).max).astype(x.dtype)
    return ["add-constant", f"--value={value}"], [x], [result]


def im2col(rng, x):
    nhwc = rng.random() < 0.5
    image = x.transpose(0, 3, 1, 2) if nhwc else x
    padding = [rng.randrange(2), rng.randrange(2)]
    kernel = [min(rng.randint(1, 3), image.shape[2 + d] + 2 * padding[d]) for d in range(2)]
    dilations = [rng.randint(1, 2) if 2 * kernel[d] - 1 <= image.shape[2 + d] else 1 for d in range(2)]
    strides = [rng.randint(1, 2) for _ in range(2)]
    padded = np.pad(image, [(0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2])
    reach = [dilations[d] * (kernel[d] - 1) + 1 for d in range(2)]
    windows = np.lib.stride_tricks.sliding_window_view(padded, reach, (2, 3))
    windows = windows[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]
    n, c, oh, ow, kh, kw = windows.shape
    if nhwc:
        result = windows.transpose(0, 2, 3, 4, 5, 1).reshape(n, oh * ow, kh * kw * c)
    else:
        result = windows.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * kh * kw, oh * ow)
    options = zip(["kernel", "strides", "dilations", "padding"], [kernel, strides, dilations, padding])
    layout = "nhwc" if nhwc else "nchw"
    return ["im2col", f"--layout={layout}", *(f"--{name}={words(v)}" for name, v in options)], [x], [result]


def depth(rng, x):
    b = rng.randint(1, 3)
    crd = rng.random() < 0.5
    mode = "--mode=crd" if crd else "--mode=dcr"
    n, c, h, w = x.shape
    if rng.random() < 0.5:
        h, w = max(h // b, 1), max(w // b, 1)
        x = filled(rng, [n, c, h * b, w * b], x.dtype)
        parts = x.reshape(n, c, h, b, w, b)
        parts = parts.transpose(0, 1, 3, 5, 2, 4) if crd else parts.transpose(0, 3, 5, 1, 2, 4)
        return ["space-to-depth", f"--blocksize={b}", mode], [x], [parts.reshape(n, c * b * b, h, w)]
    c = max(c // (b * b), 1)
    x = filled(rng, [n, c * b * b, h, w], x.dtype)
    parts = x.reshape(n, c, b, b, h, w) if crd else x.reshape(n, b, b, c, h, w).transpose(0, 3, 1, 2, 4, 5)
    result = parts.transpose(0, 1, 4, 2, 5, 3).reshape(n, c, h * b, w * b)
    return ["depth-to-space", f"--blocksize={b}", mode], [x], [result]


def windows(rng, x):
    n, h, w, c = x.shape
    size = rng.randint(1, 4)
    h, w = max(h // size, 1) * size, max(w // size, 1) * size
    x = filled(rng, [n, h, w, c], x.dtype)
    parts = x.reshape(n, h // size, size, w // size, size, c).transpose(0, 1, 3, 2, 4, 5)
    return ["window-partition", f"--window={size}"], [x], [parts.reshape(-1, size, size, c)]


def heads(rng, x):
    heads_, size = rng.choice([2, 3, 4]), rng.choice([4, 8, 16])
    x = filled(rng, [x.shape[0], heads_ * size], x.dtype)
    parts = x.reshape(-1, heads_, size).transpose(1, 0, 2)
    if rng.random() < 0.5:
        return ["merge-heads"], [np.ascontiguousarray(parts)], [x]
    return ["split-heads", f"--heads={heads_}"], [x], [parts]


def int4(rng, x):
    """A transposition, or weights in groups of eight, of pairs of 4 bits."""
    rows, columns = 2 * rng.randint(1, 20), 8 * rng.randint(1, 12)
    x = np.frombuffer(rng.randbytes(rows * columns // 2), np.uint8).reshape(rows, columns // 2)
    nibbles = np.stack([x & 15, x >> 4], -1).reshape(rows, columns)
    if rng.random() < 0.5:
        command, result = ["transpose"], nibbles.T
    else:
        command = ["interleave-weights"]
        result = nibbles.reshape(-1, 4, 2).transpose(0, 2, 1).reshape(rows, columns)
    pairs = result.reshape(*result.shape[:-1], -1, 2)
    return [*command, "--packed-int4"], [x], [pairs[..., 0] | pairs[..., 1] << 4]


KINDS = [transpose, transpose, reshape, concat, split, slice_, gather, compress, pad, add_constant, im2col, depth, windows, heads, int4]
IMAGES = [im2col, depth, windows]


def run(options, number):
    """The name of the operator, and what is wrong with it."""
    rng = random.Random(f"{options.seed} {number}")
    kind, dtype = rng.choice(KINDS), rng.choice(TYPES)
    rank = 4 if kind in IMAGES else rng.randint(1, 6 if kind is transpose else 4)
    x = filled(rng, shape_of(rng, rank, np.dtype(dtype).itemsize), dtype)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command, inputs, outputs = kind(rng, x, folder) if kind is compress else kind(rng, x)
        for i, tensor in enumerate(inputs):
            np.save(folder / f"in{i}.npy", tensor)
            command += ["--in", str(folder / f"in{i}.npy")]
        for i in range(len(outputs)):
            command += ["--out", str(folder / f"out{i}.npy")]
        command += ["--config", options.config[number % len(options.config)]]
        if options.model:
            command.append("--model")
        elif number // len(options.config) % 2:
            command += ["--stall-seed", str(number)]
        done = subprocess.run([options.cosim, "op", *command], capture_output=True, text=True)
        if done.returncode != 0:
            return command[0], f"case {number}, {command}: {done.stderr.strip() or done.stdout.strip()}"
        for i, expected in enumerate(outputs):
            got = np.load(folder / f"out{i}.npy")
            same = got.dtype == expected.dtype and got.shape == expected.shape and got.tobytes() == expected.tobytes()
            if not same:
                return command[0], f"case {number}, {command}: output {i} is not that of NumPy"
    return command[0], None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cosim")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", action="append")
    parser.add_argument("--model", action="store_true")
    options = parser.parse_args()
    options.config = options.config or ["w16", "tiny", "mx1024"]
    counts, failed = collections.Counter(), 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, wrong in pool.map(lambda n: run(options, n), range(options.first, options.first + options.cases)):
            counts[name] += 1
            if wrong:
                failed += 1
                print(wrong, file=sys.stderr)
    print(", ".join(f"{number} {name}" for name, number in sorted(counts.items())))
    print(f"{options.cases - failed} of {options.cases} cases are as NumPy has them")
    return failed > 0


sys.exit(main())
