// SPDX-License-Identifier: Apache-2.0
//! Sums with immediates that matter: every one at every width, the corner values often, and sums that reach the end
//! of the range, or miss it by one.

use std::sync::LazyLock;

use golden::Csr;
use golden::decode::{Access, Decoded, OperandKind, Tensor};

use super::generator::Generator;
use super::shape;

/// Immediates in a share: of 256 at each width, so many cases after each other have them all.
const SHARE: u32 = 16;

/// The ends of the range, where a sign is lost, and the values next to them.
const CORNERS: [i8; 9] = [i8::MIN, i8::MIN + 1, -2, -1, 0, 1, 2, i8::MAX - 1, i8::MAX];

/// As many as a 4-bit element has values, and the values next to that.
const NARROW_CORNERS: [i8; 6] = [-16, -15, -14, 14, 15, 16];

/// A corner value in half of the cases.
pub fn immediate(g: &mut Generator) -> i8 {
    let narrow = g.machine.element_type().is_some_and(|element| element.bits == 4);
    match g.draw.below(10) {
        0..3 => g.draw.pick(&CORNERS),
        3 | 4 if narrow => g.draw.pick(&NARROW_CORNERS),
        3 | 4 => g.draw.pick(&[i8::MIN, i8::MAX]),
        _ => g.draw.u32() as i8,
    }
}

/// The share of the case `number` in all immediates at all widths. What is drawn misses some of them for long; 64 cases
/// in a row (four widths) have every one.
pub fn share(g: &mut Generator, number: u64) {
    let widths: Vec<u32> = g.target.golden.element_widths.iter().collect();
    let shares = 256 / SHARE * widths.len() as u32;
    let share = (number % u64::from(shares)) as u32;
    // Neighbours in time are different widths.
    let (width, first) = (share % widths.len() as u32, share / widths.len() as u32 * SHARE);
    shape::integers(g, widths.get(width as usize).copied().unwrap_or(8));
    let tlrs = loaded(g);
    for (sum, immediate) in sums().flat_map(|sum| (first..first + SHARE).map(move |immediate| (sum, immediate))) {
        let tlrd = g.draw.range(1, 31) as u8;
        // The source stays as it was loaded.
        let tlrd = if tlrd == tlrs { tlrs % 31 + 1 } else { tlrd };
        g.emit(Decoded::Tensor(with(sum, tlrd, tlrs, immediate as i32)));
    }
}

/// The sum with these operands.
fn with(sum: Tensor, tlrd: u8, tlrs: u8, immediate: i32) -> Tensor {
    sum.with_operands(|operand| match operand.kind {
        OperandKind::Tl(Access::Write) => tlrd.into(),
        OperandKind::Immediate => immediate,
        OperandKind::X(_)
        | OperandKind::Tl(Access::Read | Access::ReadWrite)
        | OperandKind::Tr(_)
        | OperandKind::Acc(_)
        | OperandKind::Dimension => tlrs.into(),
    })
}

/// Every sum with each immediate, and what it adds then. Worked out once, since searches ask for it all the time.
static ADDED: LazyLock<Vec<(Tensor, i32)>> = LazyLock::new(|| {
    let immediates = |sum: Tensor| sum.operands().immediate().map(|immediate| immediate.range());
    let all = sums().flat_map(|sum| immediates(sum).into_iter().flatten().map(move |imm8| with(sum, 0, 0, imm8)));
    all.filter_map(|sum| Some((sum, sum.added()?))).collect()
});

/// The instructions that add an immediate.
fn sums() -> impl Iterator<Item = Tensor> {
    Tensor::all().filter(|tensor| tensor.added().is_some())
}

/// A register full of what looks random: zeros hide what a negative immediate does.
fn loaded(g: &mut Generator) -> u8 {
    let room = g.target.rtl.l1m_bytes - g.target.rtl.reg_bytes;
    let fails = |g: &Generator, base: u32| {
        g.faults[0].iter().any(|fault| base < fault.end && base + g.target.rtl.reg_bytes > fault.start)
    };
    let mut base = 0;
    for _ in 0..64 {
        base = g.draw.below(room) & !3;
        if !fails(g, base) {
            break;
        }
    }
    load_all(g, base)
}

