// SPDX-License-Identifier: Apache-2.0
//! The fast operations on elements against the element-wise ones: every word has the same outcome and leaves the same
//! state, whatever the types, shapes, masks, contents and register numbers, legal or not.

use crate::common::*;
use golden::decode::Tensor;
use golden::{Config, Csr, Machine};
use proptest::prelude::*;

/// Registers of 64 to 1024 bytes, and sizes that no configuration file may have.
fn reg_bytes() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(64), 2 => Just(128), 2 => Just(1024), 1 => prop::sample::select(vec![1, 24, 100])]
}

/// Mostly legal types.
fn ttype() -> impl Strategy<Value = u32> {
    let legal = TYPES.map(|(ttype, _)| ttype);
    prop_oneof![9 => prop::sample::select(legal.to_vec()), 1 => 0..0x1000_u32]
}

/// Shapes from one element to the whole of a register, at times of size 0 or too large.
fn tshape() -> impl Strategy<Value = u32> {
    let size =
        || prop_oneof![8 => 1..12_u32, 4 => Just(1), 3 => 12..36_u32, 1 => prop::sample::select(vec![0, 64, 255])];
    [size(), size(), size()].prop_map(shape)
}

/// The two masks: any, or complementary, so that they fit a concatenation; `None` for a mask that was never written.
fn masks() -> impl Strategy<Value = [Option<u32>; 2]> {
    let complementary = (any::<u32>(), any::<u32>()).prop_map(|(mask, thin)| [Some(mask), Some(!mask & thin)]);
    let edges = prop::sample::select(vec![[Some(0), Some(0)], [Some(!0), Some(0)], [Some(0), Some(!0)]]);
    let some = any::<[u32; 2]>().prop_map(|masks| masks.map(Some));
    let few = any::<[u32; 2]>().prop_map(|[a, b]| [Some(a & b & b >> 7), Some(a & b >> 3 & b >> 9)]);
    let missing = any::<[Option<u32>; 2]>();
    prop_oneof![6 => complementary, 1 => edges, 1 => some, 2 => few, 1 => missing]
}

/// Sizes for `tl.xpose` whose product is `elements`, a power of two, when that is possible; or any.
fn sizes(elements: usize) -> impl Strategy<Value = u32> {
    let exact = prop::collection::vec(0..4_usize, elements.checked_ilog2().unwrap_or(0) as usize).prop_map(|places| {
        let mut sizes = [1_u32; 4];
        for at in places {
            sizes[at] = if sizes[at] < 128 { 2 * sizes[at] } else { sizes[at] };
        }
        sizes
    });
    let small = [0..6_u32, 1..6_u32, 1..6_u32, 1..6_u32];
    prop_oneof![5 => exact, 1 => small].prop_map(|sizes| sizes.iter().rev().fold(0, |x, &size| x << 8 | size))
}

/// An instruction on few registers, so that its operands are often the same, and often tl0.
fn instruction() -> impl Strategy<Value = Tensor> {
    let tl = || prop_oneof![1 => Just(0_u8), 4 => 1..4_u8, 1 => 4..32_u8];
    let imm8 = prop_oneof![any::<i8>(), -2..3_i8, prop::sample::select(vec![i8::MIN, i8::MAX])];
    let addi = (tl(), tl(), imm8).prop_map(|(tlrd, tlrs, imm8)| Tensor::Addi { tlrd, tlrs, imm8 });
    let concat = (0..3_u8, tl(), tl(), tl());
    let concat = concat.prop_map(|(d, tlrd, tlrs1, tlrs2)| Tensor::Concat { d, tlrd, tlrs1, tlrs2 });
    let merge = (0..3_u8, tl(), tl(), tl());
    let merge = merge.prop_map(|(d, tlrd, tlrs1, tlrs2)| Tensor::Merge { d, tlrd, tlrs1, tlrs2 });
    let xpose = (0..4_u8, 0..4_u8, tl(), tl());
    let xpose = xpose.prop_map(|(p, q, tlrs1, tlrs2)| Tensor::Xpose { p, q, tlrs1, tlrs2, rs: 9 });
    prop_oneof![addi, concat, merge, xpose]
}

