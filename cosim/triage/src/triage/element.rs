// SPDX-License-Identifier: Apache-2.0
//! A wrong element in words: its place, its bits, where it comes from.

use golden::decode::Register;

use super::block::{Block, Wrong, span};
use super::provenance::Source;
use crate::unit::tiles;

/// The columns of [`wrong_cells`].
pub const WRONG: [&str; 6] = ["differ in", "bits", "wrong bytes", "row", "byte lane", "granule lane"];

/// What tables of wrong elements say of one, beside its index and both sides.
pub fn wrong_cells(block: &Block, wrong: &Wrong) -> [String; 6] {
    [
        block.text(wrong.difference()),
        wrong.bits(),
        span(wrong.bytes),
        wrong.row.to_string(),
        span(wrong.lanes),
        wrong.granule.to_string(),
    ]
}

pub fn register_name(register: Register) -> String {
    match register {
        Register::X(number) => format!("x{number}"),
        Register::Tl(number) => format!("tl{number}"),
        Register::Tile(tile) => tiles::name(tile),
    }
}

/// Where a wrong element comes from, or how it is computed; nothing when that is not known.
pub fn source_text(block: &Block, wrong: &Wrong) -> String {
    let byte = |element: usize| element * block.layout.bits as usize / 8;
    match wrong.source {
        None => String::new(),
        Some(Source::Zero) => "zero fill".into(),
        Some(Source::Register { register, element }) => {
            format!("{}, element {element} (byte {})", register_name(register), byte(element))
        }
        Some(Source::Sum { tl, element, value, add }) => {
            let sum = i64::from(value) + i64::from(add);
            let sign = if add < 0 { '-' } else { '+' };
            // As the model has it: nothing is said here of how sums saturate.
            let saturates = wrong.cell.expected.filter(|&expected| i64::from(expected) != sum);
            let end = saturates.map_or(String::new(), |expected| format!(", saturated to {expected}"));
            format!("tl{tl}, element {element}: {value} {sign} {} = {sum}{end}", add.unsigned_abs())
        }
        Some(Source::Memory(address)) => format!("L1M {address:#x}"),
        Some(Source::Kept) => "left alone".into(),
    }
}
