// SPDX-License-Identifier: Apache-2.0
//! `tl.xpose.pq` (docs/isa.md, "tl.xpose").

use super::elements::{elements, registers};
use super::write_tl;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// Exchanges dimensions p and q of the tensor in both registers.
pub(super) fn xpose(m: &mut Machine, out: &mut Outcome, pq: [u8; 2], tlrs: [u8; 2], rs: u8) -> Result<(), Trap> {
    let e = m.element_type().ok_or(Trap::illegal(out.word))?.bits;
    let result = exchange(&m.tl.pair(tlrs[0], tlrs[1]), e, xpose_sizes(m.x(rs)), pq);
    let (first, second) = result.split_at(m.tl.reg_bytes());
    write_tl(m, out, tlrs[0], first);
    write_tl(m, out, tlrs[1], second);
    Ok(())
}

/// The sizes of a tensor, D0 to D3, in the host register of the instruction.
pub fn xpose_sizes(x: u32) -> [usize; 4] {
    x.to_le_bytes().map(usize::from)
}

/// The sizes of the result for a tensor of `sizes`. Only the low two bits of p and q are used.
pub fn exchanged(mut sizes: [usize; 4], [p, q]: [u8; 2]) -> [usize; 4] {
    sizes.swap(usize::from(p & 3), usize::from(q & 3));
    sizes
}

/// `source` is a tensor of these sizes, D0 to D3, with elements of `e` bits. The element at index (i0, i1, i2, i3) goes
/// to the place whose indices p and q are exchanged, in a tensor whose sizes p and q are exchanged.
fn exchange(source: &[u8], e: u32, sizes: [usize; 4], pq: [u8; 2]) -> Vec<u8> {
    let result_sizes = exchanged(sizes, pq);
    // Between the places of elements that follow each other along a dimension of the source.
    let steps = exchanged([0, 1, 2, 3].map(|i| result_sizes[i + 1..].iter().product()), pq);
    let mut source = elements(source, e).into_iter();
    let mut result = vec![0; source.len()];
    for i0 in 0..sizes[0] {
        for i1 in 0..sizes[1] {
            for i2 in 0..sizes[2] {
                let first = i0 * steps[0] + i1 * steps[1] + i2 * steps[2];
                for (i3, element) in (0..sizes[3]).zip(&mut source) {
                    result[first + i3 * steps[3]] = element;
                }
            }
        }
    }
    registers(&result, e)
}
