// SPDX-License-Identifier: Apache-2.0
//! The side of the process: reads requests and answers them.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, channel};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{AT_MARK, END_OF_CASE, MARK};
use crate::base::{output, parallel};

/// Answers requests until there are no more. Signals are for the parent: call
/// [`leave_to_the_parent`](crate::base::signals::leave_to_the_parent) first.
///
/// # Errors
/// When standard input or output fail, or a request is none.
pub fn serve<R: DeserializeOwned, A: Serialize>(mut answer: impl FnMut(R) -> Result<A>) -> Result<()> {
    for line in requests()? {
        let request = serde_json::from_str(&line).context("a request")?;
        let answer = answer(request);
        // What the RTL has printed is in the same pipe, before it.
        std::io::stderr().write_all(END_OF_CASE)?;
        output::text(&line_of(&answer.map_err(|error| format!("{error:#}")))?)?;
    }
    Ok(())
}

/// Says something before the answer. When it cannot be written, the one who asked is gone, and nobody is left to be
/// told.
pub fn tell(what: &impl Serialize) {
    let _ =
        serde_json::to_string(what).map_err(Into::into).and_then(|line| output::text(&format!("{AT_MARK}{line}\n")));
}

/// The line of an error as an answer, for a process that will not get so far as to give one.
///
/// # Errors
/// Never, as texts go.
pub fn error_line(error: String) -> Result<String> {
    line_of(&Err::<(), _>(error))
}

fn line_of<A: Serialize>(answer: &Result<A, String>) -> Result<String> {
    Ok(format!("{MARK}{}\n", serde_json::to_string(answer)?))
}

/// The lines of standard input. When it ends, nobody waits for an answer any more: the process does, too, even in the
/// middle of a case that never would.
fn requests() -> Result<Receiver<String>> {
    let (sender, requests) = channel();
    parallel::alone(move || {
        let lines = std::io::stdin().lock().lines().map_while(Result::ok);
        for line in lines {
            // The other end lives as long as the process.
            let _ = sender.send(line);
        }
        // Without a look at the thread that may be in the middle of a case.
        signal_hook::low_level::exit(ABANDONED);
    })?;
    Ok(requests)
}

/// Exit code of a process that was left alone.
const ABANDONED: i32 = 4;
