// SPDX-License-Identifier: Apache-2.0
//! Which case to run: a job names it, and the cases of a configuration and a seed make it.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::case::{Origin, pairs_command, random_command};
use crate::coverage::bins::Bins;
use crate::coverage::steer;
use crate::pairs::Pairs;
use crate::random::random_case;
use crate::unit::target::Target;

/// A case of a configuration and a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub number: u64,
    /// The coverage bins that it is made for; none for a random case.
    #[serde(default)]
    pub bins: Vec<usize>,
    /// It is a case of the pairs and the other small scopes.
    #[serde(default)]
    pub pairs: bool,
}

/// What the cases of a run are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stimulus {
    Random,
    /// Pairs and the other small scopes, all of them.
    Pairs,
}

impl Job {
    pub fn random(number: u64) -> Job {
        Job { number, ..Job::default() }
    }

    /// Case `number` of this stimulus.
    pub fn new(stimulus: Stimulus, number: u64) -> Job {
        Job { pairs: stimulus == Stimulus::Pairs, ..Job::random(number) }
    }
}

#[derive(Clone)]
pub struct Cases<'a> {
    pub target: &'a Target,
    pub seed: u64,
    /// Planted faults, which take turns from case to case; none plants nothing.
    faults: Arc<[u32]>,
    /// The bins of the configuration, when coverage is collected.
    pub bins: Option<Arc<Bins>>,
    pairs: Arc<OnceLock<Pairs>>,
}

impl<'a> Cases<'a> {
    /// Cases without coverage; `fault` is 0 for none.
    pub fn new(target: &'a Target, seed: u64, fault: u32) -> Cases<'a> {
        let faults: &[u32] = if fault == 0 { &[] } else { &[fault] };
        Cases { target, seed, faults: faults.into(), bins: None, pairs: Arc::default() }
    }

    /// With these planted faults, which take turns: case n has number n modulo their count.
    pub fn with_faults(self, faults: &[u32]) -> Cases<'a> {
        Cases { faults: faults.into(), ..self }
    }

    pub fn faults(&self) -> &[u32] {
        &self.faults
    }

    /// The planted fault of case `number`; 0 is none.
    pub fn fault(&self, number: u64) -> u32 {
        let turn = number.checked_rem(self.faults.len() as u64);
        turn.and_then(|turn| self.faults.get(turn as usize).copied()).unwrap_or(0)
    }

    /// What they hit of `bins` is collected.
    pub fn covering(self, bins: &Arc<Bins>) -> Cases<'a> {
        Cases { bins: Some(bins.clone()), ..self }
    }

    /// Pairs and the other small scopes of the configuration.
    pub fn pairs(&self) -> &Pairs {
        self.pairs.get_or_init(|| Pairs::new(self.target))
    }

    pub fn case(&self, job: &Job) -> Case {
        if job.pairs {
            return self.pairs().case(self.target, self.seed, job.number);
        }
        if job.bins.is_empty() {
            return random_case(self.target, self.seed, job.number);
        }
        let bins = self.bins.clone().unwrap_or_else(|| Arc::new(Bins::new(self.target)));
        steer::case::new(self.target, &bins, self.seed, job.number, &job.bins)
    }

    pub fn origin(&self, number: u64) -> Origin {
        Origin { seed: self.seed, case: number, fault: self.fault(number) }
    }

    /// The command that runs the case of a job again.
    pub fn again(&self, job: &Job) -> String {
        if job.pairs {
            return pairs_command(self.origin(job.number), self.target);
        }
        let command = random_command(self.origin(job.number), self.target);
        if job.bins.is_empty() { command } else { format!("{command} --bins {}", ranges(&job.bins)) }
    }
}

/// Numbers as a list: `12,40-43`.
pub fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let text = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    parts.into_iter().map(text).collect::<Vec<_>>().join(",")
}
