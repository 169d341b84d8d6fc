// SPDX-License-Identifier: Apache-2.0
//! A program on a system with a real core, and on the model: every instruction of the core and of the unit is compared,
//! and at the end every memory.
//!
//! PicoRV32 shows an instruction late, when it has begun with the next one. So the model executes an instruction of the
//! unit when the unit retires it, and the core's view of it is compared later.
//!
//! A second unit has a model of its own, which executes its instructions with the registers and memories of the first one.
//! Of it the core's view and the memories are compared: the unit that is watched is compared as ever.
//!
//! An adapter refuses the first encoding of an instruction that has a second one, which the model of a unit executes.
//!
//! Behind CV-X-IF a load or store of the unit that faults is no trap of the core: the program goes on, which the model
//! does without a handler.

use std::collections::VecDeque;
use std::mem::swap;

use anyhow::Result;
use golden::decode::{Decoded, decode};
use golden::hart::Pages;
use golden::{Machine, Outcome, Program, Trap};

use super::environment::in_flight::Operands;
use super::environment::in_flight::{Instruction, State};
use super::environment::memory::Beat;
use super::failure::{Cause, Failure, Mismatch, Retirement};
use super::retirement::History;
use super::scoreboard::{Scoreboard, compare_write, state};
use crate::unit::system::{RAM_BYTES, Soc, SocMemory, check_size};
use crate::unit::target::Target;
use crate::unit::{ModelKind, RESET_CYCLES};

/// Clock cycles without an instruction after which a system hangs: far more than the longest instruction takes.
const HANG: u64 = 100_000;
/// Addresses of the monitor are at and above this one.
const MONITOR: u32 = 0x4000_0000;
/// Where it takes a trap.
const MONITOR_TRAP: u32 = MONITOR + 0x100;
/// PicoRV32 has no `mret`: this is one to the monitor, too.
pub const MRET: u32 = 0x3020_0073;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemCounts {
    /// Clock cycles from the first instruction of the program to its end.
    pub cycles: u64,
    /// Instructions of the program that were compared, those of the unit included.
    pub instructions: u64,
    /// Instructions of the unit that were compared.
    pub unit: u64,
    /// Instructions of the second unit that were compared.
    pub second: u64,
    pub traps: u64,
}

impl SystemCounts {
    pub fn add(&mut self, other: &SystemCounts) {
        self.cycles += other.cycles;
        self.instructions += other.instructions;
        self.unit += other.unit;
        self.second += other.second;
        self.traps += other.traps;
    }
}

/// Who has executed an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Executed {
    Core,
    Unit,
    Second,
}

/// A verilated system and the golden model, in step.
pub struct System {
    soc: Soc,
    kind: ModelKind,
    scoreboard: Scoreboard,
    /// The second unit.
    second: Option<Box<Machine>>,
    /// Executed by units, and not shown by the core yet.
    awaited: VecDeque<(Executed, Outcome)>,
    /// The core has shown an instruction after which it goes to the monitor.
    trapped: bool,
    x: [u32; 32],
    console: Vec<u8>,
    exit: u32,
    cycle: u64,
    /// Cycle in which the monitor has begun the program.
    start: Option<u64>,
    progress: u64,
    counts: SystemCounts,
    history: History,
}

impl System {
    /// The system `kind` and a model with a program in their memories, and with these contents of L1M. `seed` and
    /// `selection` as of [`Soc::new`].
    ///
    /// # Errors
    /// When the verilated model cannot be made, or the program does not fit.
    pub fn new(
        target: &Target,
        kind: ModelKind,
        program: &Program,
        l1m: &[u8],
        [seed, selection]: [u32; 2],
    ) -> Result<System> {
        let mut target = target.clone();
        // The adapter for CV-X-IF has it, whatever the configuration says.
        for golden in [&mut target.golden].into_iter().chain(&mut target.second) {
            golden.csr_op |= kind == ModelKind::SocE40x;
        }
        let target = &target;
        let mut model = Box::new(Machine::new(&target.golden));
        model.l1m.fill(l1m)?;
        model.load(program)?;
        check_size(&model.hart.ram)?;
        let mut soc = Soc::new(target, kind, seed.into(), selection)?;
        soc.reset(RESET_CYCLES)?;
        soc.memory(SocMemory::Ram).copy_from_slice(&folded(&model.hart.ram));
        soc.memory(SocMemory::L1m).copy_from_slice(&model.l1m.bytes);
        soc.memory(SocMemory::L0m).copy_from_slice(&model.l0m.bytes);
        Ok(System {
            soc,
            kind,
            scoreboard: Scoreboard::new(target, model, true),
            second: target.second.as_ref().map(|config| Box::new(Machine::new(config))),
            awaited: VecDeque::new(),
            trapped: false,
            x: [0; 32],
            console: Vec::new(),
            exit: 0,
            cycle: 0,
            start: None,
            progress: 0,
            counts: SystemCounts::default(),
            history: History::default(),
        })
    }

