// SPDX-License-Identifier: Apache-2.0
//! Matrix loads and stores against a map of single bytes, traps included, and the laws that tie the forms together.

mod common;

use common::*;
use golden::decode::{Form, Matrix, TileSource, Transfer};
use golden::{Machine, Outcome, Tile, TileSize, Trap};

/// What the instruction has to do: bytes moved as (byte of the register, byte of the memory) in order, or the trap.
/// Sizes, addresses and offsets are exact numbers here, and the elements are sorted by their place in memory order.
fn reference(m: &Machine, word: u32, t: Transfer, store: bool) -> Result<Vec<(usize, usize)>, Trap> {
    let config = m.config().matrix.expect("a matrix configuration");
    let [size_m, size_n, size_k] =
        [TileSize::M, TileSize::N, TileSize::K].map(|size| i128::from(m.csr.tile_size(size)));
    let row_count = i128::from(config.tlen / config.trlen);
    let (rows, columns, row_bytes) = match t.form {
        Form::A => (size_m, size_k, i128::from(config.trlen / 8)),
        Form::B => (size_n, size_k, i128::from(config.trlen / 8)),
        Form::C => (size_m, size_n, row_count * 4),
    };
    let esz = [1, 2, 4][usize::from(t.d_size)];
    if rows > row_count || columns * esz > row_bytes {
        return Err(Trap { cause: 2, tval: word });
    }
    let (base, stride) = (i128::from(m.x(t.rs1)), i128::from(m.x(t.rs2)));
    let mut elements = Vec::new(); // (line, place in the line, offset in the register)
    for i in 0..rows {
        for j in 0..columns {
            let (line, place) = if t.transposed { (j, i) } else { (i, j) };
            elements.push((line, place, i * row_bytes + j * esz));
        }
    }
    elements.sort();
    let trap =
        |cause: u32, tval: i128| Trap { cause: cause + 2 * u32::from(store), tval: tval.rem_euclid(1 << 32) as u32 };
    let Some(&(last_line, ..)) = elements.last() else { return Ok(Vec::new()) };
    if base % esz != 0 {
        return Err(trap(4, base));
    }
    if last_line > 0 && stride % esz != 0 {
        return Err(trap(4, base + stride));
    }
    let memory = if store { &m.l0m } else { &m.l1m };
    let (mut moves, mut port_error) = (Vec::new(), None);
    for (line, place, offset) in elements {
        let exact = base + line * stride + place * esz;
        let address = exact.rem_euclid(1 << 32);
        if address + esz > memory.bytes.len() as i128 {
            return Err(trap(5, exact));
        }
        if (address..address + esz).any(|byte| memory.faults.iter().any(|range| range.contains(&(byte as u32)))) {
            port_error = port_error.or(Some(trap(5, exact)));
        }
        moves.extend((0..esz).map(|byte| ((offset + byte) as usize, (address + byte) as usize)));
    }
    port_error.map_or(Ok(moves), Err)
}

fn transfer(rng: &mut Rng) -> Transfer {
    Transfer {
        form: rng.pick(&[Form::A, Form::B, Form::C]),
        transposed: rng.one_in(2),
        d_size: rng.below(3) as u8,
        register: rng.below(4) as u8,
        rs1: 7,
        rs2: rng.pick(&[8, 8, 8, 8, 8, 8, 8, 8, 7, 0]),
    }
}

