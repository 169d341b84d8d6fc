// SPDX-License-Identifier: Apache-2.0
//! What a page and the terminal say of a failure is so: ranges, places, origins, neighbours, the marker in view.

use std::collections::BTreeSet;
use std::fs;

use crate::common::{cosim, cosim_with, failure, tiny};
use cosim_bench::case::{Case, Origin};
use cosim_bench::lockstep::failure::{Cause, Failure, Mismatch};
use cosim_bench::random::random_case;
use cosim_bench::shrink::neighbours::{MOST_RUNS, neighbours};
use cosim_bench::shrink::{Budget, in_process, shrink};

use super::{files_of, marker, section, write_case};

/// What GTKWave shows of a save file in `pixels` pixels: a zoom of z is 2^-z units of time in 200 pixels.
fn gtkwave_shows(save: &str, pixels: f64) -> [f64; 2] {
    let number = |start: &str| -> f64 {
        let line = save.lines().find_map(|line| line.strip_prefix(start)).expect(start);
        line.split(' ').next().and_then(|number| number.parse().ok()).expect("number")
    };
    let left = number("[timestart] ");
    [left, left + pixels / 200.0 * (-number("*")).exp2()]
}

#[test]
fn gtkwave_opens_with_the_marker_in_view() {
    let out = tempfile::tempdir().expect("folder");
    for fault in [28, 38, 41] {
        let failed = failure(fault);
        let files = files_of(fault, &failed, out.path());
        let marker = marker(&files) as f64;
        // The window of 1400 pixels has lists at its left.
        for pixels in [700.0, 1000.0] {
            let [left, right] = gtkwave_shows(&files["wave.gtkw"], pixels);
            assert!(left <= marker && marker < right, "fault {fault}: {marker} is not in {left} to {right}");
        }
    }
}

#[test]
fn an_instruction_without_a_shape_is_not_beyond_a_block() {
    let out = tempfile::tempdir().expect("folder");
    // tl.addi needs a type, and no shape.
    let failed = failure(67);
    assert!(matches!(failed.failure.cause, Cause::Mismatch(Mismatch::Register { .. })), "{failed:?}");
    let origin = Origin { seed: 1, case: failed.job.number, fault: 67 };
    for shape in [0, 0x01_01_01] {
        let failure = Failure { shape: (failed.failure.shape.0, shape), ..(*failed.failure).clone() };
        let text = write_case(&tiny(), origin, &failure, out.path());
        assert!(text.contains(" of 8 bits\n") && !text.contains("beyond the block"), "{text}");
    }
}

#[test]
fn a_range_of_bytes_is_not_the_whole_register() {
    let out = tempfile::tempdir().expect("folder");
    let failed = failure(67);
    let Cause::Mismatch(Mismatch::Register { tl, phys, model, .. }) = &failed.failure.cause else {
        panic!("{failed:?}")
    };
    let origin = Origin { seed: 1, case: failed.job.number, fault: 67 };
    let said = |wrong: std::ops::Range<usize>| {
        let rtl = model.iter().enumerate().map(|(i, byte)| byte ^ u8::from(wrong.contains(&i))).collect();
        let cause = Cause::Mismatch(Mismatch::Register { tl: *tl, phys: *phys, rtl, model: model.clone() });
        let text = write_case(&tiny(), origin, &Failure { cause, ..(*failed.failure).clone() }, out.path());
        text.lines().find_map(|line| line.strip_prefix("  extent   ")).expect("extent").to_owned()
    };
    assert_eq!(said(5..9), "4 of 64 bytes differ, from byte 5 to byte 8");
    assert_eq!([said(5..6), said(0..64)], ["one byte differs", "all 64 bytes differ"]);
}

