// SPDX-License-Identifier: Apache-2.0
//! An instruction that is like one that was legal but for one bit: of its word, of a host register or an immediate, or
//! of a CSR that it depends on. Every bit of each must decide something, or nothing.

use golden::Csr;
use golden::decode::{Decoded, Engine, Matrix, OperandKind, decode};

use super::generator::{Generator, flipped};
use super::{matrix_ops, noise, row};

/// An instruction, and a few that are nearly the same.
pub fn run(g: &mut Generator) {
    let start = g.words().len();
    match g.draw.below(if g.target.golden.matrix.is_some() { 16 } else { 11 }) {
        0..10 => row::tensor(g),
        10 => {
            let csr = g.draw.choose(&noise::csrs(g));
            csr.into_iter().for_each(|csr| _ = g.read(csr));
        }
        _ => matrix_ops::any(g),
    }
    let of_unit = |word: &&u32| !matches!(decode(**word, &g.target.golden).engine(), None | Some(Engine::Host));
    let Some(word) = g.words()[start..].iter().rfind(of_unit).copied() else { return };
    for _ in 0..g.draw.range(1, 4) {
        one(g, word);
    }
}

/// The instruction with one thing changed, in its own state otherwise.
pub fn one(g: &mut Generator, word: u32) {
    let decoded = decode(word, &g.target.golden);
    match g.draw.below(4) {
        0 => {
            let bit = g.draw.below(32);
            g.word(word ^ 1 << bit);
        }
        1 => operand(g, decoded),
        _ => csr(g, decoded),
    }
}

/// A host register or an immediate.
fn operand(g: &mut Generator, decoded: Decoded) {
    let is_number = |kind| matches!(kind, OperandKind::X(_) | OperandKind::Immediate);
    let all: Vec<_> = decoded.operands().iter().filter(|operand| is_number(operand.kind)).collect();
    let Some(chosen) = g.draw.choose(&all) else { return g.emit(decoded) };
    let value = if chosen.kind == OperandKind::Immediate {
        flipped(g, chosen.value as u32, chosen.width) as i32
    } else if g.target.golden.xlen == 64 && g.draw.chance(50) {
        // The bits that only some instructions look at.
        let upper = flipped(g, (g.machine.operand(chosen.value as u8) >> 32) as u32, 32);
        let low = g.machine.x(chosen.value as u8);
        i32::from(g.wide_register_with(u64::from(upper) << 32 | u64::from(low)))
    } else {
        let value = flipped(g, g.machine.x(chosen.value as u8), 32);
        i32::from(g.register_with(value))
    };
    // Of a signed immediate the bits of its field count.
    g.emit(decoded.with_operands(|operand| if operand == chosen { value } else { operand.value }));
}

/// A CSR, which has its value back afterwards; time passes between the write and the instruction, or not.
fn csr(g: &mut Generator, decoded: Decoded) {
    let mut csrs: Vec<(Csr, u32)> = Vec::new();
    if let Decoded::Tensor(tensor) = decoded {
        let there = noise::csrs(g);
        csrs.extend(tensor.csrs().filter(|csr| there.contains(csr)).map(|csr| (csr, bits(csr))));
    }
    if let Some(transfer) = decoded.slice_transfer() {
        let slice = g.draw.below(g.d0().clamp(1, 32)) as u8;
        csrs.extend([((transfer.direction.csrs().2)(slice), 32); 3]);
    }
    if let Decoded::Matrix(matrix) = decoded {
        return tile_size(g, matrix);
    }
    let Some((csr, bits)) = g.draw.choose(&csrs) else { return g.emit(decoded) };
    let before = g.machine.csr.read(csr);
    let value = if csr == Csr::Tshape && g.draw.chance(20) {
        // No dimension may be 0.
        before & !(0xff << (8 * g.draw.below(3)))
    } else if csr == Csr::Ttype && g.draw.chance(50) {
        1 << (g.width().ilog2() - 2)
    } else {
        flipped(g, before, bits)
    };
    pause(g);
    g.set_csr(csr, value);
    pause(g);
    g.emit(decoded);
    if g.draw.chance(30) {
        g.read(csr);
    }
    g.set_csr(csr, before);
    if g.draw.chance(50) {
        g.emit(decoded);
    }
}

fn bits(csr: Csr) -> u32 {
    match csr {
        Csr::Ttype => 12,
        Csr::Tshape => 24,
        Csr::TloadPitch | Csr::TstorePitch => 16,
        Csr::TmaskInit => 4,
        Csr::TmaskLoad
        | Csr::TmaskStore
        | Csr::TmaskConcat1
        | Csr::TmaskConcat2
        | Csr::TloadWidth
        | Csr::TstoreWidth
        | Csr::TloadStride(_)
        | Csr::TstoreStride(_)
        | Csr::Tlenb
        | Csr::Matrix(_) => 32,
    }
}

/// Reads of a CSR: nothing that depends on CSRs happens for so long.
fn pause(g: &mut Generator) {
    let reads = g.draw.pick(&[0, 0, 0, 0, 0, 1, 2, 3, 12, 40]);
    let csr = if g.draw.chance(50) { Csr::Tshape } else { Csr::TstoreStride(g.draw.below(32) as u8) };
    for _ in 0..reads {
        g.read(csr);
    }
}

/// A tile size of a matrix load or store.
fn tile_size(g: &mut Generator, matrix: Matrix) {
    let Some((_, transfer)) = matrix.transfer() else { return g.emit(Decoded::Matrix(matrix)) };
    let (rows, columns) = transfer.form.shape();
    let size = if g.draw.chance(50) { rows } else { columns };
    let before = g.machine.csr.tile_size(size);
    let value = flipped(g, before, 32);
    matrix_ops::set(g, size, value);
    pause(g);
    g.emit(Decoded::Matrix(matrix));
    matrix_ops::set(g, size, before);
}
