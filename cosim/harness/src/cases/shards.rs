// SPDX-License-Identifier: Apache-2.0
//! What the shards of a run left, each a file in one folder.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::schedule::Shard;

/// What one shard left.
pub struct Left<P> {
    /// Which of the shards.
    pub shard: Shard,
    /// A signal ended it.
    pub interrupted: bool,
    /// What all shards of a run share: how it is called, and what it is.
    pub run: Vec<(&'static str, String)>,
    /// What its cases came to.
    pub part: P,
}

/// The parts of a run by the index of the shard, at least one, and the names of those that are not there or did not run
/// to their end. `parse` takes the contents of a file and its name, which begins with `prefix`.
///
/// # Errors
/// For a folder and files that cannot be read, and shards of different runs.
pub fn read<P>(
    folder: &Path,
    prefix: &str,
    parse: impl Fn(&str, &Path) -> Result<Left<P>>,
) -> Result<(BTreeMap<u64, P>, Vec<String>)> {
    let name = folder.display();
    let mut all: BTreeMap<u64, Left<P>> = BTreeMap::new();
    for path in files::in_folder(folder).with_context(|| format!("cannot read the folder {name}"))? {
        let of_shard = |name: &str| name.starts_with(prefix) && name.ends_with(".json");
        if !path.file_name().and_then(|name| name.to_str()).is_some_and(of_shard) {
            continue;
        }
        let text = files::read_text(&path, files::TABLE).with_context(|| format!("cannot read {}", path.display()))?;
        let mut left = parse(&text, &path)?;
        left.run.insert(0, ("the number of shards", left.shard.count().to_string()));
        if let Some(first) = all.values().next()
            && let Some(((what, one), (_, other))) = first.run.iter().zip(&left.run).find(|(one, other)| one != other)
        {
            let shards = format!("{name}: shards {} and {}", first.shard, left.shard);
            bail!("{shards} are of different runs: {what} is {one} in the first, {other} in the second");
        }
        all.insert(left.shard.index(), left);
    }
    let of = all.values().next().map_or(0, |left| left.shard.count());
    ensure!(of > 0, "no shard has left anything in {name} ({prefix}*.json, of --results)");
    let missing = (1..=of).filter(|index| all.get(index).is_none_or(|left| left.interrupted));
    let missing = missing.map(|index| format!("shard {index}/{of}")).collect();
    Ok((all.into_iter().map(|(index, left)| (index, left.part)).collect(), missing))
}

/// The JSON that somebody else may have written, with all texts as a terminal may get them.
///
/// # Errors
/// When it is none.
pub fn json(text: &str) -> Result<Value> {
    let mut value = serde_json::from_str(text).context("not JSON, or cut short")?;
    without_controls(&mut value);
    Ok(value)
}

fn without_controls(value: &mut Value) {
    match value {
        Value::String(text) => *text = files::escaped(text),
        Value::Array(values) => values.iter_mut().for_each(without_controls),
        Value::Object(fields) => {
            let plain = |(name, mut value): (String, Value)| {
                without_controls(&mut value);
                (files::escaped(&name), value)
            };
            *fields = std::mem::take(fields).into_iter().map(plain).collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
