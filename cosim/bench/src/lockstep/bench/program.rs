// SPDX-License-Identifier: Apache-2.0
//! A program on the bench: the host fetches, executes what is its own, at most one instruction in a clock cycle, and issues
//! the rest.

use std::mem::take;

use golden::hart::ProgramError;
use golden::run::{Stuck, exit_code};
use golden::{Ending, Machine, Memory, Outcome, Program};

use super::{Kind, Lockstep};
use crate::lockstep::check;
use crate::lockstep::failure::{Cause, Failure, Mismatch};
use crate::lockstep::host::{Host, Next, Operands};
use crate::lockstep::profile::reason::Host as Does;

impl Lockstep {
    /// Puts a program into the memories of both sides, to be run by [`Lockstep::run_program`].
    ///
    /// # Errors
    /// When it does not fit.
    pub fn load(&mut self, program: &Program) -> Result<(), ProgramError> {
        self.with_memories(|host, l1m, l0m| host.hart.load(program, l1m, l0m))?;
        self.host.start();
        self.stores.reset(&self.l0m.bytes);
        self.program = true;
        self.model.iter_mut().try_for_each(|model| model.load(program))
    }

    /// Runs the program that was loaded until it has ended and all of it has retired, and gives its exit code; or says
    /// why it does not end, at the latest after `limit` instructions, or after a signal.
    ///
    /// # Errors
    /// The first difference, hang or broken rule.
    pub fn run_program(&mut self, limit: u64) -> Result<Result<u32, Stuck>, Box<Failure>> {
        self.progress = self.counts.cycles;
        let last = self.counts.retired.saturating_add(limit);
        loop {
            let ended = self.offer_of_program();
            self.retire_host().map_err(|cause| self.failure(cause))?;
            match ended {
                Some(ending) if self.in_flight.is_empty() => {
                    // Streams may follow.
                    self.program = false;
                    return Ok(exit_code(ending, &self.host.hart));
                }
                _ if self.counts.retired >= last || self.interrupt.signal().is_some() => {
                    return Ok(Err(Stuck::Limit(limit)));
                }
                _ => {}
            }
            self.cycle(&mut &[][..]).map_err(|cause| self.failure(cause))?;
        }
    }

    /// Lets the host execute one instruction, or puts the next one of the unit on the issue port; or how it has ended.
    fn offer_of_program(&mut self) -> Option<Ending> {
        if self.inputs.issue_valid || self.offer_killed() {
            return None;
        }
        self.pc = self.host.hart.pc;
        let (cycle, unit) = (self.counts.cycles, self.outstanding());
        match self.with_memories(|host, l1m, l0m| host.next(cycle, &unit, [l1m, l0m])) {
            Err(ending) => return Some(ending),
            Ok(Next::Done(outcome)) => {
                self.stores.written_by_host(&self.l0m.bytes, &outcome.mem_writes);
                let Outcome { word, gpr_write, trap, .. } = outcome;
                self.profile_host(Does::Executes, word);
                self.push(word, Operands::default(), Kind::Host(gpr_write, trap));
            }
            Ok(Next::Unit(word, operands)) => self.offer_word(word, operands, &unit),
            Ok(Next::Wait) => {
                let word = self.host.hart.fetch().ok().flatten().unwrap_or_default();
                self.profile_host(Does::Waits, word);
            }
        }
        None
    }

    /// The host, and the memories behind the ports as it sees them.
    fn with_memories<T>(&mut self, run: impl FnOnce(&mut Host, &mut Memory, &mut Memory) -> T) -> T {
        let mut l1m = Memory { bytes: take(&mut self.l1m.bytes), faults: take(&mut self.l1m.faults) };
        let mut l0m = Memory { bytes: take(&mut self.l0m.bytes), faults: take(&mut self.l0m.faults) };
        let result = run(&mut self.host, &mut l1m, &mut l0m);
        (self.l1m.bytes, self.l1m.faults) = (l1m.bytes, l1m.faults);
        (self.l0m.bytes, self.l0m.faults) = (l0m.bytes, l0m.faults);
        result
    }

    /// Executes the next instruction on the model, which has to be this one: of the stream, or of the program in clock
    /// cycle `cycle`.
    pub(super) fn step_model(&mut self, pc: u32, word: u32, cycle: u64) -> Result<Outcome, Cause> {
        let Some(model) = &mut self.model else { return Ok(Outcome::default()) };
        Ok(step(model, self.program, pc, word, cycle)?)
    }

    /// Compares the host after a program, while what it shares with the model is still the same program.
    pub(super) fn check_hart(&self) -> Result<(), Mismatch> {
        let loaded = !self.host.hart.ram.bytes.is_empty();
        self.model.iter().filter(|_| loaded).try_for_each(|model| check::hart(&self.host.hart, &self.l1m.bytes, model))
    }
}

/// Executes the next instruction on a model, which has to be this one.
pub(super) fn step(model: &mut Machine, program: bool, pc: u32, word: u32, cycle: u64) -> Result<Outcome, Mismatch> {
    if !program {
        return Ok(model.step(word));
    }
    model.hart.cycle = cycle;
    match model.step_program() {
        Ok(outcome) if outcome.pc != pc => Err(Mismatch::Host { what: "pc".into(), rtl: pc, model: outcome.pc }),
        Ok(outcome) if outcome.word != word => {
            Err(Mismatch::Host { what: "instruction word".into(), rtl: word, model: outcome.word })
        }
        Ok(outcome) => Ok(outcome),
        Err(_) => Err(Mismatch::Host { what: "end of the program".into(), rtl: pc, model: model.hart.pc }),
    }
}
