# SPDX-License-Identifier: Apache-2.0
"""Prints the memories of every configuration in rtl/ as a table in Markdown: what slang elaborates."""

import math
import os
import re
import sys

import pyslang
from pyslang.driver import Driver

WRAPPERS = {"tl_ram_1r1w": ("Depth", "Width", 1), "tl_ram_1r1w_be": ("Depth", "Bytes", 8)}


def memories(folder):
    """By wrapper and path below the top, with * for an index: instances, words, bits of a word."""
    os.chdir(folder)
    driver = Driver()
    driver.addStandardArgs()
    assert driver.parseCommandLine("slang --top tl_top -f tl.f")
    assert driver.processOptions() and driver.parseAllSources()
    found = {}

    def visit(symbol):
        if isinstance(symbol, pyslang.ast.InstanceSymbol) and symbol.definition.name in WRAPPERS:
            depth, width, factor = WRAPPERS[symbol.definition.name]
            value = {p.name: int(str(p.value).split("d")[-1]) for p in symbol.body.parameters}
            path = re.sub(r"\[\d+\]", "[*]", symbol.hierarchicalPath.removeprefix("tl_top."))
            count, *sizes = found.get((symbol.definition.name, path), (0, value[depth], value[width] * factor))
            assert sizes == [value[depth], value[width] * factor], path
            found[symbol.definition.name, path] = (count + 1, *sizes)

    driver.createCompilation().getRoot().visit(visit)
    return found


rtl = os.path.abspath(sys.argv[1])
configs = sorted(c for c in os.listdir(rtl) if os.path.exists(f"{rtl}/{c}/tl.f"))
found = {config: memories(f"{rtl}/{config}") for config in configs}
columns = sorted({column for memory in found.values() for column in memory})
print("| configuration |" + "".join(f" `{wrapper}`: `{path}` |" for wrapper, path in columns) + " Kbit |")
print("|---|" + "---|" * len(columns) + "---:|")
for config, memory in found.items():
    cells = " | ".join("{} x {} x {}".format(*memory[c]) if c in memory else "" for c in columns)
    kbit = sum(math.prod(sizes) for sizes in memory.values()) / 1024
    print(f"| `{config}` | {cells} | {kbit:.1f} |")
