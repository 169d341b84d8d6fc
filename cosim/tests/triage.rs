// SPDX-License-Identifier: Apache-2.0
//! The folder that a failure leaves behind: its files, their contents, and that the same failure leaves the same
//! folder.

mod control;
mod crash;
mod said;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use crate::common::{Done, cosim_with, edit, failure, tiny};
use cosim_bench::case::{Origin, random_command};
use cosim_bench::lockstep::failure::{Cause, Crash, Failure, Mismatch};
use cosim_bench::random::random_case;
use cosim_bench::run::FailedCase;

use cosim_bench::run::regression::{Plan, run};
use cosim_bench::triage::evidence::window;
use cosim_bench::triage::{Commands, FILES, Means, Subject, Written, folder, write};
use cosim_bench::unit::faults::{FAULTS, Fault};
use cosim_bench::unit::target::Target;
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader};
use golden::decode::decode;

/// The first of the planted faults that fails as `wanted` says.
fn failure_that(wanted: impl Fn(&Cause) -> bool) -> (u32, &'static FailedCase) {
    case_that(|failed| wanted(&failed.failure.cause))
}

/// As [`failure_that`], by all that is known of the case.
fn case_that(wanted: impl Fn(&FailedCase) -> bool) -> (u32, &'static FailedCase) {
    static FAILURES: LazyLock<Vec<OnceLock<Option<FailedCase>>>> =
        LazyLock::new(|| FAULTS.iter().map(|_| OnceLock::new()).collect());
    let failed = |fault: &Fault| {
        let plan = Plan { seed: 1, instructions: 8_000, jobs: 2, fault: fault.id };
        run(&tiny(), &plan, |_| ()).failed
    };
    let found = FAULTS.iter().zip(FAILURES.iter()).find_map(|(fault, failure)| {
        let failed = failure.get_or_init(|| failed(fault)).as_ref();
        failed.filter(|failed| wanted(failed)).map(|failed| (fault.id, failed))
    });
    found.expect("a planted fault of this kind")
}

/// Writes a folder in this process.
fn in_process(subject: &Subject, failure: &Failure, path: &Path) -> anyhow::Result<Written> {
    folder::write(subject, failure, Means::for_failure(failure), path)
}

/// Writes the folder of a failing case of seed 1 below `out`, as it is.
fn write_case(target: &Target, origin: Origin, failure: &Failure, out: &Path) -> String {
    let case = random_case(target, origin.seed, origin.case);
    let again = random_command(origin, target);
    let commands = Commands { again: &again, here: &again };
    write(target, origin, &case, (failure, ""), commands, out, in_process).expect("written")
}

/// Writes the folder of a failure below `out`, and gives its text files by name.
fn files_of(fault: u32, failed: &FailedCase, out: &Path) -> BTreeMap<String, String> {
    let origin = Origin { seed: 1, case: failed.job.number, fault };
    let text = write_case(&tiny(), origin, &failed.failure, out);
    assert!(!text.contains("did not fail in the same way"), "{text}");
    let folder = out.join(origin.name("tiny"));
    let names: Vec<_> = fs::read_dir(&folder).expect("folder").map(|entry| entry.expect("entry").file_name()).collect();
    assert_eq!(names.len(), FILES.len(), "{names:?}");
    let read = |name: &&str| (name.to_string(), fs::read_to_string(folder.join(name)).unwrap_or_default());
    FILES.iter().map(read).collect()
}

/// The text of a section of report.md.
fn section<'a>(files: &'a BTreeMap<String, String>, title: &str) -> &'a str {
    let text = &files["report.md"];
    let start = text.find(&format!("\n## {title}")).unwrap_or_else(|| panic!("no section {title:?} in {text}"));
    text[start + 1..].split("\n## ").next().expect("section")
}

