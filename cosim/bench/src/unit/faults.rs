// SPDX-License-Identifier: Apache-2.0
//! The planted faults: small, plausible mistakes, one or a few in every module of the RTL, and one of every
//! instruction, which changes it and no other. They are the rows of `faults.json`.
//!
//! Each of them is selectable in one extra model of configuration `tiny` (`plant.rs`); the tests demand that the
//! bench catches every one.

use std::sync::LazyLock;

use serde::Deserialize;

/// The table.
const TABLE: &str = include_str!("faults.json");

/// All planted faults, by number.
pub static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| read(TABLE).unwrap_or_default());

/// One planted fault: an expression of a module, and a wrong one in its place.
///
/// `before`, `original` and `after`, put together, must occur exactly once in `file`. Several faults may have this
/// place in common.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// Number by which the fault is selected; 0 is no fault.
    pub id: u32,
    /// File of the generated RTL.
    pub file: &'static str,
    /// What a designer would have done wrong.
    pub description: &'static str,
    /// Text in front of the expression.
    pub before: &'static str,
    /// The expression as generated.
    pub original: &'static str,
    /// Text behind the expression.
    pub after: &'static str,
    /// The wrong expression.
    pub replacement: &'static str,
    /// The mnemonic of the instruction that it changes, if that is the only one.
    pub of: Option<&'static str>,
}

impl Fault {
    /// Where it is planted.
    pub fn place(&self) -> [&'static str; 4] {
        [self.file, self.before, self.original, self.after]
    }
}

/// A row of the table, with the fields of [`Fault`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: u32,
    file: String,
    description: String,
    before: String,
    original: String,
    after: String,
    replacement: String,
    of: Option<String>,
}

/// Reads a table. Its text is kept for the whole run of the program.
fn read(table: &str) -> serde_json::Result<Vec<Fault>> {
    let fault = |Row { id, file, description, before, original, after, replacement, of }: Row| Fault {
        id,
        file: file.leak(),
        description: description.leak(),
        before: before.leak(),
        original: original.leak(),
        after: after.leak(),
        replacement: replacement.leak(),
        of: of.map(|mnemonic| &*mnemonic.leak()),
    };
    Ok(serde_json::from_str::<Vec<Row>>(table)?.into_iter().map(fault).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_its_numbers_ascend() {
        let faults = read(TABLE).expect("faults.json");
        assert!(faults[0].id > 0 && faults.is_sorted_by(|a, b| a.id < b.id));
    }
}
