// SPDX-License-Identifier: Apache-2.0
//! Cycle counts that follow from the configuration: the roofline of an instruction, and when to call it hung.

use golden::Machine;
use golden::decode::{Decoded, Matrix, Tensor, Transfer, decode};

use crate::lockstep::lines::Lines;
use crate::lockstep::slices::{Direction, Slices};
use crate::unit::target::Target;

/// The roofline of `word` in the state of `model`: the fewest cycles that any datapath can take which writes
/// `lanes` bytes per cycle, reads as much for each operand, and moves one beat per cycle through a memory port.
///
/// * `tl.addi`, `tl.merge`, `tl.concat`: one register, `reg_bytes / lanes`;
/// * `tl.xpose`: two registers;
/// * loads and stores: one register, or the beats of the selected slices when there are more;
/// * matrix loads and stores: the beats of the memory lines, each line on its own;
/// * everything else, a trap too: the one cycle in which it is issued. Host instructions: none.
pub fn roofline(target: &Target, model: &Machine, word: u32) -> u64 {
    let register = u64::from(target.rtl.reg_bytes / target.rtl.lanes);
    let port = target.rtl.port_bytes();
    let memory = |direction, masked, rs, imm8| {
        let slices = Slices::new(model, direction, masked, model.x(rs), imm8);
        slices.map_or(1, |slices| register.max(slices.beats(port)))
    };
    let lines = |transfer: Transfer, size| {
        let lines = Lines::new(model, transfer, model.x(transfer.rs1), model.x(transfer.rs2));
        lines.filter(|lines| lines.legal(size)).map_or(1, |lines| lines.beats(port).max(1))
    };
    match decode(word, &target.golden) {
        Decoded::Host(_) => 0,
        Decoded::Matrix(Matrix::Load(transfer)) => lines(transfer, target.golden.l1m_bytes),
        Decoded::Matrix(Matrix::Store(transfer)) => lines(transfer, target.golden.l0m_bytes),
        Decoded::Tensor(Tensor::Load { rs, imm8, .. }) => memory(Direction::Load, false, rs, imm8),
        Decoded::Tensor(Tensor::Mload { rs, imm8, .. }) => memory(Direction::Load, true, rs, imm8),
        Decoded::Tensor(Tensor::Store { rs, imm8, .. }) => memory(Direction::Store, false, rs, imm8),
        Decoded::Tensor(Tensor::Mstore { rs, imm8, .. }) => memory(Direction::Store, true, rs, imm8),
        Decoded::Tensor(Tensor::Addi { .. } | Tensor::Concat { .. } | Tensor::Merge { .. }) => register,
        Decoded::Tensor(Tensor::Xpose { .. }) => 2 * register,
        Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Illegal | Decoded::NotOurs => 1,
    }
}

/// Cycles without a retirement after which the unit has hung, when `oldest` is the oldest instruction in flight:
/// eight times its longest roofline and room for all the unit's pipelines, times `slowdown` for the stalls.
pub fn hang(target: &Target, oldest: Option<u32>, slowdown: u64) -> u64 {
    let register = u64::from(target.rtl.reg_bytes / target.rtl.lanes);
    let beats = u64::from(target.rtl.reg_bytes / target.rtl.port_bytes()) + 2 * 32;
    let work = match oldest.map(|word| decode(word, &target.golden)) {
        Some(Decoded::Tensor(tensor)) => match tensor {
            Tensor::Load { .. } | Tensor::Mload { .. } | Tensor::Store { .. } | Tensor::Mstore { .. } => {
                register + beats
            }
            _ => 2 * register,
        },
        Some(Decoded::Matrix(Matrix::Load(_) | Matrix::Store(_))) => target.golden.matrix.map_or(0, |matrix| {
            // The most lines of any form, each as long as a row and one beat more for its offset.
            let longest = matrix.tr_row_bytes().max(matrix.acc_row_bytes());
            u64::from(matrix.rows().max(longest) * (longest.div_ceil(target.rtl.port_bytes()) + 1))
        }),
        _ => 0,
    };
    (256 + 8 * work) * slowdown
}
