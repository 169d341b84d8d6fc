// SPDX-License-Identifier: Apache-2.0
//! One test for each clause of docs/isa.md, "Operations" and "Traps", that makes an instruction trap or keeps it from
//! trapping.

#![allow(clippy::unwrap_used)]

use crate::common::*;
use golden::decode::Tensor;
use golden::{Config, Csr, ElementWidths, Machine, Trap};

const LOAD: Tensor = Tensor::Load { tlrd: 1, rs: 5, imm8: 0 };
const MLOAD: Tensor = Tensor::Mload { tlrd: 1, rs: 5, imm8: 0 };
const STORE: Tensor = Tensor::Store { tlrs: 1, rs: 5, imm8: 0 };
const MSTORE: Tensor = Tensor::Mstore { tlrs: 1, rs: 5, imm8: 0 };
const ADDI: Tensor = Tensor::Addi { tlrd: 1, tlrs: 2, imm8: 1 };
const CONCAT: Tensor = Tensor::Concat { d: 0, tlrd: 1, tlrs1: 2, tlrs2: 3 };
const MERGE: Tensor = Tensor::Merge { d: 0, tlrd: 1, tlrs1: 2, tlrs2: 3 };
const XPOSE: Tensor = Tensor::Xpose { p: 0, q: 1, tlrs1: 1, tlrs2: 2, rs: 6 };
const ALL: [Tensor; 8] = [LOAD, MLOAD, STORE, MSTORE, ADDI, CONCAT, MERGE, XPOSE];
const WITH_SHAPE: [Tensor; 6] = [LOAD, MLOAD, STORE, MSTORE, CONCAT, MERGE];

/// A machine in which all eight instructions are legal: int8, [8, 8, 4], all masks initialised, x6 for XPOSE.
fn machine() -> Machine {
    let mut m = random_machine(&small_memory(), &mut Rng(5));
    set_block(&mut m, 0x002, [8, 8, 4]);
    for (mask, value) in
        [(Csr::TmaskLoad, 0x0F), (Csr::TmaskStore, 0x0F), (Csr::TmaskConcat1, 0x0F), (Csr::TmaskConcat2, 0xF0)]
    {
        m.csr.write(mask, value);
    }
    m.set_x(6, 0x0208_1008);
    m
}

#[test]
fn the_starting_state_is_legal_for_all() {
    for instruction in ALL {
        assert_legal(&mut machine(), instruction);
    }
}

#[test]
fn illegal_type() {
    let legal: Vec<u32> = TYPES.iter().map(|&(ttype, _)| ttype).collect();
    let mut m = machine();
    for ttype in 0..0x1000 {
        if !legal.contains(&ttype) {
            m.csr.write(Csr::Ttype, ttype);
            for instruction in ALL {
                assert_eq!(
                    step(&mut m, instruction).trap.map(|trap| trap.cause),
                    Some(2),
                    "{ttype:#x} {instruction:?}"
                );
            }
        }
    }
    for instruction in ALL {
        assert_illegal(&mut m, instruction);
    }
}

#[test]
fn a_width_that_the_configuration_does_not_have_is_an_illegal_type() {
    let mut m = Machine::new(&config("int8"));
    m.set_x(6, 0x0204_1008);
    set_block(&mut m, 0x004, [1, 1, 1]);
    assert_illegal(&mut m, LOAD);
    assert_illegal(&mut m, XPOSE);
    set_block(&mut m, 0x040, [1, 1, 1]);
    assert_legal(&mut m, LOAD);
    let mut m = Machine::new(&Config { element_widths: ElementWidths::NONE.with(16), ..small_memory() });
    assert_illegal(&mut m, ADDI); // ttype is int8 after reset
    m.csr.write(Csr::Ttype, 0x004);
    assert_legal(&mut m, ADDI);
}

#[test]
fn addi_wants_an_integer_type() {
    for (ttype, _) in TYPES {
        let mut m = machine();
        m.csr.write(Csr::Ttype, ttype);
        if ttype < 0x10 {
            assert_legal(&mut m, ADDI);
        } else {
            assert_illegal(&mut m, ADDI)
        }
    }
}

#[test]
fn a_zero_dimension_is_illegal() {
    for d in [[0, 8, 4], [8, 0, 4], [8, 8, 0], [0, 0, 0]] {
        for instruction in WITH_SHAPE {
            let mut m = machine();
            m.csr.write(Csr::Tshape, shape(d));
            assert_illegal(&mut m, instruction);
        }
    }
}

