// SPDX-License-Identifier: Apache-2.0
//! A case as a file.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::case::Case;
use super::models::Target;
use super::unit::Unit;
use crate::base::draw::{FNV_START, fnv};
use crate::base::output::save_inside;
use crate::model::source::digest;
use crate::replay::{self, Format, Origin, ReplayError, check_hash, note_of_rtl, number, number16};

/// Up to version 1 the files had no `format`.
const FORMAT: Format = Format { name: "unit replay", versions: 2..=2 };

/// What a replay file has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<S> {
    format: String,
    version: u64,
    /// Name of the unit.
    unit: String,
    /// Hash of the RTL that it was made with.
    rtl: String,
    origin: Origin,
    /// How it failed when the file was written.
    signature: String,
    /// Hash of the case.
    stimulus: Option<String>,
    power_up: String,
    steps: Vec<S>,
}

/// A case of a file.
#[derive(Debug)]
pub struct Replay<S> {
    pub unit: String,
    pub origin: Origin,
    pub case: Case<S>,
    rtl: String,
}

/// Writes the replay file of `case`, which fails with this signature.
pub fn write<U: Unit>(
    path: &Path,
    target: &Target<U>,
    origin: Origin,
    signature: &str,
    case: &Case<U::Step>,
) -> Result<()> {
    let file = File {
        format: FORMAT.name.into(),
        version: *FORMAT.versions.end(),
        unit: target.unit.name().into(),
        rtl: number16(digest(target.sources().all())),
        origin,
        signature: signature.into(),
        stimulus: Some(number16(hash(case)?)),
        power_up: number16(case.power_up),
        steps: case.steps.iter().collect(),
    };
    save_inside(path, &replay::text(&file)?)
}

impl<S: Serialize + serde::de::DeserializeOwned> Replay<S> {
    pub fn read(path: &Path) -> Result<Replay<S>> {
        let text = replay::read(path)?;
        let replay = Replay::from_text(text.as_bytes());
        replay.with_context(|| format!("{} is no replay file", path.display()))
    }

    fn from_text(text: &[u8]) -> Result<Replay<S>, ReplayError> {
        let File { unit, origin, rtl, stimulus, power_up, steps, .. } = FORMAT.parse(text)?;
        let case = Case { power_up: number("power_up", &power_up, 16)?, steps };
        check_hash(stimulus.as_deref(), hash(&case)?)?;
        Ok(Replay { unit, origin, case, rtl })
    }

    /// What is different from when the file was made, and does not prevent running it.
    pub fn note<U: Unit>(&self, target: &Target<U>) -> Result<Option<String>> {
        Ok(note_of_rtl("rtl", &self.rtl, digest(target.sources().all()), &self.unit)?)
    }
}

/// A hash of everything that the unit is given.
pub fn hash<S: Serialize>(case: &Case<S>) -> serde_json::Result<u64> {
    Ok(fnv(FNV_START, serde_json::to_string(case)?.as_bytes()))
}
