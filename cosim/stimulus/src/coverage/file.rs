// SPDX-License-Identifier: Apache-2.0
//! Coverage files: what was hit, by the names of the bins, for one or more configurations.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use rtl_config::Config;
use serde::{Deserialize, Serialize};

use super::bins::Bins;
use super::hits::Hits;
use crate::base::output::save;
use crate::unit::target::{Target, Workshop};

const FORMAT: &str = "cosim coverage";
const VERSION: u32 = 1;

/// Bytes that are read at most.
const LARGEST: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    format: String,
    version: u32,
    configurations: Vec<Part>,
}

/// The hits of one configuration as they are in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    config: String,
    /// Its parameters; those of the name when they are not there.
    #[serde(default)]
    toml: Option<String>,
    /// Hash of the table; a file of another table cannot be used.
    table: String,
    cases: u64,
    instructions: u64,
    hits: BTreeMap<String, u64>,
}

/// What was hit in one configuration.
pub struct Covered {
    pub target: Target,
    pub bins: Arc<Bins>,
    /// How often each was hit.
    pub hits: Hits,
}

/// What was hit in any number of configurations, by their names.
#[derive(Default)]
pub struct Coverage(pub BTreeMap<String, Covered>);

impl Coverage {
    pub fn add(&mut self, covered: Covered) {
        match self.0.get_mut(covered.target.name()) {
            Some(known) => known.hits.merge(&covered.hits),
            None => {
                self.0.insert(covered.target.name().to_owned(), covered);
            }
        }
    }

    /// Adds everything that another one has. The order of several does not matter.
    ///
    /// # Errors
    /// When both have a configuration of one name and different parameters.
    pub fn merge(&mut self, other: Coverage) -> Result<()> {
        for covered in other.0.into_values() {
            let name = covered.target.name();
            let same = self.0.get(name).is_none_or(|known| known.target.rtl == covered.target.rtl);
            ensure!(same, "configuration {name:?} has other parameters than in an earlier file");
            self.add(covered);
        }
        Ok(())
    }

    /// As the text of a file: the same text for the same hits.
    pub fn to_json(&self) -> Result<String> {
        let part = |Covered { target, bins, hits }: &Covered| {
            let counts = (0..bins.len()).filter(|&id| hits.count(id) > 0).map(|id| (bins.name(id), hits.count(id)));
            Part {
                config: target.name().to_owned(),
                toml: Some(target.rtl.to_toml()),
                table: format!("{:016x}", bins.hash()),
                cases: hits.cases,
                instructions: hits.instructions,
                hits: counts.collect(),
            }
        };
        let configurations = self.0.values().map(part).collect();
        let text = Text { format: FORMAT.to_owned(), version: VERSION, configurations };
        Ok(serde_json::to_string_pretty(&text)? + "\n")
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// For text that is not a coverage file of this program's table; the message says what is wrong.
    pub fn from_json(workshop: &Workshop, text: &str) -> Result<Coverage> {
        let value: serde_json::Value = serde_json::from_str(text).context("not JSON, or cut short")?;
        let format = value.get("format").and_then(serde_json::Value::as_str);
        ensure!(format == Some(FORMAT), "not a coverage file: \"format\" is not {FORMAT:?}");
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        ensure!(version == Some(VERSION.into()), "version {version:?} of the format; this program reads {VERSION}");
        let text: Text = serde_json::from_value(value).context("not a coverage file of this version")?;
        let mut coverage = Coverage::default();
        for part in text.configurations {
            let config = part.config.clone();
            let covered = read(workshop, part).with_context(|| format!("configuration {config:?}"))?;
            ensure!(coverage.0.insert(config.clone(), covered).is_none(), "configuration {config:?} is there twice");
        }
        Ok(coverage)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or as [`Coverage::from_json`].
    pub fn read(workshop: &Workshop, path: &Path) -> Result<Coverage> {
        let name = path.display();
        let text = files::read_text(path, LARGEST).with_context(|| format!("cannot read {name}"))?;
        Coverage::from_json(workshop, &text).with_context(|| format!("{name}"))
    }

    /// Writes a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        save(path, self.to_json()?.as_bytes())
    }
}

fn read(workshop: &Workshop, part: Part) -> Result<Covered> {
    let target = match &part.toml {
        Some(toml) => workshop.target_of(Config::from_toml(toml)?)?,
        None => workshop.target(&part.config)?,
    };
    ensure!(target.name() == part.config, "its parameters have the name {:?}", target.name());
    let bins = Bins::new(&target);
    let here = format!("{:016x}", bins.hash());
    ensure!(part.table == here, "made with coverage table {:?}; this program has {here}", part.table);
    let ids: BTreeMap<String, usize> = (0..bins.len()).map(|id| (bins.name(id), id)).collect();
    let mut hits = Hits::default();
    (hits.cases, hits.instructions) = (part.cases, part.instructions);
    for (name, count) in part.hits {
        let Some(&id) = ids.get(&name) else { bail!("there is no bin {name:?}") };
        ensure!(count > 0, "bin {name:?} has a count of 0");
        hits.add(id, count);
    }
    Ok(Covered { target, bins: Arc::new(bins), hits })
}
