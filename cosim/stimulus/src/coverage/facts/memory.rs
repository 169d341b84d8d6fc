// SPDX-License-Identifier: Apache-2.0
//! Loads and stores: slices, masks, addresses, the slice that traps.

use golden::decode::{Direction, SliceTransfer, Slices, Tensor};
use golden::{Machine, Memory, Trap};

use super::{Facts, block};
use crate::coverage::values::*;
use crate::unit::target::Target;

fn memory(model: &Machine, direction: Direction) -> &Memory {
    if direction == Direction::Load { &model.l1m } else { &model.l0m }
}

pub(super) fn size(target: &Target, direction: Direction) -> u32 {
    if direction == Direction::Load { target.rtl.l1m_bytes } else { target.rtl.l0m_bytes }
}

/// Whether the slice at `address` is outside the memory.
pub fn outside(target: &Target, model: &Machine, transfer: SliceTransfer, address: u64) -> bool {
    let size = size(target, transfer.direction);
    Slices::of(model, transfer).is_some_and(|slices| address.saturating_add(slices.bytes.into()) > size.into())
}

/// The upper half of a base address on a host with 64 bits.
pub(super) fn upper(facts: &mut Facts, target: &Target, base: u64) {
    let value = match (base >> 32) as u32 {
        _ if target.golden.xlen == 32 => return,
        0 => UPPER_0,
        u32::MAX => UPPER_ONES,
        _ => UPPER_OTHER,
    };
    facts.set(value);
}

pub(super) fn facts(facts: &mut Facts, target: &Target, model: &Machine, tensor: Tensor, trap: Option<Trap>) {
    let Some(transfer) = tensor.transfer() else { return };
    let SliceTransfer { direction, masked, imm8, .. } = transfer;
    let Some((element, shape)) = model.block() else { return };
    let Some(slices) = Slices::of(model, transfer) else { return };
    reach(facts, target, model, transfer);
    if !slices.addresses.is_empty() {
        upper(facts, target, model.operand(transfer.rs));
    }
    if let Some(trap) = trap {
        shared(facts, target, model, direction, &slices, trap);
        return trapped(facts, target, direction, &slices, trap);
    }
    let [d0, d1, d2] = shape.0;
    let (width, mask, stride) = direction.csrs();
    facts.set(block::shape_class(shape.0, element.bits, target.rtl.reg_bytes));
    facts.set(block::slices_class(d0));
    let port = target.rtl.port_bytes();
    facts.set(block::line_class(8 * slices.bytes, port));
    facts.set(block::end_class(8 * slices.end, target.rtl.reg_bytes, target.rtl.lanes));
    facts.set(match model.csr.read(width) {
        0 => WIDTH_0,
        width if width == d1 * d2 => WIDTH_EQUAL,
        width if width < d1 * d2 => WIDTH_LESS,
        _ => WIDTH_MORE,
    });
    if target.golden.pitch {
        facts.set(block::pitch_class(model.csr.read(direction.pitch()), slices.bytes, d1 * d2 * element.bits / 8));
    }
    let mask = if masked { model.csr.read(mask) } else { u32::MAX };
    if masked {
        facts.set(block::mask_class(mask, d0));
        block::high_class(mask, d0).into_iter().for_each(|high| facts.set(high));
        spared(facts, target, model, transfer, mask);
    }
    let slots = (0..d0 as u8).filter(|i| mask >> i & 1 == 1);
    let slots = slots.map(|i| model.csr.read(stride(i)).wrapping_add_signed(imm8.into()) as i32);
    places(facts, size(target, direction), port, &slices, slots);
}

/// What an access with a negative immediate could reach with any stride between 0 and the greatest one.
fn reach(facts: &mut Facts, target: &Target, model: &Machine, transfer: SliceTransfer) {
    let stride = transfer.direction.csrs().2;
    let greatest = (0..32).map(|slot| model.csr.read(stride(slot))).max().unwrap_or(0);
    let Some(slices) = Slices::of(model, SliceTransfer { masked: false, ..transfer }) else { return };
    let Some(&first) = slices.addresses.first() else { return };
    let place = |slot: u32| {
        let distance = slices.slot.wrapping_mul(slot.wrapping_sub(model.csr.read(stride(0)))) as i32;
        golden::config::wrapped(first.wrapping_add_signed(distance.into()), target.golden.xlen)
    };
    // Beyond that addresses come back to the memory from below.
    if u64::from(greatest) * u64::from(slices.slot) > u64::from(u32::MAX / 2) {
        return;
    }
    let outside = [0, greatest].map(|slot| outside(target, model, transfer, place(slot)));
    match outside {
        _ if transfer.imm8 >= 0 => {}
        [false, false] => facts.set(REACH_IN),
        [true, false] => facts.set(REACH_LOW),
        [false, true] => facts.set(REACH_HIGH),
        [true, true] => {}
    }
}

