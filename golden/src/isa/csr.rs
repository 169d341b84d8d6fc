// SPDX-License-Identifier: Apache-2.0
//! The six CSR instructions on the unit's CSRs, in two encodings (docs/isa.md, "CSR instructions" and "CSR instructions
//! of the unit").

use super::operands::{Access, Operand, OperandKind, Visit};
use super::word::{bits, place};
use super::{tensor, write_gpr};
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

/// The two encodings of a CSR instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CsrEncoding {
    /// `csrrw`: opcode SYSTEM.
    Standard,
    /// `tl.csrrw`: the unit's own opcode, which a unit with `csr_op` has.
    Unit,
}

/// A CSR instruction with all its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsrInstruction {
    /// How it is encoded.
    pub encoding: CsrEncoding,
    /// What happens to the value.
    pub operation: CsrOperation,
    /// The CSR.
    pub csr: Csr,
    /// Host register that receives the old value.
    pub rd: u8,
    /// The source.
    pub source: CsrSource,
}

/// A row of the tables of encodings.
pub(crate) struct Row {
    pub mnemonic: &'static str,
    pub encoding: CsrEncoding,
    funct3: u8,
    pub operation: CsrOperation,
    /// Whether [19:15] is an immediate; [28] of the unit's encoding.
    pub immediate: bool,
}

const fn standard(mnemonic: &'static str, funct3: u8, operation: CsrOperation, immediate: bool) -> Row {
    Row { mnemonic, encoding: CsrEncoding::Standard, funct3, operation, immediate }
}

const fn unit(mnemonic: &'static str, funct3: u8, operation: CsrOperation, immediate: bool) -> Row {
    Row { mnemonic, encoding: CsrEncoding::Unit, funct3, operation, immediate }
}

pub(crate) const ROWS: [Row; 12] = [
    standard("csrrw", 0b001, CsrOperation::Write, false),
    standard("csrrs", 0b010, CsrOperation::Set, false),
    standard("csrrc", 0b011, CsrOperation::Clear, false),
    standard("csrrwi", 0b101, CsrOperation::Write, true),
    standard("csrrsi", 0b110, CsrOperation::Set, true),
    standard("csrrci", 0b111, CsrOperation::Clear, true),
    unit("tl.csrrw", 0b101, CsrOperation::Write, false),
    unit("tl.csrrs", 0b110, CsrOperation::Set, false),
    unit("tl.csrrc", 0b111, CsrOperation::Clear, false),
    unit("tl.csrrwi", 0b101, CsrOperation::Write, true),
    unit("tl.csrrsi", 0b110, CsrOperation::Set, true),
    unit("tl.csrrci", 0b111, CsrOperation::Clear, true),
];

impl CsrSource {
    pub(crate) fn new(immediate: bool, field: u8) -> Self {
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
    pub encoding: CsrEncoding,
    pub operation: CsrOperation,
    /// In the standard encoding that of the word, in the unit's that with the default `csr_base`.
    pub address: u16,
    pub rd: u8,
    pub source: CsrSource,
}

/// Whether a word with the unit's opcode has the funct3 of a CSR instruction.
pub(super) fn is_of_unit(word: u32) -> bool {
    bits(word, 29, 1) == 0
        && ROWS.iter().any(|row| row.encoding == CsrEncoding::Unit && row.funct3 == bits(word, 12, 3))
}

/// The fields of a word that has the opcode SYSTEM or the unit's, if it is a CSR instruction.
pub(crate) fn fields(word: u32) -> Option<Fields> {
    let (rd, n, source) = (bits(word, 7, 5), u16::from(bits(word, 20, 8)), bits(word, 15, 5));
    let (encoding, address, immediate) = match word & 0x7F {
        OPCODE => (CsrEncoding::Standard, (word >> 20) as u16, bits(word, 14, 1) == 1),
        _ => (CsrEncoding::Unit, if n < 0xC0 { 0x800 | n } else { 0xC00 | n }, bits(word, 28, 1) == 1),
    };
    let key = (encoding, bits(word, 12, 3), immediate);
    let row = ROWS.iter().find(|row| (row.encoding, row.funct3, row.immediate) == key)?;
    Some(Fields { encoding, operation: row.operation, address, rd, source: CsrSource::new(immediate, source) })
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

    pub(crate) fn row(self) -> &'static Row {
        let key = (self.encoding, self.operation, self.source.field().0);
        let number = ROWS.iter().position(|row| (row.encoding, row.operation, row.immediate) == key);
        &ROWS[number.unwrap_or(0)]
    }

