// SPDX-License-Identifier: Apache-2.0
//! A folder of replay files that must pass.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use crate::lockstep::Counts;
use crate::lockstep::failure::Failure;
use crate::run::worker::Worker;

/// The replay files of `folder`, in the order of their names.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry.with_context(|| format!("cannot read {}", folder.display()))?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

/// Runs the replay file `path`, with the contents `text`, in `worker`, which must be one for its configuration; gives
/// how it went.
pub fn run(worker: &mut Worker, path: &Path, text: String) -> Result<Result<Counts, Box<Failure>>> {
    let done = worker.replay(text, None).map_err(|error| anyhow!("{}: {error:#}", path.display()))?;
    Ok(done.result.map(|passed| passed.counts))
}
