// SPDX-License-Identifier: Apache-2.0
//! The host (docs/isa.md, "Host"): base instruction set, memories, traps, endings.
#![allow(clippy::unwrap_used)]

use golden::asm::assemble;
use golden::hart::{Program, ProgramError, RAM_BYTES, Segment};
use golden::run::{self, Stuck};
use golden::{Config, Ending, Machine, Outcome, Trap};

/// Runs a program on `tiny`; gives the machine, what was executed, and how it ended.
fn run(source: &str) -> (Machine, Vec<Outcome>, Result<u32, Stuck>) {
    let config = Config::named("w16").unwrap();
    let words = assemble("p.s", source, &config).unwrap_or_else(|errors| panic!("{errors}"));
    let mut m = Machine::new(&config);
    m.load(&Program::from_words(&words)).unwrap();
    let mut seen = Vec::new();
    let ended = run::execute(&mut m, 100_000, |outcome| seen.push(outcome.clone()));
    (m, seen, ended)
}

/// x10 after a program that ends by itself and without a trap.
fn x10(source: &str) -> u32 {
    let (m, seen, ended) = run(source);
    assert_eq!(ended, Ok(0), "{source}");
    assert!(seen.iter().all(|outcome| outcome.trap.is_none()), "{source}: {:?}", seen.last());
    m.x(10)
}

#[test]
fn arithmetic_is_that_of_the_standard() {
    let min = i32::MIN as u32;
    for (instruction, a, b, expected) in [
        ("add", 0xFFFF_FFFF, 2, 1),
        ("sub", 1, 2, 0xFFFF_FFFF),
        ("sll", 1, 33, 2),
        ("srl", min, 31, 1),
        ("sra", min, 31, 0xFFFF_FFFF),
        ("slt", 0xFFFF_FFFF, 0, 1),
        ("sltu", 0xFFFF_FFFF, 0, 0),
        ("xor", 6, 3, 5),
        ("or", 6, 3, 7),
        ("and", 6, 3, 2),
        ("mul", 0x1_0001, 0x1_0001, 0x2_0001),
        ("mulh", min, min, 0x4000_0000),
        ("mulhu", min, min, 0x4000_0000),
        ("mulhsu", 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF),
        ("mulh", 0xFFFF_FFFF, 0xFFFF_FFFF, 0),
        ("mulhu", 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFE),
        ("div", 0xFFFF_FFF9, 2, 0xFFFF_FFFD),
        ("div", 7, 0, 0xFFFF_FFFF),
        ("div", min, 0xFFFF_FFFF, min),
        ("divu", 7, 0, 0xFFFF_FFFF),
        ("rem", 0xFFFF_FFF9, 2, 0xFFFF_FFFF),
        ("rem", 7, 0, 7),
        ("rem", min, 0xFFFF_FFFF, 0),
        ("remu", 7, 0, 7),
        ("remu", 0xFFFF_FFF9, 4, 1),
    ] {
        let program = format!("li x5, {a}\nli x6, {b}\n{instruction} x10, x5, x6");
        assert_eq!(x10(&program), expected, "{instruction} {a:#x}, {b:#x}");
    }
    for (instruction, expected) in [
        ("slti x10, x5, -1", 1),
        ("sltiu x10, x5, -1", 1),
        ("xori x10, x5, 0x7f", 0xFFFF_FF81),
        ("ori x10, x5, 1", 0xFFFF_FFFF),
        ("andi x10, x5, 0xf", 0xE),
        ("slli x10, x5, 4", 0xFFFF_FFE0),
        ("srli x10, x5, 28", 0xF),
        ("srai x10, x5, 1", 0xFFFF_FFFF),
        ("auipc x10, 1", 0x1004),
    ] {
        assert_eq!(x10(&format!("li x5, -2\n{instruction}")), expected, "{instruction}");
    }
}

