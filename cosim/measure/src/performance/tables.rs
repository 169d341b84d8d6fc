// SPDX-License-Identifier: Apache-2.0
//! Tables of `docs/performance.md`.

use super::measure::Measured;
use super::operations::Class;
use super::results::Results;
use super::speed::Speed;
use super::streams::Stream;
use crate::base::table;

/// A table that `cosim measure bench` prints in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Table {
    /// The worst operation of each group, on each configuration
    Cycles,
    /// Cycles of blocks
    Blocks,
    /// Speed of the bench
    Speed,
}

impl Table {
    pub fn markdown(self, results: &Results) -> String {
        match self {
            Table::Cycles => cycles(&results.operations),
            Table::Blocks => blocks(results),
            Table::Speed => speed(results),
        }
    }
}

/// Operations whose worst figures are a row.
struct Group {
    name: &'static str,
    target: &'static str,
    contains: fn(&Measured) -> bool,
}

const GROUPS: [Group; 16] = [
    Group { name: "`tl.addi`", target: "1.05 x, + 16", contains: |m| m.op.starts_with("tl.addi") },
    Group { name: "`tl.merge`", target: "1.05 x, + 16", contains: |m| m.op.starts_with("tl.merge") },
    Group {
        name: "`tl.concat`, slices of a row or more of both operands",
        target: "1.05 x, + 16",
        contains: |m| slice(m).is_some_and(|bytes| bytes >= m.lanes) && m.class == Class::Concat,
    },
    Group {
        name: "`tl.concat`, one slice; two far apart of a row or more",
        target: "2 x + 16",
        contains: |m| {
            m.op.ends_with(" one slice") || slice(m).is_some_and(|bytes| bytes >= m.lanes) && m.op.ends_with(" apart")
        },
    },
    Group {
        name: "`tl.concat`, narrower slices of both operands",
        target: "2.1 x at worst",
        contains: |m| slice(m).is_some_and(|bytes| bytes < m.lanes) && !m.op.ends_with(" one slice"),
    },
    Group {
        name: "`tl.xpose`, every pair of dimensions, k up to 4",
        target: "1.1 x; 1.25 x + 24",
        contains: |m| k(&m.op).is_some_and(|k| k <= 4),
    },
    Group { name: "`tl.xpose`, larger k", target: "1.1 x", contains: |m| k(&m.op).is_some_and(|k| k > 4) },
    Group {
        name: "`tl.load`, a full register",
        target: "1.05 x, + 16",
        contains: |m| m.op.starts_with("tl.load") && !m.op.contains("5 bytes"),
    },
    Group {
        name: "`tl.load`, 8 slices of 5 bytes; `tl.mload`, no slice",
        target: "1.05 x, + 16",
        contains: |m| m.op == "tl.load 8 slices of 5 bytes" || m.op == "tl.mload none of 8 slices",
    },
    Group {
        name: "`tl.mload`, half of the slices",
        target: "1.05 x, + 16",
        contains: |m| m.op.starts_with("tl.mload") && !m.op.contains("none"),
    },
    Group {
        name: "`tl.store`, a full register",
        target: "1.05 x, + 16",
        contains: |m| m.op.starts_with("tl.store") && !m.op.contains("5 bytes"),
    },
    Group {
        name: "`tl.mstore`, half of the slices",
        target: "1.05 x, + 16",
        contains: |m| m.op.starts_with("tl.mstore") && !m.op.contains("none"),
    },
    Group {
        name: "`tl.store`, 8 slices of 5 bytes",
        target: "1.05 x, + 16",
        contains: |m| m.op == "tl.store 8 slices of 5 bytes",
    },
    Group { name: "`tl.mstore`, no slice", target: "1.05 x, + 16", contains: |m| m.op == "tl.mstore none of 8 slices" },
    Group {
        name: "matrix loads and stores, plain and transposed",
        target: "1.2 x, + 8",
        contains: |m| m.op.starts_with('m') && !m.op.starts_with("mset"),
    },
    Group { name: "`msettile*`", target: "1.2 x, + 8", contains: |m| m.op.starts_with("mset") },
];

