// SPDX-License-Identifier: Apache-2.0
//! An instruction once more, with one thing of its operands or of the state that it depends on drawn again, as random
//! programs draw it.

use golden::Csr;
use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, Elements, Isa, Matrix, Operand, OperandKind, decode,
};

use crate::coverage::names::csrs;
use crate::random::generator::Generator;
use crate::random::{flip, immediates, matrix_ops, memory_ops, move_ops, noise, shape};

/// What is drawn again.
#[derive(Clone, Copy)]
enum Part {
    Type,
    Block,
    Masks,
    /// The width of slices, or the pitch and the part of a slice that is moved.
    Width,
    Strides,
    Operand,
    /// The base address, or sizes of a transposition.
    Address,
    TileSizes,
    /// Tile sizes that do not fit.
    TileMisfit,
    TileStride,
    Flip,
    /// Registers with elements at the end of the range.
    Ends,
    All,
}

/// What an instruction depends on.
fn parts(decoded: Decoded) -> &'static [Part] {
    use Part::*;
    match decoded {
        Decoded::Tensor(tensor) => match tensor.elements() {
            Elements::Slices(_) => &[Type, Block, Block, Masks, Width, Strides, Operand, Address, Address, Flip],
            Elements::Chosen(_) => &[Type, Block, Block, Masks, Masks, Operand, Operand, Flip],
            Elements::Sum(_) => &[Type, Operand, Operand, Ends, Ends, Flip],
            Elements::Exchanged => &[Type, Address, Address, Operand, Operand, Flip],
        },
        Decoded::Matrix(matrix) if matrix.transfer().is_some() => {
            &[TileSizes, TileSizes, TileMisfit, TileStride, Address, Address, Operand, Flip, All]
        }
        Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => &[All],
    }
}

/// Appends what it takes, and the instruction.
pub fn redraw(g: &mut Generator, word: u32) {
    let decoded = decode(word, &g.target.golden);
    let slices = decoded.slice_transfer();
    let tiles = decoded.tile_transfer();
    match g.draw.choose(parts(decoded)).unwrap_or(Part::All) {
        Part::Type => shape::change_type(g),
        Part::Block => shape::change_block(g),
        Part::Masks => masks(g, decoded),
        Part::Width if g.target.golden.pitch && g.draw.chance(60) => {
            slices.into_iter().for_each(|slices| memory_ops::pitch(g, slices.direction));
        }
        Part::Width => {
            let value = if g.draw.chance(30) { 0 } else { memory_ops::width_value(g) };
            slices.into_iter().for_each(|slices| g.set_csr(slices.direction.csrs().0, value));
        }
        Part::Strides => slices.into_iter().for_each(|slices| memory_ops::strides(g, slices.direction, slices.masked)),
        Part::Operand => return operand(g, decoded),
        Part::Address => return address(g, decoded),
        Part::TileSizes => tiles.into_iter().for_each(|(_, transfer)| matrix_ops::tile_sizes(g, transfer)),
        Part::TileMisfit => tiles.into_iter().for_each(|(_, transfer)| matrix_ops::misfit(g, transfer)),
        Part::TileStride => {
            let Some((direction, mut transfer)) = tiles else { return };
            let stride = matrix_ops::stride(g, transfer, direction == Direction::Store);
            transfer.rs2 = other_register(g, transfer.rs1, stride);
            return g.emit(Decoded::Matrix(Matrix::transferring(direction, transfer)));
        }
        Part::Flip => return flip::one(g, word),
        Part::Ends => immediates::saturate(g),
        Part::All => return anew(g, decoded),
    }
    // Slices that lie elsewhere are outside the memory, mostly, as long as the base address is that of the others.
    if slices.is_some() && g.draw.chance(50) { address(g, decoded) } else { g.emit(decoded) }
}

