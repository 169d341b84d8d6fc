# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Literal, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

@final
class Trap:
    cause: int
    tval: int
    name: str

class TrapError(Exception):
    cause: int
    tval: int

@final
class Outcome:
    """The effect of an instruction: its trap, or the state that it wrote."""

    pc: int
    word: int
    trap: Trap | None
    x: tuple[int, int] | None
    csr: tuple[str, int] | None
    tl: list[int]
    l0m: list[tuple[int, int]]

@final
class Machine:
    """A host with the unit attached, after reset. `config` is a name or a TOML file.

    The arrays `l1m`, `l0m` and `tl` are the memories and registers themselves, not copies. Do not write to them while
    another thread is in `step` or `run`, which release the GIL. `machine["tshape"]` is a CSR of the unit.
    """

    def __new__(cls, config: str = "w16") -> Machine: ...
    @property
    def l1m(self) -> NDArray[np.uint8]: ...
    @property
    def l0m(self) -> NDArray[np.uint8]: ...
    @property
    def tl(self) -> NDArray[np.uint8]:
        """The 32 registers, read only."""
    def set_tl(self, number: int, bytes: bytes) -> None:
        """Missing bytes become 0. A write to `tl0` is dropped."""
    @property
    def x(self) -> list[int]:
        """The registers of the host."""
    def set_x(self, number: int, value: int) -> None: ...
    @property
    def pc(self) -> int: ...
    @property
    def console(self) -> bytes:
        """What a program has printed."""
    @property
    def csrs(self) -> list[str]: ...
    def __getitem__(self, csr: str, /) -> int: ...
    def __setitem__(self, csr: str, value: int, /) -> None: ...
    def step(self, word: int, check: bool = False) -> Outcome:
        """Executes one word as the next one of a stream. With `check`, a trap raises `TrapError`."""
    def run(self, program: str | bytes, limit: int = ...) -> tuple[int, list[tuple[int, Trap]]]:
        """Runs a program, given as assembly language or the bytes of an ELF file. Returns its exit code, and the pc and
        trap of each instruction that trapped."""

class Result(NamedTuple):
    """The result of an operator; `cycles` are predicted by its plan."""

    array: NDArray
    program: str
    cycles: int

def assemble(source: str, config: str = "w16") -> NDArray[np.uint32]: ...
def disassemble(words: ArrayLike, config: str = "w16") -> list[str]: ...

# Operators have the semantics of ONNX. They run on the model, with memories as large as the arrays, 256 MiB at most.
def transpose(x: ArrayLike, perm: Sequence[int] | None = None, config: str = "w16") -> Result: ...
def reshape(x: ArrayLike, shape: Sequence[int], config: str = "w16") -> Result: ...
def flatten(x: ArrayLike, axis: int = 1, config: str = "w16") -> Result: ...
def squeeze(x: ArrayLike, axes: Sequence[int] | None = None, config: str = "w16") -> Result: ...
def concat(arrays: Sequence[ArrayLike], axis: int, config: str = "w16") -> Result: ...
def split(x: ArrayLike, sizes: Sequence[int], axis: int = 0, config: str = "w16") -> list[Result]: ...
def slice(
    x: ArrayLike,
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int] | None = None,
    steps: Sequence[int] | None = None,
    config: str = "w16",
) -> Result: ...
def gather(x: ArrayLike, indices: ArrayLike, axis: int = 0, config: str = "w16") -> Result: ...
def compress(x: ArrayLike, condition: Sequence[bool], axis: int | None = None, config: str = "w16") -> Result: ...
def pad(
    x: ArrayLike,
    pads: Sequence[int],
    value: float = 0,
    mode: Literal["constant", "edge", "reflect", "wrap"] = "constant",
    config: str = "w16",
) -> Result:
    """`value` is that of the new elements in mode `constant`."""

def add_constant(x: ArrayLike, value: int, config: str = "w16") -> Result:
    """Of unsigned integers; a sum beyond their range is the end of the range, as of `tl.addi`."""

def im2col(
    x: ArrayLike,
    kernel: tuple[int, int],
    strides: tuple[int, int] = (1, 1),
    dilations: tuple[int, int] = (1, 1),
    padding: tuple[int, int] = (0, 0),
    nhwc: bool = False,
    config: str = "w16",
) -> Result: ...
def space_to_depth(x: ArrayLike, blocksize: int, crd: bool = False, config: str = "w16") -> Result: ...
def depth_to_space(x: ArrayLike, blocksize: int, crd: bool = False, config: str = "w16") -> Result: ...
