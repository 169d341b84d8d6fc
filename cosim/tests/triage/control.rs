// SPDX-License-Identifier: Apache-2.0
//! What a failure of the control says: errors in `tl_retire.sv`, and a store that looks at a CSR of loads.

use std::fs;
use std::path::Path;

use crate::common::{case_folder, cosim, edit, write_tiny};

/// Runs random programs on RTL of `tiny` in which `from` of a file is `to`. What is printed, and the page.
fn broken(file: &str, from: &str, to: &str, count: u32) -> (String, String) {
    let folder = tempfile::tempdir().expect("folder");
    write_tiny(&folder.path().join("rtl"));
    edit(&folder.path().join("rtl").join(file), from, to);
    let said = cosim(folder.path(), &format!("random --rtl rtl --config tiny --count {count} --junit j.xml"));
    let page = fs::read_to_string(case_folder(&folder.path().join("failures")).join("report.md")).expect("page");
    let junit = fs::read_to_string(folder.path().join("j.xml")).expect("JUnit");
    let said = said.with_code(1);
    one_headline(&said, &junit, &page, &folder.path().join("failures"));
    (said, page)
}

/// The terminal, JUnit's message and the two pages have the same headline.
#[track_caller]
fn one_headline(said: &str, junit: &str, page: &str, out: &Path) {
    let headline = page.lines().next().and_then(|line| line.strip_prefix("# ")).expect("headline").replace("\\_", "_");
    assert!(said.contains(&format!("tiny: {headline}\n")), "{headline}: {said}");
    let message = junit.split("<failure message=\"").nth(1).and_then(|rest| rest.split(';').next()).expect("message");
    assert_eq!(message, headline);
    let buckets = fs::read_to_string(out.join("index.html")).expect("page of the run");
    assert!(buckets.contains(&format!("<dt>what failed</dt><dd>{headline}</dd>")), "{headline}: {buckets}");
}

#[test]
fn more_in_flight_than_there_is_room_for_breaks_a_rule() {
    let (said, page) =
        broken("tl_retire.sv", "assign room_o         = !full_q;", "assign room_o         = 1'b1;", 20_000);
    assert!(said.contains("PORT RULE BROKEN: 17 instructions are in flight, queue_entries is 16\n"), "{said}");
    for file in ["tl\\_queue.sv", "tl\\_dispatch.sv", "tl\\_retire.sv"] {
        assert!(page.contains(&format!("| {file} |")), "{file}: {page}");
    }
    // The program as far as instructions are in flight, and no section without contents.
    let flight = page.split("## In flight").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("in flight");
    let youngest = flight.lines().rfind(|line| line.starts_with("| ")).expect("a row");
    let number = youngest.split('|').nth(1).expect("number").trim();
    assert!(page.contains(&format!(" # {number:>4}  pc ")), "{number}: {page}");
    assert!(!page.contains("## Expected and actual") && !page.contains("## The source operands"), "{page}");
}

#[test]
fn a_lost_completion_is_a_hang_with_what_is_in_flight_first() {
    let from = "(enter_done_q && (enter_tag_q == TagW'(i)))";
    let to = "(enter_done_q && (enter_tag_q == TagW'(i)) && (i != 2))";
    let (said, page) = broken("tl_retire.sv", from, to, 20_000);
    assert!(said.contains("tiny: HANG: ") && page.contains("| tl\\_retire.sv |"), "{said}");
    let titles: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(titles[..2], ["What failed", "In flight when it failed"]);
    // The marker is where something last happened.
    let last = said.lines().rfind(|line| line.contains("  cycle ") && line.contains("  pc 0x")).expect("retirements");
    let cycle = last.split_whitespace().nth(2).expect("cycle");
    assert!(page.contains(&format!("- marker: `last retirement in cycle {cycle}, time ")), "{cycle}: {page}");
    let time = said.split("(the last retirement is at time ").nth(1).and_then(|rest| rest.split(')').next());
    assert!(
        page.contains(&format!("the last retirement is at time {}, under the marker", time.expect("time"))),
        "{page}"
    );
}

#[test]
fn neighbours_tell_that_a_store_looks_at_the_mask_of_loads() {
    let mask = |store: &str| format!("(settling_q[4] ? tmask_load_i : {store})");
    let (said, _) = broken("tl_shape.sv", &mask("tmask_store_i"), &mask("tmask_load_i"), 20_000);
    let fails = said.lines().find(|line| line.starts_with("  fails ")).expect("neighbours");
    assert!(fails.contains("unread CSRs as they are") && fails.contains("tmask_load"), "{fails}");
}

#[test]
fn a_fatal_of_the_top_says_where() {
    let folder = tempfile::tempdir().expect("folder");
    write_tiny(&folder.path().join("rtl"));
    let top = folder.path().join("rtl/tl_top.sv");
    edit(
        &top,
        "endmodule",
        "  always @(posedge clk_i) if (busy_o && issue_valid_i) $fatal(1, \"too early\");\nendmodule",
    );
    let said = cosim(folder.path(), "random --rtl rtl --config tiny --count 300 --no-shrink").with_code(1);
    assert!(
        said.contains("RTL FAILED: ") && said.contains(" in the top module, ") && !said.contains(" in ,"),
        "{said}"
    );
}

#[test]
fn the_smaller_case_has_the_headline_and_what_was_found_is_named() {
    let (said, _) = broken("tl_lane_swap.sv", "if (swap_i[s])", "if (swap_i[s] && s != 1)", 20_000);
    let found = said.lines().find_map(|line| line.strip_prefix("  found    ")).expect("what was found");
    assert!(found.starts_with("MISMATCH: contents of tl") && found.ends_with(", before it was shrunk"), "{found}");
    assert!(!said.contains(&format!("tiny: {}\n", found.trim_end_matches(", before it was shrunk"))), "{said}");
}
