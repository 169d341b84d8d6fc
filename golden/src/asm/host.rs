// SPDX-License-Identifier: Apache-2.0
//! Syntax of the host's instructions and of the CSR instructions.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::{CsrInstruction, CsrOperation, CsrSource, Host, csr_word};

/// The mnemonics, for messages.
pub(super) const MNEMONICS: [&str; 8] = ["lui", "addi", "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"];

/// Reads the operands of `mnemonic` and gives the word; `None` when it is not one of these instructions. A CSR may be
/// any number, also one that is not the unit's or is read only: such words trap, and tests need them.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<u32>, Fault> {
    let (operation, immediate) = match mnemonic {
        "lui" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let imm20 = cursor.integer("imm20", 0, 0xF_FFFF)? as u32;
            return Ok(Some(Host::Lui { rd, imm20 }.encode()));
        }
        "addi" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let rs1 = cursor.gpr()?;
            cursor.comma()?;
            let imm12 = cursor.integer("imm12", -2048, 2047)? as i16;
            return Ok(Some(Host::Addi { rd, rs1, imm12 }.encode()));
        }
        "csrrw" => (CsrOperation::Write, false),
        "csrrs" => (CsrOperation::Set, false),
        "csrrc" => (CsrOperation::Clear, false),
        "csrrwi" => (CsrOperation::Write, true),
        "csrrsi" => (CsrOperation::Set, true),
        "csrrci" => (CsrOperation::Clear, true),
        _ => return Ok(None),
    };
    let rd = cursor.gpr()?;
    cursor.comma()?;
    let csr = cursor.csr()?;
    cursor.comma()?;
    let source = if immediate {
        CsrSource::Immediate(cursor.integer("uimm", 0, 31)? as u8)
    } else {
        CsrSource::Register(cursor.gpr()?)
    };
    Ok(Some(csr_word(operation, csr, rd, source)))
}

/// The canonical text of a host instruction.
pub(super) fn print_host(instruction: Host) -> String {
    match instruction {
        Host::Lui { rd, imm20 } => format!("lui x{rd}, {imm20:#x}"),
        Host::Addi { rd, rs1, imm12 } => format!("addi x{rd}, x{rs1}, {imm12}"),
    }
}

/// The canonical text of a CSR instruction.
pub(super) fn print_csr(instruction: CsrInstruction) -> String {
    let mnemonic = match instruction.operation {
        CsrOperation::Write => "csrrw",
        CsrOperation::Set => "csrrs",
        CsrOperation::Clear => "csrrc",
    };
    let (rd, csr) = (instruction.rd, instruction.csr.name());
    match instruction.source {
        CsrSource::Register(rs1) => format!("{mnemonic} x{rd}, {csr}, x{rs1}"),
        CsrSource::Immediate(uimm) => format!("{mnemonic}i x{rd}, {csr}, {uimm}"),
    }
}
