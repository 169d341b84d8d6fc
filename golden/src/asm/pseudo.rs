// SPDX-License-Identifier: Apache-2.0
//! Pseudo-instructions: they assemble to other instructions.

use super::csr;
use super::cursor::Cursor;
use super::error::Fault;
use super::rv32;
use crate::decode::{Host, Isa};

/// The mnemonics, for messages.
pub(super) const MNEMONICS: [&str; 32] = [
    "li", "la", "mv", "nop", "not", "neg", "seqz", "snez", "sltz", "sgtz", "j", "jr", "ret", "call", "tail", "beqz",
    "bnez", "blez", "bgez", "bltz", "bgtz", "bgt", "ble", "bgtu", "bleu", "csrr", "csrw", "csrs", "csrc", "csrwi",
    "csrsi", "csrci",
];

/// Those of a unit with `csr_op`.
pub(super) const UNIT_CSR: [&str; 7] = ["tl.csrr", "tl.csrw", "tl.csrs", "tl.csrc", "tl.csrwi", "tl.csrsi", "tl.csrci"];

/// A 32-bit value may be written signed or unsigned.
pub(super) const MIN32: i64 = i32::MIN as i64;
pub(super) const MAX32: i64 = u32::MAX as i64;

/// `csrrs` and so on, for the short forms.
const CSR: [(&str, &str); 12] = [
    ("csrw", "csrrw"),
    ("csrs", "csrrs"),
    ("csrc", "csrrc"),
    ("csrwi", "csrrwi"),
    ("csrsi", "csrrsi"),
    ("csrci", "csrrci"),
    ("tl.csrw", "tl.csrrw"),
    ("tl.csrs", "tl.csrrs"),
    ("tl.csrc", "tl.csrrc"),
    ("tl.csrwi", "tl.csrrwi"),
    ("tl.csrsi", "tl.csrrsi"),
    ("tl.csrci", "tl.csrrci"),
];

/// Branches that compare with x0: mnemonic, the branch, whether the register is its first operand.
const WITH_ZERO: [(&str, &str, bool); 6] = [
    ("beqz", "beq", true),
    ("bnez", "bne", true),
    ("blez", "bge", false),
    ("bgez", "bge", true),
    ("bltz", "blt", true),
    ("bgtz", "blt", false),
];

/// Branches with the operands exchanged.
const EXCHANGED: [(&str, &str); 4] = [("bgt", "blt"), ("ble", "bge"), ("bgtu", "bltu"), ("bleu", "bgeu")];

/// Reads the operands of `mnemonic` and gives the words, `size` bytes of them where the value does not say how many;
/// `None` when it is not one of these.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor, size: usize, isa: Isa) -> Result<Option<Vec<u32>>, Fault> {
    if let Some((_, branch)) = EXCHANGED.iter().find(|row| row.0 == mnemonic) {
        let (a, b) = two(cursor)?;
        cursor.comma()?;
        return cursor.near().map(|offset| Some(vec![rv32::branch(rv32::branch_key(branch), b, a, offset)]));
    }
    if let Some((_, branch, first)) = WITH_ZERO.iter().find(|row| row.0 == mnemonic) {
        let rs = cursor.gpr()?;
        cursor.comma()?;
        let (rs1, rs2) = if *first { (rs, 0) } else { (0, rs) };
        return cursor.near().map(|offset| Some(vec![rv32::branch(rv32::branch_key(branch), rs1, rs2, offset)]));
    }
    if let Some((_, full)) = CSR.iter().find(|row| row.0 == mnemonic) {
        return Ok(csr::parse_without_rd(full, cursor, isa)?.map(|word| vec![word]));
    }
    if let Some((_, full)) = [("csrr", "csrrs"), ("tl.csrr", "tl.csrrs")].iter().find(|row| row.0 == mnemonic) {
        return Ok(csr::parse_without_source(full, cursor, isa)?.map(|word| vec![word]));
    }
    let words = match mnemonic {
        "li" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            // With 64 bits `lui` and `addi` sign-extend: what is above would be another value.
            let most = if isa.xlen == 64 { i64::from(i32::MAX - 0x800) } else { MAX32 };
            let value = cursor.integer("imm32", MIN32, most)? as u32;
            if size == 4 { li(rd, value) } else { upper_and_lower(rd, value) }
        }
        "la" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let offset = cursor.distance()? as u32;
            let low = low12(offset);
            vec![rv32::auipc(rd, offset.wrapping_add(0x800) >> 12), Host::Addi { rd, rs1: rd, imm12: low }.encode()]
        }
        "mv" => {
            let (rd, rs1) = two(cursor)?;
            vec![Host::Addi { rd, rs1, imm12: 0 }.encode()]
        }
        "nop" => vec![Host::Addi { rd: 0, rs1: 0, imm12: 0 }.encode()],
        "not" => two(cursor).map(|(rd, rs)| vec![rv32::three("xori", rd, rs, -1)])?,
        "neg" => two(cursor).map(|(rd, rs)| vec![rv32::three("sub", rd, 0, rs.into())])?,
        "seqz" => two(cursor).map(|(rd, rs)| vec![rv32::three("sltiu", rd, rs, 1)])?,
        "snez" => two(cursor).map(|(rd, rs)| vec![rv32::three("sltu", rd, 0, rs.into())])?,
        "sltz" => two(cursor).map(|(rd, rs)| vec![rv32::three("slt", rd, rs, 0)])?,
        "sgtz" => two(cursor).map(|(rd, rs)| vec![rv32::three("slt", rd, 0, rs.into())])?,
        "j" | "tail" => vec![rv32::jal(0, cursor.far()?)],
        "call" => vec![rv32::jal(1, cursor.far()?)],
        "jr" => vec![rv32::target(cursor, 0)?],
        "ret" => vec![rv32::jalr(0, 1, 0)],
        _ => return Ok(None),
    };
    Ok(Some(words))
}

fn two(cursor: &mut Cursor) -> Result<(u8, u8), Fault> {
    let a = cursor.gpr()?;
    cursor.comma()?;
    Ok((a, cursor.gpr()?))
}

fn low12(value: u32) -> i16 {
    ((value << 20) as i32 >> 20) as i16
}

/// Bytes of `li` with this value.
pub(super) fn li_size(value: u32) -> usize {
    4 * li(1, value).len()
}

/// `addi` when the value fits 12 signed bits, `lui` when the low 12 bits are zero, and otherwise both.
fn li(rd: u8, value: u32) -> Vec<u32> {
    let low = low12(value);
    if i32::from(low) as u32 == value {
        return vec![Host::Addi { rd, rs1: 0, imm12: low }.encode()];
    }
    let mut words = upper_and_lower(rd, value);
    words.truncate(if low == 0 { 1 } else { 2 });
    words
}

/// `lui` and `addi`; `addi` sign-extends, so the upper part is rounded.
fn upper_and_lower(rd: u8, value: u32) -> Vec<u32> {
    let upper = Host::Lui { rd, imm20: value.wrapping_add(0x800) >> 12 };
    vec![upper.encode(), Host::Addi { rd, rs1: rd, imm12: low12(value) }.encode()]
}
