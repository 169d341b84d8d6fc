// SPDX-License-Identifier: Apache-2.0
//! `cosim collect`: what the shards of a run left, as one run would report it.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::ci::part::Part;
use super::ci::{Failed, LOOKED_INTO, MISSED, Outcome, ShardReport, buckets_page, ending, row};
use super::options::{CollectOptions, CoverageOptions};
use super::random::conclude;
use crate::base::ending::Ending;
use crate::base::interrupt::Interrupt;
use crate::base::output::say;
use crate::cases::{first_of_each, shards};
use crate::coverage::file::Coverage;
use crate::lockstep::Counts;
use crate::run::schedule::Shard;
use crate::unit::target::Workshop;

/// `cosim collect`: gives whether all shards are there, ran to their end, and found no difference.
///
/// # Errors
/// For files that cannot be read or written, and shards of different runs.
pub fn run(workshop: &Workshop, options: &CollectOptions) -> Result<bool> {
    let CollectOptions { folder, out, reports, coverage, coverage_html } = options;
    let (parts, missing) = shards::read(folder, "shard-", Part::left)?;
    let files =
        CoverageOptions { coverage: coverage.clone(), coverage_html: coverage_html.clone(), ..Default::default() };
    let mut covered = Coverage::default();
    for (index, part) in parts.iter().filter(|_| files.asked()) {
        let text = part.coverage.as_deref();
        let text = text.with_context(|| format!("shard {index} was run without --coverage"))?;
        let merged = Coverage::from_json(workshop, text).and_then(|part| covered.merge(part));
        merged.with_context(|| format!("coverage of shard {index}"))?;
    }
    let shards = merge(&parts)?;
    for shard in &shards {
        say!("{}", shard.headline())?;
        shard.unseen().iter().try_for_each(|unseen| say!("{}: {unseen}", shard.name()))?;
        shard.buckets().iter().try_for_each(|group| say!("\n{}", group.first().looked.text))?;
        shard.several().iter().try_for_each(|line| say!("{line}"))?;
    }
    let sound = conclude(&shards, &covered, &files)?;
    buckets_page::report(&shards, Shard::WHOLE, out)?;
    reports.write(&shards, &[], &missing)?;
    missing.iter().try_for_each(|line| say!("{line} is missing"))?;
    let most = parts.values().next().map_or(u64::MAX, |part| part.run.max_failures.into());
    for shard in shards.iter().filter(|shard| shard.failed_cases() >= most) {
        let name = shard.name();
        say!(
            "{name}: one run ends at failing case {most}; the shards went on, and the sums are over all that they ran"
        )?;
    }
    let of = parts.values().next().map(Part::shard).transpose()?.map_or(0, Shard::of);
    let lack = match missing.len() {
        0 => (!sound).then(|| MISSED.to_owned()),
        count => Some(format!("{count} of {of} shards are missing")),
    };
    let rows: Vec<_> = shards.iter().map(row).collect();
    Ok(ending(&shards, &rows, &Interrupt::default(), lack.as_deref())? == Ending::Clean)
}

/// All shards as one, for each configuration.
///
/// # Errors
/// When there is none, and when one of them calls a configuration otherwise.
pub fn merge(parts: &BTreeMap<u64, Part>) -> Result<Vec<ShardReport>> {
    let run = &parts.values().next().context("no shard")?.run;
    let mut reports = Vec::new();
    for at in 0..run.configurations.len() {
        let outcomes: Vec<&Outcome> = parts.values().filter_map(|part| part.outcomes.get(at)).collect();
        let config = outcomes.first().context("no shard")?.config.clone();
        ensure!(outcomes.iter().all(|one| one.config == config), "configuration {config} has another name in a shard");
        let mut counts = Counts::default();
        outcomes.iter().for_each(|one| counts.add(&one.counts));
        let outcome = Outcome {
            config,
            cases: outcomes.iter().fold(0, |sum, one| sum.saturating_add(one.cases)),
            hash: outcomes.iter().fold(0, |sum, one| sum.wrapping_add(one.hash)),
            counts,
            elapsed: outcomes.iter().fold(Duration::ZERO, |sum, one| sum.saturating_add(one.elapsed)),
            stopped: outcomes.iter().filter_map(|one| one.stopped).max(),
            ports_only: outcomes.iter().any(|one| one.ports_only),
            failures: failures(&outcomes, run.max_failures.into()),
        };
        reports.push(ShardReport { shard: Shard::WHOLE, seed: run.seed, outcome });
    }
    Ok(reports)
}

/// The failing cases in the order of their numbers, as many as one run would report, and of each way to fail as many
/// looked into: those with the lowest numbers, which are the first ones in their shards, too.
fn failures(outcomes: &[&Outcome], most: usize) -> Vec<Failed> {
    let all: BTreeMap<u64, &Failed> =
        outcomes.iter().flat_map(|one| &one.failures).map(|failed| (failed.case, failed)).collect();
    let first: Vec<&Failed> = all.into_values().take(most).collect();
    let chosen = first_of_each(first.iter().map(|failed| &*failed.signature), LOOKED_INTO);
    let merged = |(failed, chosen): (&Failed, bool)| Failed {
        looked: failed.looked.clone().filter(|_| chosen),
        ..failed.clone()
    };
    first.into_iter().zip(chosen).map(merged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::aftermath::Looked;
    use crate::triage::bucket::Bucket;

    fn failed(case: u64, signature: &str, looked: bool) -> Failed {
        let text = || format!("text of {case}");
        let (places, engine) = (String::new(), String::new());
        let bucket = Bucket { signature: signature.into(), places, engine, program: Vec::new() };
        let looked = looked.then(|| Looked {
            headline: text(),
            again: text(),
            here: text(),
            text: text(),
            nearby: String::new(),
            bucket,
            size: (1, 0),
            folder: text(),
        });
        Failed { case, signature: signature.into(), looked }
    }

    fn outcome(failures: Vec<Failed>) -> Outcome {
        let (config, counts, elapsed) = ("tiny".into(), Counts::default(), Duration::ZERO);
        Outcome { config, cases: 0, hash: 0, counts, elapsed, stopped: None, ports_only: false, failures }
    }

    #[test]
    fn the_first_cases_of_each_way_are_looked_into_as_in_one_run() {
        // Each shard has looked into its first eight of a way.
        let of_shard = |start: u64| -> Vec<Failed> {
            let cases = (0..12).map(|n| failed(2 * n + start, if n == 5 { "b" } else { "a" }, n == 5 || n < 9));
            cases.collect()
        };
        let (one, other) = (outcome(of_shard(0)), outcome(of_shard(1)));
        let short = |most| {
            let merged = failures(&[&one, &other], most);
            merged.into_iter().map(|f| (f.case, f.signature, f.looked.is_some())).collect::<Vec<_>>()
        };
        let cases: Vec<_> = short(1000);
        assert_eq!(cases.iter().map(|case| case.0).collect::<Vec<_>>(), (0..24).collect::<Vec<_>>());
        let looked = |way: &str| -> Vec<u64> {
            cases.iter().filter(|case| case.2 && case.1 == way).map(|case| case.0).collect()
        };
        assert_eq!((looked("a"), looked("b")), ((0..8).collect(), vec![10, 11]));
        assert_eq!(short(3), cases[..3]);
    }
}
