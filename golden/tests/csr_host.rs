// SPDX-License-Identifier: Apache-2.0
//! CSR and host instructions, and the words that are neither.
#![allow(clippy::unwrap_used)]

use crate::common::*;
use golden::asm::assemble;
use golden::decode::Isa;
use golden::{Csr, Machine, Outcome, Trap};

fn machine() -> Machine {
    Machine::new(&config("w16"))
}

fn run(m: &mut Machine, text: &str) -> Outcome {
    let isa = Isa::from(m.config());
    m.step(assemble("test", text, isa).unwrap()[0])
}

#[test]
fn reset_values() {
    let m = machine();
    for csr in Csr::all() {
        let expected = match csr {
            Csr::Ttype => 2,
            Csr::TloadStride(i) | Csr::TstoreStride(i) => i.into(),
            Csr::Tlenb => 1024,
            _ => 0,
        };
        assert_eq!(m.csr.read(csr), expected, "{csr:?}");
        assert!(m.csr.mask(csr).is_none_or(|mask| !mask.initialised));
    }
    assert_eq!(Machine::new(&config("tiny")).csr.read(Csr::Tlenb), 64);
}

#[test]
fn reset_keeps_the_memories_only() {
    let mut m = machine();
    for text in ["addi x5, x0, 7", "csrrwi x0, tmask_load, 3", "tl.addi tl1, tl0, 1"] {
        run(&mut m, text);
    }
    m.l1m.bytes[3] = 1;
    m.l0m.bytes[4] = 1;
    let mut expected = machine();
    (expected.l1m, expected.l0m) = (m.l1m.clone(), m.l0m.clone());
    m.reset();
    assert!(m == expected);
}

#[test]
fn csr_addresses() {
    let addresses: Vec<u16> = Csr::all().map(Csr::address).collect();
    let expected: Vec<u16> = (0x810..=0x817).chain(0x81A..=0x81C).chain(0x840..=0x87F).chain([0xCD0]).collect();
    assert_eq!(addresses, expected);
    for csr in Csr::all() {
        assert_eq!((Csr::from_address(csr.address()), Csr::from_name(&csr.name())), (Some(csr), Some(csr)));
    }
}

#[test]
fn write_set_and_clear_return_the_old_value() {
    let mut m = machine();
    m.set_x(5, 0b1100);
    m.set_x(6, 0b1010);
    let out = run(&mut m, "csrrw x7, tload_width, x5");
    assert_eq!((out.gpr_write, out.csr_write), (Some((7, 0)), Some((0x816, 0b1100))));
    let out = run(&mut m, "csrrs x7, tload_width, x6");
    assert_eq!((out.gpr_write, out.csr_write), (Some((7, 0b1100)), Some((0x816, 0b1110))));
    let out = run(&mut m, "csrrc x7, tload_width, x6");
    assert_eq!((out.gpr_write, out.csr_write), (Some((7, 0b1110)), Some((0x816, 0b0100))));
    let out = run(&mut m, "csrrwi x7, tload_width, 31");
    assert_eq!((out.gpr_write, out.csr_write), (Some((7, 0b0100)), Some((0x816, 31))));
    let out = run(&mut m, "csrrci x7, tload_width, 16");
    assert_eq!((out.gpr_write, out.csr_write), (Some((7, 31)), Some((0x816, 15))));
    // Bits that are 0 stay 0.
    assert_eq!(run(&mut m, "csrrci x7, tload_width, 16").csr_write, Some((0x816, 15)));
    let out = run(&mut m, "csrrsi x0, tload_width, 16");
    assert_eq!((out.gpr_write, out.csr_write), (None, Some((0x816, 31))));
    // Source and target may be the same register.
    run(&mut m, "csrrw x5, tload_width, x5");
    assert_eq!((m.x(5), m.csr.read(Csr::TloadWidth)), (31, 0b1100));
}

#[test]
fn set_and_clear_of_nothing_only_read() {
    for text in
        ["csrrs x7, tmask_load, x0", "csrrc x7, tmask_load, x0", "csrrsi x7, tmask_load, 0", "csrrci x7, tmask_load, 0"]
    {
        let mut m = machine();
        let out = run(&mut m, text);
        assert_eq!((out.gpr_write, out.csr_write), (Some((7, 0)), None), "{text}");
        assert!(!m.csr.mask(Csr::TmaskLoad).unwrap().initialised);
    }
    // A register that holds 0 is a write nevertheless, and so is every csrrw.
    for text in
        ["csrrs x7, tmask_load, x9", "csrrc x7, tmask_load, x9", "csrrw x0, tmask_load, x0", "csrrwi x0, tmask_load, 0"]
    {
        let mut m = machine();
        assert_eq!(run(&mut m, text).csr_write, Some((0x812, 0)), "{text}");
        assert!(m.csr.mask(Csr::TmaskLoad).unwrap().initialised);
    }
}

