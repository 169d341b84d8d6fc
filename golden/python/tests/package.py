# SPDX-License-Identifier: Apache-2.0
"""The package against NumPy and docs/isa.md: python package.py [--mebibytes N]. Prints MB/s of a transposition."""

import argparse
import threading
import time

import numpy as np
import tensorload as tl

rng = np.random.default_rng(1)
WORDS = tl.assemble("lui x5, 0x10\naddi x5, x5, 260\ncsrrw x0, tshape, x5\ntl.load tl1, 0(x0)\ntl.store tl1, 1(x0)")

# As ONNX and as NumPy have them.
PAD = [0, 1, 0, 2, 0, 0, 3, 1]
PADS = list(zip(PAD[:4], PAD[4:]))


def raises(kind, text, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert text in str(error), error
        return error
    raise AssertionError(f"no {kind.__name__} with {text!r}")


def machine():
    m = tl.Machine("tiny")
    memory = m.l1m
    memory[:4] = [1, 2, 3, 4]
    done = [m.step(int(word)) for word in WORDS]
    assert [done.trap for done in done] == [None] * 5
    assert done[2].csr == ("tshape", 0x10104) and done[3].tl == [1] and done[4].l0m == [(4, 4)], done
    assert m.l0m[4:8].tolist() == [1, 2, 3, 4] == m.tl[1, :4].tolist() and m["tshape"] == 0x10104 and m.x[5] == 0x10104
    m["ttype"] = 4
    m.set_tl(2, b"\7\0\1")
    assert m.step(int(tl.assemble("tl.addi tl2, tl2, -2")[0])).tl == [2] and m.tl[2, :4].tolist() == [5, 0, 0, 0]
    raises(ValueError, "read-only", m.tl.__setitem__, (0, 0), 1)
    raises(KeyError, "no CSR `tload_pitch`", m.__getitem__, "tload_pitch")
    raises(KeyError, "read only", m.__setitem__, "tlenb", 1)
    raises(IndexError, "0 to 31", m.set_x, 32, 0)
    raises(ValueError, "allowed is 64", m.set_tl, 1, bytes(65))
    raises(ValueError, "no configuration `w17`", tl.Machine, "w17")
    raises(ValueError, "tl.laod", tl.assemble, "tl.laod tl1, 0(x0)")
    trap = m.step(0x705B).trap
    assert (trap.cause, trap.tval, trap.name) == (2, 0x705B, "illegal instruction"), trap
    error = raises(tl.TrapError, "illegal instruction", m.step, 0x705B, True)
    assert (error.cause, error.tval) == (2, 0x705B)
    code, traps = m.run("ebreak\nli x5, 0x30000000\nli x6, 7\nsb x6, 4(x5)\nsw x6, 0(x5)")
    assert code == 7 and [(pc, trap.cause) for pc, trap in traps] == [(0, 3)] and m.console == b"\7"
    raises(RuntimeError, "has not ended", m.run, "here: j here", 1000)
    raises(ValueError, "no ELF file", m.run, b"\x7fELF")
    del m
    assert memory[:4].tolist() == [1, 2, 3, 4]


def other_threads_go_on():
    m, ticks = tl.Machine("tiny"), 0
    thread = threading.Thread(target=lambda: m.run("li x5, 20000000\nhere: addi x5, x5, -1\nbnez x5, here"))
    thread.start()
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 20, ticks


def operators():
    for dtype in ("int8", "uint16", "float32", "int64"):
        x = rng.integers(0, 100, (2, 6, 8, 4)).astype(dtype)
        y = rng.integers(0, 100, (2, 3, 8, 4)).astype(dtype)
        for config in ("w16", "tiny", "w16r"):
            same = [
                (tl.transpose(x, (0, 2, 3, 1), config), x.transpose(0, 2, 3, 1)),
                (tl.transpose(x, config=config), x.T),
                (tl.reshape(x, (12, -1), config), x.reshape(12, -1)),
                (tl.concat([x, y], 1, config), np.concatenate([x, y], 1)),
                (tl.slice(x, [5, 1], [0, 8], [1, 2], [-2, 3], config), x[:, 5:0:-2, 1:8:3]),
                (tl.gather(x, [[3, 0], [-1, 2]], 2, config), np.take(x, [[3, 0], [-1, 2]], 2)),
                (tl.compress(x, [True, False, True], 1, config), np.compress([1, 0, 1], x, 1)),
                (tl.flatten(x, config=config), x.reshape(2, -1)),
                (tl.flatten(x, -1, config), x.reshape(-1, 4)),
                (tl.squeeze(x[:1, :, :, None], config=config), x[0]),
                (tl.squeeze(x[:1, :, :1], [-2], config), np.squeeze(x[:1, :, :1], -2)),
                (tl.pad(x, PAD, 7, config=config), np.pad(x, PADS, constant_values=7)),
                *((tl.pad(x, PAD, 7, mode, config), np.pad(x, PADS, mode)) for mode in ("edge", "reflect", "wrap")),
                (tl.depth_to_space(tl.space_to_depth(x, 2, config=config).array, 2, config=config), x),
                (tl.im2col(x, (1, 1), config=config), x.reshape(2, 6, 32)),
                *zip(tl.split(x, [1, 5], 1, config), np.split(x, [1], 1)),
            ]
            for number, (result, expected) in enumerate(same):
                assert result.array.dtype == x.dtype and np.array_equal(result.array, expected), (dtype, config, number)
                assert result.cycles > 0 and "fence" in result.program
        if np.dtype(dtype).kind == "u":
            for value in (-50, 100):
                result = tl.add_constant(x - 50, value).array
                assert np.array_equal(result, np.clip((x - 50).astype("int64") + value, 0, np.iinfo(dtype).max)), value
    raises(ValueError, "elements are int8; tl.addi adds to uint8", tl.add_constant, np.zeros(4, "int8"), 1)
    raises(ValueError, "value 128; allowed is -128 to 127", tl.add_constant, np.zeros(4, "uint8"), 128)
    raises(ValueError, "axis 5 of a tensor of rank 4; allowed is -4 to 4", tl.flatten, x, 5)
    raises(ValueError, "axis 1 has size 6; allowed are axes of size 1", tl.squeeze, x, [1])
    raises(ValueError, "mode `symmetric` of pad; allowed are constant, edge", tl.pad, x, PAD, 0, "symmetric")
    raises(ValueError, "perm", tl.transpose, x, [0, 0, 1, 2])
    raises(ValueError, "one type", tl.concat, [x, x.astype("int8")], 0)


def speed(mebibytes):
    x = rng.integers(0, 256, (4096, mebibytes << 8), np.uint8)
    start = time.perf_counter()
    result = tl.transpose(x)
    seconds = time.perf_counter() - start
    assert np.array_equal(result.array, x.T)
    print(f"transpose of {mebibytes} MiB: {x.nbytes / seconds / 1e6:.0f} MB/s, {result.cycles} cycles predicted")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mebibytes", type=int, default=64)
    machine()
    other_threads_go_on()
    operators()
    speed(parser.parse_args().mebibytes)
