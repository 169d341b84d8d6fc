// SPDX-License-Identifier: Apache-2.0
//! Words that are one bit away from an instruction of the unit, and none: every bit of each. What is drawn has one of the
//! numbers next to that of a CSR once in thousands of cases.

use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Engine, Isa, Matrix, Tensor, TileSource, decode, instructions,
};
use golden::{Csr, MatrixCsr, TileSize};

use super::generator::Generator;
use super::program::FIRST_WITH_MORE;
use super::{move_ops, pressure_ops, shape};

/// One case in so many has some.
const PERIOD: u64 = 4;

/// Bits in a share.
const SHARE: usize = 64;

/// Whether the case of this number ends with such words.
pub fn share(number: u64) -> bool {
    number >= FIRST_WITH_MORE && number % PERIOD == 3
}

/// The share of the case `number` in all bits of all instructions: 136 cases in a row have every one, 40 without the matrix instructions.
pub fn near(g: &mut Generator, number: u64) {
    let sizes = ready(g);
    let words = words(g);
    let shares = (32 * words.len()).div_ceil(SHARE);
    let first = (number / PERIOD) as usize % shares * SHARE;
    for index in first..first + SHARE {
        let Some(&word) = words.get(index / 32) else { return };
        let near = word ^ 1 << (index % 32);
        if !matches!(decode(near, &g.target.golden), Decoded::Illegal | Decoded::NotOurs) {
            continue;
        }
        if let Decoded::Tensor(Tensor::Xpose { tlrs1, rs, .. }) = decode(word, &g.target.golden) {
            // The operand of custom-2, and that of all other opcodes.
            for register in [rs, tlrs1] {
                if register != 0 && g.machine.x(register) != sizes {
                    g.constant(register, sizes);
                }
            }
        }
        g.word(near);
    }
}

/// Makes a unit that takes such a word for the instruction execute it. Returns the sizes for a transposition.
fn ready(g: &mut Generator) -> u32 {
    let bits = g.width().max(8);
    pressure_ops::integers(g, bits);
    g.want_csr(Csr::Tshape, shape::packed([2, 2, 2]));
    for csr in [Csr::TloadWidth, Csr::TstoreWidth] {
        g.want_csr(csr, 0);
    }
    for csr in [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2] {
        g.want_csr(csr, 1);
    }
    if g.target.golden.matrix.is_some() {
        for size in [TileSize::M, TileSize::N, TileSize::K] {
            g.emit(Decoded::Matrix(Matrix::SetTile { size, source: TileSource::Immediate(1) }));
        }
    }
    let product = 2 * pressure_ops::capacity(g, bits);
    u32::from_le_bytes(move_ops::sizes(g, product))
}

/// One of each instruction with any operands, and a read of each CSR; of the strides one of each direction.
fn words(g: &mut Generator) -> Vec<u32> {
    let isa = &g.target.golden;
    let ours = instructions(isa).filter(|one| !matches!(one.engine(), Some(Engine::Host | Engine::Csr)));
    let mut words: Vec<u32> = ours.filter_map(|one| one.encode(isa)).collect();
    for word in &mut words {
        // Operands are what leaves the instruction the same.
        let name = decode(*word, isa).mnemonic();
        for bit in 0..32 {
            let other = *word ^ 1 << bit;
            if g.draw.chance(50) && decode(other, isa).mnemonic() == name {
                *word = other;
            }
        }
    }
    let stride = g.draw.below(32) as u8;
    let all = Csr::all().chain(MatrixCsr::all().map(Csr::Matrix));
    for csr in all.filter(|&csr| Isa::from(isa).has(csr)) {
        if matches!(csr, Csr::TloadStride(i) | Csr::TstoreStride(i) if i != stride) {
            continue;
        }
        let (rd, source) = (g.draw.range(1, 31) as u8, CsrSource::Immediate(0));
        words.push(CsrInstruction::new(CsrOperation::Set, csr, rd, source).encode(isa));
    }
    words
}
