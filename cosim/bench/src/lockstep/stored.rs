// SPDX-License-Identifier: Apache-2.0
//! What each slice or memory line of a store writes, worked out from docs/isa.md.

use golden::decode::{Decoded, Matrix, Tensor, Transfer, decode};
use golden::{Csr, Machine};

use crate::lockstep::lines::Lines;
use crate::lockstep::slices::{Direction, Slices};

/// The pieces that a legal store writes, in the order of the writes: address and bytes. Empty for everything else.
pub fn pieces(model: &Machine, word: u32) -> Vec<(u32, Vec<u8>)> {
    match decode(word, model.config()) {
        Decoded::Tensor(Tensor::Store { tlrs, rs, imm8 }) => slices(model, false, tlrs, rs, imm8),
        Decoded::Tensor(Tensor::Mstore { tlrs, rs, imm8 }) => slices(model, true, tlrs, rs, imm8),
        Decoded::Matrix(Matrix::Store(transfer)) => lines(model, transfer),
        _ => Vec::new(),
    }
}

fn slices(model: &Machine, masked: bool, tlrs: u8, rs: u8, imm8: i8) -> Vec<(u32, Vec<u8>)> {
    let Some(slices) = Slices::new(model, Direction::Store, masked, model.x(rs), imm8) else { return Vec::new() };
    let mask = if masked { model.csr.read(Csr::TmaskStore) } else { u32::MAX };
    let selected = (0..32).filter(|i| mask >> i & 1 == 1);
    let bytes = slices.bytes as usize;
    let register = model.tl.get(tlrs).chunks(bytes.max(1));
    let contents = |i: usize| register.clone().nth(i).map_or(Vec::new(), <[u8]>::to_vec);
    selected.zip(slices.addresses).map(|(i, address)| (address, contents(i))).collect()
}

fn lines(model: &Machine, transfer: Transfer) -> Vec<(u32, Vec<u8>)> {
    let lines = Lines::new(model, transfer, model.x(transfer.rs1), model.x(transfer.rs2));
    let (Some(lines), Some(tiles)) = (lines, &model.tiles) else { return Vec::new() };
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
