// SPDX-License-Identifier: Apache-2.0
//! Assembler and disassembler (docs/isa.md, "Assembly language").
//!
//! Each family of instructions has a `parse` and a `print` in `isa/`, which are inverse to each other: text to fields to
//! word, and back. Here is what they have in common.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod cursor;
mod data;
mod error;
mod lexer;
mod pseudo;
mod registers;
mod rv32;
mod symbols;

pub(crate) use cursor::Cursor;
pub(crate) use error::Fault;
pub use error::{AsmError, AsmErrors};

use crate::decode::{Decoded, Isa, decode};
use crate::hart::RAM_BYTES;
use crate::isa::{csr, host, matrix, tensor};
use lexer::{Token, tokens};
use symbols::{NoValue, Symbols, Value};

/// A line with something to assemble.
struct Line<'a> {
    /// From 1.
    number: usize,
    text: &'a str,
    /// What follows the labels.
    tokens: Vec<Token<'a>>,
    address: u32,
    /// Bytes.
    size: usize,
}

/// Errors at most, for what is no program at all.
const MOST_ERRORS: usize = 1000;

/// Assembles a program. `file` is only used in messages. Returns the words in order, the first at address 0, or every
/// line's error. Data that does not fill the last word is followed by zeros.
pub fn assemble(file: &str, source: &str, isa: impl Into<Isa>) -> Result<Vec<u32>, AsmErrors> {
    let isa = isa.into();
    let mut symbols = Symbols::default();
    let mut errors = Vec::new();
    let lines = layout(source, isa, &mut symbols, &mut errors);
    let mut bytes = Vec::new();
    for line in &lines {
        match line_bytes(line, isa, &symbols) {
            Ok(more) => bytes.extend(more),
            Err(fault) if errors.len() < MOST_ERRORS => errors.push((line.number, fault)),
            Err(_) => {}
        }
    }
    if errors.is_empty() {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        return Ok(bytes
            .chunks_exact(4)
            .map(|word| word.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b)))
            .collect());
    }
    errors.sort_by_key(|(line, _)| *line);
    errors.dedup_by_key(|(line, _)| *line);
    Err(AsmErrors(errors.into_iter().map(|(line, fault)| fault.at(file, line)).collect()))
}

/// Goes through the lines once, to give an address to each and to each label, and to read constants.
fn layout<'a>(source: &'a str, isa: Isa, symbols: &mut Symbols, errors: &mut Vec<(usize, Fault)>) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut address: u32 = 0;
    for (number, text) in (1..).zip(source.lines()) {
        let mut rest = tokens(text);
        let mut fault = None;
        while let Some((name, column)) =
            rest.first().and_then(|token| Some((token.text.strip_suffix(':')?, token.column)))
        {
            fault = fault
                .or(define(symbols, name, column, Value { number: address.into(), is_address: true }, number).err());
            rest.remove(0);
        }
        let sized = match fault {
            Some(fault) => Err(fault),
            None => size(text, &rest, number, address, isa, symbols),
        };
        let next = sized.and_then(|size| {
            let end =
                u32::try_from(size).ok().and_then(|size| address.checked_add(size)).filter(|&end| end <= RAM_BYTES);
            let column = rest.first().map_or(1, |token| token.column);
            let message = format!("the program does not fit in program memory, {RAM_BYTES} bytes");
            end.map(|end| (size, end)).ok_or(Fault { column, message })
        });
        match next {
            Ok((size, end)) => {
                lines.push(Line { number, text, tokens: rest, address, size });
                address = end;
            }
            Err(fault) if errors.len() < MOST_ERRORS => errors.push((number, fault)),
            Err(_) => {}
        }
    }
    lines
}

fn define(symbols: &mut Symbols, name: &str, column: usize, value: Value, line: usize) -> Result<(), Fault> {
    if !symbols::is_name(name) {
        let allowed = "letters, digits, `_`, `.` and `$`, no digit first";
        return Err(Fault {
            column,
            message: format!("`{name}` is no name for a label or constant; allowed are {allowed}"),
        });
    }
    let before = symbols.define(name, value, line);
    before.map_err(|before| Fault {
        column,
        message: format!("`{name}` is defined a second time; first in line {before}"),
    })
}

