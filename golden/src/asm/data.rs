// SPDX-License-Identifier: Apache-2.0
//! Directives: data, space, alignment, sections, and what compilers write for linkers.

use super::cursor::Cursor;
use super::error::Fault;
use super::pseudo::{MAX32, MIN32};
use super::symbols::Place;
use crate::hart::RAM_BYTES;

/// What a directive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// Values of so many bytes.
    Values(usize),
    /// Zeros.
    Space,
    /// Strings, each with a zero behind it or not.
    Strings(bool),
    /// Up to a multiple of a power of two, or of a number of bytes.
    AlignPower,
    AlignBytes,
    /// A constant.
    Equ,
    /// Zeros in `.bss` with a name.
    Common,
    /// What follows belongs to a section.
    Section,
    /// For linkers and debuggers alone.
    NoEffect,
    /// For the assembler itself; nothing but these words has no effect here.
    Option,
}

/// The names of the directives of each kind.
const TABLE: [(&str, Directive); 14] = [
    (".word .long .int .4byte", Directive::Values(4)),
    (".quad .dword .8byte", Directive::Values(8)),
    (".half .short .2byte", Directive::Values(2)),
    (".byte", Directive::Values(1)),
    (".ascii", Directive::Strings(false)),
    (".asciz .string", Directive::Strings(true)),
    (".space .skip .zero", Directive::Space),
    (".align .p2align", Directive::AlignPower),
    (".balign", Directive::AlignBytes),
    (".equ .set", Directive::Equ),
    (".comm", Directive::Common),
    (".section .text .rodata .data .bss", Directive::Section),
    (".option", Directive::Option),
    (
        ".globl .global .local .weak .hidden .protected .internal .type .size .file .ident .attribute .loc .addrsig \
         .addrsig_sym",
        Directive::NoEffect,
    ),
];

/// The sections in the order in which they lie in memory, then those that are not loaded.
const SECTIONS: [(&str, Section); 10] = [
    (".text", Section::Text),
    (".rodata", Section::Rodata),
    (".srodata", Section::Rodata),
    (".data", Section::Data),
    (".sdata", Section::Data),
    (".bss", Section::Bss),
    (".sbss", Section::Bss),
    (".comment", Section::Dropped),
    (".note", Section::Dropped),
    (".debug", Section::Dropped),
];

/// Where statements are put, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // Each is the section of that name.
pub(super) enum Section {
    #[default]
    Text,
    Rodata,
    Data,
    Bss,
    /// Not loaded.
    Dropped,
}

/// The directives that do something, for messages.
pub(super) fn mnemonics() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(|row| row.1 != Directive::NoEffect).flat_map(|row| row.0.split(' '))
}

/// The directive of this name.
pub(super) fn named(mnemonic: &str) -> Option<Directive> {
    let for_debuggers = mnemonic.starts_with(".cfi_").then_some(Directive::NoEffect);
    TABLE.iter().find(|row| row.0.split(' ').any(|name| name == mnemonic)).map(|row| row.1).or(for_debuggers)
}

/// The section that a directive of sections names.
pub(super) fn section(cursor: &mut Cursor) -> Result<Section, Fault> {
    let mnemonic = cursor.mnemonic().unwrap_or_default();
    let name = if mnemonic == ".section" { cursor.word("the name of a section")? } else { mnemonic };
    let name = name.trim_matches('"');
    let belongs =
        |section: &str| name.strip_prefix(section).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '_']));
    if let Some((_, section)) = SECTIONS.iter().find(|(section, _)| belongs(section)) {
        // Flags and types say what the name says.
        return if mnemonic == ".section" { Ok(*section) } else { cursor.end().map(|()| *section) };
    }
    let allowed = SECTIONS.map(|row| row.0).join(", ");
    Err(cursor.at_mnemonic(format!(
        "the section `{name}` is not known; allowed are {allowed}, and these with `.NAME` behind"
    )))
}

/// The bytes of a directive, which has any, at its place in a section.
pub(super) fn parse(
    directive: Directive,
    cursor: &mut Cursor,
    here: Place,
    section: Section,
) -> Result<Vec<u8>, Fault> {
    match directive {
        Directive::Values(width) => values(cursor, width),
        Directive::Strings(zero) => strings(cursor, zero),
        Directive::Space => Ok(vec![0; cursor.integer("a number of bytes", 0, RAM_BYTES.into())? as usize]),
        Directive::AlignPower => {
            let n = cursor.integer("a power of two", 0, 12)?;
            padding(cursor, here, 1 << n, section)
        }
        Directive::AlignBytes => {
            let n = cursor.power_of_two("a number of bytes", 4096)?;
            padding(cursor, here, n, section)
        }
        Directive::Option => cursor.option().map(|()| Vec::new()),
        Directive::NoEffect => {
            cursor.skip();
            Ok(Vec::new())
        }
        Directive::Common => {
            let (_, _, bytes, alignment) = cursor.common()?;
            let gap = here.address.next_multiple_of(alignment) - here.address;
            Ok(vec![0; gap as usize + bytes])
        }
        Directive::Equ | Directive::Section => Ok(Vec::new()),
    }
}

const NOP: [u8; 4] = 0x13_u32.to_le_bytes();

/// Bytes up to a multiple of `n`: the value that follows, or instructions that do nothing between instructions, and
/// zeros elsewhere.
fn padding(cursor: &mut Cursor, here: Place, n: u32, section: Section) -> Result<Vec<u8>, Fault> {
    let gap = (here.address.next_multiple_of(n) - here.address) as usize;
    if !cursor.at_end() {
        cursor.comma()?;
        return Ok(vec![cursor.integer("a byte", 0, 255)? as u8; gap]);
    }
    if section != Section::Text {
        return Ok(vec![0; gap]);
    }
    let mut bytes = vec![0; gap % 4];
    bytes.extend(NOP.repeat(gap / 4));
    Ok(bytes)
}

fn values(cursor: &mut Cursor, width: usize) -> Result<Vec<u8>, Fault> {
    let (what, low, high) = match width {
        1 => ("a byte", -128, 255),
        2 => ("a half-word", -32768, 65535),
        8 => ("a double-word", i64::MIN, i64::MAX),
        _ => ("a word", MIN32, MAX32),
    };
    let mut bytes = Vec::new();
    loop {
        let value = cursor.integer(what, low, high)?;
        bytes.extend_from_slice(&value.to_le_bytes()[..width]);
        if cursor.at_end() {
            return Ok(bytes);
        }
        cursor.comma()?;
    }
}

fn strings(cursor: &mut Cursor, zero: bool) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    loop {
        bytes.extend(cursor.string()?);
        bytes.extend(zero.then_some(0));
        if cursor.at_end() {
            return Ok(bytes);
        }
        cursor.comma()?;
    }
}
