// SPDX-License-Identifier: Apache-2.0
//! Work in a process of its own: whatever happens there, a crash or a loop without end, is an answer and not the end of
//! the run.
//!
//! A parent asks with a line of JSON on standard input, the process answers with one on standard output. One process
//! answers many requests; a new one takes its place when it is gone.

pub mod child;
mod parent;

use serde::{Deserialize, Serialize};

pub use parent::{Heard, Process};

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// A signal, an exit code, or that it was ended because it gave no answer.
    pub how: String,
    /// What it said at the end; empty when it said nothing.
    pub message: String,
}

/// Seconds after which a case without an answer has crashed, if nothing else is wanted.
pub const WATCHDOG: u64 = 10;

/// In front of an answer.
const MARK: &str = "\u{1}harness answers ";
/// Behind what a request has let the process print on standard error.
const END_OF_CASE: &[u8] = b"\x01harness: end of the case\x01";
/// In front of what is said before the answer.
const AT_MARK: &str = "\u{1}harness is at ";
