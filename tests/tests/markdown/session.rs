// SPDX-License-Identifier: Apache-2.0
//! Does what a document says: writes its files, runs its commands, compares what they print.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{Document, is_like, read, root};

/// A command of a document.
struct Step {
    line: usize,
    command: String,
    expected: Vec<String>,
}

/// Goes through a document in a folder of its own, in which `given` is there, too.
///
/// A block with a file name behind its language is written to that file. Of a `console` block each line `$ COMMAND` is
/// run, and the lines below it are what the command prints on standard output; `...` stands for anything, in a line or
/// as lines. Other blocks are not looked at.
pub fn run(name: &str, given: &[(&str, &str)]) {
    let folder = folder();
    for (file, text) in given {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let document = read(name);
    let (mut status, mut count) = (0, 0);
    for block in &document.blocks {
        if let Some(file) = &block.file {
            let text: String = block.lines.iter().map(|(_, line)| format!("{line}\n")).collect();
            std::fs::write(folder.path().join(file), text).unwrap();
        } else if block.language == "console" {
            for step in steps(&document, &block.lines) {
                status = step.run(&document, folder.path(), status);
                count += 1;
            }
        }
    }
    assert!(count > 0, "{name} has no commands");
}

/// A folder for commands of documents. They name files of the checkout; nothing is written there.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for shared in ["configs", "rtl", "rtl-gen", "tests"] {
        std::os::unix::fs::symlink(root().join(shared), folder.path().join(shared)).unwrap();
    }
    folder
}

/// Runs a command of a document, which finds our programs.
pub fn shell(script: &str, folder: &Path) -> Output {
    let test = std::env::current_exe().unwrap();
    let programs = test.ancestors().nth(2).unwrap().to_owned();
    assert!(programs.join("cosim").exists(), "the programs are not built: run `cargo test --workspace`");
    let old = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&old))).unwrap();
    Command::new("sh").args(["-c", script]).env("PATH", path).current_dir(folder).output().unwrap()
}

fn steps(document: &Document, lines: &[(usize, String)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, line) in lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { line: *number, command: command.to_owned(), expected: Vec::new() });
            }
            (None, Some(step)) => step.expected.push(line.clone()),
            (None, None) => panic!("{}:{number}: a console block begins with a command", document.name),
        }
    }
    steps
}

impl Step {
    /// Its exit code; `status` is that of the command before.
    fn run(&self, document: &Document, folder: &Path, status: i32) -> i32 {
        let output = shell(&format!("(exit {status}); {}", self.command), folder);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let expected: Vec<&str> = self.expected.iter().map(String::as_str).collect();
        let actual: Vec<&str> = text.lines().collect();
        assert!(
            lines_fit(&expected, &actual),
            "{}:{}: `{}` does not print what the document says.\n--- document\n{}\n--- standard output\n{text}\n--- standard error\n{}",
            document.name,
            self.line,
            self.command,
            expected.join("\n"),
            String::from_utf8_lossy(&output.stderr)
        );
        output.status.code().unwrap_or(-1)
    }
}

/// Whether the lines are what is expected: three dots stand for any text, and on a line of their own for any number of
/// lines; blanks at the end do not count.
pub fn lines_fit(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((line, rest)) if line.trim() == "..." => (0..=actual.len()).any(|n| lines_fit(rest, &actual[n..])),
        Some((line, rest)) => {
            let fits = |actual: &str| is_like(line.trim_end(), "...", actual.trim_end());
            actual.split_first().is_some_and(|(first, more)| fits(first) && lines_fit(rest, more))
        }
    }
}
