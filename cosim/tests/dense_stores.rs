// SPDX-License-Identifier: Apache-2.0
//! Stores of short slices side by side, which the unit walks as one: of every length, from every byte of a word, near
//! both ends of the memory, with errors of each word, and with strides and masks that are almost those of such a store.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use crate::common::{all_pass, cosim, edit, target, thin};
use cosim_bench::case::Case;
use cosim_bench::case::stream::of_words;
use cosim_bench::lockstep::Setup;
use cosim_bench::lockstep::stall::{Class, NO_STALL, Plan};
use cosim_bench::run::executor::run_case;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::{RtlOptions, Target};

/// What the comparison has to find: file, text, wrong text.
const FAULTS: [[&str; 3]; 8] = [
    // A stride counts as its own number whatever a bit of it.
    ["tl_csr.sv", "(store_stride == 32'(store_dense_o))", "(store_stride[31:1] == 31'(store_dense_o >> 1))"],
    ["tl_csr.sv", "(store_stride == 32'(store_dense_o))", "(store_stride[30:0] == 31'(store_dense_o))"],
    // The highest stride that is its own number may be written.
    ["tl_csr.sv", "(6'(index) < store_dense_o)", "(6'(index) + 6'd1 < store_dense_o)"],
    // A trap at the end of the memory names the first slice.
    ["tl_store_check.sv", "&& (part != '1);", ";"],
    // An error of a word names another slice.
    ["tl_beats.sv", "slice_q <= start == '0 ? {", "slice_q <= 1'b0 ? {"],
    ["tl_beats.sv", "start_q <= slice_addr_i[PortW-1:0];", "start_q <= '0;"],
    ["tl_beats.sv", "start_q <= start;", "start_q <= '0;"],
    ["tl_beats.sv", "start - PortW'(part_i)}", "start}"],
];

/// The first byte of the stores in the middle of the memory.
const BASE: u32 = 512;

/// Lengths of slices: all that are shorter than a word, and a word.
fn lengths(target: &Target) -> impl Iterator<Item = u32> {
    1..=target.rtl.port_bytes().min(20)
}

/// The most slices of a length.
fn most(target: &Target, length: u32) -> u32 {
    (target.golden.reg_bytes as u32 / length).min(32)
}

/// A block of so many slices of this length.
fn shape(slices: u32, length: u32) -> String {
    format!("li x5, {}\ncsrrw x0, tshape, x5\n", slices << 16 | 1 << 8 | length)
}

/// One, two and the most slices, from each byte of a word, near both ends of the memory, with masks around all.
fn places(target: &Target) -> String {
    let (port, end) = (target.rtl.port_bytes(), target.golden.l0m_bytes);
    let mut text = String::new();
    for length in lengths(target) {
        for slices in [1, 2, most(target, length)] {
            text += &shape(slices, length);
            for byte in 0..port {
                write!(text, "li x6, {}\ntl.store tl1, {}(x6)\n", BASE + byte, byte % 3).unwrap();
            }
            for (base, imm) in
                [(0, -1_i32), (length, -1), (3, -2), (127 * length, -128), (128 * length, -128), (0, 127)]
            {
                let high = end - length * (slices + imm.unsigned_abs());
                write!(text, "li x6, {base}\ntl.store tl1, {imm}(x6)\n").unwrap();
                write!(text, "li x6, {high}\ntl.store tl1, {imm}(x6)\ntl.store tl1, {}(x6)\n", imm.abs() - 1).unwrap();
                write!(text, "li x6, {}\ntl.store tl1, 0(x6)\n", end - length * slices + 1).unwrap();
            }
            let all = u32::MAX >> (32 - slices);
            for mask in [all, u32::MAX, all >> 1, all & !1, 0] {
                write!(text, "li x5, {mask}\ncsrrw x0, tmask_store, x5\ntl.mstore tl1, 0(x6)\n").unwrap();
                write!(text, "li x6, {BASE}\ntl.mstore tl1, 0(x6)\n").unwrap();
            }
        }
    }
    text
}

/// The most slices of each length, from each byte of a word.
fn blocks(target: &Target) -> String {
    let mut text = String::new();
    for length in lengths(target) {
        text += &shape(most(target, length).min(2 + 40 / length), length);
        for byte in 0..target.rtl.port_bytes() {
            write!(text, "li x6, {}\ntl.store tl1, 0(x6)\n", BASE + byte).unwrap();
        }
    }
    text
}

