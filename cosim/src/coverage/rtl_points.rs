// SPDX-License-Identifier: Apache-2.0
//! Lines and toggles of the RTL, as Verilator counts them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

/// First line of a file.
const HEAD: &str = "# SystemC::Coverage-3";

/// How often each point was passed; a point is the text that Verilator writes for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Points(BTreeMap<String, u64>);

/// A point taken apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// File, without folders.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// It counts toggles of a signal, and not passes through a line.
    pub toggle: bool,
    /// The signal and its bit, or what kind of line it is: `block`, `if`, `else`, `case`.
    pub what: String,
}

impl Points {
    /// Reads the text of a file of Verilator.
    ///
    /// # Errors
    /// For any other text.
    pub fn parse(text: &str) -> Result<Points> {
        ensure!(text.starts_with(HEAD), "not a coverage file of Verilator");
        let points = text.lines().filter(|line| line.starts_with("C '")).map(|line| {
            let (point, count) = line[3..].rsplit_once("' ").context("a line without a count")?;
            Ok((point.to_owned(), count.parse().context("a count that is no number")?))
        });
        Ok(Points(points.collect::<Result<_>>()?))
    }

    /// Adds the counts of another run of the same RTL.
    pub fn merge(&mut self, other: Points) {
        for (point, count) in other.0 {
            let sum = self.0.entry(point).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// Without what had been counted at `start`, when the first reset was over: registers and memories begin at random,
    /// so toggles and branches up to there say nothing. Blocks without a condition keep their counts, because Verilator
    /// counts some of them only once, at the very beginning.
    pub fn since(mut self, start: &Points) -> Points {
        for (point, count) in &mut self.0 {
            let block = Point::parse(point).is_some_and(|point| !point.toggle && point.what == "block");
            if !block {
                *count = count.saturating_sub(start.0.get(point).copied().unwrap_or(0));
            }
        }
        self
    }

    /// The text of a file that `verilator_coverage` reads.
    pub fn text(&self) -> String {
        let points: String = self.0.iter().map(|(point, count)| format!("C '{point}' {count}\n")).collect();
        format!("{HEAD}\n{points}")
    }

    /// The points with their counts, those of all instances of a module together; without those of the probe, which is
    /// part of the bench.
    pub fn by_place(&self) -> BTreeMap<Point, u64> {
        let mut places: BTreeMap<Point, u64> = BTreeMap::new();
        for (text, count) in &self.0 {
            if let Some(point) = Point::parse(text).filter(|point| !point.file.starts_with("tl_probe")) {
                let sum = places.entry(point).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
        places
    }
}

impl Point {
    /// Keys and values have a 1 before the key and a 2 before the value: `f` file, `l` line, `page` kind, `o` what.
    fn parse(text: &str) -> Option<Point> {
        let fields: BTreeMap<&str, &str> = text.split('\u{1}').filter_map(|field| field.split_once('\u{2}')).collect();
        let file = fields.get("f")?.rsplit('/').next()?.to_owned();
        let toggle = fields.get("page")?.starts_with("v_toggle");
        let what = fields.get("o").copied().unwrap_or_default().to_owned();
        Some(Point { file, line: fields.get("l")?.parse().ok()?, toggle, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# SystemC::Coverage-3\n\
        C '\u{1}f\u{2}/x/tl_a.sv\u{1}l\u{2}12\u{1}n\u{2}3\u{1}page\u{2}v_line/tl_a\u{1}o\u{2}else\u{1}h\u{2}top.a' 0\n\
        C '\u{1}f\u{2}/x/tl_a.sv\u{1}l\u{2}12\u{1}n\u{2}3\u{1}page\u{2}v_line/tl_a\u{1}o\u{2}else\u{1}h\u{2}top.b' 2\n\
        C '\u{1}f\u{2}/x/tl_probe.sv\u{1}l\u{2}9\u{1}page\u{2}v_line/tl_probe\u{1}o\u{2}block' 1\n\
        C '\u{1}f\u{2}tl_a.sv\u{1}l\u{2}7\u{1}page\u{2}v_toggle/tl_a\u{1}o\u{2}data[3]' 0\n";

    #[test]
    fn what_was_counted_before_the_end_of_the_reset_is_left_out() {
        let text =
            TEXT.replace("data[3]' 0", "data[3]' 5").replace("else\u{1}h\u{2}top.a' 0", "block\u{1}h\u{2}top.a' 7");
        let points = Points::parse(&text).expect("text");
        let counts: Vec<u64> = points.clone().since(&points).by_place().into_values().collect();
        assert_eq!(counts, [0, 7, 0]);
    }

    #[test]
    fn instances_are_added_up_and_files_survive() {
        let mut points = Points::parse(TEXT).expect("text");
        assert_eq!(Points::parse(&points.text()).expect("text"), points);
        points.merge(points.clone());
        let places: Vec<_> = points.by_place().into_iter().map(|(p, n)| (p.line, p.toggle, p.what, n)).collect();
        assert_eq!(places, [(7, true, "data[3]".to_owned(), 0), (12, false, "else".to_owned(), 4)]);
        assert!(Points::parse("something else").is_err() && Points::parse(&TEXT[..TEXT.len() - 3]).is_err());
    }
}
