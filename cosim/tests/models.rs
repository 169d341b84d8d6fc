// SPDX-License-Identifier: Apache-2.0
//! Any configuration, any RTL: models that are made when they are needed.

use std::fs;
use std::process::Command;

use crate::common::{COSIM, OWN, break_lane_swap, compiler, cosim, edit, run, script, target, write_tiny};
use cosim_bench::unit::ModelKind;
use tempfile::TempDir;

/// A folder with the RTL of `tiny` in `rtl`, with the files of the bench or without.
fn with_rtl(probe: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    write_tiny(&folder.path().join("rtl"));
    if !probe {
        for name in ["tl_probe.sv", "tl_bench.vlt", "tl_bench.f"] {
            fs::remove_file(folder.path().join("rtl").join(name)).expect("removed");
        }
    }
    folder
}

#[test]
fn a_configuration_out_of_a_file_runs_fails_and_is_replayed_like_any_other() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("own.toml"), OWN).expect("written");
    let text = cosim(folder.path(), "random --config own.toml --count 3000").with_code(0);
    assert!(text.contains("own: seed 1, 12 cases"), "{text}");
    let text = cosim(folder.path(), "random --config own.toml --count 3000 --fault 38").with_code(1);
    assert!(text.contains("again    cosim random --config own.toml --seed 1 --case "), "{text}");
    let replay = text.lines().find_map(|line| line.trim().strip_prefix("replay   cosim replay ")).expect("replay");
    // The file carries the configuration.
    fs::remove_file(folder.path().join("own.toml")).expect("removed");
    assert!(cosim(folder.path(), &format!("replay {replay}")).with_code(1).contains("own: MISMATCH"));
}

#[test]
#[ignore = "half a minute: make test-all"]
fn an_edit_of_somebodys_rtl_is_found_with_the_probe_and_without() {
    for (probe, seen) in [(true, false), (false, true)] {
        let folder = with_rtl(probe);
        let run = || cosim(folder.path(), "random --config tiny --rtl rtl --count 2000");
        let text = run().with_code(0);
        assert_eq!(text.contains("ports only"), seen, "{text}");
        edit(&folder.path().join("rtl/tl_addi_row.sv"), "addends = '0;", "addends = '1;");
        // Not reached: nothing to be seen.
        run().with_code(0);
        break_lane_swap(&folder.path().join("rtl"));
        let text = run().with_code(1);
        let replay = text.lines().find_map(|line| line.trim().strip_prefix("replay   cosim replay ")).expect("replay");
        assert!(cosim(folder.path(), &format!("replay {replay}")).with_code(1).contains("tiny: MISMATCH"));
        let (file, _) = replay.split_once(" --rtl ").expect("the RTL is named");
        assert!(cosim(folder.path(), &format!("replay {file}")).with_code(0).contains("no mismatch"));
    }
}

#[test]
fn rtl_of_another_configuration_is_refused_with_all_that_differs() {
    let folder = with_rtl(true);
    let other = cosim(folder.path(), "random --config w16 --rtl rtl");
    for field in ["mem_port_bytes = 8, not 16", "matrix (1: on) = 0, not 1", "lanes = 8, not 16", "tlen = 0, not 512"] {
        other.refused(field);
    }
    cosim(folder.path(), "random --config all --rtl rtl").refused("name it with --config");
    let blind = with_rtl(false);
    cosim(blind.path(), "random --config tiny --rtl rtl --until-covered").refused("coverage needs a probe");
}

#[test]
fn a_folder_of_rtl_is_kept_as_it_is() {
    let folder = with_rtl(true);
    let at = |name: &str| folder.path().join("rtl").join(name);
    for (name, place) in [("tl_fifo.sv", "one"), ("tl_queue.sv", "two")] {
        fs::create_dir(at(place)).expect("created");
        fs::rename(at(name), at(place).join("part.sv")).expect("moved");
        edit(&at("tl.f"), &format!("{name}\n"), &format!("{place}/part.sv\n"));
    }
    fs::create_dir(at("sub")).expect("created");
    fs::rename(at("tl_shape.sv"), at("sub/body.inc")).expect("moved");
    fs::write(at("tl_shape.sv"), "`include \"sub/body.inc\"\n").expect("written");
    for more in ["", " --refuse-system-tasks"] {
        cosim(folder.path(), &format!("random --rtl rtl --count 256{more}")).with_code(0);
    }
}

#[test]
fn what_verilator_refuses_is_an_error_with_its_message() {
    let folder = with_rtl(true);
    edit(&folder.path().join("rtl/tl_fifo.sv"), "endmodule", "endmodul");
    let done = cosim(folder.path(), "random --config tiny --rtl rtl");
    done.refused("fast model of configuration tiny: Verilator fails");
    done.refused("tl_fifo.sv");
}

