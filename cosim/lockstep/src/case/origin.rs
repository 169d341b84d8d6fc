// SPDX-License-Identifier: Apache-2.0
//! Where a case comes from.

use serde::{Deserialize, Serialize};

use crate::base::shell;
use crate::report;
use crate::unit::target::Target;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    pub seed: u64,
    pub case: u64,
    /// Planted fault; 0 is none.
    pub fault: u32,
}

impl Origin {
    /// Its name as a file or folder.
    pub fn name(&self, config: &str) -> String {
        let Origin { seed, case, fault } = self;
        report::name_of_case(config, [*seed, *case], *fault)
    }

    /// The command that makes a random case again, and runs it.
    pub fn command(self, target: &Target) -> String {
        self.command_of(target, &["random"])
    }

    /// The command that makes a case of the pairs again, and runs it.
    pub fn pairs_command(self, target: &Target) -> String {
        self.command_of(target, &["check", "pairs"])
    }

    fn command_of(self, target: &Target, command: &[&str]) -> String {
        let Origin { seed, case, fault } = self;
        let mut words: Vec<String> = ["cosim"].iter().chain(command).map(ToString::to_string).collect();
        words.extend(target.selection());
        words.extend(["--seed".into(), seed.to_string(), "--case".into(), case.to_string()]);
        words.extend((fault != 0).then(|| ["--fault".into(), fault.to_string()]).into_iter().flatten());
        shell::command(words)
    }
}
