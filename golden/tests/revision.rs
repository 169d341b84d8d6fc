// SPDX-License-Identifier: Apache-2.0
//! The options of docs/isa.md, "Revision": encodings, text, CSRs, pitch. `load_store.rs` has pitch byte by byte.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::*;
use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, Engine, Isa, OperandKind, Tensor, decode, instructions};
use golden::{Config, Csr, Machine, Trap};

const OPCODE: u32 = 0x5B;

/// The options that decide which words of the opcode are legal: none, each one that adds words, all.
fn isas() -> impl Iterator<Item = Isa> {
    [0, 4, 4 | 2, 4 | 1, 4 | 16, 8, 31_u8].into_iter().map(|bits| Isa {
        engine_id: 2,
        matrix: bits & 1 != 0,
        pitch: bits & 2 != 0,
        csr_op: bits & 4 != 0,
        gpr_rs1: bits & 8 != 0,
        mask_init: bits & 16 != 0,
        ..Isa::DRAFT
    })
}

#[test]
fn known_words_both_ways() {
    let text = chapter("\n### Assembly language of the revision\n");
    let rows = text.lines().filter(|line| line.starts_with("| `tl."));
    let cells: Vec<String> = rows
        .flat_map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_string()))
        .collect();
    assert_eq!(cells.len(), 2 * 16);
    for pair in cells.chunks(2) {
        let word = u32::from_str_radix(pair[1].trim_start_matches("0x"), 16).unwrap();
        assert_eq!(assemble("known", &pair[0], Isa::ALL).unwrap(), [word], "{}", pair[0]);
        assert_eq!(disassemble(word, Isa::ALL), pair[0]);
    }
}

/// Each option adds the words that docs/isa.md counts; no word of the draft changes.
#[test]
fn every_word_of_the_opcode() {
    let text = chapter("\n### Legal words\n");
    let numbers: Vec<u32> =
        text.split_whitespace().map(|word| word.replace([',', '.'], "")).filter_map(|word| word.parse().ok()).collect();
    let [all, second_forms, csr, pitch, matrix, init, ..] = numbers[..] else { panic!("{numbers:?}") };
    assert_eq!(all, 1 << 23);
    let first = legal_words();
    let draft = Isa::from(2);
    for isa in isas() {
        let mut legal = 0;
        for high in 0..all {
            let word = draft_word(high);
            let (decoded, before) = (decode(word, isa), decode(word, draft));
            if decoded == Decoded::Illegal {
                assert_eq!(before, Decoded::Illegal, "{word:#010x}");
                continue;
            }
            legal += 1;
            assert!(before == decoded || before == Decoded::Illegal, "{word:#010x}");
            assert_eq!(decoded.encode(isa), Some(word), "{word:#010x}");
        }
        let number = |on: bool, words: u32| if on { words } else { 0 };
        let csr = csr + number(isa.pitch, pitch) + number(isa.matrix, matrix) + number(isa.mask_init, init);
        let expected = first + number(isa.gpr_rs1, second_forms) + number(isa.csr_op, csr);
        assert_eq!(legal, expected, "{isa:?}");
    }
}

fn draft_word(high: u32) -> u32 {
    2 << 30 | high << 7 | OPCODE
}

/// Another EngineID is another engine's, with all options too.
#[test]
fn words_of_other_engines_are_not_ours() {
    let mut rng = Rng(51);
    for word in (0..100_000).map(|_| rng.next() & !0x7F | OPCODE) {
        let ours = decode(word, Isa { engine_id: 1, ..Isa::ALL }) != Decoded::NotOurs;
        assert_eq!(ours, word >> 30 == 1, "{word:#010x}");
    }
}