/// Bytes of a slice of a concatenation, in blocks of [`super::operations`].
fn slice(m: &Measured) -> Option<u32> {
    let (dimension, _) = m.op.strip_prefix("tl.concat.")?.split_once(' ')?;
    // 1,024 bytes as 16 x 8 x 8, 8 x 16 x 8 or 8 x 8 x 16: the dimension that is chosen from has 16 slices.
    Some(match dimension {
        "0" => 64,
        "1" => 8,
        _ => 1,
    })
}

/// Lane address bits that a transposition takes from outside the lanes.
fn k(op: &str) -> Option<u32> {
    let (_, rest) = op.strip_prefix("tl.xpose")?.split_once("k=")?;
    rest.split(',').next()?.parse().ok()
}

/// The largest ratio to the roofline, and the most cycles of latency beyond it.
fn worst<'a>(group: impl Iterator<Item = &'a Measured>) -> String {
    let figures = group.map(|m| (m.sustained / m.roofline as f64, m.latency - m.roofline));
    let worst = figures.reduce(|(ratio, more), next| (ratio.max(next.0), more.max(next.1)));
    worst.map_or(String::new(), |(ratio, more)| format!("{ratio:.3} x, + {more}"))
}

fn cycles(operations: &[Measured]) -> String {
    let mut lanes: Vec<u32> = operations.iter().map(|m| m.lanes).collect();
    lanes.dedup();
    let head = lanes.iter().map(|lanes| format!("W = {lanes}"));
    let head: Vec<String> = ["operation".to_owned(), "target".to_owned()].into_iter().chain(head).collect();
    let row = |group: &Group| {
        let of = |lanes: &u32| worst(operations.iter().filter(|m| m.lanes == *lanes && (group.contains)(m)));
        [group.name.to_owned(), group.target.to_owned()].into_iter().chain(lanes.iter().map(of)).collect()
    };
    let rows: Vec<Vec<String>> = GROUPS.iter().map(row).collect();
    table::markdown(&head, 2, &rows)
}

fn blocks(results: &Results) -> String {
    let row = |s: &Stream| {
        let [one, eight, many] = s.cycles.map(|cycles| format!("{cycles:.1}"));
        let over = s.cycles[0] / s.bound as f64;
        let block = format!("`{}`: {}", s.config, s.stream);
        [block, s.bound.to_string(), one, eight, many, format!("{over:.3}"), format!("{:.2}", s.target)]
    };
    let head = ["block", "bound", "latency 1", "8", "32", "x bound", "target"];
    table::markdown(&head, 1, &results.streams.iter().map(row).collect::<Vec<_>>())
}

fn speed(results: &Results) -> String {
    let row = |s: &Speed| {
        let rate = |value: f64| format!("{value:.0}");
        [s.config.clone(), rate(s.compared.instructions), rate(s.compared.cycles), format!("{:.2}", s.ratio)]
    };
    let head = ["configuration", "instructions per second", "cycles per second", "ratio"];
    table::markdown(&head, 1, &results.speed.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::testing::target;

    /// A row that nothing belongs to, or an operation that no row has, would not be seen in the document.
    #[test]
    fn every_operation_is_in_a_group() {
        for config in ["w8", "w16", "w32"] {
            let target = target(config);
            let lanes = target.rtl.lanes;
            for operation in super::super::all(&target) {
                let (op, class) = (operation.name, operation.class);
                let m = Measured { config: config.into(), op, roofline: 1, sustained: 1.0, latency: 1, lanes, class };
                let groups = GROUPS.iter().filter(|group| (group.contains)(&m)).count();
                assert_eq!(groups, 1, "{config}: {}", m.op);
            }
        }
    }
}
