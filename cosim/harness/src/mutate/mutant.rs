// SPDX-License-Identifier: Apache-2.0
//! A mutant: an error in the SystemVerilog text of a module.

use std::ops::Range;

use serde::Serialize;

/// What a mutant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Another operator.
    Operator,
    /// Another comparison.
    Comparison,
    /// A number that is greater or less by one.
    Constant,
    /// A condition or value that is inverted, or no longer.
    Negation,
    /// A register that reset leaves alone.
    DroppedReset,
    /// An assignment that is not made.
    DroppedAssignment,
    /// Two arms of `?:` or `case` that change places.
    SwappedArms,
    /// A condition of `if` that is always true or always false.
    ConstantIf,
    /// Another signal of the same type.
    WrongSignal,
}

impl Kind {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Operator => "operator",
            Kind::Comparison => "comparison",
            Kind::Constant => "constant",
            Kind::Negation => "negation",
            Kind::DroppedReset => "dropped reset",
            Kind::DroppedAssignment => "dropped assignment",
            Kind::SwappedArms => "swapped arms",
            Kind::ConstantIf => "constant if",
            Kind::WrongSignal => "wrong signal",
        }
    }
}

/// A part of the text, and what a mutant has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the file.
    pub range: Range<usize>,
    /// The text in its place.
    pub after: String,
    /// Another spelling for the model, in which Verilator finds an index that is out of range.
    pub spelling: Option<String>,
    /// Statements, not an expression.
    pub statement: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// Number in its list, from 1; 0 is the unit without an error.
    pub id: u32,
    pub module: String,
    pub file: String,
    /// Line of the first edit, from 1.
    pub line: usize,
    /// Its column in bytes, from 1.
    pub column: usize,
    pub kind: Kind,
    pub before: String,
    pub after: String,
    /// File, kind and the line of text with the change in brackets; does not change when other lines do.
    pub name: String,
    #[serde(skip)]
    pub edits: Vec<Edit>,
}
