// SPDX-License-Identifier: Apache-2.0
//! The folder of a failure whose second run, or whose page, ends its process.

use super::*;
use cosim_bench::random::random_case;

#[test]
fn a_crash_nobody_knows_where_leaves_a_page_and_the_program_but_is_not_run_here() {
    let out = tempfile::tempdir().expect("folder");
    let target = tiny();
    let case = random_case(&target, 1, 0);
    let message = "<b>assertion</b> `x | y` failed".to_owned();
    let crash = Crash { how: "the process was ended by signal 6 (SIGABRT)".into(), message };
    let failure = Failure::without_state(Cause::Crash(crash));
    let text = write(
        &target,
        Origin { seed: 1, case: 0, fault: 0 },
        &case,
        (&failure, ""),
        Commands { again: "cosim random", here: "cosim replay original.json" },
        out.path(),
        in_process,
    );
    let text = text.expect("written");
    assert!(
        text.contains("SIGABRT") && text.contains("  wave     none: it is not known in which clock cycle"),
        "{text}"
    );
    let folder = out.path().join("tiny-seed1-case0");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let page = read("report.html");
    assert!(
        page.contains("SIGABRT") && page.contains("&lt;b&gt;assertion") && page.contains("cosim replay original.json")
    );
    assert!(read("report.md").contains("- no waveform: `it is not known in which clock cycle"));
    let words = golden::asm::assemble("program.s", &read("program.s"), &target.golden).expect("assembles");
    assert_eq!(words, case.words());
    assert!(!folder.join("wave.fst").exists());
}

/// What a run with a crash on the way to its folder printed, the files of the folder, and the mnemonic that failed.
struct Crashed {
    done: Done,
    files: BTreeMap<String, String>,
    mnemonic: String,
}

/// The folder of a failing case with a wrong register, whose second run or whose page ends the process that makes it at
/// the instruction that fails.
fn triage_crashes(self_test: &str, more: &[&str]) -> Crashed {
    let out = tempfile::tempdir().expect("folder");
    let (fault, failed) = failure_that(|cause| matches!(cause, Cause::Mismatch(Mismatch::Register { .. })));
    let instruction = tiny().disassemble(failed.failure.at.expect("an instruction").1);
    let mnemonic = instruction.split(' ').next().expect("mnemonic").to_owned();
    let self_test = format!("{self_test}:{mnemonic}");
    let folder = out.path().join(Origin { seed: 1, case: failed.job.number, fault }.name("tiny"));
    fs::create_dir_all(&folder).expect("folder");
    for name in ["wave.fst", "wave.gtkw", "wave.sucl"] {
        fs::write(folder.join(name), "of an earlier run").expect("written");
    }
    let (path, fault) = (out.path().to_str().expect("path"), fault.to_string());
    let arguments = ["random", "--config", "tiny", "--fault", &fault, "--count", "8000", "--out", path];
    let done = cosim_with(&[&arguments[..], &["--self-test", &self_test], more].concat());
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.expect("entry");
        (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path()).unwrap_or_default())
    };
    let files = fs::read_dir(&folder).expect("folder").map(read).collect();
    Crashed { done, files, mnemonic }
}

const WITHOUT_A_WAVE: [&str; 5] = ["original.json", "program.s", "replay.json", "report.html", "report.md"];

#[test]
fn a_second_run_that_ends_its_process_costs_the_waveform_and_nothing_else() {
    for (how, more, why) in [
        ("abort", &[][..], "the process was ended by signal 6 (SIGABRT)"),
        ("endless", &["--watchdog", "3"][..], "no answer within 3 s, the process was ended"),
    ] {
        let Crashed { done, files, .. } = triage_crashes(&format!("wave-{how}"), more);
        assert_eq!(done.code, Some(1), "{done:?}");
        let text = &done.out;
        let why = format!("the second run, with the waveform, failed: {why}");
        assert!(
            text.contains("MISMATCH: contents of tl") && text.contains(&format!("  wave     none: {why}")),
            "{text}"
        );
        assert_eq!(files.keys().collect::<Vec<_>>(), WITHOUT_A_WAVE);
        assert!(files["report.md"].contains(&format!("- no waveform: `{why}`")), "{}", files["report.md"]);
        // The rest of the page is there.
        assert!(section(&files, "Expected and actual contents of tl").contains("elements"));
        assert!(section(&files, "The instruction, field by field").contains("| opcode |"));
        assert!(files["report.html"].contains("<td class=\"wrong\">") && !files["report.html"].contains("gtkwave"));
        golden::asm::assemble("program.s", &files["program.s"], &tiny().golden).expect("assembles");
    }
}

#[test]
fn a_page_that_ends_its_process_is_made_without_the_model() {
    let Crashed { done, files, mnemonic } = triage_crashes("page-panic", &[]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let text = &done.out;
    let why = "none: the process that made this page with the model failed: the process ended with exit code 101";
    assert!(text.contains("MISMATCH: contents of tl") && text.contains(why), "{text}");
    assert_eq!(files.keys().collect::<Vec<_>>(), WITHOUT_A_WAVE);
    assert!(section(&files, "What failed").contains(&format!("{mnemonic} tl")));
    assert!(section(&files, "The last retirements").contains("| csrrw"), "{}", files["report.md"]);
    assert!(section(&files, "The program up to the failure").contains("<== FAILS HERE"));
    golden::asm::assemble("program.s", &files["program.s"], &tiny().golden).expect("assembles");
}
