// SPDX-License-Identifier: Apache-2.0
//! The program: exit codes, error texts, files.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{COSIM, cosim, cosim_with, run};

#[track_caller]
fn refused(arguments: &str, message: &str) {
    cosim_with(&arguments.split_whitespace().collect::<Vec<_>>()).refused(message);
}

#[test]
fn bad_usage_and_input_exit_with_2_and_say_what_is_allowed() {
    let known = "no configuration `w17`; allowed: w16, ";
    refused("random --config w17", known);
    refused("check decode --config w17", known);
    refused("measure ppa --target gowin", "[possible values: ecp5, nexus, cells]");
    refused("measure ppa --table /nowhere.json", "cannot read /nowhere.json");
    refused("mutate --record /record.json --module tl_csr", "--record is for whole lists: without --module");
    refused("mutate --record /record.json", "/record.json is not in a checkout of git");
    refused("measure bench --config w16,w17", known);
    refused("random --count 0", "--count is 0");
    refused("random --count x", "invalid value 'x'");
    refused("random --config tiny --fault 9999", "there is no planted fault 9999");
    refused("random --config all --case 1", "--case needs one configuration");
    refused("check programs /nowhere", "cannot read the folder /nowhere");
    refused("run /nowhere.s", "cannot read /nowhere.s");
    refused("walk", "unrecognized subcommand 'walk'");
    refused("", "Usage");
}

#[test]
fn a_program_that_does_not_assemble_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("bad.s"), "nop\ntl.addi tl1, tl2, 128\n").expect("written");
    cosim(folder.path(), "run bad.s").refused("bad.s:2:");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("created");
    // Before a model is made.
    let store = folder.path().join("store");
    for (folder, said) in [(empty.as_path(), "there is no program (*.s) below"), (folder.path(), "bad.s:2:")] {
        run(Command::new(COSIM).env("COSIM_MODELS", &store).args(["check", "programs"]).arg(folder)).refused(said);
    }
    assert!(!store.exists());
}

#[test]
fn a_reader_that_goes_away_costs_neither_the_folder_of_a_failure_nor_the_exit_code() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = ["demo-fault", "--out", folder.path().to_str().expect("path")];
    let (reader, writer) = std::io::pipe().expect("pipe");
    drop(reader);
    run(Command::new(COSIM).args(arguments).stdout(writer)).with_code(0);
    let failures: Vec<_> = fs::read_dir(folder.path()).expect("folder").filter_map(Result::ok).collect();
    assert!(failures.iter().any(|failure| failure.path().join("report.html").exists()), "{failures:?}");
}

#[test]
fn an_error_that_nobody_reads_has_its_exit_code() {
    let (reader, writer) = std::io::pipe().expect("pipe");
    drop(reader);
    run(Command::new(COSIM).args(["random", "--config", "none"]).stderr(writer)).with_code(2);
}

#[test]
fn what_cannot_be_written_to_standard_output_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
    run(Command::new(COSIM).args(["check", "faults"]).stdout(full)).refused("cosim: cannot write to standard output");
}

/// Runs `program` with `cosim run` and `golden`'s library; the reports must be the same.
fn compare_reports(folder: &Path, config: &str, program: &str, more: &[&str]) -> golden::report::Report {
    let (file, l1m, l0m) = (folder.join("p.s"), folder.join("l1m"), folder.join("l0m"));
    let image: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(&file, program).expect("written");
    fs::write(&l1m, &image).expect("written");
    let path = |path: &Path| path.to_str().expect("path").to_owned();
    let (file, l1m_name, l0m_name) = (path(&file), path(&l1m), path(&l0m));
    let mut arguments =
        vec!["run", &file, "--config", config, "--l1m", &l1m_name, "--dump-l0m", &l0m_name, "--json", "-"];
    arguments.extend(more);
    let done = cosim_with(&arguments);
    assert_eq!(done.code, Some(0), "{done:?}");
    let rtl: golden::report::Report = serde_json::from_str(&done.out).expect("report");
    let golden_config = golden::Config::named(config).expect("named");
    let mut machine = golden::Machine::new(&golden_config);
    machine.l1m.fill(&image).expect("fits");
    let words = golden::asm::assemble("p.s", program, &golden_config).expect("assembles");
    assert_eq!(rtl, golden::run::run(&mut machine, &words));
    assert_eq!(fs::read(&l0m).expect("dump"), machine.l0m.bytes);
    rtl
}

const PROGRAM: &str = "\
    li x5, 0x040404
    csrrw x0, tshape, x5
    li x10, 3
    tl.load tl1, 0(x10)
    tl.addi tl2, tl1, -7
    tl.merge.0 tl3, tl1, tl2        # the mask was never written
    csrrwi x6, tmask_concat_1, 5
    tl.merge.0 tl3, tl1, tl2
    tl.store tl3, 1(x10)
    li x11, -1
    tl.store tl3, 0(x11)
    .word 0xffffffff
    csrrs x12, tlenb, x0
";

#[test]
fn run_gives_the_report_of_golden_run_out_of_the_rtl() {
    let folder = tempfile::tempdir().expect("folder");
    for config in ["tiny", "w16"] {
        let report = compare_reports(folder.path(), config, PROGRAM, &[]);
        let traps: Vec<_> = report.retired.iter().filter_map(|r| r.trap).map(|t| t.cause).collect();
        assert_eq!(traps, [2, 7, 2]);
        compare_reports(folder.path(), config, PROGRAM, &["--stall-seed", "5"]);
    }
}

