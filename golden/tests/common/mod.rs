// SPDX-License-Identifier: Apache-2.0
//! Helpers shared by the tests: random states and element access one bit at a time.
#![allow(dead_code, clippy::unwrap_used)] // Each test file uses a part of it.

use std::collections::BTreeMap;

use golden::decode::Tensor;
use golden::{Config, Csr, Machine, MatrixConfig, Outcome, Tile, TileSize, Trap};

/// The legal values of ttype and their element widths in bits.
pub const TYPES: [(u32, u32); 16] = [
    (0x001, 4),
    (0x002, 8),
    (0x004, 16),
    (0x008, 32),
    (0x010, 4),
    (0x020, 4),
    (0x030, 4),
    (0x040, 8),
    (0x080, 8),
    (0x0C0, 8),
    (0x100, 16),
    (0x200, 16),
    (0x300, 16),
    (0x400, 32),
    (0x800, 32),
    (0xC00, 32),
];

/// The text of docs/isa.md.
pub fn isa_text() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/isa.md")).unwrap()
}

/// docs/isa.md from this heading on.
pub fn chapter(heading: &str) -> String {
    let text = isa_text();
    text[text.find(heading).unwrap()..].to_string()
}

/// The words of one EngineID that are legal in the draft, as docs/isa.md counts them.
pub fn legal_words() -> u32 {
    let text = isa_text();
    let (_, rest) = text.split_once("For one EngineID that leaves").unwrap();
    let number = rest.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap();
    number.replace(',', "").parse().unwrap()
}

/// Bits in an element of a legal type.
pub fn element_bits(ttype: u32) -> Option<u32> {
    TYPES.iter().find(|row| row.0 == ttype).map(|row| row.1)
}

/// Mostly a legal type.
pub fn random_type(rng: &mut Rng) -> u32 {
    if rng.one_in(25) { rng.next() & 0xFFF } else { rng.pick(&TYPES).0 }
}

/// Writes the mask; now and then it is as after reset instead.
pub fn random_mask(m: &mut Machine, mask: Csr, value: u32, rng: &mut Rng) {
    m.csr.write(mask, value);
    if rng.one_in(25) {
        *m.csr.mask_mut(mask).unwrap() = Default::default();
    }
}

