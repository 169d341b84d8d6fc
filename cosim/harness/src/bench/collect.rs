// SPDX-License-Identifier: Apache-2.0
//! `collect`: the results of shards, as one run would report them.

use std::path::Path;

use anyhow::{Context, Result};

use super::report::{Part, ReportOptions, conclude};
use crate::base::ending::Ending;
use crate::cases::Sum;
use crate::cases::schedule::{Shard, Stopped};
use crate::cases::shards::{self, Left};

/// Puts together what `random --shard I/N --results FILE` has left in a folder.
///
/// # Errors
/// For files that cannot be read, and shards of different runs.
pub fn collect(folder: &Path, options: &ReportOptions) -> Result<Ending> {
    let (parts, lacking) = shards::read(folder, "", |text, path| {
        let part: Part = serde_json::from_str(text).with_context(|| format!("{}: no results", path.display()))?;
        let shard = part.shard.parse().map_err(anyhow::Error::msg)?;
        let interrupted = matches!(part.stopped, Some(Stopped::Signal(_)));
        let [unit, seed, bins] = [part.unit.clone(), part.seed.to_string(), part.bins.join(", ")];
        Ok(Left { shard, interrupted, run: vec![("the unit", unit), ("--seed", seed), ("bins", bins)], part })
    })?;
    conclude(&merge(parts.into_values()).into_iter().collect::<Vec<_>>(), &lacking, options)
}

fn merge(parts: impl Iterator<Item = Part>) -> Option<Part> {
    let mut merged = parts.reduce(|mut sum, part| {
        sum.cases += part.cases;
        sum.sums.add(part.sums);
        sum.hash = sum.hash.wrapping_add(part.hash);
        sum.seconds += part.seconds;
        sum.stopped = sum.stopped.max(part.stopped);
        sum.failures.extend(part.failures);
        sum
    })?;
    merged.shard = Shard::WHOLE.to_string();
    merged.failures.sort_by_key(|found| found.case);
    Some(merged)
}
