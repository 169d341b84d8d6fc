// SPDX-License-Identifier: Apache-2.0
//! Any configuration, any RTL: models that are made when they are needed.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// Runs the program in `folder`; what it printed, which must end with this exit code.
#[track_caller]
fn cosim(folder: &TempDir, arguments: &[&str], code: i32) -> String {
    let done = Command::new(cargo_bin!("cosim")).args(arguments).current_dir(folder.path()).output().expect("runs");
    let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(done.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

/// A folder with the RTL of `tiny` in `rtl`, with the files of the bench or without.
fn with_rtl(probe: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let config = rtl_gen::Config::named("tiny").expect("tiny");
    rtl_gen::write(&config, &folder.path().join("rtl")).expect("written");
    if !probe {
        ["tl_probe.sv", "tl_bench.vlt", "tl_bench.f"]
            .map(|name| fs::remove_file(folder.path().join("rtl").join(name)))
            .into_iter()
            .for_each(|removed| removed.expect("removed"));
    }
    folder
}

fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join("rtl").join(file);
    let text = fs::read_to_string(&path).expect(file);
    assert_eq!(text.matches(from).count(), 1, "{from} in {file}");
    fs::write(&path, text.replace(from, to)).expect("written");
}

#[test]
fn a_configuration_out_of_a_file_runs_fails_and_is_replayed_like_any_other() {
    let folder = tempfile::tempdir().expect("folder");
    // As in cycles.rs, so that its model is made once.
    let toml = "name = \"own\"\nlanes = 8\nreg_bytes = 64\nelement_widths = [8]\nl1m_bytes = 4096\nl0m_bytes = 4096\n";
    fs::write(folder.path().join("own.toml"), toml).expect("written");
    let text = cosim(&folder, &["random", "--config", "own.toml", "--count", "3000"], 0);
    assert!(text.contains("own: seed 1, 12 cases"), "{text}");
    let text = cosim(&folder, &["random", "--config", "own.toml", "--count", "3000", "--fault", "38"], 1);
    assert!(text.contains("again    cosim random --config own.toml --seed 1 --case "), "{text}");
    let replay = text.lines().find_map(|line| line.trim().strip_prefix("replay   cosim replay ")).expect("replay");
    // The file carries the configuration.
    fs::remove_file(folder.path().join("own.toml")).expect("removed");
    assert!(cosim(&folder, &["replay", replay], 1).contains("own: MISMATCH"));
}

#[test]
#[ignore = "half a minute: make test-all"]
fn an_edit_of_somebodys_rtl_is_found_with_the_probe_and_without() {
    for (probe, seen) in [(true, false), (false, true)] {
        let folder = with_rtl(probe);
        let run = ["random", "--config", "tiny", "--rtl", "rtl", "--count", "2000"];
        let text = cosim(&folder, &run, 0);
        assert_eq!(text.contains("ports only"), seen, "{text}");
        edit(folder.path(), "tl_addi_row.sv", "addends = '0;", "addends = '1;");
        // Not reached: nothing to be seen.
        cosim(&folder, &run, 0);
        edit(folder.path(), "tl_lane_swap.sv", "if (swap_i[s])", "if (swap_i[s] && s != 1)");
        let text = cosim(&folder, &run, 1);
        let replay = text.lines().find_map(|line| line.trim().strip_prefix("replay   cosim replay ")).expect("replay");
        let (file, rtl) = replay.split_once(" --rtl ").expect("the RTL is named");
        assert!(cosim(&folder, &["replay", file, "--rtl", rtl], 1).contains("tiny: MISMATCH"));
        assert!(cosim(&folder, &["replay", file], 0).contains("no mismatch"));
    }
}

#[test]
fn rtl_of_another_configuration_is_refused_with_all_that_differs() {
    let folder = with_rtl(true);
    let text = cosim(&folder, &["random", "--config", "w16", "--rtl", "rtl"], 2);
    for field in ["mem_port_bytes = 8, not 16", "matrix (1: on) = 0, not 1", "lanes = 8, not 16", "tlen = 0, not 512"] {
        assert!(text.contains(field), "{field}: {text}");
    }
    assert!(cosim(&folder, &["random", "--config", "all", "--rtl", "rtl"], 2).contains("name it with --config"));
    let blind = with_rtl(false);
    let text = cosim(&blind, &["random", "--config", "tiny", "--rtl", "rtl", "--until-covered"], 2);
    assert!(text.contains("coverage needs a probe"), "{text}");
}

#[test]
fn what_verilator_refuses_is_an_error_with_its_message() {
    let folder = with_rtl(true);
    edit(folder.path(), "tl_fifo.sv", "endmodule", "endmodul");
    let text = cosim(&folder, &["random", "--config", "tiny", "--rtl", "rtl"], 2);
    assert!(
        text.contains("fast model of configuration tiny: Verilator fails") && text.contains("tl_fifo.sv"),
        "{text}"
    );
}

#[test]
fn a_missing_tool_and_a_place_that_cannot_be_written_are_named() {
    let folder = with_rtl(true);
    let run = |variable: &str, value: &str| {
        let mut command = Command::new(cargo_bin!("cosim"));
        command.args(["random", "--config", "tiny", "--count", "256"]).current_dir(folder.path()).env(variable, value);
        let done = command.output().expect("runs");
        assert_eq!(done.status.code(), Some(2), "{done:?}");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    assert!(run("VERILATOR", "/nowhere/verilator").contains("VERILATOR=/nowhere/verilator does not run"));
    assert!(run("CXX", "/nowhere/c++").contains("CXX=/nowhere/c++ does not run"));
    let text = run("COSIM_MODELS", "/dev/null/models");
    assert!(text.contains("cannot create the folder /dev/null/models (the place of models; COSIM_MODELS"), "{text}");
}

/// Two processes at once need a model that neither has: it is made once, and both run.
#[test]
fn two_processes_share_a_model() {
    let folder = tempfile::tempdir().expect("folder");
    let start = || {
        let mut command = Command::new(cargo_bin!("cosim"));
        command.args(["random", "--config", "tiny", "--count", "256"]).current_dir(folder.path());
        command.env("COSIM_MODELS", folder.path().join("models")).stderr(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::null()).spawn().expect("starts")
    };
    let both = [start(), start()].map(|child| child.wait_with_output().expect("ends"));
    assert!(both.iter().all(|done| done.status.success()), "{both:?}");
    let made: usize =
        both.iter().map(|done| String::from_utf8_lossy(&done.stderr).matches("model tiny fast:").count()).sum();
    assert_eq!(made, 1);
}