/// Order, slots, offset and place of slices that do not trap.
fn places(facts: &mut Facts, size: u32, port: u32, slices: &Slices, slots: impl Iterator<Item = i32>) {
    let (bytes, addresses) = (slices.bytes, &slices.addresses);
    let Some(&first) = addresses.first() else { return };
    let every = |test: fn(u64, u64, u64) -> bool| addresses.windows(2).all(|pair| test(pair[0], pair[1], bytes.into()));
    facts.set(if addresses.len() == 1 {
        O_SINGLE
    } else if every(|a, b, bytes| b == a + bytes) {
        O_ADJACENT
    } else if every(|a, b, _| a == b) {
        O_SAME
    } else if every(|a, b, bytes| a == b + bytes) {
        O_BACKWARD
    } else if every(|a, b, bytes| b > a + bytes) {
        O_GAPS
    } else {
        O_MIXED
    });
    let slot = slots.fold(SLOT_PLUS, |class, slot| {
        let huge = i32::try_from(i64::from(slot) * i64::from(slices.slot)).is_err();
        if class == SLOT_HUGE || huge {
            SLOT_HUGE
        } else if slot < 0 {
            SLOT_MINUS
        } else {
            class
        }
    });
    facts.set(slot);
    facts.set(block::offset_class(first, port));
    facts.set(if addresses.iter().any(|&address| address == u64::from(size - bytes)) {
        LAST
    } else if addresses.contains(&0) {
        START
    } else {
        INSIDE
    });
}

/// What the slices that are not selected would have done.
fn spared(facts: &mut Facts, target: &Target, model: &Machine, transfer: SliceTransfer, mask: u32) {
    let Some(all) = Slices::of(model, SliceTransfer { masked: false, ..transfer }) else { return };
    let others = all.addresses.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 0).map(|(_, &address)| address);
    let memory = memory(model, transfer.direction);
    for address in others {
        if outside(target, model, transfer, address) {
            return facts.set(SPARED_OUTSIDE);
        }
        if memory.faulty(address, all.bytes) {
            facts.set(SPARED_PORT);
        }
    }
}

/// Of how many slices the first word is that answers with an error.
fn shared(facts: &mut Facts, target: &Target, model: &Machine, direction: Direction, slices: &Slices, trap: Trap) {
    let Some(position) = slices.addresses.iter().position(|&address| address == trap.tval) else { return };
    if !facts.has(PORT) {
        return;
    }
    let (memory, port, start) = (memory(model, direction), u64::from(target.rtl.port_bytes()), trap.tval);
    let end = start + u64::from(slices.bytes);
    let words = (start / port..end.div_ceil(port)).map(|word| word * port);
    let Some(word) = words.into_iter().find(|&word| memory.faulty(word, port as u32)) else { return };
    let follows = slices.addresses.get(position + 1) == Some(&end) && end < word + port;
    facts.set(match (follows, start < word) {
        (false, _) => S_ALONE,
        (true, false) => S_BEGINS,
        (true, true) => S_CROSSES,
    });
}

/// Which slice traps, and how it is outside.
fn trapped(facts: &mut Facts, target: &Target, direction: Direction, slices: &Slices, trap: Trap) {
    let Some(position) = slices.addresses.iter().position(|&address| address == trap.tval) else { return };
    facts.set(match position {
        0 => POS_FIRST,
        last if last + 1 == slices.addresses.len() => POS_LAST,
        _ => POS_MIDDLE,
    });
    let (start, end) = (u128::from(trap.tval), u128::from(trap.tval) + u128::from(slices.bytes));
    let size = u128::from(size(target, direction));
    if end > 1 << target.golden.xlen {
        facts.set(WRAPS);
    } else if start >= size {
        facts.set(BEHIND);
    } else if end > size {
        facts.set(CROSSES);
    }
}
