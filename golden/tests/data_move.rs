// SPDX-License-Identifier: Apache-2.0
//! ADDI, CONCAT, MERGE and XPOSE against plain loops over elements, for random types, shapes and contents.

use crate::common::*;
use golden::decode::Tensor;
use golden::{Csr, Machine};

/// The element-by-element result of CONCAT or MERGE, or `None` when it is illegal.
fn block_reference(m: &Machine, e: u32, [s1, s2]: [u8; 2], d: usize, concat: bool) -> Option<Vec<u8>> {
    let tshape = m.csr.read(Csr::Tshape);
    let dims = [tshape >> 16 & 255, tshape >> 8 & 255, tshape & 255].map(|n| n as usize);
    let reg_bytes = m.tl.reg_bytes();
    if dims.contains(&0) || dims.iter().product::<usize>() * e as usize > reg_bytes * 8 || dims[d] > 32 {
        return None;
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
                if to == dims[d] {
                    return None;
                }
                copy_slice(to, from, source);
                to += 1;
            }
        }
    } else {
        for (i, &first) in mask1.iter().enumerate() {
            copy_slice(i, i, if first { tl1 } else { tl2 });
        }
    }
    Some(result)
}

#[test]
fn concat_and_merge_move_each_element_to_its_place() {
    let mut rng = Rng(1);
    let mut m = random_machine(&small_memory(), &mut rng);
    let mut legal = [0; 2];
    for _ in 0..1500 {
        let (ttype, e) = rng.pick(&TYPES);
        let d = rng.below(3) as u8;
        let dims: [u32; 3] = std::array::from_fn(|_| 1 + rng.below(14) + if rng.one_in(6) { rng.below(30) } else { 0 });
        set_block(&mut m, ttype, dims);
        let mask = rng.next();
        m.csr.write(Csr::TmaskConcat1, mask);
        // Mostly complementary, so that most concatenations fit.
        let other = if rng.one_in(4) { rng.next() } else { !mask & rng.next() };
        m.csr.write(Csr::TmaskConcat2, other);

        let [tlrd, tlrs1, tlrs2] = [rng.below(6) as u8, rng.below(6) as u8, rng.below(6) as u8];
        let concat = rng.one_in(2);
        let instruction = match concat {
            true => Tensor::Concat { d, tlrd, tlrs1, tlrs2 },
            false => Tensor::Merge { d, tlrd, tlrs1, tlrs2 },
        };
        match block_reference(&m, e, [tlrs1, tlrs2], d.into(), concat) {
            None => assert_illegal(&mut m, instruction),
            Some(expected) => {
                legal[usize::from(concat)] += 1;
                let out = assert_legal(&mut m, instruction);
                let zero = vec![0; 1024];
                assert_eq!(m.tl.get(tlrd), if tlrd == 0 { &zero } else { &expected }, "{instruction:?} {dims:?} {e}");
                assert_eq!(out.tl_writes, if tlrd == 0 { vec![] } else { vec![tlrd] });
            }
        }
    }
    assert!(legal.iter().all(|&n| n > 200), "{legal:?} legal cases are too few");
}

#[test]
fn xpose_moves_each_element_to_its_place() {
    let mut rng = Rng(2);
    for name in ["w16", "tiny"] {
        let mut m = random_machine(&golden::Config { l1m_bytes: 4096, l0m_bytes: 4096, ..config(name) }, &mut rng);
        let reg_bytes = m.tl.reg_bytes();
        for _ in 0..300 {
            let (ttype, e) = rng.pick(&TYPES);
            m.csr.write(Csr::Ttype, ttype);
            // Distribute the factors of two of the element count over the four sizes.
            let mut dims = [2_usize, 1, 1, 1];
            for _ in 1..(16 * reg_bytes as u32 / e).ilog2() {
                let fitting: Vec<usize> = (0..4).filter(|&i| dims[i] < 128).collect();
                dims[rng.pick(&fitting)] *= 2;
            }
            m.set_x(9, dims.iter().rev().fold(0, |x, &size| x << 8 | size as u32));
            let (p, q) = (rng.below(4) as u8, rng.below(4) as u8);
            let (tlrs1, offset) = (rng.below(6) as u8, 1 + rng.below(4) as u8);
            let tlrs2 = (tlrs1 + offset) % 6;

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
            let out = assert_legal(&mut m, Tensor::Xpose { p, q, tlrs1, tlrs2, rs: 9 });
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
