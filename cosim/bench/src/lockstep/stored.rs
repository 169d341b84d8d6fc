// SPDX-License-Identifier: Apache-2.0
//! What each slice or memory line of a store writes, worked out from docs/isa.md.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::decode::{SliceTransfer, Transfer, decode};
use golden::{Csr, Machine};

use crate::lockstep::lines::Lines;
use crate::lockstep::slices::{Direction, Slices};

/// Address and bytes.
pub type Piece = (u32, Vec<u8>);

/// The pieces that a legal store writes, in the order of the writes: address and bytes. Empty for everything else.
pub fn pieces(model: &Machine, word: u32) -> Vec<Piece> {
    let instruction = decode(word, model.config());
    if let Some(transfer) = instruction.slice_transfer().filter(|transfer| transfer.direction == Direction::Store) {
        slices(model, transfer)
    } else if let Some((Direction::Store, transfer)) = instruction.tile_transfer() {
        lines(model, transfer)
    } else {
        Vec::new()
    }
}

fn slices(model: &Machine, transfer: SliceTransfer) -> Vec<Piece> {
    let Some(slices) = Slices::of(model, transfer) else { return Vec::new() };
    let mask = if transfer.masked { model.csr.read(Csr::TmaskStore) } else { u32::MAX };
    let selected = (0..32).filter(|i| mask >> i & 1 == 1);
    let bytes = slices.bytes as usize;
    let whole = match model.block().filter(|_| model.csr.read(Csr::TstorePitch) != 0) {
        Some((element, shape)) => (shape.0[1] * shape.0[2] * element.bits / 8) as usize,
        None => bytes,
    };
    let register = model.tl.get(transfer.tl);
    let contents = |i: usize| register.get(i * whole..i * whole + bytes).unwrap_or_default().to_vec();
    selected.zip(slices.addresses).map(|(i, address)| (address, contents(i))).collect()
}

fn lines(model: &Machine, transfer: Transfer) -> Vec<Piece> {
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
