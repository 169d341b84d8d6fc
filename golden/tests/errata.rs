// SPDX-License-Identifier: Apache-2.0
//! A test for each line of docs/isa.md, "Errata": the side that was taken holds.
#![allow(clippy::unwrap_used)]

use crate::common::*;
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

#[test]
fn erratum_18_floating_point_fields_of_other_widths_read_0() {
    for (widths, kept) in [("[8]", 0x0CF), ("[4, 32]", 0xC3F), ("[16]", 0x30F), ("[4, 8, 16, 32]", 0xFFF)] {
        let text = format!("name = \"a\"\nelement_widths = {widths}");
        let mut m = Machine::new(&golden::Config::from_toml_str(&text).unwrap());
        m.set_x(5, u32::MAX);
        m.step(word("csrrw x0, ttype, x5"));
        assert_eq!(m.csr.read(Csr::Ttype), kept, "{widths}");
        // One field that is there and one that is not is the type of the first.
        m.csr.write(Csr::Ttype, 0x002 | 0xFF0 & !kept);
        assert_eq!(m.element_type().is_some(), widths.contains('8'), "{widths}");
        m.csr.write(Csr::Ttype, 0xFF0 & !kept);
        assert_eq!((m.csr.read(Csr::Ttype), m.element_type()), (0, None), "{widths}");
    }
}

#[test]
fn erratum_19_tmask_load_stride_is_a_name_of_the_stride_registers() {
    assert_eq!(word("csrrw x0, tmask_load_stride, x5"), word("csrrw x0, tload_stride0, x5"));
    assert_eq!(word("csrrw x0, tmask_load_stride31, x5"), word("csrrw x0, tload_stride31, x5"));
    assert_eq!(word("csrrw x0, tmask_load_stride{7}, x5"), word("csrrw x0, tload_stride7, x5"));
    assert!(assemble("errata", "csrrw x0, tmask_load_stride32, x5", 0).is_err());
}

#[test]
fn errata_20_and_21_addi_takes_minus_128_to_127_and_truncates_nothing() {
    for (imm, legal) in
        [(-2048, false), (-129, false), (-128, true), (-127, true), (127, true), (128, false), (2047, false)]
    {
        assert_eq!(assemble("errata", &format!("tl.addi tl1, tl2, {imm}"), 0).is_ok(), legal, "{imm}");
    }
    for imm8 in -128..=127_i8 {
        let decoded = Decoded::Tensor(Tensor::Addi { tlrd: 1, tlrs: 2, imm8 });
        assert_eq!(decode(word(&format!("tl.addi tl1, tl2, {imm8}")), 0), decoded);
    }
}

#[test]
fn erratum_22_funct3_of_xpose() {
    assert_eq!(word("tl.xpose.01 tl1, tl2, x10") >> 12 & 7, 0b011);
}

#[test]
fn erratum_23_merge_takes_a_slice_for_each_bit_whatever_the_mask() {
    let mut m = machine([4, 1, 1]);
    for mask in [0, 0xF, 0xFFFF_FFFF, 0x5555_5550] {
        m.csr.write(Csr::TmaskConcat1, mask);
        assert_legal(&mut m, Tensor::Merge { d: 0, tlrd: 3, tlrs1: 1, tlrs2: 2 });
        let expected: Vec<u8> = (0..4).map(|i| if mask >> i & 1 == 1 { i } else { 128 + i }).collect();
        assert_eq!(m.tl.get(3)[..4], expected);
    }
}

#[test]
fn erratum_24_unmasked_loads_and_stores_have_32_slices_at_most() {
    for (slices, legal) in [(32, true), (33, false)] {
        let mut m = machine([slices, 1, 1]);
        for instruction in [Tensor::Load { tlrd: 3, rs: 0, imm8: 0 }, Tensor::Store { tlrs: 1, rs: 0, imm8: 0 }] {
            if legal {
                assert_legal(&mut m, instruction);
            } else {
                assert_illegal(&mut m, instruction);
            }
        }
    }
}

#[test]
fn erratum_25_position_0_of_a_written_mask_is_on_the_left() {
    let mut m = machine([1, 1, 4]);
    m.csr.write(Csr::TmaskConcat1, 0xC);
    m.csr.write(Csr::TmaskConcat2, 0x3);
    assert_legal(&mut m, Tensor::Concat { d: 2, tlrd: 3, tlrs1: 1, tlrs2: 2 });
    // {rs1[2], rs1[3], rs2[0], rs2[1]}
    assert_eq!(m.tl.get(3)[..4], [2, 3, 128, 129]);
}

