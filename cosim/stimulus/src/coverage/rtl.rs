// SPDX-License-Identifier: Apache-2.0
//! Lines and toggles of the RTL: the counts of all cases together, and the sources with them, which
//! `verilator_coverage` of Verilator writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::base::output;
use crate::model::toolchain::{find, run};
use crate::unit::target::Target;
use crate::unit::{ModelKind, Rtl, SETUP_LINT};

/// First line of a file of Verilator.
const HEAD: &str = "# SystemC::Coverage-3";

/// How often each point was passed. A point is the text that Verilator writes for it, with the plain name of its file
/// and without its instance and parameters: instances of a module count together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Points(BTreeMap<String, u64>);

impl Points {
    /// Reads the text of a file of Verilator; points of the probe, which is part of the bench, are left out.
    pub fn parse(text: &str) -> Result<Points> {
        let mut lines = text.lines();
        ensure!(lines.next() == Some(HEAD), "not a coverage file of Verilator: it does not begin with {HEAD:?}");
        let mut points = Points::default();
        for (at, line) in lines.enumerate() {
            let entry = line.strip_prefix("C '").and_then(|line| line.rsplit_once("' "));
            let count = entry.and_then(|(fields, count)| Some((point(fields)?, count.parse().ok()?)));
            let (point, count) =
                count.with_context(|| format!("coverage file of Verilator, line {}: {line:?}", at + 2))?;
            if !point.contains("\u{1}f\u{2}tl_probe") {
                points.add(point, count);
            }
        }
        Ok(points)
    }

    /// Adds the counts of another run of the same RTL.
    pub fn merge(&mut self, other: Points) {
        other.0.into_iter().for_each(|(point, count)| self.add(point, count));
    }

    fn add(&mut self, point: String, count: u64) {
        let sum = self.0.entry(point).or_default();
        *sum = sum.saturating_add(count);
    }

    /// The text of a file that `verilator_coverage` reads.
    fn text(&self) -> String {
        let points: String = self.0.iter().map(|(point, count)| format!("C '{point}' {count}\n")).collect();
        format!("{HEAD}\n{points}")
    }

    /// How many points were passed, and how many there are: of toggles, or of lines and branches.
    fn passed(&self, toggles: bool) -> (usize, usize) {
        let all = self.0.iter().filter(|(point, _)| point.contains("\u{1}page\u{2}v_toggle") == toggles);
        let counts: Vec<u64> = all.map(|(_, count)| *count).collect();
        (counts.iter().filter(|count| **count > 0).count(), counts.len())
    }
}

/// The fields of a point, each a 1, its key, a 2 and its value, without the instance (`h`) and the folder of its file
/// (`f`).
fn point(fields: &str) -> Option<String> {
    let mut text = String::new();
    for (key, value) in
        fields.split('\u{1}').skip(1).map(|field| field.split_once('\u{2}')).collect::<Option<Vec<_>>>()?
    {
        let value = match key {
            "f" => value.rsplit('/').next()?,
            // `v_line/tl_fifo__W8` is `tl_fifo` with other parameters.
            "page" => value.split("__").next()?,
            _ => value,
        };
        if key != "h" {
            text.extend(["\u{1}", key, "\u{2}", value]);
        }
    }
    Some(text).filter(|text| text.contains("\u{1}f\u{2}") && text.contains("\u{1}page\u{2}"))
}

/// Reads what the models of a configuration count; may be used by several threads.
pub struct Counter {
    folder: tempfile::TempDir,
    /// File with the counts, and the folder with the sources.
    results: [PathBuf; 2],
}

impl Counter {
    /// For results in `NAME.dat` and the folder `NAME` below `out`, which holds nothing else.
    ///
    /// # Errors
    /// When there is no model.
    pub fn new(target: &Target, out: &Path) -> Result<Counter> {
        let annotated = out.join(target.name());
        target.models.get(ModelKind::Covered)?;
        let folder = tempfile::tempdir().context("cannot create a folder for the counts of a case")?;
        Ok(Counter { folder, results: [out.join(format!("{}.dat", target.name())), annotated] })
    }

    /// What a model has counted in case `number`. Its registers begin with 0, so that none toggles by beginning at
    /// random.
    pub fn sample(&self, number: u64, rtl: &Rtl) -> Result<Points> {
        let path = self.folder.path().join(format!("{number}.dat"));
        rtl.write_coverage(&path)?;
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        Points::parse(&text)
    }

    /// Writes `NAME.dat` and, into the folder `NAME`, the sources of the RTL with the counts; gives the figures.
    ///
    /// # Errors
    /// When a file cannot be written, and when `verilator_coverage` is there and fails.
    pub fn write(&self, target: &Target, points: &Points) -> Result<String> {
        let [data, annotated] = &self.results;
        output::save(data, points.text().as_bytes())?;
        let [(lines, all_lines), (bits, all_bits)] = [points.passed(false), points.passed(true)];
        let name = target.name();
        let figures = format!(
            "{name}: RTL: {lines} of {all_lines} lines and branches reached, {bits} of {all_bits} toggles seen"
        );
        let tool = match find("VERILATOR_COVERAGE", &["verilator_coverage"], "--version", Some(SETUP_LINT)) {
            Ok(tool) => tool,
            Err(missing) => return Ok(format!("{figures}\n{name}: no sources with counts: {missing}")),
        };
        target.models.files()?.iter().try_for_each(|file| file.write_into(self.folder.path()))?;
        let mut command = Command::new(tool);
        command.current_dir(self.folder.path()).args(["--annotate-all", "--annotate-min", "1", "--annotate"]);
        command.arg(annotated.canonicalize()?).arg(data.canonicalize()?);
        run(command, "verilator_coverage")?;
        Ok(figures)
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
    fn instances_are_added_up_and_files_survive() {
        let mut points = Points::parse(TEXT).expect("text");
        assert_eq!(Points::parse(&points.text()).expect("text"), points);
        points.merge(points.clone());
        assert_eq!(points.0.values().copied().collect::<Vec<_>>(), [4, 0]);
        assert_eq!((points.passed(false), points.passed(true)), ((1, 1), (0, 1)));
        assert!(points.text().contains("C '\u{1}f\u{2}tl_a.sv\u{1}l\u{2}12"));
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let error = |text: &str| format!("{:#}", Points::parse(text).expect_err(text));
        assert!(error("something else\n").contains("does not begin with"));
        assert!(error(&TEXT[..TEXT.len() - 3]).contains("line 5: "), "no count");
        for damage in ["' two", "' -2", "' 99999999999999999999"] {
            assert!(error(&TEXT.replace("' 2", damage)).contains("line 3: "), "{damage}");
        }
        assert!(error(&TEXT.replace("\u{1}page\u{2}v_toggle/tl_a", "")).contains("line 5: "));
    }
}
