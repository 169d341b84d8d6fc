// SPDX-License-Identifier: Apache-2.0
//! The commit whose RTL lets a case fail.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::base::output::say;

mod history;

use history::History;

/// What a case does at a commit.
enum Revision<W> {
    Passes,
    Fails(W),
    /// The RTL cannot be run, for this reason.
    Unusable(String),
}

impl<W: Display> Display for Revision<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Revision::Passes => f.write_str("passes"),
            Revision::Fails(way) => write!(f, "fails: {way}"),
            Revision::Unusable(why) => write!(f, "cannot be run: {why}"),
        }
    }
}

/// Where to look.
#[derive(Clone, Debug, clap::Args)]
pub struct Range {
    /// A commit at which the case passes, an ancestor of the other
    #[arg(long, value_name = "REV")]
    pub good: String,
    /// A commit at which it fails
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub bad: String,
    /// Folder of the git repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repository: PathBuf,
}

/// Finds and prints the first commit at which a case fails in the way in which it does at the bad one; whether it is
/// one. `run` runs the case on the RTL of a commit, which is that of `folder` in the repository, and gives the way in
/// which it fails; an error says that it cannot be run.
///
/// # Errors
/// For what is no commit, and when the case does not pass at the good one and fail at the bad one.
pub fn first_bad<W: Display + PartialEq>(
    Range { good: good_name, bad: bad_name, repository }: &Range,
    folder: &str,
    run: impl Fn(&Path) -> Result<Option<W>>,
) -> Result<bool> {
    let history = &History::open(repository)?;
    let (good, mut bad) = (history.commit(good_name)?, history.commit(bad_name)?);
    ensure!(
        good != bad && history.is_ancestor(&good, &bad)?,
        "--good {good_name} is no ancestor of --bad {bad_name}; allowed: an older commit of the same history"
    );
    let at = |commit: &str| -> Result<Revision<W>> {
        let place = tempfile::tempdir().context("cannot create a folder for the RTL")?;
        let revision = match history.extract(commit, folder, place.path()).and_then(|rtl| run(&rtl)) {
            Ok(way) => way.map_or(Revision::Passes, Revision::Fails),
            Err(error) => Revision::Unusable(format!("{error:#}").lines().next().unwrap_or_default().to_owned()),
        };
        say!("{}\n  {revision}", history.title(commit)?)?;
        Ok(revision)
    };
    match at(&good)? {
        Revision::Passes => {}
        other => bail!("at --good {good_name} the case {other}; allowed: a commit at which it passes"),
    }
    let way = match at(&bad)? {
        Revision::Fails(way) => way,
        other => bail!("at --bad {bad_name} the case {other}; allowed: a commit at which it fails"),
    };
    let (mut good, mut unknown) = (vec![good], Vec::new());
    loop {
        let between = history.between(&good, &bad)?;
        let Some(next) = between.iter().find(|commit| !unknown.contains(*commit)).cloned() else {
            return conclude(history, folder, &bad, &between);
        };
        match at(&next)? {
            Revision::Passes => good.push(next),
            Revision::Fails(this) if this == way => bad = next,
            // Another error, before or after the one that is looked for, says nothing about it.
            Revision::Fails(_) | Revision::Unusable(_) => unknown.push(next),
        }
    }
}

/// Says which commit it is, or which it may be: `unknown` are those that might have it, beside `bad`.
fn conclude(history: &History, folder: &str, bad: &str, unknown: &[String]) -> Result<bool> {
    if unknown.is_empty() {
        say!("\nfirst bad commit: {}", history.title(bad)?)?;
        for file in history.changed(bad, folder)? {
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
