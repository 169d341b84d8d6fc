// SPDX-License-Identifier: Apache-2.0
//! The laws that tie the forms of matrix loads and stores together, and `msettile*`.

use crate::common::*;
use golden::decode::{Form, Matrix, TileSource, Transfer};
use golden::{Machine, Outcome, Tile, TileSize};

/// A machine whose L0M and registers hold `guard`, and whose L1M holds random bytes.
fn guarded(seed: u64, guard: u8) -> Machine {
    let mut m = random_machine(&matrix_config(512, 128), &mut Rng(seed));
    m.l0m.bytes.fill(guard);
    let tiles = m.tiles.as_mut().expect("tiles");
    tiles_of_all().for_each(|tile| tiles.get_mut(tile).fill(guard));
    m.set_x(7, 1024);
    m
}

/// Every form, element size and tile size that fits: (transfer with x7 and x8, rows, columns).
fn all_shapes() -> impl Iterator<Item = (Transfer, u32, u32)> {
    let forms = [Form::A, Form::B, Form::C].into_iter().flat_map(|form| (0..3).map(move |d_size| (form, d_size)));
    forms.flat_map(|(form, d_size)| {
        let t = Transfer { form, transposed: false, d_size, register: 2, rs1: 7, rs2: 8 };
        (1..=4).flat_map(move |rows| (1..=16 / t.esz()).map(move |columns| (t, rows, columns)))
    })
}

fn sizes_of(form: Form, rows: u32, columns: u32) -> [u32; 3] {
    match form {
        Form::A => [rows, 9999, columns],
        Form::B => [9999, rows, columns],
        Form::C => [rows, columns, 9999],
    }
}

#[track_caller]
fn execute(m: &mut Machine, instruction: Matrix, stride: u32) {
    m.set_x(8, stride);
    assert_eq!(m.step(instruction.encode()).trap, None, "{instruction:?}");
}

/// Load and store of the same form with the same stride: the memory is copied; gaps and surroundings stay.
#[test]
fn load_then_store_of_one_form_is_the_identity() {
    for (plain, rows, columns) in all_shapes() {
        for transposed in [false, true] {
            let t = Transfer { transposed, ..plain };
            let mut m = guarded(30, 0xA5);
            set_sizes(&mut m, sizes_of(t.form, rows, columns));
            execute(&mut m, Matrix::Load(t), 36);
            execute(&mut m, Matrix::Store(t), 36);
            let (lines, elements) = if transposed { (columns, rows) } else { (rows, columns) };
            for (address, &byte) in (0_u32..).zip(&m.l0m.bytes) {
                let (line, place) = (address.wrapping_sub(1024) / 36, address.wrapping_sub(1024) % 36);
                let inside = line < lines && place < elements * t.esz();
                let expected = if inside { m.l1m.bytes[address as usize] } else { 0xA5 };
                assert_eq!(byte, expected, "{t:?} {rows} x {columns} at {address}");
            }
        }
    }
}

#[test]
fn load_transposed_then_store_plain_is_a_transpose() {
    for (plain, rows, columns) in all_shapes() {
        for load_transposed in [true, false] {
            let mut m = guarded(31, 0x5A);
            set_sizes(&mut m, sizes_of(plain.form, rows, columns));
            // In L1M the tile has `rows` columns when it is loaded transposed; in L0M it is the other way round.
            let (from, to) = if load_transposed { (rows, columns) } else { (columns, rows) };
            let esz = plain.esz();
            execute(&mut m, Matrix::Load(Transfer { transposed: load_transposed, ..plain }), from * esz);
            execute(&mut m, Matrix::Store(Transfer { transposed: !load_transposed, ..plain }), to * esz);
            for i in 0..from {
                for j in 0..to {
                    let (a, b) = (1024 + (j * from + i) * esz, 1024 + (i * to + j) * esz);
                    assert_eq!(m.l1m.get(a, esz), m.l0m.get(b, esz), "{plain:?} {rows} x {columns}");
                }
            }
            assert!(m.l0m.bytes[..1024].iter().all(|&byte| byte == 0x5A));
            assert!(m.l0m.bytes[1024 + (rows * columns * esz) as usize..].iter().all(|&byte| byte == 0x5A));
        }
    }
}

#[test]
fn a_load_leaves_the_rest_of_its_register_and_the_other_registers() {
    for (plain, rows, columns) in all_shapes() {
        for transposed in [false, true] {
            let mut m = guarded(32, 0xC3);
            m.l1m.bytes.fill(0x11);
            set_sizes(&mut m, sizes_of(plain.form, rows, columns));
            execute(&mut m, Matrix::Load(Transfer { transposed, ..plain }), 64);
            let tiles = m.tiles.as_ref().expect("tiles");
            for tile in tiles_of_all() {
                for (n, &byte) in (0_u32..).zip(tiles.get(tile)) {
                    let inside = tile == plain.tile() && n / 16 < rows && n % 16 < columns * plain.esz();
                    assert_eq!(byte, if inside { 0x11 } else { 0xC3 }, "{plain:?} {tile:?} {n}");
                }
            }
        }
    }
}

/// A row-major K x N weight matrix arrives as N rows of K.
#[test]
fn row_major_weights_through_mlbte8() {
    let mut m = guarded(33, 0);
    m.l1m.bytes[1024..1030].copy_from_slice(&[1, 2, 3, 4, 5, 6]); // K = 2, N = 3
    set_sizes(&mut m, [0, 3, 2]);
    let t = Transfer { form: Form::B, transposed: true, d_size: 0, register: 1, rs1: 7, rs2: 8 };
    execute(&mut m, Matrix::Load(t), 3);
    let rows: Vec<&[u8]> = m.tiles.as_ref().expect("tiles").get(Tile::Tr(1)).chunks(16).map(|row| &row[..2]).collect();
    assert_eq!(rows, [[1, 4], [2, 5], [3, 6], [0, 0]]);
}

#[test]
fn tile_sizes_take_any_value_and_are_reset() {
    let mut m = guarded(34, 0);
    let sizes = [TileSize::M, TileSize::N, TileSize::K];
    for (size, address) in sizes.into_iter().zip([0x803, 0x804, 0x805]) {
        let before = sizes.map(|size| m.csr.tile_size(size));
        m.set_x(9, 0xFFFF_FFFF - u32::from(address));
        for (source, value) in
            [(TileSource::Immediate(1023), 1023), (TileSource::Register(0), 0), (TileSource::Register(9), m.x(9))]
        {
            let out = m.step(Matrix::SetTile { size, source }.encode());
            let expected =
                Outcome { pc: out.pc, word: out.word, csr_write: Some((address, value)), ..Outcome::default() };
            assert_eq!(out, expected);
            assert_eq!(m.csr.tile_size(size), value);
        }
        for (other, before) in sizes.into_iter().zip(before).filter(|&(other, _)| other != size) {
            assert_eq!(m.csr.tile_size(other), before);
        }
    }
    let mut before = m.clone();
    let out = m.step(Matrix::Release.encode());
    assert_eq!(out, Outcome { pc: before.hart.pc, word: 0x2B, ..Outcome::default() });
    before.hart.pc += 4;
    assert!(m == before);
    let mut expected = Machine::new(m.config());
    (expected.l1m, expected.l0m) = (m.l1m.clone(), m.l0m.clone());
    m.reset();
    assert!(m == expected);
}
