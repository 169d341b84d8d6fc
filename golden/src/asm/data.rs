// SPDX-License-Identifier: Apache-2.0
//! Directives: data, space, alignment, constants.

use super::cursor::Cursor;
use super::error::Fault;
use super::pseudo::{MAX32, MIN32};
use crate::hart::RAM_BYTES;

/// The directives, for messages.
pub(super) const DIRECTIVES: [&str; 8] = [".word", ".half", ".byte", ".space", ".zero", ".align", ".balign", ".equ"];

/// Bytes of each value of a data directive.
fn width(directive: &str) -> Option<usize> {
    match directive {
        ".word" => Some(4),
        ".half" => Some(2),
        ".byte" => Some(1),
        _ => None,
    }
}

/// Whether it may be at any address, as instructions may not.
pub(super) fn is_directive(mnemonic: &str) -> bool {
    DIRECTIVES.contains(&mnemonic)
}

/// The bytes of a directive at the address `here`; `None` when it is not one, or one without bytes.
pub(super) fn parse(directive: &str, cursor: &mut Cursor, here: u32) -> Result<Option<Vec<u8>>, Fault> {
    if let Some(width) = width(directive) {
        return values(cursor, width).map(Some);
    }
    match directive {
        ".space" | ".zero" => {
            let n = cursor.integer("a number of bytes", 0, RAM_BYTES.into())?;
            Ok(Some(vec![0; n as usize]))
        }
        ".align" => cursor.integer("a power of two", 0, 12).map(|n| Some(padding(here, 1 << n))),
        ".balign" => {
            let n = cursor.integer("a number of bytes", 1, 4096)?;
            Ok(Some(padding(here, n as u32)))
        }
        _ => Ok(None),
    }
}

fn padding(here: u32, n: u32) -> Vec<u8> {
    vec![0; (here.next_multiple_of(n) - here) as usize]
}

fn values(cursor: &mut Cursor, width: usize) -> Result<Vec<u8>, Fault> {
    let (what, low, high) = match width {
        1 => ("a byte", -128, 255),
        2 => ("a half-word", -32768, 65535),
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

/// Bytes of a data directive whose values are not known yet: as many as there are between commas.
pub(super) fn size_of_values(directive: &str, commas: usize) -> Option<usize> {
    width(directive).map(|width| width * (commas + 1))
}