#[test]
fn a_wrong_register_is_shown_as_a_block_with_the_place_of_each_wrong_element() {
    let out = tempfile::tempdir().expect("folder");
    let failed = failure(28);
    let Cause::Mismatch(Mismatch::Register { tl, rtl, model, .. }) = &failed.failure.cause else {
        panic!("{failed:?}")
    };
    let files = files_of(28, &failed, out.path());
    let (html, bits) = (&files["report.html"], failed.failure.element_bits.expect("legal type") as usize);
    let element = |bytes: &[u8], n: usize| -> u64 {
        (0..bits).fold(0, |value, b| value | u64::from(bytes[(n * bits + b) / 8] >> ((n * bits + b) % 8) & 1) << b)
    };
    let wrong: Vec<usize> = (0..rtl.len() * 8 / bits).filter(|&n| element(rtl, n) != element(model, n)).collect();
    assert_eq!(html.matches("<td class=\"wrong\">").count(), wrong.len());
    assert_eq!(html.matches("<td class=\"want\">").count(), wrong.len());
    let block = section(&files, "Expected and actual contents of tl");
    assert!(block.contains(&format!("{} of {} elements", wrong.len(), rtl.len() * 8 / bits)), "{block}");
    let shape = failed.failure.shape.1.to_be_bytes().map(usize::from);
    for &n in wrong.iter().take(8) {
        let (i, j, k) = (n / (shape[2] * shape[3]), n / shape[3] % shape[2], n % shape[3]);
        let (start, digits) = (n * bits / 8, bits / 4);
        let bytes: Vec<usize> = (start..start + bits.div_ceil(8)).filter(|&byte| rtl[byte] != model[byte]).collect();
        let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
        let span = |first: usize, last: usize| {
            if first == last { first.to_string() } else { format!("{first} to {last}") }
        };
        let line = format!(
            "| ({i}, {j}, {k}) | {:0digits$x} | {:0digits$x} | {:0digits$x} | ",
            element(model, n),
            element(rtl, n),
            element(model, n) ^ element(rtl, n),
        );
        let rest = format!(
            " | {} | {} | {} | {} |",
            span(first, last),
            start / 8,
            span(first % 8, last % 8),
            n * bits / 4 % 16
        );
        assert!(block.lines().any(|l| l.starts_with(&line) && l.contains(&rest)), "{line} {rest}\n{block}");
    }
    assert!(files["report.md"].starts_with(&format!("# MISMATCH: contents of tl{tl}\n")));
    assert!(section(&files, "The instruction, field by field").contains("| \\[6:0\\] | opcode | 1011011 |"));
    assert!(section(&files, "CSRs in force").contains("| ttype | 0x"));
    let timeline = section(&files, "Timeline");
    assert!(timeline.lines().any(|line| line.starts_with('>') && line.trim_end().ends_with('R')), "{timeline}");
    assert!(section(&files, "The program up to the failure").contains("<== FAILS HERE"));
    assert!(section(&files, "Run it again").contains(&format!("--case {} --fault 28`", failed.job.number)));
}

#[test]
fn a_store_shows_the_bytes_in_memory_and_their_addresses() {
    let out = tempfile::tempdir().expect("folder");
    let store = |cause: &Cause| {
        matches!(cause, Cause::Mismatch(Mismatch::StoreValue { .. } | Mismatch::StoreSet { by_rtl: false, .. }))
    };
    // One of a TLReg.
    let slices = |failed: &FailedCase| {
        failed.failure.at.is_some_and(|(_, word, _)| decode(word, &tiny().golden).slice_transfer().is_some())
    };
    let (fault, failed) = case_that(|failed| store(&failed.failure.cause) && slices(failed));
    let address = match failed.failure.cause {
        Cause::Mismatch(Mismatch::StoreSet { address, .. } | Mismatch::StoreValue { address, .. }) => address,
        _ => panic!("{failed:?}"),
    };
    let files = files_of(fault, failed, out.path());
    let block = section(&files, "Expected and actual bytes of tl");
    assert!(
        block.contains(&format!("| {:#x} |", address & !3)) || block.contains(&format!("| {address:#x} |")),
        "{block}"
    );
    assert!(files["report.html"].contains("<td class=\"wrong\">"));
    assert!(section(&files, "The selected slices").contains("| moved |"));
}