#[test]
fn a_missing_tool_and_a_place_that_cannot_be_written_are_named() {
    let folder = with_rtl(true);
    let refused = |variable: &str, value: &str, message: &str| {
        let mut command = Command::new(COSIM);
        command.args(["random", "--config", "tiny", "--count", "256"]).current_dir(folder.path()).env(variable, value);
        run(&mut command).refused(message);
    };
    refused("VERILATOR", "/nowhere/verilator", "VERILATOR=/nowhere/verilator does not run");
    refused("CXX", "/nowhere/c++", "CXX=/nowhere/c++ does not run");
    let place = "cannot create the folder /dev/null/models (the place of models; COSIM_MODELS";
    refused("COSIM_MODELS", "/dev/null/models", place);
}

/// A process may have several C++ libraries: that of the bench, and those of models, linked into them or not.
#[test]
fn a_model_exports_its_entry_points_alone() {
    for kind in [ModelKind::Fast, ModelKind::Traced, ModelKind::Decoder] {
        let model = target("tiny").models.make(kind).expect("a model");
        let text = run(Command::new("nm").args(["-D", "--defined-only"]).arg(&model)).with_code(0);
        let symbols: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
        assert!(!symbols.is_empty() && symbols.iter().all(|name| name.starts_with("cosim_")), "{symbols:?}");
    }
}

#[test]
fn a_crash_of_a_model_is_told_with_its_name_and_compiler() {
    let folder = with_rtl(true);
    let crash = "initial $c(\"*(volatile int *)0 = 0;\");\nendmodule";
    edit(&folder.path().join("rtl/tl_fifo.sv"), "endmodule", crash);
    fs::write(folder.path().join("p.s"), "addi x1, x0, 1\n").expect("written");
    let done = cosim(folder.path(), "run p.s --rtl rtl");
    assert_eq!(done.code, None, "not ended by a signal: {done:?}");
    let compiler =
        cosim_bench::model::toolchain::Toolchain::compiler(&cosim_bench::unit::product(), None).expect("a compiler").1;
    let words = format!("cosim: in this process was the model tiny fast, made by {compiler}\n");
    assert!(done.err.ends_with(&words), "{done:?}");
}

/// Two processes at once need a model that neither has: it is made once, and both run.
#[test]
fn two_processes_share_a_model() {
    let folder = tempfile::tempdir().expect("folder");
    let start = || {
        let mut command = Command::new(COSIM);
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

/// A compiler that keeps a list of what it compiles: a comment in the RTL is no other C++, another constant is in some
/// of the files. The objects of a damaged folder are made again.
#[test]
fn an_edit_compiles_what_it_changed() {
    let folder = with_rtl(true);
    let [rtl, models, list] = ["rtl/tl_csr.sv", "models", "list"].map(|name| folder.path().join(name));
    let fake = compiler(folder.path(), "echo no library >\"$out\"");
    let listing = folder.path().join("listing");
    let text = format!("#!/bin/sh\necho \"$*\" >>{}\nexec {} \"$@\"\n", list.display(), fake.display());
    script(&listing, &text);
    let compiled = || {
        let mut command = Command::new(COSIM);
        command.args(["random", "--config", "tiny", "--rtl", "rtl"]).current_dir(folder.path());
        run(command.env("CXX", &listing).env("COSIM_MODELS", &models)).refused("cannot load the model");
        let text = fs::read_to_string(&list).unwrap_or_default();
        let _ = fs::remove_file(&list);
        text.lines().filter(|line| line.contains(" -c ") && line.contains("/cpp/")).count()
    };
    let all = compiled();
    assert!(all > 4, "{all} units");
    edit(&rtl, "init_q <= init_q", "/* here */ init_q <= init_q");
    assert_eq!(compiled(), 0);
    edit(&rtl, "tshape_o       <= 24'h0;", "tshape_o       <= 24'h1;");
    let some = compiled();
    assert!((1..all).contains(&some), "{some} of {all}");
    for entry in fs::read_dir(&models).expect("folder").map(|entry| entry.expect("entry").path()) {
        if entry.is_dir() && entry.to_string_lossy().contains("_objects-") {
            let objects = fs::read_dir(&entry).expect("folder").map(|entry| entry.expect("entry").path());
            let object = objects.into_iter().find(|path| path.extension().is_some_and(|end| end == "o"));
            fs::write(object.expect("an object"), "").expect("damaged");
        }
    }
    edit(&rtl, "/* here */", "/* there */");
    assert_eq!(compiled(), all);
    // Another signal is in the header of all.
    break_lane_swap(&folder.path().join("rtl"));
    assert_eq!(compiled(), all);
}
