// SPDX-License-Identifier: Apache-2.0
//! Runs of the program.

use std::path::Path;
use std::process::Command;

/// How a run ended, and what it printed.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Ends when the command does.
pub fn run(command: &mut Command) -> Done {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Done { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// `cosim` with the words of `arguments`, in a folder.
pub fn cosim(folder: &Path, arguments: &str) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cosim"));
    run(command.current_dir(folder).args(arguments.split_whitespace()))
}

/// `cosim` with these arguments, paths among them.
pub fn cosim_with(arguments: &[&str]) -> Done {
    run(Command::new(env!("CARGO_BIN_EXE_cosim")).args(arguments))
}