#[test]
fn branches_jumps_and_loops() {
    let taken = [
        ("beq", 1, 1, true),
        ("bne", 1, 1, false),
        ("blt", -1, 0, true),
        ("bge", 0, -1, true),
        ("bltu", -1, 0, false),
        ("bgeu", -1, 0, true),
    ];
    for (branch, a, b, taken) in taken {
        let program = format!("li x5, {a}\nli x6, {b}\nli x10, 1\n{branch} x5, x6, over\nli x10, 0\nover:");
        assert_eq!(x10(&program), u32::from(taken), "{branch} {a}, {b}");
    }
    assert_eq!(x10("li x5, 100\nloop: add x10, x10, x5\naddi x5, x5, -1\nbnez x5, loop"), 5050);
    // The link is the address behind the jump, also when the target is in the same register.
    assert_eq!(x10("la x10, f\njalr x10, 0(x10)\nback: j end\nf: jr x10\nend:"), 12);
}

#[test]
fn loads_and_stores_of_every_size_in_program_memory() {
    let data = "\n.balign 4\ndata: .word 0x8180c0ff";
    for (load, expected) in [
        ("lb x10, 0(x5)", 0xFFFF_FFFF),
        ("lbu x10, 3(x5)", 0x81),
        ("lh x10, 2(x5)", 0xFFFF_8180),
        ("lhu x10, 0(x5)", 0xC0FF),
        ("lw x10, 0(x5)", 0x8180_C0FF),
    ] {
        assert_eq!(x10(&format!("la x5, data\n{load}\nj end\n{data}\nend:")), expected, "{load}");
    }
    let stores = "li x5, 0x1000\nli x6, 0x12345678\nsw x6, 0(x5)\nsb x6, 3(x5)\nsh x6, 0(x5)\nlw x10, 0(x5)";
    assert_eq!(x10(stores), 0x7834_5678);
}

/// The windows are the memories that the unit reads and writes, in program order with it.
#[test]
fn the_windows_are_the_memories_of_the_unit() {
    let source = "
        li   x5, 0x10000000       # L1M
        li   x6, 0x20000000       # L0M
        li   x7, 0x010104
        csrw tshape, x7
        li   x8, 0x44332211
        sw   x8, 8(x5)
        tl.load  tl1, 2(x0)
        tl.addi  tl1, tl1, 1
        sb   x0, 8(x5)            # too late for the load
        tl.store tl1, 3(x0)
        lw   x10, 12(x6)
        sh   x0, 14(x6)
        lw   x11, 12(x6)
        lw   x12, 8(x5)";
    let (m, seen, ended) = run(source);
    assert_eq!((ended, m.x(10), m.x(11), m.x(12)), (Ok(0), 0x4534_2312, 0x2312, 0x4433_2200));
    assert_eq!(m.l0m.bytes[12..16], [0x12, 0x23, 0, 0]);
    let sh = seen.iter().rev().nth(2).unwrap();
    assert_eq!(sh.mem_writes, [(14, 2)]);
}

#[test]
fn outside_of_the_memories_and_misaligned_accesses_trap() {
    for (access, cause, tval) in [
        ("lw x10, 1(x5)", Trap::LOAD_MISALIGNED, 0x1000_0001),
        ("lh x10, 1(x5)", Trap::LOAD_MISALIGNED, 0x1000_0001),
        ("sw x10, 2(x5)", Trap::STORE_MISALIGNED, 0x1000_0002),
        ("lw x10, -4(x5)", Trap::LOAD_FAULT, 0x0FFF_FFFC),
        ("sb x10, -1(x5)", Trap::STORE_FAULT, 0x0FFF_FFFF),
        ("lb x10, 0(x6)", Trap::LOAD_FAULT, 0x1004_0000),
        ("sb x10, 0(x6)", Trap::STORE_FAULT, 0x1004_0000),
        ("lw x10, 0(x7)", Trap::LOAD_FAULT, 0x3000_0000),
        ("sb x10, 0(x7)", Trap::STORE_FAULT, 0x3000_0000),
        ("lw x10, 0(x8)", Trap::LOAD_FAULT, 0xFFFF_FFFC),
    ] {
        let program =
            format!("li x5, 0x10000000\nli x6, 0x10040000\nli x7, 0x30000000\nli x8, -4\nli x10, 7\n{access}");
        let (m, seen, ended) = run(&program);
        // No handler: the next instruction, which is the end.
        assert_eq!((ended, m.x(10)), (Ok(0), 7), "{access}");
        assert_eq!(seen.last().unwrap().trap, Some(Trap { cause, tval }), "{access}");
    }
}

