// SPDX-License-Identifier: Apache-2.0
//! `mutate`: cases on blind errors in the RTL.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::models::{Kind, Target};
use super::random::{Cases, Job};
use super::unit::Unit;
use crate::base::interrupt::Interrupt;
use crate::cases::schedule::{Schedule, Shard};
use crate::mutate::{self, CASE_LIMIT, Kill, MutateOptions, Outcome, Stage, Subject};

struct Runner<'a, U> {
    target: &'a Target<'a, U>,
    library: PathBuf,
    seed: u64,
    cases: u64,
}

impl<U: Unit> mutate::Runner for Runner<'_, U> {
    fn run(&self, mutant: u32, stage: Stage) -> Result<Outcome> {
        let Runner { target, seed, .. } = *self;
        let [start, end] = stage.random_cases(self.cases);
        let watchdog = Duration::from_secs(CASE_LIMIT);
        let cases = Cases { target, seed, selection: mutant, watchdog, mutants: Some(self.library.clone()) };
        let schedule = Schedule::new(Shard::WHOLE, end, None, Interrupt::default()).starting_at(start);
        let summary = cases.run(1, &schedule, Job::random, || ())?;
        let kill = summary.failed.map(|failed| Kill { by: failed.failure.signature.clone(), case: failed.job.number });
        Ok(Outcome { kill, cycles: summary.sums.cycles })
    }
}

/// Runs mutants; gives whether the score is as asked.
///
/// # Errors
/// As [`mutate::run`].
pub fn mutants<U: Unit>(target: &Target<U>, options: &MutateOptions) -> Result<bool> {
    let subject = Subject {
        name: target.unit.name(),
        top: target.rtl.top,
        sources: target.sources().clone(),
        makers: target.makers(),
    };
    let recipe = |sources: &_| target.recipe_of(Kind::Mutants, sources);
    mutate::run(&subject, options, recipe, |library| {
        Ok(Runner { target, library: library.to_owned(), seed: options.seed, cases: options.cases })
    })
}
