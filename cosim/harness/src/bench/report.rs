// SPDX-License-Identifier: Apache-2.0
//! What a run says: a table on the terminal, JUnit, Markdown, and a file that `collect` puts together.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::base::ending::Ending;
use crate::base::output::{program, save_json, save_text, say};
use crate::base::table;
use crate::cases::Sum;
use crate::report::summary::{self, Others};
use crate::report::{self, Reported, Words, junit};

/// What cases that passed did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passed {
    pub cycles: u64,
    pub steps: u64,
    /// How often each bin was hit.
    pub hits: Vec<u64>,
}

impl Sum for Passed {
    fn add(&mut self, other: Passed) {
        self.cycles = self.cycles.saturating_add(other.cycles);
        self.steps = self.steps.saturating_add(other.steps);
        self.hits.resize(self.hits.len().max(other.hits.len()), 0);
        self.hits.iter_mut().zip(other.hits).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }
}

/// What cases did, with the names of the bins.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    pub passed: Passed,
    pub bins: Vec<String>,
}

/// What the cases of a unit, or of a shard of them, came to.
pub type Outcome = report::Outcome<Sums>;

impl Sums {
    pub fn missing(&self) -> Vec<&str> {
        let hit = |at: usize| self.passed.hits.get(at).is_some_and(|&hits| hits > 0);
        self.bins.iter().enumerate().filter(|(at, _)| !hit(*at)).map(|(_, bin)| bin.as_str()).collect()
    }
}

impl Sum for Sums {
    fn add(&mut self, other: Sums) {
        self.passed.add(other.passed);
    }
}

impl Reported for Sums {
    const HEADS: &'static [&'static str] = &["steps", "cycles", "bins"];

    fn words() -> Words {
        Words {
            title: format!("{} random", program()),
            unit: "unit",
            block: "block",
            steps: "steps",
            about: [
                "A bucket has the same signature,",
                " and a small case with the same kinds of steps. One cause may show in several buckets, most often where \
                 they have steps in common.",
            ],
        }
    }

    fn cells(&self) -> Vec<String> {
        let bins = format!("{} of {}", self.bins.len() - self.missing().len(), self.bins.len());
        vec![self.passed.steps.to_string(), self.passed.cycles.to_string(), bins]
    }

    fn text(&self) -> String {
        format!("{} steps, {} cycles", self.passed.steps, self.passed.cycles)
    }
}

#[derive(Clone, Debug, clap::Args)]
pub struct ReportOptions {
    /// Write a JUnit report to this file (- for standard output)
    #[arg(long)]
    pub junit: Option<PathBuf>,
    /// Append a summary in Markdown to this file (- for standard output)
    #[arg(long)]
    pub summary: Option<PathBuf>,
    /// Write what `collect` puts together to this file
    #[arg(long)]
    pub results: Option<PathBuf>,
}

const HEADER: [&str; 7] = ["unit", "seed", "cases", "steps", "cycles", "bins", "result"];

fn row(outcome: &Outcome) -> [String; 7] {
    let result = match outcome.ending() {
        Ending::Different => failed(outcome.failures.len(), outcome.buckets().len()),
        Ending::Interrupted(_) => "interrupted".into(),
        Ending::Nothing => "no case was run".into(),
        Ending::Clean | Ending::Failed => "no difference".into(),
    };
    let mut cells = outcome.sums.cells().into_iter();
    let [steps, cycles, bins] = [(); 3].map(|()| cells.next().unwrap_or_default());
    [outcome.name(), outcome.seed.to_string(), outcome.cases.to_string(), steps, cycles, bins, result]
}

fn failed(cases: usize, buckets: usize) -> String {
    format!("{cases} FAILED in {buckets} bucket{}", if buckets == 1 { "" } else { "s" })
}

/// Says and writes what the cases came to; `lacking` is what was not run. Gives how the run ended.
///
/// # Errors
/// When a file cannot be written.
pub fn conclude(outcomes: &[Outcome], lacking: &[String], options: &ReportOptions) -> Result<Ending> {
    say!("{}", table::rows(&HEADER, 1, outcomes.iter().map(row)))?;
    for outcome in outcomes {
        let missing = outcome.sums.missing();
        if !missing.is_empty() {
            say!("{}: bins that no case hit: {}", outcome.name(), missing.join(", "))?;
        }
    }
    lacking.iter().try_for_each(|name| say!("{name} is missing"))?;
    if let Some(path) = &options.junit {
        save_text(path, &junit::xml(outcomes, [], lacking)?)?;
    }
    if let Some(path) = &options.summary {
        save_text(path, &summary::markdown(outcomes, &Others::default(), lacking))?;
    }
    if let (Some(path), [outcome]) = (&options.results, outcomes) {
        save_json(path, outcome)?;
    }
    let ending = outcomes.iter().map(Outcome::ending).max().unwrap_or(Ending::Nothing);
    Ok(if lacking.is_empty() { ending } else { ending.max(Ending::Different) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_with_a_field_that_there_is_not_is_refused() {
        let passed = r#"{"cycles": 0, "steps": 0, "hits": []}"#;
        let part = |passed: &str, more: &str| {
            let sums = format!(r#"{{"passed": {passed}, "bins": []}}"#);
            let rest = r#""cases": 1, "hash": 0, "stopped": null, "elapsed": {"secs": 0, "nanos": 0}, "failures": []"#;
            let text = format!(r#"{{"unit": "gcd", "seed": 1, "shard": "1/1", "sums": {sums}, {rest}{more}}}"#);
            serde_json::from_str::<Outcome>(&text)
        };
        assert!(part(passed, "").is_ok());
        assert!(part(passed, r#", "fault": 3"#).is_err());
        assert!(part(&passed.replace("0,", r#"0, "bins": 1,"#), "").is_err());
    }
}