/// An error of the memory is one for the host, too.
#[test]
fn the_windows_answer_with_the_errors_of_the_memories() {
    let config = Config::named("w16").unwrap();
    let mut m = Machine::new(&config);
    m.l1m.faults.push(64..128);
    let words = assemble("p", "li x5, 0x10000040\nlw x6, -4(x5)\nlw x6, 0(x5)", &config).unwrap();
    m.load(&Program::from_words(&words)).unwrap();
    let mut traps = Vec::new();
    run::execute(&mut m, 10, |outcome| traps.push(outcome.trap)).unwrap();
    assert_eq!(traps[2..], [None, Some(Trap { cause: Trap::LOAD_FAULT, tval: 0x1000_0040 })]);
}

#[test]
fn a_handler_sees_the_trap_and_returns() {
    let source = "
        la   x5, handler
        csrw mtvec, x5
        li   x5, 0x12000000
        ecall
        ebreak
        lw   x6, 2(x5)
        tl.mload tl1, 0(x0)       # mask not initialised
        .word 0xffffffff
        csrw mcycle, x0           # read only
        csrrci x6, minstret, 1
        jalr x1, 2(x0)
        li   x7, 1
        j    end
handler:
        csrr x28, mcause
        csrr x29, mtval
        csrr x30, mepc
        addi x30, x30, 4
        csrw mepc, x30
        mret
end:";
    let (m, seen, ended) = run(source);
    assert_eq!((ended, m.x(7), m.x(6), m.x(1)), (Ok(0), 1, 0, 0));
    let traps: Vec<(u32, Trap)> = seen.iter().filter_map(|out| Some((out.pc, out.trap?))).collect();
    let expected = [
        (0x10, 11, 0),
        (0x14, 3, 0),
        (0x18, 4, 0x1200_0002),
        (0x1C, 2, 0x1000_805B),
        (0x20, 2, 0xFFFF_FFFF),
        (0x24, 2, 0xB000_1073),
        (0x28, 2, 0xB020_F373),
        (0x2C, 0, 2),
    ];
    assert_eq!(traps, expected.map(|(pc, cause, tval)| (pc, Trap { cause, tval })));
    // After each of them the handler: its first instruction is at mtvec.
    let handler = seen.iter().filter(|out| out.pc == 0x38).count();
    assert_eq!((handler, m.x(28), m.x(29), m.x(30)), (8, 0, 2, 0x30));
}

#[test]
fn csrs_of_the_host_keep_what_they_have() {
    let source = "li x5, -1\ncsrw mtvec, x5\ncsrw mepc, x5\ncsrw mscratch, x5\ncsrw mcause, x5\ncsrw mtval, x5\n\
        csrrw x6, mtvec, x0\ncsrrc x7, mepc, x0\ncsrrsi x8, mscratch, 1\ncsrrci x9, mscratch, 3\ncsrr x10, mscratch";
    let (m, ..) = run(source);
    assert_eq!([6, 7, 8, 9, 10].map(|i| m.x(i)), [0xFFFF_FFFC, 0xFFFF_FFFC, u32::MAX, u32::MAX, 0xFFFF_FFFC]);
}

