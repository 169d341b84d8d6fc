// SPDX-License-Identifier: Apache-2.0
//! The unit beside a real core: programs on PicoRV32, the adapter and the unit, in lockstep with the model.
#![allow(clippy::unwrap_used)]

use crate::common::{cosim, tiny};
use cosim_bench::cli::soc;
use cosim_bench::lockstep::failure::{Cause, Mismatch};
use cosim_bench::lockstep::system::{System, SystemCounts};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::PCPI;
use cosim_bench::unit::surroundings::MONITORS;
use cosim_bench::unit::target::Target;
use golden::Program;

/// Operands in every place of a word, results, traps of unit and core with a handler and without one.
const PROGRAM: &str = include_str!("system.s");

fn run(target: &Target, source: &str, fault: u32) -> Result<(u32, SystemCounts), String> {
    let words = golden::asm::assemble("system.s", source, &target.golden).unwrap();
    let l1m: Vec<u8> = (0..=255).collect();
    let mut system = System::new(target, ModelKind::Soc, &Program::from_words(&words), &l1m, [1, fault]).unwrap();
    let code = system.run().map_err(|failure| format!("{:?}", failure.cause))?;
    Ok((code, system.counts()))
}

#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn core_and_unit_do_what_the_model_does() {
    let target = tiny();
    let (code, counts) = run(&target, PROGRAM, 0).unwrap();
    assert_eq!(code, 7);
    assert_eq!((counts.traps, counts.unit), (8, 20));
}

/// A word that the adapter keeps from the unit traps as any other, so that a handler does not see an older trap.
#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn a_word_without_its_operand_traps_in_the_adapter() {
    let mut config = rtl_gen::Config::load("tiny").unwrap();
    [config.gpr_rs1, config.precise] = [true; 2];
    config.name = "tiny_second".into();
    let (code, counts) =
        run(&crate::common::target_of(&config.to_toml()), include_str!("system_refused.s"), 0).unwrap();
    assert_eq!((code, counts.traps, counts.unit), (7, 5, 1));
}

/// `tiny` with all instruction sets and precise traps, and second encodings or not.
fn revised(gpr_rs1: bool) -> rtl_gen::Config {
    let mut config = tiny().rtl;
    [config.gpr_rs1, config.csr_op] = [gpr_rs1; 2];
    config.name = format!("tiny_pcpi{}", u8::from(gpr_rs1));
    config
}

#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn random_programs_find_no_difference_on_picorv32() {
    for config in [revised(false), revised(true)] {
        let target = crate::common::target_of(&config.to_toml());
        let mut sum = SystemCounts::default();
        for number in 0..40 {
            let done = soc::random(&target, ModelKind::Soc, [1, number], 0).unwrap();
            sum.add(&done.unwrap_or_else(|failure| panic!("program {number}: {:?}", failure.cause)));
        }
        assert!(sum.unit > 3000 && sum.traps > 300, "{}: {sum:?}", target.name());
    }
}

/// The planted fault with this description.
fn fault(description: &str) -> u32 {
    PCPI.iter().find(|fault| fault.description == description).unwrap().id
}

/// A handler reads the cause of an older trap then.
#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn random_programs_find_a_word_that_is_left_to_the_time_out() {
    let target = crate::common::target_of(&revised(true).to_toml());
    let fault = fault("what is refused is left to the time-out of the core");
    let found = (0..40).find_map(|number| soc::random(&target, ModelKind::Soc, [1, number], fault).unwrap().err());
    let cause = found.expect("a difference").cause;
    assert!(matches!(cause, Cause::Mismatch(Mismatch::Gpr { .. })), "{cause:?}");
}

#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn a_fault_in_the_adapter_is_found() {
    // With second encodings the adapter has no copy of the registers.
    let mut config = rtl_gen::Config::load("tiny").unwrap();
    [config.matrix, config.precise] = [true; 2];
    config.name = "tiny_pcpi".into();
    let target = crate::common::target_of(&config.to_toml());
    for what in [
        "the copy misses writes of registers from x8 to x15 and from x24 to x31",
        "an instruction that traps writes its register",
        "the value of a trap is lost",
    ] {
        let found = run(&target, PROGRAM, fault(what)).unwrap_err();
        println!("{what}: {found}");
        assert!(!found.contains("Verilator"), "{what}: {found}");
    }
}

