// SPDX-License-Identifier: Apache-2.0
//! Running a straight-line program on a machine.

use std::fmt::Write;

use crate::asm;
use crate::decode::Isa;
use crate::machine::Machine;
use crate::report::{Report, Retired};

/// Executes `words` one after the other. A trap is recorded and the next instruction is executed.
pub fn run(machine: &mut Machine, words: &[u32]) -> Report {
    let retired = words.iter().map(|&word| Retired::from(&machine.step(word))).collect();
    Report::new(machine, retired)
}

/// A short account for people: how many instructions were executed, and each trap.
pub fn summary(report: &Report, isa: impl Into<Isa>) -> String {
    let isa = isa.into();
    let traps: Vec<&Retired> = report.retired.iter().filter(|retired| retired.trap.is_some()).collect();
    let mut text = format!("{}: {} instructions, {} trapped\n", report.config, report.retired.len(), traps.len());
    for Retired { pc, word, trap } in traps {
        if let Some(trap) = trap {
            let name = trap.cause_name();
            let source = asm::disassemble(*word, isa);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  pc {pc:#x}: {source}: {name} (cause {}, tval {:#010x})", trap.cause, trap.tval);
        }
    }
    text
}
