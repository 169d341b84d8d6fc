// SPDX-License-Identifier: Apache-2.0
//! `cosim bisect`: the commit whose RTL lets a case fail.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::options::ProcessOptions;
use crate::bisect::{Range, first_bad};
use crate::case::replay::{Identity, Replay};
use crate::shrink::Signature;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{RtlOptions, Workshop};

/// Options of `cosim bisect`.
#[derive(Debug, clap::Args)]
pub struct BisectOptions {
    /// Replay file of the failing case
    pub file: PathBuf,
    #[command(flatten)]
    pub range: Range,
    /// Folder in the repository with the RTL and its list tl.f [default: rtl/NAME, the name of the configuration]
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    #[command(flatten)]
    pub process: ProcessOptions,
}

/// `cosim bisect`: whether it is known which commit it is.
///
/// # Errors
/// For a file that cannot be replayed, for what is no commit, and when the case does not pass at the good one and fail
/// at the bad one.
pub fn run(workshop: &Workshop, options: &BisectOptions) -> Result<bool> {
    let BisectOptions { file, range, folder, process } = options;
    let (replay, text) = Replay::load(workshop, file)?;
    ensure!(replay.origin.fault == 0, "{}: its fault is planted by the bench, and no commit has it", file.display());
    let folder = folder.clone().unwrap_or_else(|| format!("rtl/{}", replay.target.name()));
    let isolation = process.isolation();
    first_bad(range, &folder, |rtl| {
        let workshop = workshop.with(&RtlOptions { rtl: Some(rtl.to_owned()), ..RtlOptions::default() })?;
        let Replay { target, origin, case, .. } = Replay::from_text(&workshop, text.as_bytes())?;
        make_all(std::slice::from_ref(&target), ModelKind::for_run(origin.fault, false))?;
        let failure = isolation.worker(&target, false).case(&Identity::new(&target), origin, &case)?;
        Ok(failure.map(|failure| Signature::of_failure(&target, &failure)))
    })
}