#[test]
fn a_block_larger_than_a_register_is_illegal() {
    for (ttype, fits, too_large) in
        [(0x001, [8, 64, 4], [8, 64, 5]), (0x002, [8, 64, 2], [5, 41, 5]), (0x008, [8, 8, 4], [1, 2, 200])]
    {
        for instruction in WITH_SHAPE {
            let mut m = machine();
            set_block(&mut m, ttype, fits);
            assert_legal(&mut m, instruction);
            set_block(&mut m, ttype, too_large);
            assert_illegal(&mut m, instruction);
        }
    }
}

#[test]
fn a_masked_dimension_is_at_most_32() {
    for (d, instructions) in [
        ([33, 1, 1], [LOAD, STORE, MLOAD, MSTORE].to_vec()),
        ([33, 1, 1], vec![CONCAT, MERGE]),
        (
            [1, 33, 1],
            vec![
                Tensor::Concat { d: 1, tlrd: 1, tlrs1: 2, tlrs2: 3 },
                Tensor::Merge { d: 1, tlrd: 1, tlrs1: 2, tlrs2: 3 },
            ],
        ),
        (
            [1, 1, 33],
            vec![
                Tensor::Concat { d: 2, tlrd: 1, tlrs1: 2, tlrs2: 3 },
                Tensor::Merge { d: 2, tlrd: 1, tlrs1: 2, tlrs2: 3 },
            ],
        ),
    ] {
        for instruction in instructions {
            let mut m = machine();
            m.csr.write(Csr::Tshape, shape(d));
            assert_illegal(&mut m, instruction);
            m.csr.write(Csr::Tshape, shape(d.map(|n| n.min(32))));
            assert_legal(&mut m, instruction);
        }
    }
    // Dimensions that no mask indexes may be larger.
    let mut m = machine();
    m.csr.write(Csr::Tshape, shape([4, 64, 4]));
    for instruction in WITH_SHAPE {
        assert_legal(&mut m, instruction);
    }
}

#[test]
fn uninitialised_masks() {
    for (csr, users) in [
        (Csr::TmaskLoad, vec![MLOAD]),
        (Csr::TmaskStore, vec![MSTORE]),
        (Csr::TmaskConcat1, vec![CONCAT, MERGE]),
        (Csr::TmaskConcat2, vec![CONCAT]),
    ] {
        let mut m = machine();
        *m.csr.mask_mut(csr).unwrap() = Default::default();
        for instruction in ALL {
            if users.contains(&instruction) {
                assert_illegal(&mut m, instruction);
            } else {
                assert_legal(&mut m, instruction);
            }
        }
    }
}

#[test]
fn a_slice_is_whole_bytes() {
    let mut m = machine();
    set_block(&mut m, 0x001, [4, 3, 1]);
    assert_illegal(&mut m, LOAD);
    assert_illegal(&mut m, STORE);
    m.csr.write(Csr::TloadWidth, 4);
    assert_legal(&mut m, LOAD);
    assert_illegal(&mut m, STORE);
    m.csr.write(Csr::TstoreWidth, 5);
    assert_illegal(&mut m, STORE);
    // CONCAT moves single elements and has no such rule.
    assert_legal(&mut m, CONCAT);
}

#[test]
fn the_slices_fit_in_a_register() {
    for (csr, instruction) in [(Csr::TloadWidth, LOAD), (Csr::TstoreWidth, STORE)] {
        let mut m = machine();
        m.csr.write(csr, 128);
        assert_legal(&mut m, instruction);
        for width in [129, u32::MAX, 1 << 29, 1 << 31] {
            m.csr.write(csr, width);
            assert_illegal(&mut m, instruction);
        }
    }
}

/// The shape must fit on its own even where the width makes the slices small.
#[test]
fn the_width_does_not_excuse_the_shape() {
    let mut m = machine();
    m.csr.write(Csr::Tshape, shape([8, 64, 4]));
    m.csr.write(Csr::TloadWidth, 1);
    assert_illegal(&mut m, LOAD);
}