/// Text of any word assembles to it again, with the CSRs of each base.
#[test]
fn every_word_comes_back() {
    let mut rng = Rng(52);
    for csr_base in [0x800, 0x880] {
        let isa = Isa { csr_base, ..Isa::ALL };
        for _ in 0..60_000 {
            let word = rng.next() & 0x3FFF_FF80 | rng.pick(&[0x5B, 0x5B, 0x73, 0x2B]);
            let word = if word & 0x7F == 0x73 { word & !0xC000_0000 | rng.pick(&[2, 3]) << 30 } else { word };
            let text = disassemble(word, isa);
            assert_eq!(assemble("p", &text, isa).unwrap(), [word], "{text}");
            let ours = !matches!(decode(word, isa), Decoded::Illegal | Decoded::NotOurs);
            let host = word & 0x7F == 0x73 && !text.starts_with(".word");
            assert!(!ours || !text.starts_with(".word"), "{word:#010x} is {text}");
            assert!(ours || host || text.starts_with(".word"), "{word:#010x} is {text}");
        }
    }
}

#[test]
fn the_assembler_takes_the_form_of_the_configuration() {
    let word = |text: &str, isa: Isa| assemble("p", text, isa).map(|words| words[0]);
    for text in [
        "tl.load tl1, 2(x3)",
        "tl.mload tl1, 2(x3)",
        "tl.store tl1, 2(x3)",
        "tl.mstore tl1, 2(x3)",
        "tl.xpose.02 tl1, tl2, x3",
    ] {
        let (mnemonic, operands) = text.split_once(' ').unwrap();
        let marked = |mark: &str| format!("{mnemonic}{mark} {operands}");
        let first = word(text, Isa::DRAFT).unwrap();
        let second = word(text, Isa::ALL).unwrap();
        let form = |word| match decode(word, Isa::ALL) {
            Decoded::Tensor(tensor) => tensor.is_second_form(),
            other => panic!("{other:?}"),
        };
        assert_eq!((form(first), form(second)), (false, true), "{text}");
        for isa in [Isa::DRAFT, Isa::ALL] {
            assert_eq!(word(&marked(".rd"), isa), Ok(first));
        }
        assert_eq!(word(&marked(".rs1"), Isa::ALL), Ok(second));
        let error = word(&marked(".rs1"), Isa::DRAFT).unwrap_err().to_string();
        assert!(error.contains("has no second encodings (`gpr_rs1 = true`)"), "{error}");
        assert_eq!([disassemble(first, Isa::DRAFT), disassemble(second, Isa::ALL)], [text, text]);
        assert_eq!(disassemble(first, Isa::ALL), marked(".rd"));
    }
    for text in [
        "tl.addi.rd tl1, tl2, 3",
        "tl.addi.rs1 tl1, tl2, 3",
        "tl.merge.0.rd tl1, tl2, tl3",
        "tl.xpose.4.rd tl1, tl2, x3",
    ] {
        assert!(word(text, Isa::ALL).is_err(), "{text}");
    }
}

#[test]
fn short_forms_and_names_of_csrs() {
    let same = |short: &str, long: &str, isa: Isa| {
        assert_eq!(assemble("p", short, isa).unwrap(), assemble("p", long, isa).unwrap(), "{short}")
    };
    for (short, long) in [
        ("tl.csrr x5, ttype", "tl.csrrs x5, ttype, x0"),
        ("tl.csrw ttype, x5", "tl.csrrw x0, ttype, x5"),
        ("tl.csrs TL_LOAD_WIDTH_CSR, x5", "tl.csrrs x0, tload_width, x5"),
        ("tl.csrc 0x81a, x5", "tl.csrrc x0, tload_pitch, x5"),
        ("tl.csrwi tstore_pitch, 5", "tl.csrrwi x0, 0x81b, 5"),
        ("tl.csrsi tcause, 1", "tl.csrrsi x0, 0x818, 1"),
        ("tl.csrci ttval, 1", "tl.csrrci x0, 0x819, 1"),
        ("tl.csrr x5, tlenb", "tl.csrr x5, 0xcd0"),
    ] {
        for csr_base in [0x800, 0x880] {
            same(short, long, Isa { csr_base, ..Isa::ALL });
        }
    }
    for isa in [Isa::DRAFT, Isa::ALL] {
        same("csrr x5, tcause", "csrr x5, 0x818", isa);
        same("csrwi ttval, 0", "csrwi 0x819, 0", isa);
        assert_eq!(disassemble(0x8180_22F3, isa), "csrrs x5, tcause, x0");
    }
    let second = Isa { csr_base: 0x880, ..Isa::ALL };
    for (name, address) in [
        ("ttype", 0x890),
        ("tload_pitch", 0x89A),
        ("tload_stride0", 0x8C0),
        ("tstore_stride31", 0x8FF),
        ("tcause", 0x898),
        ("mtilem", 0x883),
        ("tlenb", 0xCF0),
        ("xtlenb", 0xCE1),
        ("mcause", 0x342),
    ] {
        same(&format!("csrr x5, {name}"), &format!("csrr x5, {address}"), second);
        assert_eq!(disassemble(u32::from(address as u16) << 20 | 0x22F3, second), format!("csrrs x5, {name}, x0"));
    }
}

