// SPDX-License-Identifier: Apache-2.0
//! Syntax of the matrix family.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::{Form, Matrix, TileSource, Transfer};
use crate::matrix_csr::TileSize;

/// The mnemonics, for messages.
pub(super) const MNEMONICS: [&str; 4] =
    ["ml{a,b,c}[t]e{8,16,32}", "ms{a,b,c}[t]e{8,16,32}", "msettile{m,n,k}[i]", "mrelease"];

/// Reads the operands of `mnemonic`; `None` when it is not one of the family.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<Matrix>, Fault> {
    if mnemonic == "mrelease" {
        return Ok(Some(Matrix::Release));
    }
    if let Some((size, immediate)) = set_tile(mnemonic) {
        let source = if immediate {
            TileSource::Immediate(cursor.integer("imm10", 0, 1023)? as u16)
        } else {
            TileSource::Register(cursor.gpr()?)
        };
        return Ok(Some(Matrix::SetTile { size, source }));
    }
    let Some((store, form, transposed, d_size)) = transfer(mnemonic) else { return Ok(None) };
    let register = if form == Form::C { cursor.acc()? } else { cursor.tr()? };
    cursor.comma()?;
    let rs1 = cursor.base()?;
    cursor.comma()?;
    let transfer = Transfer { form, transposed, d_size, register, rs1, rs2: cursor.gpr()? };
    Ok(Some(if store { Matrix::Store(transfer) } else { Matrix::Load(transfer) }))
}

/// Whether `mnemonic` is one of the family.
pub(super) fn knows(mnemonic: &str) -> bool {
    mnemonic == "mrelease" || set_tile(mnemonic).is_some() || transfer(mnemonic).is_some()
}

/// The tile size of an `msettile*`, and whether its value is an immediate.
fn set_tile(mnemonic: &str) -> Option<(TileSize, bool)> {
    let suffix = mnemonic.strip_prefix("msettile")?;
    let (letter, immediate) = suffix.strip_suffix('i').map_or((suffix, false), |letter| (letter, true));
    let size = match letter {
        "m" => TileSize::M,
        "n" => TileSize::N,
        "k" => TileSize::K,
        _ => return None,
    };
    Some((size, immediate))
}

/// The parts of a load's or store's name: store, form, transposed, d_size.
fn transfer(mnemonic: &str) -> Option<(bool, Form, bool, u8)> {
    let (store, rest) = match mnemonic.strip_prefix("ml") {
        Some(rest) => (false, rest),
        None => (true, mnemonic.strip_prefix("ms")?),
    };
    let (form, width) = rest.split_once('e')?;
    let (form, transposed) = match form {
        "a" => (Form::A, false),
        "b" => (Form::B, false),
        "c" => (Form::C, false),
        "at" => (Form::A, true),
        "bt" => (Form::B, true),
        "ct" => (Form::C, true),
        _ => return None,
    };
    let d_size = match width {
        "8" => 0,
        "16" => 1,
        "32" => 2,
        _ => return None,
    };
    Some((store, form, transposed, d_size))
}

/// The canonical text.
pub(super) fn print(instruction: Matrix) -> String {
    match instruction {
        Matrix::Load(transfer) => print_transfer("ml", transfer),
        Matrix::Store(transfer) => print_transfer("ms", transfer),
        Matrix::SetTile { size, source } => {
            let letter = match size {
                TileSize::M => 'm',
                TileSize::N => 'n',
                TileSize::K => 'k',
            };
            match source {
                TileSource::Immediate(imm10) => format!("msettile{letter}i {imm10}"),
                TileSource::Register(rs1) => format!("msettile{letter} x{rs1}"),
            }
        }
        Matrix::Release => "mrelease".to_string(),
    }
}

fn print_transfer(prefix: &str, transfer: Transfer) -> String {
    let (form, kind) = match transfer.form {
        Form::A => ("a", "tr"),
        Form::B => ("b", "tr"),
        Form::C => ("c", "acc"),
    };
    let (t, bits) = (if transfer.transposed { "t" } else { "" }, 8 * transfer.esz());
    let Transfer { register, rs1, rs2, .. } = transfer;
    format!("{prefix}{form}{t}e{bits} {kind}{register}, (x{rs1}), x{rs2}")
}
