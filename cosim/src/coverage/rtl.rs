// SPDX-License-Identifier: Apache-2.0
//! Coverage of the RTL: which of its lines no case has reached, and why.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::rtl_points::{Point, Points};
use crate::model::{ModelKind, Rtl};
use crate::target::Target;

/// Why lines are never reached.
const REASONS: &str = include_str!("unreached.json");

/// A reason, for all lines of a file with the same text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// The file.
    file: String,
    /// The text of the line, without indentation.
    line: String,
    /// What of it is not reached: `else` is the branch that is not written.
    what: String,
    /// Why.
    because: String,
}

/// Adds up what the models of a configuration count; may be used by several threads.
pub struct Counter {
    points: Mutex<Points>,
    folder: tempfile::TempDir,
}

impl Counter {
    /// A counter for `target`.
    ///
    /// # Errors
    /// When this program has no model of it that counts; the message says how to build one.
    pub fn new(target: &Target) -> Result<Counter> {
        let name = target.name();
        let found = Rtl::new(target, ModelKind::Covered, 1).is_ok();
        ensure!(
            found,
            "this program has no model of {name} that counts lines: build it with TL_COVERAGE={name} cargo build --release"
        );
        let folder = tempfile::tempdir().context("cannot create a folder for the counts of a case")?;
        Ok(Counter { points: Mutex::default(), folder })
    }

    /// What a model has counted so far in case `number`.
    ///
    /// # Errors
    /// When it cannot be had.
    pub fn sample(&self, number: u64, rtl: &Rtl) -> Result<Points> {
        let path = self.folder.path().join(format!("{number}.dat"));
        rtl.write_coverage(&path)?;
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        Points::parse(&text)
    }

    /// Adds what a model has counted in a case.
    pub fn add(&self, points: Points) {
        self.points.lock().unwrap_or_else(PoisonError::into_inner).merge(points);
    }

    /// Writes `NAME.dat`, for `verilator_coverage`, `NAME-lines.txt` and `NAME-toggles.txt` into `folder`, and gives a
    /// summary.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, target: &Target, folder: &Path) -> Result<String> {
        let points = self.points.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let save = |name: &str, text: &str| {
            let path = folder.join(format!("{}{name}", target.name()));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        save(".dat", &points.text())?;
        let report = RtlReport::new(target, &points.by_place())?;
        save("-lines.txt", &report.lines())?;
        save("-toggles.txt", &report.toggles)?;
        Ok(report.summary(target.name()))
    }
}

/// What was reached.
struct RtlReport {
    /// Points of lines that were reached, and all of them.
    lines_hit: usize,
    lines_all: usize,
    /// Places that were not, with the reason if there is one.
    unreached: Vec<(String, Option<String>)>,
    /// Bits that toggled, and all of them; those that did not, as text.
    toggles_hit: usize,
    toggles_all: usize,
    toggles: String,
}

impl RtlReport {
    fn new(target: &Target, places: &BTreeMap<Point, u64>) -> Result<RtlReport> {
        let reasons: Vec<Reason> = serde_json::from_str(REASONS).context("unreached.json")?;
        let sources: BTreeMap<String, Vec<String>> = rtl_gen::generate(&target.rtl)
            .into_iter()
            .map(|file| (file.name, file.text.lines().map(|line| line.trim().to_owned()).collect()))
            .collect();
        let source = |point: &Point| sources.get(&point.file).and_then(|lines| lines.get(point.line.wrapping_sub(1)));
        let mut report = RtlReport {
            lines_hit: 0,
            lines_all: 0,
            unreached: Vec::new(),
            toggles_hit: 0,
            toggles_all: 0,
            toggles: String::new(),
        };
        for (point, &count) in places {
            let hit = usize::from(count > 0);
            if point.toggle {
                report.toggles_all += 1;
                report.toggles_hit += hit;
                if hit == 0 {
                    // Writing to a string cannot fail.
                    let _ = writeln!(report.toggles, "{}:{}: {}", point.file, point.line, point.what);
                }
                continue;
            }
            report.lines_all += 1;
            report.lines_hit += hit;
            if hit == 0 {
                let text = source(point).map_or("", String::as_str);
                let fits = |r: &&Reason| r.file == point.file && r.line == text && r.what == point.what;
                let place = format!("{}:{}: {}: {text}", point.file, point.line, point.what);
                report.unreached.push((place, reasons.iter().find(fits).map(|reason| reason.because.clone())));
            }
        }
        Ok(report)
    }

    fn unexplained(&self) -> usize {
        self.unreached.iter().filter(|(_, because)| because.is_none()).count()
    }

    fn lines(&self) -> String {
        let line = |(place, because): &(String, Option<String>)| {
            format!("{place}\n    {}\n", because.as_deref().unwrap_or("NOT EXPLAINED"))
        };
        self.unreached.iter().map(line).collect()
    }

    fn summary(&self, name: &str) -> String {
        let RtlReport { lines_hit, lines_all, toggles_hit, toggles_all, .. } = self;
        let (unreached, unexplained) = (self.unreached.len(), self.unexplained());
        format!(
            "{name}: RTL: {lines_hit} of {lines_all} lines and branches reached; of the {unreached} others \
             {unexplained} are not explained. {toggles_hit} of {toggles_all} bits toggled"
        )
    }
}