/// The first, a middle and the last stride one bit beside its number, and its number again. The one behind the last is
/// another number all the time.
fn strides(target: &Target) -> String {
    let (length, slices) = (3, 8);
    let mut text = format!("{}li x6, {BASE}\n", shape(slices, length));
    writeln!(text, "csrrwi x0, tstore_stride{slices}, 0").unwrap();
    for slice in [0, 4, slices - 1] {
        for stride in (0..32).map(|bit| slice ^ 1 << bit).chain([slice + 1, slice.wrapping_sub(1)]) {
            for value in [stride, slice] {
                write!(text, "li x5, {value}\ncsrrw x0, tstore_stride{slice}, x5\n").unwrap();
                text += "tl.store tl1, 0(x6)\ntl.store tl1, 1(x6)\n";
            }
        }
    }
    if target.golden.pitch {
        for pitch in [length - 1, length, length + 1, 0] {
            write!(text, "csrrwi x0, tstore_pitch, {pitch}\ntl.store tl1, 0(x6)\n").unwrap();
            text += "csrrwi x0, tstore_width, 2\ntl.store tl1, 0(x6)\ncsrrwi x0, tstore_width, 0\n";
        }
    }
    text
}

/// Cases in which stores come at once, or when the strides have not changed for a while.
fn cases(target: &Target) -> Vec<Case> {
    let port = target.rtl.port_bytes();
    let l1m: Vec<u8> = (0..target.golden.l1m_bytes).map(|i| (i % 251) as u8 + 1).collect();
    let errors = (0..4 * port.min(16) / port + 3).map(|word| BASE + word * port).map(|at| Some(at..at + port));
    let mut programs = vec![(places(target), None), (strides(target), None)];
    programs.extend(errors.map(|errors| (blocks(target), errors)));
    let mut cases = Vec::new();
    for (text, errors) in programs {
        let load = format!("{}tl.load tl1, 0(x0)\n", shape(1, 60));
        let words = golden::asm::assemble("dense", &(load + &text), &target.golden).unwrap();
        for wait in [None, Some(50)] {
            let stalls = Plan { issue: Class::Counted, ..Plan::default() };
            let setup = Setup {
                l1m: l1m.clone(),
                l0m_faults: errors.clone().into_iter().collect(),
                stalls,
                ..Setup::default()
            };
            let mut case = of_words(target, words.clone(), setup);
            let is_store = |word: u32| word & 0x2000_707f == 0x2000_205b;
            let stall = |&word: &u32| wait.filter(|_| is_store(word)).unwrap_or(NO_STALL);
            case.setup.stall_seeds = words.iter().map(stall).collect();
            cases.push(case);
        }
    }
    cases
}

#[test]
fn short_slices_side_by_side_are_stored_as_one_by_one() {
    all_pass(["tiny", "w16"].map(target), cases);
}

/// Words that are narrower than a row, and the narrowest; a pitch; words of more than 16 bytes.
#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn short_slices_side_by_side_are_stored_as_one_by_one_through_any_port() {
    all_pass(["w16p8", "w16r", "w32"].map(target).into_iter().chain([thin()]), cases);
}

#[test]
#[ignore = "needs eight models: make test-all"]
fn what_is_almost_such_a_store_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let config = rtl_gen::Config::named("tiny").unwrap();
    for (number, [name, right, wrong]) in FAULTS.into_iter().enumerate() {
        let rtl = folder.path().join(number.to_string());
        rtl_gen::write(&config, &rtl).unwrap();
        edit(&rtl.join(name), right, wrong);
        let options = RtlOptions { rtl: Some(rtl), ..RtlOptions::default() };
        let target = cosim::workshop().with(&options).unwrap().target("tiny").unwrap();
        let told = cases(&target).iter().any(|case| run_case(&target, case, ModelKind::Fast, 0, |_| Ok(())).is_err());
        assert!(told, "{name}: {wrong}");
    }
}

/// Words of 32 bytes: more stores wait for their verdict, and for the loads before them, than with narrower ones.
#[test]
#[ignore = "needs three models: make test-all"]
fn a_place_too_few_for_short_stores_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let config = rtl_gen::Config::named("w32").unwrap();
    let verdicts = ["tl_store_check.sv", "Depth (tl_pkg::StoreOps)\n  ) u_verdicts", "Depth (4)\n  ) u_verdicts"];
    let marks = ["tl_store.sv", "Depth (2 * tl_pkg::StoreOps)", "Depth (tl_pkg::StoreOps)"];
    let passed = [
        "tl_store.sv",
        "any_passed_q <= pass || passed_q > 4'(op_take);",
        "any_passed_q <= pass || passed_q[2:0] > 3'(op_take);",
    ];
    for (number, [name, right, wrong]) in [verdicts, marks, passed].into_iter().enumerate() {
        let rtl = folder.path().join(number.to_string());
        rtl_gen::write(&config, &rtl).unwrap();
        edit(&rtl.join(name), right, wrong);
        let done = cosim(folder.path(), &format!("random --rtl {number} --no-shrink"));
        assert_eq!(done.code, Some(1), "{name}: {wrong}\n{}{}", done.out, done.err);
    }
}