/// A cycle for each instruction; one that traps does not retire.
#[test]
fn counters_count() {
    let (m, ..) = run("nop\n.word 0\ncsrr x5, mcycle\ncsrr x6, minstret\ncsrr x7, mcycleh\ncsrr x8, minstreth");
    assert_eq!([5, 6, 7, 8].map(|i| m.x(i)), [2, 2, 0, 0]);
}

#[test]
fn words_that_are_no_instructions_are_illegal() {
    // slli with bit 25, jalr with funct3 = 1, wfi, sret, fence.i, a CSR that is nobody's, a compressed instruction.
    for word in [0x0200_9093_u32, 0x0000_9067, 0x1050_0073, 0x1020_0073, 0x0000_100F, 0x3000_2073, 0x0001_0001] {
        let (_, seen, _) = run(&format!(".word {word}"));
        assert_eq!(seen[0].trap, Some(Trap::illegal(word)), "{word:#010x}");
    }
}

#[test]
fn a_program_ends_behind_its_last_word_or_by_itself_or_not_at_all() {
    let (m, seen, ended) = run("li x5, 0x30000000\nli x6, 7\nsw x6, 0(x5)\nnop");
    assert_eq!((ended, m.hart.exit, seen.len()), (Ok(7), Some(7), 3));
    let (m, _, ended) = run("li x5, 0x30000004\nli x6, 0x41\nsb x6, 0(x5)\naddi x6, x6, 1\nsw x6, 0(x5)");
    assert_eq!((ended, m.hart.exit, m.hart.console), (Ok(0), None, b"AB".to_vec()));
    assert_eq!(run("loop: j loop").2, Err(Stuck::Limit(100_000)));
    assert_eq!(run("li x5, -4\njr x5").2, Err(Stuck::Nowhere(Ending::Nowhere(0xFFFF_FFFC))));
    // A handler is told where it went.
    // Zeros that nobody put there are the end, too, and not a trap for each up to the end of memory.
    assert_eq!(run("li x5, 0x1000\njr x5").2, Err(Stuck::Nowhere(Ending::Nowhere(0x1000))));
    assert_eq!(run("nop\n.word 0").2, Ok(0));
    // A program of which nothing was executed did not run, whatever it ends with.
    assert_eq!(run(".word 0, 0\ntl.mload tl1, 0(x0)").2, Err(Stuck::OnlyTraps));
    assert_eq!(run("").2, Ok(0));
    let (m, _, ended) =
        run("la x5, handler\ncsrw mtvec, x5\nli x5, -4\njr x5\nhandler: csrr x6, mcause\ncsrr x7, mtval");
    assert_eq!((ended, m.x(6), m.x(7)), (Ok(0), 1, 0xFFFF_FFFC));
}

#[test]
fn a_program_that_does_not_fit_is_not_loaded() {
    let mut m = Machine::new(&Config::named("tiny").unwrap());
    let mut load = |entry, address, len| {
        m.load(&Program { entry, segments: vec![Segment { address, bytes: vec![1; len], zeros: 0 }], end: None })
    };
    assert_eq!(load(0, 0x1000_0000, 4096), Ok(()));
    let outside = |address, len| Err(ProgramError::Outside { address, len, l1m: 4096, l0m: 4096 });
    assert_eq!(load(0, 0x1000_0000, 4097), outside(0x1000_0000, 4097));
    assert_eq!(load(0, 0x2000_0FFF, 2), outside(0x2000_0FFF, 2));
    assert_eq!(load(0, RAM_BYTES - 1, 2), outside(RAM_BYTES - 1, 2));
    assert_eq!(load(0, 0x3000_0000, 4), outside(0x3000_0000, 4));
    assert_eq!(load(2, 0, 4), Err(ProgramError::Entry(2)));
    assert_eq!(load(RAM_BYTES, 0, 4), Err(ProgramError::Entry(RAM_BYTES)));
}
