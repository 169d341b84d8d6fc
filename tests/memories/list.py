# SPDX-License-Identifier: Apache-2.0
"""Prints the memories of every configuration in rtl/ as a table in Markdown: what slang elaborates."""

import math
import os
import re
import sys

import pyslang
from pyslang.driver import Driver

SMALL = 32
WRAPPERS = {"_ram_1r1w": ("Depth", "Width", 1), "_ram_1r1w_be": ("Depth", "Bytes", 8)}


def memories(folder):
    """By column: a wrapper with its path below the top, * for an index, or its small ones; by words and bits of a word: instances."""
    os.chdir(folder)
    # A unit may have a prefix of its own in place of `tl`.
    prefix = re.search(r"^(?:.*/)?(\w+)_top\.sv$", open("tl.f").read(), re.M)[1]
    driver = Driver()
    driver.addStandardArgs()
    assert driver.parseCommandLine(f"slang --top {prefix}_top -f tl.f")
    assert driver.processOptions() and driver.parseAllSources()
    found = {}

    def visit(symbol):
        name = isinstance(symbol, pyslang.ast.InstanceSymbol) and symbol.definition.name.removeprefix(prefix)
        if name in WRAPPERS:
            depth, width, factor = WRAPPERS[name]
            value = {p.name: int(str(p.value).split("d")[-1]) for p in symbol.body.parameters}
            path = re.sub(r"\[\d+\]", "[*]", symbol.hierarchicalPath.removeprefix(f"{prefix}_top."))
            words, bits = value[depth], value[width] * factor
            small = factor == 1 and words <= SMALL
            sizes = found.setdefault(f"`tl{name}`: " + ("up to 32 words" if small else f"`{path}`"), {})
            sizes[words, bits] = sizes.get((words, bits), 0) + 1

    driver.createCompilation().getRoot().visit(visit)
    return found


rtl = os.path.abspath(sys.argv[1])
configs = sorted(c for c in os.listdir(rtl) if os.path.exists(f"{rtl}/{c}/tl.f"))
found = {config: memories(f"{rtl}/{config}") for config in configs}
columns = sorted({column for memory in found.values() for column in memory})
print("| configuration |" + "".join(f" {column} |" for column in columns) + " Kbit |")
print("|---|" + "---|" * len(columns) + "---:|")
for config, memory in found.items():
    sizes = {column: sorted(memory.get(column, {}).items(), reverse=True) for column in columns}
    cells = " | ".join(", ".join(f"{count} x {words} x {bits}" for (words, bits), count in sizes[c]) for c in columns)
    kbit = sum(count * math.prod(size) for column in sizes.values() for size, count in column) / 1024
    print(f"| `{config}` | {cells} | {kbit:.1f} |")
