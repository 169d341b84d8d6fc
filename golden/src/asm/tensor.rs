// SPDX-License-Identifier: Apache-2.0
//! Syntax of the TensorLoad family.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::Tensor;

/// The mnemonics, for messages.
pub(super) const MNEMONICS: [&str; 8] =
    ["tl.load", "tl.mload", "tl.store", "tl.mstore", "tl.addi", "tl.concat.d", "tl.merge.d", "tl.xpose.pq"];

/// Reads the operands of `mnemonic`; `None` when it is not one of the family.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<Tensor>, Fault> {
    let instruction = match mnemonic {
        "tl.load" | "tl.mload" | "tl.store" | "tl.mstore" => memory(mnemonic, cursor)?,
        "tl.addi" => {
            let tlrd = cursor.tl()?;
            cursor.comma()?;
            let tlrs = cursor.tl()?;
            cursor.comma()?;
            Tensor::Addi { tlrd, tlrs, imm8: cursor.imm8()? }
        }
        _ => {
            if let Some(suffix) = mnemonic.strip_prefix("tl.concat.") {
                let (d, [tlrd, tlrs1, tlrs2]) = data_move(mnemonic, suffix, cursor)?;
                Tensor::Concat { d, tlrd, tlrs1, tlrs2 }
            } else if let Some(suffix) = mnemonic.strip_prefix("tl.merge.") {
                let (d, [tlrd, tlrs1, tlrs2]) = data_move(mnemonic, suffix, cursor)?;
                Tensor::Merge { d, tlrd, tlrs1, tlrs2 }
            } else if let Some(suffix) = mnemonic.strip_prefix("tl.xpose.") {
                xpose(mnemonic, suffix, cursor)?
            } else {
                return Ok(None);
            }
        }
    };
    Ok(Some(instruction))
}

/// `tl, imm8(rs)`.
fn memory(mnemonic: &str, cursor: &mut Cursor) -> Result<Tensor, Fault> {
    let register = cursor.text_at(0);
    let tl = cursor.tl()?;
    cursor.comma()?;
    if cursor.looks_like(&[None, Some(","), None]) {
        // The older draft has the shape first and the base last in a load, the other way round in a store.
        let base = cursor.text_at(if mnemonic.ends_with("load") { 2 } else { 0 });
        return Err(cursor.fault(format!(
            "`{mnemonic}` with three registers is the form of an older draft; the shape comes from the CSR `tshape`: \
             set tshape, then write `{mnemonic} {register}, 0({base})`"
        )));
    }
    let (imm8, rs) = cursor.address()?;
    Ok(match mnemonic {
        "tl.load" => Tensor::Load { tlrd: tl, rs, imm8 },
        "tl.mload" => Tensor::Mload { tlrd: tl, rs, imm8 },
        "tl.store" => Tensor::Store { tlrs: tl, rs, imm8 },
        _ => Tensor::Mstore { tlrs: tl, rs, imm8 },
    })
}

/// `.d tlrd, tlrs1, tlrs2`.
fn data_move(mnemonic: &str, suffix: &str, cursor: &mut Cursor) -> Result<(u8, [u8; 3]), Fault> {
    let d = match suffix {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        _ => return Err(cursor.bad_mnemonic(mnemonic, "d in `tl.concat.d` and `tl.merge.d` is 0, 1 or 2")),
    };
    let tlrd = cursor.tl()?;
    cursor.comma()?;
    let tlrs1 = cursor.tl()?;
    cursor.comma()?;
    Ok((d, [tlrd, tlrs1, cursor.tl()?]))
}

/// `.pq tlrs1, tlrs2, rs`.
fn xpose(mnemonic: &str, suffix: &str, cursor: &mut Cursor) -> Result<Tensor, Fault> {
    let (p, q) = match suffix.as_bytes() {
        [p @ b'0'..=b'3', q @ b'0'..=b'3'] => (p - b'0', q - b'0'),
        _ => return Err(cursor.bad_mnemonic(mnemonic, "p and q in `tl.xpose.pq` are one digit each, 0 to 3")),
    };
    let tlrs1 = cursor.tl()?;
    cursor.comma()?;
    let tlrs2 = cursor.tl()?;
    cursor.comma()?;
    Ok(Tensor::Xpose { p, q, tlrs1, tlrs2, rs: cursor.gpr()? })
}

/// The canonical text.
pub(super) fn print(instruction: Tensor) -> String {
    match instruction {
        Tensor::Load { tlrd, rs, imm8 } => format!("tl.load tl{tlrd}, {imm8}(x{rs})"),
        Tensor::Mload { tlrd, rs, imm8 } => format!("tl.mload tl{tlrd}, {imm8}(x{rs})"),
        Tensor::Store { tlrs, rs, imm8 } => format!("tl.store tl{tlrs}, {imm8}(x{rs})"),
        Tensor::Mstore { tlrs, rs, imm8 } => format!("tl.mstore tl{tlrs}, {imm8}(x{rs})"),
        Tensor::Addi { tlrd, tlrs, imm8 } => format!("tl.addi tl{tlrd}, tl{tlrs}, {imm8}"),
        Tensor::Concat { d, tlrd, tlrs1, tlrs2 } => format!("tl.concat.{d} tl{tlrd}, tl{tlrs1}, tl{tlrs2}"),
        Tensor::Merge { d, tlrd, tlrs1, tlrs2 } => format!("tl.merge.{d} tl{tlrd}, tl{tlrs1}, tl{tlrs2}"),
        Tensor::Xpose { p, q, tlrs1, tlrs2, rs } => format!("tl.xpose.{p}{q} tl{tlrs1}, tl{tlrs2}, x{rs}"),
    }
}