#[test]
fn errors_of_the_assembler_say_which_option_is_missing() {
    let error = |text: &str, isa: Isa| assemble("p", text, isa).unwrap_err().to_string();
    for text in ["tl.csrrw x0, ttype, x5", "tl.csrwi ttype, 5", "tl.csrr x5, ttype"] {
        let message = error(text, Isa::DRAFT);
        assert!(message.contains("has no CSR instructions of the unit (`csr_op = true`)"), "{message}");
    }
    assert!(
        error("csrr x5, tload_pitch", Isa::DRAFT)
            .contains("expected a CSR, or its number, 0 to 4095, found `tload_pitch`")
    );
    for text in
        ["tl.csrr x5, mcycle", "tl.csrr x5, 0x8c0", "tl.csrr x5, 0x7ff", "tl.csrr x5, 0xcbf", "tl.csrr x5, 0xd00"]
    {
        let message = error(text, Isa::ALL);
        assert!(message.contains("expected a CSR, or its number, 0x800 to 0x8bf or 0xcc0 to 0xcff"), "{message}");
        assert!(
            message.contains("tload_pitch") && message.contains("tcause") && !message.contains("mscratch"),
            "{message}"
        );
    }
}

/// What the unit's instruction does is what the standard one does, for each CSR, form and register.
#[test]
fn both_encodings_of_a_csr_instruction_do_the_same() {
    let mut rng = Rng(54);
    let mut unit = random_machine(&all_options(), &mut rng);
    let mut standard = unit.clone();
    for round in 0..20_000 {
        let x = [0, 1, u32::MAX, rng.next()][round % 4];
        for m in [&mut unit, &mut standard] {
            m.set_x(5, x);
        }
        let n = rng.below(256);
        let (funct3, immediate, source, rd) =
            (1 + rng.below(3), rng.below(2), rng.pick(&[0, 5, 9]), rng.pick(&[0, 5, 7]));
        let tail = source << 15 | rd << 7;
        let address = if n < 0xC0 { 0x800 | n } else { 0xC00 | n };
        let unit_word = immediate << 28 | n << 20 | (funct3 | 4) << 12 | tail | OPCODE;
        let standard_word = address << 20 | (funct3 | immediate << 2) << 12 | tail | 0x73;
        let (mut out, mut expected) = (unit.step(unit_word), standard.step(standard_word));
        assert_eq!(
            out.trap.map(|trap| (trap.cause, trap.tval)),
            expected.trap.map(|_| (2, unit_word.into())),
            "{unit_word:#010x}"
        );
        (out.word, expected.word, out.trap, expected.trap) = (0, 0, None, None);
        assert_eq!(out, expected, "{unit_word:#010x}");
        assert!(unit == standard, "{unit_word:#010x}");
    }
}

