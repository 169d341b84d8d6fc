// SPDX-License-Identifier: Apache-2.0
//! `collect`: the results of shards, as one run would report them.

use std::path::Path;

use anyhow::{Context, Result};

use super::report::{Outcome, ReportOptions, conclude};
use crate::base::ending::Ending;
use crate::cases::schedule::{Shard, Stopped};
use crate::cases::shards::{self, Left};
use crate::report::index;

/// Puts together what `random --shard I/N --results FILE` has left in a folder; `out` has the folders of the failing
/// cases.
///
/// # Errors
/// For files that cannot be read or written, and shards of different runs.
pub fn collect(folder: &Path, out: &Path, options: &ReportOptions) -> Result<Ending> {
    let (parts, lacking) = shards::read(folder, "", |text, path| {
        let parse = || -> Result<Outcome> {
            let part: Outcome = serde_json::from_value(shards::json(text)?)?;
            part.check().map(|()| part)
        };
        let part = parse().with_context(|| format!("{}: no results", path.display()))?;
        let interrupted = matches!(part.stopped, Some(Stopped::Signal(_)));
        let [unit, seed, bins] = [part.unit.clone(), part.seed.to_string(), part.sums.bins.join(", ")];
        let run = vec![("the unit", unit), ("--seed", seed), ("bins", bins)];
        Ok(Left { shard: part.shard, interrupted, run, part })
    })?;
    let outcomes: Vec<Outcome> = Outcome::merge(parts.into_values(), usize::MAX).into_iter().collect();
    outcomes.iter().try_for_each(Outcome::say_failures)?;
    index::report(&outcomes, Shard::WHOLE, out)?;
    conclude(&outcomes, &lacking, options)
}
