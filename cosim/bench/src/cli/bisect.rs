// SPDX-License-Identifier: Apache-2.0
//! `cosim bisect`: the commit whose RTL lets a case fail.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use super::options::ProcessOptions;
use crate::base::output::say;
use crate::case::replay::{Identity, Replay};
use crate::run::executor::fast_kind;
use crate::run::worker::Isolation;
use crate::shrink::Signature;
use crate::unit::history::History;
use crate::unit::target::{RtlOptions, Workshop, make_all};

/// Options of `cosim bisect`.
#[derive(Debug, clap::Args)]
pub struct BisectOptions {
    /// Replay file of the failing case
    pub file: PathBuf,
    /// A commit at which the case passes, an ancestor of the other
    #[arg(long, value_name = "REV")]
    pub good: String,
    /// A commit at which it fails
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub bad: String,
    /// Folder of the git repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repository: PathBuf,
    /// Folder in the repository with the RTL and its list tl.f [default: rtl/NAME, the name of the configuration]
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub process: ProcessOptions,
}

/// What a case does at a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Revision {
    Passes,
    Fails(Signature),
    /// The RTL cannot be run, for this reason.
    Unusable(String),
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Revision::Passes => f.write_str("passes"),
            Revision::Fails(signature) => write!(f, "fails: {signature}"),
            Revision::Unusable(why) => write!(f, "cannot be run: {why}"),
        }
    }
}

/// A case, and where the RTL that it runs on comes from.
struct Trial<'a> {
    workshop: &'a Workshop,
    history: History,
    isolation: Isolation,
    text: String,
    folder: String,
}

impl Trial<'_> {
    /// Runs the case on the RTL of a commit, and says what it did.
    fn of(&self, commit: &str) -> Result<Revision> {
        let verdict = self.run(commit).unwrap_or_else(|error| {
            let text = format!("{error:#}");
            Revision::Unusable(text.lines().next().unwrap_or_default().to_owned())
        });
        say!("{}\n  {verdict}", self.history.title(commit)?)?;
        Ok(verdict)
    }

    fn run(&self, commit: &str) -> Result<Revision> {
        let place = tempfile::tempdir().context("cannot create a folder for the RTL")?;
        let rtl = Some(self.history.extract(commit, &self.folder, place.path())?);
        let workshop = self.workshop.with(&RtlOptions { rtl, ..RtlOptions::default() })?;
        let Replay { target, origin, case, .. } = Replay::from_text(&workshop, self.text.as_bytes())?;
        make_all(std::slice::from_ref(&target), fast_kind(origin.fault))?;
        let failure = self.isolation.worker(&target, false).case(&Identity::new(&target), origin, &case)?;
        Ok(failure.map_or(Revision::Passes, |failure| Revision::Fails(Signature::of(&target, &failure))))
    }
}

/// `cosim bisect`: whether it is known which commit it is.
///
/// # Errors
/// For a file that cannot be replayed, for what is no commit, and when the case does not pass at the good one and fail
/// at the bad one.
pub fn run(workshop: &Workshop, options: &BisectOptions) -> Result<bool> {
    let name = options.file.display();
    let (replay, text) = Replay::load(workshop, &options.file)?;
    ensure!(replay.origin.fault == 0, "{name}: its fault is planted by the bench, and no commit has it");
    let folder = options.folder.clone().unwrap_or_else(|| format!("rtl/{}", replay.target.name()));
    let history = History::open(&options.repository)?;
    let (good, mut bad) = (history.commit(&options.good)?, history.commit(&options.bad)?);
    ensure!(
        good != bad && history.is_ancestor(&good, &bad)?,
        "--good {} is no ancestor of --bad {}; allowed: an older commit of the same history",
        options.good,
        options.bad
    );
    let isolation = options.process.isolation()?;
    let trial = Trial { workshop, history, isolation, text, folder };
    let before = trial.of(&good)?;
    ensure!(
        before == Revision::Passes,
        "at --good {} the case {before}; allowed: a commit at which it passes",
        options.good
    );
    let way = match trial.of(&bad)? {
        Revision::Fails(way) => way,
        other => bail!("at --bad {} the case {other}; allowed: a commit at which it fails", options.bad),
    };
    let (mut good, mut unknown) = (vec![good], Vec::new());
    let history = &trial.history;
    loop {
        let between = history.between(&good, &bad)?;
        let Some(next) = between.iter().find(|commit| !unknown.contains(*commit)).cloned() else {
            return conclude(&trial, &bad, &between);
        };
        match trial.of(&next)? {
            Revision::Passes => good.push(next),
            Revision::Fails(this) if this == way => bad = next,
            // Another error, before or after the one that is looked for, says nothing about it.
            Revision::Fails(_) | Revision::Unusable(_) => unknown.push(next),
        }
    }
}

/// Says which commit it is, or which it may be: `unknown` are those that might have it, beside `bad`.
fn conclude(trial: &Trial, bad: &str, unknown: &[String]) -> Result<bool> {
    let history = &trial.history;
    if unknown.is_empty() {
        say!("\nfirst bad commit: {}", history.title(bad)?)?;
        for file in history.changed(bad, &trial.folder)? {
            say!("  {file}")?;
        }
        return Ok(true);
    }
    say!("\none of these, of which all but the first cannot be run, or fail in another way:")?;
    for commit in [bad].into_iter().chain(unknown.iter().map(String::as_str)) {
        say!("  {}", history.title(commit)?)?;
    }
    Ok(false)
}