/// A register with all that fits in it from `base` on.
fn load_all(g: &mut Generator, base: u32) -> u8 {
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let elements = g.target.rtl.reg_bytes * 8 / bits;
    g.want_csr(Csr::Tshape, shape::packed([elements.div_ceil(128), 1, elements.min(128)]));
    g.want_csr(Csr::TloadWidth, 0);
    for slice in 0..elements.div_ceil(128) as u8 {
        g.want_csr(Csr::TloadStride(slice), slice.into());
    }
    let (rs, tlrd) = (g.register_with(base), g.draw.range(1, 31) as u8);
    g.tensor(Tensor::Load { tlrd, rs, imm8: 0 });
    tlrd
}

/// Sums of all elements that are exactly 0 or the top, or one beyond that, at some widths.
pub fn saturate(g: &mut Generator) {
    for _ in 0..g.draw.range(1, 3) {
        let [end, tl] = [g.draw.range(1, 31) as u8, g.draw.range(1, 31) as u8];
        let top = g.draw.chance(50);
        let source = if top { tops(g, end) } else { 0 };
        let source = if g.draw.chance(30) { mixed(g, source) } else { source };
        let width = g.width();
        shape::integers(g, width);
        let most = ADDED.iter().map(|(_, added)| added.unsigned_abs()).max().unwrap_or(1);
        let distance = match g.draw.below(4) {
            0 => g.draw.pick(&[1, 2, most - 2, most - 1, most, most]),
            1 => g.draw.pick(&[13, 14, 15]),
            _ => g.draw.range(1, most - 1),
        } as i32;
        // Away from the end, then back: not quite, exactly, or one too far.
        let back = (distance + g.draw.pick(&[-1, 0, 0, 1, 1])).clamp(0, most as i32);
        let sign = if top { -1 } else { 1 };
        let (mut left, mut tlrs) = (sign * distance, source);
        while left != 0 {
            let imm8 = left.clamp(-128, 127) as i8;
            g.emit(Decoded::Tensor(Tensor::Addi { tlrd: tl, tlrs, imm8 }));
            (left, tlrs) = (left - i32::from(imm8), tl);
        }
        let tlrd = g.tl_near(&[tl]);
        let imm8 = (-sign * back).clamp(-128, 127) as i8;
        let exact: Vec<Tensor> =
            ADDED.iter().filter(|(_, added)| *added == -sign * back).map(|(sum, _)| *sum).collect();
        let back = if exact.len() > 1 { g.draw.choose(&exact) } else { exact.first().copied() };
        let back = back.unwrap_or(Tensor::Addi { tlrd, tlrs: tl, imm8 });
        let immediate = back.operands().immediate().map_or(0, |immediate| immediate.value);
        g.emit(Decoded::Tensor(with(back, tlrd, tl, immediate)));
    }
}

/// A register that has slices of `tl` and of another one.
fn mixed(g: &mut Generator, tl: u8) -> u8 {
    if g.machine.block().is_none() {
        g.set_csr(Csr::Tshape, shape::packed([2, 1, 8]));
    }
    let mask = g.draw.pick(&[1, 2, 0x5555_5555]);
    g.want_csr(Csr::TmaskConcat1, mask);
    let (tlrd, other) = (g.draw.range(1, 31) as u8, g.tl());
    g.tensor(Tensor::Merge { d: 0, tlrd, tlrs1: tl, tlrs2: other });
    tlrd
}

/// Makes all bits of `tl` 1: the largest element of any width.
fn tops(g: &mut Generator, tl: u8) -> u8 {
    let bits = g.target.golden.element_widths.iter().next().unwrap_or(8);
    shape::integers(g, bits);
    if bits > 8 {
        // It takes too many sums. What is loaded is that at the end of L1M of a case for bins.
        let room = g.target.rtl.l1m_bytes - g.target.rtl.reg_bytes;
        return load_all(g, room);
    }
    for (tlrs, imm8) in [(0, 127), (tl, 127), (tl, 1)] {
        g.tensor(Tensor::Addi { tlrd: tl, tlrs, imm8 });
    }
    tl
}