/// Every wrong element has its origin or its arithmetic, whatever the operation.
#[test]
fn wrong_elements_of_every_operation_tell_where_they_come_from() {
    let out = tempfile::tempdir().expect("folder");
    let mut seen = BTreeSet::new();
    for fault in [16, 19, 24, 104, 66, 29, 26, 38, 117, 52, 101, 103, 106] {
        let failed = failure(fault);
        let files = files_of(fault, &failed, out.path());
        let Some(block) = files["report.md"].split("\n## ").find(|part| part.contains("| comes from |")) else {
            continue;
        };
        let (_, word, _) = failed.failure.at.expect("instruction");
        let rows: Vec<&str> = block.lines().filter(|line| line.starts_with("| (")).collect();
        assert!(!rows.is_empty(), "{block}");
        let mut feeds = false;
        for row in rows {
            let source = row.trim_end_matches(" |").rsplit(" | ").next().expect("source");
            let known = ["tl", "L1M", "zero fill", "acc", "tr", "left alone"];
            assert!(known.iter().any(|start| source.starts_with(start)), "fault {fault}: {row}");
            feeds |= !["zero fill", "left alone"].contains(&source);
        }
        assert_eq!(section(&files, "The source operands").contains('*'), feeds, "fault {fault}");
        assert!(section(&files, "Step by step").contains("| where | before | after |"), "fault {fault}");
        let way = section(&files, "Its way through the RTL");
        assert!(way.contains("_regfile.sv") || way.contains("_mx\\_regs.sv") || way.contains("regs.sv"), "{way}");
        seen.insert(tiny().disassemble(word).split([' ', '.']).take(2).collect::<Vec<_>>().join("."));
    }
    assert!(seen.len() >= 7, "{seen:?}");
}

#[test]
fn a_failing_case_says_which_neighbours_pass() {
    let out = tempfile::tempdir().expect("folder");
    let output =
        cosim_with(&["random", "--config", "tiny", "--fault", "66", "--out", out.path().to_str().expect("path")]);
    let text = &output.out;
    let line = text.lines().find_map(|line| line.strip_prefix("  fails    ")).expect("neighbours");
    assert!(line.contains("only element width 16 bits, not 4 bits, 8 bits, 32 bits"), "{line}");
    assert!(line.contains("only immediate -128, not -127, "), "{line}");
    assert!(line.contains("any stalls: "), "{line}");
    let page = text.lines().find_map(|line| line.strip_prefix("  report   "));
    let page = fs::read_to_string(page.expect("page")).expect("page");
    assert!(page.contains(&format!("<dt>fails</dt><dd>{line}</dd>")), "{page}");
}

#[test]
fn neighbours_are_a_few_runs_and_the_same_every_time() {
    for fault in [38, 52, 28, 41] {
        let failed = failure(fault);
        let case = random_case(&tiny(), 1, failed.job.number);
        let target = tiny();
        let mut again = |case: &Case| Ok(in_process(&target, fault, case));
        let small = shrink(&target, &case, failed.failure, Budget::default(), &mut again).expect("runs");
        let mut runs = 0;
        let mut said = || {
            let mut run = |case: &Case| {
                runs += 1;
                Ok(in_process(&target, fault, case))
            };
            neighbours(&target, &small.case, &small.failure, &mut run).expect("runs")
        };
        let (first, second) = (said(), said());
        assert_eq!(first, second);
        assert!((4..=2 * MOST_RUNS).contains(&runs) && runs % 2 == 0, "fault {fault}: {runs} runs");
        // The case itself is none of them.
        assert!(first.iter().all(|axis| !axis.fail.contains(&axis.own) && !axis.pass.contains(&axis.own)), "{first:?}");
    }
}

#[test]
fn the_way_through_the_rtl_has_links_that_lead_there() {
    let folder = tempfile::tempdir().expect("folder");
    let rtl = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl");
    std::os::unix::fs::symlink(&rtl, folder.path().join("rtl")).expect("link");
    let demo = |out: &str| {
        let done = cosim(folder.path(), &format!("random --config tiny --fault 66 --out {out}"));
        let text = &done.out;
        let page = text.lines().find_map(|line| line.strip_prefix("  report   ")).expect("page");
        folder.path().join(page)
    };
    let links = |page: &std::path::Path| -> Vec<String> {
        let text = fs::read_to_string(page).expect("page");
        let links = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        links.filter(|link| link.ends_with(".sv")).map(str::to_owned).collect()
    };
    let page = demo("out/failures");
    let found = links(&page);
    for file in ["tl_addi_row.sv", "tl_regfile.sv"] {
        assert!(found.iter().any(|link| link.ends_with(file)), "{found:?}");
    }
    for link in found {
        assert!(page.parent().expect("folder").join(&link).is_file(), "{link}");
    }
    // From elsewhere they would hold paths of this machine.
    let elsewhere = tempfile::tempdir().expect("folder");
    let page = demo(elsewhere.path().to_str().expect("path"));
    assert!(links(&page).is_empty() && fs::read_to_string(page).expect("page").contains("tl_addi_row.sv"));
}
