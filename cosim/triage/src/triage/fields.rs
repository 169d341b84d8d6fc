// SPDX-License-Identifier: Apache-2.0
//! An instruction field by field, after the tables of docs/isa.md, "Encodings".
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::cmp::Reverse;

use golden::decode::{
    CsrEncoding, CsrOperation, CsrSource, Decoded, Elements, Host, Matrix, Operand, OperandKind, Tensor, TileSource,
    Transfer, decode, xpose_sizes,
};
use golden::{Csr, Machine};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub high: u32,
    pub low: u32,
    /// Name in docs/isa.md.
    pub name: &'static str,
    pub meaning: String,
}

impl Field {
    /// The bits of the field in `word`, as binary digits.
    pub fn digits(&self, word: u32) -> String {
        let width = (self.high - self.low + 1) as usize;
        let value = u64::from(word) >> self.low & ((1 << width) - 1);
        format!("{value:0width$b}")
    }

    /// Its place, as `[high:low]`.
    pub fn range(&self) -> String {
        if self.high == self.low { format!("[{}]", self.low) } else { format!("[{}:{}]", self.high, self.low) }
    }
}

/// Collects the fields of a word from bit 31 down.
struct Fields<'a> {
    next: u32,
    state: &'a Machine,
    list: Vec<Field>,
}

impl Fields<'_> {
    fn add(&mut self, width: u32, name: &'static str, meaning: impl Into<String>) {
        let high = self.next - 1;
        self.next -= width;
        self.list.push(Field { high, low: self.next, name, meaning: meaning.into() });
    }

    fn x(&mut self, name: &'static str, register: u8) {
        let value = self.state.operand(register);
        self.add(5, name, format!("x{register} = {value:#010x} ({value})"));
    }

    fn tl(&mut self, name: &'static str, register: u8) {
        let zero = if register == 0 { ", always zero" } else { "" };
        self.add(5, name, format!("tl{register}{zero}"));
    }

    fn engine(&mut self, word: u32) {
        self.add(2, "EngineID", format!("engine {}", word >> 30));
    }
}

/// The fields of `word` from bit 31 down to bit 0, with the values of host registers in `state`.
pub fn fields(word: u32, state: &Machine) -> Vec<Field> {
    let mut f = Fields { next: 32, state, list: Vec::new() };
    match decode(word, state.config()) {
        Decoded::Tensor(tensor) => tensor_fields(&mut f, word, tensor),
        Decoded::Matrix(matrix) => matrix_fields(&mut f, matrix),
        Decoded::Csr(csr) => {
            let opcode = match csr.encoding {
                CsrEncoding::Standard => {
                    f.add(12, "csr", csr.csr.name());
                    "SYSTEM"
                }
                CsrEncoding::Unit => {
                    f.engine(word);
                    f.add(2, "op", csr.mnemonic());
                    f.add(8, "csr", csr.csr.name());
                    "custom-2: TensorLoad"
                }
            };
            csr_source(&mut f, csr.source);
            let what = match csr.operation {
                CsrOperation::Write => "write the CSR",
                CsrOperation::Set => "set bits of the CSR",
                CsrOperation::Clear => "clear bits of the CSR",
            };
            f.add(3, "funct3", what);
            f.add(5, "rd", format!("x{} receives the old value", csr.rd));
            f.add(7, "opcode", opcode);
        }
        Decoded::Host(Host::Lui { rd, imm20 }) => {
            f.add(20, "imm20", format!("{:#010x} after the shift", imm20 << 12));
            f.add(5, "rd", format!("x{rd}"));
            f.add(7, "opcode", "LUI");
        }
        Decoded::Host(Host::Addi { rd, rs1, imm12 }) => {
            f.add(12, "imm12", imm12.to_string());
            f.x("rs1", rs1);
            f.add(3, "funct3", "addi");
            f.add(5, "rd", format!("x{rd}"));
            f.add(7, "opcode", "OP-IMM");
        }
        Decoded::Host(Host::Slli { rd, rs1, shamt }) => {
            f.add(6, "funct6", "0");
            f.add(6, "shamt", shamt.to_string());
            f.x("rs1", rs1);
            f.add(3, "funct3", "slli");
            f.add(5, "rd", format!("x{rd}"));
            f.add(7, "opcode", "OP-IMM");
        }
        Decoded::Illegal | Decoded::NotOurs => illegal_fields(&mut f, word),
    }
    f.list
}

/// The operands by their places, and what is between them: funct3, and the rest of the key of the instruction.
fn tensor_fields(f: &mut Fields, word: u32, tensor: Tensor) {
    f.engine(word);
    let mut operands: Vec<Operand> = tensor.operands().iter().collect();
    operands.sort_by_key(|operand| Reverse(operand.low));
    for operand in operands.into_iter().map(Some).chain([None]) {
        let end = operand.map_or(7, |operand| operand.low + operand.width);
        for (low, name) in [(15, "op"), (12, "funct3"), (7, "0")] {
            if f.next > low.max(end) {
                f.add(f.next - low.max(end), name, tensor.mnemonic());
            }
        }
        if let Some(operand) = operand {
            tensor_operand(f, tensor, operand);
        }
    }
    f.add(7, "opcode", "custom-2: TensorLoad");
}