/// Tile sizes from 0 to one beyond what fits, base and stride of every kind.
fn scramble(m: &mut Machine, rng: &mut Rng, t: Transfer) {
    let tiles = m.tiles.as_ref().expect("tiles");
    let (rows, columns) = (tiles.rows(), tiles.row_bytes(t.tile()) / t.esz());
    let size = |rng: &mut Rng, limit: u32| match rng.below(40) {
        0 => rng.next(),
        1 => limit + 1,
        2 => 0,
        3..20 => limit,
        _ => 1 + rng.below(limit),
    };
    let mut sizes = [size(rng, rows), size(rng, rows), size(rng, columns)];
    if t.form == Form::C {
        sizes[1] = size(rng, columns);
    }
    set_sizes(m, sizes);
    let mut base = 2048 + 4 * rng.below(1024);
    let mut stride = match rng.below(8) {
        0 => columns * t.esz(),
        1 => 0,
        2 => 4 * rng.below(64),
        3 => 0_u32.wrapping_sub(4 * rng.below(64)),
        4 => rng.below(8),
        5 => 0x4000_0000 << rng.below(2),
        6 => rng.next(),
        _ => 4 * rng.below(12),
    };
    match rng.below(16) {
        0 => base = rng.next(),
        1 => base = 8192 - 4 * rng.below(80),
        2 => base += rng.below(4),
        // The lines begin at the end of the address space and wrap around into the memory, or the other way round.
        3 => (base, stride) = (0_u32.wrapping_sub(4 * rng.below(8)), 32),
        _ => (),
    }
    m.set_x(7, base);
    m.set_x(8, stride);
    m.l1m.faults.clear();
    if rng.one_in(6) {
        let start = 2048 + 16 * rng.below(256);
        m.l1m.faults.push(start..start + 16);
    }
    m.l0m.faults = m.l1m.faults.clone();
}

fn run(tlen: u32, trlen: u32, seed: u64, causes: &mut [u32; 8]) {
    let mut rng = Rng(seed);
    let mut m = random_machine(&matrix_config(tlen, trlen), &mut rng);
    for _ in 0..6000 {
        let (t, store) = (transfer(&mut rng), rng.one_in(2));
        scramble(&mut m, &mut rng, t);
        let word = if store { Matrix::Store(t) } else { Matrix::Load(t) }.encode();
        match reference(&m, word, t, store) {
            Err(trap) => {
                causes[trap.cause as usize] += 1;
                assert_word_traps(&mut m, word, trap.cause, trap.tval);
            }
            Ok(moves) => {
                causes[0] += 1;
                let mut expected = m.clone();
                expected.pc += 4;
                let tiles = expected.tiles.as_mut().expect("tiles");
                for &(r, a) in &moves {
                    if store {
                        expected.l0m.bytes[a] = tiles.get(t.tile())[r];
                    } else {
                        tiles.get_mut(t.tile())[r] = expected.l1m.bytes[a];
                    }
                }
                let out = m.step(word);
                assert!(m == expected, "{word:#010x}");
                let tile_write = (!store && !moves.is_empty()).then_some(t.tile());
                let written = out.mem_writes.iter().flat_map(|&(address, len)| address..address + len);
                let written: Vec<usize> = written.map(|address| address as usize).collect();
                let stored: Vec<usize> = moves.iter().map(|&(_, a)| a).filter(|_| store).collect();
                assert_eq!(written, stored, "{word:#010x}");
                let rest =
                    Outcome { pc: out.pc, word, tile_write, mem_writes: out.mem_writes.clone(), ..Outcome::default() };
                assert_eq!(out, rest);
            }
        }
    }
}

#[test]
fn loads_and_stores_move_each_byte_or_trap() {
    let mut causes = [0; 8];
    for (n, (tlen, trlen)) in [(512, 128), (1024, 128), (128, 32), (2048, 128), (512, 256)].into_iter().enumerate() {
        run(tlen, trlen, 20 + n as u64, &mut causes);
    }
    for cause in [0, 2, 4, 5, 6, 7] {
        assert!(causes[cause] > 500, "{causes:?} cases for each cause are too few");
    }
}

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
    assert_eq!(out, Outcome { pc: before.pc, word: 0x2B, ..Outcome::default() });
    before.pc += 4;
    assert!(m == before);
    let mut expected = Machine::new(m.config());
    (expected.l1m, expected.l0m) = (m.l1m.clone(), m.l0m.clone());
    m.reset();
    assert!(m == expected);
}