/// The comments of a monitor are its program.
#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn the_monitors_are_what_their_comments_say() {
    assert_eq!(MONITORS.map(monitor_words), [97, 77]);
}

/// The words of a monitor, which are those of its comments.
fn monitor_words(monitor: &str) -> usize {
    let config = golden::Config::named("tiny").unwrap();
    let mut source = String::new();
    let mut words = Vec::new();
    for line in monitor.lines().filter_map(|line| line.trim().strip_prefix("7'd")) {
        let (index, rest) = line.split_once(':').unwrap();
        let (word, text) = rest.split_once(";  // ").unwrap();
        let word = u32::from_str_radix(word.split_once("32'h").unwrap().1, 16).unwrap();
        let index: usize = index.trim().parse().unwrap();
        source += &format!(".space {}\n", 4 * (index - words.len()));
        words.resize(index, 0);
        words.push(word);
        source += &(own(text) + "\n");
    }
    assert_eq!(golden::asm::assemble("monitor", &source, &config).unwrap(), words);
    words.len()
}

/// An instruction of the monitor as the assembler takes it, which knows none of PicoRV32's own.
fn own(text: &str) -> String {
    let (label, instruction) = text.split_once(": ").map_or(("", text), |(label, rest)| (label, rest));
    let words: Vec<&str> = instruction.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word[1..].parse::<u32>().unwrap();
    let word = match words[..] {
        ["getq", rd, q] => number(q) << 15 | number(rd) << 7,
        ["setq", q, rs] => 1 << 25 | number(rs) << 15 | number(q) << 7,
        ["retirq"] => 2 << 25,
        ["maskirq", rd, rs] => 3 << 25 | number(rs) << 15 | number(rd) << 7,
        _ => return text.to_owned(),
    };
    let colon = if label.is_empty() { "" } else { ": " };
    format!("{label}{colon}.word {:#x}", word | 0x0b)
}

#[test]
#[ignore = "needs PicoRV32 and a RISC-V compiler: make test-all"]
fn a_program_of_a_user_runs_and_bad_input_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("p.s", "lui x5, 0x30000\nli x6, 65\nsb x6, 4(x5)\ncsrr x7, tlenb\nsw x7, 0(x5)");
    write("far.s", "lw x5, 0(x0)\n.space 0x50000\n.word 1");
    let text = cosim(folder.path(), "soc --config tiny p.s").with_code(3);
    assert!(text.contains("Atiny: 5 instructions, 1 of the unit, 0 trapped, "), "{text}");
    assert!(text.contains("exit code 64"), "{text}");
    for (arguments, message) in [
        ("soc --config tiny none.s", "cannot read none.s"),
        ("soc --l1m x", "PROGRAM"),
        ("soc --config tiny far.s", "bytes of program memory; the system has 262144"),
    ] {
        cosim(folder.path(), arguments).refused(message);
    }
}

/// Two tasks whose time slices end with traps, and all state of the unit is saved and restored for each.
#[test]
#[ignore = "needs PicoRV32, CV32E40X and a RISC-V compiler: make test-all"]
fn two_tasks_share_the_unit_on_both_cores() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let options = "precise = true\nmatrix = true\npitch = true\ncsr_op = true\ngpr_rs1 = true\nmask_init = true";
    let text = format!("name = \"tasks\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = 4096\nl0m_bytes = 4096\n{options}\n");
    std::fs::write(file("tasks.toml"), text).unwrap();
    std::fs::write(file("l1m"), (0..4096_u32).map(|i| ((i * i) >> 5) as u8).collect::<Vec<u8>>()).unwrap();
    let flags = ["-DTL_PITCH", "-DTL_MASK_INIT", "-DTL_MATRIX", "-DTL_GPR_RS1", "-DTL_REG_BYTES=64"];
    kernels::compile(&[&kernels::folder().join("examples/tasks.c")], &flags, &file("tasks.elf")).unwrap();
    for core in ["picorv32", "cv32e40x"] {
        let run = format!("soc --core {core} --config tasks.toml --l1m l1m tasks.elf");
        let text = cosim(folder.path(), &run).with_code(0);
        assert!(text.contains("both done") && text.contains("35 trapped") && text.contains("no mismatch"), "{text}");
    }
}
