// SPDX-License-Identifier: Apache-2.0
//! RV32IM and the machine-mode instructions as text (docs/isa.md, "Host instructions"). `lui` and `addi`, which streams
//! have too, are in `isa/host.rs`.

use super::cursor::Cursor;
use super::error::Fault;
use crate::csr::ADAPTER_CSRS;
use crate::decode::Isa;
use crate::hart::{EBREAK, ECALL, HartCsr, MRET};
use crate::isa::csr;

/// The operands of an instruction, and where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `rd, rs1, rs2`
    Register,
    /// `rd, rs1, imm12`
    Immediate,
    /// `rd, rs1, shamt`
    Shift,
    /// `rd, imm12(rs1)`
    Load,
    /// `rs2, imm12(rs1)`
    Store,
    /// `rs1, rs2, target`
    Branch,
    /// `rd, imm20`
    Upper,
    /// `rd, target`
    Jump,
    /// Nothing, or `predecessors, successors`
    Fence,
    /// None
    Fixed,
}

const OP: u32 = 0x33;
const OP_IMM: u32 = 0x13;
const LOAD: u32 = 0x03;
const STORE: u32 = 0x23;
const BRANCH: u32 = 0x63;
const AUIPC: u32 = 0x17;
const JAL: u32 = 0x6F;
const JALR: u32 = 0x67;
const MISC_MEM: u32 = 0x0F;

const fn key(opcode: u32, funct3: u32, funct7: u32) -> u32 {
    funct7 << 25 | funct3 << 12 | opcode
}

const ROWS: [(&str, Form, u32); 47] = [
    ("auipc", Form::Upper, AUIPC),
    ("jal", Form::Jump, JAL),
    ("jalr", Form::Load, JALR),
    ("beq", Form::Branch, key(BRANCH, 0, 0)),
    ("bne", Form::Branch, key(BRANCH, 1, 0)),
    ("blt", Form::Branch, key(BRANCH, 4, 0)),
    ("bge", Form::Branch, key(BRANCH, 5, 0)),
    ("bltu", Form::Branch, key(BRANCH, 6, 0)),
    ("bgeu", Form::Branch, key(BRANCH, 7, 0)),
    ("lb", Form::Load, key(LOAD, 0, 0)),
    ("lh", Form::Load, key(LOAD, 1, 0)),
    ("lw", Form::Load, key(LOAD, 2, 0)),
    ("lbu", Form::Load, key(LOAD, 4, 0)),
    ("lhu", Form::Load, key(LOAD, 5, 0)),
    ("sb", Form::Store, key(STORE, 0, 0)),
    ("sh", Form::Store, key(STORE, 1, 0)),
    ("sw", Form::Store, key(STORE, 2, 0)),
    ("slti", Form::Immediate, key(OP_IMM, 2, 0)),
    ("sltiu", Form::Immediate, key(OP_IMM, 3, 0)),
    ("xori", Form::Immediate, key(OP_IMM, 4, 0)),
    ("ori", Form::Immediate, key(OP_IMM, 6, 0)),
    ("andi", Form::Immediate, key(OP_IMM, 7, 0)),
    ("slli", Form::Shift, key(OP_IMM, 1, 0)),
    ("srli", Form::Shift, key(OP_IMM, 5, 0)),
    ("srai", Form::Shift, key(OP_IMM, 5, 0x20)),
    ("add", Form::Register, key(OP, 0, 0)),
    ("sub", Form::Register, key(OP, 0, 0x20)),
    ("sll", Form::Register, key(OP, 1, 0)),
    ("slt", Form::Register, key(OP, 2, 0)),
    ("sltu", Form::Register, key(OP, 3, 0)),
    ("xor", Form::Register, key(OP, 4, 0)),
    ("srl", Form::Register, key(OP, 5, 0)),
    ("sra", Form::Register, key(OP, 5, 0x20)),
    ("or", Form::Register, key(OP, 6, 0)),
    ("and", Form::Register, key(OP, 7, 0)),
    ("mul", Form::Register, key(OP, 0, 1)),
    ("mulh", Form::Register, key(OP, 1, 1)),
    ("mulhsu", Form::Register, key(OP, 2, 1)),
    ("mulhu", Form::Register, key(OP, 3, 1)),
    ("div", Form::Register, key(OP, 4, 1)),
    ("divu", Form::Register, key(OP, 5, 1)),
    ("rem", Form::Register, key(OP, 6, 1)),
    ("remu", Form::Register, key(OP, 7, 1)),
    ("fence", Form::Fence, MISC_MEM),
    ("ecall", Form::Fixed, ECALL),
    ("ebreak", Form::Fixed, EBREAK),
    ("mret", Form::Fixed, MRET),
];

