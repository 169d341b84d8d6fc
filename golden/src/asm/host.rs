// SPDX-License-Identifier: Apache-2.0
//! Syntax of the host instructions that streams have, too.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::{Host, Isa};

/// Reads the operands of `mnemonic`; `None` when it is not one of these instructions.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor, isa: Isa) -> Result<Option<Host>, Fault> {
    match mnemonic {
        "lui" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let imm20 = cursor.integer("imm20", 0, 0xF_FFFF)? as u32;
            Ok(Some(Host::Lui { rd, imm20 }))
        }
        "addi" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let rs1 = cursor.gpr()?;
            cursor.comma()?;
            let imm12 = cursor.integer("imm12", -2048, 2047)? as i16;
            Ok(Some(Host::Addi { rd, rs1, imm12 }))
        }
        "slli" if isa.xlen == 64 => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let rs1 = cursor.gpr()?;
            cursor.comma()?;
            let shamt = cursor.integer("shamt", 0, 63)? as u8;
            Ok(Some(Host::Slli { rd, rs1, shamt }))
        }
        _ => Ok(None),
    }
}

impl Host {
    /// The canonical text.
    pub(super) fn print(self) -> String {
        match self {
            Self::Lui { rd, imm20 } => format!("lui x{rd}, {imm20:#x}"),
            Self::Addi { rd, rs1, imm12 } => format!("addi x{rd}, x{rs1}, {imm12}"),
            Self::Slli { rd, rs1, shamt } => format!("slli x{rd}, x{rs1}, {shamt}"),
        }
    }
}
