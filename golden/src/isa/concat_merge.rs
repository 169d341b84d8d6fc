// SPDX-License-Identifier: Apache-2.0
//! `tl.concat.d` and `tl.merge.d` (docs/isa.md, "tl.concat" and "tl.merge"). Both choose, for each slice of the result
//! along dimension d, a slice of a source.

use super::elements::{elements, registers};
use super::write_tl;
use crate::block::{ElementType, Shape};
use crate::csr::Csr;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// For each slice of the result: the source (0 is tlrs1, 1 is tlrs2) and the slice in it, or `None` for zeros.
pub type Choice = [Option<(u8, u8)>; 32];

/// `tl.concat`: the selected slices of tlrs1 in ascending order, then those of tlrs2, then zeros.
pub(super) fn concat(masks: [u32; 2], size: u8) -> Choice {
    let ones =
        |source: u8| (0..size).filter(move |i| masks[usize::from(source)] >> i & 1 == 1).map(move |i| (source, i));
    let mut choice = [None; 32];
    for (slot, slice) in choice.iter_mut().zip(ones(0).chain(ones(1))) {
        *slot = Some(slice);
    }
    choice
}

/// `tl.merge`: slice i comes from tlrs1 where bit i of the first mask is 1 and from tlrs2 where it is 0.
pub(super) fn merge([mask, _]: [u32; 2], _: u8) -> Choice {
    std::array::from_fn(|i| Some((u8::from(mask >> i & 1 == 0), i as u8)))
}

/// Puts the chosen slices together.
pub(super) fn choose(
    m: &mut Machine,
    out: &mut Outcome,
    d: u8,
    tlrd: u8,
    tlrs: [u8; 2],
    choose: fn([u32; 2], u8) -> Choice,
) -> Result<(), Trap> {
    let (ElementType { bits: e, .. }, Shape(sizes)) = m.block().ok_or(Trap::illegal(out.word))?;
    let block = Block { e, sizes: sizes.map(|size| size as usize), d: usize::from(d.min(2)) };
    let masks = [Csr::TmaskConcat1, Csr::TmaskConcat2].map(|mask| m.csr.read(mask));
    let result = gather(&m.tl.pair(tlrs[0], tlrs[1]), block, &choose(masks, block.size()));
    write_tl(m, out, tlrd, &result);
    Ok(())
}

/// The block of both sources and of the result, and the dimension along which it has slices.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Element width in bits.
    e: u32,
    sizes: [usize; 3],
    /// 0..=2
    d: usize,
}

impl Block {
    /// D, the size of dimension d, 1..=32.
    fn size(self) -> u8 {
        self.sizes[self.d] as u8
    }
}

/// The result of the chosen slices; `sources` are tlrs1 and tlrs2, one after the other. What is behind the block is 0.
fn gather(sources: &[u8], Block { e, sizes, d }: Block, choice: &Choice) -> Vec<u8> {
    let sources = elements(sources, e);
    let (tlrs1, tlrs2) = sources.split_at(sources.len() / 2);
    let mut result = vec![0; tlrs1.len()];
    // The elements of a slice are in runs of this many, a run for each index of the dimensions before d.
    let run: usize = sizes[d + 1..].iter().product();
    let block = sizes.iter().product();
    for (n, to) in result[..block].chunks_exact_mut(run).enumerate() {
        let slice = n % sizes[d];
        if let Some((source, from)) = choice[slice] {
            let start = (n - slice + usize::from(from)) * run;
            to.copy_from_slice(&[tlrs1, tlrs2][usize::from(source)][start..start + run]);
        }
    }
    registers(&result, e)
}
