// SPDX-License-Identifier: Apache-2.0
//! What a shard leaves for `cosim collect`: a file of its own, which is there when the shard is done and not before.
//! One that is run again leaves the same file.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::Outcome;
use crate::cases::shards::{self, Left};
use crate::cli::options::CiOptions;
use crate::cli::session::Session;
use crate::coverage::file::Coverage;
use crate::run::schedule::{Shard, Stopped};
use crate::unit::target::Target;

const FORMAT: &str = "cosim shard";
const VERSION: u32 = 5;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    format: String,
    version: u32,
    /// What all shards of the run share.
    pub run: Run,
    /// Which of them: I/N.
    pub shard: String,
    /// What it did, in the order of the run's configurations.
    pub outcomes: Vec<Outcome>,
    /// The contents of a coverage file, when that was asked for.
    pub coverage: Option<String>,
}

/// What decides about the stimulus of a run, and what it is applied to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// This program's version.
    pub cosim: String,
    pub seed: u64,
    /// Instructions for each configuration.
    pub instructions: u64,
    /// Planted faults, which take turns.
    pub faults: Vec<u32>,
    /// Failing cases that end a shard of a configuration.
    pub max_failures: u16,
    /// The configurations, as text, with the hash of their RTL.
    pub configurations: Vec<(String, String)>,
}

impl Part {
    /// Of a run that is over.
    pub fn new(
        targets: &[Target],
        session: &Session,
        job: &CiOptions,
        shards: &[Outcome],
        covered: Option<&Coverage>,
    ) -> Result<Part> {
        let unit = |target: &Target| (target.rtl.to_toml(), format!("{:016x}", target.models.digest()));
        let run = Run {
            cosim: env!("CARGO_PKG_VERSION").to_owned(),
            seed: session.plan.seed,
            instructions: session.plan.instructions,
            faults: session.faults.to_vec(),
            max_failures: job.max_failures,
            configurations: targets.iter().map(unit).collect(),
        };
        let coverage = covered.map(Coverage::to_json).transpose()?;
        let (format, shard, outcomes) = (FORMAT.to_owned(), job.shard.to_string(), shards.to_vec());
        Ok(Part { format, version: VERSION, run, shard, outcomes, coverage })
    }

    /// Writes the file of the shard into `folder`, whole or not at all.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join(name(self.shard()?));
        let save = || -> Result<()> {
            // As readable as other files: who collects may be somebody else.
            let readable = Permissions::from_mode(0o666);
            let mut file = tempfile::Builder::new().permissions(readable).tempfile_in(folder)?;
            file.write_all(serde_json::to_string(self)?.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        save().with_context(|| format!("cannot write {}", path.display()))
    }

    pub fn shard(&self) -> Result<Shard> {
        self.shard.parse().map_err(|error| anyhow::anyhow!("the field `shard` is {:?}: {error}", self.shard))
    }

    /// Reads what a shard has left.
    ///
    /// # Errors
    /// When it is none, or has another name than it should.
    pub fn left(text: &str, path: &Path) -> Result<Left<Part>> {
        let part = Part::parse(text, path).with_context(|| format!("{} is not what a shard leaves", path.display()))?;
        let Part { run, outcomes, .. } = &part;
        let join = |texts: &mut dyn Iterator<Item = &str>| texts.collect::<Vec<_>>().join("; ");
        let run = vec![
            ("the version", run.cosim.clone()),
            ("--seed", run.seed.to_string()),
            ("--count", run.instructions.to_string()),
            ("--fault", format!("{:?}", run.faults)),
            ("--max-failures", run.max_failures.to_string()),
            ("--config", join(&mut outcomes.iter().map(|outcome| &*outcome.unit))),
            ("the configuration", join(&mut run.configurations.iter().flat_map(|(toml, _)| toml.lines()))),
            ("the hash of the RTL", join(&mut run.configurations.iter().map(|(_, digest)| &**digest))),
        ];
        let interrupted = outcomes.iter().any(|outcome| matches!(outcome.stopped, Some(Stopped::Signal(_))));
        Ok(Left { shard: part.shard()?, interrupted, run, part })
    }

    /// The contents of the file `path`.
    pub fn parse(text: &str, path: &Path) -> Result<Part> {
        let value = shards::json(text)?;
        let format = value.get("format").and_then(serde_json::Value::as_str);
        ensure!(format == Some(FORMAT), "the field `format` is not {FORMAT:?}");
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        ensure!(version == Some(VERSION.into()), "version {version:?} of the format; this program reads {VERSION}");
        let part: Part = serde_json::from_value(value)?;
        let expected = name(part.shard()?);
        ensure!(path.file_name().is_some_and(|name| name == expected.as_str()), "it should be called {expected}");
        ensure!(part.outcomes.len() == part.run.configurations.len(), "outcomes and configurations do not match");
        part.outcomes.iter().try_for_each(Outcome::check)?;
        Ok(part)
    }
}

/// Finds out now, and not after the run, whether the folder can be written; it is made when it is missing.
pub fn reserve(folder: &Path) -> Result<()> {
    let cannot = || format!("cannot write to the folder {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    tempfile::NamedTempFile::new_in(folder).map(drop).with_context(cannot)
}

/// The name of the file of a shard.
pub fn name(shard: Shard) -> String {
    format!("shard-{:05}-of-{:05}.json", shard.index(), shard.count())
}
