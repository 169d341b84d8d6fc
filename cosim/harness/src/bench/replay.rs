// SPDX-License-Identifier: Apache-2.0
//! A case as a file.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::case::Case;
use super::unit::Unit;
use crate::base::output::save_inside;

/// Version of the form of the file.
const VERSION: u32 = 1;

/// What a replay file has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay<S> {
    version: u32,
    /// Name of the unit.
    pub unit: String,
    /// Seed and number of the random case that it was at first.
    pub seed: u64,
    pub number: u64,
    /// The planted fault, 0 for none.
    pub fault: u32,
    /// How it failed when the file was written.
    pub signature: String,
    pub case: Case<S>,
}

impl<S: Serialize + serde::de::DeserializeOwned> Replay<S> {
    pub fn new<U: Unit<Step = S>>(
        unit: &U,
        [seed, number]: [u64; 2],
        fault: u32,
        signature: &str,
        case: Case<S>,
    ) -> Replay<S> {
        Replay { version: VERSION, unit: unit.name().into(), seed, number, fault, signature: signature.into(), case }
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        save_inside(path, &(serde_json::to_string_pretty(self)? + "\n"))
    }

    pub fn read(path: &Path) -> Result<Replay<S>> {
        let name = path.display();
        let text = files::read_text(path, files::TABLE).with_context(|| format!("cannot read {name}"))?;
        let replay: Replay<S> = serde_json::from_str(&text).with_context(|| format!("{name} is no replay file"))?;
        ensure!(replay.version == VERSION, "{name}: version {}; allowed: {VERSION}", replay.version);
        Ok(replay)
    }
}
