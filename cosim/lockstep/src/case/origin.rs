// SPDX-License-Identifier: Apache-2.0
//! The commands that make a case again.

use cosim_harness::replay::Origin;

use crate::base::shell;
use crate::unit::target::Target;

/// The command that makes a random case again, and runs it.
pub fn random_command(origin: Origin, target: &Target) -> String {
    command(origin, target, &["random"])
}

/// The command that makes a case of the pairs again, and runs it.
pub fn pairs_command(origin: Origin, target: &Target) -> String {
    command(origin, target, &["check", "pairs"])
}

fn command(Origin { seed, case, fault }: Origin, target: &Target, command: &[&str]) -> String {
    let mut words: Vec<String> = ["cosim"].iter().chain(command).map(ToString::to_string).collect();
    words.extend(target.selection());
    words.extend(["--seed".into(), seed.to_string(), "--case".into(), case.to_string()]);
    words.extend((fault != 0).then(|| ["--fault".into(), fault.to_string()]).into_iter().flatten());
    shell::command(words)
}
