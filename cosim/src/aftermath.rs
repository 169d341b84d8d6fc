// SPDX-License-Identifier: Apache-2.0
//! What is done about a failing case: its replay file is kept, it is made smaller, and the report is written.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::failure::Failure;
use crate::random::Case;
use crate::replay::{self, Identity};
use crate::shrink::{Budget, Signature, shrink};
use crate::target::Target;
use crate::triage::{self, Origin};
use crate::worker::Isolation;

/// The replay file of the case as it failed.
pub const ORIGINAL: &str = "original.json";
/// The replay file of the smaller case.
pub const REPLAY: &str = "replay.json";

/// What to do with failing cases.
pub struct Aftermath<'a> {
    /// Folder for what they leave behind.
    pub out: &'a Path,
    /// How cases run.
    pub isolation: &'a Isolation,
    /// How long making one smaller may take; `None` leaves it as it is.
    pub budget: Option<Budget>,
}

impl Aftermath<'_> {
    /// Leaves everything about a failing case in a folder of its own, and gives the report.
    ///
    /// # Errors
    /// When a file cannot be written, or no worker can be started.
    pub fn of(&self, target: &Target, origin: Origin, case: &Case, failure: &Failure) -> Result<String> {
        let folder = self.out.join(origin.name(target.name()));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let identity = Identity::new(target);
        replay::save(&folder.join(ORIGINAL), &identity, origin, case)?;
        let Some(budget) = self.budget else {
            let report = self.report(target, origin, case, failure, ORIGINAL)?;
            return Ok(format!("{report}  replay   cosim replay {}\n", folder.join(ORIGINAL).display()));
        };
        let mut worker = self.isolation.worker();
        let mut run = |case: &Case| worker.case(&identity, origin, case);
        let first = run(case)?;
        let signature = Signature::of(target, failure);
        let Some(first) = first.filter(|first| Signature::of(target, first) == signature) else {
            let report = self.report(target, origin, case, failure, ORIGINAL)?;
            return Ok(format!("{report}  note     the case did not fail again in the same way: it stays as it is\n"));
        };
        let shrunk = shrink(target, case, first, budget, &mut run)?;
        replay::save(&folder.join(REPLAY), &identity, origin, &shrunk.case)?;
        let mut report = self.report(target, origin, &shrunk.case, &shrunk.failure, REPLAY)?;
        report.push_str(&format!("  shrunk   {}\n", shrunk.summary()));
        report.push_str(&format!("  replay   cosim replay {}\n", folder.join(REPLAY).display()));
        Ok(report)
    }

    /// The report. `replay` is the name of the replay file in the folder.
    fn report(&self, target: &Target, origin: Origin, case: &Case, failure: &Failure, replay: &str) -> Result<String> {
        triage::write(target, origin, case, failure, &format!("cosim replay {replay}"), self.out)
    }
}
