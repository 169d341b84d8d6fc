# SPDX-License-Identifier: Apache-2.0
"""The masters of AXI4 against cocotbext-axi, which is not ours: random runs of words, stalls, errors.

python masters.py RTL [--axi-bytes N] [--words N] [--seed N]

RTL is the folder of a configuration. The exit code is 0 when every word had its answer, with what is in memory, and 1 when not.
"""

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiBus, AxiSlave

HERE = Path(__file__).resolve().parent
SIZE = 1 << 16
MOST_WAITING = 16


class Memory:
    """Contents, and blocks that answer with an error."""

    def __init__(self, rng, read_block, write_block):
        self.bytes = bytearray(rng.randbytes(SIZE))
        self.bad_reads = {block for block in range(SIZE // read_block) if rng.random() < 0.05}
        self.bad_writes = {block for block in range(SIZE // write_block) if rng.random() < 0.05}
        self.read_block, self.write_block = read_block, write_block

    async def read(self, address, length):
        if address // self.read_block in self.bad_reads:
            raise ValueError("an error on purpose")
        return bytes(self.bytes[address:address + length])

    async def write(self, address, data):
        if address // self.write_block in self.bad_writes:
            raise ValueError("an error on purpose")
        self.bytes[address:address + len(data)] = data


def addresses(rng, port, words):
    """Runs of words, most of them across a multiple of 4096 bytes, some of a single word or not in order."""
    found = []
    while len(found) < words:
        step = rng.choice([1, 1, 1, 1, 1, 1, 2, -1, 0])
        length = rng.choice([1, 2, 3, 8, 40])
        start = (rng.randrange(SIZE // 4096) * 4096 + rng.randrange(-20, 20) * port) // port
        found += [(start + i * step) * port % SIZE for i in range(length)]
    return found[:words]


async def start(dut):
    """Reset, and a memory that stalls; gives the memory, the draws, bytes of a port and what the command wants."""
    rng = random.Random(int(os.environ["AXI_SEED"]))
    port = len(dut.l0m_be)
    read_block = len(dut.axi_wstrb)
    write_block = port * int(dut.WriteWords.value)
    memory = Memory(rng, read_block, write_block)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.l1m_req.value = 0
    dut.l0m_req.value = 0
    dut.rst_n.value = 0
    slave = AxiSlave(AxiBus.from_prefix(dut, "axi"), dut.clk, dut.rst_n, target=memory, reset_active_level=False)

    def pauses():
        while True:
            share = rng.choice([0, 0, 0.3, 0.8])
            for _ in range(rng.randrange(1, 60)):
                yield rng.random() < share

    channels = [slave.read_if.ar_channel, slave.read_if.r_channel]
    channels += [slave.write_if.aw_channel, slave.write_if.w_channel, slave.write_if.b_channel]
    for channel in channels:
        channel.set_pause_generator(pauses())
    await ClockCycles(dut.clk, 4)
    dut.rst_n.value = 1
    await RisingEdge(dut.clk)
    return memory, rng, port, int(os.environ["AXI_WORDS"])


@cocotb.test()
async def reads(dut):
    memory, rng, port, words = await start(dut)
    todo = addresses(rng, port, words)
    waiting, asked, bursts, errors, cycles = [], None, 0, 0, 0
    while todo or waiting or asked is not None:
        await RisingEdge(dut.clk)
        cycles += 1
        assert cycles < 100 * words, f"{len(todo)} words are left, {len(waiting)} wait"
        bursts += int(dut.axi_arvalid.value) & int(dut.axi_arready.value)
        if asked is not None and int(dut.l1m_gnt.value):
            waiting.append(asked)
            asked = None
        if int(dut.l1m_rvalid.value):
            address = waiting.pop(0)
            bad = address // memory.read_block in memory.bad_reads
            assert int(dut.l1m_err.value) == bad, f"{address:#x}: error {bad} expected"
            got = int(dut.l1m_rdata.value).to_bytes(port, "little") if not bad else None
            assert bad or got == memory.bytes[address:address + port], f"{address:#x}: other bytes"
            errors += bad
        if asked is None and todo and len(waiting) < MOST_WAITING and rng.random() < 0.95:
            asked = todo.pop(0)
            dut.l1m_addr.value = asked
        dut.l1m_req.value = int(asked is not None)
    assert errors > words // 100, errors
    assert bursts < words * 3 // 4, f"{bursts} bursts of {words} words"


@cocotb.test()
async def writes(dut):
    memory, rng, port, words = await start(dut)
    todo = addresses(rng, port, words)
    expected = bytearray(memory.bytes)
    waiting, asked, bursts, errors, cycles = [], None, 0, 0, 0
    while todo or waiting or asked is not None:
        await RisingEdge(dut.clk)
        cycles += 1
        assert cycles < 100 * words, f"{len(todo)} words are left, {len(waiting)} wait"
        bursts += int(dut.axi_awvalid.value) & int(dut.axi_awready.value)
        if asked is not None and int(dut.l0m_gnt.value):
            address, enables, data = asked
            bad = address // memory.write_block in memory.bad_writes
            waiting.append((address, bad))
            for i in range(0 if bad else port):
                if enables >> i & 1:
                    expected[address + i] = data[i]
            asked = None
        if int(dut.l0m_rvalid.value):
            address, bad = waiting.pop(0)
            assert int(dut.l0m_err.value) == bad, f"{address:#x}: error {bad} expected"
            errors += bad
        if asked is None and todo and len(waiting) < MOST_WAITING and rng.random() < 0.95:
            asked = todo.pop(0), rng.choice([2**port - 1, 1 + rng.randrange(2**port - 1)]), rng.randbytes(port)
            dut.l0m_addr.value, dut.l0m_be.value = asked[:2]
            dut.l0m_wdata.value = int.from_bytes(asked[2], "little")
        dut.l0m_req.value = int(asked is not None)
    await ClockCycles(dut.clk, 4)
    assert memory.bytes == expected, "memory has other bytes"
    assert errors > words // 100, errors
    assert bursts < words * 3 // 4, f"{bursts} bursts of {words} words"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rtl", type=Path, help="folder of a configuration")
    parser.add_argument("--axi-bytes", type=int, default=64, help="bytes of a beat")
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    unit = (options.rtl / "tl.f").read_text().split()
    # In rtl/ the lists of adapters are in the folder that configurations share.
    lists = [options.rtl / "tl_axi.f", options.rtl / "../common/tl_axi.f"]
    adapter = next(path for path in lists if path.exists()).read_text().split()
    names = [name for name in unit if name.endswith(("tl_pkg.sv", "tl_fifo.sv"))]
    names += [name for name in adapter if not name.endswith("tl_axi_top.sv")]
    os.environ |= {"AXI_SEED": str(options.seed), "AXI_WORDS": str(options.words), "PYTHONPATH": str(HERE)}
    # Compiling takes longer than running.
    os.environ["MAKEFLAGS"] = " -- OPT_FAST=-O0 OPT_GLOBAL=-O0"
    with tempfile.TemporaryDirectory() as folder:
        runner = get_runner("verilator")
        runner.build(
            sources=[(options.rtl / name).resolve() for name in names] + [HERE / "axi_tb.sv"],
            includes=[options.rtl.resolve()],
            hdl_toplevel="axi_tb",
            parameters={"AxiBytes": options.axi_bytes},
            build_args=["-Wno-TIMESCALEMOD", "-O3"],
            build_dir=folder,
            log_file=f"{folder}/build.log",
        )
        results = runner.test(
            hdl_toplevel="axi_tb",
            test_module=Path(__file__).stem,
            build_dir=folder,
            test_dir=folder,
            extra_env={"COCOTB_LOG_LEVEL": "WARNING"},
            log_file=f"{folder}/test.log",
        )
        tests, failed = get_results(results)
        if failed:
            print(Path(folder, "test.log").read_text())
    print(f"{tests} tests, {failed} failed")
    return int(failed != 0 or tests != 2)


if __name__ == "__main__":
    sys.exit(main())