#[test]
fn reserved_bits_read_zero() {
    let mut m = machine();
    m.set_x(5, u32::MAX);
    assert_eq!(run(&mut m, "csrrw x0, ttype, x5").csr_write, Some((0x810, 0xFFF)));
    assert_eq!(run(&mut m, "csrrw x0, tshape, x5").csr_write, Some((0x811, 0xFF_FFFF)));
    assert_eq!((m.csr.read(Csr::Ttype), m.csr.read(Csr::Tshape)), (0xFFF, 0xFF_FFFF));
    let whole = |csr: &Csr| Isa::DRAFT.has(*csr) && !matches!(csr, Csr::Ttype | Csr::Tshape | Csr::Tlenb);
    for csr in Csr::all().filter(whole) {
        assert_eq!(run(&mut m, &format!("csrrw x0, {}, x5", csr.name())).csr_write, Some((csr.address(), u32::MAX)));
    }
}

#[test]
fn tlenb_is_read_only() {
    let mut m = machine();
    for text in ["csrrs x7, tlenb, x0", "csrrc x7, tlenb, x0", "csrrsi x7, tlenb, 0", "csrrci x7, tlenb, 0"] {
        assert_eq!(run(&mut m, text).gpr_write, Some((7, 1024)), "{text}");
    }
    for text in ["csrrw x7, tlenb, x0", "csrrwi x7, tlenb, 0", "csrrs x7, tlenb, x9", "csrrci x7, tlenb, 1"] {
        let out = run(&mut m, text);
        assert_eq!((out.trap, out.gpr_write), (Some(Trap::illegal(out.word)), None), "{text}");
    }
    assert_eq!(m.csr.write(Csr::Tlenb, 1), None);
}

#[test]
fn host_constants() {
    let mut m = machine();
    assert_eq!(run(&mut m, "lui x5, 0x80001").gpr_write, Some((5, 0x8000_1000)));
    assert_eq!(run(&mut m, "addi x5, x5, -2048").gpr_write, Some((5, 0x8000_0800)));
    assert_eq!(run(&mut m, "addi x6, x0, -1").gpr_write, Some((6, u32::MAX)));
    assert_eq!(run(&mut m, "addi x6, x6, 1").gpr_write, Some((6, 0)));
    assert_eq!(run(&mut m, "lui x0, 1").gpr_write, None);
    assert_eq!(m.x(0), 0);
}

#[test]
fn a_host_with_64_bits_extends_constants_by_their_sign_and_csrs_by_zeros() {
    let mut m = Machine::new(&wide_host());
    let values = [
        ("lui x5, 0x80001", 5, 0xFFFF_FFFF_8000_1000),
        ("addi x6, x5, -1", 6, 0xFFFF_FFFF_8000_0FFF),
        ("slli x6, x6, 33", 6, 0x0000_1FFE_0000_0000),
        ("slli x5, x5, 0", 5, 0xFFFF_FFFF_8000_1000),
        ("csrrw x7, tmask_load, x5", 7, 0),
        ("csrrs x7, tmask_load, x0", 7, 0x8000_1000),
        ("slli x7, x7, 63", 7, 0),
    ];
    for (text, register, value) in values {
        run(&mut m, text);
        assert_eq!(m.operand(register), value, "{text}");
    }
    // Bits 31:0 are the sizes, and all 64 are the address.
    run(&mut m, "addi x8, x0, 1");
    run(&mut m, "slli x8, x8, 32");
    let load = run(&mut m, "tl.load tl1, 0(x8)");
    assert_eq!(load.trap, Some(Trap::illegal(load.word)));
    run(&mut m, "lui x9, 0x10");
    run(&mut m, "addi x9, x9, 0x101");
    run(&mut m, "csrrw x0, tshape, x9");
    assert_eq!(run(&mut m, "tl.load tl1, 0(x8)").trap, Some(Trap { cause: Trap::LOAD_FAULT, tval: 1 << 32 }));
    // The shift is no instruction of a host with 32 bits.
    let mut narrow = Machine::new(&all_options());
    assert_eq!(narrow.step(0x0212_9293).trap, Some(Trap::illegal(0x0212_9293)));
}

/// Of every opcode but the four that the machine knows all words are illegal, as are the unit's words with another
/// EngineID and CSRs that are not the unit's.
#[test]
fn other_words_are_illegal() {
    let mut m = machine();
    let isa = Isa::from(m.config());
    let mut rng = Rng(30);
    let mut check = |word: u32| assert_eq!(m.step(word).trap, Some(Trap::illegal(word)), "{word:#010x}");
    for opcode in (0..128).filter(|opcode| ![0x13, 0x37, 0x5B, 0x73].contains(opcode)) {
        for _ in 0..20 {
            check(rng.next() & !0x7F | opcode);
        }
    }
    for funct3 in 1..8 {
        check(rng.next() & !0x707F | funct3 << 12 | 0x13);
    }
    for engine_id in 1..4 {
        check(0x0000_855B | engine_id << 30);
    }
    for csr in (0..0x1000).filter(|&csr| isa.csr(csr).is_none()) {
        check(u32::from(csr) << 20 | 0b010 << 12 | 0x73);
    }
    for funct3 in [0, 4] {
        check(0x811 << 20 | funct3 << 12 | 0x73);
    }
    check(0x0000_0073);
}
