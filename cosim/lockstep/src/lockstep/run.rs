// SPDX-License-Identifier: Apache-2.0
//! A run in lockstep. In each clock cycle data goes one way: from the environment with the unit to the scoreboard,
//! which compares; the observers see both.

use golden::hart::{Place, ProgramError};
use golden::run::{Stuck, exit_code};
use golden::{Ending, Hart, Machine, Outcome, Program};

use super::environment::Environment;
use super::environment::in_flight::Operands;
use super::environment::in_flight::{Instruction, State};
use super::failure::{Cause, Crash, Failure, Retirement};
use super::observers::{Counts, Observers, ProgramStep};
use super::scoreboard::{Scoreboard, ports, result, state};
use super::setup::Setup;
use crate::base::interrupt::Interrupt;
use crate::unit::target::Target;
use crate::unit::{ModelKind, Rtl, RtlError};

/// A verilated unit and the golden model, in step.
pub struct Lockstep {
    target: Target,
    environment: Environment,
    /// None when the RTL runs alone.
    scoreboard: Option<Scoreboard>,
    pub observers: Observers,
    /// Is asked at the start of every cycle: to find where a process dies, and to stop before.
    pub tracker: Option<Tracker>,
    /// A program is left where it is after a signal.
    pub interrupt: Interrupt,
}

/// Takes the failure that one in this cycle would be. An error ends the run before the cycle.
pub type Tracker = Box<dyn FnMut(&Failure) -> Result<(), Cause> + Send>;

impl Lockstep {
    /// A unit and a model after reset.
    ///
    /// # Errors
    /// When the verilated model cannot be made; [`RtlError`] names the reason.
    pub fn new(target: &Target, kind: ModelKind, setup: &Setup) -> Result<Lockstep, RtlError> {
        let environment = Environment::new(target, kind, setup)?;
        let scoreboard = (!setup.bare).then(|| {
            let mut model = Box::new(Machine::new(&target.golden));
            model.l1m.clone_from(&environment.l1m.memory);
            model.l0m.clone_from(&environment.l0m.memory);
            Scoreboard::new(target, model, environment.rtl.has_probe())
        });
        Ok(Lockstep {
            target: target.clone(),
            environment,
            scoreboard,
            observers: Observers::default(),
            tracker: None,
            interrupt: Interrupt::default(),
        })
    }

    /// From a request that a memory takes to its answer so many clock cycles pass, at least one. To be called before a
    /// run, once.
    pub fn set_latency(&mut self, cycles: u32) {
        self.environment.set_latency(cycles);
    }

    /// Puts a program into the memories of both sides, to be run by [`Lockstep::run_program`].
    ///
    /// # Errors
    /// When it does not fit.
    pub fn load(&mut self, program: &Program) -> Result<(), ProgramError> {
        self.environment.load(program)?;
        let l0m = &self.environment.l0m.memory.bytes;
        self.scoreboard.as_mut().map_or(Ok(()), |scoreboard| scoreboard.load(program, l0m))
    }

    /// Runs the stream `program` until all of it has retired. May be called again to go on from there.
    ///
    /// # Errors
    /// The first difference, hang or broken rule.
    pub fn run(&mut self, program: &[u32]) -> Result<(), Box<Failure>> {
        self.run_until(program, u64::MAX)
    }

    /// Resets the unit in the middle of `program`, after `cycles` clock cycles. Everything but the memories is then as
    /// it was after construction.
    pub fn run_and_reset(&mut self, program: &[u32], cycles: u64) -> Result<(), Box<Failure>> {
        self.run_until(program, self.environment.cycle + cycles)?;
        self.environment.reset().map_err(|error| self.failure(error.into()))?;
        self.observers.reset();
        let l0m = &self.environment.l0m.memory.bytes;
        self.scoreboard.iter_mut().for_each(|scoreboard| scoreboard.reset(l0m));
        Ok(())
    }

    fn run_until(&mut self, program: &[u32], last_cycle: u64) -> Result<(), Box<Failure>> {
        let mut rest = program;
        self.environment.progress = self.environment.cycle;
        while self.environment.cycle < last_cycle {
            self.environment.offer(&mut rest, &mut self.observers);
            self.retire_host().map_err(|cause| self.failure(cause))?;
            if rest.is_empty() && self.environment.in_flight.is_empty() {
                return Ok(());
            }
            self.cycle(&mut rest).map_err(|cause| self.failure(cause))?;
        }
        Ok(())
    }