impl Form {
    /// The bits of a word that are no operands.
    fn mask(self) -> u32 {
        match self {
            Self::Upper | Self::Jump => 0x7F,
            Self::Register | Self::Shift => 0xFE00_707F,
            Self::Immediate | Self::Load | Self::Store | Self::Branch => 0x707F,
            // The other fields are reserved, or say which fence it is.
            Self::Fence => 0xF00F_FFFF,
            Self::Fixed => u32::MAX,
        }
    }
}

/// The mnemonics.
pub(super) fn mnemonics() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}

fn place(value: u8, low: u32) -> u32 {
    u32::from(value) << low
}

/// The word of a branch to `offset` bytes from itself.
pub(super) fn branch(key: u32, rs1: u8, rs2: u8, offset: i64) -> u32 {
    let o = offset as u32;
    let immediate = (o >> 12 & 1) << 31 | (o >> 5 & 0x3F) << 25 | (o >> 1 & 0xF) << 8 | (o >> 11 & 1) << 7;
    key | immediate | place(rs2, 20) | place(rs1, 15)
}

/// The word of `jal rd` to `offset` bytes from itself.
pub(super) fn jal(rd: u8, offset: i64) -> u32 {
    let o = offset as u32;
    let immediate = (o >> 20 & 1) << 31 | (o >> 1 & 0x3FF) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xFF) << 12;
    JAL | immediate | place(rd, 7)
}

/// The word of `jalr rd, imm12(rs1)`.
pub(super) fn jalr(rd: u8, rs1: u8, imm12: i64) -> u32 {
    JALR | immediate(imm12) | place(rs1, 15) | place(rd, 7)
}

/// The word of `auipc rd, imm20`.
pub(super) fn auipc(rd: u8, imm20: u32) -> u32 {
    AUIPC | imm20 << 12 | place(rd, 7)
}

/// The word of the instruction `mnemonic` with three registers, or two and an immediate.
pub(super) fn three(mnemonic: &str, rd: u8, rs1: u8, last: i64) -> u32 {
    let row = ROWS.iter().find(|row| row.0 == mnemonic);
    row.map_or(0, |&(_, form, key)| {
        let last = if form == Form::Immediate { immediate(last) } else { place(last as u8 & 31, 20) };
        key | last | place(rs1, 15) | place(rd, 7)
    })
}

/// The key of the branch `mnemonic`.
pub(super) fn branch_key(mnemonic: &str) -> u32 {
    ROWS.iter().find(|row| row.0 == mnemonic).map_or(0, |row| row.2)
}

fn immediate(imm12: i64) -> u32 {
    (imm12 as u32) << 20
}

/// Reads the operands of `mnemonic` and gives the word; `None` when it is not one of these instructions.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<u32>, Fault> {
    let Some(&(_, form, key)) = ROWS.iter().find(|row| row.0 == mnemonic) else { return Ok(None) };
    if key == JALR {
        return parse_jalr(cursor).map(Some);
    }
    let operands = match form {
        Form::Register => {
            let (rd, rs1) = two(cursor)?;
            place(cursor.gpr()?, 20) | place(rs1, 15) | place(rd, 7)
        }
        Form::Immediate => {
            let (rd, rs1) = two(cursor)?;
            immediate(cursor.imm12()?) | place(rs1, 15) | place(rd, 7)
        }
        Form::Shift => {
            let (rd, rs1) = two(cursor)?;
            place(cursor.integer("shamt", 0, 31)? as u8, 20) | place(rs1, 15) | place(rd, 7)
        }
        Form::Load => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let offset = cursor.offset12()?;
            immediate(offset) | place(cursor.base()?, 15) | place(rd, 7)
        }
        Form::Store => {
            let rs2 = cursor.gpr()?;
            cursor.comma()?;
            let offset = cursor.offset12()? as u32;
            let immediate = (offset >> 5) << 25 | (offset & 31) << 7;
            immediate | place(rs2, 20) | place(cursor.base()?, 15)
        }
        Form::Branch => {
            let (rs1, rs2) = two(cursor)?;
            return cursor.near().map(|offset| Some(branch(key, rs1, rs2, offset)));
        }
        Form::Upper => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            (cursor.integer("imm20", 0, 0xF_FFFF)? as u32) << 12 | place(rd, 7)
        }
        Form::Jump => {
            let rd = if cursor.looks_like(&[None, Some(",")]) {
                let rd = cursor.gpr()?;
                cursor.comma()?;
                rd
            } else {
                1
            };
            return cursor.far().map(|offset| Some(jal(rd, offset)));
        }
        Form::Fence if cursor.at_end() => 0x0FF << 20,
        Form::Fence => {
            let predecessors = fence_set(cursor)?;
            cursor.comma()?;
            place(predecessors, 24) | place(fence_set(cursor)?, 20)
        }
        Form::Fixed => 0,
    };
    Ok(Some(key | operands))
}

