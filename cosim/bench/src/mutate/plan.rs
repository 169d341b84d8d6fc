// SPDX-License-Identifier: Apache-2.0
//! The cases that mutants see, one after the other: random ones, then one for every coverage bin, then random ones again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::coverage::bins::Bins;
use crate::run::until::{self, Limits};
use crate::run::{Cases, Done, Executor, InProcess, Job};
use crate::unit::target::Target;

/// Random cases that come first.
pub const FIRST_CASES: u64 = 16;

/// Name of the list.
const FILE: &str = "cases.json";

/// The cases before those that are random to the end.
#[derive(Debug)]
pub struct Plan {
    /// The list, for workers.
    pub path: PathBuf,
    /// Cases for bins.
    pub steered: u64,
}

impl Plan {
    /// Steers towards every bin on the unit without a mutant, as `cosim random --until-covered` does, and writes the cases to
    /// a file in `folder`.
    ///
    /// # Errors
    /// When a case fails, and when the file cannot be written.
    pub fn new(target: &Target, folder: &Path, seed: u64, jobs: usize) -> Result<Plan> {
        let bins = Arc::new(Bins::new(target));
        let steered = Mutex::new(Vec::new());
        let limits = Limits { jobs, instructions: u64::MAX, ..Limits::default() };
        let executor = || {
            let cases = Cases::new(target, seed, 0).covering(&bins);
            Ok(Noted { inner: InProcess::new(cases), steered: &steered })
        };
        let sum = until::run(&bins, &limits, executor, |_, _, _| Ok(()))?;
        if let Some(failed) = sum.failures().next() {
            bail!("the unit without a mutant fails in case {} of seed {seed}", failed.job.number);
        }
        let mut steered = steered.into_inner().unwrap_or_else(PoisonError::into_inner);
        steered.sort_by_key(|job: &Job| job.number);
        let plan = Plan { path: folder.join(FILE), steered: steered.len() as u64 };
        let list: Vec<Job> = (0..FIRST_CASES).map(Job::random).chain(steered).collect();
        fs::write(&plan.path, serde_json::to_string(&list)?)
            .with_context(|| format!("cannot write {}", plan.path.display()))?;
        Ok(plan)
    }

    /// Where the cases end of which `random` are random.
    pub fn end(&self, random: u64) -> u64 {
        if random <= FIRST_CASES { random } else { random + self.steered }
    }
}

/// Notes down which cases were made for bins.
struct Noted<'a> {
    inner: InProcess<'a>,
    steered: &'a Mutex<Vec<Job>>,
}

impl Executor for Noted<'_> {
    fn execute(&mut self, job: &Job) -> Result<Done> {
        if !job.bins.is_empty() {
            self.steered.lock().unwrap_or_else(PoisonError::into_inner).push(job.clone());
        }
        self.inner.execute(job)
    }
}

/// The list in a file.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Job>> {
    let text = files::read_text(path, files::TABLE).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no list of cases", path.display()))
}

/// What is at `place` of all cases.
pub fn job(list: &[Job], place: u64) -> Job {
    let steered = list.iter().filter(|job| !job.bins.is_empty()).count() as u64;
    let listed = usize::try_from(place).ok().and_then(|place| list.get(place));
    listed.cloned().unwrap_or_else(|| Job::random(place - steered))
}
