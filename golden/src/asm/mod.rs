// SPDX-License-Identifier: Apache-2.0
//! Assembler and disassembler (docs/isa.md, "Assembly language").
//!
//! Each family of instructions has a file with a `parse` and a `print`, which are inverse to each other: text to fields
//! to word, and back. Nothing in `isa/` knows of them.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod csr;
mod cursor;
mod data;
mod error;
mod host;
mod lexer;
mod matrix;
mod pseudo;
mod registers;
mod rv32;
mod symbols;
mod tensor;
mod unknown;

pub use error::{AsmError, AsmErrors};

use crate::decode::{Decoded, Isa, decode};
use crate::hart::{Program, RAM_BYTES};
use cursor::Cursor;
use data::{Directive, Section};
use error::Fault;
use lexer::{Statement, Token};
use symbols::{NoValue, Place, Symbols, Value};
use unknown::unknown;

/// A label, an instruction or a directive.
struct Line<'a> {
    /// The address is known when all before it are.
    place: Place,
    section: Section,
    /// `;` stands before it.
    follows: bool,
    tokens: Vec<Token<'a>>,
    /// Bytes.
    size: usize,
}

/// An error in a line.
type InLine = (usize, Fault);

/// Errors at most, for what is no program at all.
const MOST_ERRORS: usize = 1000;

/// Assembles a program. `file` is only used in messages. Returns the words in order, the first at address 0, or every
/// line's error. Data that does not fill the last word is followed by zeros.
pub fn assemble(file: &str, source: &str, isa: impl Into<Isa>) -> Result<Vec<u32>, AsmErrors> {
    Assembled::new(file, source, isa.into()).map(|assembled| assembled.words)
}

/// Assembles a program for the host: it begins at `_start`, or at 0 where that is not defined, and ends behind the last
/// word of its instructions.
pub fn program(file: &str, source: &str, isa: impl Into<Isa>) -> Result<Program, AsmErrors> {
    program_and_lines(file, source, isa).map(|(program, _)| program)
}

/// As [`program`], and what is where: the address of each line that has bytes, and its number, from 1. In the order of
/// addresses.
pub fn program_and_lines(
    file: &str,
    source: &str,
    isa: impl Into<Isa>,
) -> Result<(Program, Vec<(u32, usize)>), AsmErrors> {
    // The host stays RV32IM where the unit has registers of 64 bits.
    let Assembled { words, entry, end, lines } = Assembled::new(file, source, Isa { xlen: 32, ..isa.into() })?;
    Ok((Program { entry, end: Some(end), ..Program::from_words(&words) }, lines))
}

/// A program in memory, from address 0 on.
struct Assembled {
    words: Vec<u32>,
    entry: u32,
    /// The address behind the section of instructions.
    end: u32,
    /// Address and number of each line that has bytes.
    lines: Vec<(u32, usize)>,
}