    /// Runs the program to its end; gives its exit code.
    ///
    /// # Errors
    /// The first difference, or a hang.
    pub fn run(&mut self) -> Result<u32, Box<Failure>> {
        while !self.awaited.is_empty() || self.scoreboard.model.hart.fetch().is_ok() {
            self.step().map_err(|cause| self.failure(cause))?;
        }
        self.counts.cycles = self.cycle - self.start.unwrap_or_default();
        self.finish().map_err(|mismatch| self.failure(mismatch.into()))?;
        Ok(self.exit)
    }

    pub fn counts(&self) -> SystemCounts {
        self.counts
    }

    pub fn l0m(&mut self) -> &[u8] {
        self.soc.memory(SocMemory::L0m)
    }

    pub fn console(&self) -> &[u8] {
        &self.console
    }

    /// The system, to plant something in it.
    pub fn soc(&mut self) -> &mut Soc {
        &mut self.soc
    }

    fn step(&mut self) -> Result<(), Cause> {
        self.soc.step()?;
        let core = self.soc.core;
        self.cycle += 1;
        if core.fault || core.stopped {
            let what = if core.fault { "reaches for an address where nothing is" } else { "has given up" };
            return Err(Cause::Protocol(format!("the core {what}").into()));
        }
        if core.print_valid {
            self.console.push(core.print);
        }
        if core.exit_valid {
            self.exit = core.exit_code;
        }
        self.observe_unit()?;
        if core.retire_valid && std::mem::take(&mut self.trapped) != (core.pc == MONITOR_TRAP) {
            let (what, model) = ("pc after a trap".into(), self.scoreboard.model.hart.pc);
            return Err(Mismatch::Host { what, rtl: core.pc, model }.into());
        }
        if core.retire_valid && core.pc >= MONITOR {
            self.x[usize::from(core.rd & 31)] = core.data;
            self.x[0] = 0;
            self.start = self.start.filter(|_| self.counts.instructions > 0).or(Some(self.cycle));
        } else if core.retire_valid {
            self.retire_core()?;
        }
        if self.cycle - self.progress > HANG {
            return Err(Cause::Hang { cycles: self.cycle - self.progress, bound: HANG });
        }
        Ok(())
    }

    /// What the unit did in this cycle.
    fn observe_unit(&mut self) -> Result<(), Cause> {
        let out = self.soc.unit().outputs;
        let (address, enables, data) = (out.l0m_addr, out.l0m_be, out.l0m_wdata);
        let granted = out.l0m_req && self.soc.core.l0m_gnt;
        let beat = granted.then_some(Beat { address, enables, data, error: false });
        self.scoreboard.collect(self.soc.unit(), beat)?;
        if !out.retire_valid {
            return Ok(());
        }
        // PicoRV32 has one instruction in flight at a time, so there is never one behind a trap.
        if out.result_killed {
            return Err(Mismatch::Killed { rtl: true, expected: false }.into());
        }
        // An older instruction of the other unit may still wait for its result.
        while let Some(outcome) = self.step_second() {
            self.awaited.push_back((Executed::Second, outcome));
        }
        let hart = &self.scoreboard.model.hart;
        let next = Instruction {
            index: self.counts.instructions,
            pc: hart.pc,
            word: hart.fetch().ok().flatten().ok_or_else(|| self.ended())?,
            engine: None,
            result_register: 0,
            operands: Operands::default(),
            issued: 0,
            stall_seed: 0,
            in_program: true,
            state: State::Issued(0),
        };
        let outcome = self.scoreboard.retire(&next, self.soc.unit())?;
        self.awaited.push_back((Executed::Unit, outcome));
        self.counts.unit += 1;
        Ok(())
    }

    /// Executes the next instruction of the program if it is the second unit's.
    fn step_second(&mut self) -> Option<Outcome> {
        let (model, second) = (&mut *self.scoreboard.model, self.second.as_mut()?);
        let word = model.hart.fetch().ok().flatten()?;
        let decoded = decode(word, second.config());
        if matches!(decoded, Decoded::NotOurs | Decoded::Host(_)) {
            return None;
        }
        second.hart.pc = model.hart.pc;
        if is_refused(word, second.config()) {
            return Some(refused(model, word));
        }
        (0..32).for_each(|i| second.set_x(i, model.x(i)));
        swap(&mut model.l1m, &mut second.l1m);
        swap(&mut model.l0m, &mut second.l0m);
        let outcome = second.step(word);
        swap(&mut model.l1m, &mut second.l1m);
        swap(&mut model.l0m, &mut second.l0m);
        if let Some((rd, value)) = outcome.gpr_write {
            model.set_x(rd, value);
        }
        model.hart.retire(&outcome);
        self.counts.second += 1;
        Some(outcome)
    }

