// SPDX-License-Identifier: Apache-2.0
//! Cases in a process of their own: whatever happens there, a crash or a loop without end, is a failure of the case and
//! not the end of the run.
//!
//! A parent asks with a line of JSON on standard input, the worker answers with one on standard output. One worker runs
//! many cases; a new one takes its place when it is gone.

mod child;
mod isolated;
mod parent;
mod track;

use serde::{Deserialize, Serialize};

pub use child::{WorkerOptions, requests, serve};
pub use isolated::{Isolated, Isolation};
pub use parent::Worker;

use crate::lockstep::failure::Failure;
use crate::run::{Done, Job};
use crate::unit::ModelKind;

/// A line to a worker.
#[derive(Debug, Serialize, Deserialize)]
struct Ask<T> {
    /// The models that there are, with their files.
    models: Vec<(ModelKind, std::path::PathBuf)>,
    /// The one that is needed: when it cannot be loaded, that is no failure of a case.
    kind: Option<ModelKind>,
    /// What to run.
    request: T,
}

/// What a worker is to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// A case of its configuration and seed.
    Job(Job),
    /// The contents of a replay file; with a waveform when there is a name of a file.
    Replay {
        /// The contents.
        text: String,
        /// The file.
        wave: Option<std::path::PathBuf>,
    },
    /// The contents of a replay file, whose case ends its process: where?
    Track(String),
    /// An errand that the process knows how to run, and this module does not.
    Errand {
        /// The model that it needs, if any.
        kind: Option<ModelKind>,
        /// What it is.
        order: String,
    },
}

impl Request {
    /// The model that it needs, if any, where `planted` tells whether a fault is planted.
    fn kind(&self, planted: bool) -> Option<ModelKind> {
        let traced = match self {
            Request::Job(_) | Request::Track(_) => false,
            Request::Replay { wave, .. } => wave.is_some(),
            Request::Errand { kind, .. } => return *kind,
        };
        Some(match (planted, traced) {
            (true, _) => ModelKind::Faults,
            (false, true) => ModelKind::Traced,
            (false, false) => ModelKind::Fast,
        })
    }
}

/// What a worker answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Not an answer yet: how a failure in this clock cycle of [`Request::Track`] would look.
    At(Box<Failure>),
    /// The case was run.
    Done(Done),
    /// The errand was run; what came of it.
    Errand(String),
    /// It could not be run.
    Error(String),
}

/// In front of an answer.
const MARK: &str = "\u{1}cosim answers ";
/// Behind what a request has let the process print on standard error.
const END_OF_CASE: &[u8] = b"\x01cosim: end of the case\x01";
/// In front of an answer that is not the last one.
const AT_MARK: &str = "\u{1}cosim is at ";
