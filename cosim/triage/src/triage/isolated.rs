// SPDX-License-Identifier: Apache-2.0
//! The folder of a failing case, written by a worker: when the second run ends its process or never ends, the folder
//! has no waveform and says why, and the run of the parent goes on.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::evidence::Subject;
use super::folder::{self, Means, Written};
use crate::case::Origin;
use crate::case::replay::{self, Identity, Replay};
use crate::lockstep::failure::{Crash, Failure};
use crate::run::SelfTest;
use crate::run::worker::{Request, Worker};
use crate::unit::ModelKind;
use crate::unit::target::{RtlOptions, Workshop};

/// What a worker is to write.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Order {
    /// The replay file of the case.
    replay: String,
    name: String,
    /// The command that runs it again.
    again: String,
    /// Which of its neighbours fail, too.
    nearby: String,
    given: RtlOptions,
    failure: Box<Failure>,
    means: Means,
    folder: PathBuf,
}

impl Order {
    fn carry_out(&self, workshop: &Workshop, self_test: Option<&SelfTest>) -> Result<Written> {
        let Order { name, again, failure, means, folder, .. } = self;
        let Replay { mut target, origin, case, .. } = Replay::from_text(workshop, self.replay.as_bytes())?;
        target.given.clone_from(&self.given);
        if let Some(test) = self_test {
            match means {
                Means::SecondRun => test.maybe_crash_in_triage(&target, &case, true),
                Means::Model(_) => test.maybe_crash_in_triage(&target, &case, false),
                Means::Failure(_) => {}
            }
        }
        let (name, again, nearby) = (name.clone(), again.clone(), self.nearby.clone());
        let subject = Subject { target: &target, case: &case, fault: origin.fault, name, again, nearby, folder };
        folder::write(&subject, failure, means.clone(), folder)
    }
}

/// Runs the errand of a [`FolderWriter`], in a worker.
pub fn carry_out(workshop: &Workshop, self_test: Option<&SelfTest>, order: &str) -> Result<String> {
    let order: Order = serde_json::from_str(order)?;
    Ok(serde_json::to_string(&order.carry_out(workshop, self_test)?)?)
}

pub struct FolderWriter<'a> {
    pub worker: &'a mut Worker,
    /// The configuration of the case.
    pub identity: &'a Identity,
    pub origin: Origin,
}

impl FolderWriter<'_> {
    /// Writes the folder of a failing case with what is left when the process that does it is gone: without a second
    /// run, then without the model.
    pub fn write(self, subject: &Subject, failure: &Failure, folder: &Path) -> Result<Written> {
        let mut order = Order {
            replay: replay::text(self.identity, self.origin, subject.case)?,
            name: subject.name.clone(),
            again: subject.again.clone(),
            nearby: subject.nearby.clone(),
            given: subject.target.given.clone(),
            failure: Box::new(failure.clone()),
            means: Means::for_failure(failure),
            folder: folder.to_owned(),
        };
        loop {
            let kind = matches!(order.means, Means::SecondRun).then(|| ModelKind::for_run(self.origin.fault, true));
            let why = match self.worker.send(&Request::Errand { kind, order: serde_json::to_string(&order)? }) {
                Ok(Ok(written)) => return Ok(serde_json::from_str(&written)?),
                Ok(Err(crash)) => ended(crash),
                Err(error) => files::printable(&format!("{error:#}")),
            };
            order.means = match order.means {
                Means::SecondRun => Means::Model(format!("the second run, with the waveform, failed: {why}")),
                Means::Model(_) | Means::Failure(_) => {
                    let why = format!("the process that made this page with the model failed: {why}");
                    return folder::write(subject, failure, Means::Failure(why), folder);
                }
            };
        }
    }
}

fn ended(Crash { how, message }: Crash) -> String {
    if message.is_empty() { how } else { format!("{how}: {message}") }
}