    /// Executes the next instruction of the program if it is none of a unit.
    fn step_core(&mut self) -> Result<Outcome, Mismatch> {
        let model = &mut *self.scoreboard.model;
        match model.hart.fetch() {
            Ok(Some(word)) if is_refused(word, model.config()) => Ok(refused(model, word)),
            _ => model.step_program().map_err(|_| self.ended()),
        }
    }

    /// The core shows an instruction: it has to be the model's, with what it wrote.
    fn retire_core(&mut self) -> Result<(), Cause> {
        let second = |outcome| (Executed::Second, outcome);
        let (by, outcome) = match self.awaited.pop_front().or_else(|| self.step_second().map(second)) {
            Some(executed) => executed,
            None => (Executed::Core, self.step_core()?),
        };
        let watched = by == Executed::Unit;
        let core = self.soc.core;
        for (what, rtl, model) in [("pc", core.pc, outcome.pc), ("instruction word", core.word, outcome.word)] {
            if rtl != model {
                return Err(Mismatch::Host { what: what.into(), rtl, model }.into());
            }
        }
        compare_write((core.rd != 0).then_some((core.rd, core.data)), &outcome)?;
        if let Some((rd, value)) = outcome.gpr_write {
            self.x[usize::from(rd)] = value;
        }
        if !watched && !outcome.mem_writes.is_empty() {
            self.scoreboard.host_stored(self.soc.memory(SocMemory::L0m), &outcome.mem_writes);
        }
        let Outcome { pc, word, trap, .. } = outcome;
        self.trapped = match self.kind {
            // A fault of a unit is none of the core; an illegal instruction is one that the unit has rejected.
            ModelKind::SocE40x => {
                let rejected = |trap: Trap| by == Executed::Core || trap.cause == Trap::ILLEGAL;
                !watched && trap.is_some_and(rejected) && !self.scoreboard.model.hart.has_handler()
            }
            _ => trap.is_some() || word == MRET,
        };
        let index = self.counts.instructions;
        self.history.push(Retirement {
            index,
            pc,
            word,
            trap,
            cycle: self.cycle,
            host: by == Executed::Core,
            killed: false,
        });
        self.counts.instructions += 1;
        self.counts.traps += u64::from(trap.is_some());
        self.progress = self.cycle;
        Ok(())
    }

    fn ended(&self) -> Mismatch {
        let (rtl, model) = (self.soc.core.pc, self.scoreboard.model.hart.pc);
        Mismatch::Host { what: "end of the program".into(), rtl, model }
    }

    /// Compares everything that is left behind.
    fn finish(&mut self) -> Result<(), Mismatch> {
        let l0m = self.soc.memory(SocMemory::L0m).to_vec();
        self.scoreboard.finish(&self.x, self.soc.unit(), &l0m)?;
        let model = &self.scoreboard.model;
        state::bytes("program memory", self.soc.memory(SocMemory::Ram), &folded(&model.hart.ram))?;
        state::bytes("L1M", self.soc.memory(SocMemory::L1m), &model.l1m.bytes)?;
        state::bytes("what was printed", &self.console, &model.hart.console)?;
        match model.hart.exit {
            Some(code) if code != self.exit => {
                Err(Mismatch::Host { what: "exit code".into(), rtl: self.exit, model: code })
            }
            _ => Ok(()),
        }
    }

    fn failure(&self, cause: Cause) -> Box<Failure> {
        let hart = &self.scoreboard.model.hart;
        let word = hart.fetch().ok().flatten().unwrap_or_default();
        let at = Some((hart.pc, word, self.counts.instructions));
        let model = Some(&*self.scoreboard.model);
        Failure::new(cause, at, self.cycle, &self.history, Operands::default(), model)
    }
}

/// Whether it is the first encoding of an instruction that has a second one: a core with the unit has no third operand.
pub fn is_refused(word: u32, golden: &golden::Config) -> bool {
    let Decoded::Tensor(tensor) = decode(word, golden) else { return false };
    golden.gpr_rs1 && !tensor.is_second_form() && tensor.second_form().is_some()
}

/// The trap of an instruction that an adapter refuses.
fn refused(model: &mut Machine, word: u32) -> Outcome {
    let outcome = Outcome { pc: model.hart.pc, word, trap: Some(Trap::illegal(word)), ..Outcome::default() };
    model.hart.retire(&outcome);
    outcome
}

/// The large program memory of the model, folded to the small one of the system, which repeats itself in the same
/// addresses. A program that uses two addresses of one byte is a difference.
fn folded(ram: &Pages) -> Vec<u8> {
    let mut folded: Vec<u8> = vec![0; RAM_BYTES];
    for (address, page) in ram.written() {
        folded[address as usize % RAM_BYTES..].iter_mut().zip(page).for_each(|(all, byte)| *all |= byte);
    }
    folded
}
