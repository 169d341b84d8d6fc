// SPDX-License-Identifier: Apache-2.0
//! Replay files: everything that a case consists of, so that it runs again in another process, on any machine. A unit
//! has its own fields; what all files have in common is here, and the checks of what somebody else may have written.

mod error;
mod lines;
mod origin;

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use error::ReplayError;
pub use origin::Origin;

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

/// What the fields `format` and `version` of a file have to be.
#[derive(Debug)]
pub struct Format {
    /// The field `format`.
    pub name: &'static str,
    /// Versions that are read; the last one is written.
    pub versions: RangeInclusive<u64>,
}

impl Format {
    /// Takes the fields out of a file; format and version first, so that their messages are the clear ones.
    pub fn parse<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, ReplayError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u64,
        }
        if text.len() as u64 > MAX_FILE {
            return Err(ReplayError::TooLarge);
        }
        let Head { format, version } = serde_json::from_slice(text)?;
        if format != self.name {
            return Err(ReplayError::Format(format.chars().take(40).collect(), self.name));
        }
        if !self.versions.contains(&version) {
            let (oldest, newest) = (self.versions.start(), self.versions.end());
            let allowed = if oldest == newest { newest.to_string() } else { format!("{oldest} to {newest}") };
            return Err(ReplayError::Version(version, allowed));
        }
        Ok(serde_json::from_slice(text)?)
    }
}

/// The text of the file `path`, which is read once: it may be a pipe.
///
/// # Errors
/// When it cannot be read, is too large, or is no text.
pub fn read(path: &Path) -> Result<String> {
    let name = path.display();
    let bytes = files::read(path, MAX_FILE).with_context(|| format!("cannot read {name}"))?;
    files::text(bytes).with_context(|| format!("{name} cannot be replayed"))
}

/// The file: one line for each field, and for each step.
///
/// # Errors
/// When it has no form as JSON, which no case is known for.
pub fn text<T: Serialize>(file: &T) -> Result<String> {
    let mut text = Vec::new();
    file.serialize(&mut serde_json::Serializer::with_formatter(&mut text, lines::Lines::default()))?;
    Ok(String::from_utf8(text)?)
}

/// Compares the hash that a file states, if it does, with that of what it has.
pub fn check_hash(stated: Option<&str>, actual: u64) -> Result<(), ReplayError> {
    let Some(stated) = stated else { return Ok(()) };
    let same = number("stimulus", stated, 16)? == actual;
    if same { Ok(()) } else { Err(ReplayError::Damaged(number16(actual), stated.to_owned())) }
}

/// What to say of a file that was made with RTL of another hash than `rtl`, of the configuration `name`.
pub fn note_of_rtl(field: &str, stated: &str, rtl: u64, name: &str) -> Result<Option<String>, ReplayError> {
    let other = number(field, stated, 16)? != rtl;
    Ok(other.then(|| format!("made with other RTL of configuration {name}: the outcome may be another")))
}

/// A number of 64 bits as files have it.
pub fn number16(value: u64) -> String {
    format!("{value:016x}")
}

/// The number in a field that has this many hexadecimal digits.
pub fn number(field: &str, text: &str, digits: usize) -> Result<u64, ReplayError> {
    let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16).ok().filter(|_| fits);
    number.ok_or_else(|| value(field, quoted(text), &format!("{digits} hexadecimal digits")))
}

/// The field is `value`, and only `allowed` is.
pub fn value(field: &str, value: impl ToString, allowed: &str) -> ReplayError {
    ReplayError::Value(field.into(), value.to_string(), allowed.into())
}

/// The text in quotation marks, cut off after 40 characters.
pub fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// At most 40 characters of a text that may be anything.
pub fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain("...".chars()).collect() }
}
