# SPDX-License-Identifier: Apache-2.0
"""The memory ports of the unit against cocotbext-obi, which is not ours: random loads and stores, stalls, errors.

python ports.py RTL [--copies N] [--seed N]

RTL is the folder of a configuration without matrix instructions. The exit code is 0 when every instruction did to memory
what docs/isa.md says and obi_check.sv had no objection, and 1 when not.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb_tools.runner import get_results, get_runner
from cocotbext.obi import ObiBus, ObiDevice

HERE = Path(__file__).resolve().parent
TSHAPE, LOAD_STRIDE, STORE_STRIDE = 0x811, 0x840, 0x860


class Memory:
    """Contents, and words that answer with an error."""

    def __init__(self, rng, size, port):
        self.bytes, self.port = bytearray(rng.randbytes(size)), port
        self.bad = {word for word in range(size // port) if rng.random() < 0.005}

    def fails(self, start, length):
        return any(word in self.bad for word in range(start // self.port, (start + length - 1) // self.port + 1))

    async def read(self, address, length):
        if self.fails(address, length):
            raise ValueError("an error on purpose")
        return bytes(self.bytes[address:address + length])

    async def write(self, address, data):
        if self.fails(address, len(data)):
            raise ValueError("an error on purpose")
        self.bytes[address:address + len(data)] = data


def csr(number, value):
    return number << 20 | 5 << 15 | 1 << 12 | 0x73, value


def program(rng, copies, l1m, l0m):
    """Words with their operands, the trap of each, and L0M at the end with None for what may be old or new."""
    words, expected, registers = [], list(l0m.bytes), {}
    for _ in range(copies):
        slices, size = rng.choice([(1, 64), (2, 32), (4, 16), (5, 11), (8, 8), (7, 9), (16, 3), (32, 2), (32, 1)])
        load = rng.sample(range(40), slices) if rng.random() < 0.7 else [rng.randrange(40)] * slices
        store = rng.sample(range(40), slices)
        words.append((csr(TSHAPE, slices << 16 | 1 << 8 | size), None))
        for i in range(slices):
            words.append((csr(LOAD_STRIDE + i, load[i]), None))
            words.append((csr(STORE_STRIDE + i, store[i]), None))
        for _ in range(4):
            tensor = 1 + rng.randrange(31)
            base = rng.randrange(len(l1m.bytes) - 40 * size)
            starts = [base + slot * size for slot in load]
            trap = any(l1m.fails(start, size) for start in starts)
            words.append(((tensor << 15 | 10 << 7 | 0x5b, base), 5 if trap else 0))
            if not trap:
                registers[tensor] = b"".join(bytes(l1m.bytes[start:start + size]) for start in starts).ljust(64, b"\0")
            tensor = rng.choice(list(registers) or [0])
            base = rng.randrange(len(l0m.bytes) - 40 * size)
            starts = [base + slot * size for slot in store]
            trap = any(l0m.fails(start, size) for start in starts)
            words.append(((1 << 29 | tensor << 15 | 2 << 12 | 10 << 7 | 0x5b, base), 7 if trap else 0))
            for i, start in enumerate(starts):
                new = registers.get(tensor, bytes(64))[i * size:(i + 1) * size]
                expected[start:start + size] = [None] * size if trap else new
    return words, expected


async def stalls(clock, signal, rng):
    """Responses are held up between the memory and the unit, by no cycle for a while, then by many."""
    while True:
        share = rng.choice([0, 0, 0.3, 0.9])
        for _ in range(rng.randrange(1, 80)):
            await RisingEdge(clock)
            signal.value = int(rng.random() >= share)


@cocotb.test()
async def copies(dut):
    seed = int(os.environ["OBI_SEED"])
    rng = random.Random(seed)
    port = len(dut.l0m_be)
    l1m, l0m = Memory(rng, 4096, port), Memory(rng, 4096, port)
    words, expected = program(rng, int(os.environ["OBI_COPIES"]), l1m, l0m)
    dut.issue_valid.value = 0
    dut.rst_n.value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start(start_high=True))
    # The device looks at a request, and may grant it, in the middle of a cycle of the unit.
    cocotb.start_soon(Clock(dut.clk_n, 10, "ns").start(start_high=False))
    devices = []
    for prefix, memory in (("l1m", l1m), ("l0m", l0m)):
        bus = ObiBus.from_prefix(dut, prefix)
        devices.append(ObiDevice(bus, dut.clk_n, target=memory, max_outstanding=32, seednum=seed))
        bus.rready.value = 1
        cocotb.start_soon(stalls(dut.clk, bus.rready, rng))
    await ClockCycles(dut.clk, 4)
    dut.rst_n.value = 1
    todo, traps, most, errors = list(reversed(words)), [], 0, 0
    for cycle in range(200 * len(words)):
        await RisingEdge(dut.clk)
        if cycle % 500 == 0:
            for device in devices:
                device.enable_backpressure(gnt=rng.random() < 0.6)
        if int(dut.result_valid.value):
            number = len(traps)
            (word, operand), cause = words[number]
            got = int(dut.result_cause.value) if int(dut.result_trap.value) else 0
            assert got == (cause or 0), f"instruction {number}, {word:#010x} with {operand:#x}: cause {got}, not {cause}"
            traps.append(got)
            errors += got != 0
        if int(dut.issue_valid.value) and int(dut.issue_ready.value):
            todo.pop()
        dut.issue_valid.value = int(bool(todo))
        if todo:
            (dut.issue_instr.value, dut.issue_rs.value), _ = todo[-1]
        if len(traps) == len(words):
            break
    assert len(traps) == len(words), f"{len(traps)} results of {len(words)}"
    wrong = [place for place, value in enumerate(expected) if value is not None and l0m.bytes[place] != value]
    assert not wrong, f"{len(wrong)} bytes of L0M differ, the first at {wrong[0]:#x}"
    assert errors > len(words) // 200, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rtl", type=Path, help="folder of a configuration without matrix instructions")
    parser.add_argument("--copies", type=int, default=100, help="shapes, with four loads and stores each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = [name for name in (options.rtl / "tl.f").read_text().split() if not name.startswith("+")]
    os.environ |= {"OBI_SEED": str(options.seed), "OBI_COPIES": str(options.copies), "PYTHONPATH": str(HERE)}
    os.environ["MAKEFLAGS"] = " -- OPT_FAST=-O0 OPT_GLOBAL=-O0"
    with tempfile.TemporaryDirectory() as folder:
        runner = get_runner("verilator")
        try:
            runner.build(
                sources=[(options.rtl / name).resolve() for name in names] + [HERE / "obi_check.sv", HERE / "obi_tb.sv"],
                includes=[options.rtl.resolve()],
                hdl_toplevel="obi_tb",
                # Cocotb makes all signals public, and what is public is not split into its bits.
                build_args=["-Wno-TIMESCALEMOD", "-Wno-UNOPTFLAT", "--assert", "-O3"],
                build_dir=folder,
                log_file=f"{folder}/log",
            )
            results = runner.test(
                hdl_toplevel="obi_tb",
                test_module=Path(__file__).stem,
                build_dir=folder,
                test_dir=folder,
                extra_env={"COCOTB_LOG_LEVEL": "WARNING"},
                log_file=f"{folder}/log",
            )
            tests, failed = get_results(results)
        except (subprocess.CalledProcessError, RuntimeError, SystemExit):
            # An assertion of SystemVerilog ends the simulation before there are results.
            tests, failed = 1, 1
        if failed:
            print(Path(folder, "log").read_text())
    print(f"{tests} tests, {failed} failed")
    return int(failed != 0 or tests != 1)


if __name__ == "__main__":
    sys.exit(main())
