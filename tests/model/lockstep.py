# SPDX-License-Identifier: Apache-2.0
"""tl_top against the model, both driven by cocotb: random instructions, compared one by one, and L0M at the end.

python lockstep.py RTL [--words N] [--seed N]

RTL is the folder of the configuration `tiny`. The exit code is 0 when nothing differed, and 1 when something did.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import cocotb
import tensorload
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb_tools.runner import get_results, get_runner

# An instruction, and what all registers of the host are then: {n} is any number, {t} a tensor register.
SHAPES = [0x010110, 0x040202, 0x020203, 0x020108, 0x040404, 0]
KINDS = [
    ("csrrw x7, tshape, x5", SHAPES),
    ("csrrwi x7, ttype, {type}", [0]),
    ("csrrw x7, {mask}, x5", [0x55, 0x3, 0xFFFFFFFF, 0]),
    ("csrrs x7, tload_stride{n}, x5", [1, 8, 31]),
    ("tl.load {t}, {n}(x5)", range(0, 3072, 4)),
    ("tl.mload {t}, -{n}(x5)", range(1024, 4096, 2)),
    ("tl.store {t}, {n}(x5)", range(0, 3072, 4)),
    ("tl.mstore {t}, {n}(x5)", range(0, 3072, 8)),
    ("tl.addi {t}, {t}, {n}", [0]),
    ("tl.concat.{d} {t}, {t}, {t}", [0]),
    ("tl.merge.{d} {t}, {t}, {t}", [0]),
    ("tl.xpose.{d}3 {t}, {t}, x5", [0x08040204, 0x04040202, 0x10040102]),
]  # fmt: skip
MASKS = ["tmask_load", "tmask_store", "tmask_concat_1", "tmask_concat_2"]


def draw(rng):
    """A word, and the value of the registers."""
    if rng.random() < 0.03:
        return rng.getrandbits(25) << 7 & 0x3FFFFF80 | 0x5B, rng.getrandbits(32)
    text, values = rng.choice(KINDS)
    text = text.replace("{type}", str(rng.choice([1, 2, 2, 2, 4, 8, 3]))).replace("{mask}", rng.choice(MASKS))
    for name, high in (("{n}", 31), ("{d}", 2), *[("{t}", 31)] * 3):
        text = text.replace(name, ("tl" if name == "{t}" else "") + str(rng.randint(0, high)), 1)
    return int(tensorload.assemble(text, "tiny")[0]), rng.choice(values)


async def memory(dut, name, contents, rng):
    """Grants at random, and answers a cycle later; with enables of bytes it is written."""
    port = {signal: getattr(dut, f"{name}_{signal}") for signal in ("req_o", "gnt_i", "addr_o", "rvalid_i")}
    size = len(dut.l0m_be_o)
    while True:
        await RisingEdge(dut.clk_i)
        taken = int(port["req_o"].value) and int(port["gnt_i"].value)
        at = int(port["addr_o"].value) if taken else 0
        if taken and name == "l1m":
            dut.l1m_rdata_i.value = int.from_bytes(contents[at:at + size].tobytes(), "little")
        elif taken:
            data, enabled = int(dut.l0m_wdata_o.value).to_bytes(size, "little"), int(dut.l0m_be_o.value)
            contents[at:at + size] = [data[i] if enabled >> i & 1 else contents[at + i] for i in range(size)]
        port["rvalid_i"].value, port["gnt_i"].value = int(bool(taken)), int(rng.random() < 0.7)


@cocotb.test()
async def lockstep(dut):
    rng = random.Random(int(os.environ["SEED"]))
    model, todo = tensorload.Machine("tiny"), [draw(rng) for _ in range(int(os.environ["WORDS"]))]
    model.l1m[:] = list(rng.randbytes(len(model.l1m)))
    l0m = model.l0m.copy()
    for name in ("rst_ni", "issue_valid_i", "issue_rs2_i", "issue_id_i", "resume_i", "l1m_err_i", "l0m_err_i"):
        getattr(dut, name).value = 0
    for name in ("l1m_rvalid_i", "l0m_rvalid_i", "l1m_gnt_i", "l0m_gnt_i"):
        getattr(dut, name).value = 0
    dut.result_ready_i.value = 1
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    cocotb.start_soon(memory(dut, "l1m", model.l1m, rng))
    cocotb.start_soon(memory(dut, "l0m", l0m, rng))
    await ClockCycles(dut.clk_i, 4)
    dut.rst_ni.value = 1
    issued, compared, traps = 0, 0, 0
    while compared < len(todo):
        await RisingEdge(dut.clk_i)
        if int(dut.result_valid_o.value):
            word, value = todo[compared]
            for number in range(32):
                model.set_x(number, value)
            done = model.step(word)
            expected = done.trap and (done.trap.cause, done.trap.tval), done.x
            names = ("trap", "cause", "tval", "we", "rd", "data")
            result = {name: int(getattr(dut, f"result_{name}_o").value) for name in names}
            trap = (result["cause"], result["tval"]) if result["trap"] else None
            x = (result["rd"], result["data"]) if result["we"] else None
            where = f"instruction {compared}, {tensorload.disassemble(word, 'tiny')[0]} with {value:#x}"
            assert (trap, x) == expected, f"{where}: trap and write are {trap}, {x}, not {expected}"
            compared, traps = compared + 1, traps + (trap is not None)
        issued += int(dut.issue_valid_i.value) and int(dut.issue_ready_o.value)
        dut.issue_valid_i.value = int(issued < len(todo))
        if issued < len(todo):
            dut.issue_instr_i.value, dut.issue_rs_i.value = todo[issued]
    await ClockCycles(dut.clk_i, 1000)
    wrong = (l0m != model.l0m).nonzero()[0]
    assert len(wrong) == 0, f"{len(wrong)} bytes of L0M differ, the first at {wrong[0]:#x}"
    assert 0 < traps < len(todo) / 2, f"{traps} traps of {len(todo)} instructions"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rtl", type=Path, help="folder of the configuration tiny")
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = [name for name in (options.rtl / "tl.f").read_text().split() if not name.startswith("+")]
    os.environ |= {"SEED": str(options.seed), "WORDS": str(options.words)}
    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent)
    os.environ["MAKEFLAGS"] = " -- OPT_FAST=-O0 OPT_GLOBAL=-O0"
    with tempfile.TemporaryDirectory() as folder:
        runner, log = get_runner("verilator"), f"{folder}/log"
        try:
            runner.build(
                sources=[(options.rtl / name).resolve() for name in names],
                includes=[options.rtl.resolve()],
                hdl_toplevel="tl_top",
                build_args=["-Wno-TIMESCALEMOD", "-Wno-UNOPTFLAT", "--assert", "-O3"],
                build_dir=folder,
                log_file=log,
            )
            test = {"hdl_toplevel": "tl_top", "test_module": Path(__file__).stem, "log_file": log}
            tests, failed = get_results(runner.test(**test, build_dir=folder, test_dir=folder))
        except (subprocess.CalledProcessError, RuntimeError, SystemExit):
            tests, failed = 1, 1
        if failed:
            print(Path(log).read_text())
    print(f"{tests} tests, {failed} failed")
    return int(failed != 0 or tests != 1)


if __name__ == "__main__":
    sys.exit(main())
