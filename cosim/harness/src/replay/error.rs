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
    /// Another program's file: its format, shortened if need be, and what it has to be.
    #[error("no replay file: the field `format` is {0:?}, not {1:?}")]
    Format(String, &'static str),
    /// A file of an earlier or later program: its version, and those that are read.
    #[error("the field `version` is {0}; this program reads {1}")]
    Version(u64, String),
    /// The configuration of the file cannot be used.
    #[error("the field `config.toml`: {0}")]
    Configuration(String),
    /// A field has a value that is not allowed: its path, the value, shortened if need be, and what is allowed.
    #[error("the field `{0}` is {1}; allowed: {2}")]
    Value(String, String, String),
    /// All is well formed, but not what was written: hash of the case in the file, and the hash that the file states.
    #[error(
        "the file is damaged: its contents have the hash {0}, the field `stimulus` says {1} (a file that was changed \
         on purpose must have null there)"
    )]
    Damaged(String, String),
}