/// The names of the conditions that make an instruction illegal and are true.
pub fn broken(clauses: &[(&'static str, bool)]) -> Vec<&'static str> {
    clauses.iter().filter(|clause| clause.1).map(|clause| clause.0).collect()
}

/// How often each clause alone made an instruction illegal.
#[derive(Default)]
pub struct Alone(BTreeMap<&'static str, u32>);

impl Alone {
    pub fn add(&mut self, broken: &[&'static str]) {
        if let [clause] = broken {
            *self.0.entry(clause).or_default() += 1;
        }
    }

    #[track_caller]
    pub fn assert(&self, clauses: usize, least: u32) {
        assert!(self.0.len() == clauses && self.0.values().all(|&count| count >= least), "too few: {:?}", self.0);
    }
}

/// A small generator of pseudo-random numbers (xorshift64*), so that every run tests the same cases.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// 0..n
    pub fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }

    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    pub fn reg(&mut self) -> u8 {
        self.below(32) as u8
    }

    pub fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.next() as u8;
        }
    }
}

pub fn config(name: &str) -> Config {
    Config::named(name).unwrap()
}

/// A machine whose registers and memories hold random bytes.
pub fn random_machine(config: &Config, rng: &mut Rng) -> Machine {
    let mut m = Machine::new(config);
    rng.fill(&mut m.l1m.bytes);
    rng.fill(&mut m.l0m.bytes);
    for tl in 1..32 {
        rng.fill(m.tl.get_mut(tl).unwrap());
    }
    if let Some(tiles) = &mut m.tiles {
        for tile in tiles_of_all() {
            rng.fill(tiles.get_mut(tile));
        }
    }
    m
}

/// The configuration used where a case needs nothing else: 1024-byte registers, but small memories.
pub fn small_memory() -> Config {
    Config { l1m_bytes: 8192, l0m_bytes: 8192, ..config("w16") }
}

/// The same with the matrix instruction set, both lengths in bits.
pub fn matrix_config(tlen: u32, trlen: u32) -> Config {
    Config { matrix: Some(MatrixConfig { tlen, trlen }), ..small_memory() }
}

/// The same with all options of the revision.
pub fn all_options() -> Config {
    Config { pitch: true, csr_op: true, gpr_rs1: true, mask_init: true, ..matrix_config(512, 128) }
}

/// The same for a host with 64 bits.
pub fn wide_host() -> Config {
    Config { xlen: 64, ..all_options() }
}

/// Bits 63:32 of register `i` of a host with 64 bits, at random: now and then not the sign of the others.
pub fn random_upper(m: &mut Machine, i: u8, rng: &mut Rng) {
    if m.config().xlen == 64 && rng.one_in(3) {
        let upper = rng.pick(&[0, 1, u32::MAX, 1 << 31]) ^ if rng.one_in(9) { rng.next() } else { 0 };
        m.hart.set_wide(i, u64::from(upper) << 32 | u64::from(m.x(i)), 64);
    }
}

pub fn tiles_of_all() -> impl Iterator<Item = Tile> {
    (0..4).map(Tile::Tr).chain((0..4).map(Tile::Acc))
}

pub fn set_sizes(m: &mut Machine, [rows, n, k]: [u32; 3]) {
    m.csr.set_tile_size(TileSize::M, rows);
    m.csr.set_tile_size(TileSize::N, n);
    m.csr.set_tile_size(TileSize::K, k);
}

pub fn step(m: &mut Machine, instruction: Tensor) -> Outcome {
    let word = instruction.encode(m.config().engine_id);
    m.step(word)
}

pub fn shape(d: [u32; 3]) -> u32 {
    d[0] << 16 | d[1] << 8 | d[2]
}

/// Sets type and shape.
pub fn set_block(m: &mut Machine, ttype: u32, d: [u32; 3]) {
    m.csr.write(Csr::Ttype, ttype);
    m.csr.write(Csr::Tshape, shape(d));
}

/// Runs `instruction`, which must trap as given and change nothing.
#[track_caller]
pub fn assert_trap(m: &mut Machine, instruction: Tensor, cause: u32, tval: impl Into<u64>) {
    assert_word_traps(m, instruction.encode(m.config().engine_id), cause, tval);
}

/// As [`assert_trap`], for any word.
#[track_caller]
pub fn assert_word_traps(m: &mut Machine, word: u32, cause: u32, tval: impl Into<u64>) {
    assert_trap_leaves(m, word, Trap { cause, tval: tval.into() }, &[]);
}

/// As [`assert_word_traps`], with the bytes of L0M that nobody knows behind a port error: address and length of each
/// range.
#[track_caller]
pub fn assert_trap_leaves(m: &mut Machine, word: u32, trap: Trap, unknown: &[(u32, u32)]) {
    let mut before = m.clone();
    let mem_unknown = unknown.to_vec();
    let expected = Outcome { pc: before.hart.pc, word, trap: Some(trap), mem_unknown, ..Outcome::default() };
    assert_eq!(m.step(word), expected);
    before.hart.pc += 4;
    assert!(*m == before, "a trap changed the state");
}

#[track_caller]
pub fn assert_illegal(m: &mut Machine, instruction: Tensor) {
    let word = instruction.encode(m.config().engine_id);
    assert_trap(m, instruction, Trap::ILLEGAL, word);
}

#[track_caller]
pub fn assert_legal(m: &mut Machine, instruction: Tensor) -> Outcome {
    let out = step(m, instruction);
    assert_eq!(out.trap, None);
    out
}

#[track_caller]
pub fn assert_legality(m: &mut Machine, instruction: Tensor, legal: bool) {
    if legal {
        assert_legal(m, instruction);
    } else {
        assert_illegal(m, instruction);
    }
}

/// Element `n` of `bits` bits, gathered one bit at a time: bit b of the register is bit b % 8 of byte b / 8.
pub fn element(bytes: &[u8], n: usize, bits: u32) -> u32 {
    let first = n * bits as usize;
    (0..bits as usize).fold(0, |sum, b| sum | u32::from(bytes[(first + b) / 8] >> ((first + b) % 8) & 1) << b)
}

pub fn set_element(bytes: &mut [u8], n: usize, bits: u32, value: u32) {
    for b in 0..bits as usize {
        let at = n * bits as usize + b;
        bytes[at / 8] = bytes[at / 8] & !(1 << (at % 8)) | ((value >> b & 1) as u8) << (at % 8);
    }
}

/// Whether the disassembler has text for a word of the host: what the host executes, and accesses to its read-only CSRs
/// and to those of an adapter, but of fences only those without reserved fields.
pub fn is_text_of_the_host(word: u32) -> bool {
    let mut nothing = [golden::Memory::default(), golden::Memory::default()];
    let [l1m, l0m] = &mut nothing;
    let counter = golden::hart::HartCsr::from_address((word >> 20) as u16).is_some_and(|csr| csr.read_only());
    let adapter = matches!(word >> 20, 0x818 | 0x819);
    let fence = word & 0x7F == 0x0F;
    let plain_fence = word & 0xF00F_FFFF == 0x0F && word >> 20 & 15 != 0 && word >> 24 & 15 != 0;
    let executes = golden::Hart::default().execute(word, l1m, l0m).is_some();
    executes && (!fence || plain_fence) || word & 0x7F == 0x73 && word >> 12 & 3 != 0 && (counter || adapter)
}
