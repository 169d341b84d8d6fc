// SPDX-License-Identifier: Apache-2.0
//! Red is a failure of the RTL, green is a pass, and everything else says what it is.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{
    COSIM, Done, break_lane_swap, compiler, cosim, edit, run, script, shell, signal, until, write_tiny,
};

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(COSIM);
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

/// The one entry of a folder whose name contains `part`.
fn entry(folder: &Path, part: &str) -> std::path::PathBuf {
    let entries = fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry").path());
    entries.into_iter().find(|path| path.to_string_lossy().contains(part)).expect(part)
}

/// A file of NumPy.
fn npy([rows, columns]: [u16; 2]) -> Vec<u8> {
    let header = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({rows}, {columns}), }}\n");
    let start = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    start.into_iter().chain((0..rows * columns).map(|number| number as u8)).collect()
}

const FAULTY: &str = "random --config tiny --fault 16 --seed 5 --no-shrink";

#[test]
fn a_mismatch_outlives_a_folder_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("folder");
    let first = cosim(folder.path(), FAULTY);
    assert_eq!(first.code, Some(1));
    let left = entry(&folder.path().join("failures"), "fault16");
    fs::remove_dir_all(&left).expect("removed");
    fs::write(&left, "a file in its place").expect("written");
    let case = left.file_name().and_then(|name| name.to_str()).expect("name").split('-').nth(2).expect("case");
    let one = format!("{FAULTY} --case {}", case.trim_start_matches("case"));
    for arguments in [&format!("{FAULTY} --junit j.xml --summary s.md"), &one] {
        let done = cosim(folder.path(), arguments);
        let said = &done.out;
        assert_eq!(done.code, Some(1), "{arguments}: {}", done.err);
        assert!(said.contains("tiny: MISMATCH") && said.contains("  again    cosim random"), "{said}");
        assert!(said.contains("  note     not looked into: cannot create the folder failures/tiny-seed5-"), "{said}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert!(read("j.xml").contains("failures=\"1\"") && read("s.md").contains("1 failed"));
}

#[test]
fn a_mismatch_outlives_a_replay_file_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("folder");
    cosim(folder.path(), FAULTY).with_code(1);
    let left = entry(&folder.path().join("failures"), "fault16");
    let name = left.file_name().and_then(|name| name.to_str()).expect("name");
    let case = name.split('-').nth(2).expect("case").trim_start_matches("case");
    let running = folder.path().join("failures/running");
    for arguments in [FAULTY, &format!("{FAULTY} --case {case}")] {
        fs::remove_dir_all(&left).expect("removed");
        // Nothing is written through a link.
        fs::create_dir_all(&running).expect("folder");
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), running.join(format!("{name}.json")))
            .expect("link");
        let done = cosim(folder.path(), arguments);
        assert_eq!(done.code, Some(1), "{arguments}: {}", done.err);
        assert!(done.out.contains("tiny: MISMATCH") && left.join("report.html").exists(), "{}", done.out);
    }
}

/// RTL of `tiny` with a wrong line, in the folder `rtl`.
fn wrong_rtl(folder: &Path) {
    write_tiny(&folder.join("rtl"));
    break_lane_swap(&folder.join("rtl"));
}

#[test]
fn a_mismatch_outlives_a_model_with_waveforms_that_cannot_be_made() {
    let folder = tempfile::tempdir().expect("folder");
    wrong_rtl(folder.path());
    let real =
        cosim_bench::model::toolchain::Toolchain::find(&cosim_bench::unit::product(), None).expect("tools").verilator;
    let refuse = "case \"$*\" in *--trace-fst*) echo '%Error-UNOPTFLAT: with waveforms alone'; exit 1;; esac";
    script(&folder.path().join("verilator"), &format!("#!/bin/sh\n{refuse}\nexec {} \"$@\"\n", real.display()));
    let mut command = command(folder.path(), "random --config tiny --rtl rtl --count 3000 --no-shrink");
    command.env("VERILATOR", folder.path().join("verilator")).env("COSIM_MODELS", folder.path().join("models"));
    let done = run(&mut command);
    let said = &done.out;
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(said.contains("tiny: MISMATCH") && said.contains("UNOPTFLAT"), "{said}");
    let left = entry(&folder.path().join("failures"), "tiny-seed1");
    assert!(left.join("report.html").exists() && !left.join("wave.fst").exists());
}