/// A machine with these CSRs. Its registers hold random bytes, with zeros and ones among them where `tl.addi`
/// saturates.
fn machine(reg_bytes: usize, seed: u64, ttype: u32, tshape: u32, masks: [Option<u32>; 2]) -> Machine {
    let mut rng = Rng(seed | 1);
    let mut m = Machine::new(&Config { reg_bytes, l1m_bytes: 64, l0m_bytes: 64, ..config("w16") });
    for tl in 1..32 {
        rng.fill(m.tl.get_mut(tl).unwrap_or(&mut []));
        let run = 0..rng.below(1 + reg_bytes as u32 / 2) as usize;
        let byte = rng.pick(&[0x00, 0xFF, 0x0F]);
        m.tl.get_mut(tl).unwrap_or(&mut [])[run].fill(byte);
    }
    m.csr.write(Csr::Ttype, ttype);
    m.csr.write(Csr::Tshape, tshape);
    for (csr, mask) in [Csr::TmaskConcat1, Csr::TmaskConcat2].into_iter().zip(masks) {
        mask.map(|mask| m.csr.write(csr, mask));
    }
    m
}

/// Both ways from the same state. Whether the instruction was legal.
fn same(mut fast: Machine, instruction: Tensor) -> Result<bool, TestCaseError> {
    let mut reference = fast.clone();
    let word = instruction.encode(0);
    let (got, expected) = (fast.step(word), reference.step_reference(word));
    prop_assert_eq!(&got, &expected, "{:?}", instruction);
    for tl in 0..32 {
        prop_assert_eq!(fast.tl.get(tl), reference.tl.get(tl), "tl{} after {:?}", tl, instruction);
    }
    prop_assert!(fast == reference);
    Ok(got.trap.is_none())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_operation_in_any_state(
        (reg_bytes, ttype, x9) in (reg_bytes(), ttype()).prop_flat_map(|(reg_bytes, ttype)| {
            (Just(reg_bytes), Just(ttype), sizes(16 * reg_bytes / element_bits(ttype).unwrap_or(8) as usize))
        }),
        (tshape, masks, seed) in (tshape(), masks(), any::<u64>()),
        instruction in instruction(),
    ) {
        let mut m = machine(reg_bytes, seed, ttype, tshape, masks);
        m.set_x(9, x9);
        same(m, instruction)?;
    }
}

/// Every width, dimension and pair of dimensions, so that each loop of the fast side is known to have been compared.
#[test]
fn every_width_and_dimension() {
    let mut legal = 0;
    for (ttype, e) in TYPES {
        for dims in [[4, 2, 2], [3, 5, 1], [1, 3, 5], [5, 1, 3], [2, 3, 2], [16, 1, 1], [1, 1, 16], [1, 1, 1]] {
            for d in 0..3 {
                let m = machine(64, 5, ttype, shape(dims), [Some(0b0101), Some(0b1010)]);
                for instruction in [
                    Tensor::Concat { d, tlrd: 1, tlrs1: 2, tlrs2: 3 },
                    Tensor::Concat { d, tlrd: 2, tlrs1: 2, tlrs2: 2 },
                    Tensor::Merge { d, tlrd: 3, tlrs1: 2, tlrs2: 3 },
                    Tensor::Addi { tlrd: 1, tlrs: 2, imm8: -7 + 5 * d as i8 },
                ] {
                    legal += u32::from(same(m.clone(), instruction).expect("the same"));
                }
            }
        }
        let n = 16 * 64 / e;
        for sizes in [[2, 4, n / 16, 2], [n / 8, 2, 4, 1], [2, 1, 1, n / 2], [4, n / 8, 1, 2], [2, 2, n / 8, 2]] {
            for (p, q) in (0..4).flat_map(|p| (0..4).map(move |q| (p, q))) {
                let mut m = machine(64, 6, ttype, 0, [None; 2]);
                m.set_x(9, sizes.iter().rev().fold(0, |x, &size| x << 8 | size));
                legal += u32::from(same(m, Tensor::Xpose { p, q, tlrs1: 1, tlrs2: 2, rs: 9 }).expect("the same"));
            }
        }
    }
    // 8 shapes, 3 dimensions and 3 instructions; `tl.addi` for 4 of the types; 5 sizes and 16 pairs.
    assert_eq!(legal, 16 * (8 * 3 * 3 + 5 * 16) + 4 * 8 * 3);
}
