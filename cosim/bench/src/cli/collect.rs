// SPDX-License-Identifier: Apache-2.0
//! `cosim collect`: what the shards of a run left, as one run would report it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::ci::part::{self, Outcome, Part};
use super::ci::{Failed, ShardReport};
use super::options::{CollectOptions, CoverageOptions};
use super::random::conclude;
use crate::base::output::say;
use crate::coverage::file::Coverage;
use crate::lockstep::Counts;
use crate::lockstep::ports::UNSEEN;
use crate::run::schedule::{Shard, Stopped};
use crate::unit::target::Workshop;

/// `cosim collect`: gives whether all shards are there, ran to their end, and found no difference.
///
/// # Errors
/// For files that cannot be read or written, and shards of different runs.
pub fn run(workshop: &Workshop, options: &CollectOptions) -> Result<bool> {
    let CollectOptions { folder, reports, coverage, coverage_html } = options;
    let parts = read(folder)?;
    let files =
        CoverageOptions { coverage: coverage.clone(), coverage_html: coverage_html.clone(), ..Default::default() };
    let mut covered = Coverage::default();
    for (index, part) in parts.iter().filter(|_| files.asked()) {
        let text = part.coverage.as_deref();
        let text = text.with_context(|| format!("shard {index} was run without --coverage"))?;
        covered.merge(Coverage::from_json(workshop, text).with_context(|| format!("coverage of shard {index}"))?);
    }
    let shards = merge(&parts)?;
    for shard in &shards {
        say!("{}", shard.headline())?;
        shard.unseen.iter().try_for_each(|unseen| say!("{}: {unseen}", shard.name()))?;
        shard.failures.iter().try_for_each(|failed| say!("\n{}", failed.text))?;
        shard.several().try_for_each(|line| say!("{line}"))?;
    }
    let sound = conclude(&shards, &covered, &files)?;
    let missing = missing(&parts)?;
    reports.write(&shards, &missing)?;
    missing.iter().try_for_each(|line| say!("{line} is missing"))?;
    let most = parts.values().next().map_or(u64::MAX, |part| part.run.max_failures.into());
    for shard in shards.iter().filter(|shard| shard.failed_cases() >= most) {
        let name = shard.name();
        say!(
            "{name}: one run ends at failing case {most}; the shards went on, and the sums are over all that they ran"
        )?;
    }
    Ok(sound && missing.is_empty() && shards.iter().all(|shard| shard.failures.is_empty()))
}

/// What is in the folder, by the index of the shard.
fn read(folder: &Path) -> Result<BTreeMap<u64, Part>> {
    let name = folder.display();
    let mut parts: BTreeMap<u64, Part> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {name}"))? {
        let path = entry.with_context(|| format!("cannot read the folder {name}"))?.path();
        if !path.file_name().and_then(|name| name.to_str()).is_some_and(part::is_name) {
            continue;
        }
        let part = Part::read(&path)?;
        if let Some(first) = parts.values().next() {
            let same = first.run == part.run && first.shard()?.of() == part.shard()?.of();
            let (one, other) = (&first.shard, &part.shard);
            ensure!(same, "{name}: shards {one} and {other} are of different runs: {:?} and {:?}", first.run, part.run);
        }
        parts.insert(part.shard()?.index(), part);
    }
    ensure!(!parts.is_empty(), "no shard has left anything in {name} (shard-*.json, of --results)");
    Ok(parts)
}

/// The names of the shards that are not there, or did not run to their end.
fn missing(parts: &BTreeMap<u64, Part>) -> Result<Vec<String>> {
    let of = parts.values().next().map(Part::shard).transpose()?.map_or(0, Shard::of);
    let stopped = |outcome: &Outcome| matches!(outcome.stopped, Some(Stopped::Signal(_)));
    let whole = |index: &u64| parts.get(index).is_some_and(|part| !part.outcomes.iter().any(stopped));
    Ok((1..=of).filter(|index| !whole(index)).map(|index| format!("shard {index}/{of}")).collect())
}