impl Assembled {
    fn new(file: &str, source: &str, isa: Isa) -> Result<Self, AsmErrors> {
        let (mut lines, mut errors) = read(source, isa);
        let mut symbols = Symbols::default();
        let end = layout(&mut lines, isa, &mut symbols, &mut errors);
        let mut bytes = Vec::new();
        for line in &lines {
            bytes.resize(line.place.address as usize, 0);
            match line_bytes(line, isa, &symbols) {
                Ok(more) => bytes.extend(more),
                Err(fault) => errors.push((line.place.line, fault)),
            }
            if errors.len() > MOST_ERRORS {
                break;
            }
        }
        if !errors.is_empty() {
            errors.sort_by_key(|(line, _)| *line);
            errors.dedup_by_key(|(line, _)| *line);
            errors.truncate(MOST_ERRORS);
            return Err(error::in_file(file, errors));
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let word = |word: &[u8]| word.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
        let start = symbols.evaluate("_start", Place::default());
        let entry = start.map_or(0, |start| start.number as u32);
        let lines =
            lines.iter().filter(|line| line.size > 0).map(|line| (line.place.address, line.place.line)).collect();
        Ok(Self { words: bytes.chunks_exact(4).map(word).collect(), entry, end, lines })
    }
}

/// The labels, instructions and directives of a program, section after section.
fn read(source: &str, isa: Isa) -> (Vec<Line<'_>>, Vec<InLine>) {
    let (statements, mut errors) = lexer::statements(source);
    let (mut lines, mut section) = (Vec::new(), Section::default());
    let symbols = Symbols::default();
    for statement in statements {
        let Statement { line, tokens, follows } = statement;
        let labels = tokens.chunks_exact(2).take_while(|pair| pair[1].text == ":").count();
        let (labels, rest) = tokens.split_at(2 * labels);
        let to = match rest.first() {
            Some(first) if data::named(first.text) == Some(Directive::Section) => {
                Some(data::section(&mut Cursor::new(rest, isa, &symbols, Place::default())))
            }
            _ => None,
        };
        let rest = if to.is_some() { &[] } else { rest };
        for tokens in labels.chunks_exact(2).chain([rest]).filter(|tokens| !tokens.is_empty()) {
            let place = Place { line, number: lines.len(), address: 0 };
            let common = data::named(tokens[0].text) == Some(Directive::Common);
            let section = if common { Section::Bss } else { section };
            lines.push(Line { place, section, follows, tokens: tokens.to_vec(), size: 0 });
        }
        match to {
            Some(Ok(found)) => section = found,
            Some(Err(fault)) => errors.push((line, fault)),
            None => {}
        }
    }
    lines.retain(|line| line.section != Section::Dropped);
    lines.sort_by_key(|line| line.section);
    (lines, errors)
}

/// Goes through the lines once, to give an address to each and to each label, and to read constants. Gives the address
/// behind the instructions.
fn layout(lines: &mut [Line], isa: Isa, symbols: &mut Symbols, errors: &mut Vec<InLine>) -> u32 {
    let mut address: u32 = 0;
    let (mut section, mut end) = (Section::default(), None);
    for line in lines {
        if line.section != section {
            address = address.next_multiple_of(4);
            end = end.or(Some(address));
            section = line.section;
        }
        line.place.address = address;
        let next = size(line, isa, symbols).and_then(|size| {
            let end =
                u32::try_from(size).ok().and_then(|size| address.checked_add(size)).filter(|&end| end <= RAM_BYTES);
            let column = line.tokens.first().map_or(1, |token| token.column);
            let message = format!("the program does not fit in program memory, {RAM_BYTES} bytes");
            end.map(|end| (size, end)).ok_or(Fault::new(column, message))
        });
        match next {
            Ok((size, end)) => (line.size, address) = (size, end),
            Err(fault) => errors.push((line.place.line, fault)),
        }
        if errors.len() > MOST_ERRORS {
            break;
        }
    }
    end.unwrap_or(address.next_multiple_of(4))
}

fn define(symbols: &mut Symbols, name: &str, column: usize, value: Value, line: usize) -> Result<(), Fault> {
    if !symbols::is_name(name) {
        let allowed = "letters, digits, `_`, `.` and `$`, no digit first, and for labels a number";
        let message = format!("`{name}` is no name for a label or constant; allowed are {allowed}");
        return Err(Fault::new(column, message));
    }
    let before = symbols.define(name, value, line);
    before.map_err(|before| Fault::new(column, format!("`{name}` is defined a second time; first in line {before}")))
}

/// Bytes of a line; defines its label or its constant, if it is one.
fn size(line: &Line, isa: Isa, symbols: &mut Symbols) -> Result<usize, Fault> {
    let Line { place, tokens, .. } = line;
    if let [label, Token { text: ":", .. }] = tokens[..] {
        if symbols::is_label_number(label.text) {
            symbols.define_number(label.text, *place);
            return Ok(0);
        }
        let value = Value { number: place.address.into(), is_address: true };
        return define(symbols, label.text, label.column, value, place.line).map(|()| 0);
    }
    let mut cursor = Cursor::new(tokens, isa, symbols, *place);
    let Some(mnemonic) = cursor.mnemonic() else { return Ok(0) };
    match (data::named(mnemonic), mnemonic) {
        (Some(Directive::Equ), _) => {
            let (name, column) = cursor.name()?;
            cursor.comma()?;
            let value = cursor.value()?;
            cursor.end()?;
            let name = name.to_string();
            define(symbols, &name, column, value, place.line).map(|()| 0)
        }
        (Some(Directive::Common), _) => {
            let (name, column, bytes, alignment) = cursor.common()?;
            let (name, address) = (name.to_string(), place.address.next_multiple_of(alignment));
            let value = Value { number: address.into(), is_address: true };
            define(symbols, &name, column, value, place.line)?;
            Ok((address - place.address) as usize + bytes)
        }
        // Their values may be defined further down.
        (Some(Directive::Values(width)), _) => {
            Ok(width * (tokens.iter().filter(|token| token.text == ",").count() + 1))
        }
        (Some(directive), _) => Ok(data::parse(directive, &mut cursor, *place, line.section)?.len()),
        // What comes later in the program may be far away.
        (None, "li") if tokens.len() > 4 => Ok(8),
        (None, "li") => {
            let value = tokens.get(3).map_or(Err(NoValue::Syntax), |token| symbols.evaluate(token.text, *place));
            Ok(value.map_or_else(
                |error| if matches!(error, NoValue::Unknown(_)) { 8 } else { 4 },
                |value| pseudo::li_size(value.number as u32),
            ))
        }
        (None, "la") => Ok(8),
        (None, _) => Ok(4),
    }
}

/// The bytes of a line.
fn line_bytes(line: &Line, isa: Isa, symbols: &Symbols) -> Result<Vec<u8>, Fault> {
    let mut cursor = Cursor::new(&line.tokens, isa, symbols, line.place);
    let Some(mnemonic) = cursor.mnemonic().filter(|_| !cursor.looks_like(&[Some(":")])) else { return Ok(Vec::new()) };
    match data::named(mnemonic) {
        Some(Directive::Equ) => return Ok(Vec::new()),
        Some(directive) => {
            let bytes = data::parse(directive, &mut cursor, line.place, line.section)?;
            cursor.end()?;
            return Ok(bytes);
        }
        None => {}
    }
    let words = instruction(mnemonic, &mut cursor, line, isa)?;
    cursor.end()?;
    let address = line.place.address;
    if address & 3 != 0 {
        return Err(cursor.at_mnemonic(format!(
            "an instruction at address {address:#x}, which is no multiple of 4; `.balign 4` goes before it"
        )));
    }
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// The words of an instruction: more than one for some pseudo-instructions.
fn instruction(mnemonic: &str, cursor: &mut Cursor, line: &Line, isa: Isa) -> Result<Vec<u32>, Fault> {
    if let Some(instruction) = tensor::parse(mnemonic, cursor, isa)? {
        return Ok(vec![instruction.encode(isa.engine_id)]);
    }
    if matrix::named(mnemonic).is_some() && !isa.matrix {
        return Err(cursor.bad_mnemonic(mnemonic, "the configuration has no matrix instructions (`matrix = true`)"));
    }
    if let Some(instruction) = matrix::parse(mnemonic, cursor)? {
        return Ok(vec![instruction.encode()]);
    }
    if let Some(word) = csr::parse(mnemonic, cursor, isa)? {
        return Ok(vec![word]);
    }
    if let Some(instruction) = host::parse(mnemonic, cursor, isa)? {
        return Ok(vec![instruction.encode()]);
    }
    if let Some(word) = rv32::parse(mnemonic, cursor)? {
        return Ok(vec![word]);
    }
    pseudo::parse(mnemonic, cursor, line.size, isa)?.ok_or_else(|| unknown(cursor, isa, mnemonic, line.follows))
}

/// The canonical text of a word, which assembles to the same word again. A word that is not an instruction is written
/// `.word 0x........`.
pub fn disassemble(word: u32, isa: impl Into<Isa>) -> String {
    let isa = isa.into();
    match decode(word, isa) {
        Decoded::Tensor(instruction) => instruction.print(isa),
        Decoded::Matrix(instruction) => instruction.print(),
        Decoded::Csr(instruction) => instruction.print(),
        Decoded::Host(instruction) => instruction.print(),
        Decoded::NotOurs => rv32::print(word, isa).unwrap_or_else(|| plain(word)),
        Decoded::Illegal => plain(word),
    }
}

fn plain(word: u32) -> String {
    format!(".word {word:#010x}")
}