    /// Runs the program that was loaded until it has ended and all of it has retired, and gives its exit code; or says
    /// why it does not end, at the latest after `limit` instructions, or after a signal.
    ///
    /// # Errors
    /// The first difference, hang or broken rule.
    pub fn run_program(&mut self, limit: u64) -> Result<Result<u32, Stuck>, Box<Failure>> {
        self.environment.progress = self.environment.cycle;
        let last = self.observers.counts.retired.saturating_add(limit);
        loop {
            let ended = self.offer_program();
            self.retire_host().map_err(|cause| self.failure(cause))?;
            match ended {
                Err(ending) if self.environment.in_flight.is_empty() => {
                    // Streams may follow.
                    self.environment.in_program = false;
                    return Ok(exit_code(ending, &self.environment.host.hart));
                }
                _ if self.observers.counts.retired >= last || self.interrupt.signal().is_some() => {
                    return Ok(Err(Stuck::Limit(limit)));
                }
                _ => {}
            }
            self.cycle(&mut &[][..]).map_err(|cause| self.failure(cause))?;
        }
    }

    fn offer_program(&mut self) -> Result<(), Ending> {
        let written = self.environment.offer_program(&mut self.observers)?;
        let l0m = &self.environment.l0m.memory.bytes;
        self.scoreboard.iter_mut().for_each(|scoreboard| scoreboard.host_stored(l0m, &written));
        Ok(())
    }

    /// One clock cycle of everything. What the unit takes is the first word of `rest`.
    fn cycle(&mut self, rest: &mut &[u32]) -> Result<(), Cause> {
        self.track()?;
        let Lockstep { environment, scoreboard, observers, .. } = self;
        let beat = environment.clock(observers)?;
        if let Some(scoreboard) = scoreboard {
            scoreboard
                .compare_cycle(&environment.rtl, environment.in_flight.unanswered().any(Instruction::changes_csrs))?;
            scoreboard.collect(&environment.rtl, beat)?;
        }
        environment.issue(rest, observers)?;
        if environment.takes_result() {
            self.retire_unit()?;
        } else {
            environment.check_progress()?;
        }
        if self.environment.end_cycle() {
            self.scoreboard.as_mut().map_or(Ok(()), Scoreboard::recovered)?;
            self.observers.each_hook(|hook| hook.recovered());
        }
        self.environment.cycle += 1;
        self.observers.counts.cycles = self.environment.cycle;
        Ok(())
    }

    /// Retires the instructions of the host that are not behind one of the unit.
    fn retire_host(&mut self) -> Result<(), Cause> {
        while let Some(&entry) = self.environment.in_flight.oldest() {
            let State::Host(write, trap) = entry.state else { break };
            self.retirement(&entry, trap, false);
            if let Some(scoreboard) = &mut self.scoreboard {
                // In a stream the host takes no time.
                self.observers.counts.roofline += u64::from(entry.in_program);
                let access = scoreboard.model.hart.access(entry.word);
                let outcome = scoreboard.retire_host(&entry)?;
                self.observers.counts.compared += 1;
                self.show(&entry, &outcome, access);
            }
            self.environment.host.committed(write, trap.is_none());
            self.environment.in_flight.retire();
        }
        Ok(())
    }

    /// Takes the result on the result port.
    fn retire_unit(&mut self) -> Result<(), Cause> {
        self.retire_host()?;
        let (entry, killed) = self.environment.answered()?;
        if killed {
            return self.retire_killed(&entry);
        }
        let (trap, write) = result(&self.environment.rtl.outputs);
        self.retirement(&entry, trap, false);
        if let Some(scoreboard) = &mut self.scoreboard {
            self.observers.retiring(&self.target, &scoreboard.model, entry.word);
            let outcome = scoreboard.retire(&entry, &self.environment.rtl)?;
            self.observers.each_hook(|hook| hook.retired(&scoreboard.model, entry.word, &outcome));
            self.observers.counts.compared += 1;
            if trap.is_some() && self.target.rtl.precise {
                scoreboard.trapped(&outcome, self.environment.in_flight.younger())?;
            }
            self.show(&entry, &outcome, None);
        }
        self.environment.retire(&entry, trap, write);
        Ok(())
    }

    /// Takes a result that says that its instruction was killed, as it must.
    fn retire_killed(&mut self, entry: &Instruction) -> Result<(), Cause> {
        let rtl = &self.environment.rtl;
        let begun = self.scoreboard.as_mut().map_or(Ok(false), |scoreboard| scoreboard.killed(entry, rtl))?;
        self.environment.in_flight.kill();
        self.retirement(entry, None, true);
        self.observers.each_hook(|hook| hook.killed(entry.word, begun));
        Ok(())
    }

    fn retirement(&mut self, entry: &Instruction, trap: Option<golden::Trap>, killed: bool) {
        let (&Instruction { index, pc, word, issued, state, .. }, cycle) = (entry, self.environment.cycle);
        let host = matches!(state, State::Host(..));
        self.environment.progress = cycle;
        self.observers.retirement(&self.target, Retirement { index, pc, word, trap, cycle, host, killed }, issued);
    }