/// An instruction of the same family.
fn anew(g: &mut Generator, decoded: Decoded) {
    match decoded {
        Decoded::Csr(instruction) => csr(g, instruction),
        Decoded::Matrix(_) => matrix_ops::any(g),
        Decoded::Tensor(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => {
            if g.draw.chance(60) {
                noise::illegal(g);
            } else {
                noise::random_word(g);
            }
        }
    }
}

/// The CSR instruction with another operation, CSR, target or source.
fn csr(g: &mut Generator, mut instruction: CsrInstruction) {
    use CsrOperation::{Clear, Set, Write};
    let any = if g.draw.chance(40) { 0 } else { g.draw.range(1, 31) as u8 };
    match g.draw.below(6) {
        0 | 1 => instruction.operation = g.draw.choose(&[Set, Clear, Write]).unwrap_or(Set),
        2 => {
            let isa = Isa::from(&g.target.golden);
            let all: Vec<Csr> = csrs().filter(|&csr| isa.has(csr)).collect();
            instruction.csr = g.draw.choose(&all).unwrap_or(instruction.csr);
        }
        3 => instruction.rd = any,
        4 => instruction.source = if g.draw.chance(50) { CsrSource::Register(any) } else { CsrSource::Immediate(any) },
        _ => (instruction.rd, instruction.source) = (any, CsrSource::Register(any)),
    }
    g.emit(Decoded::Csr(instruction));
}

fn masks(g: &mut Generator, decoded: Decoded) {
    let Decoded::Tensor(tensor) = decoded else { return };
    let d = tensor.operands().named("d").unwrap_or(0) as usize;
    let size = move_ops::sizes_of_block(g)[d.min(2)];
    let csrs: Vec<Csr> = tensor.csrs().filter(|&csr| g.machine.csr.mask(csr).is_some()).collect();
    if let [first, second] = csrs[..] {
        let [mask1, mask2] = move_ops::concat_masks(g, size);
        g.set_csr(first, mask1);
        return g.set_csr(second, mask2);
    }
    for csr in csrs {
        let value = memory_ops::mask_value(g, size);
        g.set_csr(csr, value);
    }
}

/// The instruction with another value of one operand.
fn operand(g: &mut Generator, decoded: Decoded) {
    let operands: Vec<Operand> = decoded.operands().iter().collect();
    let Some(chosen) = g.draw.choose(&operands) else { return };
    let others: Vec<i32> = operands.iter().filter(|o| matches!(o.kind, OperandKind::Tl(_))).map(|o| o.value).collect();
    let value = match chosen.kind {
        OperandKind::X(_) => return address(g, decoded),
        OperandKind::Tl(_) if g.draw.chance(40) => g.draw.pick(&others),
        OperandKind::Tl(_) if g.draw.chance(30) => 0,
        OperandKind::Tl(_) => g.draw.below(32) as i32,
        OperandKind::Immediate => immediates::immediate(g).into(),
        OperandKind::Tr(_) | OperandKind::Acc(_) | OperandKind::Dimension => noise::any_operand(g, chosen),
    };
    g.emit(decoded.with_operands(|operand| if operand == chosen { value } else { operand.value }));
}

/// The instruction with another base address, or other sizes.
fn address(g: &mut Generator, decoded: Decoded) {
    if let Some((direction, mut transfer)) = decoded.tile_transfer() {
        let stride = g.machine.x(transfer.rs2);
        let base = matrix_ops::base(g, transfer, direction == Direction::Store, stride);
        transfer.rs1 = other_register(g, transfer.rs2, base);
        return g.emit(Decoded::Matrix(Matrix::transferring(direction, transfer)));
    }
    let value = match decoded.slice_transfer() {
        Some(slices) => memory_ops::base(g, slices.direction, slices.masked, slices.imm8, 30),
        None => move_ops::sizes(g),
    };
    let rs = g.register_with(value);
    let is_x = |kind| matches!(kind, OperandKind::X(_));
    g.emit(decoded.with_operands(|operand| if is_x(operand.kind) { rs.into() } else { operand.value }));
}

/// A host register that holds `value`, and is not `used`.
fn other_register(g: &mut Generator, used: u8, value: u32) -> u8 {
    let register = (used + g.draw.range(1, 29) as u8) % 31 + 1;
    let register = if register == used { register % 31 + 1 } else { register };
    g.constant(register, value);
    register
}
