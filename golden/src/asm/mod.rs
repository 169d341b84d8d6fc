// SPDX-License-Identifier: Apache-2.0
//! Assembler and disassembler (docs/isa.md, "Assembly language").
//!
//! Each family of instructions has a `parse` and a `print` in `isa/`, which are inverse to each other: text to fields to
//! word, and back. Here is what they have in common.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod cursor;
mod error;
mod lexer;
mod pseudo;
mod registers;

pub(crate) use cursor::Cursor;
pub(crate) use error::Fault;
pub use error::{AsmError, AsmErrors};

use crate::decode::{Decoded, Isa, decode};
use crate::isa::{csr, host, matrix, tensor};

/// Assembles a program. `file` is only used in messages. Returns the words in order, the first at address 0, or every
/// line's error.
pub fn assemble(file: &str, source: &str, isa: impl Into<Isa>) -> Result<Vec<u32>, AsmErrors> {
    let isa = isa.into();
    let mut words = Vec::new();
    let mut errors = Vec::new();
    for (index, line) in source.lines().enumerate() {
        match assemble_line(line, isa) {
            Ok(more) => words.extend(more),
            Err(fault) => errors.push(fault.at(file, index + 1)),
        }
    }
    if errors.is_empty() { Ok(words) } else { Err(AsmErrors(errors)) }
}

/// The words of one line: none for an empty one, two for some pseudo-instructions.
fn assemble_line(line: &str, isa: Isa) -> Result<Vec<u32>, Fault> {
    let tokens = lexer::tokens(line);
    let mut cursor = Cursor::new(&tokens, line, isa);
    let Some(mnemonic) = cursor.mnemonic()? else { return Ok(Vec::new()) };
    let words = if let Some(instruction) = tensor::parse(mnemonic, &mut cursor)? {
        vec![instruction.encode(isa.engine_id)]
    } else if matrix::named(mnemonic).is_some() && !isa.matrix {
        return Err(cursor.bad_mnemonic(mnemonic, "the configuration has no matrix instructions (`matrix = true`)"));
    } else if let Some(instruction) = matrix::parse(mnemonic, &mut cursor)? {
        vec![instruction.encode()]
    } else if let Some(word) = csr::parse(mnemonic, &mut cursor)? {
        vec![word]
    } else if let Some(instruction) = host::parse(mnemonic, &mut cursor)? {
        vec![instruction.encode()]
    } else if let Some(words) = pseudo::parse(mnemonic, &mut cursor)? {
        words
    } else {
        return Err(cursor.unknown(mnemonic));
    };
    cursor.end()?;
    Ok(words)
}

/// The canonical text of a word, which assembles to the same word again. A word that is not an instruction is written
/// `.word 0x........`.
pub fn disassemble(word: u32, isa: impl Into<Isa>) -> String {
    match decode(word, isa) {
        Decoded::Tensor(instruction) => instruction.print(),
        Decoded::Matrix(instruction) => instruction.print(),
        Decoded::Csr(instruction) => instruction.print(),
        Decoded::Host(instruction) => instruction.print(),
        Decoded::Illegal | Decoded::NotOurs => format!(".word {word:#010x}"),
    }
}
