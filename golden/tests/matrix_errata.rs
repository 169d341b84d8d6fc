// SPDX-License-Identifier: Apache-2.0
//! One test for each line of docs/isa.md, "Matrix errata": the side that was taken holds.
#![allow(clippy::unwrap_used)]

use crate::common::*;
use golden::Tile;
use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, Isa, decode};

const MATRIX: Isa = Isa { matrix: true, ..Isa::DRAFT };

/// A load or store with x0 as base and stride.
fn word(func4: u32, ls: u32, d_size: u32, md: u32) -> u32 {
    func4 << 28 | 1 << 26 | ls << 25 | d_size << 10 | md << 7 | 0x2B
}

fn legal(word: u32) -> bool {
    matches!(decode(word, MATRIX), Decoded::Matrix(_))
}

/// Every func4, ls and d_size for which some md is legal.
fn legal_operations() -> Vec<[u32; 3]> {
    let all = (0..16 * 2 * 4).map(|n| [n >> 3, n >> 2 & 1, n & 3]);
    all.filter(|&[func4, ls, d_size]| (0..8).any(|md| legal(word(func4, ls, d_size, md)))).collect()
}

#[test]
fn erratum_m1_36_instructions_stay() {
    assert_eq!(legal_operations().len(), 36);
}

#[test]
fn erratum_m2_64_bit_and_whole_register_forms_go() {
    assert!(legal_operations().iter().all(|&[func4, _, d_size]| func4 != 0b0011 && d_size != 3));
    // Loads and stores of seven kinds, one of them whole registers, in four sizes.
    assert_eq!(2 * 7 * 4 - legal_operations().len(), 20);
}

#[test]
fn erratum_m3_rs1_has_five_bits() {
    for rs1 in 0..32 {
        assert_eq!(disassemble(word(0, 0, 0, 0) | rs1 << 15, MATRIX), format!("mlae8 tr0, (x{rs1}), x0"));
    }
}

#[test]
fn erratum_m4_transposed_forms_stride_from_column_to_column() {
    let mut m = random_machine(&matrix_config(512, 128), &mut Rng(50));
    set_sizes(&mut m, [2, 0, 3]);
    m.set_x(5, 100);
    m.set_x(6, 1000);
    assert_eq!(m.step(assemble("errata", "mlate8 tr0, (x5), x6", MATRIX).unwrap()[0]).trap, None);
    let tr0 = m.tiles.as_ref().unwrap().get(Tile::Tr(0));
    assert_eq!(tr0[..3], [100, 1100, 2100].map(|address| m.l1m.bytes[address]));
    assert_eq!(tr0[16..19], [101, 1101, 2101].map(|address| m.l1m.bytes[address]));
}

#[test]
fn erratum_m5_the_form_decides_the_kind_of_register() {
    for ([func4, ls, d_size], md) in legal_operations().into_iter().flat_map(|row| (0..8).map(move |md| (row, md))) {
        let accumulator = matches!(func4, 0b0010 | 0b0110);
        assert_eq!(legal(word(func4, ls, d_size, md)), accumulator == (md >= 4));
    }
}

#[test]
fn erratum_m6_tile_sizes_give_a_shape() {
    let mut m = random_machine(&matrix_config(512, 128), &mut Rng(51));
    let load = word(0, 0, 0, 1);
    assert_eq!(m.step(load).tile_write, None);
    for word in assemble("errata", "msettilemi 1\nmsettileki 1", MATRIX).unwrap() {
        m.step(word);
    }
    assert_eq!(m.step(load).tile_write, Some(Tile::Tr(1)));
}

#[test]
fn erratum_m7_funct3_and_the_opcode_are_part_of_the_key() {
    for funct3 in 1..8 {
        assert_eq!(decode(word(0, 0, 0, 0) | funct3 << 12, MATRIX), Decoded::Illegal);
    }
    assert!((0..128).all(|opcode| opcode == 0x2B || !legal(word(0, 0, 0, 0) & !0x7F | opcode)));
}