#[test]
fn a_mismatch_outlives_reports_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("link"), "").expect("written");
    for report in ["--junit /dev/full", "--summary /dev/full"] {
        let done = cosim(folder.path(), &format!("{FAULTY} {report}"));
        assert_eq!(done.code, Some(1), "{report}: {}", done.err);
        assert!(done.out.contains("tiny: MISMATCH") && done.err.contains("cannot write /dev/full"));
        let clean = cosim(folder.path(), &format!("random --config tiny --count 256 {report}"));
        assert_eq!(clean.code, Some(2), "nothing was found, and it could not be written");
    }
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
    let done = command(folder.path(), FAULTY).stdout(full).stderr(Stdio::null()).status().expect("cosim");
    assert_eq!(done.code(), Some(1));
}

#[test]
fn a_model_that_cannot_be_loaded_is_an_error_of_the_bench() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("p.s"), "addi x1, x0, 1\n").expect("written");
    cosim(folder.path(), &format!("{FAULTY} --junit j.xml")).with_code(1);
    let replay = entry(&folder.path().join("failures"), "fault16").join("original.json");
    fs::copy(replay, folder.path().join("case.json")).expect("copied");
    fs::remove_dir_all(folder.path().join("failures")).expect("removed");
    fs::write(folder.path().join("x.npy"), npy([1, 2])).expect("written");
    wrong_rtl(&folder.path().join("repository"));
    let git = "git init -q && git add -A && git -c user.name=T -c user.email=t@e.org commit -qm one && \
               git -c user.name=T -c user.email=t@e.org commit -qm two --allow-empty";
    shell(&folder.path().join("repository"), git).with_code(0);
    let own = "random --config tiny --rtl repository/rtl --count 3000 --no-shrink";
    cosim(folder.path(), own).with_code(1);
    let replay = entry(&folder.path().join("failures"), "tiny-seed1").join("original.json");
    fs::rename(replay, folder.path().join("own.json")).expect("moved");
    fs::remove_dir_all(folder.path().join("failures")).expect("removed");
    let fake = compiler(folder.path(), "echo no library >\"$out\"");
    for arguments in [
        "random --config tiny --count 256 --junit j.xml",
        "random --config tiny --case 3",
        "run p.s --config tiny",
        "check programs . --config tiny",
        "replay case.json",
        "shrink case.json",
        "measure bench --config tiny",
        "op flatten --in x.npy --config tiny",
        "bisect own.json --repository repository --good HEAD~1 --folder rtl",
        "mutate --config tiny --module tl_fifo --count 1",
    ] {
        run(command(folder.path(), arguments).env("CXX", &fake).env("COSIM_MODELS", folder.path().join("models")))
            .refused("cannot load the model");
        assert!(!folder.path().join("failures").exists(), "{arguments}: a failing case is left");
    }
    let done =
        run(command(folder.path(), "doctor").env("CXX", &fake).env("COSIM_MODELS", folder.path().join("models")));
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("a model     FAILS: ") && done.out.contains("cannot load the model"), "{done:?}");
}

/// A compiler that says nothing: one that fails, one that does not write its file.
#[test]
fn a_compiler_that_fails_in_silence_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("p.s"), "addi x1, x0, 1\n").expect("written");
    for (code, message) in [(1, "the C++ compiler fails, without a message"), (0, "the C++ compiler does not write ")] {
        let fake = folder.path().join("c++");
        let source = format!("#!/bin/sh\ncase $* in *--version*) echo fake 1; exit;; esac\nexit {code}\n");
        script(&fake, &source);
        let mut command = command(folder.path(), "run p.s --config tiny");
        let done = run(command.env("CXX", &fake).env("COSIM_MODELS", folder.path().join("models")));
        done.refused(message);
        done.refused("/c++, exit status: ");
    }
}

/// Of a library that loads and lacks a symbol, too: not when it is first called, in the middle of a case.
#[test]
fn a_model_that_lacks_a_symbol_is_an_error_of_the_bench() {
    let folder = tempfile::tempdir().expect("folder");
    let source = "echo 'extern int gone(); int call() { return gone(); }' | cc -fPIC -shared -x c - -o \"$out\"";
    let fake = compiler(folder.path(), source);
    run(command(folder.path(), "random --config tiny")
        .env("CXX", &fake)
        .env("COSIM_MODELS", folder.path().join("models")))
    .refused("undefined symbol: gone");
}

