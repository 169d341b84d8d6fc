// SPDX-License-Identifier: Apache-2.0
//! Matrix loads and stores against a map of single bytes, traps included, for random forms, sizes, strides, bases and
//! port errors.

use crate::common::*;
use golden::decode::{Form, Matrix, TileSource, Transfer};
use golden::{Config, Machine, Outcome, TileSize, Trap};

/// Sizes of the memories, different so that no check can look at the wrong one.
const L1M: u32 = 8192;
const L0M: u32 = 7168;

type Expected = Result<Vec<(usize, usize)>, (Trap, Vec<(u32, u32)>)>;

/// What the instruction has to do: bytes moved as (byte of the register, byte of the memory) in order, or the trap and
/// the lines that a store may have written. Sizes, addresses and offsets are exact numbers here, and the elements are
/// sorted by their place in memory order.
fn reference(m: &Machine, word: u32, t: Transfer, store: bool) -> Expected {
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
        return Err((Trap::illegal(word), Vec::new()));
    }
    let (base, stride) = (i128::from(m.operand(t.rs1)), i128::from(m.operand(t.rs2)));
    let mut elements = Vec::new(); // (line, place in the line, offset in the register)
    for i in 0..rows {
        for j in 0..columns {
            let (line, place) = if t.transposed { (j, i) } else { (i, j) };
            elements.push((line, place, i * row_bytes + j * esz));
        }
    }
    elements.sort();
    let address = |exact: i128| exact.rem_euclid(1 << m.config().xlen);
    let trap =
        |cause: u32, exact| (Trap { cause: cause + 2 * u32::from(store), tval: address(exact) as u64 }, Vec::new());
    let Some(&(last_line, last_place, _)) = elements.last() else { return Ok(Vec::new()) };
    if base % esz != 0 {
        return Err(trap(4, base));
    }
    if last_line > 0 && stride % esz != 0 {
        return Err(trap(4, base + stride));
    }
    let line = |line: i128| (address(base + line * stride) as u32, ((last_place + 1) * esz) as u32);
    let lines = if store { (0..=last_line).map(line).collect() } else { Vec::new() };
    let memory = if store { &m.l0m } else { &m.l1m };
    let (mut moves, mut port_error) = (Vec::new(), None);
    for (line, place, offset) in elements {
        let exact = base + line * stride + place * esz;
        let address = address(exact);
        if address + esz > memory.bytes.len() as i128 {
            return Err(trap(5, exact));
        }
        if (address..address + esz).any(|byte| memory.faults.iter().any(|range| range.contains(&(byte as u32)))) {
            port_error = port_error.or(Some(trap(5, exact).0));
        }
        moves.extend((0..esz).map(|byte| ((offset + byte) as usize, (address + byte) as usize)));
    }
    port_error.map_or(Ok(moves), |trap| Err((trap, lines)))
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
        1 => base = rng.pick(&[L1M, L0M]) - 4 * rng.below(80),
        2 => base += rng.below(4),
        // The lines begin at the end of the address space and wrap around into the memory, or the other way round.
        3 => (base, stride) = (0_u32.wrapping_sub(4 * rng.below(8)), 32),
        _ => (),
    }
    m.set_x(7, base);
    m.set_x(8, stride);
    random_upper(m, 7, rng);
    random_upper(m, 8, rng);
    m.l1m.faults.clear();
    if rng.one_in(6) {
        let start = 2048 + 16 * rng.below(256);
        m.l1m.faults.push(start..start + 16);
    }
    m.l0m.faults = m.l1m.faults.clone();
}

fn run(xlen: u32, [tlen, trlen]: [u32; 2], seed: u64, causes: &mut [u32; 8]) {
    let mut rng = Rng(seed);
    let mut m =
        random_machine(&Config { xlen, l1m_bytes: L1M, l0m_bytes: L0M, ..matrix_config(tlen, trlen) }, &mut rng);
    for _ in 0..6000 {
        let (t, store) = (transfer(&mut rng), rng.one_in(2));
        scramble(&mut m, &mut rng, t);
        let word = if store { Matrix::Store(t) } else { Matrix::Load(t) }.encode();
        match reference(&m, word, t, store) {
            Err((trap, unknown)) => {
                causes[trap.cause as usize] += 1;
                assert_trap_leaves(&mut m, word, trap, &unknown);
            }
            Ok(moves) => {
                causes[0] += 1;
                let mut expected = m.clone();
                expected.hart.pc += 4;
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
    let sizes = [[512, 128], [1024, 128], [128, 32], [2048, 128], [512, 256]];
    for (n, size) in sizes.into_iter().enumerate() {
        run(32, size, 20 + n as u64, &mut causes);
    }
    run(64, [512, 128], 25, &mut causes);
    for cause in [0, 2, 4, 5, 6, 7] {
        assert!(causes[cause] > 500, "{causes:?} cases for each cause are too few");
    }
}

/// Sizes that are small modulo 2^32, and words that are no instruction, whatever else is wrong.
#[test]
fn sizes_are_compared_exactly_and_the_encoding_comes_first() {
    let mut m = random_machine(&matrix_config(512, 128), &mut Rng(40));
    let load = Transfer { form: Form::A, transposed: false, d_size: 2, register: 0, rs1: 7, rs2: 8 };
    let word = Matrix::Load(load).encode();
    for [rows, columns] in [[1 << 30, 1], [u32::MAX, 1], [1, 1 << 30], [0, 5], [5, 0]] {
        set_sizes(&mut m, [rows, 1, columns]);
        assert_word_traps(&mut m, word, 2, word);
    }
    set_sizes(&mut m, [u32::MAX; 3]);
    for word in [0x0400_0C2B, 0x3400_002B, 0x2400_002B, 0x0400_102B, 0x0000_00AB] {
        assert_word_traps(&mut m, word, 2, word);
    }
}

#[test]
fn tile_sizes_take_any_value_and_are_reset() {
    let mut m = random_machine(&matrix_config(512, 128), &mut Rng(34));
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
