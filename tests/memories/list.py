# SPDX-License-Identifier: Apache-2.0
"""Prints the memories of every configuration in rtl/ as a table in Markdown: what slang elaborates."""

import os
import re
import sys
from collections import Counter

import pyslang
from pyslang.driver import Driver

WRAPPERS = {"tl_ram_1r1w": ("Depth", "Width", 1), "tl_ram_1r1w_be": ("Depth", "Bytes", 8)}


def memories(folder):
    """(wrapper, words, bits, path below the top with * for an index), and how often."""
    os.chdir(folder)
    driver = Driver()
    driver.addStandardArgs()
    assert driver.parseCommandLine("slang --top tl_top -f tl.f")
    assert driver.processOptions() and driver.parseAllSources()
    found = Counter()

    def visit(symbol):
        if isinstance(symbol, pyslang.ast.InstanceSymbol) and symbol.definition.name in WRAPPERS:
            depth, width, factor = WRAPPERS[symbol.definition.name]
            value = {p.name: int(str(p.value).split("d")[-1]) for p in symbol.body.parameters}
            path = re.sub(r"\[\d+\]", "[*]", symbol.hierarchicalPath.removeprefix("tl_top."))
            found[symbol.definition.name, value[depth], value[width] * factor, path] += 1

    driver.createCompilation().getRoot().visit(visit)
    return found


rtl = os.path.abspath(sys.argv[1])
print("| configuration | wrapper | instances | words | bits of a word | Kbit | in `tl_top` |")
print("|---|---|---:|---:|---:|---:|---|")
for config in sorted(c for c in os.listdir(rtl) if os.path.exists(f"{rtl}/{c}/tl.f")):
    for (wrapper, words, bits, path), count in sorted(memories(f"{rtl}/{config}").items()):
        kbit = count * words * bits / 1024
        print(f"| `{config}` | `{wrapper}` | {count} | {words} | {bits} | {kbit:.1f} | `{path}` |")
