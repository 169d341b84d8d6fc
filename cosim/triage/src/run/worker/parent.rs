// SPDX-License-Identifier: Apache-2.0
//! The parent's side of a worker.

use std::time::Duration;

use anyhow::{Result, bail};

use super::request::{Answer, Ask, Request};
use crate::base::interrupt::Interrupt;
use crate::cases::process::{Crash, Heard, Process};
use crate::lockstep::failure::{Cause, Failure};
use crate::run::Done;
use crate::unit::target::Target;

/// A worker, started when it is first asked, and again when it is gone.
pub struct Worker {
    process: Process,
    target: Target,
    planted: bool,
}

impl Worker {
    /// A worker for `target`, with faults planted or without: this program with the subcommand `worker` and these
    /// arguments. It is ended when an answer takes longer than `watchdog`.
    pub fn new(arguments: Vec<String>, watchdog: Duration, target: &Target, planted: bool) -> Worker {
        let arguments = [vec!["worker".to_owned()], arguments].concat();
        Worker { process: Process::new(arguments, watchdog), target: target.clone(), planted }
    }

    /// After a signal an answer may take no longer than a moment.
    pub fn hurried_by(self, interrupt: &Interrupt) -> Worker {
        Worker { process: self.process.hurried_by(interrupt), ..self }
    }

    /// Asks for a case, and waits for the answer; the inner error says how the worker ended instead of answering.
    pub fn ask(&mut self, request: &Request) -> Result<Result<Done, Crash>> {
        Ok(match self.listen(request)?.answer {
            Ok(Answer::Done(mut done)) => {
                if let Err(failure) = &mut done.result {
                    self.process.printed().clone_into(&mut failure.printed);
                }
                Ok(done)
            }
            Ok(Answer::Errand(_)) => bail!("a worker answered something else"),
            Err(crash) => Err(crash),
        })
    }

    /// As [`Worker::ask`], for an errand; gives what came of it.
    pub fn send(&mut self, errand: &Request) -> Result<Result<String, Crash>> {
        Ok(match self.listen(errand)?.answer {
            Ok(Answer::Errand(result)) => Ok(result),
            Ok(Answer::Done(_)) => bail!("a worker answered something else"),
            Err(crash) => Err(crash),
        })
    }

    fn listen(&mut self, request: &Request) -> Result<Heard<Answer, Failure>> {
        // Made here, where it may take its time, and nobody else makes the same.
        let kind = request.kind(self.planted);
        kind.map(|kind| self.target.models.make(kind)).transpose()?;
        self.process.ask(&Ask { models: self.target.models.made(), kind, request })
    }

    /// A failure of a case that has ended its process so.
    pub(super) fn crashed(&self, crash: Crash) -> Box<Failure> {
        Box::new(Failure { printed: self.process.printed().to_owned(), ..*Failure::without_state(Cause::Crash(crash)) })
    }

    /// Adds to the failure of the replay file `text`, a crash, what is known of the clock cycle in which it happens:
    /// last retirements, oldest instruction in flight. For this the case is run once more, in a worker that tells in
    /// every clock cycle where it is. As it is when the process does not end in this way again, or ends before the
    /// first cycle.
    pub fn track(&mut self, text: String, failure: Box<Failure>) -> Result<Box<Failure>> {
        let Cause::Crash(crash) = &failure.cause else { return Ok(failure) };
        let Heard { answer, last } = self.listen(&Request::Track(text))?;
        Ok(match (answer, last) {
            (Err(again), Some(at)) if again.how == crash.how => {
                Box::new(Failure { cause: failure.cause, printed: failure.printed, ..at })
            }
            _ => failure,
        })
    }
}