    pub(crate) fn encode(self, engine_id: u8) -> u32 {
        let (immediate, source) = self.source.field();
        let of_encoding = match self.encoding {
            CsrEncoding::Standard => place(self.address.into(), 20, 12) | OPCODE,
            CsrEncoding::Unit => {
                let n = place(self.address.into(), 20, 8);
                place(engine_id.into(), 30, 2) | place(immediate.into(), 28, 1) | n | tensor::OPCODE
            }
        };
        let funct3 = place(self.row().funct3.into(), 12, 3);
        of_encoding | place(source.into(), 15, 5) | funct3 | place(self.rd.into(), 7, 5)
    }
}

/// Decodes a word that has the opcode SYSTEM, or is one [`is_of_unit`].
pub(crate) fn decode(word: u32, isa: Isa) -> Decoded {
    let Some(Fields { encoding, operation, address, rd, source }) = fields(word) else { return Decoded::NotOurs };
    let (csr, nothing) = match encoding {
        CsrEncoding::Standard => (isa.csr(address), Decoded::NotOurs),
        CsrEncoding::Unit => (Csr::from_address(address).filter(|&csr| isa.has(csr)), Decoded::Illegal),
    };
    let Some(csr) = csr else { return nothing };
    let instruction = CsrInstruction { encoding, operation, csr, rd, source };
    if csr.read_only() && instruction.writes() { Decoded::Illegal } else { Decoded::Csr(instruction) }
}

impl CsrInstruction {
    /// A CSR instruction in the standard encoding.
    pub fn new(operation: CsrOperation, csr: Csr, rd: u8, source: CsrSource) -> Self {
        Self { encoding: CsrEncoding::Standard, operation, csr, rd, source }
    }

    /// One of each instruction, on `ttype` and with operands that are all 0.
    pub fn all(isa: impl Into<Isa>) -> impl Iterator<Item = Self> {
        let isa = isa.into();
        let rows = ROWS.iter().filter(move |row| isa.csr_op || row.encoding == CsrEncoding::Standard);
        rows.map(|&Row { encoding, operation, immediate, .. }| Self {
            encoding,
            ..Self::new(operation, Csr::Ttype, 0, CsrSource::new(immediate, 0))
        })
    }

    /// The mnemonic: `csrrwi`, `tl.csrrwi`.
    pub fn mnemonic(self) -> &'static str {
        self.fields().row().mnemonic
    }

    /// Whether the CSR is written: a set or clear with x0 or the immediate 0 only reads.
    pub fn writes(self) -> bool {
        self.fields().writes()
    }

    pub(crate) fn fields(self) -> Fields {
        let Self { encoding, operation, csr, rd, source } = self;
        Fields { encoding, operation, address: csr.address(), rd, source }
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self, isa: impl Into<Isa>) -> u32 {
        let (isa, fields) = (isa.into(), self.fields());
        let address = match self.encoding {
            CsrEncoding::Standard => isa.address(fields.address),
            CsrEncoding::Unit => fields.address,
        };
        Fields { address, ..fields }.encode(isa.engine_id)
    }

    /// rd receives the old value; the source is read before rd is written, so both may be the same register.
    pub(super) fn execute(self, m: &mut Machine, out: &mut Outcome) {
        let old = m.csr.read(self.csr);
        if let Some(new) = self.fields().new_value(old, m.xs()) {
            out.csr_write = m.csr.write(self.csr, new).map(|kept| (self.csr.address(), kept));
        }
        write_gpr(m, out, self.rd, old.into());
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