    /// Shows an instruction of a program, the oldest one in flight, to the hooks.
    fn show(&mut self, entry: &Instruction, outcome: &Outcome, access: Option<(Place, bool)>) {
        let (Some(scoreboard), true) = (&self.scoreboard, entry.in_program && !self.observers.hooks.is_empty()) else {
            return;
        };
        let (in_flight, of_unit) = (&self.environment.in_flight, !matches!(entry.state, State::Host(..)));
        let waiting = of_unit && in_flight.any_killed();
        let behind = of_unit && in_flight.younger().any(|entry| entry.id().is_some());
        let handler = scoreboard.model.hart.has_handler();
        let engine = entry.engine;
        let step = ProgramStep { outcome, access, of_unit, engine, handler, waiting, behind };
        self.observers.each_hook(|hook| hook.program_step(&step));
    }

    /// Compares the whole state, and that every instruction was compared. To be called after a run. Without a probe the
    /// registers are stored first.
    ///
    /// # Errors
    /// The first difference.
    pub fn finish(&mut self) -> Result<Counts, Box<Failure>> {
        self.track().map_err(|cause| self.failure(cause))?;
        if self.scoreboard.as_ref().is_some_and(Scoreboard::sees_ports_only) {
            self.check_program().map_err(|cause| self.failure(cause))?;
            self.run(&ports::store_registers(&self.target.golden, &self.environment.l0m.memory.faults))?;
        } else {
            while !self.environment.is_over() {
                self.cycle(&mut &[][..]).map_err(|cause| self.failure(cause))?;
            }
        }
        self.check_end().map_err(|cause| self.failure(cause))?;
        let most = [self.environment.l1m.most_unanswered(), self.environment.l0m.most_unanswered()];
        self.observers.each_hook(|hook| hook.requests(most));
        self.observers.each_hook(|hook| hook.finished());
        Ok(self.observers.counts.clone())
    }

    fn check_program(&self) -> Result<(), Cause> {
        let Environment { host, l1m, .. } = &self.environment;
        let Some(scoreboard) = &self.scoreboard else { return Ok(()) };
        Ok(scoreboard.finish_program(&host.hart, &l1m.memory.bytes)?)
    }

    fn check_end(&self) -> Result<(), Cause> {
        let Some(scoreboard) = &self.scoreboard else { return Ok(()) };
        let Environment { host, rtl, l0m, .. } = &self.environment;
        scoreboard.finish(host.x(), rtl, &l0m.memory.bytes)?;
        if !scoreboard.sees_ports_only() {
            self.check_program()?;
        }
        let Counts { retired, compared, .. } = self.observers.counts;
        Ok(state::all_compared(retired, compared)?)
    }

    /// Asks the tracker, when there is one, whether to go on.
    fn track(&mut self) -> Result<(), Cause> {
        let Some(mut tracker) = self.tracker.take() else { return Ok(()) };
        let unknown = Crash { how: String::new(), message: String::new() };
        let answer = tracker(&self.failure(Cause::Crash(unknown)));
        self.tracker = Some(tracker);
        answer
    }

    fn failure(&self, cause: Cause) -> Box<Failure> {
        let Environment { in_flight, cycle, .. } = &self.environment;
        let at = in_flight.oldest().map(|oldest| (oldest.pc, oldest.word, oldest.index));
        let operands = in_flight.oldest().map_or(Operands::default(), |oldest| oldest.operands);
        Failure::new(cause, at, *cycle, &self.observers.history, operands, self.model())
    }

    /// Goes on for some cycles after a failure, so that its last edge is not the end of the waveform. Nothing is
    /// compared; it ends early when the unit fails.
    pub fn coast(&mut self, cycles: u64) {
        self.environment.coast(cycles);
    }

    pub fn counts(&self) -> &Counts {
        &self.observers.counts
    }

    pub fn rtl(&mut self) -> &mut Rtl {
        &mut self.environment.rtl
    }

    /// The golden model, unless it was left out.
    pub fn model(&self) -> Option<&Machine> {
        self.scoreboard.as_ref().map(|scoreboard| &*scoreboard.model)
    }

    /// The host, with its registers and program memory.
    pub fn hart(&self) -> &Hart {
        &self.environment.host.hart
    }

    /// L0M as the unit left it.
    pub fn l0m(&self) -> &[u8] {
        &self.environment.l0m.memory.bytes
    }

    /// L0M as the retired stores left it; all of it when the RTL runs alone.
    pub fn retired_l0m(&self) -> &[u8] {
        self.scoreboard.as_ref().map_or(self.l0m(), Scoreboard::retired_l0m)
    }
}
