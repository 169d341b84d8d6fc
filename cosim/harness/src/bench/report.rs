// SPDX-License-Identifier: Apache-2.0
//! What a run says: a table on the terminal, JUnit, Markdown, and a file that `collect` puts together.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use quick_junit::TestSuite;
use serde::{Deserialize, Serialize};

use super::random::Passed;
use crate::base::ending::Ending;
use crate::base::junit::{case, document, missing};
use crate::base::output::{save_json, save_text, say};
use crate::base::table;
use crate::cases::ending;
use crate::cases::schedule::Stopped;

/// What the cases of a unit, or of a shard of them, came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub unit: String,
    pub seed: u64,
    pub shard: String,
    pub cases: u64,
    /// Of cases that passed.
    pub sums: Passed,
    /// Over all stimulus, whatever the order.
    pub hash: u64,
    pub bins: Vec<String>,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
    pub failures: Vec<Found>,
}

/// A failing case. Its headline and text are empty when it was not looked into.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    pub case: u64,
    pub signature: String,
    pub headline: String,
    pub text: String,
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

impl Part {
    pub fn name(&self) -> String {
        if self.shard == "1/1" { self.unit.clone() } else { format!("{} shard {}", self.unit, self.shard) }
    }

    pub fn missing(&self) -> Vec<&str> {
        let hit = |at: usize| self.sums.hits.get(at).is_some_and(|&hits| hits > 0);
        self.bins.iter().enumerate().filter(|(at, _)| !hit(*at)).map(|(_, bin)| bin.as_str()).collect()
    }

    pub fn ending(&self) -> Ending {
        ending(self.cases, self.failures.len(), self.stopped)
    }

    /// The failing cases by their signatures, in the order in which these were seen first.
    fn buckets(&self) -> Vec<(&Found, Vec<u64>)> {
        let mut buckets: Vec<(&Found, Vec<u64>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for found in &self.failures {
            let place = *places.entry(&found.signature).or_insert(buckets.len());
            if place == buckets.len() {
                buckets.push((found, Vec::new()));
            }
            buckets[place].1.push(found.case);
        }
        buckets
    }
}

const HEADER: [&str; 7] = ["unit", "seed", "cases", "steps", "cycles", "bins", "result"];

fn row(part: &Part) -> [String; 7] {
    let bins = format!("{} of {}", part.bins.len() - part.missing().len(), part.bins.len());
    let result = match part.ending() {
        Ending::Different => failed(part.failures.len(), part.buckets().len()),
        Ending::Interrupted(_) => "interrupted".into(),
        Ending::Nothing => "no case was run".into(),
        Ending::Clean | Ending::Failed => "no difference".into(),
    };
    let [seed, cases, steps, cycles] =
        [part.seed, part.cases, part.sums.steps, part.sums.cycles].map(|number| number.to_string());
    [part.name(), seed, cases, steps, cycles, bins, result]
}

fn failed(cases: usize, buckets: usize) -> String {
    format!("{cases} FAILED in {buckets} bucket{}", if buckets == 1 { "" } else { "s" })
}

/// Says and writes what the parts came to; `lacking` is what was not run. Gives how the run ended.
///
/// # Errors
/// When a file cannot be written.
pub fn conclude(parts: &[Part], lacking: &[String], options: &ReportOptions) -> Result<Ending> {
    say!("{}", table::rows(&HEADER, 1, parts.iter().map(row)))?;
    for part in parts {
        for (found, cases) in part.buckets() {
            let cases: Vec<String> = cases.iter().map(u64::to_string).collect();
            say!("{}: {}: cases {}", part.name(), found.signature, cases.join(", "))?;
        }
        let missing = part.missing();
        if !missing.is_empty() {
            say!("{}: bins that no case hit: {}", part.name(), missing.join(", "))?;
        }
    }
    lacking.iter().try_for_each(|name| say!("{name} is missing"))?;
    if let Some(path) = &options.junit {
        save_text(path, &junit(parts, lacking)?)?;
    }
    if let Some(path) = &options.summary {
        save_text(path, &markdown(parts, lacking))?;
    }
    if let (Some(path), [part]) = (&options.results, parts) {
        save_json(path, part)?;
    }
    let ending = parts.iter().map(Part::ending).max().unwrap_or(Ending::Nothing);
    Ok(if lacking.is_empty() { ending } else { ending.max(Ending::Different) })
}

fn junit(parts: &[Part], lacking: &[String]) -> Result<String> {
    let mut suite = TestSuite::new("random");
    for part in parts {
        let elapsed = Duration::try_from_secs_f64(part.seconds).unwrap_or_default();
        let of = |text: fn(&Found) -> &str| {
            part.buckets().iter().map(|(found, _)| text(found)).collect::<Vec<_>>().join("\n")
        };
        let failure = || [of(|found| &found.headline), of(|found| &found.text)];
        suite.add_test_case(case(("random", &part.name()), part.ending(), elapsed, failure));
    }
    suite.add_test_cases(lacking.iter().map(|name| missing("random", name)));
    document("random", [suite])
}

fn markdown(parts: &[Part], lacking: &[String]) -> String {
    let rows: Vec<[String; 7]> = parts.iter().map(row).collect();
    let mut text = table::markdown(&HEADER, 1, &rows);
    lacking.iter().for_each(|name| text.push_str(&format!("\n**{name} is missing**\n")));
    for (found, _) in parts.iter().flat_map(Part::buckets) {
        text.push_str(&format!("\n### {}\n\n{}", found.headline, table::indented(&found.text)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_with_a_field_that_there_is_not_is_refused() {
        let sums = r#"{"cycles": 0, "steps": 0, "hits": []}"#;
        let part = |sums: &str, more: &str| {
            let rest = r#""cases": 1, "hash": 0, "bins": [], "stopped": null, "seconds": 0.0, "failures": []"#;
            let text = format!(r#"{{"unit": "gcd", "seed": 1, "shard": "1/1", "sums": {sums}, {rest}{more}}}"#);
            serde_json::from_str::<Part>(&text)
        };
        assert!(part(sums, "").is_ok());
        assert!(part(sums, r#", "fault": 3"#).is_err());
        assert!(part(&sums.replace("0,", r#"0, "bins": 1,"#), "").is_err());
    }
}
