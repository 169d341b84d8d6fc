// SPDX-License-Identifier: Apache-2.0
//! Programs with loops, handlers and windows on the RTL, in lockstep with the model.

use crate::common::{target, tiny};
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::lockstep::stall::{Class, Plan};
use cosim_bench::lockstep::{Counts, Lockstep, Setup};
use cosim_bench::unit::ModelKind;
use golden::Program;
use golden::run::Stuck;

/// Exit code, counts, registers of the host.
type Ran = (Result<u32, Stuck>, Counts, [u32; 32]);

/// Runs a program to its end, and compares all that is left behind; the exit code and the host at the end.
fn run(source: &str, setup: &Setup) -> Result<Ran, Box<Cause>> {
    let target = tiny();
    let words = golden::asm::assemble("p.s", source, &target.golden).unwrap_or_else(|errors| panic!("{errors}"));
    let mut bench = Lockstep::new(&target, ModelKind::Faults, setup).expect("a model");
    bench.load(&Program::from_words(&words)).expect("fits");
    let ended = bench.run_program(10_000).map_err(|failure| failure.cause)?;
    let counts = if ended.is_ok() { bench.finish().map_err(|failure| failure.cause)? } else { bench.counts().clone() };
    Ok((ended, counts, *bench.hart().x()))
}

fn setup(stall_seed: Option<u64>) -> Setup {
    let l1m = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let stalls = Plan::all(if stall_seed.is_some() { Class::Heavy } else { Class::None });
    Setup { l1m, stalls, seed: stall_seed.unwrap_or(1), ..Setup::default() }
}

/// Host and unit hand the same places of L1M and L0M to each other, as fast as they may.
const PING_PONG: &str = include_str!("host/ping_pong.s");

#[test]
fn host_and_unit_see_each_others_writes_in_program_order() {
    let (ended, fast, x) = run(PING_PONG, &setup(None)).expect("no difference");
    assert_eq!((ended, fast.compared), (Ok(0), fast.retired));
    // tl.merge traps each time: its mask is never written in the loop.
    assert_eq!((fast.retired, fast.traps, x[14]), (6 + 40 * 14 + 5, 40, 6 + 40 * 13 + 4));
    // An instruction a cycle at most, and the counter was read at the end.
    assert!(fast.cycles >= fast.retired && u64::from(x[13]) + 2 >= fast.cycles - 12, "{fast:?}, mcycle {}", x[13]);
    for seed in 1..=8 {
        let (ended, slow, with_stalls) = run(PING_PONG, &setup(Some(seed))).expect("no difference");
        assert_eq!((ended, slow.retired, &with_stalls[..13]), (Ok(0), fast.retired, &x[..13]));
        assert!(slow.cycles > fast.cycles);
    }
}

/// Each trap of the unit goes to the handler, which sees the registers as the instructions before left them.
#[test]
fn traps_are_precise_to_a_handler() {
    let source = include_str!("host/handler.s");
    for seed in [None, Some(1), Some(2), Some(3)] {
        let (ended, counts, x) = run(source, &setup(seed)).expect("no difference");
        // Once for the mask, five times for the address; x8 and x9 as they were then.
        assert_eq!((ended, counts.traps), (Ok(0), 6));
        assert_eq!((x[8], x[9], x[21], x[22]), (5, 10, 1 + 15, 1 + 3 + 5 + 7 + 9));
    }
}

#[test]
fn a_planted_fault_is_found_by_a_program() {
    let source = "
        li   x7, 0x080204
        csrw tshape, x7
        li   x8, 10
loop:   tl.load  tl1, 0(x0)
        tl.load  tl2, 1(x0)
        li   x5, 0x04020208       # [8, 2, 2, 4]
        tl.xpose.13 tl1, tl2, x5
        tl.store tl1, 0(x0)
        addi x8, x8, -1
        bnez x8, loop";
    let (ended, counts, _) = run(source, &setup(None)).expect("no difference");
    assert_eq!((ended, counts.traps), (Ok(0), 0));
    // One layer of the lane swap is missing.
    let found = run(source, &Setup { fault: 38, ..setup(None) }).expect_err("a difference");
    assert!(matches!(*found, Cause::Mismatch(_)), "{found:?}");
}

#[test]
fn a_program_that_does_not_end_is_given_up() {
    let (ended, counts, _) = run("loop: j loop", &setup(None)).expect("no difference");
    assert_eq!((ended, counts.retired), (Err(Stuck::Limit(10_000)), 10_000));
    let (ended, ..) = run("li x5, -4\njr x5", &setup(None)).expect("no difference");
    assert!(matches!(ended, Err(Stuck::Nowhere(_))), "{ended:?}");
}

/// A handler, and instructions of both sides behind the one that traps. The handler goes on behind it.
const OVERLAP: &str = include_str!("host/overlap.s");

#[test]
fn with_precise_traps_a_handler_sees_what_it_saw_without() {
    let mut killed = 0;
    for seed in [None, Some(1), Some(2), Some(3)] {
        let (ended, counts, x) = run(OVERLAP, &setup(seed)).expect("in lockstep");
        assert_eq!((ended, counts.traps), (Ok(0), 24));
        // Each instruction of the loop counts once, whatever was killed or undone on the way.
        assert_eq!((x[8], x[9], x[13]), (12, 36, 24));
        killed += counts.killed;
    }
    assert!(killed > 24, "{killed}");
}

/// Behind a trap that a handler skips, instructions that were killed and not issued again when the next one of them
/// trapped were waited for, for ever.
#[test]
fn false_hang_behind_traps_in_a_row() {
    skip_traps_in_a_row("w16");
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn false_hang_behind_traps_in_a_row_of_other_widths() {
    ["w8", "w32"].into_iter().for_each(skip_traps_in_a_row);
}

fn skip_traps_in_a_row(config: &str) {
    let skip = "handler: csrr x29, mepc\naddi x29, x29, 4\ncsrw mepc, x29\nmret\nend:";
    let target = target(config);
    for between in [".word 0\n", ".word 0\naddi x5, x5, 1\n", "tl.load tl1, 0(x28)\ncsrr x6, ttype\n"] {
        let source = format!("la x28, handler\ncsrw mtvec, x28\n{}j end\n{skip}", between.repeat(9));
        let words = golden::asm::assemble("p.s", &source, &target.golden).unwrap_or_else(|errors| panic!("{errors}"));
        for seed in 1..=4 {
            let mut bench = Lockstep::new(&target, ModelKind::Fast, &setup(Some(seed))).expect("a model");
            bench.load(&Program::from_words(&words)).expect("fits");
            let ended = bench.run_program(10_000).and_then(|ended| bench.finish().map(|counts| (ended, counts.traps)));
            assert_eq!(ended.expect("in lockstep"), (Ok(0), 9), "{config}, {seed}: {between}");
        }
    }
}
