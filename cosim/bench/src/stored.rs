// SPDX-License-Identifier: Apache-2.0
//! What each slice or memory line of a store writes, worked out from docs/isa.md.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::decode::{SliceTransfer, Transfer, decode};
use golden::{Csr, Machine};

use crate::lines::Lines;
use crate::slices::{Direction, Slices};

/// The pieces that a legal store writes, in the order of the writes: address and bytes. Empty for everything else.
pub fn pieces(model: &Machine, word: u32) -> Vec<(u32, Vec<u8>)> {
    let instruction = decode(word, model.config());
    if let Some(transfer) = instruction.slice_transfer().filter(|transfer| transfer.direction == Direction::Store) {
        slices(model, transfer)
    } else if let Some((Direction::Store, transfer)) = instruction.tile_transfer() {
        lines(model, transfer)
    } else {
        Vec::new()
    }
}

fn slices(model: &Machine, transfer: SliceTransfer) -> Vec<(u32, Vec<u8>)> {
    let Some(slices) = Slices::of(model, transfer) else { return Vec::new() };
    let mask = if transfer.masked { model.csr.read(Csr::TmaskStore) } else { u32::MAX };
    let selected = (0..32).filter(|i| mask >> i & 1 == 1);
    let bytes = slices.bytes as usize;
    let register = model.tl.get(transfer.tl).chunks(bytes.max(1));
    let contents = |i: usize| register.clone().nth(i).map_or(Vec::new(), <[u8]>::to_vec);
    selected.zip(slices.addresses).map(|(i, address)| (address, contents(i))).collect()
}

fn lines(model: &Machine, transfer: Transfer) -> Vec<(u32, Vec<u8>)> {
    let (Some(lines), Some(tiles)) = (Lines::of(model, transfer), &model.tiles) else { return Vec::new() };
    let (register, row_bytes) = (tiles.get(transfer.tile()), tiles.row_bytes(transfer.tile()) as usize);
    let (element, bytes) = (lines.element as usize, lines.bytes as usize);
    let contents = |line: usize| {
        if transfer.transposed {
            let column = register.chunks(row_bytes).map(|row| &row[line * element..(line + 1) * element]);
            column.take(bytes / element).flatten().copied().collect()
        } else {
            register[line * row_bytes..line * row_bytes + bytes].to_vec()
        }
    };
    (0..lines.count).map(|line| (lines.address(line), contents(line as usize))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Case;
    use crate::testing;

    /// The pieces are those of the model, in its order, and give its memory: for every store that completes.
    #[test]
    fn pieces_are_what_the_model_writes() {
        for target in [testing::target("w16"), testing::workshop().with_faults().expect("tiny")] {
            let (mut tensor, mut matrix) = (0, 0);
            for number in 0..40 {
                let case = Case::new(&target, 7, number);
                let mut model = Machine::new(&target.golden);
                model.l1m.bytes.copy_from_slice(&case.setup.l1m);
                for word in case.program {
                    let pieces = pieces(&model, word);
                    let before = if pieces.is_empty() { Vec::new() } else { model.l0m.bytes.clone() };
                    let outcome = model.step(word);
                    if outcome.mem_writes.is_empty() {
                        continue;
                    }
                    let ranges: Vec<(u32, u32)> = pieces.iter().map(|(at, bytes)| (*at, bytes.len() as u32)).collect();
                    assert_eq!(ranges, outcome.mem_writes, "{}", target.disassemble(word));
                    let mut memory = before;
                    for (at, bytes) in pieces {
                        memory[at as usize..at as usize + bytes.len()].copy_from_slice(&bytes);
                    }
                    assert!(memory == model.l0m.bytes, "{}", target.disassemble(word));
                    let family = if word & 0x7f == 0x2b { &mut matrix } else { &mut tensor };
                    *family += 1;
                }
            }
            assert!(tensor > 100 && matrix > 100, "{tensor} and {matrix} stores");
        }
    }
}
