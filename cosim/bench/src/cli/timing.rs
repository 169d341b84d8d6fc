// SPDX-License-Identifier: Apache-2.0
//! `cosim regress --timing`: how long a regression takes at least, on so many threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use comfy_table::Table;

use super::table::Row;
use crate::base::table::table;

/// Threads of the columns.
const THREADS: [u32; 5] = [1, 2, 4, 8, 16];

/// Cases that run one after the other: of rounds, the longest case of each.
#[derive(Debug, Default)]
pub struct Chain(Mutex<[Duration; 2]>);

impl Chain {
    /// Runs a case.
    pub fn case<T>(&self, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = run();
        let [_, longest] = &mut *self.lock();
        *longest = start.elapsed().max(*longest);
        done
    }

    /// What comes now waits for all cases before.
    pub fn end_round(&self) {
        let [chain, longest] = &mut *self.lock();
        *chain += std::mem::take(longest);
    }

    /// The chain as far as it goes.
    pub fn length(&self) -> Duration {
        self.lock().iter().sum()
    }

    fn lock(&self) -> MutexGuard<'_, [Duration; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stage of a regression. The next one waits until it is over.
#[derive(Debug)]
pub struct Stage {
    name: &'static str,
    /// Of all threads together.
    work: Duration,
    /// What cannot run side by side.
    chain: Duration,
}

impl Stage {
    /// Cases of several units.
    pub fn new(name: &'static str, work: Duration, chain: Duration) -> Stage {
        Stage { name, work, chain }
    }

    /// All parts of the rows run side by side.
    pub fn side_by_side(name: &'static str, rows: &[Row]) -> Stage {
        Stage { name, work: times(rows).sum(), chain: times(rows).max().unwrap_or_default() }
    }

    /// One part runs after the other.
    pub fn in_turn(name: &'static str, rows: &[Row]) -> Stage {
        Stage { name, work: times(rows).sum(), chain: times(rows).sum() }
    }

    fn on(&self, threads: u32) -> Duration {
        self.chain.max(self.work / threads)
    }
}

fn times(rows: &[Row]) -> impl Iterator<Item = Duration> {
    rows.iter().flat_map(|row| &row.parts).map(|part| part.elapsed)
}

/// Stages with their sum.
pub fn stages(stages: &[Stage]) -> Table {
    let at_least = THREADS.map(|threads| format!("on {threads}"));
    let header: Vec<&str> =
        ["stage, seconds", "longest chain"].into_iter().chain(at_least.iter().map(|it| &**it)).collect();
    let mut table = table(&header, 1);
    let mut line = |name: &str, stages: &[Stage]| {
        let seconds =
            |of: &dyn Fn(&Stage) -> Duration| format!("{:.1}", stages.iter().map(of).sum::<Duration>().as_secs_f64());
        let least = THREADS.map(|threads| seconds(&|stage: &Stage| stage.on(threads)));
        table.add_row([name.to_owned(), seconds(&|stage: &Stage| stage.chain)].into_iter().chain(least));
    };
    stages.iter().for_each(|stage| line(stage.name, std::slice::from_ref(stage)));
    line("at least", stages);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_takes_as_long_as_its_chain_on_any_number_of_threads() {
        let seconds = Duration::from_secs;
        let all = [Stage::new("random", seconds(40), seconds(4)), Stage::new("for every bin", seconds(16), seconds(8))];
        let text = stages(&all).to_string();
        let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = text.lines().map(cells).filter(|line| !line.is_empty()).collect();
        let of = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        assert_eq!(of("random").as_deref(), Some(" 4.0 40.0 20.0 10.0 5.0 4.0"), "{text}");
        assert_eq!(of("for every bin").as_deref(), Some(" 8.0 16.0 8.0 8.0 8.0 8.0"), "{text}");
        assert_eq!(of("at least").as_deref(), Some(" 12.0 56.0 28.0 18.0 13.0 12.0"), "{text}");
    }

    #[test]
    fn rounds_come_one_after_the_other() {
        let (chain, wait) = (Chain::default(), |ms| std::thread::sleep(Duration::from_millis(ms)));
        [5, 20].into_iter().for_each(|ms| chain.case(|| wait(ms)));
        let first = chain.length();
        assert!(first >= Duration::from_millis(20));
        chain.end_round();
        chain.case(|| wait(10));
        assert!(chain.length() >= first + Duration::from_millis(10));
    }
}
