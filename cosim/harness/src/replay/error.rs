// SPDX-License-Identifier: Apache-2.0
//! What can be wrong with a replay file.

use super::MAX_FILE;

/// Why a file cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// More bytes than any case needs.
    #[error("the file is larger than {MAX_FILE} bytes, which no replay file is")]
    TooLarge,
    /// Not JSON, cut off, a field too many, one too few, or of another type.
    #[error("damaged, cut off or no replay file")]
    Syntax(#[from] serde_json::Error),
    /// Another program's file.
    #[error("no replay file: the field `format` is {given:?}, not {name:?}")]
    Format {
        /// What it is, shortened if need be.
        given: String,
        /// What it has to be.
        name: &'static str,
    },
    /// A file of an earlier or later program.
    #[error("the field `version` is {given}; this program reads {allowed}")]
    Version {
        /// The version of the file.
        given: u64,
        /// The versions that are read.
        allowed: String,
    },
    /// The configuration of the file cannot be used.
    #[error("the field `config.toml`: {0}")]
    Configuration(String),
    /// A field has a value that is not allowed.
    #[error("the field `{field}` is {value}; allowed: {allowed}")]
    Value {
        /// The path of the field.
        field: String,
        /// What, shortened if need be.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// All is well formed, but not what was written.
    #[error(
        "the file is damaged: its contents have the hash {actual}, the field `stimulus` says {stated} (a file that was \
         changed on purpose must have null there)"
    )]
    Damaged {
        /// Hash of the case in the file.
        actual: String,
        /// Hash that the file states.
        stated: String,
    },
}
