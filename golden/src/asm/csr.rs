// SPDX-License-Identifier: Apache-2.0
//! Syntax of the CSR instructions.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::{CsrEncoding, CsrInstruction, CsrSource, Isa};
use crate::isa::csr::{Fields, ROWS, Row};

/// Reads the operands of `mnemonic` and gives the word; `None` when it is not one of these instructions. The CSR may be
/// any number, also one that is not the unit's or is read only: such words trap, and tests need them.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor, isa: Isa) -> Result<Option<u32>, Fault> {
    let Some(row) = named(mnemonic, cursor, isa)? else { return Ok(None) };
    let rd = cursor.gpr()?;
    cursor.comma()?;
    operands(row, rd, cursor, isa).map(Some)
}

/// The row of a mnemonic, if there is one.
fn named(mnemonic: &str, cursor: &Cursor, isa: Isa) -> Result<Option<&'static Row>, Fault> {
    let row = ROWS.iter().find(|row| row.mnemonic == mnemonic);
    if row.is_some_and(|row| row.encoding == CsrEncoding::Unit && !isa.csr_op) {
        let why = "the configuration has no CSR instructions of the unit (`csr_op = true`)";
        return Err(cursor.bad_mnemonic(mnemonic, why));
    }
    Ok(row)
}

/// As [`parse`], without the register that receives the old value: `csrw csr, rs1` is `csrrw x0, csr, rs1`.
pub(super) fn parse_without_rd(mnemonic: &str, cursor: &mut Cursor, isa: Isa) -> Result<Option<u32>, Fault> {
    let row = named(mnemonic, cursor, isa)?;
    row.map(|row| operands(row, 0, cursor, isa)).transpose()
}

/// As [`parse`], of `csrrs` without its source: `csrr rd, csr` is `csrrs rd, csr, x0`.
pub(super) fn parse_without_source(mnemonic: &str, cursor: &mut Cursor, isa: Isa) -> Result<Option<u32>, Fault> {
    let Some(row) = named(mnemonic, cursor, isa)? else { return Ok(None) };
    let rd = cursor.gpr()?;
    cursor.comma()?;
    let address = cursor.csr(row.encoding)?;
    Ok(Some(row.word(address, rd, 0, isa)))
}

/// The CSR and the source.
fn operands(row: &Row, rd: u8, cursor: &mut Cursor, isa: Isa) -> Result<u32, Fault> {
    let address = cursor.csr(row.encoding)?;
    cursor.comma()?;
    let field = if row.immediate { cursor.integer("uimm", 0, 31)? as u8 } else { cursor.gpr()? };
    Ok(row.word(address, rd, field, isa))
}

impl Row {
    fn word(&self, address: u16, rd: u8, source: u8, isa: Isa) -> u32 {
        let &Row { encoding, operation, immediate, .. } = self;
        Fields { encoding, operation, address, rd, source: CsrSource::new(immediate, source) }.encode(isa.engine_id)
    }
}

/// The mnemonics.
pub(super) fn mnemonics(isa: Isa) -> impl Iterator<Item = &'static str> {
    CsrInstruction::all(isa).map(CsrInstruction::mnemonic)
}

impl Fields {
    /// The text, with this name of the CSR.
    pub(super) fn print(self, csr: &str) -> String {
        let (mnemonic, rd) = (self.row().mnemonic, self.rd);
        match self.source {
            CsrSource::Register(rs1) => format!("{mnemonic} x{rd}, {csr}, x{rs1}"),
            CsrSource::Immediate(uimm) => format!("{mnemonic} x{rd}, {csr}, {uimm}"),
        }
    }
}

impl CsrInstruction {
    /// The canonical text.
    pub(super) fn print(self) -> String {
        self.fields().print(&self.csr.name())
    }
}
