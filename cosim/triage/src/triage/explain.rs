// SPDX-License-Identifier: Apache-2.0
//! A failing case is explained: its replay file is kept, it is made smaller, and the report is written.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::base::parallel::in_scope;
use crate::case::Case;
use crate::case::Origin;
use crate::case::replay::{self, Identity};
use crate::lockstep::failure::Failure;
use crate::report::Explained;
use crate::run::interrupt::Interrupt;
use crate::run::worker::Isolation;
use crate::shrink::neighbours::{self, neighbours};
use crate::shrink::{Budget, Interrupted, Run, Shrunk, Signature, shrink};
use crate::triage::bucket::bucket;
use crate::triage::{self, Commands, FolderWriter, Subject, report};
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// The replay file of the case as it failed.
pub const ORIGINAL: &str = "original.json";
/// The replay file of the smaller case.
pub const REPLAY: &str = "replay.json";

/// What makes failing cases smaller, and explains them.
pub struct Explainer<'a> {
    /// Folder for what they leave behind.
    pub out: &'a Path,
    pub isolation: &'a Isolation,
    /// Whether a case is made smaller.
    pub shrink: bool,
    /// After a signal a case is made no smaller, and waits no longer than a moment for its process.
    pub interrupt: &'a Interrupt,
}

impl Explainer<'_> {
    /// Leaves everything about a failing case in a folder of its own, and gives what was found; `again` is the command
    /// that makes the case again. Of a folder that cannot be written it says why, behind the failure.
    pub fn explain(&self, target: &Target, origin: Origin, case: &Case, failure: &Failure, again: &str) -> Explained {
        self.try_to_explain(target, origin, case, failure, again).unwrap_or_else(|error| {
            let Origin { seed, case: number, .. } = origin;
            let text = format!(
                "{}  seed     {seed}, case {number}, stimulus {:016x}\n  again    {again}\n  note     not looked into: {}\n",
                report::text(target, failure),
                case.hash(),
                files::printable(&format!("{error:#}"))
            );
            Explained {
                headline: report::headline(&failure.cause),
                again: again.to_owned(),
                here: String::new(),
                text,
                nearby: String::new(),
                bucket: bucket(target, failure, None),
                size: size(case),
                size_text: size_text(case),
                folder: String::new(),
            }
        })
    }

    fn try_to_explain(
        &self,
        target: &Target,
        origin: Origin,
        case: &Case,
        failure: &Failure,
        again: &str,
    ) -> Result<Explained> {
        let name = origin.name(target.name());
        let found = report::headline(&failure.cause);
        let folder = self.out.join(&name);
        files::create_inside(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let identity = Identity::new(target);
        replay::save_inside(&folder.join(ORIGINAL), &identity, origin, case)?;
        let mut worker = self.isolation.worker(target, origin.fault != 0).hurried_by(self.interrupt);
        let mut run = |case: &Case| {
            let failure = worker.case(&identity, origin, case)?;
            // It may have been ended because of that.
            if self.interrupt.signal().is_some() { bail!(Interrupted) } else { Ok(failure) }
        };
        let small = match self.shrink {
            true => std::thread::scope(|scope| {
                // Made meanwhile. If it cannot be, the folder says so.
                in_scope(scope, || target.models.make(ModelKind::for_run(origin.fault, true)))?;
                smaller(target, case, failure, self.isolation.budget(), &mut run)
            })?,
            false => None,
        };
        let nearby = match &small {
            Some(small) => neighbours::text(&neighbours(target, &small.case, &small.failure, &mut run)?),
            None => String::new(),
        };
        if let Some(shrunk) = &small {
            replay::save_inside(&folder.join(REPLAY), &identity, origin, &shrunk.case)?;
        }
        let (case, failure, file) = match &small {
            Some(shrunk) => (&shrunk.case, &*shrunk.failure, REPLAY),
            None => (case, failure, ORIGINAL),
        };
        let text = replay::text(&identity, origin, case)?;
        let failure = worker.track(text, Box::new(failure.clone()))?;
        let headline = report::headline(&failure.cause);
        let writer = FolderWriter { worker: &mut worker, identity: &identity, origin };
        let write = |subject: &Subject, failure: &Failure, folder: &Path| writer.write(subject, failure, folder);
        let commands = Commands { again, here: &target.replay(&folder, Path::new(file)) };
        let mut report = triage::write(target, origin, case, (&failure, &nearby), commands, self.out, write)?;
        if !nearby.is_empty() {
            report.push_str(&format!("  fails    {nearby}\n"));
        }
        if headline != found {
            report.push_str(&format!("  found    {found}, before it was shrunk\n"));
        }
        match &small {
            Some(shrunk) => report.push_str(&format!("  shrunk   {}\n", shrunk.summary())),
            None if self.shrink && self.interrupt.signal().is_some() => {
                report.push_str("  note     interrupted: the case stays as it is\n");
            }
            None if self.shrink => {
                report.push_str("  note     the case did not fail again in the same way: it stays as it is\n");
            }
            None => {}
        }
        report.push_str(&format!("  replay   {}\n", target.replay(Path::new(""), &folder.join(file))));
        let here = target.replay(self.out, &Path::new(&name).join(file));
        let bucket = bucket(target, &failure, small.as_ref().map(|small| &small.case));
        let (again, size, size_text) = (again.to_owned(), size(case), size_text(case));
        Ok(Explained { headline, again, here, text: report, nearby, bucket, size, size_text, folder: name })
    }
}

fn size(case: &Case) -> (usize, usize) {
    (case.program.len(), case.preload.len())
}

fn size_text(case: &Case) -> String {
    let (program, state) = size(case);
    let instructions = if program == 1 { "instruction" } else { "instructions" };
    format!("{program} {instructions}, and {state} for the state")
}

/// Makes a failing case smaller, if it fails again in the same way.
fn smaller(target: &Target, case: &Case, failure: &Failure, budget: Budget, run: &mut Run) -> Result<Option<Shrunk>> {
    let signature = Signature::of_failure(target, failure);
    let again = match run(case) {
        Err(error) if error.is::<Interrupted>() => return Ok(None),
        again => again?,
    };
    match again.filter(|first| Signature::of_failure(target, first) == signature) {
        Some(first) => shrink(target, case, first, budget, run).map(Some),
        None => Ok(None),
    }
}
