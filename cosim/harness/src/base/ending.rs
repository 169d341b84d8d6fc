// SPDX-License-Identifier: Apache-2.0
//! How a run ended: for the exit code, the reports and the table.

use std::process::ExitCode;

use anyhow::Result;

use super::output;

/// How a run ended. What is further down outweighs what is above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// No difference.
    Clean,
    /// No difference, and the program ended with another code than 0.
    Failed,
    /// No case was run, so nothing is known.
    Nothing,
    /// No difference up to this signal.
    Interrupted(i32),
    /// A difference, a hang, a crash or a broken rule.
    Different,
}

impl Ending {
    /// The exit code; for a signal that of a program that it ends.
    pub fn code(self) -> u8 {
        match self {
            Ending::Clean => 0,
            Ending::Different => 1,
            Ending::Nothing => 2,
            Ending::Failed => 3,
            Ending::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        }
    }
}

impl From<bool> for Ending {
    fn from(clean: bool) -> Ending {
        if clean { Ending::Clean } else { Ending::Different }
    }
}

/// The exit code of a command; an error is said, and is 2.
pub fn exit(done: Result<Ending>) -> ExitCode {
    match done {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(error) => {
            log(&error);
            ExitCode::from(2)
        }
    }
}

/// A difference that was found counts whatever happened after it: then an error is said, and the run ended with the
/// difference.
///
/// # Errors
/// That of `done`, when nothing was found.
pub fn outlive(found: bool, done: Result<Ending>) -> Result<Ending> {
    match done {
        Err(error) if found => {
            log(&error);
            Ok(Ending::Different)
        }
        done => done,
    }
}

fn log(error: &anyhow::Error) {
    output::log(&files::printable(&format!("{}: {error:#}", output::program())));
}