fn tensor_operand(f: &mut Fields, tensor: Tensor, Operand { name, kind, value, width, .. }: Operand) {
    match (kind, tensor.elements()) {
        (OperandKind::X(_), Elements::Exchanged) => {
            let sizes = xpose_sizes(f.state.x(value as u8));
            f.add(width, name, format!("x{value}: sizes {sizes:?}"));
        }
        (OperandKind::X(_), _) => f.x(name, value as u8),
        (OperandKind::Tl(_) | OperandKind::Tr(_) | OperandKind::Acc(_), _) => f.tl(name, value as u8),
        (OperandKind::Immediate, Elements::Slices(_)) => f.add(width, name, format!("{value} slots")),
        (OperandKind::Immediate, _) => f.add(width, name, value.to_string()),
        (OperandKind::Dimension, _) => f.add(width, name, format!("dimension {value}")),
    }
}

fn csr_source(f: &mut Fields, source: CsrSource) {
    match source {
        CsrSource::Register(rs1) => f.x("rs1", rs1),
        CsrSource::Immediate(uimm) => f.add(5, "uimm", format!("{uimm}")),
    }
}

fn matrix_fields(f: &mut Fields, matrix: Matrix) {
    match matrix {
        Matrix::Load(transfer) => transfer_fields(f, transfer, "a load"),
        Matrix::Store(transfer) => transfer_fields(f, transfer, "a store"),
        Matrix::SetTile { size, source } => {
            f.add(4, "func4", Csr::Matrix(size.csr()).name());
            f.add(2, "uop", "configuration");
            match source {
                TileSource::Immediate(imm10) => {
                    f.add(1, "[25]", "an immediate");
                    f.add(10, "imm10", imm10.to_string());
                }
                TileSource::Register(rs1) => {
                    f.add(1, "[25]", "a register");
                    f.add(5, "0", "");
                    f.x("rs1", rs1);
                }
            }
            f.add(3, "funct3", "");
            f.add(5, "0", "");
        }
        Matrix::Release => {
            f.add(4, "func4", "mrelease");
            f.add(2, "uop", "configuration");
            f.add(14, "0", "");
            f.add(5, "0", "");
        }
    }
    f.add(7, "opcode", "custom-1: matrix");
}

fn transfer_fields(f: &mut Fields, transfer: Transfer, what: &'static str) {
    let transposed = if transfer.transposed { ", transposed" } else { "" };
    f.add(4, "func4", format!("operand {:?}{transposed}", transfer.form));
    f.add(2, "uop", "load or store");
    f.add(1, "ls", what);
    f.x("rs2", transfer.rs2);
    f.x("rs1", transfer.rs1);
    f.add(3, "funct3", "");
    f.add(2, "d_size", format!("elements of {} bits", 8 * transfer.esz()));
    f.add(3, "md", format!("{:?}", transfer.tile()));
}

fn illegal_fields(f: &mut Fields, word: u32) {
    f.add(2, "[31:30]", if word & 0x7f == 0x5b { format!("EngineID {}", word >> 30) } else { String::new() });
    f.add(5, "[29:25]", "");
    f.add(5, "[24:20]", "");
    f.add(5, "[19:15]", "");
    f.add(3, "funct3", "");
    f.add(5, "[11:7]", "");
    f.add(7, "opcode", "not a legal instruction here");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_every_word_cover_its_bits_once_and_in_order() {
        let state = Machine::new(&golden::Config::named("tiny").expect("tiny"));
        let mut word = 1u32;
        let mut kinds = std::collections::BTreeSet::new();
        for i in 0..200_000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let opcode = [0x5b, 0x73, 0x37, 0x13, 0x2b, 0x7f][i % 6];
            let word = (word ^ word >> 15) & !0x7f | opcode;
            let fields = fields(word, &state);
            let digits: String = fields.iter().map(|field| field.digits(word)).collect();
            assert_eq!(digits, format!("{word:032b}"), "{word:#010x} {fields:?}");
            assert_eq!((fields[0].high, fields[fields.len() - 1].low), (31, 0));
            assert!(fields.windows(2).all(|pair| pair[0].low == pair[1].high + 1));
            kinds.insert(fields.iter().map(|field| field.name).collect::<Vec<_>>());
        }
        assert!(kinds.len() >= 9, "{kinds:?}");
    }

    #[test]
    fn a_load_says_what_its_fields_mean() {
        let mut state = Machine::new(&golden::Config::named("tiny").expect("tiny"));
        state.set_x(5, 64);
        let list = fields(0x1fff_82db, &state); // tl.mload tl31, -1(x5)
        let text: Vec<_> = list.iter().map(|f| format!("{} {} {}", f.range(), f.name, f.meaning)).collect();
        assert_eq!(
            text[2..6],
            ["[27:20] imm8 -1 slots", "[19:15] tlrd tl31", "[14:12] funct3 tl.mload", "[11:7] rs x5 = 0x00000040 (64)"]
        );
        assert_eq!(text[1], "[29:28] op tl.mload");
    }
}