#[test]
fn erratum_26_addi_on_floating_point_is_illegal() {
    for (ttype, _) in TYPES {
        let mut m = machine([1, 1, 1]);
        m.csr.write(Csr::Ttype, ttype);
        let addi = Tensor::Addi { tlrd: 3, tlrs: 1, imm8: 1 };
        if ttype < 0x010 {
            assert_legal(&mut m, addi);
        } else {
            assert_illegal(&mut m, addi);
        }
    }
}

#[test]
fn erratum_27_1024_elements_are_transposed_with_16_bits_alone() {
    for (ttype, bits) in TYPES {
        let mut m = machine([1, 1, 1]);
        m.csr.write(Csr::Ttype, ttype);
        m.set_x(12, 0x0408_0804);
        let xpose = Tensor::Xpose { p: 2, q: 3, tlrs1: 4, tlrs2: 5, rs: 12 };
        if bits == 16 {
            assert_legal(&mut m, xpose);
        } else {
            assert_illegal(&mut m, xpose);
        }
    }
}

#[test]
fn erratum_28_masks_of_loads_and_stores_name_slices_of_the_register() {
    let mut m = machine([8, 1, 1]);
    m.csr.write(Csr::TmaskLoad, 0xF0);
    step(&mut m, Tensor::Mload { tlrd: 5, rs: 0, imm8: 0 });
    step(&mut m, Tensor::Addi { tlrd: 5, tlrs: 5, imm8: 50 });
    for (mask, imm8, stored) in [(0x0F, 0, [50; 4]), (0xF0, -4, [54, 55, 56, 57])] {
        m.csr.write(Csr::TmaskStore, mask);
        step(&mut m, Tensor::Mstore { tlrs: 5, rs: 0, imm8 });
        assert_eq!(m.l0m.bytes[..4], stored);
    }
}

#[test]
fn erratum_29_and_34_a_masked_store_takes_the_bits_below_d0_of_the_mask_that_is_set() {
    let mut m = machine([8, 1, 1]);
    m.csr.write(Csr::TmaskStore, 0x0000_AAAA);
    step(&mut m, Tensor::Mstore { tlrs: 2, rs: 0, imm8: 0 });
    assert_eq!(m.l0m.bytes[..10], [0, 129, 0, 131, 0, 133, 0, 135, 0, 0]);
    step(&mut m, Tensor::Store { tlrs: 2, rs: 0, imm8: 0 });
    assert_eq!(m.l0m.bytes[..10], [128, 129, 130, 131, 132, 133, 134, 135, 0, 0]);
}

#[test]
fn erratum_30_the_later_drafts_use_the_older_form_once() {
    let error = assemble("errata", "tl.load t2, x13, x14", 0).unwrap_err().to_string();
    assert!(error.ends_with("set tshape, then write `tl.load t2, 0(x14)`"), "{error}");
}

#[test]
fn erratum_31_tl0_holds_no_data() {
    let mut m = machine([1, 1, 4]);
    step(&mut m, Tensor::Load { tlrd: 0, rs: 0, imm8: 0 });
    step(&mut m, Tensor::Addi { tlrd: 1, tlrs: 0, imm8: 50 });
    assert_eq!((&m.tl.get(0)[..4], &m.tl.get(1)[..4]), (&[0; 4][..], &[50; 4][..]));
}

#[test]
fn erratum_32_each_direction_has_a_width() {
    let write = |name: &str| word(&format!("csrrw x0, {name}, x5"));
    assert_eq!(write("tmask_load_width"), write("tload_width"));
    assert_eq!(write("tload_width") ^ write("tstore_width"), 0x816 << 20 ^ 0x817 << 20);
}

#[test]
fn erratum_33_all_types_are_there() {
    for (ttype, bits) in TYPES {
        let mut m = machine([1, 1, 1]);
        m.csr.write(Csr::Ttype, ttype);
        assert_eq!(m.element_type().unwrap().bits, bits);
    }
}

#[test]
fn erratum_35_merge_has_one_mask() {
    let mut m = machine([2, 1, 1]);
    m.set_x(5, 0b01);
    m.step(word("csrrw x0, TL_MASK1_CSR, x5"));
    assert_legal(&mut m, Tensor::Merge { d: 0, tlrd: 3, tlrs1: 1, tlrs2: 2 });
    assert_eq!(m.tl.get(3)[..2], [0, 129]);
}

#[test]
fn erratum_36_what_traps_changes_nothing_and_what_completes_does() {
    let mut m = machine([1, 1, 2]);
    let before = m.tl.clone();
    assert_illegal(&mut m, Tensor::Mload { tlrd: 3, rs: 0, imm8: 0 });
    assert_eq!(m.tl, before);
    step(&mut m, Tensor::Load { tlrd: 3, rs: 0, imm8: 1 });
    assert_eq!(m.tl.get(3)[..2], [2, 3]);
}
