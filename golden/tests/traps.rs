// SPDX-License-Identifier: Apache-2.0
//! What makes an instruction trap and is too rare for random cases (load_store.rs, data_move.rs).

use crate::common::*;
use golden::decode::Tensor;
use golden::{Config, Csr, ElementWidths, Machine};

const LOAD: Tensor = Tensor::Load { tlrd: 1, rs: 0, imm8: 0 };
const STORE: Tensor = Tensor::Store { tlrs: 1, rs: 0, imm8: 0 };
const ADDI: Tensor = Tensor::Addi { tlrd: 1, tlrs: 2, imm8: 1 };
const CONCAT: Tensor = Tensor::Concat { d: 0, tlrd: 1, tlrs1: 2, tlrs2: 3 };
const MERGE: Tensor = Tensor::Merge { d: 0, tlrd: 1, tlrs1: 2, tlrs2: 3 };
const XPOSE: Tensor = Tensor::Xpose { p: 0, q: 1, tlrs1: 1, tlrs2: 2, rs: 6 };

#[test]
fn all_types_but_sixteen_are_illegal() {
    let mut m = random_machine(&small_memory(), &mut Rng(5));
    for csr in [Csr::TmaskConcat1, Csr::TmaskConcat2] {
        m.csr.write(csr, 0);
    }
    for ttype in 0..0x1000 {
        set_block(&mut m, ttype, [1, 1, 2]);
        let bits = element_bits(ttype);
        assert_eq!(m.element_type().map(|element| element.bits), bits, "{ttype:#x}");
        m.set_x(6, 0x0208_1000 | bits.map_or(8, |bits| 64 / bits));
        for instruction in [LOAD, STORE, ADDI, CONCAT, MERGE, XPOSE] {
            let legal = bits.is_some() && (instruction != ADDI || ttype < 0x10);
            let trap = step(&mut m, instruction).trap;
            assert_eq!(trap.map(|trap| trap.cause), (!legal).then_some(2), "{ttype:#x} {instruction:?}");
        }
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

/// Sizes of slices that are small modulo 2^32.
#[test]
fn slices_of_any_width_fit_in_a_register_or_are_illegal() {
    for (csr, instruction) in [(Csr::TloadWidth, LOAD), (Csr::TstoreWidth, STORE)] {
        let mut m = random_machine(&small_memory(), &mut Rng(6));
        set_block(&mut m, 0x002, [8, 8, 4]);
        for (width, legal) in [(128, true), (129, false), (1 << 29, false), (1 << 31, false), (u32::MAX, false)] {
            m.csr.write(csr, width);
            assert_legality(&mut m, instruction, legal);
        }
    }
}

/// Sizes of a tensor whose product is small modulo 2^32.
#[test]
fn xpose_does_not_use_the_shape_and_multiplies_exactly() {
    let mut m = random_machine(&small_memory(), &mut Rng(7));
    set_block(&mut m, 0x008, [0, 0, 0]);
    m.set_x(6, 0x8080_8080);
    assert_illegal(&mut m, XPOSE);
    m.set_x(6, 0x0208_0804);
    assert_legal(&mut m, XPOSE);
}