#[test]
fn concat_selects_at_most_the_size_of_the_dimension() {
    let mut m = machine();
    // Bits at and above D_d do not count.
    m.csr.write(Csr::TmaskConcat1, 0xFFFF_FF1F);
    m.csr.write(Csr::TmaskConcat2, 0xFFFF_FF07);
    assert_legal(&mut m, CONCAT);
    m.csr.write(Csr::TmaskConcat2, 0x0F);
    assert_illegal(&mut m, CONCAT);
    assert_legal(&mut m, MERGE);
}

#[test]
fn xpose_clauses() {
    let mut m = machine();
    assert_illegal(&mut m, Tensor::Xpose { p: 0, q: 1, tlrs1: 2, tlrs2: 2, rs: 6 });
    assert_illegal(&mut m, Tensor::Xpose { p: 0, q: 1, tlrs1: 0, tlrs2: 0, rs: 6 });
    for sizes in [
        0x0000_0000,
        0x0208_1000,               // D0 = 0
        0x0008_1008,               // D3 = 0
        0x0101_8010 | 0x1000_0000, // too large
        0x0208_1004,               // half of the registers
        0x0408_1008,               // twice the registers
        0x1010_0801,               // D0 odd
        0xFFFF_FFFE,               // a product that exceeds 32 bits
    ] {
        m.set_x(6, sizes);
        assert_illegal(&mut m, XPOSE);
        assert_illegal(&mut m, Tensor::Xpose { p: 2, q: 2, tlrs1: 1, tlrs2: 2, rs: 6 });
    }
    // tshape is not used.
    m.set_x(6, 0x0208_1008);
    m.csr.write(Csr::Tshape, 0);
    assert_legal(&mut m, XPOSE);
    // p = q changes nothing.
    let before = (m.tl.get(1).to_vec(), m.tl.get(2).to_vec());
    assert_legal(&mut m, Tensor::Xpose { p: 3, q: 3, tlrs1: 1, tlrs2: 2, rs: 6 });
    assert_eq!((m.tl.get(1), m.tl.get(2)), (&before.0[..], &before.1[..]));
}

#[test]
fn misalignment_from_16_bits_on() {
    for (ttype, align) in [(0x001, 1), (0x002, 1), (0x004, 2), (0x300, 2), (0x008, 4), (0x400, 4)] {
        for base in 0x101..0x108 {
            let mut m = machine();
            set_block(&mut m, ttype, [4, 2, 4]);
            m.set_x(5, base);
            for (instruction, cause) in [(LOAD, 4), (STORE, 6)] {
                if base % align == 0 {
                    assert_legal(&mut m, instruction);
                } else {
                    assert_trap(&mut m, instruction, cause, base);
                }
            }
        }
    }
}

#[test]
fn illegal_then_misaligned_then_bounds() {
    let mut m = machine();
    set_block(&mut m, 0x008, [2, 1, 4]);
    m.set_x(5, 0x8000_0001);
    assert_trap(&mut m, LOAD, 4, 0x8000_0001);
    assert_trap(&mut m, STORE, 6, 0x8000_0001);
    m.set_x(5, 0x8000_0000);
    assert_trap(&mut m, LOAD, 5, 0x8000_0000);
    assert_trap(&mut m, STORE, 7, 0x8000_0000);
    m.set_x(5, 0x8000_0001);
    m.csr.write(Csr::Tshape, shape([33, 1, 1]));
    assert_illegal(&mut m, LOAD);
    assert_illegal(&mut m, STORE);
}

/// The first failing slice decides, whatever a later slice would report.
#[test]
fn the_first_failing_slice_gives_tval() {
    let mut m = machine();
    set_block(&mut m, 0x004, [4, 1, 1]); // slices of 2 bytes
    m.set_x(5, 0x1FFC); // slices at 1FFC, 1FFE, then outside
    assert_trap(&mut m, LOAD, 5, 0x2000);
    m.csr.write(Csr::TstoreStride(1), 0x4000_0000);
    assert_trap(&mut m, STORE, 7, 0x8000_1FFC);
    // A clear mask bit takes a slice out of the check.
    m.csr.write(Csr::TmaskLoad, 0b0011);
    assert_legal(&mut m, MLOAD);
    m.csr.write(Csr::TmaskLoad, 0b1000);
    assert_trap(&mut m, MLOAD, 5, 0x2002);
    m.csr.write(Csr::TmaskLoad, 0);
    assert_legal(&mut m, MLOAD);
}

