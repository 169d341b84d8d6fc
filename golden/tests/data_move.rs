// SPDX-License-Identifier: Apache-2.0
//! ADDI, CONCAT, MERGE and XPOSE against plain loops over elements, for random types, shapes and contents.

use crate::common::*;
use golden::decode::Tensor;
use golden::{Csr, Machine};

/// The element-by-element result of CONCAT or MERGE, or the clauses that make it illegal.
fn block_reference(m: &Machine, [s1, s2]: [u8; 2], d: usize, concat: bool) -> Result<Vec<u8>, Vec<&'static str>> {
    let [_, dims @ ..] = m.csr.read(Csr::Tshape).to_be_bytes().map(usize::from);
    let Some(e) = element_bits(m.csr.read(Csr::Ttype)) else { return Err(vec!["type"]) };
    let reg_bytes = m.tl.reg_bytes();
    let initialised = |csr| m.csr.mask(csr).is_some_and(|mask| mask.initialised);
    let selected = |csr| (0..dims[d].min(32)).filter(|i| m.csr.read(csr) >> i & 1 == 1).count();
    let selected = selected(Csr::TmaskConcat1) + selected(Csr::TmaskConcat2);
    let broken = broken(&[
        ("a size is 0", dims.contains(&0)),
        ("the block fits", dims.iter().product::<usize>() * e as usize > reg_bytes * 8),
        ("at most 32 slices", dims[d] > 32),
        ("mask 1 is initialised", !initialised(Csr::TmaskConcat1)),
        ("mask 2 is initialised", concat && !initialised(Csr::TmaskConcat2)),
        ("the selection fits", concat && dims[d] <= 32 && selected > dims[d]),
    ]);
    if !broken.is_empty() {
        return Err(broken);
    }
    let mask = |csr| (0..dims[d]).map(|i| m.csr.read(csr) >> i & 1 == 1).collect::<Vec<bool>>();
    let (mask1, mask2) = (mask(Csr::TmaskConcat1), mask(Csr::TmaskConcat2));
    let at = |i: [usize; 3]| i[0] * dims[1] * dims[2] + i[1] * dims[2] + i[2];
    let (tl1, tl2) = (m.tl.get(s1), m.tl.get(s2));

    let mut result = vec![0; reg_bytes];
    let mut copy_slice = |to: usize, from: usize, source: &[u8]| {
        for i in 0..dims[0] {
            for j in 0..dims[1] {
                for k in 0..dims[2] {
                    let mut target = [i, j, k];
                    if target[d] == from {
                        let value = element(source, at(target), e);
                        target[d] = to;
                        set_element(&mut result, at(target), e, value);
                    }
                }
            }
        }
    };
    if concat {
        let mut to = 0;
        for (mask, source) in [(&mask1, tl1), (&mask2, tl2)] {
            for from in (0..dims[d]).filter(|&i| mask[i]) {
                copy_slice(to, from, source);
                to += 1;
            }
        }
    } else {
        for (i, &first) in mask1.iter().enumerate() {
            copy_slice(i, i, if first { tl1 } else { tl2 });
        }
    }
    Ok(result)
}

#[test]
fn concat_and_merge_move_each_element_to_its_place() {
    let mut rng = Rng(1);
    let mut m = random_machine(&small_memory(), &mut rng);
    let (mut legal, mut alone) = ([0; 2], Alone::default());
    for _ in 0..2500 {
        let d = rng.below(3) as u8;
        let mut dims: [u32; 3] =
            std::array::from_fn(|_| 1 + rng.below(14) + if rng.one_in(6) { rng.below(30) } else { 0 });
        if rng.one_in(25) {
            dims[rng.below(3) as usize] = 0;
        }
        set_block(&mut m, random_type(&mut rng), dims);
        // Mostly complementary, so that most concatenations fit.
        let mask = rng.next();
        let other = if rng.one_in(4) { rng.next() } else { !mask & rng.next() };
        random_mask(&mut m, Csr::TmaskConcat1, mask, &mut rng);
        random_mask(&mut m, Csr::TmaskConcat2, other, &mut rng);

        let [tlrd, tlrs1, tlrs2] = [rng.below(6) as u8, rng.below(6) as u8, rng.below(6) as u8];
        let concat = rng.one_in(2);
        let instruction = match concat {
            true => Tensor::Concat { d, tlrd, tlrs1, tlrs2 },
            false => Tensor::Merge { d, tlrd, tlrs1, tlrs2 },
        };
        match block_reference(&m, [tlrs1, tlrs2], d.into(), concat) {
            Err(clauses) => {
                alone.add(&clauses);
                assert_illegal(&mut m, instruction);
            }
            Ok(expected) => {
                legal[usize::from(concat)] += 1;
                let out = assert_legal(&mut m, instruction);
                let zero = vec![0; 1024];
                assert_eq!(m.tl.get(tlrd), if tlrd == 0 { &zero } else { &expected }, "{instruction:?} {dims:?}");
                assert_eq!(out.tl_writes, if tlrd == 0 { vec![] } else { vec![tlrd] });
            }
        }
    }
    assert!(legal.iter().all(|&n| n > 200), "{legal:?} legal cases are too few");
    alone.assert(7, 10);
}