#[test]
fn a_run_without_a_case_is_no_pass() {
    let folder = tempfile::tempdir().expect("folder");
    for (arguments, message) in [
        ("--for 0s", "--for is 0; allowed: more than 0 s"),
        ("--count 256 --shard 2/2", "shard 2/2 has no case: --count 256 makes 1 of 256 instructions"),
    ] {
        cosim(folder.path(), &format!("random --config tiny {arguments}")).refused(message);
    }
    let done = cosim(folder.path(), "random --config tiny --for 1ns --junit j.xml --summary s.md");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(read("j.xml").contains("errors=\"1\"") && read("j.xml").contains("<error message=\"no case was run\""));
    assert!(read("s.md").starts_with("## cosim random: **no case was run**"), "{}", read("s.md"));
}

#[test]
fn the_last_line_is_the_verdict_and_an_old_page_of_failures_goes() {
    let folder = tempfile::tempdir().expect("folder");
    let done = cosim(folder.path(), FAULTY);
    let last = |done: &Done| done.out.lines().last().expect("a line").to_owned();
    assert_eq!(done.code, Some(1));
    assert!(last(&done).starts_with("1 FAILED: "), "{done:?}");
    assert!(done.out.contains(" configuration ") != last(&done).contains(" 0 instructions"), "{done:?}");
    let index = folder.path().join("failures/index.html");
    assert!(index.exists());
    let done = cosim(folder.path(), "random --config tiny --count 512");
    assert!(last(&done).starts_with("no mismatch: 2 cases, "), "{done:?}");
    assert!(!index.exists(), "the page of the failures is still there");
    fs::write(&index, "somebody's own").expect("written");
    cosim(folder.path(), "random --config tiny --count 512");
    assert!(index.exists());
}

#[test]
fn a_register_is_shown_as_the_block_that_it_is() {
    let folder = tempfile::tempdir().expect("folder");
    let program = "csrwi ttype, 2\nli x5, 0x020203\ncsrw tshape, x5\ntl.addi tl1, tl0, 100\n";
    fs::write(folder.path().join("p.s"), program).expect("written");
    let done = cosim(folder.path(), "run p.s --config tiny --show tl1");
    let block = "tl1: [2, 2, 3] of int8\n 100 100 100\n 100 100 100\n\n 100 100 100\n 100 100 100\n";
    assert!(done.out.contains(block), "{done:?}");
    cosim(folder.path(), "run p.s --config tiny --show tl32")
        .refused("--show tl32: no such register; allowed: tl0 to tl31");
    // What does not need a model is refused before one is made.
    write_tiny(&folder.path().join("rtl"));
    let models = folder.path().join("models");
    for (arguments, message) in [
        ("run p.s --config tiny --show tl99", "--show tl99: no such register"),
        (
            "run p.s --rtl rtl --config w16",
            "rtl/tl.toml: the RTL is not of configuration w16: it has mem_port_bytes = 8, not 16",
        ),
        ("random --rtl rtl --config w16", "the RTL is not of configuration w16"),
        ("random --config tiny --fault 999", "there is no planted fault 999; `cosim check faults` lists them"),
    ] {
        run(command(folder.path(), arguments).env("COSIM_MODELS", &models)).refused(message);
        assert!(!models.exists(), "{arguments}");
    }
}

/// What the RTL prints goes into the failure, and never between results.
#[test]
fn what_the_rtl_prints_is_in_the_failure_and_not_in_the_results() {
    let folder = tempfile::tempdir().expect("folder");
    wrong_rtl(folder.path());
    let top = folder.path().join("rtl/tl_lane_swap.sv");
    let source = fs::read_to_string(&top).expect("RTL");
    let says = "`timescale 1ps/1ps\n// caf\u{e9}\n";
    let process =
        "initial begin $display(\"the RTL\\nis here\"); $fdisplay(32'h8000_0002, \"and here\"); end\nendmodule";
    let text_of = says.to_owned() + &source.replacen("endmodule", process, 1);
    // In Latin-1.
    fs::write(&top, text_of.chars().map(|c| c as u8).collect::<Vec<_>>()).expect("written");
    fs::write(folder.path().join("p.s"), "addi x1, x0, 1\n").expect("written");
    let run = cosim(folder.path(), "run p.s --config tiny --rtl rtl --json -");
    assert!(serde_json::from_str::<serde_json::Value>(&run.out).is_ok(), "{run:?}");
    assert!(run.err.contains("the RTL\nis here\n"), "{run:?}");
    let done = cosim(folder.path(), "random --config tiny --rtl rtl --count 3000 --no-shrink --junit j.xml");
    let said = &done.out;
    assert_eq!(done.code, Some(1), "{done:?}");
    let printed = "  printed  by the RTL, the last lines\n    the RTL\n    is here\n";
    assert!(said.contains(printed) && said.contains("    and here\n"), "{said}");
    let left = entry(&folder.path().join("failures"), "tiny-seed1");
    let page = fs::read_to_string(left.join("report.md")).expect("page");
    assert!(page.contains("## What the RTL printed") && page.contains("is here"), "{page}");
    assert!(fs::read_to_string(folder.path().join("j.xml")).expect("JUnit").contains("is here"));
    let replay = format!("replay {}/original.json --rtl rtl", left.display());
    assert!(cosim(folder.path(), &replay).out.contains(printed));
}

