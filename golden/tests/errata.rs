// SPDX-License-Identifier: Apache-2.0
//! One test for each line of docs/isa.md, "Errata": the side that was taken holds.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use golden::asm::assemble;
use golden::decode::{Decoded, Tensor, decode};
use golden::{Csr, Machine};

fn word(text: &str) -> u32 {
    assemble("errata", text, 0).unwrap()[0]
}

/// An int8 machine with the shape `d`; element n of tl1 is n, of tl2 128 + n; L1M byte n is n. For small blocks.
fn machine(d: [u32; 3]) -> Machine {
    let mut m = Machine::new(&small_memory());
    set_block(&mut m, 2, d);
    m.tl.set(1, &(0..128).collect::<Vec<u8>>());
    m.tl.set(2, &(128..=255).collect::<Vec<u8>>());
    m.l1m.fill(&(0..=255).collect::<Vec<u8>>()).unwrap();
    m
}

#[test]
fn erratum_01_imm8_is_signed_at_27_20() {
    assert_eq!(word("tl.load tl0, -128(x0)") >> 20 & 0xFF, 0x80);
    assert_eq!(decode(0x0FF0_005B, 0), Decoded::Tensor(Tensor::Load { tlrd: 0, rs: 0, imm8: -1 }));
}

#[test]
fn erratum_02_tm_1_is_masked() {
    assert_eq!(word("tl.mload tl1, 0(x2)") ^ word("tl.load tl1, 0(x2)"), 1 << 28);
    assert_eq!(word("tl.mstore tl1, 0(x2)") ^ word("tl.store tl1, 0(x2)"), 1 << 28);
}

#[test]
fn erratum_03_one_engine_id() {
    for engine_id in 0..4 {
        for other in 0..4 {
            let ours = matches!(decode(0x0000_855B | other << 30, engine_id), Decoded::Tensor(_));
            assert_eq!(ours, u32::from(engine_id) == other);
        }
    }
}

#[test]
fn erratum_04_funct3_of_mload_and_mstore() {
    let funct3 = |text| word(text) >> 12 & 7;
    assert_eq!((funct3("tl.mload tl1, 0(x2)"), funct3("tl.mstore tl1, 0(x2)")), (0b000, 0b010));
    assert_eq!(word("tl.store tl1, 7(x2)") ^ word("tl.addi tl2, tl1, 7"), 1 << 29);
}

#[test]
fn erratum_05_addi_has_8_bits() {
    assert_eq!(word("tl.addi tl1, tl2, -128") >> 20, 0x080);
    assert!(assemble("errata", "tl.addi tl1, tl2, 128", 0).is_err());
}

#[test]
fn erratum_06_saturation_is_unsigned() {
    for (ttype, bits) in &TYPES[..4] {
        let mut m = machine([1, 1, 2]);
        m.csr.write(Csr::Ttype, *ttype);
        let max = u32::MAX >> (32 - bits);
        set_element(m.tl.get_mut(1).unwrap(), 0, *bits, max);
        step(&mut m, Tensor::Addi { tlrd: 3, tlrs: 1, imm8: 1 });
        assert_eq!(element(m.tl.get(3), 0, *bits), max);
        step(&mut m, Tensor::Addi { tlrd: 3, tlrs: 0, imm8: -1 });
        assert_eq!(element(m.tl.get(3), 0, *bits), 0);
    }
}

#[test]
fn erratum_07_funct5_of_merge() {
    for d in 0..3 {
        assert_eq!(word(&format!("tl.merge.{d} tl1, tl2, tl3")) >> 25 & 31, 4 + d);
    }
    assert_eq!(decode(0x08 << 25 | 1 << 12 | 0x5B, 0), Decoded::Illegal);
}

#[test]
fn erratum_08_funct5_of_xpose() {
    let of = |funct5: u32| match decode(funct5 << 25 | 3 << 12 | 0x5B, 0) {
        Decoded::Tensor(Tensor::Xpose { p, q, .. }) => [p.min(q), p.max(q)],
        other => panic!("{other:?}"),
    };
    for (funct5, pq) in [(0x01, [0, 1]), (0x02, [0, 2]), (0x03, [0, 3]), (0x09, [1, 2]), (0x0B, [2, 3])] {
        assert_eq!(of(funct5), pq);
    }
    assert_eq!((of(0x0A), of(0x0D), of(0x07)), ([2, 2], [1, 3], [1, 3]));
}

