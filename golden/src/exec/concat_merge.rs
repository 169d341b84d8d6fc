// SPDX-License-Identifier: Apache-2.0
//! `tl.concat.d` and `tl.merge.d` (docs/isa.md, "tl.concat" and "tl.merge").
//!
//! Both only choose, for each slice of the result along dimension d, a slice of a source; `gather` moves the data.

use super::elements::{Runs, copy_run};
use super::{low_bits, write_tl};
use crate::block::{ElementType, Shape};
use crate::csr::Csr;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// For each slice of the result: the source (0 is tlrs1, 1 is tlrs2) and the slice in it, or `None` for zeros.
type Choice = [Option<(usize, usize)>; 32];

/// `tl.concat.d tlrd, tlrs1, tlrs2`: the selected slices of tlrs1 in ascending order, then those of tlrs2, then
/// zeros. Illegal unless the type and shape are legal, D_d <= 32, both masks are initialised and no more than D_d
/// slices are selected.
pub(super) fn concat(m: &mut Machine, out: &mut Outcome, d: u8, tlrd: u8, tlrs: [u8; 2]) -> Result<(), Trap> {
    let illegal = Trap::illegal(out.word);
    let (element, shape, size) = operands(m, d).ok_or(illegal)?;
    let mask = |csr| m.csr.mask(csr).and_then(|mask| mask.get()).map(|mask| low_bits(mask, size));
    let masks = [mask(Csr::TmaskConcat1).ok_or(illegal)?, mask(Csr::TmaskConcat2).ok_or(illegal)?];
    if masks[0].count_ones() + masks[1].count_ones() > size {
        return Err(illegal);
    }
    let selected = (0..2).flat_map(|n| (0..32).filter(move |i| masks[n] >> i & 1 == 1).map(move |i| (n, i)));
    let mut choice: Choice = [None; 32];
    for (slot, slice) in choice.iter_mut().zip(selected) {
        *slot = Some(slice);
    }
    gather(m, out, tlrd, tlrs, (element, shape), d, &choice);
    Ok(())
}

/// `tl.merge.d tlrd, tlrs1, tlrs2`: slice i comes from tlrs1 where mask bit i is 1 and from tlrs2 where it is 0.
/// Illegal unless the type and shape are legal, D_d <= 32 and the mask is initialised.
pub(super) fn merge(m: &mut Machine, out: &mut Outcome, d: u8, tlrd: u8, tlrs: [u8; 2]) -> Result<(), Trap> {
    let illegal = Trap::illegal(out.word);
    let (element, shape, _) = operands(m, d).ok_or(illegal)?;
    let mask = m.csr.mask(Csr::TmaskConcat1).and_then(|mask| mask.get()).ok_or(illegal)?;
    let choice: Choice = std::array::from_fn(|i| Some((usize::from(mask >> i & 1 == 0), i)));
    gather(m, out, tlrd, tlrs, (element, shape), d, &choice);
    Ok(())
}

/// The type, the shape and the size of dimension d, when all are legal for an instruction that masks d.
fn operands(m: &Machine, d: u8) -> Option<(ElementType, Shape, u32)> {
    let (element, shape) = m.block()?;
    let size = *shape.0.get(usize::from(d))?;
    (size <= 32).then_some((element, shape, size))
}

/// Builds the result in tlrd from the chosen slices along dimension d; bytes beyond the block are 0. The sources are
/// copied first, because tlrd may be one of them.
fn gather(
    m: &mut Machine,
    out: &mut Outcome,
    tlrd: u8,
    tlrs: [u8; 2],
    (element, Shape(dims)): (ElementType, Shape),
    d: u8,
    choice: &Choice,
) {
    let d = usize::from(d);
    let size = dims[d] as usize;
    let product = |dims: &[u32]| dims.iter().product::<u32>() as usize;
    let (outer, inner) = (product(&dims[..d]), product(&dims[d + 1..]));

    let reg_bytes = m.tl.reg_bytes();
    let runs = Runs::new(m.tl.pair(tlrs[0], tlrs[1]), inner, element.bits);
    let mut result = runs.zeros(reg_bytes);
    let (first, second) = runs.source.split_at(result.len());
    for o in 0..outer {
        for (slot, slice) in choice.iter().enumerate().take(size) {
            if let Some((n, i)) = slice {
                let source = if *n == 0 { first } else { second };
                let (to, from) = ((o * size + slot) * runs.run, (o * size + i) * runs.run);
                copy_run(&mut result[to..to + runs.run], &source[from..from + runs.run]);
            }
        }
    }
    if let Some(register) = write_tl(m, out, tlrd) {
        register.copy_from_slice(&runs.pack(result));
    }
}