#[test]
fn what_a_program_prints_is_there_beside_a_report_and_when_it_does_not_end() {
    let folder = tempfile::tempdir().expect("folder");
    let print = "li x5, 0x30000004\nli x6, 0xff\nsb x6, 0(x5)\nli x6, 0x41\nsb x6, 0(x5)\n";
    fs::write(folder.path().join("p.s"), print).expect("written");
    fs::write(folder.path().join("loop.s"), format!("{print}j .\n")).expect("written");
    let console = |report: &[u8]| {
        let report: serde_json::Value = serde_json::from_slice(report).expect("JSON");
        report["console"].as_str().expect("text").to_owned()
    };
    for (program, code) in [("p.s", 0), ("loop.s --limit 20", 2)] {
        let run =
            |report: &str| command(folder.path(), &format!("run {program} --config tiny --json {report}")).output();
        let done = run("report").expect("cosim");
        assert_eq!((done.status.code(), &done.stdout[..]), (Some(code), &b"\xffA"[..]), "{done:?}");
        assert_eq!(console(&fs::read(folder.path().join("report")).expect("report")), "\\xffA");
        let done = run("-").expect("cosim");
        assert_eq!((done.status.code(), console(&done.stdout).as_str()), (Some(code), "\\xffA"), "{done:?}");
    }
}

