// SPDX-License-Identifier: Apache-2.0
//! The failing cases of an outcome are explained.

use anyhow::Result;

use super::outcome::EXPLAINED;
use super::{Explained, Outcome, Reported};
use crate::base::{parallel, table};
use crate::cases::{FailedCase, Summary, first_of_each};

impl<S: Reported> Outcome<S> {
    /// Explains the first cases of each way to fail, `jobs` of them at a time, and says what they are: a report for each
    /// bucket. `summary` is what the outcome was made of.
    ///
    /// # Errors
    /// Those of `explain`, and when standard output cannot be written.
    pub fn explain<T, J: Sync, F: Sync>(
        &mut self,
        summary: &Summary<T, J, F>,
        jobs: usize,
        explain: impl Fn(&FailedCase<J, F>) -> Result<Explained> + Sync,
    ) -> Result<()> {
        let chosen = first_of_each(self.failures.iter().map(|failed| &*failed.signature), EXPLAINED);
        let failures: Vec<_> = summary.failures().zip(chosen).collect();
        let bar = table::progress(&format!("{}, failures", self.unit), failures.len() as u64);
        let look = |(failed, chosen): &(&FailedCase<J, F>, bool)| chosen.then(|| explain(failed)).transpose();
        let explained = parallel::map(&failures, jobs, || bar.inc(1), look)?;
        bar.finish_and_clear();
        self.failures.iter_mut().zip(explained).for_each(|(failed, explained)| failed.explained = explained);
        self.say_failures()
    }
}
