// SPDX-License-Identifier: Apache-2.0
//! Masked loads: rows of zeros and rows of data in any order, in each bank, one load behind the other.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use crate::common::{all_pass, target, thin, tiny};
use cosim_bench::case::Case;
use cosim_bench::case::stream::of_words;
use cosim_bench::lockstep::Setup;
use cosim_bench::lockstep::stall::{Class, Plan};
use cosim_bench::run::executor::run_case;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::Target;

/// Masks of slices: at each edge, every other one, few, most, none, all.
const MASKS: [u32; 12] = [
    0x0000_0001,
    0x8000_0000,
    0x5555_5555,
    0xaaaa_aaaa,
    0x0000_ffff,
    0xffff_0000,
    0x0ff0_0ff0,
    0xfffe_fff7,
    0x1248_8421,
    0x0000_0000,
    0xffff_ffff,
    0x6db6_db6d,
];

/// Loads with each mask of slices of some sizes around that of a row, from `base`. With `traps` each fifth has a slice
/// behind the memory.
fn program(target: &Target, base: u32, traps: bool) -> String {
    let config = &target.golden;
    let (row, register) = (target.rtl.lanes, config.reg_bytes as u32);
    let mut text = format!("li x1, {base}\nli x2, {}\ncsrrwi x0, tload_width, 0\n", config.l1m_bytes - register / 2);
    for slice in [row / 2, row, row + 1, 2 * row, 3 * row - 1, 4 * row] {
        let slices = (register / slice).min(32);
        writeln!(text, "li x5, {}\ncsrrw x0, tshape, x5", slices << 16 | 1 << 8 | slice).unwrap();
        // Its sweep begins where that of the load before, which has another block, ends.
        writeln!(text, "tl.load tl9, 0(x1)").unwrap();
        for (number, mask) in MASKS.iter().enumerate() {
            // The highest slices of the block are at the upper edge of the mask.
            let mask = if *mask == 0x8000_0000 { 1 << (slices - 1) } else { *mask };
            let from = if traps && number % 5 == 3 { "x2" } else { "x1" };
            writeln!(text, "li x6, {mask}\ncsrrw x0, tmask_load, x6").unwrap();
            // The sweep of the third and later ones begins when their data are already there. Others take banks from it.
            for more in 0..6 {
                writeln!(text, "tl.mload tl{}, {more}({from})", (number + 5 * more) % 32).unwrap();
                match (number + more) % 4 {
                    1 => writeln!(text, "tl.load tl{}, 0(x1)", 20 + more).unwrap(),
                    2 => writeln!(text, "tl.addi tl{}, tl30, 1\ntl.addi tl{}, tl31, 1", more + 1, more + 8).unwrap(),
                    _ => (),
                }
            }
        }
    }
    text
}

/// Cases with memories that answer at once, that wait, and that give many words at once; loads that end, loads that trap
/// at a slice behind the memory, and loads that trap at an error of a word in the middle, which some masks leave out.
fn cases(target: &Target) -> Vec<Case> {
    let l1m: Vec<u8> = (0..target.golden.l1m_bytes).map(|i| (i % 251) as u8 + 1).collect();
    let middle = target.golden.reg_bytes as u32 / 2 + 2 * target.rtl.port_bytes();
    let error = middle..middle + target.rtl.port_bytes();
    let words = |l1m| Plan { l1m, ..Plan::default() };
    let plans = [Plan::default(), words([Class::Heavy, Class::Light]), words([Class::None, Class::Long])];
    let mut cases = Vec::new();
    for (seed, stalls) in (0..).zip(plans) {
        for (base, traps, l1m_faults) in
            [(0, false, vec![]), (3, false, vec![]), (1, true, vec![]), (1, false, vec![error.clone()])]
        {
            let text = program(target, base, traps);
            let words = golden::asm::assemble("sparse", &text, &target.golden).unwrap();
            let setup = Setup { l1m: l1m.clone(), l1m_faults, stalls, seed, ..Setup::default() };
            cases.push(of_words(target, words, setup));
        }
    }
    cases
}

/// Few rows and many; precise traps or not.
#[test]
fn rows_of_zeros_and_of_data_may_come_in_any_order() {
    all_pass(["tiny", "w16"].map(target), cases);
}

/// A port narrower than a row, and the narrowest.
#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn rows_of_zeros_and_of_data_may_come_in_any_order_through_any_port() {
    all_pass(["w8", "w16p8", "mx1024"].map(target).into_iter().chain([thin()]), cases);
}

#[test]
fn they_tell_the_planted_faults_of_the_sweep_of_zeros() {
    let target = tiny();
    for fault in [19, 197, 198] {
        let told =
            cases(&target).iter().any(|case| run_case(&target, case, ModelKind::Faults, fault, |_| Ok(())).is_err());
        assert!(told, "fault {fault}");
    }
}
