// SPDX-License-Identifier: Apache-2.0
//! What the program does with coverage: its options and its files, and `cosim coverage`.

use anyhow::{Context, Result, bail, ensure};

use super::options::{CoverageCommand, CoverageOptions};
use crate::base::output::{save, save_json, say};
use crate::coverage::bins::Bins;
use crate::coverage::file::Coverage;
use crate::coverage::steer::case;
use crate::coverage::{html, report};
use crate::unit::target::{Target, Workshop};

impl CoverageOptions {
    /// Whether any of them is given.
    pub fn asked(&self) -> bool {
        let files = [&self.coverage, &self.coverage_html, &self.rtl_coverage];
        self.until_covered || files.iter().any(|file| file.is_some())
    }

    /// Makes the folders of `--rtl-coverage`: now, and not when a model has been made that takes half a minute.
    pub fn make_folders(&self, targets: &[Target]) -> Result<()> {
        let folders = self.rtl_coverage.iter().flat_map(|out| targets.iter().map(|target| out.join(target.name())));
        { folders }.try_for_each(|folder| {
            files::create_scratch(&folder).with_context(|| format!("--rtl-coverage: {}", folder.display()))
        })
    }

    /// Finds out now, and not after the run, whether the files can be written.
    pub fn reserve(&self) -> Result<()> {
        self.coverage.iter().chain(&self.coverage_html).try_for_each(|path| save(path, b""))
    }

    /// Says what a run has hit, and writes the files. False when the run was to hit all bins and did not, or hit one
    /// that cannot occur.
    pub fn report(&self, coverage: &Coverage) -> Result<bool> {
        let reports = report::all(coverage);
        for report in &reports {
            say!("\n{}", if self.until_covered { report.text(false) } else { report.headline() })?;
        }
        self.coverage.iter().try_for_each(|path| coverage.write(path))?;
        self.coverage_html.iter().try_for_each(|path| save(path, html::page(coverage).as_bytes()))?;
        let missing = self.until_covered && reports.iter().any(|report| !report.complete());
        Ok(!missing && reports.iter().all(|report| report.refuted.is_empty()))
    }
}

/// The bins of a list such as `12,40-43`, by number.
pub fn numbers(list: &str, bins: &Bins) -> Result<Vec<usize>> {
    let end = bins.len();
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number < end);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => numbers.extend(first..=last),
            _ => bail!("--bins: {part:?} is not allowed; allowed: bins 0 to {} as in 12,40-43", end - 1),
        }
    }
    ensure!(numbers.len() <= case::TARGETS, "--bins: a case is made for {} bins at most", case::TARGETS);
    Ok(numbers)
}

/// `cosim coverage`.
pub fn coverage(workshop: &Workshop, command: &CoverageCommand) -> Result<bool> {
    match command {
        CoverageCommand::Merge { files, out } => {
            let mut sum = Coverage::default();
            for file in files {
                sum.merge(Coverage::read(workshop, file)?).with_context(|| format!("{}", file.display()))?;
            }
            sum.write(out)?;
            report::all(&sum).iter().try_for_each(|report| say!("{}", report.headline()))?;
            Ok(true)
        }
        CoverageCommand::Report { file, html: page, json } => {
            let coverage = Coverage::read(workshop, file)?;
            let reports = report::all(&coverage);
            page.iter().try_for_each(|path| save(path, html::page(&coverage).as_bytes()))?;
            match json {
                Some(path) => save_json(path, &reports)?,
                None => reports.iter().try_for_each(|report| say!("{}", report.text(true)))?,
            }
            Ok(reports.iter().all(|report| report.refuted.is_empty()))
        }
    }
}
