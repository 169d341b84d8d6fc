// SPDX-License-Identifier: Apache-2.0
//! Errors of the assembler.

use std::collections::HashSet;
use std::fmt;

/// One error in a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct AsmError {
    /// File as given to the assembler.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what is allowed.
    pub message: String,
}

/// The errors of a program, one for each line that has any, in order; of very many the first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmErrors(pub Vec<AsmError>);

impl std::error::Error for AsmErrors {}

impl fmt::Display for AsmErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(AsmError::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// An error before its file and line are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub column: usize,
    pub message: String,
    /// What is allowed, where that is a long list: it stands at the first error with it.
    pub list: Option<String>,
}

impl Fault {
    pub(super) fn new(column: usize, message: impl Into<String>) -> Self {
        Self { column, message: message.into(), list: None }
    }
}

/// Gives the errors, which are in order, their file.
pub(super) fn in_file(file: &str, faults: Vec<(usize, Fault)>) -> AsmErrors {
    let mut listed = HashSet::new();
    let error = |(line, Fault { column, mut message, list }): (usize, Fault)| {
        if let Some(list) = list.filter(|list| listed.insert(list.clone())) {
            message += &format!("; known are {list}");
        }
        AsmError { file: file.to_string(), line, column, message }
    };
    AsmErrors(faults.into_iter().map(error).collect())
}
