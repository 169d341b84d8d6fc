// SPDX-License-Identifier: Apache-2.0
//! The RTL of a unit, its cases, and what comes of them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The RTL of a unit.
#[derive(Clone, Debug)]
pub struct Rtl {
    /// Folder of the files; the option `--rtl` names another one.
    pub folder: PathBuf,
    /// Files in the order in which Verilator reads them.
    pub files: Vec<&'static str>,
    /// The top module.
    pub top: &'static str,
    /// Values of parameters of the top module: `WIDTH=8`.
    pub parameters: Vec<String>,
    /// Further options of Verilator, such as `-Wno-lint` for RTL of somebody else.
    pub flags: Vec<&'static str>,
    /// The input that is the clock.
    pub clock: &'static str,
    /// The input that is the reset.
    pub reset: Reset,
}

/// The input that resets the unit.
#[derive(Clone, Copy, Debug)]
pub enum Reset {
    /// It resets while it is 0.
    ActiveLow(&'static str),
    /// It resets while it is 1.
    ActiveHigh(&'static str),
}

impl Reset {
    /// Its port, and the value of it that resets.
    pub fn port(self) -> (&'static str, u32) {
        match self {
            Reset::ActiveLow(name) => (name, 0),
            Reset::ActiveHigh(name) => (name, 1),
        }
    }
}

/// What a unit is given in one run.
#[derive(Clone, Debug, Hash, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case<S> {
    /// What registers without a reset begin with.
    pub power_up: u64,
    /// What is driven, in order.
    pub steps: Vec<S>,
}

/// A difference between unit and model, a hang, a broken rule or a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What is wrong, without values: `wrong result`. Cases with the same one are in one bucket, and a smaller case has
    /// to fail with the same one.
    pub signature: String,
    /// What was seen and what was wanted.
    pub text: String,
    /// Index of the step that had begun last.
    pub step: Option<usize>,
    /// Clock cycles since reset ended.
    pub cycle: u64,
}

impl Failure {
    /// A failure in this cycle and step, which the bench fills in.
    pub fn new(signature: impl Into<String>, text: impl Into<String>) -> Failure {
        Failure { signature: signature.into(), text: text.into(), step: None, cycle: 0 }
    }
}

/// The bins that a case hits.
#[derive(Debug)]
pub struct Cover {
    names: Vec<&'static str>,
    pub(super) hits: Vec<u64>,
    pub(super) unknown: Option<String>,
}

impl Cover {
    pub(super) fn new(names: Vec<&'static str>) -> Cover {
        let hits = vec![0; names.len()];
        Cover { names, hits, unknown: None }
    }

    /// The case has hit the bin `name`, one of [`Unit::bins`](super::Unit::bins).
    pub fn hit(&mut self, name: &str) {
        match self.names.iter().position(|known| *known == name) {
            Some(at) => self.hits[at] += 1,
            None => self.unknown = Some(name.to_owned()),
        }
    }

    /// As [`Cover::hit`], if `condition` holds.
    pub fn hit_if(&mut self, condition: bool, name: &str) {
        if condition {
            self.hit(name);
        }
    }
}
