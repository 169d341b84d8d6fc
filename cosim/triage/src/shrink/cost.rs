// SPDX-License-Identifier: Apache-2.0
//! How large a case is. Each step of shrinking makes the cost strictly smaller, so it ends.

use golden::Csr;
use golden::decode::{Engine, Operand, OperandKind, decode};

use super::draft::Draft;
use crate::case::image::Image;
use crate::lockstep::stall::NO_STALL;
use crate::unit::RESET_CYCLES;
use crate::unit::target::Target;

/// The cost of a case: the first field that differs decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    pub program: u64,
    /// Cycles before a reset in the middle, plus one; 0 without one.
    pub reset: u64,
    /// Cycles by which reset is longer or shorter than usual.
    pub reset_cycles: u64,
    /// Stalls: of the classes of the ports, and the instructions that may wait.
    pub stalls: (u64, u64),
    /// Ranges that answer with an error, and the bytes in them.
    pub errors: (u64, u64),
    /// Parts of the state that the program starts from.
    pub state: u64,
    /// Values in the state, and operands of the instructions.
    pub values: u64,
    /// Numbers of the registers that are used.
    pub registers: u64,
    /// Contents of the memories: bytes that it takes to describe them.
    pub memory: u64,
}

impl Cost {
    pub fn of_draft(target: &Target, draft: &Draft) -> Cost {
        let classes = draft.stalls.classes();
        let waiting = draft.program.iter().filter(|step| step.stall != NO_STALL).count() as u64;
        let ranges = || draft.errors.iter().flatten();
        let state = &draft.state;
        let values = state.x.values().map(|&value| number(value)).sum::<u64>()
            + state.csr.iter().map(|(&address, &value)| csr(address, value)).sum::<u64>()
            + state.images().into_iter().map(contents).sum::<u64>()
            + draft.program.iter().map(|step| operands(target, step.word)).sum::<u64>();
        let (x, tl) = registers(target, draft);
        Cost {
            program: draft.program.len() as u64,
            reset: draft.reset_after.map_or(0, |cycles| cycles + 1),
            reset_cycles: u64::from(draft.reset_cycles.abs_diff(RESET_CYCLES)),
            stalls: (classes.iter().map(|&class| class as u64).sum(), waiting),
            errors: (ranges().count() as u64, ranges().map(|range| u64::from(range.end - range.start)).sum()),
            state: state.items().len() as u64,
            values,
            registers: x.iter().chain(&tl).map(|&number| u64::from(number)).sum(),
            memory: draft.memory.iter().map(|bytes| Image::compress(bytes, IMAGE_PERIOD).cost() as u64).sum(),
        }
    }
}

/// Period of the contents of random memories.
const IMAGE_PERIOD: usize = crate::case::BLOCK;

/// A value: its length, and its ones.
fn number(value: u32) -> u64 {
    u64::from(32 - value.leading_zeros() + value.count_ones())
}

/// The value of a CSR: how far it is from the plain ones.
fn csr(address: u16, value: u32) -> u64 {
    match Csr::from_address(address) {
        // Full and empty masks are the plain ones.
        Some(Csr::TmaskLoad | Csr::TmaskStore | Csr::TmaskConcat1 | Csr::TmaskConcat2) => {
            u64::from(value.count_ones().min(value.count_zeros()))
        }
        Some(Csr::Tshape) => value.to_be_bytes().iter().map(|&size| u64::from(size)).sum(),
        Some(Csr::TloadStride(i) | Csr::TstoreStride(i)) => number(value ^ u32::from(i)),
        _ => number(value),
    }
}

/// Contents of a TLReg: zero is best, then bytes that count from 1.
pub fn contents(bytes: &[u8]) -> u64 {
    if bytes.iter().all(|&byte| byte == 0) {
        0
    } else if bytes == counting(bytes.len()) {
        1
    } else {
        2 + bytes.iter().filter(|&&byte| byte != 0).count() as u64
    }
}

/// Bytes that count from 1.
pub fn counting(len: usize) -> Vec<u8> {
    (1..=len).map(|i| i as u8).collect()
}

/// The values in an instruction: immediates, and dimensions in the mnemonic. A word that is none is a value itself.
fn operands(target: &Target, word: u32) -> u64 {
    let instruction = decode(word, &target.golden);
    let Some(engine) = instruction.engine() else { return number(word) };
    let cost = |operand: Operand| match operand.kind {
        OperandKind::X(_) | OperandKind::Tl(_) | OperandKind::Tr(_) | OperandKind::Acc(_) => 0,
        OperandKind::Dimension => u64::from(operand.value.unsigned_abs()),
        OperandKind::Immediate => immediate(engine, operand.value) + u64::from(operand.value < 0),
    };
    instruction.operands().iter().map(cost).sum()
}

/// An immediate without its sign. What counts in those of TensorLoad is how many slots, or how much, and not the bits.
fn immediate(engine: Engine, value: i32) -> u64 {
    match engine {
        Engine::Load | Engine::Store | Engine::Move | Engine::Xpose => u64::from(value.unsigned_abs()) * 2,
        Engine::Host | Engine::Csr | Engine::MatrixLoad | Engine::MatrixStore | Engine::MatrixConfig => {
            number(value.unsigned_abs())
        }
    }
}

/// The numbers of the host registers and of the TLRegs that are used.
fn registers(target: &Target, draft: &Draft) -> (Vec<u8>, Vec<u8>) {
    let (mut x, mut tl) = super::registers::used(target, draft);
    x.retain(|&i| i != 0);
    tl.retain(|&i| i != 0);
    (x, tl)
}
