// SPDX-License-Identifier: Apache-2.0
//! Where a process died: the case is run once more, in a worker that tells in every clock cycle where it is. So the runs
//! before cost nothing.

use anyhow::Result;

use super::{AT_MARK, Answer, Request, Worker};
use crate::base::output;
use crate::case::replay::Replay;
use crate::lockstep::failure::{Cause, Failure};
use crate::run::Done;
use crate::run::SelfTest;
use crate::run::executor::{fast_kind, run_case};
use crate::unit::target::Workshop;

/// The worker's side.
pub fn run(workshop: &Workshop, text: &str, self_test: Option<&SelfTest>) -> Result<Done> {
    let Replay { target, origin, case, .. } = Replay::from_text(workshop, text.as_bytes())?;
    let result = run_case(&target, &case, fast_kind(origin.fault), origin.fault, |bench| {
        bench.observers.hooks.extend(self_test.and_then(|test| test.observer(&target)));
        bench.tracker = Some(Box::new(|at| {
            tell(at);
            Ok(())
        }));
        Ok(())
    });
    Ok(Done::of(&case, result))
}

fn tell(at: &Failure) {
    // The one who asked is gone when this cannot be written; nobody is left to be told.
    let _ = serde_json::to_string(&Answer::At(Box::new(at.clone())))
        .map_err(Into::into)
        .and_then(|line| output::text(&format!("{AT_MARK}{line}\n")));
}

impl Worker {
    /// Adds to the failure of the replay file `text`, a crash, what is known of the clock cycle in which it happens:
    /// last retirements, oldest instruction in flight. As it is when the process does not end in this way again, or
    /// ends before the first cycle.
    ///
    /// # Errors
    /// When no worker can be started, or the file cannot be replayed.
    pub fn track(&mut self, text: String, failure: Box<Failure>) -> Result<Box<Failure>> {
        let Cause::Crash(crash) = &failure.cause else { return Ok(failure) };
        let (answer, last) = self.ask_and_listen(&Request::Track(text))?;
        Ok(match (answer, last) {
            (Err(again), Some(at)) if again.how == crash.how => {
                Box::new(Failure { cause: failure.cause, printed: failure.printed, ..*at })
            }
            _ => failure,
        })
    }
}
