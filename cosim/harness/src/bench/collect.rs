// SPDX-License-Identifier: Apache-2.0
//! `collect`: the results of shards, as one run would report them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::report::{Part, ReportOptions, conclude};
use crate::base::ending::Ending;
use crate::cases::schedule::{Shard, Stopped};

/// Puts together what `random --shard I/N --results FILE` has left in a folder.
///
/// # Errors
/// For files that cannot be read, and shards of different runs.
pub fn collect(folder: &Path, options: &ReportOptions) -> Result<Ending> {
    let name = folder.display();
    let mut shards: BTreeMap<u64, Part> = BTreeMap::new();
    let mut whole = Shard::WHOLE;
    for path in files::in_folder(folder).with_context(|| format!("cannot read the folder {name}"))? {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = files::read_text(&path, files::TABLE).with_context(|| format!("cannot read {}", path.display()))?;
        let part: Part = serde_json::from_str(&text).with_context(|| format!("{}: no results", path.display()))?;
        let shard: Shard = part.shard.parse().map_err(anyhow::Error::msg)?;
        if let Some(first) = shards.values().next() {
            let same = first.unit == part.unit
                && first.seed == part.seed
                && first.bins == part.bins
                && whole.of() == shard.of();
            ensure!(same, "{}: shard {} is of another run than shard {}", path.display(), part.shard, first.shard);
        }
        whole = shard;
        shards.insert(shard.index(), part);
    }
    ensure!(!shards.is_empty(), "no shard has left anything in {name} (files .json, of --results)");
    let stopped = |part: &Part| matches!(part.stopped, Some(Stopped::Signal(_)));
    let lacking = (1..=whole.of()).filter(|index| shards.get(index).is_none_or(stopped));
    let lacking: Vec<String> = lacking.map(|index| format!("shard {index}/{}", whole.of())).collect();
    conclude(&merge(shards.into_values()).into_iter().collect::<Vec<_>>(), &lacking, options)
}

fn merge(parts: impl Iterator<Item = Part>) -> Option<Part> {
    let mut merged = parts.reduce(|mut sum, part| {
        sum.cases += part.cases;
        sum.steps += part.steps;
        sum.cycles += part.cycles;
        sum.hash = sum.hash.wrapping_add(part.hash);
        sum.seconds += part.seconds;
        sum.stopped = sum.stopped.or(part.stopped);
        sum.hits.resize(sum.hits.len().max(part.hits.len()), 0);
        sum.hits.iter_mut().zip(&part.hits).for_each(|(sum, more)| *sum += more);
        sum.failures.extend(part.failures);
        sum
    })?;
    merged.shard = Shard::WHOLE.to_string();
    merged.failures.sort_by_key(|found| found.case);
    Some(merged)
}