#[test]
fn csrs_of_pitch_keep_16_bits_and_are_there_with_the_option_alone() {
    let mut m = Machine::new(&all_options());
    m.set_x(5, u32::MAX);
    for (csr, address) in [(Csr::TloadPitch, 0x81A), (Csr::TstorePitch, 0x81B)] {
        assert_eq!(m.csr.read(csr), 0);
        let text = format!("csrrw x6, {}, x5", csr.name());
        let out = m.step(assemble("p", &text, Isa::ALL).unwrap()[0]);
        assert_eq!((out.gpr_write, out.csr_write), (Some((6, 0)), Some((address, 0xFFFF))));
        assert_eq!((m.csr.read(csr), m.csr.mask(csr)), (0xFFFF, None));
    }
    m.reset();
    assert_eq!([Csr::TloadPitch, Csr::TstorePitch].map(|csr| m.csr.read(csr)), [0, 0]);

    let mut without = Machine::new(&Config { pitch: false, ..all_options() });
    for word in [0x81A0_2373_u32, 0x01A0_635B] {
        assert_word_traps(&mut without, word, Trap::ILLEGAL, word);
        assert_eq!(m.step(word).trap, None);
    }
    assert_eq!((without.csr.write(Csr::TloadPitch, 1), without.csr.read(Csr::TloadPitch)), (None, 0));
}

#[test]
fn the_csr_of_initialised_bits_has_those_of_the_masks() {
    let mut m = Machine::new(&all_options());
    let run = |m: &mut Machine, text: &str| m.step(assemble("p", text, Isa::ALL).unwrap()[0]);
    set_block(&mut m, 2, [2, 1, 1]);
    let users = ["tl.mload tl1, 0(x0)", "tl.mstore tl1, 0(x0)", "tl.merge.0 tl1, tl2, tl3"];
    let legal = |m: &mut Machine| users.map(|text| run(m, text).trap.is_none());
    assert_eq!((m.csr.read(Csr::TmaskInit), legal(&mut m)), (0, [false; 3]));
    // Each mask sets its bit; the bits that are not there are dropped; no mask changes.
    for (i, mask) in [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2].into_iter().enumerate() {
        run(&mut m, &format!("csrrwi x0, {}, 0", mask.name()));
        assert_eq!(m.csr.read(Csr::TmaskInit), (1 << (i + 1)) - 1, "{mask:?}");
    }
    run(&mut m, "csrrwi x0, tmask_load, 3");
    m.set_x(5, 0xFFFF_FFF4);
    let out = run(&mut m, "tl.csrrw x6, tmask_init, x5");
    assert_eq!((out.gpr_write, out.csr_write), (Some((6, 15)), Some((0x81C, 4))));
    assert_eq!((m.csr.read(Csr::TmaskLoad), legal(&mut m)), (3, [false, false, true]));
    run(&mut m, "csrrsi x0, tmask_init, 3");
    assert_eq!(legal(&mut m), [true; 3]);
    run(&mut m, "csrrci x0, tmask_init, 2");
    assert_eq!((m.csr.read(Csr::TmaskInit), legal(&mut m)), (5, [true, false, true]));
    m.reset();
    assert_eq!(m.csr.read(Csr::TmaskInit), 0);

    let mut without = Machine::new(&Config { mask_init: false, ..all_options() });
    for word in [0x81C0_2373_u32, 0x01C0_635B] {
        assert_word_traps(&mut without, word, Trap::ILLEGAL, word);
        assert_eq!(m.step(word).trap, None);
    }
    assert_eq!((without.csr.write(Csr::TmaskInit, 1), without.csr.read(Csr::TmaskInit)), (None, 0));
}

#[test]
fn a_second_unit_has_other_csr_numbers_and_no_number_in_common() {
    let numbers = |isa: Isa| (0..0x1000).filter(|&address| isa.csr(address).is_some()).collect::<BTreeSet<u16>>();
    let (first, second) = (numbers(Isa::ALL), numbers(Isa { csr_base: 0x880, ..Isa::ALL }));
    assert_eq!((first.len(), first.intersection(&second).count()), (8 + 3 + 64 + 1 + 6, 0));
    assert_eq!(first.len(), second.len());
    assert!(first.union(&second).all(|address| matches!(address, 0x800..=0x8FF | 0xCC0..=0xCFF)));
    let mut m = Machine::new(&Config { csr_base: 0x880, ..all_options() });
    m.set_x(5, 0x10203);
    assert_word_traps(&mut m, 0x8112_9073, Trap::ILLEGAL, 0x8112_9073_u32);
    assert_eq!(m.step(0x8912_9073).trap, None);
    assert_eq!(m.csr.read(Csr::Tshape), 0x10203);
    // n is the same.
    m.step(assemble("p", "tl.csrrwi x0, tshape, 3", m.config()).unwrap()[0]);
    assert_eq!(m.csr.read(Csr::Tshape), 3);
}

