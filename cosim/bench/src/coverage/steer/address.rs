// SPDX-License-Identifier: Apache-2.0
//! Strides and the base address of a load or store.

use super::goal::Goal;
use super::memory::Layout;
use super::state::{one_of, set};
use crate::coverage::values::*;
use crate::lockstep::slices::Direction;
use crate::random::generator::Generator;

/// The access that is to be placed.
pub struct Wanted {
    /// Load or store.
    pub direction: Direction,
    /// Block and slices.
    pub layout: Layout,
    /// Slices that are selected, one bit each.
    pub selected: u32,
    /// The immediate.
    pub imm8: i8,
}

/// Sets the strides and gives the base address.
pub fn place(g: &mut Generator, goal: &Goal, wanted: &Wanted) -> Option<u32> {
    let Wanted { direction, layout, selected, imm8 } = *wanted;
    let count = layout.sizes[0].clamp(1, 32);
    let chosen: Vec<u8> = (0..count as u8).filter(|i| selected >> i & 1 == 1).collect();
    let spared = goal.get(Axis::Spared).is_some();
    let adjacent = spared || goal.get(Axis::Shared).is_some();
    let order = if adjacent { Some(O_ADJACENT) } else { goal.get(Axis::Order) };
    // With slices that are spared all of them lie one behind the other.
    let placed: Vec<u8> = if spared || chosen.is_empty() { (0..count as u8).collect() } else { chosen };
    let order = order.unwrap_or_else(|| {
        let traps = goal.get(Axis::Cause).is_some_and(|cause| cause != DONE);
        if traps || g.draw.chance(50) { O_ADJACENT } else { one_of(g, &[O_SAME, O_BACKWARD, O_GAPS, O_MIXED]) }
    });
    let slots = slots(g, order, goal.get(Axis::Slot), placed.len());
    for (&slice, &slot) in placed.iter().zip(&slots) {
        set(g, (direction.csrs().2)(slice), (slot as u32).wrapping_sub(i32::from(imm8) as u32));
    }
    let bytes = i64::from(layout.bytes);
    let relative: Vec<i64> = slots.iter().map(|slot| (slot - slots[0]) * bytes).collect();
    let first = first(g, goal, wanted, &relative)?;
    Some((first - slots[0] * bytes) as u32)
}

/// A slot for each of `count` slices, in the wanted order.
fn slots(g: &mut Generator, order: Value, class: Option<Value>, count: usize) -> Vec<i64> {
    let count = count as i64;
    let start = i64::from(g.draw.below(8));
    let gap = i64::from(g.draw.range(2, 3));
    let mut slots: Vec<i64> = match order {
        O_SAME => vec![start; count as usize],
        O_BACKWARD => (0..count).rev().map(|i| start + i).collect(),
        O_GAPS => (0..count).map(|i| start + i * gap).collect(),
        O_MIXED if count == 2 => vec![start + 2, start],
        // The first two meet, the third does not follow.
        O_MIXED => (0..count).map(|i| start + if i < 2 { i } else { i64::from(g.draw.below(2)) }).collect(),
        _ => (0..count).map(|i| start + i).collect(),
    };
    let shift = match class {
        Some(SLOT_MINUS) => -i64::from(g.draw.range(1, 8)) - start,
        Some(SLOT_HUGE) => 0x4000_0000 + i64::from(g.draw.below(0x1000_0000)),
        Some(_) => 0,
        None if g.draw.chance(10) => -i64::from(g.draw.range(1, 8)) - start,
        None => 0,
    };
    slots.iter_mut().for_each(|slot| *slot += shift);
    slots
}