/// Sizes whose product is `elements`, a power of two. Now and then others.
fn sizes(elements: u32, rng: &mut Rng) -> [u32; 4] {
    let mut sizes = [2, 1, 1, 1];
    for _ in 1..elements.ilog2() {
        let fitting: Vec<usize> = (0..4).filter(|&i| sizes[i] < 128).collect();
        sizes[rng.pick(&fitting)] *= 2;
    }
    let other = rng.below(4) as usize;
    match rng.below(24) {
        0 => sizes[other] = 0,
        1 if sizes[other] < 128 => sizes[other] *= 2,
        2 if sizes[other] > 2 => sizes[other] /= 2,
        3 => {
            let one = sizes.iter().position(|&size| size == 1);
            sizes.swap(0, one.unwrap_or(0));
        }
        4 => sizes = std::array::from_fn(|_| rng.below(256)),
        _ => (),
    }
    sizes
}

#[test]
fn xpose_moves_each_element_to_its_place() {
    let mut rng = Rng(2);
    let mut alone = Alone::default();
    for name in ["w16", "tiny"] {
        let mut m = random_machine(&golden::Config { l1m_bytes: 4096, l0m_bytes: 4096, ..config(name) }, &mut rng);
        let reg_bytes = m.tl.reg_bytes();
        for _ in 0..500 {
            let ttype = random_type(&mut rng);
            m.csr.write(Csr::Ttype, ttype);
            let e = element_bits(ttype).unwrap_or(8);
            let dims = sizes(16 * reg_bytes as u32 / e, &mut rng);
            m.set_x(9, dims.iter().rev().fold(0, |x, &size| x << 8 | size));
            let (p, q) = (rng.below(4) as u8, rng.below(4) as u8);
            let (tlrs1, offset) = (rng.below(6) as u8, if rng.one_in(25) { 0 } else { 1 + rng.below(4) as u8 });
            let tlrs2 = (tlrs1 + offset) % 6;
            let instruction = Tensor::Xpose { p, q, tlrs1, tlrs2, rs: 9 };

            let elements = dims.iter().map(|&size| u64::from(size)).product::<u64>();
            let clauses = broken(&[
                ("type", element_bits(ttype).is_none()),
                ("two registers", tlrs1 == tlrs2),
                ("a size is 0", elements == 0),
                ("D0 is even", dims[0] % 2 == 1),
                ("it fills two registers", elements != 0 && elements * u64::from(e) != 16 * reg_bytes as u64),
            ]);
            if !clauses.is_empty() {
                alone.add(&clauses);
                assert_illegal(&mut m, instruction);
                continue;
            }
            let dims = dims.map(|size| size as usize);
            let source = [m.tl.get(tlrs1), m.tl.get(tlrs2)].concat();
            let mut expected = source.clone();
            let mut new = dims;
            new.swap(p.into(), q.into());
            let at = |d: [usize; 4], i: [usize; 4]| ((i[0] * d[1] + i[1]) * d[2] + i[2]) * d[3] + i[3];
            for n in 0..dims.iter().product() {
                let mut i = [
                    n / (dims[1] * dims[2] * dims[3]),
                    n / (dims[2] * dims[3]) % dims[1],
                    n / dims[3] % dims[2],
                    n % dims[3],
                ];
                i.swap(p.into(), q.into());
                set_element(&mut expected, at(new, i), e, element(&source, n, e));
            }
            let out = assert_legal(&mut m, instruction);
            for (tl, half) in [(tlrs1, &expected[..reg_bytes]), (tlrs2, &expected[reg_bytes..])] {
                if tl != 0 {
                    assert_eq!(m.tl.get(tl), half, "{dims:?} {p}{q} {e}");
                }
            }
            assert!(m.tl.get(0).iter().all(|&byte| byte == 0));
            let written: Vec<u8> = [tlrs1, tlrs2].into_iter().filter(|&tl| tl != 0).collect();
            assert_eq!(out.tl_writes, written);
        }
    }
    alone.assert(5, 5);
}

#[test]
fn addi_saturates_each_element_of_the_whole_register() {
    let mut rng = Rng(3);
    let mut m = random_machine(&small_memory(), &mut rng);
    // The shape, illegal here, does not matter.
    m.csr.write(Csr::Tshape, 0);
    for round in 0..80 {
        let (ttype, e) = TYPES[round % 4];
        m.csr.write(Csr::Ttype, ttype);
        let (tlrd, tlrs, imm8) = (rng.below(4) as u8, rng.below(4) as u8, rng.next() as i8);
        if tlrs != 0 && e > 8 {
            // Wide random elements hardly ever saturate: put some near the ends of the range.
            let (low, high) = (rng.below(100), u32::MAX >> (32 - e));
            let register = m.tl.get_mut(tlrs).unwrap_or(&mut []);
            set_element(register, 0, e, low);
            set_element(register, 1, e, high - low);
        }
        let source = m.tl.get(tlrs).to_vec();
        let mut expected = vec![0; 1024];
        for n in 0..8192 / e as usize {
            let sum = i64::from(element(&source, n, e)) + i64::from(imm8);
            set_element(&mut expected, n, e, sum.clamp(0, (1 << e) - 1) as u32);
        }
        let out = assert_legal(&mut m, Tensor::Addi { tlrd, tlrs, imm8 });
        if tlrd == 0 {
            assert!(out.tl_writes.is_empty() && m.tl.get(0).iter().all(|&byte| byte == 0));
        } else {
            assert_eq!((out.tl_writes, m.tl.get(tlrd)), (vec![tlrd], &expected[..]), "{imm8} {e}");
        }
    }
}
