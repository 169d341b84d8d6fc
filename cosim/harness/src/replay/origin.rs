// SPDX-License-Identifier: Apache-2.0
//! Where a case comes from.

use serde::{Deserialize, Serialize};

/// The random case that a case was at first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Seed of the run.
    pub seed: u64,
    /// Number of the case in it.
    pub case: u64,
    /// Planted fault; 0 is none.
    pub fault: u32,
}

impl Origin {
    /// Its name as a file or folder.
    pub fn name(&self, config: &str) -> String {
        let Origin { seed, case, fault } = self;
        let planted = if *fault == 0 { String::new() } else { format!("-fault{fault}") };
        format!("{config}-seed{seed}-case{case}{planted}")
    }
}
