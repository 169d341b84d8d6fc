// SPDX-License-Identifier: Apache-2.0
//! The folder of a failing case, written by a worker: when the second run ends its process or never ends, the folder
//! has no waveform and says why, and the run of the parent goes on.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::Origin;
use super::evidence::Subject;
use super::folder::{self, Means, Written};
use crate::case::replay::{self, Identity, Replay};
use crate::lockstep::failure::{Crash, Failure};
use crate::run::worker::{Request, SelfTest, Worker};
use crate::unit::target::Workshop;

/// What a worker is to write.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// The replay file of the case.
    pub replay: String,
    /// What to call the case.
    pub name: String,
    /// The command that runs it again.
    pub again: String,
    /// How it failed.
    pub failure: Box<Failure>,
    /// What to make the folder from.
    pub means: Means,
    /// The folder.
    pub folder: PathBuf,
}

impl Order {
    /// Writes the folder, in this process.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn carry_out(&self, workshop: &Workshop, self_test: Option<&SelfTest>) -> Result<Written> {
        let Order { name, again, failure, means, folder, .. } = self;
        let Replay { target, origin, case, .. } = Replay::from_text(workshop, self.replay.as_bytes())?;
        if let Some(test) = self_test {
            test.maybe_crash_in_triage(&target, &case, means);
        }
        let (name, again) = (name.clone(), again.clone());
        let subject = Subject { target: &target, case: &case, fault: origin.fault, name, again };
        folder::write(&subject, failure, means.clone(), folder)
    }
}

/// A worker that writes folders.
pub struct Isolated<'a> {
    /// The worker.
    pub worker: &'a mut Worker,
    /// The configuration of the case.
    pub identity: &'a Identity,
    /// Where the case comes from.
    pub origin: Origin,
}

impl Isolated<'_> {
    /// Writes the folder of a failing case with what is left when the process that does it is gone: without a second
    /// run, then without the model.
    ///
    /// # Errors
    /// When a file cannot be written, or no worker can be started.
    pub fn write(self, subject: &Subject, failure: &Failure, folder: &Path) -> Result<Written> {
        let mut order = Order {
            replay: replay::text(self.identity, self.origin, subject.case)?,
            name: subject.name.clone(),
            again: subject.again.clone(),
            failure: Box::new(failure.clone()),
            means: Means::of(failure),
            folder: folder.to_owned(),
        };
        loop {
            let crash = match self.worker.ask_for_folder(&Request::Triage(order.clone()))? {
                Ok(written) => return Ok(written),
                Err(crash) => crash,
            };
            order.means = match order.means {
                Means::SecondRun => {
                    Means::Model(format!("the second run, with the waveform, failed: {}", ended(crash)))
                }
                Means::Model(_) | Means::Failure(_) => {
                    let why = format!("the process that made this page with the model failed: {}", ended(crash));
                    return folder::write(subject, failure, Means::Failure(why), folder);
                }
            };
        }
    }
}

fn ended(Crash { how, message }: Crash) -> String {
    if message.is_empty() { how } else { format!("{how}: {message}") }
}
