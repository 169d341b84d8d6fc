// SPDX-License-Identifier: Apache-2.0
//! CSR instructions, and words that are no instruction.

use golden::Csr;
use golden::decode::{CsrEncoding, CsrInstruction, CsrOperation, CsrSource, Isa, Tensor};

use super::Facts;
use crate::coverage::names::csrs;
use crate::coverage::values::*;
use crate::unit::target::Target;

pub(super) fn csr(facts: &mut Facts, target: &Target, instruction: CsrInstruction) {
    let CsrInstruction { encoding, operation, csr, rd, source } = instruction;
    use CsrOperation::{Clear, Set, Write};
    use CsrSource::{Immediate, Register};
    facts.set(match (operation, source) {
        (Write, Register(0)) => CSRRW_0,
        (Write, Register(_)) => CSRRW,
        (Write, Immediate(_)) => CSRRWI,
        (Set, Register(0)) => CSRRS_0,
        (Set, Register(_)) => CSRRS,
        (Set, Immediate(0)) => CSRRSI_0,
        (Set, Immediate(_)) => CSRRSI,
        (Clear, Register(0)) => CSRRC_0,
        (Clear, Register(_)) => CSRRC,
        (Clear, Immediate(0)) => CSRRCI_0,
        (Clear, Immediate(_)) => CSRRCI,
    });
    if target.golden.csr_op {
        facts.set(if encoding == CsrEncoding::Unit { CSR_UNIT } else { CSR_STANDARD });
    }
    facts.set(match (rd, source) {
        (0, _) => RD_0,
        (rd, Register(rs1)) if rd == rs1 => RD_RS1,
        _ => RD_OTHER,
    });
    if let Some(index) = csrs().position(|known| known == csr) {
        facts.set(Value { axis: Axis::CsrName, index: index as u8 });
    }
    if instruction.writes() {
        csr_class(csr).into_iter().for_each(|class| facts.set(class));
    }
}

/// The class of a CSR that operations look at.
pub fn csr_class(csr: Csr) -> Option<Value> {
    match csr {
        Csr::Ttype => Some(K_TYPE),
        Csr::Tshape => Some(K_SHAPE),
        Csr::TmaskLoad | Csr::TmaskStore | Csr::TmaskConcat1 | Csr::TmaskConcat2 => Some(K_MASK),
        Csr::TloadWidth | Csr::TstoreWidth => Some(K_WIDTH),
        Csr::TloadStride(_) => Some(K_LOAD_STRIDE),
        Csr::TstoreStride(_) => Some(K_STORE_STRIDE),
        Csr::TloadPitch | Csr::TstorePitch => Some(K_PITCH),
        Csr::TmaskInit => Some(K_INIT),
        Csr::Tlenb | Csr::Matrix(_) => None,
    }
}

/// What `csr` is to an operation that completes, if the operation looks at it; `selected` are the slices of a memory
/// operation, one bit each.
pub fn looks_at(tensor: Tensor, csr: Csr, selected: u32) -> Option<Value> {
    let stride = tensor.transfer().map(|transfer| transfer.direction.csrs().2);
    let is_stride = |stride: fn(u8) -> Csr| (0..32).any(|i| selected >> i & 1 == 1 && stride(i) == csr);
    if stride.is_some_and(is_stride) {
        return Some(WROTE_STRIDE);
    }
    match csr_class(csr).filter(|_| tensor.csrs().any(|read| read == csr))? {
        K_TYPE => Some(WROTE_TYPE),
        K_SHAPE => Some(WROTE_SHAPE),
        K_MASK => Some(WROTE_MASK),
        K_WIDTH => Some(WROTE_WIDTH),
        K_PITCH => Some(WROTE_PITCH),
        K_INIT => Some(WROTE_INIT),
        _ => None,
    }
}

/// Words of the unit's opcode and EngineID, with each funct3 and each value of [29:25].
pub(in crate::coverage) fn opcode_words(target: &Target) -> impl Iterator<Item = u32> + use<> {
    let ours = u32::from(target.golden.engine_id) << 30 | 0x5b;
    (0..1 << 8).map(move |n| ours | (n >> 3) << 25 | (n & 7) << 12)
}

/// The kind of a word of the unit's opcode that is no instruction.
pub(in crate::coverage) fn of_opcode(target: &Target, word: u32) -> Value {
    let funct3 = word >> 12 & 7;
    match funct3 {
        _ if word >> 30 != u32::from(target.golden.engine_id) => W_ENGINE,
        5.. if target.golden.csr_op && word >> 29 & 1 == 0 => {
            let n = (word >> 20 & 0xff) as u16;
            let csr = Csr::from_address(if n < 0xc0 { 0x800 | n } else { 0xc00 | n });
            if csr.is_some_and(|csr| Isa::from(&target.golden).has(csr)) { W_UNIT_WRITE } else { W_UNIT_CSR }
        }
        0 => W_LOAD29,
        1 if word >> 29 & 1 == 1 => W_MOVE29,
        1 if word >> 28 & 1 == 1 => W_MOVE28,
        1 if word >> 27 & 1 == 1 => W_MERGE3,
        1 => W_CONCAT3,
        2 => W_STORE01,
        3 => W_XPOSE29,
        4 => W_F4,
        5 => W_F5,
        6 => W_F6,
        _ => W_F7,
    }
}

/// The kind of a word that is no instruction.
pub(super) fn word(facts: &mut Facts, target: &Target, word: u32) {
    let (isa, funct3) = (Isa::from(&target.golden), word >> 12 & 7);
    let kind = match word & 0x7f {
        0x5b => of_opcode(target, word),
        0x73 => match (isa.csr((word >> 20) as u16), funct3) {
            (_, 0 | 4) => W_SYSTEM,
            (Some(Csr::Tlenb), 1 | 5) => W_TLENB_W,
            (Some(Csr::Tlenb), 2 | 6) => W_TLENB_S,
            (Some(Csr::Tlenb), _) => W_TLENB_C,
            (Some(Csr::Matrix(_)), _) => W_TILE_CSR,
            _ => W_CSR,
        },
        0x2b if target.golden.matrix.is_some() => return super::matrix::word(facts, word),
        0x2b => W_CUSTOM1,
        _ => W_OTHER,
    };
    facts.set(kind);
}