const MATRIX_PROGRAM: &str = "\
    msettilemi 3
    li x5, 5
    msettilek x5
    li x6, 100
    li x7, 9
    mlae8 tr2, (x6), x7
    msate8 tr2, (x6), x5
    csrrs x8, mtilek, x0
    csrrw x9, mtilem, x8            # read only
    mlce16 acc1, (x7), x6           # mtilen is 0: nothing happens
    msettileni 2
    mlce16 acc1, (x7), x6           # misaligned
    mlce16 acc1, (x6), x6
    tl.load tl3, 0(x0)              # tshape was never written
    csrrs x10, xalenb, x0
    li x11, -4
    mscte32 acc1, (x11), x6         # outside
";

#[test]
#[ignore = "half a minute: make test-all"]
fn run_gives_matrix_registers_and_tile_sizes_out_of_the_rtl() {
    let folder = tempfile::tempdir().expect("folder");
    for (config, acc_bytes) in [("w16", 64), ("w32", 64), ("mx1024", 256)] {
        compare_reports(folder.path(), config, "nop\n", &[]);
        for more in [&[][..], &["--stall-seed", "3"]] {
            let report = compare_reports(folder.path(), config, MATRIX_PROGRAM, more);
            let traps: Vec<_> = report.retired.iter().filter_map(|r| r.trap).map(|t| t.cause).collect();
            assert_eq!(traps, [2, 4, 2, 7]);
            let sizes = report.csr.tile_sizes.expect("tile sizes");
            assert_eq!((sizes.mtilem, sizes.mtilen, sizes.mtilek), (3, 2, 5));
            assert_eq!((report.x[8], report.x[9], report.x[10]), (5, 0, acc_bytes));
            let tiles = report.tiles.expect("tiles");
            let zeros = |register: &String| register.bytes().all(|digit| digit == b'0');
            assert!(!zeros(&tiles.tr[2]) && !zeros(&tiles.acc[1]) && zeros(&tiles.tr[0]) && zeros(&tiles.acc[0]));
        }
    }
}

/// The unit clears its matrix registers after reset; a program that ends before that sees zeros all the same.
#[test]
fn run_of_a_program_that_is_over_at_once() {
    let folder = tempfile::tempdir().expect("folder");
    for config in ["tiny", "w16"] {
        compare_reports(folder.path(), config, "nop\n", &[]);
        compare_reports(folder.path(), config, "csrrs x1, tlenb, x0\n", &[]);
    }
}

#[test]
fn run_writes_a_waveform() {
    let folder = tempfile::tempdir().expect("folder");
    let wave = folder.path().join("wave.fst");
    compare_reports(folder.path(), "tiny", PROGRAM, &["--wave", wave.to_str().expect("path")]);
    assert!(fs::metadata(&wave).expect("wave").len() > 1000);
    assert_ne!(cosim(folder.path(), "run p.s --wave /nowhere/wave.fst").code, Some(0));
}

/// What belongs together is one command in the help, and has its old name.
#[test]
fn help_explains_every_option_and_lists_few_commands() {
    let listed = |arguments: &[&str]| -> Vec<String> {
        let help = cosim_with(&[arguments, &["--help"]].concat()).out;
        let commands = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
        commands.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
    };
    let mut commands = listed(&[]);
    commands.retain(|name| name != "help");
    assert!(commands.len() <= 16 && commands.iter().any(|name| name == "random"), "{commands:?}");
    let grouped = |group: &str| listed(&[group]).into_iter().map(|name| [group.to_owned(), name]).collect::<Vec<_>>();
    let mut all = [grouped("check"), grouped("measure")].concat();
    all.retain(|[_, name]| name != "help");
    assert_eq!(all.len(), 14, "{all:?}");
    let alone = ["run", "random", "regress", "demo-fault"].map(|name| vec![name.to_owned()]);
    for command in all.iter().map(|words| words.to_vec()).chain(alone) {
        let help = [&command.iter().map(String::as_str).collect::<Vec<_>>()[..], &["--help"]].concat();
        assert!(cosim_with(&help).with_code(0).contains("Options:"), "{command:?}");
    }
    // A check has one name.
    all.iter().for_each(|[_, name]| cosim_with(&[name, "--help"]).refused("unrecognized subcommand"));
}

#[test]
fn a_negative_number_is_a_value_and_no_option() {
    let natural = "allowed: a whole number without a sign";
    for (arguments, option, allowed) in [
        ("run p.s", "--limit", natural),
        ("run p.s", "--stall-seed", natural),
        ("run p.s", "--latency", "is not in 1..="),
        ("random", "--seed", natural),
        ("random", "--count", natural),
        ("random", "--jobs", "allowed: 1 to"),
        ("random", "--max-failures", "is not in 1..="),
        ("replay r.json", "--watchdog", natural),
        ("shrink r.json", "--runs", natural),
        ("check faults --shrink", "--only", "is not in 0..=4294967295"),
        ("check axi", "--cases", natural),
        ("check xif", "--count", natural),
        ("mutate", "--count", natural),
        ("measure ppa", "--goal", "is not in 1..=1000"),
        ("op flatten --in x.npy", "--stall-seed", natural),
        ("op flatten --in x.npy", "--limit", natural),
        ("op im2col --in x.npy --kernel 2", "--padding", "allowed is an integer, 0 or more"),
    ] {
        refused(&format!("{arguments} {option} -1"), &format!("invalid value '-1' for '{option} <"));
        refused(&format!("{arguments} {option} -1"), allowed);
    }
    refused("random --for -1s", "invalid value '-1s' for '--for <TIME>'");
    refused("random --shard -1/2", "invalid value '-1/2' for '--shard <SHARD>'");
    // And is taken where it is legal.
    refused("op pad --in no.npy --model --pads -1 --value -1", "no.npy: No such file");
}
