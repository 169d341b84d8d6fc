// SPDX-License-Identifier: Apache-2.0
//! The first instruction after reset, and accesses that go on where the one before ended.

use golden::Csr;
use golden::TileSize;
use golden::decode::{Decoded, Direction, Form, Host, Matrix, SliceTransfer, Tensor, TileSource, Transfer};

use super::Fields;
use super::goal::Goal;
use super::moves::distinct;
use super::state::{set, widths};
use crate::coverage::operation::loads;
use crate::coverage::values::*;
use crate::random::generator::Generator;
use crate::random::shape::packed;

/// An instruction that needs no set-up. Loads and stores of slices, concat and merge are illegal then.
pub fn first(g: &mut Generator, goal: &Goal) -> Option<()> {
    let [d, s1, s2] = distinct(g);
    if let Some(tensor) = goal.operation() {
        let fields = Fields { dimensions: [0, 1], result: d, sources: [s1, s2], imm8: g.imm8(), x: 0 };
        g.tensor(fields.put_into(tensor));
        return Some(());
    }
    let transfer = Transfer { form: Form::A, transposed: false, d_size: 0, register: 0, rs1: 0, rs2: 0 };
    match goal.get(Axis::Engine)? {
        G_CSR => super::front::read(g, Csr::Ttype, d),
        G_MX_LOAD => g.emit(Decoded::Matrix(Matrix::transferring(Direction::Load, transfer))),
        G_MX_STORE => g.emit(Decoded::Matrix(Matrix::transferring(Direction::Store, transfer))),
        G_MX_SET => {
            let source = TileSource::Immediate(g.draw.range(1, 4) as u16);
            g.emit(Decoded::Matrix(Matrix::SetTile { size: TileSize::K, source }));
        }
        // No encoding of ours.
        _ => g.word(u32::from(g.target.golden.engine_id) << 30 | 0x705b),
    }
    Some(())
}

/// Whether a store that takes long is needed in front: nothing behind it retires before it has. Several accesses are
/// in flight then, and a load whose register is complete.
pub fn slow_store(goal: &Goal) -> bool {
    let load = goal.operation().is_some_and(loads);
    goal.wants(CROWD_MORE) || load && goal.wants(CROWD_SOME) && goal.wants(GOES_ON_SAME)
}

/// An access of 32 slices behind another one, behind a wide one when many slices are to be in flight.
pub fn goes_on(g: &mut Generator, goal: &Goal) -> Option<()> {
    let SliceTransfer { direction, masked, .. } = goal.operation()?.transfer()?;
    let reg_bytes = g.target.rtl.reg_bytes;
    let widths = widths(g, &Goal::new(&[]));
    let widths: Vec<u32> = widths.into_iter().filter(|&bits| 32 * bits.max(8) <= 8 * reg_bytes).collect();
    let bits = g.draw.pick(&widths);
    if bits == 0 {
        return None;
    }
    set(g, Csr::Ttype, 1 << (bits.ilog2() - 2));
    let element = (bits / 8).max(1);
    let bytes = element * g.draw.range(1, reg_bytes / 32 / element);
    let (width, mask, stride) = direction.csrs();
    set(g, width, 0);
    set(g, mask, u32::MAX);
    for slice in 0..32 {
        set(g, stride(slice), slice.into());
    }
    let size = g.memory(direction);
    // Far from the block in the middle that answers with an error.
    let base = (g.draw.below(size / 4) & !3) + element * g.draw.below(4);
    let [first, second, wide, wait, tl, other, third] = distinct(g);
    g.constant(first, base);
    g.constant(second, base + 32 * bytes);
    let word = g.draw.below(size / 4) & !3;
    g.constant(wide, word);
    let block = packed([32, 1, bytes * 8 / bits]);
    let access = |g: &mut Generator, masked, tl, rs| {
        g.tensor(SliceTransfer { direction, masked, tl, rs, imm8: 0 }.into());
    };
    drain(g, wait);
    if slow_store(goal) && direction == Direction::Load {
        // A beat for each slice. The shape stays, for its CSR would be in flight too.
        g.register_with(block);
        set(g, Csr::Tshape, block);
        set(g, Csr::TstoreWidth, 0);
        for slice in 0..32 {
            set(g, Csr::TstoreStride(slice), 2 * u32::from(slice));
        }
        g.tensor(Tensor::Store { tlrs: third, rs: wide, imm8: 0 });
        if goal.wants(CROWD_MORE) {
            access(g, false, third, first);
        }
    } else if slow_store(goal) && g.target.rtl.queue_entries < 4 {
        // The CSR of another shape would have one of the places in flight.
        set(g, Csr::Tshape, block);
        access(g, false, third, wide);
    } else if slow_store(goal) {
        let elements = 8 * reg_bytes / bits;
        g.register_with(block);
        set(g, Csr::Tshape, packed([1, elements.div_ceil(128), elements.min(128)]));
        set(g, Csr::TstoreWidth, 0);
        access(g, false, third, wide);
    }
    if !(slow_store(goal) && direction == Direction::Load) {
        set(g, Csr::Tshape, block);
    }
    access(g, masked, tl, first);
    if goal.wants(CROWD_NONE) {
        drain(g, wait);
    }
    access(g, masked, if goal.wants(GOES_ON_SAME) { tl } else { other }, second);
    Some(())
}

/// The host waits for a result: everything older has retired then.
fn drain(g: &mut Generator, wait: u8) {
    super::front::read(g, Csr::Tlenb, wait);
    g.emit(Decoded::Host(Host::Addi { rd: wait, rs1: wait, imm12: 1 }));
}
