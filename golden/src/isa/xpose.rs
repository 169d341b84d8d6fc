// SPDX-License-Identifier: Apache-2.0
//! `tl.xpose.pq` (docs/isa.md, "tl.xpose").

use super::elements::{element, indices, row_major, set_element};
use super::{ElementOps, write_tl};
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// A tensor in two registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tensor4 {
    /// Element width in bits.
    pub e: u32,
    /// D0 to D3, from x[rs].
    pub sizes: [usize; 4],
}

/// Exchanges dimensions p and q of the tensor in both registers.
pub(super) fn xpose<Ops: ElementOps>(
    m: &mut Machine,
    out: &mut Outcome,
    pq: [u8; 2],
    tlrs: [u8; 2],
    rs: u8,
) -> Result<(), Trap> {
    let e = m.element_type().ok_or(Trap::illegal(out.word))?.bits;
    let sizes = m.x(rs).to_le_bytes();
    let tensor = Tensor4 { e, sizes: sizes.map(usize::from) };
    let [p, q] = pq.map(|dimension| usize::from(dimension & 3));
    let result = Ops::exchange(m.tl.pair(tlrs[0], tlrs[1]), tensor, p, q);
    let (first, second) = result.split_at(m.tl.reg_bytes());
    write_tl(m, out, tlrs[0], first);
    write_tl(m, out, tlrs[1], second);
    Ok(())
}

/// The element at index (i0, i1, i2, i3) goes to the place whose indices p and q are exchanged, in a tensor whose sizes
/// p and q are exchanged.
pub(super) fn exchange(source: &[u8], Tensor4 { e, sizes }: Tensor4, p: usize, q: usize) -> Vec<u8> {
    let mut exchanged = sizes;
    exchanged.swap(p, q);
    let mut result = vec![0; source.len()];
    for from in indices(sizes) {
        let mut to = from;
        to.swap(p, q);
        let value = element(source, row_major(sizes, from), e);
        set_element(&mut result, row_major(exchanged, to), e, value);
    }
    result
}