/// The last byte decides about bounds, and addresses do not wrap around within a slice.
#[test]
fn bounds_are_exact() {
    let mut m = machine();
    set_block(&mut m, 0x002, [1, 1, 16]);
    for (base, inside) in [(0x1FF0, true), (0x1FF1, false), (0x1FFF, false), (0x2000, false), (0xFFFF_FFF8, false)] {
        m.set_x(5, base);
        if inside {
            assert_legal(&mut m, LOAD);
            assert_legal(&mut m, STORE);
        } else {
            assert_trap(&mut m, LOAD, 5, base);
            assert_trap(&mut m, STORE, 7, base);
        }
    }
}

/// The address itself is taken modulo 2^32.
#[test]
fn addresses_wrap_around_before_the_check() {
    let mut m = machine();
    set_block(&mut m, 0x002, [1, 1, 16]);
    m.csr.write(Csr::TloadStride(0), 3);
    m.set_x(5, 0xFFFF_FFF0);
    assert_legal(&mut m, Tensor::Load { tlrd: 1, rs: 5, imm8: 0 });
    assert_eq!(m.tl.get(1)[..16], m.l1m.bytes[32..48]);
    // stride + imm8 wraps around too: 0 + (-1) slots of 16 bytes.
    m.csr.write(Csr::TloadStride(0), 0);
    m.set_x(5, 64);
    assert_legal(&mut m, Tensor::Load { tlrd: 1, rs: 5, imm8: -1 });
    assert_eq!(m.tl.get(1)[..16], m.l1m.bytes[48..64]);
}

#[test]
fn a_load_into_tl0_can_trap_and_writes_nothing() {
    let mut m = machine();
    let load = Tensor::Load { tlrd: 0, rs: 5, imm8: 0 };
    assert!(assert_legal(&mut m, load).tl_writes.is_empty());
    assert!(m.tl.get(0).iter().all(|&byte| byte == 0));
    m.set_x(5, 0x2000);
    assert_trap(&mut m, load, 5, 0x2000);
}

#[test]
fn a_port_error_on_a_load_is_an_access_fault_of_its_slice() {
    let mut m = machine(); // 8 slices of 32 bytes
    m.l1m.faults.push(0x70..0x80);
    assert_trap(&mut m, LOAD, 5, 0x60);
    // A slice before it that is outside wins, one after it loses.
    m.csr.write(Csr::TloadStride(1), 0x100_0000);
    assert_trap(&mut m, LOAD, 5, 0x2000_0000);
    m.csr.write(Csr::TloadStride(1), 1);
    m.csr.write(Csr::TloadStride(5), 0x100_0000);
    assert_trap(&mut m, LOAD, 5, 0x60);
}

/// A store checks all slices first; only then can the port answer with an error, and the bytes of the selected slices
/// are then unknown.
#[test]
fn a_port_error_on_a_store_comes_after_all_checks() {
    let mut m = machine();
    m.l0m.faults.push(0x30..0x40);
    m.csr.write(Csr::TmaskStore, 0b0000_0111);
    let before = m.l0m.clone();
    let out = step(&mut m, MSTORE);
    assert_eq!(out.trap, Some(Trap { cause: Trap::STORE_FAULT, tval: 0x20 }));
    assert_eq!(out.mem_unknown, [(0, 32), (32, 32), (64, 32)]);
    assert_eq!((out.mem_writes, &m.l0m), (vec![], &before));
    m.csr.write(Csr::TstoreStride(2), 0x100_0000);
    let out = step(&mut m, MSTORE);
    assert_eq!(out.trap, Some(Trap { cause: Trap::STORE_FAULT, tval: 0x2000_0000 }));
    assert_eq!(out.mem_unknown, []);
}

#[test]
fn overlapping_slices_of_a_store_are_written_in_ascending_order() {
    let mut m = machine();
    set_block(&mut m, 0x002, [4, 1, 16]);
    for i in 0..4 {
        m.csr.write(Csr::TstoreStride(i), 2);
    }
    let out = assert_legal(&mut m, STORE);
    assert_eq!(out.mem_writes, [(32, 16); 4]);
    assert_eq!(m.l0m.bytes[32..48], m.tl.get(1)[48..64]);
}

#[test]
fn the_next_instruction_is_executed_after_a_trap() {
    let mut m = machine();
    assert_eq!(m.step(0).trap, Some(Trap { cause: 2, tval: 0 }));
    assert_eq!(assert_legal(&mut m, LOAD).pc, 4);
    assert_eq!(m.hart.pc, 8);
}
