// SPDX-License-Identifier: Apache-2.0
//! Why lines of the RTL are never reached and bits of it never change: the table `unreached.json`.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::rtl_points::Point;
use super::rtl_signals::{Signals, Sizes};
use crate::unit::target::Target;

/// The table.
const TABLE: &str = include_str!("unreached.json");

/// All reasons.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Branches that Verilator counts in the first evaluation only, although every evaluation runs them.
    once: Vec<Line>,
    /// Lines that are never reached.
    lines: Vec<Line>,
    /// Bits that never change.
    bits: Vec<Bits>,
}

/// A reason for all lines of a file with the same text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The file.
    file: String,
    /// The text of the line, without indentation.
    line: String,
    /// What of it: `block`, `if`, `case`, or `else` for the branch that is not written.
    what: String,
    /// Why.
    because: String,
    /// The configurations in which it holds; all if there are none.
    #[serde(default)]
    only: Vec<String>,
}

/// A reason for bits of signals.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bits {
    /// The files; all if there are none.
    #[serde(default)]
    files: Vec<String>,
    /// Signals and their bits, as [`Signals`] reads them.
    signals: Vec<String>,
    /// Why.
    because: String,
    /// As in [`Line`].
    #[serde(default)]
    only: Vec<String>,
}

/// The reasons that hold in one configuration.
pub struct Reasons {
    once: Vec<Line>,
    lines: Vec<Line>,
    bits: Vec<(Bits, Vec<Signals>)>,
    sources: Vec<(String, Vec<String>)>,
}

impl Reasons {
    /// Those for `target`.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn new(target: &Target) -> Result<Reasons> {
        let table: Table = serde_json::from_str(TABLE).context("unreached.json")?;
        let holds = |only: &[String]| only.is_empty() || only.iter().any(|name| name == target.name());
        let sizes = Sizes::new(target);
        let bits = table.bits.into_iter().filter(|bits| holds(&bits.only)).map(|bits| {
            let read = |signals: &String| Signals::parse(signals, &sizes).with_context(|| signals.clone());
            let signals = bits.signals.iter().map(read).collect::<Result<_>>().context("unreached.json")?;
            Ok((bits, signals))
        });
        let trimmed = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect();
        let sources = target.models.files()?;
        Ok(Reasons {
            bits: bits.collect::<Result<_>>()?,
            once: table.once.into_iter().filter(|line| holds(&line.only)).collect(),
            lines: table.lines.into_iter().filter(|line| holds(&line.only)).collect(),
            sources: sources.into_iter().map(|file| (file.name, trimmed(&file.text))).collect(),
        })
    }

    /// The text of the line of a point, without indentation.
    pub fn text(&self, point: &Point) -> &str {
        let lines = self.sources.iter().find(|(name, _)| *name == point.file).map(|(_, lines)| lines);
        lines.and_then(|lines| lines.get(point.line.checked_sub(1)?)).map_or("", String::as_str)
    }

    /// Why `point` is never passed, if there is a reason.
    pub fn because(&self, point: &Point) -> Option<&str> {
        if point.toggle {
            let fits = |(bits, signals): &&(Bits, Vec<Signals>)| {
                (bits.files.is_empty() || bits.files.contains(&point.file))
                    && signals.iter().any(|signals| signals.contain(&point.what))
            };
            return self.bits.iter().find(fits).map(|(bits, _)| bits.because.as_str());
        }
        self.find(&self.lines, point).map(|line| line.because.as_str())
    }

    /// Whether Verilator counts `point` in the first evaluation only.
    pub fn once(&self, point: &Point) -> bool {
        !point.toggle && self.find(&self.once, point).is_some()
    }

    fn find<'a>(&self, lines: &'a [Line], point: &Point) -> Option<&'a Line> {
        let text = self.text(point);
        lines.iter().find(|line| line.file == point.file && line.what == point.what && line.line == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Reasons> {
        crate::unit::testing::all().iter().map(|target| Reasons::new(target).expect("table")).collect()
    }

    /// Whether a line of the table is in the RTL of the configuration.
    fn there(reasons: &Reasons, line: &Line) -> bool {
        reasons.sources.iter().any(|(name, lines)| *name == line.file && lines.contains(&line.line))
    }

    /// Lines of the table that are not in the RTL: of any configuration, or of one that they name.
    fn gone(table: &Table) -> Vec<&Line> {
        let targets = crate::unit::testing::all();
        let reasons = all();
        let lost = |line: &&Line| {
            let named = targets.iter().zip(&reasons).filter(|(target, _)| line.only.iter().any(|n| n == target.name()));
            let anywhere = reasons.iter().any(|reasons| there(reasons, line));
            !anywhere || named.into_iter().any(|(_, reasons)| !there(reasons, line))
        };
        table.once.iter().chain(&table.lines).filter(lost).collect()
    }

    #[test]
    fn every_line_of_the_table_is_in_the_rtl() {
        let table: Table = serde_json::from_str(TABLE).expect("table");
        assert_eq!(gone(&table), [] as [&Line; 0], "these lines are not in the RTL any more: remove their reasons");
    }

    #[test]
    fn a_line_that_is_gone_is_noticed() {
        let line = |file: &str, line: &str, only: &[&str]| Line {
            file: file.to_owned(),
            line: line.to_owned(),
            what: "if".to_owned(),
            because: String::new(),
            only: only.iter().map(|&name| name.to_owned()).collect(),
        };
        let there = "if (push) words[tail_q] <= data_i;";
        let table = Table {
            once: vec![line("tl_fifo.sv", "if (never) begin", &[]), line("tl_fifo.sv", there, &["tiny"])],
            lines: vec![
                line("tl_fifo.sv", there, &[]),
                line("tl_queue.sv", there, &[]),
                line("tl_matrix.sv", "load_done_o  = load_done;", &["w16", "tiny"]),
            ],
            bits: Vec::new(),
        };
        assert_eq!(gone(&table), [&table.once[0], &table.lines[1], &table.lines[2]]);
    }

    #[test]
    fn files_signals_and_configurations_of_the_table_exist() {
        let table: Table = serde_json::from_str(TABLE).expect("table");
        let reasons = all();
        let sources: Vec<&(String, Vec<String>)> = reasons.iter().flat_map(|reasons| &reasons.sources).collect();
        for bits in &table.bits {
            let ours = |name: &String| bits.files.is_empty() || bits.files.contains(name);
            let lines: Vec<&String> = sources.iter().filter(|(name, _)| ours(name)).flat_map(|(_, l)| l).collect();
            for file in &bits.files {
                assert!(sources.iter().any(|(name, _)| name == file), "no file {file}");
            }
            for name in bits.signals.iter().flat_map(|text| text.split('[').next().expect("name").split('|')) {
                let signal = name.split('.').next().expect("name");
                assert!(lines.iter().any(|line| line.contains(signal)), "{:?}: no {signal}", bits.files);
            }
        }
        let lines = table.once.iter().chain(&table.lines).map(|line| &line.only);
        for name in lines.chain(table.bits.iter().map(|bits| &bits.only)).flatten() {
            crate::unit::testing::target(name);
        }
    }
}
