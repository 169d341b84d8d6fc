// SPDX-License-Identifier: Apache-2.0
//! Where two matrix registers differ, as text.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::Tile;
use golden::decode::{Direction, Transfer, decode};

use super::bytes::{dump, extent};
use crate::lockstep::failure::Failure;
use crate::unit::target::Target;
use crate::unit::tiles;

pub fn state([m, n, k]: [u32; 3]) -> String {
    format!("mtilem {m}, mtilen {n}, mtilek {k}")
}

/// Where `tile` differs, and the first row that does, of both sides: RTL and model.
pub fn contents(target: &Target, failure: &Failure, tile: Tile, sides: [&[u8]; 2]) -> Vec<(&'static str, String)> {
    let [rtl, model] = sides;
    let row_bytes = target.golden.matrix.map_or(1, |config| match tile {
        Tile::Tr(_) => config.tr_row_bytes(),
        Tile::Acc(_) => config.acc_row_bytes(),
    });
    let row_bytes = row_bytes.max(1) as usize;
    let different: Vec<usize> = (0..rtl.len().min(model.len())).filter(|&i| rtl[i] != model[i]).collect();
    let Some((&first, &last)) = different.first().zip(different.last()) else { return Vec::new() };
    let (row, byte) = (first / row_bytes, first % row_bytes);
    let dump = |side: &[u8]| {
        let bytes = side.get(row * row_bytes..(row + 1) * row_bytes).unwrap_or_default();
        format!("row {row}: {}", dump(bytes))
    };
    let place = |byte: usize| format!("byte {} of row {}", byte % row_bytes, byte / row_bytes);
    vec![
        (
            "where",
            format!("{}, row {row}, byte {byte}{}", tiles::name(tile), element(target, failure, tile, [row, byte])),
        ),
        ("extent", extent(different.len(), [place(first), place(last)], rtl.len())),
        ("RTL", dump(rtl)),
        ("model", dump(model)),
    ]
}

/// What the byte is to the load that failed: an element that it loads, or one that it leaves alone.
fn element(target: &Target, failure: &Failure, tile: Tile, [row, byte]: [usize; 2]) -> String {
    let load = failure.at.and_then(|(_, word, _)| decode(word, &target.golden).tile_transfer());
    let (Some((Direction::Load, transfer)), Some(sizes)) = (load, failure.tile_sizes) else {
        return String::new();
    };
    if transfer.tile() != tile {
        return String::new();
    }
    let column = byte / transfer.esz() as usize;
    let [rows, columns] = shape(transfer, sizes);
    let inside = row < rows && column < columns;
    let what = if inside { "loaded" } else { "not loaded: it keeps its value" };
    format!(", element ({row}, {column}) of {} bits, {what}", 8 * transfer.esz())
}

/// Rows and columns of the tile that a transfer moves.
fn shape(transfer: Transfer, [m, n, k]: [u32; 3]) -> [usize; 2] {
    let (rows, columns) = transfer.form.shape();
    [rows, columns].map(|size| match size {
        golden::TileSize::M => m as usize,
        golden::TileSize::N => n as usize,
        golden::TileSize::K => k as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstep::failure::{Cause, Mismatch};
    use crate::lockstep::in_flight::Operands;
    use crate::triage::report;

    #[test]
    fn a_wrong_element_is_named_with_register_row_and_index() {
        let golden = golden::Config::named("w16").expect("w16");
        let target = Target { golden, ..crate::unit::testing::target("w16") };
        let word = golden::asm::assemble("test", "mlbte16 tr2, (x14), x15", &target.golden).expect("assembles")[0];
        let model = vec![0u8; 64];
        let mut wrong = model.clone();
        (wrong[21], wrong[63]) = (0x5a, 1);
        let failure = Failure {
            at: Some((8, word, 2)),
            operands: Operands { rs: 0x100, rs2: 8 },
            tile_sizes: Some([9, 4, 3]),
            ..*Failure::without_state(Cause::Mismatch(Mismatch::Tile { tile: Tile::Tr(2), rtl: wrong, model }))
        };
        let text = report::text(&target, &failure);
        for line in [
            "w16: MISMATCH: contents of tr2",
            "mlbte16 tr2, (x14), x15",
            "x14 = 0x00000100, x15 = 0x00000008",
            "tr2, row 1, byte 5, element (1, 2) of 16 bits, loaded",
            "2 of 64 bytes differ, from byte 5 of row 1 to byte 15 of row 3",
            "RTL      row 1: 00 00 00 00 00 5a 00",
            "model    row 1: 00 00 00 00 00 00 00",
            "mtilem 9, mtilen 4, mtilek 3",
        ] {
            assert!(text.contains(line), "{line:?} is not in:\n{text}");
        }
    }
}
