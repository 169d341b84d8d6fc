// SPDX-License-Identifier: Apache-2.0
//! What a model is for.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    Fast,
    Traced,
    /// With the planted faults, and waveforms.
    Faults,
    /// With the mutants of a run.
    Mutants,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fast => "fast",
            Kind::Traced => "traced",
            Kind::Faults => "faults",
            Kind::Mutants => "mutants",
        }
    }

    pub fn traced(self) -> bool {
        matches!(self, Kind::Traced | Kind::Faults)
    }

    /// The one for a run with this fault, which is 0 for none.
    pub fn for_run(fault: u32, wave: bool) -> Kind {
        match (fault, wave) {
            (0, false) => Kind::Fast,
            (0, true) => Kind::Traced,
            _ => Kind::Faults,
        }
    }
}
