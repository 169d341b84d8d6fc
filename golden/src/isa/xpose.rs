// SPDX-License-Identifier: Apache-2.0
//! `tl.xpose.pq` (docs/isa.md, "tl.xpose").

use super::elements::{element, indices, row_major, set_element};
use super::operands::{Access, Engine};
use super::row::{Dimension, Field, Key, Row};
use super::tensor::Tensor;
use super::{ElementOps, write_tl};
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// `tl.xpose.pq tlrs1, tlrs2, rs`
pub(super) const XPOSE: Row = Row {
    mnemonic: "tl.xpose.pq",
    engine: Engine::Xpose,
    key: Key::new(*b"0--", 0b011),
    dimensions: &[Dimension::P, Dimension::Q],
    fields: &[Field::Tl(Access::ReadWrite, 15), Field::Tl(Access::ReadWrite, 20), Field::Rs],
    build: |[p, q, tlrs1, tlrs2, rs]| Tensor::Xpose { p, q, tlrs1, tlrs2, rs },
};

/// A tensor in two registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tensor4 {
    /// Element width in bits.
    pub e: u32,
    /// D0 to D3, from x[rs].
    pub sizes: [usize; 4],
}

/// Illegal unless the type is legal, the registers differ, no size is 0, D0 is even and the tensor fills both registers
/// exactly.
pub(super) fn xpose<Ops: ElementOps>(
    m: &mut Machine,
    out: &mut Outcome,
    pq: [u8; 2],
    tlrs: [u8; 2],
    rs: u8,
) -> Result<(), Trap> {
    let illegal = Trap::illegal(out.word);
    let e = m.element_type().ok_or(illegal)?.bits;
    let sizes = m.x(rs).to_le_bytes();
    let reg_bytes = m.tl.reg_bytes();
    let tensor_bits = sizes.iter().map(|&size| u64::from(size)).product::<u64>() * u64::from(e);
    // A size of 0 makes the product 0, which no pair of registers has.
    if tlrs[0] == tlrs[1] || !sizes[0].is_multiple_of(2) || tensor_bits == 0 || tensor_bits != 16 * reg_bytes as u64 {
        return Err(illegal);
    }
    let tensor = Tensor4 { e, sizes: sizes.map(usize::from) };
    let [p, q] = pq.map(|dimension| usize::from(dimension & 3));
    let result = Ops::exchange(m.tl.pair(tlrs[0], tlrs[1]), tensor, p, q);
    let (first, second) = result.split_at(reg_bytes);
    write_tl(m, out, tlrs[0], first);
    write_tl(m, out, tlrs[1], second);
    Ok(())
}

/// The element at index (i0, i1, i2, i3) goes to the place whose indices p and q are exchanged, in a tensor whose sizes p
/// and q are exchanged.
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
