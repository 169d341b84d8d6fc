// SPDX-License-Identifier: Apache-2.0
//! The six CSR instructions on the unit's CSRs (docs/isa.md, "CSR instructions").

use super::operands::{Access, Operand, OperandKind, Visit};
use super::word::{bits, place};
use super::write_gpr;
use crate::asm::{Cursor, Fault};
use crate::csr::Csr;
use crate::decode::{Decoded, Isa};
use crate::machine::Machine;
use crate::outcome::Outcome;

/// SYSTEM.
pub(crate) const OPCODE: u32 = 0b111_0011;

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

/// Mnemonic, funct3, operation, whether [19:15] is an immediate.
const ROWS: [(&str, u8, CsrOperation, bool); 6] = [
    ("csrrw", 0b001, CsrOperation::Write, false),
    ("csrrs", 0b010, CsrOperation::Set, false),
    ("csrrc", 0b011, CsrOperation::Clear, false),
    ("csrrwi", 0b101, CsrOperation::Write, true),
    ("csrrsi", 0b110, CsrOperation::Set, true),
    ("csrrci", 0b111, CsrOperation::Clear, true),
];

impl CsrSource {
    fn new(immediate: bool, field: u8) -> Self {
        if immediate { Self::Immediate(field) } else { Self::Register(field) }
    }

    /// Whether it is an immediate, and the field [19:15].
    fn field(self) -> (bool, u8) {
        match self {
            Self::Register(rs1) => (false, rs1),
            Self::Immediate(uimm) => (true, uimm),
        }
    }
}

/// The fields of a CSR instruction on any CSR address, one of the unit's or not.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    pub operation: CsrOperation,
    pub address: u16,
    pub rd: u8,
    pub source: CsrSource,
}

/// The fields of a word that has the opcode SYSTEM, if it is a CSR instruction.
pub(crate) fn fields(word: u32) -> Option<Fields> {
    let row = ROWS.iter().find(|row| row.1 == bits(word, 12, 3));
    row.map(|&(_, _, operation, immediate)| Fields {
        operation,
        address: (word >> 20) as u16,
        rd: bits(word, 7, 5),
        source: CsrSource::new(immediate, bits(word, 15, 5)),
    })
}

impl Fields {
    /// Whether the CSR is written: a set or clear with x0 or the immediate 0 only reads.
    fn writes(self) -> bool {
        self.operation == CsrOperation::Write
            || !matches!(self.source, CsrSource::Register(0) | CsrSource::Immediate(0))
    }

    /// What is written to a CSR whose value is `old`, if it is written.
    pub(crate) fn new_value(self, old: u32, x: &[u32; 32]) -> Option<u32> {
        let source = match self.source {
            CsrSource::Register(rs1) => x[usize::from(rs1 & 31)],
            CsrSource::Immediate(uimm) => uimm.into(),
        };
        self.writes().then_some(match self.operation {
            CsrOperation::Write => source,
            CsrOperation::Set => old | source,
            CsrOperation::Clear => old & !source,
        })
    }

    fn encode(self) -> u32 {
        place(self.address.into(), 20, 12)
            | place(self.source.field().1.into(), 15, 5)
            | place(key(self.operation, self.source).1.into(), 12, 3)
            | place(self.rd.into(), 7, 5)
            | OPCODE
    }

    /// The text, with this name of the CSR.
    pub(crate) fn print(self, csr: &str) -> String {
        let (mnemonic, rd) = (key(self.operation, self.source).0, self.rd);
        match self.source {
            CsrSource::Register(rs1) => format!("{mnemonic} x{rd}, {csr}, x{rs1}"),
            CsrSource::Immediate(uimm) => format!("{mnemonic} x{rd}, {csr}, {uimm}"),
        }
    }
}

/// Decodes a word that has the opcode SYSTEM.
pub(crate) fn decode(word: u32, isa: Isa) -> Decoded {
    let Some(Fields { operation, address, rd, source }) = fields(word) else { return Decoded::NotOurs };
    let csr = Csr::from_address(address).filter(|&csr| isa.has(csr));
    let Some(csr) = csr else { return Decoded::NotOurs };
    let instruction = CsrInstruction { operation, csr, rd, source };
    if csr.read_only() && instruction.writes() { Decoded::Illegal } else { Decoded::Csr(instruction) }
}

