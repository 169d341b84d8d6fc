# SPDX-License-Identifier: Apache-2.0
"""Runs ONNX's own node tests of the operators that `cosim op` knows, and prints a table in Markdown.

    pip install onnx
    python kernels/tests/onnx_nodes.py target/release/cosim --model

Further options go to `cosim op`: without --model the tests run on the RTL. Exit code 1 when a test fails.
"""

import collections
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

warnings.simplefilter("ignore")
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

OPERATORS = ["Transpose", "Reshape", "Flatten", "Squeeze", "Concat", "Split", "Slice", "Gather", "Compress", "Pad",
             "SpaceToDepth", "DepthToSpace"]


class Unsupported(Exception):
    """Why a test is not for us."""


def numbers(values):
    return ",".join(str(int(value)) for value in np.asarray(values).ravel())


def command(node, values, folder):
    """The words behind `cosim op`, and the tensors that go in."""
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    names = [name for name in node.input]
    given = {i: values[name] for i, name in enumerate(names) if name}
    kind, words, tensors = node.op_type, [], [given[0]]
    option = lambda name, value: words.append(f"--{name}={value}")
    if kind == "Transpose" and "perm" in attributes:
        option("perm", numbers(attributes["perm"]))
    elif kind == "Reshape":
        if attributes.get("allowzero"):
            raise Unsupported("allowzero")
        option("shape", numbers(given[1]))
    elif kind == "Flatten":
        option("axis", attributes.get("axis", 1))
    elif kind == "Squeeze":
        axes = given.get(1, attributes.get("axes"))
        if axes is not None:
            option("axes", numbers(axes))
    elif kind == "Concat":
        tensors = list(given.values())
        option("axis", attributes["axis"])
    elif kind == "Split":
        option("axis", attributes.get("axis", 0))
        parts = given.get(1, attributes.get("split"))
        if parts is not None:
            option("split", numbers(parts))
    elif kind == "Slice":
        for i, name in enumerate(["starts", "ends", "axes", "steps"], 1):
            if i in given:
                option(name, numbers(given[i]))
    elif kind == "Gather":
        option("axis", attributes.get("axis", 0))
        option("indices", numbers(given[1]))
        if given[1].ndim != 1:
            option("indices-shape", numbers(given[1].shape))
    elif kind == "Compress":
        if "axis" in attributes:
            option("axis", attributes["axis"])
        np.save(folder / "condition.npy", given[1])
        option("condition", folder / "condition.npy")
    elif kind == "Pad":
        mode = attributes.get("mode", b"constant").decode()
        option("mode", mode)
        option("pads", numbers(given[1]))
        if mode == "constant" and 2 in given and given[2].size:
            option("value", int.from_bytes(given[2].astype(given[0].dtype).tobytes(), "little"))
        if 3 in given:
            option("axes", numbers(given[3]))
    elif kind in ("SpaceToDepth", "DepthToSpace"):
        option("blocksize", attributes["blocksize"])
        option("mode", attributes.get("mode", b"DCR").decode().lower())
    return [kind, *words], tensors


def run(cosim, options, test):
    """Raises an exception when a test is not passed."""
    node = test.model.graph.node[0]
    inputs, outputs = test.data_sets[0]
    # An input that is left out has no value either.
    values = dict(zip((name for name in node.input if name), inputs))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words, tensors = command(node, values, folder)
        for i, tensor in enumerate(tensors):
            if not isinstance(tensor, np.ndarray) or tensor.dtype.kind not in "biuf":
                raise Unsupported(f"elements of {getattr(tensor, 'dtype', type(tensor).__name__)}")
            np.save(folder / f"in{i}.npy", tensor)
            words += ["--in", str(folder / f"in{i}.npy")]
        for i in range(len(outputs)):
            words += ["--out", str(folder / f"out{i}.npy")]
        done = subprocess.run([cosim, "op", *words, *options], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr.strip() or done.stdout.strip())
        for i, expected in enumerate(outputs):
            got = np.load(folder / f"out{i}.npy")
            if got.dtype != expected.dtype or got.shape != expected.shape or got.tobytes() != expected.tobytes():
                raise AssertionError(f"output {i}: {got!r}, expected {expected!r}")


def main():
    cosim, *options = sys.argv[1:]
    table = {kind: collections.Counter() for kind in OPERATORS}
    reasons = {kind: collections.Counter() for kind in OPERATORS}
    failed = False
    for test in collect_testcases(None):
        # Tests of a function that was expanded to its nodes are those of other operators.
        if not test.model or len(test.model.graph.node) != 1 or test.model.graph.node[0].op_type not in table:
            continue
        kind = test.model.graph.node[0].op_type
        try:
            run(cosim, options, test)
            table[kind]["passed"] += 1
        except Unsupported as reason:
            reasons[kind][str(reason)] += 1
        except AssertionError as error:
            failed = True
            table[kind]["failed"] += 1
            print(f"{test.name}: {error}", file=sys.stderr)
    print(f"onnx {onnx.__version__}\n\n| operator | passed | failed | not supported |\n|---|---:|---:|---|")
    for kind in OPERATORS:
        why = ", ".join(f"{number}: {reason}" for reason, number in sorted(reasons[kind].items()))
        print(f"| {kind} | {table[kind]['passed']} | {table[kind]['failed']} | {why} |")
    print(f"\n{sum(row['passed'] for row in table.values())} passed")
    return failed


sys.exit(main())
