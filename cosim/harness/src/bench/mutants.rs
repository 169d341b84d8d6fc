// SPDX-License-Identifier: Apache-2.0
//! `mutate`: cases on blind errors in the RTL: a few random ones, those for the coverage bins, then random ones again.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::case::Failure;
use super::kind::Kind;
use super::models::Target;
use super::random::{Cases, FIRST_AIMED, Job};
use super::report::Passed;
use super::unit::Unit;
use crate::mutate::{self, CASE_LIMIT, MutateOptions, Outcome, Stage, Subject};

struct Runner<'a, U> {
    target: &'a Target<'a, U>,
    library: PathBuf,
    seed: u64,
    cases: u64,
}

impl<U: Unit> mutate::Runner for Runner<'_, U> {
    fn run(&self, mutant: u32, stage: Stage) -> Result<Outcome> {
        let Runner { target, seed, .. } = *self;
        let watchdog = Duration::from_secs(CASE_LIMIT);
        let cases = Cases { target, seed, selection: mutant, watchdog, mutants: Some(self.library.clone()) };
        let mut outcome = Outcome::default();
        let mut part = |range, job: &(dyn Fn(u64) -> Job + Sync)| {
            let by = |failure: &Failure| failure.signature.clone();
            outcome.run(range, job, || Ok(cases.executor()), |passed: &Passed| passed.cycles, by)
        };
        let random = stage.random_cases(self.cases);
        if stage == Stage::Rest && random[0] < random[1] {
            let aimed = Job::aimed(target.unit);
            let end = FIRST_AIMED + aimed.len() as u64;
            part([FIRST_AIMED, end], &|number| aimed[(number - FIRST_AIMED) as usize].clone())?;
        }
        part(random, &Job::random)?;
        Ok(outcome)
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
    let report = mutate::run(&subject, options, recipe, |library| {
        Ok(Runner { target, library: library.to_owned(), seed: options.seed, cases: options.cases })
    })?;
    Ok(options.accept(&report))
}
