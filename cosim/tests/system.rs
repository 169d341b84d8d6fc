// SPDX-License-Identifier: Apache-2.0
//! The unit beside a real core: programs on PicoRV32, the adapter and the unit, in lockstep with the model.
#![allow(clippy::unwrap_used)]

use cosim::workshop;
use cosim_bench::lockstep::system::System;
use golden::Program;

fn assembled(source: &str, config: &golden::Config) -> Program {
    Program::from_words(&golden::asm::assemble("test", source, config).unwrap())
}

#[test]
fn a_program_of_core_and_unit() {
    let target = workshop().target("tiny").unwrap();
    let source = "li x5, 0x010810\ncsrrw x6, tshape, x5\ncsrrs x7, tshape, x0\nli x8, 64\ntl.load tl1, 0(x8)\n\
        tl.addi tl2, tl1, 3\ntl.store tl2, 1(x0)\nlui x9, 0x20000\nlw x10, 128(x9)\nsw x10, 0(x9)\nmul x11, x10, x8\n\
        divu x12, x10, x8";
    let l1m: Vec<u8> = (0..=255).collect();
    let mut system = System::new(&target, &assembled(source, &target.golden), &l1m, 1).unwrap();
    let code = system.run();
    assert_eq!(code.map_err(|f| format!("{f:?}")), Ok(0));
    println!("{:?}", system.counts());
}
