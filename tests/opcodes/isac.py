# SPDX-License-Identifier: Apache-2.0
"""Reads files of docs/riscv-opcodes with the parser of riscv-isac (PyPI), and decodes random words with it.

Prints a line for each word: the word, the mnemonic, and each field with its bits. riscv-isac is the coverage tool of RISC-V
International; its decoder is the one of riscv-opcodes made over. What the decoder imports beside it (plugins, colours of
messages) is left out here.
"""

import argparse
import csv
import importlib.util
import random
import sys
import types
from pathlib import Path


def decoder():
    """The module of riscv-isac that reads files of riscv-opcodes."""
    data = Path(importlib.util.find_spec("riscv_isac").submodule_search_locations[0], "data")
    sys.path.insert(0, str(data))
    for name in ["plugins", "log"]:
        sys.modules[f"riscv_isac.{name}"] = types.ModuleType(name)
    sys.modules["riscv_isac.plugins"].decoderHookImpl = lambda function: function
    sys.modules["riscv_isac.log"].logger = None
    import rvopcodesdecoder

    return rvopcodesdecoder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with arg_lut.csv and the files")
    parser.add_argument("names", nargs="+", help="files in it")
    parser.add_argument("--words", type=int, default=20, help="random words of each instruction")
    options = parser.parse_args()
    isac = decoder()
    with open(options.folder / "arg_lut.csv", newline="") as file:
        for name, high, low in csv.reader(file, skipinitialspace=True):
            isac.arg_lut[name] = (int(high), int(low))
    rows = []
    for name in options.names:
        for line in (options.folder / name).read_text().splitlines():
            if line and not line.startswith("#"):
                fixed, (mnemonic, fields) = isac.disassembler.process_enc_line(line)
                rows.append((mnemonic, fixed, fields))
    nested = lambda: isac.defaultdict(nested)
    tree = nested()
    # It takes the constants away from the lists that it is given.
    tree["root"] = [[list(fixed), mnemonic, fields] for mnemonic, fixed, fields in rows]
    isac.disassembler.build_instr_dict(tree)
    draw = random.Random(1)
    for mnemonic, fixed, fields in rows:
        for _ in range(options.words):
            word = draw.getrandbits(32)
            for (high, low), value in fixed:
                word = word & ~((1 << high + 1) - (1 << low)) | value << low
            found = isac.disassembler.get_instr(tree, word)
            if found is None or found[0] != mnemonic:
                sys.exit(f"{word:08x} of {mnemonic} is {found and found[0]}")
            values = [f"{field}={int(isac.get_arg_val(field)(word), 2)}" for field in fields]
            print(f"{word:08x}", mnemonic, *values)


if __name__ == "__main__":
    main()