/// The folder that `rtl-gen` wrote says of which configuration it is.
#[test]
fn rtl_needs_no_config_beside_the_folder_that_has_it() {
    let folder = tempfile::tempdir().expect("folder");
    write_tiny(&folder.path().join("rtl"));
    fs::write(folder.path().join("p.s"), "addi x1, x0, 1\n").expect("written");
    fs::write(folder.path().join("x.npy"), npy([1, 2])).expect("written");
    for arguments in ["run p.s", "op flatten --in x.npy", "check programs p.s", "random --count 256"] {
        assert!(cosim(folder.path(), &format!("{arguments} --rtl rtl")).with_code(0).contains("tiny"), "{arguments}");
    }
    let committed = fs::canonicalize("../rtl/tiny").expect("rtl/");
    cosim(folder.path(), &format!("run p.s --rtl {}", committed.display())).with_code(0);
    // What cannot be run on it is named.
    let replays = folder.path().join("replays");
    fs::create_dir(&replays).expect("folder");
    fs::copy("../tests/regressions/fault42.json", replays.join("w16.json")).expect("copied");
    let done = cosim(folder.path(), "regress --rtl rtl --programs . --replays replays --count 256");
    assert_eq!(done.code, Some(0), "{done:?}");
    let skipped = "1 replay files are not of the configuration of this RTL and were not run: replays/w16.json";
    assert!(done.out.contains(skipped), "{done:?}");
    let done = cosim(folder.path(), "run p.s --rtl rtl --config w16");
    assert!(done.err.contains("the RTL is not of configuration w16"), "{done:?}");
    let lane_swap = folder.path().join("rtl/tl_lane_swap.sv");
    edit(&lane_swap, "endmodule", "initial $system(\"touch ran\");\nendmodule");
    cosim(folder.path(), "random --count 256 --rtl rtl --refuse-system-tasks").refused("$system is refused");
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn the_text_of_fatal_is_in_the_failure() {
    let folder = tempfile::tempdir().expect("folder");
    wrong_rtl(folder.path());
    let process =
        "always @(posedge clk_i) if (result_valid_o && result_trap_o) $fatal(1, \"no trap, please\");\nendmodule";
    edit(&folder.path().join("rtl/tl_top.sv"), "endmodule", process);
    let done = cosim(folder.path(), "random --config tiny --rtl rtl --count 3000 --no-shrink");
    let said = &done.out;
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(said.contains("RTL FAILED") && said.contains("no trap, please"), "{said}");
    // In this process, too, and never on the stream of results.
    let says = "initial $display(\"the RTL\\nis here\");\nendmodule";
    edit(&folder.path().join("rtl/tl_lane_swap.sv"), "endmodule", says);
    fs::write(folder.path().join("p.s"), ".word 0xffffffff\n").expect("written");
    let printed = "  printed  by the RTL, the last lines\n    the RTL\n    is here\n";
    fs::write(folder.path().join("x.npy"), npy([16, 16])).expect("written");
    for arguments in ["run p.s", "run p.s --json -", "check programs p.s", "op transpose --in x.npy"] {
        let done = cosim(folder.path(), &format!("{arguments} --rtl rtl"));
        assert_eq!(done.code, Some(1), "{arguments}: {done:?}");
        assert!(done.out.contains(printed) && done.err.contains("the RTL\nis here\n"), "{done:?}");
        assert!(!done.out.starts_with("the RTL"), "{done:?}");
    }
}

#[test]
fn tools_are_not_taken_out_of_the_current_folder() {
    let folder = tempfile::tempdir().expect("folder");
    let ran = folder.path().join("ran");
    for place in [".tools/bin", ".tools/venv/bin", "."] {
        fs::create_dir_all(folder.path().join(place)).expect("folder");
        let text = format!("#!/bin/sh\ntouch {}\nexit 1\n", ran.display());
        ["verilator", "clang++", "yosys"].iter().for_each(|name| script(&folder.path().join(place).join(name), &text));
    }
    let path = format!(".::{}", std::env::var("PATH").unwrap_or_default());
    let done = run(command(folder.path(), "doctor").env("PATH", &path));
    assert!(!ran.exists(), "{done:?}");
    assert_eq!(done.code, Some(0), "{done:?}");
    for line in [concat!("cosim       ", env!("CARGO_PKG_VERSION")), "verilator   ", "c++         ", "models      /"] {
        assert!(done.out.contains(line), "{line}: {done:?}");
    }
    // A compiler with words in front, as make takes it; and one that is missing is said, beside what there is.
    script(&folder.path().join("wrap"), "#!/bin/sh\nexec \"$@\"\n");
    let done = run(command(folder.path(), "doctor").env("CXX", "./wrap c++"));
    assert!(done.out.contains("/./wrap c++"), "{done:?}");
    let done = run(command(folder.path(), "doctor").env("CXX", "/nowhere/c++"));
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("c++         MISSING: CXX=/nowhere/c++ does not run"), "{done:?}");
    let done = run(command(folder.path(), "doctor").env("COSIM_MODELS", "/dev/null/models"));
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("models      MISSING: cannot create the folder /dev/null/models"), "{done:?}");
    assert!(done.out.contains("verilator   "), "{done:?}");
}

#[test]
fn a_program_that_is_interrupted_leaves_its_waveform() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("p.s"), "loop: addi x1, x1, 1\nj loop\n").expect("written");
    let run = command(folder.path(), "run p.s --config tiny --wave w.fst").stderr(Stdio::piped()).spawn();
    let run = run.expect("cosim");
    let wave = folder.path().join("w.fst");
    until("a waveform", || wave.exists());
    std::thread::sleep(Duration::from_millis(500));
    signal(run.id(), "INT");
    let done = Done::from(run.wait_with_output().expect("end"));
    assert_eq!(done.code, Some(130), "{done:?}");
    assert!(done.err.contains("p.s: interrupted, last pc 0x"), "{done:?}");
    let file = std::io::BufReader::new(fs::File::open(&wave).expect("waveform"));
    assert!(fst_reader::FstReader::open(file).expect("FST").get_header().end_time > 0);
}

#[test]
fn a_program_that_does_not_end_leaves_its_state() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("p.s"), "loop: addi x1, x1, 1\nj loop\n").expect("written");
    let done = cosim(folder.path(), "run p.s --config tiny --limit 1001 --json s.json --profile --dump-l0m m");
    assert_eq!(done.code, Some(2), "{done:?}");
    let said = &done.err;
    assert!(said.contains("not ended after 1001 instructions (--limit), last pc 0x"), "{said}");
    let state: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("s.json")).expect("JSON")).expect("JSON");
    assert_eq!(state["x"][1], 501, "{state}");
    assert!(folder.path().join("m").exists() && !done.out.is_empty(), "no L0M or no profile: {done:?}");
}