/// Bytes of a line; defines its constant, if it is one.
fn size(text: &str, rest: &[Token], line: usize, here: u32, isa: Isa, symbols: &mut Symbols) -> Result<usize, Fault> {
    let mut cursor = Cursor::new(rest, text, isa, symbols, here);
    let Some(mnemonic) = cursor.mnemonic() else { return Ok(0) };
    match mnemonic {
        ".equ" => {
            let (name, column) = cursor.name()?;
            cursor.comma()?;
            let value = cursor.value()?;
            cursor.end()?;
            let name = name.to_string();
            define(symbols, &name, column, value, line).map(|()| 0)
        }
        // What comes later in the program may be far away.
        "li" => Ok(rest.get(3).map_or(Err(NoValue::Syntax), |token| symbols.evaluate(token.text)).map_or_else(
            |error| if matches!(error, NoValue::Unknown(_)) || rest.len() > 4 { 8 } else { 4 },
            |value| pseudo::li_size(value.number as u32),
        )),
        "la" => Ok(8),
        _ => {
            let commas = rest.iter().filter(|token| token.text == ",").count();
            match data::size_of_values(mnemonic, commas) {
                Some(size) => Ok(size),
                None if data::is_directive(mnemonic) => {
                    Ok(data::parse(mnemonic, &mut cursor, here)?.map_or(0, |bytes| bytes.len()))
                }
                None => Ok(4),
            }
        }
    }
}

/// The bytes of a line.
fn line_bytes(line: &Line, isa: Isa, symbols: &Symbols) -> Result<Vec<u8>, Fault> {
    let mut cursor = Cursor::new(&line.tokens, line.text, isa, symbols, line.address);
    let Some(mnemonic) = cursor.mnemonic() else { return Ok(Vec::new()) };
    if data::is_directive(mnemonic) {
        if mnemonic == ".equ" {
            return Ok(Vec::new());
        }
        let bytes = data::parse(mnemonic, &mut cursor, line.address)?.unwrap_or_default();
        cursor.end()?;
        return Ok(bytes);
    }
    let words = instruction(mnemonic, &mut cursor, line.size, isa)?;
    cursor.end()?;
    if line.address & 3 != 0 {
        let column = line.tokens.first().map_or(1, |token| token.column);
        let address = line.address;
        let message =
            format!("an instruction at address {address:#x}, which is no multiple of 4; `.balign 4` goes before it");
        return Err(Fault { column, message });
    }
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// The words of an instruction: more than one for some pseudo-instructions.
fn instruction(mnemonic: &str, cursor: &mut Cursor, size: usize, isa: Isa) -> Result<Vec<u32>, Fault> {
    if let Some(instruction) = tensor::parse(mnemonic, cursor)? {
        return Ok(vec![instruction.encode(isa.engine_id)]);
    }
    if matrix::named(mnemonic).is_some() && !isa.matrix {
        return Err(cursor.bad_mnemonic(mnemonic, "the configuration has no matrix instructions (`matrix = true`)"));
    }
    if let Some(instruction) = matrix::parse(mnemonic, cursor)? {
        return Ok(vec![instruction.encode()]);
    }
    if let Some(word) = csr::parse(mnemonic, cursor)? {
        return Ok(vec![word]);
    }
    if let Some(instruction) = host::parse(mnemonic, cursor)? {
        return Ok(vec![instruction.encode()]);
    }
    if let Some(word) = rv32::parse(mnemonic, cursor)? {
        return Ok(vec![word]);
    }
    pseudo::parse(mnemonic, cursor, size)?.ok_or_else(|| cursor.unknown(mnemonic))
}

/// The canonical text of a word, which assembles to the same word again. A word that is not an instruction is written
/// `.word 0x........`.
pub fn disassemble(word: u32, isa: impl Into<Isa>) -> String {
    match decode(word, isa) {
        Decoded::Tensor(instruction) => instruction.print(),
        Decoded::Matrix(instruction) => instruction.print(),
        Decoded::Csr(instruction) => instruction.print(),
        Decoded::Host(instruction) => instruction.print(),
        Decoded::NotOurs => rv32::print(word).unwrap_or_else(|| plain(word)),
        Decoded::Illegal => plain(word),
    }
}

fn plain(word: u32) -> String {
    format!(".word {word:#010x}")
}