/// An address for the first slice, the others being at `relative` to it.
fn first(g: &mut Generator, goal: &Goal, wanted: &Wanted, relative: &[i64]) -> Option<i64> {
    let Wanted { direction, layout, .. } = *wanted;
    let load = direction == Direction::Load;
    let size = i64::from(if load { g.target.rtl.l1m_bytes } else { g.target.rtl.l0m_bytes });
    let fault = super::fault(size as u32);
    let (bytes, element) = (i64::from(layout.bytes), i64::from(layout.bits / 8).max(1));
    let last = relative.len() - 1;
    let elements = |g: &mut Generator, least: i64, most: i64| {
        element * i64::from(g.draw.range((least / element) as u32, (most / element).max(least / element) as u32))
    };
    let position = match goal.get(Axis::Pos) {
        Some(POS_MIDDLE) => last.div_ceil(2).min(last),
        Some(POS_LAST) => last,
        _ => 0,
    };
    if let Some(shared) = goal.get(Axis::Shared) {
        let port = i64::from(g.target.rtl.port_bytes());
        return match shared {
            S_BEGINS => Some(i64::from(fault.start)),
            // So many bytes are in the word.
            S_CROSSES => {
                Some(i64::from(fault.start) + elements(g, element, (bytes - element).min(port - element)) - bytes)
            }
            // Where it ends the word ends, too.
            _ => Some((i64::from(fault.start) + bytes + port - 1) / port * port - bytes),
        };
    }
    let pinned = |address: i64, slice: usize| Some(address - relative[slice]);
    let odd = |g: &mut Generator| i64::from(g.draw.range(1, element.max(2) as u32 - 1));
    match (goal.get(Axis::Cause), goal.get(Axis::Beyond), goal.get(Axis::Spared)) {
        (Some(MISALIGNED), Some(CROSSES), _) => return Some(size - bytes + odd(g)),
        (Some(MISALIGNED), Some(WRAPS), _) => return Some((1 << 32) - odd(g)),
        (Some(MISALIGNED), Some(_), _) => return Some(size + elements(g, 0, 4096) + odd(g)),
        (Some(OUTSIDE), Some(CROSSES), _) => return Some(size - elements(g, element, bytes - element)),
        (Some(OUTSIDE), Some(WRAPS), _) => return Some((1 << 32) - elements(g, element, bytes - element)),
        (Some(OUTSIDE), ..) if position == 0 => return Some(size + elements(g, 0, 4096)),
        (Some(OUTSIDE), ..) => return pinned(size - bytes + elements(g, element, bytes), position),
        (Some(PORT), ..) if position == 0 => {
            let length = i64::from(fault.end - fault.start);
            return Some(i64::from(fault.start) + elements(g, 0, length - element));
        }
        (Some(PORT), ..) => return pinned(i64::from(fault.start) - bytes + elements(g, element, bytes), position),
        (_, _, Some(SPARED_OUTSIDE)) => return pinned(size - bytes + elements(g, element, bytes), last),
        (_, _, Some(_)) => return pinned(i64::from(fault.start) - bytes + elements(g, element, bytes), last),
        _ => {}
    }
    let misaligned = goal.wants(MISALIGNED);
    let (low, high) = relative.iter().fold((0, 0), |(low, high), &at| (at.min(low), at.max(high)));
    let (least, most) = (-low, size - bytes - high);
    let port = i64::from(g.target.rtl.port_bytes());
    for _ in 0..200 {
        let any = least + i64::from(g.draw.below((most - least).max(0) as u32 + 1));
        let offset = match goal.get(Axis::Offset) {
            Some(AT_0) => 0,
            Some(AT_HALF) => port / 2,
            Some(AT_LOW) => elements(g, element, port / 2 - 1),
            Some(AT_HIGH) => elements(g, port / 2 + element, port - 1),
            _ => elements(g, 0, port - 1),
        };
        let any = any / port * port + offset;
        let first = match goal.get(Axis::Place) {
            Some(START) => least,
            Some(LAST) => most,
            _ if misaligned => any / element * element + odd(g),
            _ => any / element * element,
        };
        let meets = |at: &i64| {
            let start = first + at;
            start < i64::from(fault.end) && start + bytes > i64::from(fault.start)
        };
        if (least..=most).contains(&first) && !relative.iter().any(meets) {
            return Some(first);
        }
    }
    None
}
