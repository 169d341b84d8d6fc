// SPDX-License-Identifier: Apache-2.0
//! `tl.concat.d` and `tl.merge.d` (docs/isa.md, "tl.concat" and "tl.merge"). Both choose, for each slice of the result
//! along dimension d, a slice of a source.

use super::elements::{element, indices, row_major, set_element};
use super::operands::{Access, Engine};
use super::row::{Dimension, Field, Key, Row};
use super::tensor::Tensor;
use super::{ElementOps, write_tl};
use crate::block::{ElementType, Shape};
use crate::csr::Csr;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

const TLRD_TLRS1_TLRS2: &[Field] =
    &[Field::Tl(Access::Write, 7), Field::Tl(Access::Read, 15), Field::Tl(Access::Read, 20)];

/// `tl.concat.d tlrd, tlrs1, tlrs2`
pub(super) const CONCAT: Row = Row {
    mnemonic: "tl.concat.d",
    engine: Engine::Move,
    key: Key::new(*b"000", 0b001),
    dimensions: &[Dimension::D],
    fields: TLRD_TLRS1_TLRS2,
    build: |[d, tlrd, tlrs1, tlrs2, _]| Tensor::Concat { d, tlrd, tlrs1, tlrs2 },
};

/// `tl.merge.d tlrd, tlrs1, tlrs2`
pub(super) const MERGE: Row = Row {
    mnemonic: "tl.merge.d",
    engine: Engine::Move,
    key: Key::new(*b"001", 0b001),
    dimensions: &[Dimension::D],
    fields: TLRD_TLRS1_TLRS2,
    build: |[d, tlrd, tlrs1, tlrs2, _]| Tensor::Merge { d, tlrd, tlrs1, tlrs2 },
};

/// For each slice of the result: the source (0 is tlrs1, 1 is tlrs2) and the slice in it, or `None` for zeros.
pub(crate) type Choice = [Option<(u8, u8)>; 32];

/// The selected slices of tlrs1 in ascending order, then those of tlrs2, then zeros. Illegal unless the type and the
/// shape are legal, D <= 32, both masks are initialised and n1 + n2 <= D.
pub(super) fn concat<Ops: ElementOps>(
    m: &mut Machine,
    out: &mut Outcome,
    d: u8,
    tlrd: u8,
    tlrs: [u8; 2],
) -> Result<(), Trap> {
    let illegal = Trap::illegal(out.word);
    let block = block(m, d).ok_or(illegal)?;
    let mask = |csr| m.csr.mask(csr).and_then(|mask| mask.get()).ok_or(illegal);
    let (mask1, mask2) = (mask(Csr::TmaskConcat1)?, mask(Csr::TmaskConcat2)?);
    let ones = |mask: u32| (0..block.size()).filter(move |i| mask >> i & 1 == 1);
    let selected = ones(mask1).map(|i| (0, i)).chain(ones(mask2).map(|i| (1, i)));
    if selected.clone().count() > usize::from(block.size()) {
        return Err(illegal);
    }
    let mut choice: Choice = [None; 32];
    for (slot, slice) in choice.iter_mut().zip(selected) {
        *slot = Some(slice);
    }
    let result = Ops::gather(m.tl.pair(tlrs[0], tlrs[1]), block, &choice);
    write_tl(m, out, tlrd, &result);
    Ok(())
}

/// Slice i comes from tlrs1 where bit i of the mask is 1 and from tlrs2 where it is 0. Illegal unless the type and the
/// shape are legal, D <= 32 and the mask is initialised.
pub(super) fn merge<Ops: ElementOps>(
    m: &mut Machine,
    out: &mut Outcome,
    d: u8,
    tlrd: u8,
    tlrs: [u8; 2],
) -> Result<(), Trap> {
    let illegal = Trap::illegal(out.word);
    let block = block(m, d).ok_or(illegal)?;
    let mask = m.csr.mask(Csr::TmaskConcat1).and_then(|mask| mask.get()).ok_or(illegal)?;
    let choice: Choice = std::array::from_fn(|i| Some((u8::from(mask >> i & 1 == 0), i as u8)));
    let result = Ops::gather(m.tl.pair(tlrs[0], tlrs[1]), block, &choice);
    write_tl(m, out, tlrd, &result);
    Ok(())
}

/// The block of both sources and of the result, and the dimension along which it has slices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Element width in bits.
    pub e: u32,
    pub sizes: [usize; 3],
    /// 0..=2
    pub d: usize,
}

impl Block {
    /// D, the size of dimension d, 1..=32.
    fn size(self) -> u8 {
        self.sizes[self.d] as u8
    }
}

/// What CSRs say of the block, when it is legal for an instruction that masks dimension d.
fn block(m: &Machine, d: u8) -> Option<Block> {
    let (ElementType { bits: e, .. }, Shape(sizes)) = m.block()?;
    let sizes = sizes.map(|size| size as usize);
    let d = usize::from(d);
    sizes.get(d).is_some_and(|&size| size <= 32).then_some(Block { e, sizes, d })
}

/// The result of the chosen slices; `sources` are tlrs1 and tlrs2, one after the other. What is behind the block is 0.
pub(super) fn gather(sources: &[u8], Block { e, sizes, d }: Block, choice: &Choice) -> Vec<u8> {
    let (tlrs1, tlrs2) = sources.split_at(sources.len() / 2);
    let mut result = vec![0; tlrs1.len()];
    for to in indices(sizes) {
        if let Some((source, slice)) = choice[to[d]] {
            let mut from = to;
            from[d] = usize::from(slice);
            let value = element([tlrs1, tlrs2][usize::from(source)], row_major(sizes, from), e);
            set_element(&mut result, row_major(sizes, to), e, value);
        }
    }
    result
}