#[test]
fn erratum_09_concat_counts_a_slice_once() {
    let mut m = machine([2, 2, 4]);
    m.csr.write(Csr::TmaskConcat1, 0b10);
    m.csr.write(Csr::TmaskConcat2, 0b01);
    step(&mut m, Tensor::Concat { d: 0, tlrd: 3, tlrs1: 1, tlrs2: 2 });
    assert_eq!(m.tl.get(3)[..17], [8, 9, 10, 11, 12, 13, 14, 15, 128, 129, 130, 131, 132, 133, 134, 135, 0]);
}

#[test]
fn erratum_10_merge_mask_1_is_tlrs1() {
    let mut m = machine([4, 1, 1]);
    m.csr.write(Csr::TmaskConcat1, 0b0101);
    step(&mut m, Tensor::Merge { d: 0, tlrd: 3, tlrs1: 1, tlrs2: 2 });
    assert_eq!(m.tl.get(3)[..5], [0, 129, 2, 131, 0]);
}

#[test]
fn erratum_11_mask_bit_i_is_slice_i() {
    let mut m = machine([8, 1, 1]);
    m.set_x(5, 1);
    m.csr.write(Csr::TmaskLoad, 0b1100_1100);
    step(&mut m, Tensor::Mload { tlrd: 3, rs: 5, imm8: 0 });
    assert_eq!(m.tl.get(3)[..8], [0, 0, 3, 4, 0, 0, 7, 8]);
}

#[test]
fn erratum_12_three_register_loads_are_rejected_with_the_new_form() {
    for (old, new) in [
        ("tl.mload t1, x10, x11", "tl.mload t1, 0(x11)"),
        ("tl.load t2, x13, x14", "tl.load t2, 0(x14)"),
        ("tl.mstore t3, x17, x16", "tl.mstore t3, 0(x17)"),
    ] {
        let error = assemble("errata", old, 0).unwrap_err().to_string();
        assert!(error.contains("set tshape, then write") && error.contains(&format!("`{new}`")), "{error}");
    }
    // Blocks need not fill a register.
    assert_legal(&mut machine([1, 1, 3]), Tensor::Load { tlrd: 1, rs: 0, imm8: 0 });
}

#[test]
fn erratum_13_loads_and_stores_have_masks_of_their_own() {
    let mut m = machine([2, 1, 1]);
    m.csr.write(Csr::TmaskLoad, 1);
    assert_illegal(&mut m, Tensor::Mstore { tlrs: 1, rs: 0, imm8: 0 });
    m.csr.write(Csr::TmaskStore, 2);
    assert_eq!(assert_legal(&mut m, Tensor::Mstore { tlrs: 1, rs: 0, imm8: 0 }).mem_writes, [(1, 1)]);
}

#[test]
fn erratum_14_skipped_slices_of_a_load_become_zero() {
    let mut m = machine([2, 1, 4]);
    m.csr.write(Csr::TmaskLoad, 0b10);
    m.tl.set(3, &[0xFF; 1024]);
    step(&mut m, Tensor::Mload { tlrd: 3, rs: 0, imm8: 0 });
    assert_eq!(m.tl.get(3)[..8], [0, 0, 0, 0, 4, 5, 6, 7]);
    assert!(m.tl.get(3)[8..].iter().all(|&byte| byte == 0));
}

#[test]
fn erratum_15_xpose_variants_are_reserved() {
    for funct7 in [0b011_0001, 0b011_0010, 0b011_0011, 0b011_0100_u32] {
        // Read as this format, the listed values have EngineID 01 and bit 29 set.
        let word = funct7 << 25 | 3 << 12 | 0x5B;
        assert_eq!((decode(word, 0), decode(word, 1)), (Decoded::NotOurs, Decoded::Illegal));
    }
}

#[test]
fn erratum_16_xpose_tensors_have_2048_bytes() {
    for (ttype, sizes) in [(0x001, 0x0208_1010), (0x002, 0x0208_1008), (0x004, 0x0208_1004), (0x008, 0x0208_1002)] {
        let mut m = machine([1, 1, 1]);
        m.csr.write(Csr::Ttype, ttype);
        m.set_x(5, sizes);
        assert_legal(&mut m, Tensor::Xpose { p: 0, q: 3, tlrs1: 1, tlrs2: 2, rs: 5 });
    }
}

#[test]
fn erratum_17_any_masked_dimension_is_at_most_32() {
    let mut m = machine([1, 33, 1]);
    m.csr.write(Csr::TmaskConcat1, 0);
    assert_illegal(&mut m, Tensor::Merge { d: 1, tlrd: 3, tlrs1: 1, tlrs2: 2 });
    assert_legal(&mut m, Tensor::Merge { d: 0, tlrd: 3, tlrs1: 1, tlrs2: 2 });
}