/// All shards as one, for each configuration.
fn merge(parts: &BTreeMap<u64, Part>) -> Result<Vec<ShardReport>> {
    let run = &parts.values().next().context("no shard")?.run;
    let mut reports = Vec::new();
    for at in 0..run.configurations.len() {
        let outcomes: Vec<&Outcome> = parts.values().filter_map(|part| part.outcomes.get(at)).collect();
        let config = outcomes.first().context("no shard")?.config.clone();
        ensure!(outcomes.iter().all(|one| one.config == config), "configuration {config} has another name in a shard");
        let mut counts = Counts::default();
        outcomes.iter().for_each(|one| counts.add(&one.counts));
        let signal = outcomes.iter().map(|one| one.stopped).max_by_key(|stopped| match stopped {
            None => 0,
            Some(Stopped::Time) => 1,
            Some(Stopped::Signal(_)) => 2,
        });
        reports.push(ShardReport {
            config,
            shard: Shard::WHOLE,
            seed: run.seed,
            cases: outcomes.iter().map(|one| one.cases).sum(),
            hash: outcomes.iter().fold(0, |sum, one| sum.wrapping_add(one.hash)),
            counts,
            elapsed: outcomes.iter().map(|one| one.elapsed).sum::<Duration>(),
            stopped: signal.flatten(),
            unseen: outcomes.iter().any(|one| one.ports_only).then_some(UNSEEN),
            failures: failures(&outcomes, run.max_failures.into()),
        });
    }
    Ok(reports)
}

/// The failing cases in the order of their numbers, as many as one run would report: one entry for those that failed in
/// the same way, that of the lowest number, which is the first one in its shard, too.
fn failures(outcomes: &[&Outcome], most: usize) -> Vec<Failed> {
    let all = outcomes.iter().flat_map(|one| &one.failures);
    let numbers = |failed: &Failed| std::iter::once(failed.case).chain(failed.also.clone());
    let known: BTreeSet<u64> = all.clone().flat_map(numbers).collect();
    let known: BTreeSet<u64> = known.into_iter().take(most).collect();
    let mut merged: BTreeMap<&str, Failed> = BTreeMap::new();
    for failed in all {
        let entry = merged.entry(&failed.signature).or_insert_with(|| Failed { also: Vec::new(), ..failed.clone() });
        if failed.case < entry.case {
            let also = std::mem::take(&mut entry.also);
            *entry = Failed { also, ..failed.clone() };
        }
        entry.also.extend(numbers(failed));
    }
    let mut merged: Vec<Failed> = merged.into_values().filter(|failed| known.contains(&failed.case)).collect();
    for failed in &mut merged {
        let case = failed.case;
        failed.also.retain(|number| *number != case && known.contains(number));
        failed.also.sort_unstable();
    }
    merged.sort_by_key(|failed| failed.case);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(case: u64, signature: &str, also: &[u64]) -> Failed {
        let text = || format!("text of {case}");
        Failed { case, signature: signature.into(), headline: text(), again: text(), text: text(), also: also.to_vec() }
    }

    fn outcome(failures: Vec<Failed>) -> Outcome {
        let (config, counts, elapsed) = ("tiny".into(), Counts::default(), Duration::ZERO);
        Outcome { config, cases: 0, hash: 0, counts, elapsed, stopped: None, ports_only: false, failures }
    }

    #[test]
    fn a_way_to_fail_has_one_entry_that_of_its_first_case() {
        let one = outcome(vec![failed(4, "a", &[8]), failed(10, "b", &[])]);
        let other = outcome(vec![failed(3, "b", &[5]), failed(7, "a", &[9])]);
        let short = |most| {
            let merged = failures(&[&one, &other], most);
            merged.into_iter().map(|f| (f.case, f.signature, f.also, f.text)).collect::<Vec<_>>()
        };
        let entry =
            |case: u64, way: &str, also: &[u64]| (case, way.to_owned(), also.to_vec(), format!("text of {case}"));
        assert_eq!(short(100), [entry(3, "b", &[5, 10]), entry(4, "a", &[7, 8, 9])]);
        assert_eq!(short(3), [entry(3, "b", &[5]), entry(4, "a", &[])]);
        assert_eq!(short(1), [entry(3, "b", &[])]);
    }
}
