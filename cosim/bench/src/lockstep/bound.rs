// SPDX-License-Identifier: Apache-2.0
//! Cycle counts that follow from the configuration: the roofline of an instruction, and when to call it hung.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::Machine;
use golden::decode::{Direction, Engine, decode};

use crate::lockstep::lines::Lines;
use crate::lockstep::slices::Slices;
use crate::unit::target::Target;

/// The roofline of `word` in the state of `model`: the fewest cycles that any datapath can take which writes
/// `lanes` bytes per cycle, reads as much for each operand, and moves one beat per cycle through a memory port.
///
/// * moves, such as `tl.addi`: one register, `reg_bytes / lanes`;
/// * `tl.xpose`: two registers;
/// * loads and stores: one register, or the beats of the selected slices when there are more;
/// * matrix loads and stores: the beats of the memory lines, each line on its own;
/// * everything else, a trap too: the one cycle in which it is issued. Host instructions: none, and in a
///   program, which `Lockstep` counts, one each.
pub fn roofline(target: &Target, model: &Machine, word: u32) -> u64 {
    let register = u64::from(target.rtl.reg_bytes / target.rtl.lanes);
    let port = target.rtl.port_bytes();
    let instruction = decode(word, &target.golden);
    match instruction.engine() {
        None | Some(Engine::Csr | Engine::MatrixConfig) => 1,
        Some(Engine::Host) => 0,
        Some(Engine::Move) => register,
        Some(Engine::Xpose) => 2 * register,
        Some(Engine::Load | Engine::Store) => {
            let slices = instruction.slice_transfer().and_then(|transfer| Slices::of(model, transfer));
            slices.map_or(1, |slices| register.max(slices.beats(port)))
        }
        Some(Engine::MatrixLoad | Engine::MatrixStore) => {
            let lines = instruction.tile_transfer().and_then(|(direction, transfer)| {
                let size = match direction {
                    Direction::Load => target.golden.l1m_bytes,
                    Direction::Store => target.golden.l0m_bytes,
                };
                Lines::of(model, transfer).filter(|lines| lines.legal(size))
            });
            lines.map_or(1, |lines| lines.beats(port).max(1))
        }
    }
}

/// The least value of [`hang`].
pub const LEAST_HANG: u64 = 256;

/// Cycles without a retirement after which the unit has hung, when `awaited` are the instructions that the next one waits
/// for: eight times their longest rooflines and room for all the unit's pipelines, times `slowdown` for the stalls.
pub fn hang(target: &Target, awaited: impl Iterator<Item = u32>, slowdown: u64) -> u64 {
    (LEAST_HANG + 8 * awaited.map(|word| longest(target, word)).sum::<u64>()) * slowdown
}

/// The longest roofline of an instruction.
fn longest(target: &Target, word: u32) -> u64 {
    let register = u64::from(target.rtl.reg_bytes / target.rtl.lanes);
    let beats = u64::from(target.rtl.reg_bytes / target.rtl.port_bytes()) + 2 * 32;
    match decode(word, &target.golden).engine() {
        None | Some(Engine::Host | Engine::Csr | Engine::MatrixConfig) => 0,
        Some(Engine::Load | Engine::Store) => register + beats,
        Some(Engine::Move | Engine::Xpose) => 2 * register,
        Some(Engine::MatrixLoad | Engine::MatrixStore) => target.golden.matrix.map_or(0, |matrix| {
            // The most lines of any form, each as long as a row and one beat more for its offset.
            let longest = matrix.tr_row_bytes().max(matrix.acc_row_bytes());
            u64::from(matrix.rows().max(longest) * (longest.div_ceil(target.rtl.port_bytes()) + 1))
        }),
    }
}
