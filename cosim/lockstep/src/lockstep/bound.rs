// SPDX-License-Identifier: Apache-2.0
//! Cycle counts that follow from the configuration: the roofline of an instruction, and when to call it hung.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::Machine;
use golden::decode::{Direction, Engine, Lines, Slices, decode};

use crate::unit::target::Target;

/// The roofline of `word` in the state of `model`: the fewest cycles that any datapath can take which writes
/// `lanes` bytes per cycle, reads as much for each operand, and moves one beat per cycle through a memory port.
///
/// * moves, such as `tl.addi`: one register, `reg_bytes / lanes`;
/// * `tl.xpose`: two registers;
/// * loads: the beats of the selected slices, or half a register when there are fewer: zeros go into two rows at once;
/// * stores: the beats of the selected slices;
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
        Some(engine @ (Engine::Load | Engine::Store)) => {
            let least = if engine == Engine::Load { register / 2 } else { 1 };
            let slices = instruction.slice_transfer().and_then(|transfer| Slices::of(model, transfer));
            slices.map_or(1, |slices| least.max(slice_beats(slices.bytes, &slices.addresses, port)))
        }
        Some(Engine::MatrixLoad | Engine::MatrixStore) => {
            let lines = instruction.tile_transfer().and_then(|(direction, transfer)| {
                let size = match direction {
                    Direction::Load => target.golden.l1m_bytes,
                    Direction::Store => target.golden.l0m_bytes,
                };
                Lines::of(model, transfer).filter(|lines| lines.legal(size))
            });
            lines.map_or(1, |lines| line_beats(&lines, port).max(1))
        }
    }
}

/// Beats of `port` bytes that cover the slices, those that follow each other in memory merged.
fn slice_beats(bytes: u32, addresses: &[u64], port: u32) -> u64 {
    let mut beats = 0;
    let mut run: Option<(u64, u64)> = None;
    let length = |(start, end): (u64, u64)| end.div_ceil(port.into()) - start / u64::from(port);
    for &start in addresses {
        let end = start.saturating_add(bytes.into());
        run = match run {
            Some((first, last)) if last == start => Some((first, end)),
            done => {
                beats += done.map_or(0, length);
                Some((start, end))
            }
        };
    }
    beats + run.map_or(0, length)
}

/// Beats of `port` bytes that it takes to move memory lines one by one.
pub fn line_beats(lines: &Lines, port: u32) -> u64 {
    let line = |i| u64::from((lines.address(i) as u32 % port + lines.bytes).div_ceil(port));
    (0..lines.count).map(line).sum()
}

pub const LEAST_HANG: u64 = 256;

/// Cycles without a retirement after which the unit has hung, when `awaited` are the instructions that the next one
/// waits for: eight times their longest rooflines and room for all the unit's pipelines, times `slowdown` for the
/// stalls.
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

#[cfg(test)]
mod tests {
    use super::*;
    use golden::decode::{Form, Transfer};
    use golden::{Machine, TileSize};

    #[test]
    fn beats_of_adjacent_slices_are_shared() {
        let beats = |bytes, addresses: &[u64]| slice_beats(bytes, addresses, 16);
        assert_eq!(beats(16, &[0, 16, 32]), 3);
        assert_eq!(beats(4, &[0, 4, 8, 12]), 1);
        assert_eq!(beats(4, &[0, 8]), 2);
        assert_eq!(beats(16, &[8, 24]), 3);
        assert_eq!(beats(1, &[15, 16]), 2);
        assert_eq!(beats(16, &[]), 0);
    }

    #[test]
    fn beats_are_those_of_the_lines_touched() {
        let mut machine = Machine::new(&golden::Config::named("w16").expect("w16"));
        machine.csr.set_tile_size(TileSize::M, 3);
        machine.csr.set_tile_size(TileSize::K, 8);
        let beats = |transposed, base, stride| {
            let transfer = Transfer { form: Form::A, transposed, d_size: 1, register: 0, rs1: 1, rs2: 2 };
            Lines::new(&machine, transfer, base, stride).map(|lines| (lines.count, line_beats(&lines, 16)))
        };
        assert_eq!(beats(false, 32, 64), Some((3, 3)));
        assert_eq!(beats(false, 34, 64), Some((3, 6)));
        assert_eq!(beats(true, 32, 64), Some((8, 8)));
        assert_eq!(beats(true, 44, 64), Some((8, 16)));
        assert_eq!(beats(true, 0, 6), Some((8, 10)));
        assert_eq!(beats(true, 64, 0u64.wrapping_sub(6)), Some((8, 10)));
    }
}