#[test]
fn traps_csrs_hangs_and_the_order_of_retirement_have_pages_too() {
    let out = tempfile::tempdir().expect("folder");
    let (fault, failed) = failure_that(|cause| matches!(cause, Cause::Mismatch(Mismatch::Trap { .. })));
    let files = files_of(fault, failed, out.path());
    let both = section(&files, "Expected and actual");
    assert!(both.contains("| expected (model) | ") && both.contains("| actual (RTL) | "), "{both}");

    let (fault, failed) = failure_that(|cause| matches!(cause, Cause::Mismatch(Mismatch::Csr { .. })));
    let Cause::Mismatch(Mismatch::Csr { rtl, model, .. }) = failed.failure.cause else { panic!("{failed:?}") };
    let files = files_of(fault, failed, out.path());
    let both = section(&files, "Expected and actual value");
    for value in [rtl, model, rtl ^ model] {
        assert!(both.contains(&format!("| {value:#010x} | {value} |")), "{both}");
    }

    let (fault, failed) = failure_that(|cause| matches!(cause, Cause::Hang { .. }));
    let files = files_of(fault, failed, out.path());
    let index = failed.failure.at.expect("an instruction hangs").2;
    assert!(section(&files, "In flight when it failed").contains(&format!("\n| {index} | ")));
    let newest = failed.failure.history.last().expect("history").cycle;
    assert!(section(&files, "Timeline").contains(&format!(" to {}, one column each", newest + 60)));

    let (fault, failed) = failure_that(|cause| matches!(cause, Cause::Mismatch(Mismatch::Order { .. })));
    let files = files_of(fault, failed, out.path());
    assert!(section(&files, "Expected and actual").contains("| actual (RTL) | id "));
}

#[test]
fn the_program_assembles_to_its_words_and_shows_the_memory_that_it_loads() {
    let out = tempfile::tempdir().expect("folder");
    let failed = failure(28);
    let files = files_of(28, &failed, out.path());
    let case = random_case(&tiny(), 1, failed.job.number);
    let words = golden::asm::assemble("program.s", &files["program.s"], &tiny().golden).expect("assembles");
    assert_eq!(words, case.program);
    let row = files["program.s"].lines().find_map(|line| line.strip_prefix("#   0x")).expect("memory");
    let (address, bytes) = row.split_once(' ').expect("row");
    let address = usize::from_str_radix(address, 16).expect("address");
    for (i, byte) in bytes.split_whitespace().enumerate().filter(|(_, byte)| *byte != "..") {
        assert_eq!(u8::from_str_radix(byte, 16), Ok(case.setup.l1m[address + i]));
    }
}

/// The time that the viewers mark: that of the failure.
fn marker(files: &BTreeMap<String, String>) -> u64 {
    files["wave.sucl"].lines().find_map(|line| line.strip_prefix("cursor_set ")?.parse().ok()).expect("marker")
}

/// Path and range of every signal, and the first and last time.
fn hierarchy(wave: &Path) -> (BTreeMap<String, String>, [u64; 2]) {
    let mut reader = FstReader::open(BufReader::new(fs::File::open(wave).expect("wave"))).expect("FST");
    let (mut scopes, mut signals) = (Vec::new(), BTreeMap::new());
    let each = |entry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => drop(scopes.pop()),
        FstHierarchyEntry::Var { name, .. } => {
            let (name, range) = name.split_once(' ').unwrap_or((&name, ""));
            signals.insert(format!("{}.{name}", scopes.join(".")), range.to_owned());
        }
        _ => {}
    };
    reader.read_hierarchy(each).expect("hierarchy");
    let header = reader.get_header();
    (signals, [header.start_time, header.end_time])
}

/// That every line is one that Surfer's command parser takes: it ends a line at `#`, splits it at `;`, takes the rest
/// of the line for the name of a variable and one word (`\\w`) for a divider, and has a number for times.
fn surfer_takes(commands: &str) {
    let word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let number = |text: &str| text.parse::<u64>().is_ok();
    for line in commands.lines() {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let good = match command {
            "variable_add" => !rest.is_empty() && !rest.contains([' ', '#', ';', '"']),
            "divider_add" => word(rest),
            "cursor_set" => number(rest),
            "marker_set" => rest.split_once(' ').is_some_and(|(name, time)| word(name) && number(time)),
            "goto_cursor" => rest.is_empty(),
            _ => false,
        };
        assert!(good, "{line}");
    }
}

