// SPDX-License-Identifier: Apache-2.0
//! Coverage of the RTL: what the model of a case counts, and the files about all of them.

use std::path::Path;

use anyhow::{Context, Result};

use super::rtl_points::{Point, Points};
use super::rtl_reasons::Reasons;
use super::rtl_report::RtlReport;
use crate::unit::target::Target;
use crate::unit::{ModelKind, Rtl};

/// Reads what the models of a configuration count; may be used by several threads.
pub struct Counter {
    reasons: Reasons,
    folder: tempfile::TempDir,
}

impl Counter {
    /// A counter for `target`.
    ///
    /// # Errors
    /// When the model that counts cannot be made.
    pub fn new(target: &Target) -> Result<Counter> {
        target.models.get(ModelKind::Covered)?;
        let folder = tempfile::tempdir().context("cannot create a folder for the counts of a case")?;
        Ok(Counter { reasons: Reasons::new(target)?, folder })
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

    /// What a model has counted in a case: until `end`, without what it had counted at `start`, when the first
    /// reset was over. Registers and memories begin at random, so toggles and branches up to there say nothing.
    ///
    /// Some points keep their counts, because Verilator counts them only once, at the very beginning: blocks without a
    /// condition, and the branches that [`Reasons::once`] knows.
    pub fn between(&self, start: &Points, end: Points) -> Points {
        let once = |point: &Point| !point.toggle && (point.what == "block" || self.reasons.once(point));
        end.since(start, once)
    }

    /// Writes `NAME.dat`, for `verilator_coverage`, `NAME-lines.txt` and `NAME-toggles.txt` about the counts of all
    /// cases into `folder`, and gives a summary.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, target: &Target, points: &Points, folder: &Path) -> Result<String> {
        let save = |name: &str, text: &str| {
            let path = folder.join(format!("{}{name}", target.name()));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        save(".dat", &points.text())?;
        let report = RtlReport::new(&self.reasons, &points.by_place());
        save("-lines.txt", &report.lines.text())?;
        save("-toggles.txt", &report.toggles.text())?;
        Ok(report.summary(target.name()))
    }
}
