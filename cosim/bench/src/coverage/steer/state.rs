// SPDX-License-Identifier: Apache-2.0
//! CSRs, types, shapes and masks as a goal wants them.

use golden::Csr;

use super::goal::Goal;
use crate::coverage::facts::{mask_class, shape_class};
use crate::coverage::values::*;
use crate::random::generator::Generator;

/// One of the values, of which there is at least one.
pub fn one_of(g: &mut Generator, values: &[Value]) -> Value {
    values[g.draw.below(values.len() as u32) as usize]
}

/// Writes `csr` unless it has this value already; a mask is written when it never was.
pub fn set(g: &mut Generator, csr: Csr, value: u32) {
    let written = g.machine.csr.mask(csr).is_none_or(|mask| mask.initialised);
    if !written || g.machine.csr.read(csr) != value {
        g.set_csr(csr, value);
    }
}

/// The element widths that the goal leaves open.
pub fn widths(g: &Generator, goal: &Goal) -> Vec<u32> {
    let wanted = |bits: &u32| {
        let index = bits.ilog2() as u8 - 2;
        let of_type = goal.get(Axis::Type).is_none_or(|ttype| ttype.index & 3 == index);
        goal.allows(Value { axis: Axis::Width, index }) && of_type
    };
    g.target.golden.element_widths.iter().filter(wanted).collect()
}

/// A value of ttype for elements of `bits` bits; integers unless the goal wants otherwise, when `integer` is set.
pub fn ttype(g: &mut Generator, goal: &Goal, bits: u32, integer: bool) -> u32 {
    let index = bits.max(4).ilog2() - 2;
    let format = goal.get(Axis::Format).map(|format| u32::from(format.index) + 1);
    let float = match goal.get(Axis::Type) {
        Some(ttype) => ttype.index >= 4,
        None => format.is_some() || goal.wants(NOT_INTEGER) || !integer && g.draw.chance(25),
    };
    if float { format.unwrap_or_else(|| g.draw.range(1, 3)) << (4 + 2 * index) } else { 1 << index }
}

/// An illegal ttype for `why`, if that is about the type.
pub fn broken_type(g: &mut Generator, why: Option<Value>) -> Option<u32> {
    match why {
        Some(NO_TYPE) => Some(0),
        Some(TWO_TYPES) => {
            let first = g.draw.below(4);
            // A floating-point field is there when its width is.
            let widths: Vec<u32> = g.target.golden.element_widths.iter().collect();
            let second = g.draw.pick(&widths).ilog2() - 2;
            Some(1 << first | g.draw.range(1, 3) << (4 + 2 * second))
        }
        Some(OTHER_WIDTH) => {
            let widths = g.target.golden.element_widths;
            let missing: Vec<u32> = (0..4).filter(|&index| !widths.contains(4 << index)).collect();
            Some(1 << g.draw.pick(&missing))
        }
        _ => None,
    }
}

/// A mask of the wanted class over `size` slices, with other bits at random or as wanted. `class` is a value of the
/// axis `Mask`.
pub fn mask(g: &mut Generator, class: Option<Value>, high: Option<Value>, size: u32) -> u32 {
    let all = u32::MAX >> (32 - size.clamp(1, 32));
    let mut mask = g.draw.u32();
    for _ in 0..64 {
        let any = g.draw.u32();
        mask = match class {
            Some(M_NONE) => 0,
            Some(M_ALL) => all,
            Some(M_ONE) => 1 << (any % size.max(1)),
            Some(M_PREFIX) => all >> (any % size.max(1)),
            Some(M_RUN) => (all >> (any % size.max(1))) << (any >> 8 & 7),
            _ => any,
        } & all;
        if class.is_none_or(|class| mask_class(mask, size) == class) {
            break;
        }
    }
    let high_bits = match high {
        Some(HIGH_CLEAR) => 0,
        Some(HIGH_SET) => g.draw.u32() | 1 << 31,
        _ => g.draw.u32() & g.draw.u32(),
    };
    mask | high_bits & !all
}

/// Two numbers whose product is `n`, both at most 255; drawn.
pub fn factors(g: &mut Generator, n: u32) -> Option<[u32; 2]> {
    let divisors: Vec<u32> = (1..=n.min(255)).filter(|d| n.is_multiple_of(*d) && n / d <= 255).collect();
    let first = g.draw.pick(&divisors);
    (first != 0).then(|| [first, n / first])
}

/// Whether the shape is legal and of the wanted class.
pub fn shape_fits(g: &Generator, goal: &Goal, sizes: [u32; 3], bits: u32) -> bool {
    let block = sizes.iter().product::<u32>() * bits;
    sizes.iter().all(|size| (1..256).contains(size))
        && block <= 8 * g.target.rtl.reg_bytes
        && goal.allows(shape_class(sizes, bits, g.target.rtl.reg_bytes))
}

/// A size for the dimension that slices count in; at least `least` when the goal leaves it open.
pub fn slices(g: &mut Generator, goal: &Goal, least: u32) -> u32 {
    match goal.get(Axis::Slices) {
        Some(ONE_SLICE) => 1,
        Some(TWO) => 2,
        Some(SOME) => g.draw.range(3, 31),
        Some(_) => 32,
        None => {
            let any = g.draw.range(1, 32);
            g.draw.pick(&[1, 2, 3, 4, 5, 8, 16, 32, any]).max(least)
        }
    }
}

/// A size in units of `step`, of the wanted class against `unit`; both in bits, as is the result.
pub fn run(g: &mut Generator, class: Option<Value>, unit: u32, step: u32, most: u32) -> u32 {
    let steps = |g: &mut Generator, low: u32, high: u32| {
        let (low, high) = (low.div_ceil(step), (high / step).max(1));
        g.draw.range(low.max(1), high.max(low)) * step
    };
    match class {
        Some(BYTE) => 8,
        Some(NIBBLES) => steps(g, 4, most.min(2 * unit)) | 4,
        Some(PART) => steps(g, step, unit - 1),
        Some(WHOLE) => unit,
        Some(MULTIPLE) => unit * g.draw.range(2, (most / unit).clamp(2, 8)),
        Some(UNEVEN) => steps(g, unit + 1, most.min(4 * unit)),
        _ if g.draw.chance(60) => steps(g, step, most.min(2 * unit)),
        _ => steps(g, step, most),
    }
}