#[test]
fn the_viewers_get_names_that_the_waveform_has_and_a_window_with_the_failure() {
    let out = tempfile::tempdir().expect("folder");
    let mut late = false;
    for fault in [28, 16, 41, 31, 36] {
        let failed = failure(fault);
        let files = files_of(fault, &failed, out.path());
        let origin = Origin { seed: 1, case: failed.job.number, fault };
        let wave = out.path().join(origin.name("tiny")).join("wave.fst");
        let (signals, [start, end]) = hierarchy(&wave);
        let time = marker(&files);
        assert!(start < time && time < end, "{start} {time} {end}");
        let case = random_case(&tiny(), 1, failed.job.number);
        let resets = 1 + u64::from(case.reset_after.is_some_and(|cycles| failed.failure.cycle >= cycles));
        let in_reset = u64::from(case.setup.reset_cycles) * resets;
        assert_eq!(time, 2 * (failed.failure.cycle + in_reset));
        // A window, not the whole run.
        assert_eq!(start, 2 * (window(&failed.failure) + in_reset));
        late |= window(&failed.failure) > 0;

        let added: Vec<&str> = files["wave.sucl"].lines().filter_map(|l| l.strip_prefix("variable_add ")).collect();
        let unknown: Vec<_> = added.iter().filter(|name| !signals.contains_key(**name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let shown: Vec<&str> =
            files["wave.gtkw"].lines().filter(|line| line.contains('.') && !line.starts_with(['[', '*'])).collect();
        let full = |name: &&str| format!("{name}{}", signals[*name]);
        assert_eq!(shown, added.iter().map(full).collect::<Vec<_>>());

        let groups: Vec<&str> = files["wave.sucl"].lines().filter_map(|l| l.strip_prefix("divider_add ")).collect();
        for group in ["issue", "CSRs", "load engine", "register file ports", "memory ports", "retire"] {
            assert!(groups.contains(&group.replace(' ', "_").as_str()), "{groups:?}");
            assert_eq!(files["wave.gtkw"].matches(&format!("\n-{group}\n")).count(), 2);
        }
        surfer_takes(&files["wave.sucl"]);
        for signal in ["issue_instr_i", "u_probe.csr_tshape", "u_move.cmd_valid_i", "l1m_addr_o", "result_id_o"] {
            assert!(added.contains(&format!("TOP.tl_top.{signal}").as_str()), "{signal}");
        }
    }
    assert!(late, "every one of these failures is early: nothing shows that the window is one");
}

#[test]
fn the_wave_shows_the_failing_retirement_at_the_marked_time() {
    let out = tempfile::tempdir().expect("folder");
    let failed = failure(28);
    let files = files_of(28, &failed, out.path());
    let wave = out.path().join(Origin { seed: 1, case: failed.job.number, fault: 28 }.name("tiny")).join("wave.fst");
    let mut reader = FstReader::open(BufReader::new(fs::File::open(wave).expect("wave"))).expect("FST");
    let mut handle = None;
    let each = |entry| match entry {
        FstHierarchyEntry::Var { name, handle: h, .. } if name.starts_with("retire_word") => handle = Some(h),
        _ => {}
    };
    reader.read_hierarchy(each).expect("hierarchy");
    let time = marker(&files);
    let mut word = 0;
    let filter = FstFilter::filter_signals(vec![handle.expect("retire_word")]);
    reader
        .read_signals(&filter, |at, _, value| {
            if let (true, fst_reader::FstSignalValue::String(bits)) = (at <= time, value) {
                word = bits.iter().fold(0u32, |word, bit| word << 1 | u32::from(*bit == b'1'));
            }
            Ok::<(), std::io::Error>(())
        })
        .expect("signals");
    assert_eq!(word, failed.failure.at.expect("instruction").1);
}

#[test]
fn the_same_failure_leaves_the_same_folder() {
    let out = tempfile::tempdir().expect("folder");
    let failed = failure(34);
    let read = |out: &Path| {
        let origin = Origin { seed: 1, case: failed.job.number, fault: 34 };
        write_case(&tiny(), origin, &failed.failure, out);
        FILES.map(|name| fs::read(out.join(origin.name("tiny")).join(name)).expect(name))
    };
    let (first, second) = (read(&out.path().join("a")), read(&out.path().join("b/c")));
    for (name, (first, second)) in FILES.iter().zip(first.iter().zip(&second)) {
        assert!(first == second, "{name} differs");
        let text = String::from_utf8_lossy(first);
        assert!(!text.contains(out.path().to_str().expect("path")), "{name} holds a path of this machine");
    }
}

#[test]
fn hostile_names_stay_text() {
    let out = tempfile::tempdir().expect("folder");
    let failed = failure(28);
    let target = tiny();
    let case = random_case(&target, 1, failed.job.number);
    let name = "<script>alert(1)</script>\n# ``` | \" onload='x' &amp; --> ]]>".to_owned();
    let subject = Subject {
        target: &target,
        case: &case,
        fault: 28,
        again: name.clone(),
        nearby: name.clone(),
        name,
        folder: out.path(),
    };
    in_process(&subject, &failed.failure, out.path()).expect("written");
    let read = |name: &str| fs::read_to_string(out.path().join(name)).expect("file");
    let html = read("report.html");
    // The only script is that of the page, and no other may run.
    assert!(html.matches("<script").count() == 1 && html.contains("&lt;script&gt;alert(1)"), "{html}");
    assert!(html.contains("script-src 'sha256-") && !html.contains("script-src 'unsafe"), "{html}");
    let markdown = read("report.md");
    assert!(!markdown.lines().any(|line| line.starts_with("# `")), "{markdown}");
    let outside: Vec<&str> = markdown.lines().filter(|line| line.contains("<script>") && !line.contains('`')).collect();
    assert!(outside.is_empty(), "{outside:?}");
    golden::asm::assemble("program.s", &read("program.s"), &target.golden).expect("the name stays a comment");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_with_exit_code_2() {
    let out = tempfile::tempdir().expect("folder");
    let file = out.path().join("file");
    fs::write(&file, "").expect("written");
    let output = cosim_with(&["random", "--config", "tiny", "--fault", "28", "--out", file.to_str().expect("path")]);
    let text = &output.err;
    assert_eq!(output.code, Some(2), "{text}");
    assert!(text.contains("cannot create the folder") && text.contains("file/"), "{text}");
}

#[test]
fn the_demonstration_finds_its_fault_and_says_what_to_open() {
    let out = tempfile::tempdir().expect("folder");
    let path = out.path().to_str().expect("path");
    let output = cosim_with(&["demo-fault", "--out", path]);
    let text = &output.out;
    assert_eq!(output.code, Some(0), "{text}");
    for step in ["1. Plant fault ", "2. Look for it", "3. Make the case smaller", "4. Look into it"] {
        assert!(text.contains(step), "{text}");
    }
    let page = text.lines().find_map(|line| line.split_whitespace().find(|word| word.ends_with("report.html")));
    let page = fs::read_to_string(page.expect("page")).expect("page");
    assert!(page.starts_with("<!DOCTYPE html>"));
    // The text and the page have the same index for the first wrong element.
    let index = text.split(", index (").nth(1).and_then(|rest| rest.split(')').next()).expect("index");
    assert!(page.contains(&format!("<td>({index})</td>")), "{index}\n{page}");
    // A pattern, and not one element.
    let wrong = page.matches("<td class=\"wrong\">").count();
    assert!(wrong >= 8 && page.contains("What they have in common"), "{wrong} wrong elements");
    // The edited RTL is there to be run again: the small case fails on it, and as it was found.
    let replays = text.lines().filter_map(|line| line.split_once(" cosim replay ").map(|(_, words)| words));
    let replay: Vec<_> = replays.flat_map(|words| ["replay"].into_iter().chain(words.split(' '))).collect();
    assert_eq!(cosim_with(&replay).code, Some(1), "{replay:?}");
    // An edit of that RTL, to repair it, say, is not written over.
    let edited = out.path().join("rtl/tl_addi_row.sv");
    edit(&edited, "endmodule", "// mine\nendmodule");
    cosim_with(&["demo-fault", "--out", path]).refused("rtl/tl_addi_row.sv was edited, and would be written over");
    edit(&edited, "// mine\n", "");
    // tiny has no matrix instructions.
    let hidden = cosim_with(&["demo-fault", "--fault", "54", "--count", "1", "--out", path]);
    assert_eq!(hidden.code, Some(1), "{}", hidden.out);
    assert!(hidden.out.contains("cosim random --config tiny --fault 54"), "{}", hidden.out);
    assert_eq!(cosim_with(&["demo-fault", "--fault", "9999"]).code, Some(2));
}

/// The elements of a page that are wrong, as it lists them, and what it says they have in common of each dimension.
fn wrong_elements(page: &str) -> (Vec<Vec<usize>>, BTreeMap<usize, BTreeSet<usize>>) {
    let range = |text: &str| -> Option<std::ops::RangeInclusive<usize>> {
        let (first, last) = text.split_once(" to ").unwrap_or((text, text));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    let numbers = |text: &str| text.split(", ").filter_map(range).flatten().collect::<Vec<usize>>();
    let rows = page.split("<td>(").skip(1).filter_map(|rest| Some(numbers(rest.split(')').next()?))).collect();
    let pattern = page.split("in common: ").nth(1).and_then(|rest| rest.split('.').next()).unwrap_or_default();
    let dimensions = pattern.split("; ").filter_map(|part| {
        let (dimension, rest) = part.strip_prefix('i')?.split_once(' ')?;
        let (values, _) = rest.split_once(" of ")?;
        Some((dimension.parse().ok()?, numbers(values).into_iter().collect()))
    });
    (rows, dimensions.collect())
}

/// Two elements of 4 bits share a byte: it must be said of the wrong one.
#[test]
#[ignore = "half a minute: make test-all"]
fn what_wrong_elements_of_4_bits_have_in_common_is_said_of_them_and_not_of_their_neighbours() {
    let mut odd_ones = 0;
    for fault in FAULTS.iter().filter(|fault| fault.file.starts_with("tl_lane") || fault.file.starts_with("tl_xpose")) {
        for seed in 1..=12 {
            let plan = Plan { seed, instructions: 4_000, jobs: 2, fault: fault.id };
            let Some(failed) = run(&tiny(), &plan, |_| ()).failed else { continue };
            let register = matches!(failed.failure.cause, Cause::Mismatch(Mismatch::Register { .. }));
            if !register || failed.failure.element_bits != Some(4) {
                continue;
            }
            let (out, origin) =
                (tempfile::tempdir().expect("folder"), Origin { seed, case: failed.job.number, fault: fault.id });
            write_case(&tiny(), origin, &failed.failure, out.path());
            let page = fs::read_to_string(out.path().join(origin.name("tiny")).join("report.html")).expect("page");
            let (rows, dimensions) = wrong_elements(&page);
            // A long list is cut short.
            if rows.len() != page.matches("<td class=\"wrong\">").count() {
                continue;
            }
            for (dimension, values) in dimensions {
                let seen: BTreeSet<usize> = rows.iter().map(|row| row[dimension]).collect();
                assert_eq!(seen, values, "fault {}, seed {seed}", fault.id);
                odd_ones += seen.iter().filter(|&value| value % 2 == 1).count();
            }
        }
    }
    assert!(odd_ones > 0, "no page has such elements");
}

/// No planted fault is in a large configuration: a made-up difference, in a case that runs clean.
#[test]
#[ignore = "needs a model of its own: make test-all"]
fn the_page_of_a_large_register_stays_small_and_says_that_it_was_not_met_again() {
    let out = tempfile::tempdir().expect("folder");
    let target = cosim::workshop().target("w16").expect("w16");
    let merges = |word: u32| golden::asm::disassemble(word, &target.golden).starts_with("tl.merge");
    let cases = (0..).map(|number| random_case(&target, 1, number));
    let case = { cases }.find(|case| case.program.iter().any(|&word| merges(word))).expect("a merge");
    let model: Vec<u8> = (0..1024).map(|i| (i % 251) as u8).collect();
    let rtl: Vec<u8> = model.iter().enumerate().map(|(i, byte)| byte ^ u8::from(i % 3 == 0)).collect();
    let word = |index: usize| case.program[index];
    let index = (0..case.program.len()).find(|&index| merges(word(index))).expect("a merge");
    let failure = cosim_bench::lockstep::failure::Failure {
        cause: Cause::Mismatch(Mismatch::Register { tl: 3, phys: None, rtl, model }),
        at: Some((4 * index as u32, word(index), index as u64)),
        cycle: 500,
        history: Vec::new(),
        shape: (2, 0x20_04_08),
        operands: Default::default(),
        tile_sizes: None,
        element_bits: Some(8),
        printed: String::new(),
    };
    let text = write_case(&target, Origin { seed: 1, case: 0, fault: 0 }, &failure, out.path());
    assert!(text.contains("did not fail in the same way"), "{text}");
    let folder = out.path().join("w16-seed1-case0");
    let size = |name: &str| fs::metadata(folder.join(name)).expect(name).len();
    assert!(
        size("report.html") < 600_000 && size("report.md") < 100_000,
        "{} {}",
        size("report.html"),
        size("report.md")
    );
}
