// SPDX-License-Identifier: Apache-2.0
//! Runs side by side: they share the threads, and what they say comes in their order. A run that waits for the last
//! cases of a round leaves its threads to the next runs.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::base::output;

/// Runs of which cases are at work: each has processes of its own.
const MOST: usize = 4;

/// Several runs, by number, of which the earlier ones come first.
#[derive(Debug)]
pub struct SideBySide {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Cases that may begin.
    free: usize,
    /// Threads that wait for one, by run.
    waiting: BTreeMap<usize, usize>,
    /// The first run that is not over.
    first: usize,
    /// What later runs have said.
    kept: BTreeMap<usize, String>,
    /// How long cases of each run were at work.
    busy: BTreeMap<usize, Duration>,
    ended: bool,
}

/// A case of a run is at work.
#[derive(Debug)]
pub struct Turn<'a> {
    runs: &'a SideBySide,
    run: usize,
    start: Instant,
}

impl SideBySide {
    /// With so many cases at a time.
    pub fn new(jobs: usize) -> SideBySide {
        let state = State { free: jobs.max(1), ..State::default() };
        SideBySide { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits until a case of `run` may begin: earlier runs want no more.
    ///
    /// # Errors
    /// When the runs were ended.
    pub fn turn(&self, run: usize) -> Result<Turn<'_>> {
        let mut state = self.state();
        *state.waiting.entry(run).or_default() += 1;
        while !(state.ended || state.free > 0 && state.is_next(run)) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.entry(run).and_modify(|threads| *threads -= 1);
        state.waiting.retain(|_, threads| *threads > 0);
        ensure!(!state.ended, "another configuration has ended the run");
        state.free -= 1;
        // What is still free may be for a later run.
        self.changed.notify_all();
        Ok(Turn { runs: self, run, start: Instant::now() })
    }

    /// Says a line of `run`: now, or when the runs before it are over.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn say(&self, run: usize, line: &str) -> Result<()> {
        let mut state = self.state();
        if run <= state.first {
            return output::text(&format!("{line}\n"));
        }
        state.kept.entry(run).or_default().push_str(&format!("{line}\n"));
        Ok(())
    }

    /// The first run that was not over is over, and reported: the next one may speak.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn over(&self) -> Result<()> {
        let mut state = self.state();
        state.first += 1;
        self.changed.notify_all();
        let next = state.first;
        state.kept.remove(&next).map_or(Ok(()), |text| output::text(&text))
    }

    /// No case begins any more.
    pub fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// How long cases of a run were at work, all threads together.
    pub fn busy(&self, run: usize) -> Duration {
        self.state().busy.get(&run).copied().unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_next(&self, run: usize) -> bool {
        run < self.first + MOST && self.waiting.keys().next().is_none_or(|&earliest| earliest >= run)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.runs.state();
        state.free += 1;
        *state.busy.entry(self.run).or_default() += self.start.elapsed();
        self.runs.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_round_is_filled_by_the_next_runs() {
        let runs = SideBySide::new(3);
        let last_of_a_round = runs.turn(0).expect("free");
        // These return at once, although run 0 is not over.
        let next = [1, 2].map(|run| runs.turn(run).expect("free"));
        assert_eq!(runs.state().free, 0);
        drop((last_of_a_round, next));
        assert_eq!(runs.state().free, 3);
    }

    #[test]
    fn what_a_later_run_says_waits_until_the_earlier_ones_are_over() {
        let runs = SideBySide::new(1);
        runs.say(2, "two").expect("kept");
        runs.say(1, "one").expect("kept");
        assert_eq!(runs.state().kept, BTreeMap::from([(1, "one\n".into()), (2, "two\n".into())]));
        runs.over().expect("said");
        assert_eq!(runs.state().kept, BTreeMap::from([(2, "two\n".into())]));
    }

    #[test]
    fn a_turn_is_for_the_earliest_run_that_waits() {
        let runs = SideBySide::new(1);
        let held = runs.turn(3).expect("free");
        assert!(!runs.state().is_next(MOST) && runs.state().is_next(0));
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for run in [2, 1] {
                let (runs, order) = (&runs, &order);
                scope.spawn(move || {
                    let _turn = runs.turn(run).expect("not ended");
                    order.lock().expect("no panic").push(run);
                });
            }
            while runs.state().waiting.len() < 2 {
                std::thread::yield_now();
            }
            drop(held);
        });
        assert_eq!(order.into_inner().expect("no panic"), [1, 2]);
        runs.end();
        assert!(runs.turn(0).is_err());
    }
}
