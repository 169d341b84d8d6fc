// SPDX-License-Identifier: Apache-2.0
//! Running a program, or a stream of words, on a machine.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::asm;
use crate::decode::Isa;
use crate::hart::{Ending, Hart};
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::report::{Report, Retired};

/// Default limit of instructions for a program.
pub const LIMIT: u64 = 100_000_000;

/// Lets a long run say how far it is: after three seconds, then every ten.
#[derive(Debug)]
pub struct Pulse {
    start: Instant,
    next: Duration,
    done: u64,
}

impl Default for Pulse {
    fn default() -> Self {
        Self { start: Instant::now(), next: Duration::from_secs(3), done: 0 }
    }
}

impl Pulse {
    /// Another instruction is done; `tell` gets their number when it is time.
    pub fn beat(&mut self, tell: impl Fn(u64)) {
        self.done += 1;
        // A look at the clock takes longer than an instruction.
        if self.done.is_multiple_of(1 << 12) && self.start.elapsed() >= self.next {
            self.next = self.start.elapsed() + Duration::from_secs(10);
            tell(self.done);
        }
    }
}

/// The result of a finished program beside the state of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Instructions that were executed.
    pub executed: u64,
    /// Those of them that trapped, in order.
    pub trapped: Vec<Retired>,
}

/// Why a program did not end properly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// It exceeds the limit of instructions.
    #[error("the program has not ended after {0} instructions (--limit)")]
    Limit(u64),
    /// It fetches from an address without a program.
    #[error("{0}")]
    Nowhere(Ending),
    /// Every instruction trapped.
    #[error("every instruction of the program trapped, and there is no handler: is it for another configuration?")]
    OnlyTraps,
}

/// Executes a stream: `words` in order, on a host that knows only `lui` and `addi`.
pub fn run(machine: &mut Machine, words: &[u32]) -> Report {
    let retired = words.iter().map(|&word| Retired::from(&machine.step(word))).collect();
    Report::new(machine, retired)
}

/// Executes the loaded program until it ends and returns its exit code. Calls `seen` for every instruction.
///
/// # Errors
/// If it does not end.
pub fn execute(machine: &mut Machine, limit: u64, mut seen: impl FnMut(&Outcome)) -> Result<u32, Stuck> {
    for _ in 0..limit {
        match machine.step_program() {
            Ok(outcome) => seen(&outcome),
            Err(ending) => return exit_code(ending, &machine.hart),
        }
    }
    match machine.hart.fetch() {
        Err(ending @ Ending::Exit(_)) => exit_code(ending, &machine.hart),
        _ => Err(Stuck::Limit(limit)),
    }
}

/// The exit code of a program that has ended so and left `hart`.
///
/// # Errors
/// When that is no end of a program.
pub fn exit_code(ending: Ending, hart: &Hart) -> Result<u32, Stuck> {
    match ending {
        Ending::Exit(_) if hart.instret == 0 && hart.pc != 0 => Err(Stuck::OnlyTraps),
        Ending::Exit(code) => Ok(code),
        Ending::Nowhere(_) => Err(Stuck::Nowhere(ending)),
    }
}

impl Account {
    /// Adds an instruction.
    pub fn add(&mut self, retired: Retired) {
        self.executed += 1;
        if retired.trap.is_some() {
            self.trapped.push(retired);
        }
    }

    /// A summary as text: number of instructions, each trap, and an exit code other than 0.
    pub fn text(&self, config: &str, exit: Option<u32>, isa: impl Into<Isa>) -> String {
        let isa = isa.into();
        let mut text = format!("{config}: {} instructions, {} trapped\n", self.executed, self.trapped.len());
        // Writing to a string cannot fail.
        for Retired { pc, word, trap } in &self.trapped {
            if let Some(trap) = trap {
                let name = trap.cause_name();
                let source = asm::disassemble(*word, isa);
                let _ =
                    writeln!(text, "  pc {pc:#x}: {source}: {name} (cause {}, tval {:#010x})", trap.cause, trap.tval);
            }
        }
        if let Some(code) = exit.filter(|&code| code != 0) {
            let _ = writeln!(text, "  exit code {code}");
        }
        text
    }
}

/// A summary as text: number of instructions, and each trap.
pub fn summary(report: &Report, isa: impl Into<Isa>) -> String {
    let mut account = Account::default();
    report.retired.iter().for_each(|&retired| account.add(retired));
    account.text(&report.config, report.exit, isa)
}
