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
        let mut lines = text.lines();
        ensure!(lines.next() == Some(HEAD), "not a coverage file of Verilator: it does not begin with {HEAD:?}");
        let mut points = BTreeMap::new();
        for (i, line) in lines.enumerate() {
            let (point, count) = entry(line).with_context(|| format!("coverage file of Verilator, line {}", i + 2))?;
            let sum: &mut u64 = points.entry(point.to_owned()).or_default();
            *sum = sum.saturating_add(count);
        }
        Ok(Points(points))
    }

    /// Adds the counts of another run of the same RTL.
    pub fn merge(&mut self, other: Points) {
        for (point, count) in other.0 {
            let sum = self.0.entry(point).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// Without what had been counted at `start`, but for the points that `keep` chooses.
    pub fn since(mut self, start: &Points, keep: impl Fn(&Point) -> bool) -> Points {
        for (point, count) in &mut self.0 {
            if !Point::parse(point).is_some_and(|point| keep(&point)) {
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

/// A line of a file: a point and its count.
fn entry(line: &str) -> Result<(&str, u64)> {
    let (point, count) = line
        .strip_prefix("C '")
        .and_then(|line| line.rsplit_once("' "))
        .with_context(|| format!("{line:?} is not C, a point in quotes, and a count"))?;
    ensure!(Point::parse(point).is_some(), "the point {point:?} has no file, line or kind");
    Ok((point, count.parse().with_context(|| format!("the count {count:?} is no number"))?))
}

impl Point {
    /// Keys and values have a 1 before the key and a 2 before the value: `f` file, `l` line, `page` kind, `o` what.
    fn parse(text: &str) -> Option<Point> {
        let (mut file, mut line, mut page, mut what) = (None, None, None, "");
        for (key, value) in text.split('\u{1}').filter_map(|field| field.split_once('\u{2}')) {
            match key {
                "f" => file = value.rsplit('/').next(),
                "l" => line = value.parse().ok(),
                "page" => page = Some(value),
                "o" => what = value,
                _ => {}
            }
        }
        let toggle = page?.starts_with("v_toggle");
        Some(Point { file: file?.to_owned(), line: line?, toggle, what: what.to_owned() })
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
    fn what_had_been_counted_at_the_start_is_left_out() {
        let text =
            TEXT.replace("data[3]' 0", "data[3]' 5").replace("else\u{1}h\u{2}top.a' 0", "block\u{1}h\u{2}top.a' 7");
        let points = Points::parse(&text).expect("text");
        let kept = points.clone().since(&points, |point| point.what == "block");
        let counts: Vec<u64> = kept.by_place().into_values().collect();
        assert_eq!(counts, [0, 7, 0]);
    }

    #[test]
    fn instances_are_added_up_and_files_survive() {
        let mut points = Points::parse(TEXT).expect("text");
        assert_eq!(Points::parse(&points.text()).expect("text"), points);
        points.merge(points.clone());
        let places: Vec<_> = points.by_place().into_iter().map(|(p, n)| (p.line, p.toggle, p.what, n)).collect();
        assert_eq!(places, [(7, true, "data[3]".to_owned(), 0), (12, false, "else".to_owned(), 4)]);
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let error = |text: &str| format!("{:#}", Points::parse(text).expect_err(text));
        assert!(error("").contains("does not begin with"));
        assert!(error("something else\n").contains("does not begin with"));
        assert!(error(&TEXT.replace("Coverage-3", "Coverage-30")).contains("does not begin with"));
        assert!(error(&TEXT[..TEXT.len() - 3]).contains("line 5: "), "no count");
        assert!(error(&TEXT.replace("' 2", "' two")).contains("line 3: the count \"two\" is no number"));
        assert!(error(&TEXT.replace("' 2", "' -2")).contains("is no number"));
        assert!(error(&TEXT.replace("' 2", "' 99999999999999999999")).contains("is no number"));
        assert!(error(&TEXT.replace("\u{1}l\u{2}9", "\u{1}l\u{2}x")).contains("line 4: the point"));
        assert!(error(&TEXT.replace("\u{1}page\u{2}v_toggle/tl_a", "")).contains("line 5: the point"));
        assert!(error(&TEXT.replace("C '", "D '")).contains("line 2: "));
    }

    #[test]
    fn nothing_panics_for_any_cut_or_byte() {
        for at in 0..TEXT.len() {
            let _ = Points::parse(&TEXT[..at]);
            for byte in ["", "'", " ", "\n", "\u{1}", "\u{2}", "é"] {
                let _ = Points::parse(&format!("{}{byte}{}", &TEXT[..at], &TEXT[at + 1..])).map(|p| p.by_place());
            }
        }
    }
}
