// SPDX-License-Identifier: Apache-2.0
//! CSR instructions, and words that are no instruction.

use golden::Csr;
use golden::decode::{CsrInstruction, CsrOperation, CsrSource, Decoded};

use super::goal::Goal;
use super::state::one_of;
use crate::coverage::rules;
use crate::coverage::values::*;
use crate::random::generator::Generator;

/// A CSR instruction.
pub fn csr(g: &mut Generator, goal: &Goal) -> Option<()> {
    let names: Vec<Value> = Axis::CsrName.values().filter(|&name| rules::absent(g.target, name).is_none()).collect();
    let kinds: Vec<Value> = Axis::CsrKind.values().collect();
    let csr = match goal.get(Axis::CsrName) {
        Some(name) => rules::csr(name)?,
        // Any that can be written.
        None => std::iter::repeat_with(|| rules::csr(one_of(g, &names))).take(50).flatten().find(|c| !c.read_only())?,
    };
    let kind = goal.get(Axis::CsrKind).unwrap_or_else(|| one_of(g, &kinds));
    let any = g.draw.range(1, 31) as u8;
    let operation = match kind {
        CSRRW | CSRRW_0 | CSRRWI => CsrOperation::Write,
        CSRRS | CSRRS_0 | CSRRSI | CSRRSI_0 => CsrOperation::Set,
        _ => CsrOperation::Clear,
    };
    let source = match kind {
        CSRRW | CSRRS | CSRRC => CsrSource::Register(any),
        CSRRW_0 | CSRRS_0 | CSRRC_0 => CsrSource::Register(0),
        CSRRWI | CSRRSI | CSRRCI => CsrSource::Immediate(any),
        _ => CsrSource::Immediate(0),
    };
    let rd = match goal.get(Axis::CsrRd) {
        Some(RD_0) => 0,
        Some(RD_RS1) => any,
        _ => (any + g.draw.below(29) as u8) % 31 + 1,
    };
    g.emit(Decoded::Csr(CsrInstruction::new(operation, csr, rd, source)));
    Some(())
}

/// A read of a CSR that changes nothing, into `rd`.
pub fn read(g: &mut Generator, csr: Csr, rd: u8) {
    g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Set, csr, rd, CsrSource::Register(0))));
}

/// A word that is no instruction.
pub fn word(g: &mut Generator, goal: &Goal) -> Option<()> {
    let any = g.draw.u32();
    let ours = any & 0x3fff_ff80 | u32::from(g.target.golden.engine_id) << 30 | 0x5b;
    let funct3 = |value: u32| ours & !0x7000 | value << 12;
    let register = g.draw.range(1, 31) << 15;
    let tlenb = |operation: u32| 0xcd0 << 20 | register | (any & 1) << 14 | operation << 12 | any & 0xf80 | 0x73;
    if let Some(kind) = goal.get(Axis::MxWord) {
        let word = super::matrix::word(g, kind);
        g.word(word);
        return Some(());
    }
    let word = match goal.get(Axis::Encoding)? {
        W_LOAD29 => funct3(0) | 1 << 29,
        W_MOVE28 => funct3(1) & !(1 << 29) | 1 << 28,
        W_MOVE29 => funct3(1) | 1 << 29,
        W_CONCAT3 => funct3(1) & !(7 << 27) | 3 << 25,
        W_MERGE3 => funct3(1) & !(3 << 28) | 7 << 25,
        W_STORE01 => funct3(2) & !(1 << 29) | 1 << 28,
        W_XPOSE29 => funct3(3) | 1 << 29,
        W_F4 => funct3(4),
        W_F5 => funct3(5),
        W_F6 => funct3(6),
        W_F7 => funct3(7),
        W_ENGINE => ours ^ (1 + any % 3) << 30,
        W_TLENB_W => tlenb(1),
        W_TLENB_S => tlenb(2),
        W_TLENB_C => tlenb(3),
        W_CSR => any & 0x000f_bf80 | (1 + any % 3) << 12 | g.draw.range(0x100, 0x7ff) << 20 | 0x73,
        W_TILE_CSR => super::matrix::csr_address(g) << 20 | register | any & 0x4f80 | (1 + any % 3) << 12 | 0x73,
        W_SYSTEM => any & !0x307f | 0x73,
        W_CUSTOM1 => any & !0x7f | 0x2b,
        _ => any & !0x7f | g.draw.pick(&[0x0b, 0x7b, 0x03, 0x23, 0x33, 0x63]),
    };
    g.word(word);
    Some(())
}