/// Mnemonic and funct3.
fn key(operation: CsrOperation, source: CsrSource) -> (&'static str, u8) {
    let row = ROWS.iter().find(|row| (row.2, row.3) == (operation, source.field().0));
    row.map_or(("", 0), |row| (row.0, row.1))
}

/// Reads the operands of `mnemonic` and gives the word; `None` when it is not one of these instructions. The CSR may be
/// any number, also one that is not the unit's or is read only: such words trap, and tests need them.
pub(crate) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<u32>, Fault> {
    let Some(&(_, _, operation, immediate)) = ROWS.iter().find(|row| row.0 == mnemonic) else { return Ok(None) };
    let rd = cursor.gpr()?;
    cursor.comma()?;
    operands(operation, immediate, rd, cursor).map(Some)
}

/// As [`parse`], without the register that receives the old value: `csrw csr, rs1` is `csrrw x0, csr, rs1`.
pub(crate) fn parse_without_rd(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<u32>, Fault> {
    let Some(&(_, _, operation, immediate)) = ROWS.iter().find(|row| row.0 == mnemonic) else { return Ok(None) };
    operands(operation, immediate, 0, cursor).map(Some)
}

/// The CSR and the source.
fn operands(operation: CsrOperation, immediate: bool, rd: u8, cursor: &mut Cursor) -> Result<u32, Fault> {
    let address = cursor.csr()?;
    cursor.comma()?;
    let field = if immediate { cursor.integer("uimm", 0, 31)? as u8 } else { cursor.gpr()? };
    Ok(Fields { operation, address, rd, source: CsrSource::new(immediate, field) }.encode())
}

/// The word of `csrrs rd, csr, x0`.
pub(crate) fn read_word(rd: u8, address: u16) -> u32 {
    Fields { operation: CsrOperation::Set, address, rd, source: CsrSource::Register(0) }.encode()
}

/// The mnemonics.
pub(crate) fn mnemonics() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}

impl CsrInstruction {
    /// One of each instruction, on `ttype` and with operands that are all 0.
    pub fn all() -> impl Iterator<Item = Self> {
        let instruction = |operation, source| Self { operation, csr: Csr::Ttype, rd: 0, source };
        ROWS.iter().map(move |&(_, _, operation, immediate)| instruction(operation, CsrSource::new(immediate, 0)))
    }

    /// The mnemonic: `csrrwi`.
    pub fn mnemonic(self) -> &'static str {
        key(self.operation, self.source).0
    }

    /// Whether the CSR is written: a set or clear with x0 or the immediate 0 only reads.
    pub fn writes(self) -> bool {
        self.fields().writes()
    }

    fn fields(self) -> Fields {
        Fields { operation: self.operation, address: self.csr.address(), rd: self.rd, source: self.source }
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        self.fields().encode()
    }

    /// The canonical text.
    pub(crate) fn print(self) -> String {
        self.fields().print(&self.csr.name())
    }

    /// rd receives the old value; the source is read before rd is written, so both may be the same register.
    pub(super) fn execute(self, m: &mut Machine, out: &mut Outcome) {
        let old = m.csr.read(self.csr);
        if let Some(new) = self.fields().new_value(old, m.xs()) {
            out.csr_write = m.csr.write(self.csr, new).map(|kept| (self.csr.address(), kept));
        }
        write_gpr(m, out, self.rd, old);
    }
}

impl Visit for CsrInstruction {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        match &mut self.source {
            CsrSource::Register(rs1) => {
                *rs1 = f(Operand::new("rs1", OperandKind::X(Access::Read), *rs1, (15, 5))) as u8
            }
            CsrSource::Immediate(uimm) => *uimm = f(Operand::new("uimm", OperandKind::Immediate, *uimm, (15, 5))) as u8,
        }
        self.rd = f(Operand::new("rd", OperandKind::X(Access::Write), self.rd, (7, 5))) as u8;
    }
}
