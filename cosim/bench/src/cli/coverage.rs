// SPDX-License-Identifier: Apache-2.0
//! What the program does with coverage: its options and its files, and `cosim coverage`.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use crate::base::output::{save, save_json, say};
use crate::coverage::bins::Bins;
use crate::coverage::file::Coverage;
use crate::coverage::steer::case;
use crate::coverage::{html, report};
use crate::unit::target::Workshop;

/// Options of `cosim random` that are about coverage.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// After some random cases make cases for the coverage bins that are not hit, until every bin is; --count limits the
    /// instructions. Exit code 1 when a bin is missing in the end
    #[arg(long, conflicts_with = "case")]
    pub until_covered: bool,
    /// Write the functional coverage of the run to this file (JSON)
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// Write a page with the functional coverage of the run to this file
    #[arg(long, value_name = "FILE")]
    pub coverage_html: Option<PathBuf>,
    /// Count the lines and toggles of the RTL, too, and write them to this folder, with the lines that were not reached
    ///
    /// Cases run in this process then: a crash ends the run.
    #[arg(long, value_name = "DIR", conflicts_with = "case")]
    pub rtl_coverage: Option<PathBuf>,
    /// With --case: the coverage bins that the case was made for, by number (12,40-43), as the report of a failure of
    /// --until-covered gives them
    #[arg(long, value_name = "LIST", requires = "case")]
    pub bins: Option<String>,
}

impl Options {
    /// Whether any of them is given.
    pub fn asked(&self) -> bool {
        let files = [&self.coverage, &self.coverage_html, &self.rtl_coverage];
        self.until_covered || files.iter().any(|file| file.is_some())
    }

    /// Finds out now, and not after the run, whether the files can be written.
    ///
    /// # Errors
    /// When one of them cannot.
    pub fn reserve(&self) -> Result<()> {
        self.coverage.iter().chain(&self.coverage_html).try_for_each(|path| save(path, b""))
    }

    /// Says what a run has hit, and writes the files. False when the run was to hit all bins and did not, or hit one
    /// that cannot occur.
    ///
    /// # Errors
    /// When a file cannot be written.
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
///
/// # Errors
/// For anything else.
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

/// Options of `cosim coverage`.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Add up coverage files
    Merge {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the sum to this file
        #[arg(short, long)]
        out: PathBuf,
    },
    /// Report what a coverage file has hit, what is missing, and what cannot occur
    Report {
        /// The file
        file: PathBuf,
        /// Write the report as a page to this file
        #[arg(long)]
        html: Option<PathBuf>,
        /// Write the report as JSON to this file (- for standard output)
        #[arg(long)]
        json: Option<PathBuf>,
    },
}

/// `cosim coverage`.
///
/// # Errors
/// For files that cannot be read or written.
pub fn coverage(workshop: &Workshop, command: &Command) -> Result<bool> {
    match command {
        Command::Merge { files, out } => {
            let mut sum = Coverage::default();
            for file in files {
                sum.merge(Coverage::read(workshop, file)?);
            }
            sum.write(out)?;
            report::all(&sum).iter().try_for_each(|report| say!("{}", report.headline()))?;
            Ok(true)
        }
        Command::Report { file, html: page, json } => {
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
