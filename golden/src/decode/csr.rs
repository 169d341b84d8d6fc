// SPDX-License-Identifier: Apache-2.0
//! CSR instructions on the unit's CSRs (docs/isa.md, "CSR instructions").

use super::{Decoded, Isa, bits, place};
use crate::csr::Csr;

/// SYSTEM.
pub(super) const OPCODE: u32 = 0b111_0011;

/// How a CSR instruction makes the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrOperation {
    /// `csrrw[i]`: the source replaces the value.
    Write,
    /// `csrrs[i]`: bits of the source are set.
    Set,
    /// `csrrc[i]`: bits of the source are cleared.
    Clear,
}

/// Where the source value of a CSR instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrSource {
    /// The host register of that number.
    Register(u8),
    /// An immediate, 0..=31.
    Immediate(u8),
}

/// A CSR instruction with all its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsrInstruction {
    /// What happens to the value.
    pub operation: CsrOperation,
    /// The CSR.
    pub csr: Csr,
    /// Host register that receives the old value.
    pub rd: u8,
    /// The source.
    pub source: CsrSource,
}

/// Decodes a word that has the opcode SYSTEM.
pub(super) fn decode(word: u32, isa: Isa) -> Decoded {
    let csr = Csr::from_address((word >> 20) as u16).filter(|&csr| isa.has(csr));
    let Some(csr) = csr else { return Decoded::NotOurs };
    let operation = match bits(word, 12, 2) {
        1 => CsrOperation::Write,
        2 => CsrOperation::Set,
        3 => CsrOperation::Clear,
        _ => return Decoded::NotOurs,
    };
    let field = bits(word, 15, 5);
    let source = if bits(word, 14, 1) == 1 { CsrSource::Immediate(field) } else { CsrSource::Register(field) };
    let instruction = CsrInstruction { operation, csr, rd: bits(word, 7, 5), source };
    if csr.read_only() && instruction.writes() { Decoded::Illegal } else { Decoded::Csr(instruction) }
}

impl CsrInstruction {
    /// Whether the CSR is written: a set or clear with x0 or the immediate 0 only reads.
    pub fn writes(self) -> bool {
        self.operation == CsrOperation::Write
            || !matches!(self.source, CsrSource::Register(0) | CsrSource::Immediate(0))
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        csr_word(self.operation, self.csr.address(), self.rd, self.source)
    }
}

/// The word of a CSR instruction on any CSR address, one of the unit's or not.
pub(crate) fn csr_word(operation: CsrOperation, address: u16, rd: u8, source: CsrSource) -> u32 {
    let operation = match operation {
        CsrOperation::Write => 1,
        CsrOperation::Set => 2,
        CsrOperation::Clear => 3,
    };
    let (field, immediate) = match source {
        CsrSource::Register(rs1) => (rs1, 0),
        CsrSource::Immediate(uimm) => (uimm, 1),
    };
    place(address.into(), 20, 12)
        | place(field.into(), 15, 5)
        | immediate << 14
        | operation << 12
        | place(rd.into(), 7, 5)
        | OPCODE
}