/// The operands of `jalr`: `rd` may be left out, and the rest is that of `jr`.
fn parse_jalr(cursor: &mut Cursor) -> Result<u32, Fault> {
    if cursor.has_link() {
        let rd = cursor.gpr()?;
        cursor.comma()?;
        return target(cursor, rd);
    }
    target(cursor, 1)
}

/// `rs`, `rs, imm12` or `imm12(rs)`, as GNU as has them.
pub(super) fn target(cursor: &mut Cursor, rd: u8) -> Result<u32, Fault> {
    if !cursor.at_gpr() {
        let offset = cursor.offset12()?;
        return Ok(jalr(rd, cursor.base()?, offset));
    }
    let rs1 = cursor.gpr()?;
    if cursor.at_end() {
        return Ok(jalr(rd, rs1, 0));
    }
    cursor.comma()?;
    Ok(jalr(rd, rs1, cursor.imm12()?))
}

/// `a, b,`
fn two(cursor: &mut Cursor) -> Result<(u8, u8), Fault> {
    let a = cursor.gpr()?;
    cursor.comma()?;
    let b = cursor.gpr()?;
    cursor.comma()?;
    Ok((a, b))
}

/// Some of the letters of a fence, in their order.
fn fence_set(cursor: &mut Cursor) -> Result<u8, Fault> {
    let read = |text: &str| {
        let set = FENCE.iter().fold(0, |set, &letter| set << 1 | u8::from(text.contains(letter)));
        let canonical: String =
            FENCE.iter().enumerate().filter(|(i, _)| set >> (3 - i) & 1 == 1).map(|(_, c)| c).collect();
        (set != 0 && canonical == text).then_some(set)
    };
    cursor.take("a set of accesses: some of the letters iorw, in this order", read)
}

/// The letters of a set of accesses, from bit 3 on down.
const FENCE: [char; 4] = ['i', 'o', 'r', 'w'];

fn fence_text(set: u32) -> String {
    FENCE.iter().enumerate().filter(|(i, _)| set >> (3 - i) & 1 == 1).map(|(_, letter)| letter).collect()
}

/// The text of a word that is one of these instructions, or a CSR instruction on a CSR of the host or of an adapter.
pub(super) fn print(word: u32, isa: Isa) -> Option<String> {
    if word & 0x7F == csr::OPCODE
        && let Some(fields) = csr::fields(word)
    {
        let adapter = ADAPTER_CSRS.iter().find(|csr| isa.address(csr.0) == fields.address).map(|csr| csr.1);
        return HartCsr::from_address(fields.address).map(HartCsr::name).or(adapter).map(|csr| fields.print(csr));
    }
    let &(mnemonic, form, _) = ROWS.iter().find(|(_, form, key)| word & form.mask() == *key)?;
    let register = |low: u32| word >> low & 31;
    let (rd, rs1, rs2, imm12) = (register(7), register(15), register(20), word as i32 >> 20);
    Some(match form {
        Form::Register => format!("{mnemonic} x{rd}, x{rs1}, x{rs2}"),
        Form::Immediate => format!("{mnemonic} x{rd}, x{rs1}, {imm12}"),
        Form::Shift => format!("{mnemonic} x{rd}, x{rs1}, {rs2}"),
        Form::Load => format!("{mnemonic} x{rd}, {imm12}(x{rs1})"),
        Form::Store => format!("{mnemonic} x{rs2}, {}(x{rs1})", imm12 & !31 | rd as i32),
        Form::Branch => {
            let low = (word >> 7 & 1) << 11 | (word >> 25 & 0x3F) << 5 | (word >> 8 & 0xF) << 1;
            format!("{mnemonic} x{rs1}, x{rs2}, {}", word as i32 >> 31 << 12 | low as i32)
        }
        Form::Upper => format!("{mnemonic} x{rd}, {:#x}", word >> 12),
        Form::Jump => {
            let low = (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 0x3FF) << 1;
            format!("{mnemonic} x{rd}, {}", word as i32 >> 31 << 20 | low as i32)
        }
        Form::Fence => match (word >> 24 & 15, word >> 20 & 15) {
            (15, 15) => mnemonic.to_string(),
            (0, _) | (_, 0) => return None,
            (predecessors, successors) => {
                format!("{mnemonic} {}, {}", fence_text(predecessors), fence_text(successors))
            }
        },
        Form::Fixed => mnemonic.to_string(),
    })
}
