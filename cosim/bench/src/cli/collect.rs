// SPDX-License-Identifier: Apache-2.0
//! `cosim collect`: what the shards of a run left, as one run would report it.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::ci::part::Part;
use super::ci::{MISSED, Outcome, ending, row};
use super::options::{CollectOptions, CoverageOptions};
use super::random::conclude;
use crate::base::ending::Ending;
use crate::base::interrupt::Interrupt;
use crate::base::output::say;
use crate::cases::shards;
use crate::coverage::file::Coverage;
use crate::report::{Reported, index};
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
        shard.sums.note().iter().try_for_each(|note| say!("{}: {note}", shard.name()))?;
        shard.say_failures()?;
    }
    let sound = conclude(&shards, &covered, &files)?;
    index::report(&shards, Shard::WHOLE, out)?;
    reports.write(&shards, &[], &missing)?;
    missing.iter().try_for_each(|line| say!("{line} is missing"))?;
    let most = parts.values().next().map_or(u64::MAX, |part| part.run.max_failures.into());
    for shard in shards.iter().filter(|shard| shard.failed_cases() >= most) {
        let name = shard.name();
        say!(
            "{name}: one run ends at failing case {most}; the shards went on, and the sums are over all that they ran"
        )?;
    }
    let of = parts.values().next().map(Part::shard).transpose()?.map_or(0, Shard::count);
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
pub fn merge(parts: &BTreeMap<u64, Part>) -> Result<Vec<Outcome>> {
    let run = &parts.values().next().context("no shard")?.run;
    let merged = |at: usize| {
        let outcomes: Vec<&Outcome> = parts.values().filter_map(|part| part.outcomes.get(at)).collect();
        let config = &outcomes.first().context("no shard")?.unit;
        ensure!(outcomes.iter().all(|one| one.unit == *config), "configuration {config} has another name in a shard");
        Outcome::merge(outcomes.into_iter().cloned(), run.max_failures.into()).context("no shard")
    };
    (0..run.configurations.len()).map(merged).collect()
}
