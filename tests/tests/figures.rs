// SPDX-License-Identifier: Apache-2.0
//! Figures in documents are those that their command prints.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::markdown::read;

/// A row of the table of cycles: its first cell, and the operations whose worst figures it has.
type Group = (&'static str, fn(&str) -> bool);

const GROUPS: [Group; 12] = [
    ("`tl.addi`", |op| op.starts_with("tl.addi")),
    ("`tl.merge`", |op| op.starts_with("tl.merge")),
    ("`tl.concat`, one slice", |op| op.starts_with("tl.concat") && op.ends_with(" one slice")),
    ("`tl.xpose`, every pair of dimensions, k up to 4", |op| k(op).is_some_and(|k| k <= 4)),
    ("`tl.xpose`, larger k", |op| k(op).is_some_and(|k| k > 4)),
    ("`tl.load`, a full register", |op| op.starts_with("tl.load") && !op.contains("5 bytes")),
    ("`tl.load`, 8 slices of 5 bytes; `tl.mload`, no slice", |op| {
        op == "tl.load 8 slices of 5 bytes" || op == "tl.mload none of 8 slices"
    }),
    ("`tl.mload`, half of the slices", |op| op.starts_with("tl.mload") && !op.contains("none")),
    ("`tl.store`, a full register", |op| op.starts_with("tl.store") && !op.contains("5 bytes")),
    ("`tl.mstore`, half of the slices", |op| op.starts_with("tl.mstore") && !op.contains("none")),
    ("`tl.store`, 8 slices of 5 bytes", |op| op == "tl.store 8 slices of 5 bytes"),
    ("`tl.mstore`, no slice", |op| op == "tl.mstore none of 8 slices"),
];

/// Lane address bits that a transposition takes from outside the lanes.
fn k(op: &str) -> Option<u32> {
    let (_, rest) = op.strip_prefix("tl.xpose")?.split_once("k=")?;
    rest.split(',').next()?.parse().ok()
}

/// The largest ratio to the roofline, and the most cycles of latency beyond it.
fn worst(operations: &[Value], config: &str, is_in: fn(&str) -> bool) -> String {
    let number = |operation: &Value, key: &str| operation[key].as_f64().unwrap();
    let group = operations.iter().filter(|o| o["config"] == config && is_in(o["op"].as_str().unwrap()));
    let figures = group.map(|o| {
        let roofline = number(o, "roofline");
        (number(o, "sustained") / roofline, number(o, "latency") - roofline)
    });
    let figures = figures.reduce(|(ratio, more), next| (ratio.max(next.0), more.max(next.1)));
    figures.map_or(String::new(), |(ratio, more)| format!("{ratio:.3} x, + {more}"))
}

#[test]
#[ignore = "a minute: make test-all"]
fn the_table_of_cycles_is_what_the_bench_measures() {
    let results = e2e::stdout("cosim", &["measure", "bench", "--config", "w8,w16,w32", "--json", "-"]);
    let results: Value = serde_json::from_str(&results).unwrap();
    let operations = results["operations"].as_array().unwrap();
    let document = read("docs/performance.md").source;
    for (name, is_in) in GROUPS {
        let row = document.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap_or_else(|| {
            panic!("docs/performance.md has no row {name}");
        });
        let cells: Vec<&str> = row.split('|').skip(3).take(3).map(str::trim).collect();
        let measured = ["w8", "w16", "w32"].map(|config| worst(operations, config, is_in));
        assert_eq!(cells, measured, "docs/performance.md, {name}");
    }
}
