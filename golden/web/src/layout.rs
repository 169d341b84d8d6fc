// SPDX-License-Identifier: Apache-2.0
//! The block that a register was when it was last written.

use golden::decode::{Decoded, Engine, Register, decode, exchanged, xpose_sizes};
use golden::{Machine, Outcome, Tile};

/// Type and sizes of a block, and the part of it that is in a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bits in an element.
    pub bits: u32,
    /// Whether elements are integers.
    pub integer: bool,
    /// The sizes, the innermost one last.
    pub sizes: Vec<usize>,
    /// The number of the block's element that is element 0 of the register: 0 but for the second register of a
    /// transposition.
    pub first: usize,
}

/// Notes the layouts of what the instruction has written, which the machine `after` has executed.
pub fn note(layouts: &mut Vec<(Register, Layout)>, after: &Machine, done: &Outcome) {
    let instruction = decode(done.word, after.config());
    let tl = done.tl_writes.iter().map(|&tl| (Register::Tl(tl), of_tl(layouts, after, instruction, tl)));
    let tile = done.tile_write.map(|tile| (Register::Tile(tile), of_tile(after, instruction, tile)));
    let written: Vec<_> = tl.chain(tile).collect();
    for (register, layout) in written {
        layouts.retain(|(other, _)| *other != register);
        layouts.extend(layout.map(|layout| (register, layout)));
    }
}

fn of_tl(layouts: &[(Register, Layout)], after: &Machine, instruction: Decoded, tl: u8) -> Option<Layout> {
    let element = after.element_type()?;
    let (bits, integer) = (element.bits, element.integer);
    let elements = after.tl.reg_bytes() * 8 / bits as usize;
    let operands = instruction.operands();
    let block = after.block().map_or(vec![elements], |(_, shape)| shape.0.map(|size| size as usize).to_vec());
    let plain = Layout { bits, integer, sizes: block, first: 0 };
    match instruction.engine() {
        Some(Engine::Xpose) => {
            let named = |name| operands.named(name).map(|value| value as u8);
            let sizes = exchanged(xpose_sizes(after.x(named("rs")?)), [named("p")?, named("q")?]);
            let first = if named("tlrs2") == Some(tl) { elements } else { 0 };
            Some(Layout { sizes: sizes.to_vec(), first, ..plain })
        }
        // A sum has the shape of its operand, whatever `tshape` says.
        Some(Engine::Move) if operands.immediate().is_some() => {
            let source = operands.reads().find_map(|read| layouts.iter().find(|(register, _)| *register == read));
            let source = source.map(|(_, layout)| layout).filter(|layout| layout.bits == bits);
            Some(source.map_or(plain, Layout::clone))
        }
        _ => Some(plain),
    }
}

fn of_tile(after: &Machine, instruction: Decoded, tile: Tile) -> Option<Layout> {
    let (tiles, (_, transfer)) = (after.tiles.as_ref()?, instruction.tile_transfer()?);
    let bytes = 1 << transfer.d_size;
    let sizes = vec![tiles.rows() as usize, tiles.row_bytes(tile) as usize / bytes];
    Some(Layout { bits: 8 * bytes as u32, integer: true, sizes, first: 0 })
}