/// The block [3, 1, 4] of bytes: (width, pitch, legal).
#[test]
fn what_is_illegal_with_a_pitch() {
    let load = Tensor::Load { tlrd: 1, rs: 0, imm8: 0 };
    let store = Tensor::StoreRs1 { tlrs: 1, rs: 0, imm8: 0 };
    for (ttype, dims, width, pitch, legal) in [
        (2, [3, 1, 4], 0, 7, true),
        (2, [3, 1, 4], 4, 7, true),
        (2, [3, 1, 4], 1, 1, true),
        (2, [3, 1, 4], 5, 7, false),
        (2, [3, 1, 4], 5, 0, true),
        (2, [1, 1, 4], 5, 1, false),
        (2, [3, 1, 4], 0x1_0004, 7, false),
        (2, [32, 1, 1], 0, 65_535, false),
        // Two elements in a byte.
        (1, [2, 1, 4], 2, 3, true),
        (1, [2, 1, 4], 3, 3, false),
        (1, [2, 1, 3], 2, 3, false),
        (1, [2, 1, 3], 2, 0, true),
        (1, [1, 1, 3], 2, 3, false),
    ] {
        let mut m = Machine::new(&all_options());
        set_block(&mut m, ttype, dims);
        for csr in [Csr::TloadWidth, Csr::TstoreWidth] {
            m.csr.write(csr, width);
        }
        for csr in [Csr::TloadPitch, Csr::TstorePitch] {
            m.csr.write(csr, pitch);
        }
        for instruction in [load, store] {
            let trap = step(&mut m.clone(), instruction).trap.map(|trap| trap.cause);
            // 31 slots of 65,535 bytes are outside the memory.
            let expected = match (legal, pitch) {
                (true, _) => None,
                (false, 65_535) => Some(if instruction == load { 5 } else { 7 }),
                (false, _) => Some(2),
            };
            assert_eq!(trap, expected, "{ttype} {dims:?} {width} {pitch}");
        }
    }
}

/// Each direction has its own pitch, and nothing else looks at them.
#[test]
fn pitch_is_of_loads_and_stores_of_slices_alone() {
    let mut rng = Rng(55);
    let mut m = random_machine(&all_options(), &mut rng);
    set_block(&mut m, 2, [4, 2, 2]);
    (1..32).for_each(|x| m.set_x(x, 64));
    m.set_x(9, 2 | 4 << 8 | 4 << 16 | 64 << 24);
    for csr in [Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2] {
        m.csr.write(csr, 0b0011);
    }
    set_sizes(&mut m, [2, 2, 2]);
    for instruction in instructions(Isa::ALL) {
        let mut number = 0;
        let word = instruction.with_operands(|operand| {
            number += 1;
            match (operand.name, instruction.engine()) {
                ("rs", Some(Engine::Xpose)) => 9,
                ("rs", _) => 3,
                _ if operand.kind == OperandKind::Dimension => 0,
                _ => 1 + number % 3,
            }
        });
        let word = word.encode(Isa::ALL).unwrap();
        let with = |csr: Csr| {
            let mut other = m.clone();
            other.csr.write(csr, 8);
            let out = other.step(word);
            other.csr.write(csr, 0);
            (out, other)
        };
        let mut other = m.clone();
        let plain = (other.step(word), other);
        let slices = decode(word, Isa::ALL).slice_transfer();
        for csr in [Csr::TloadPitch, Csr::TstorePitch] {
            let same = with(csr) == plain;
            assert_eq!(
                same,
                slices.is_none_or(|slices| slices.direction.pitch() != csr),
                "{:?}",
                instruction.mnemonic()
            );
        }
    }
}
