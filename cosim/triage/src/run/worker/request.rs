// SPDX-License-Identifier: Apache-2.0
//! What a worker is asked, and what it answers.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::run::{Done, Job};
use crate::unit::ModelKind;

/// A line to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ask<T> {
    /// The models that there are, with their files.
    pub models: Vec<(ModelKind, PathBuf)>,
    /// The one that is needed: when it cannot be loaded, that is no failure of a case.
    pub kind: Option<ModelKind>,
    pub request: T,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// A case of its configuration and seed.
    Job(Job),
    /// The contents of a replay file; with a waveform when there is a name of a file.
    Replay { text: String, wave: Option<PathBuf> },
    /// The contents of a replay file, whose case ends its process: where? Before its answer the worker tells how a
    /// failure in each clock cycle would look.
    Track(String),
    /// An errand that the process knows how to run, and this module does not.
    Errand {
        /// The model that it needs, if any.
        kind: Option<ModelKind>,
        order: String,
    },
}

impl Request {
    /// The model that it needs, if any, where `planted` tells whether a fault is planted.
    pub fn kind(&self, planted: bool) -> Option<ModelKind> {
        let traced = match self {
            Request::Job(_) | Request::Track(_) => false,
            Request::Replay { wave, .. } => wave.is_some(),
            Request::Errand { kind, .. } => return *kind,
        };
        Some(ModelKind::for_run(u32::from(planted), traced))
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    Done(Done),
    /// The errand was run; what came of it.
    Errand(String),
}
