// SPDX-License-Identifier: Apache-2.0
//! The environment of the unit: the host, the two memories, and the stalls of all ports. It drives the inputs of each
//! clock cycle, takes the outputs, and checks the rules of the ports. It knows nothing of the model.

pub mod host;
pub mod in_flight;
pub mod memory;
mod recovery;
pub mod stall;

use golden::decode::decode;
use golden::hart::ProgramError;
use golden::{Ending, Program, Trap};

use super::bound;
use super::failure::{Cause, Mismatch};
use super::observers::Observers;
use super::setup::Setup;
use crate::unit::target::Target;
use crate::unit::{Inputs, ModelKind, Outputs, Rtl, RtlError};
use host::{Activity, Host, Line, Next, Route};
use in_flight::{InFlight, Instruction, Operands, Outstanding, State, is_store, result_register};
use memory::{Beat, LoadPort, StorePort};
use recovery::Recovery;
use stall::{NO_STALL, Stall, Stalls};

/// Everything around the unit, and the unit.
pub struct Environment {
    target: Target,
    /// The unit.
    pub rtl: Rtl,
    inputs: Inputs,
    /// Clock cycles so far.
    pub cycle: u64,
    pub host: Host,
    pub l1m: LoadPort,
    pub l0m: StorePort,
    /// What the host has fetched and has not retired.
    pub in_flight: InFlight,
    recovery: Recovery,
    stalls: Stalls,
    /// Cycles per ready cycle of the slowest port, on the average.
    slowdown: u64,
    reset_cycles: u32,
    /// The host fetches from a program; else it is given a stream.
    pub in_program: bool,
    activity: Activity,
    /// Number of the instruction on the issue port, if the unit has killed it before.
    again: Option<u64>,
    next_id: u8,
    /// One store at a time: without a probe, it is not known which beats a store has whose port answers with an error.
    serial_stores: bool,
    /// Clock cycle of the last retirement, or of the start of a run.
    pub progress: u64,
}

impl Environment {
    /// A unit after reset and what is around it.
    pub fn new(target: &Target, kind: ModelKind, setup: &Setup) -> Result<Environment, RtlError> {
        let mut rtl = Rtl::new(target, kind, setup.seed, setup.fault)?;
        rtl.reset(setup.reset_cycles)?;
        let beat = target.rtl.port_bytes() as usize;
        let [l1m, l0m] = setup.memories(&target.golden);
        let mut ports = 1..;
        let mut stall = |class| Stall::new(class, ports.next().unwrap_or_default());
        let plan = &setup.stalls;
        let (issue, result) = (stall(plan.issue), stall(plan.result));
        Ok(Environment {
            serial_stores: !rtl.has_probe() && !setup.l0m_faults.is_empty(),
            rtl,
            l1m: LoadPort::new(l1m, beat, plan.l1m.map(&mut stall)),
            l0m: StorePort::new(l0m, beat, plan.l0m.map(&mut stall)),
            target: target.clone(),
            inputs: Inputs { sample_csrs: !setup.bare, ..Inputs::default() },
            cycle: 0,
            host: Host::new(target.rtl.precise, (&target.golden).into()),
            in_flight: InFlight::default(),
            recovery: Recovery::new(target.rtl.precise),
            stalls: Stalls::new(issue, result, setup.seed, setup.stall_seeds.clone()),
            slowdown: plan.classes().iter().map(|class| u64::from(class.slowdown())).max().unwrap_or(1),
            reset_cycles: setup.reset_cycles,
            in_program: false,
            activity: Activity::Nothing,
            again: None,
            next_id: 0,
            progress: 0,
        })
    }

    /// From a request that a memory takes to its answer so many clock cycles pass, at least one. To be called before a
    /// run, once.
    pub fn set_latency(&mut self, cycles: u32) {
        self.l1m.set_latency(cycles);
        self.l0m.set_latency(cycles);
        self.slowdown *= u64::from(cycles);
    }

    /// Resets the unit and all but the contents of the memories.
    pub fn reset(&mut self) -> Result<(), RtlError> {
        self.rtl.reset(self.reset_cycles)?;
        self.rtl.outputs = Outputs::default();
        self.l1m.reset();
        self.l0m.reset();
        self.host = Host::new(self.target.rtl.precise, (&self.target.golden).into());
        self.in_flight = InFlight::default();
        self.recovery = Recovery::new(self.target.rtl.precise);
        self.stalls.reset();
        (self.inputs.issue_valid, self.again, self.next_id, self.progress) = (false, None, 0, self.cycle);
        Ok(())
    }

    /// Puts a program into the memories.
    pub fn load(&mut self, program: &Program) -> Result<(), ProgramError> {
        self.host.hart.load(program, &mut self.l1m.memory, &mut self.l0m.memory)?;
        self.host.start();
        self.in_program = true;
        Ok(())
    }

    /// Before a clock cycle: lets the host run ahead in `stream` and puts the next instruction of the unit on the issue
    /// port.
    pub fn offer(&mut self, stream: &mut &[u32], observers: &mut Observers) {
        if !self.wants_next() {
            return;
        }
        let unit = self.in_flight.outstanding();
        while let Some((&word, rest)) = stream.split_first() {
            match self.host.route(word, &unit) {
                Route::Done(rd, value) => {
                    let write = (rd != 0).then_some((rd, value));
                    self.fetched(self.line(word), Operands::default(), State::Host(write, None), observers);
                    self.host.advance();
                    *stream = rest;
                }
                Route::Unit(operands) => return self.offer_word(word, operands, &unit),
                Route::Wait => return self.activity = Activity::Waits(self.line(word)),
            }
        }
    }

    /// Before a clock cycle: lets the host execute one instruction of the program, or puts the next one of the unit on
    /// the issue port. Gives the ranges of memory that the host has written: address and length.
    pub fn offer_program(&mut self, observers: &mut Observers) -> Result<Vec<(u32, u32)>, Ending> {
        if !self.wants_next() {
            return Ok(Vec::new());
        }
        let (unit, pc) = (self.in_flight.outstanding(), self.host.hart.pc);
        match self.host.next(self.cycle, &unit, [&mut self.l1m.memory, &mut self.l0m.memory])? {
            Next::Done(outcome) => {
                let line = Line { pc, word: outcome.word };
                self.activity = Activity::Executes(line);
                let state = State::Host(outcome.gpr_write, outcome.trap);
                self.fetched(line, Operands::default(), state, observers);
                return Ok(outcome.mem_writes);
            }
            Next::Unit(word, operands) => self.offer_word(word, operands, &unit),
            Next::Wait => {
                let word = self.host.hart.fetch().ok().flatten().unwrap_or_default();
                self.activity = Activity::Waits(self.line(word));
            }
        }
        Ok(Vec::new())
    }

    /// Whether the issue port is free for the next instruction of the program. It is not while killed ones wait, which
    /// are older: the first of them is put on the port.
    fn wants_next(&mut self) -> bool {
        if self.inputs.issue_valid {
            return false;
        }
        self.activity = Activity::Nothing;
        let killed = if self.recovery.precise() { self.in_flight.next_killed() } else { None };
        let Some(killed) = killed else { return true };
        let Instruction { index, pc, word, operands, .. } = killed;
        self.offer_now(Line { pc, word }, operands, index);
        self.again = self.inputs.issue_valid.then_some(index);
        false
    }

    /// Puts an instruction of the unit on the issue port, unless something holds it back.
    fn offer_word(&mut self, word: u32, operands: Operands, unit: &Outstanding) {
        let line = self.line(word);
        if unit.may_issue(decode(word, &self.target.golden)) {
            self.offer_now(line, operands, self.in_flight.next_index());
        } else {
            self.activity = Activity::Waits(line);
        }
    }

    /// Drives the issue port, unless the stalls of the instruction, or older stores, hold it back.
    fn offer_now(&mut self, line: Line, Operands { rs, rs2 }: Operands, index: u64) {
        self.activity = Activity::Held(line);
        let seed = self.stall_seed(line.pc, index);
        if self.waits_for_store(line.word) || !self.stalls.offers(index, seed) {
            return;
        }
        self.activity = Activity::Offers(line);
        self.inputs.issue_valid = true;
        self.inputs.issue_instr = line.word;
        (self.inputs.issue_rs, self.inputs.issue_rs2) = (rs, rs2);
        self.inputs.issue_id = self.next_id;
    }

    fn waits_for_store(&self, word: u32) -> bool {
        self.serial_stores
            && is_store(decode(word, &self.target.golden).engine())
            && self.in_flight.unanswered().any(Instruction::is_store)
    }

    /// In a stream the stalls of an instruction are those of its number, in a program those of its address.
    fn stall_seed(&self, pc: u32, index: u64) -> u32 {
        self.stalls.seed(if self.in_program { u64::from(pc / 4) } else { index }, index)
    }

    fn line(&self, word: u32) -> Line {
        Line { pc: self.host.hart.pc, word }
    }

    /// The host has executed an instruction, or the unit has taken it.
    fn fetched(&mut self, line: Line, operands: Operands, state: State, observers: &mut Observers) -> Instruction {
        observers.fetched(&self.target, line.word);
        let (Line { pc, word }, index, issued) = (line, self.in_flight.next_index(), self.cycle);
        let (stall_seed, in_program) = (self.stall_seed(pc, index), self.in_program);
        let decoded = decode(word, &self.target.golden);
        let (engine, result_register) = (decoded.engine(), result_register(decoded));
        let new =
            Instruction { index, pc, word, engine, result_register, operands, issued, stall_seed, in_program, state };
        self.in_flight.push(new);
        new
    }

    /// One clock cycle: drives the inputs, clocks the unit, and checks the rules of the ports. Gives the beat that was
    /// written to L0M.
    pub fn clock(&mut self, observers: &mut Observers) -> Result<Option<Beat>, Cause> {
        let out = &self.rtl.outputs;
        let held = (out.result_valid && !self.inputs.result_ready).then(|| result(out));
        let oldest = self.in_flight.oldest().map(|oldest| (oldest.index, oldest.stall_seed));
        if let Some((index, seed)) = oldest
            && self.stalls.is_new_oldest(index)
        {
            self.stalls.result.follow(seed);
            self.l1m.follow(seed);
            self.l0m.follow(seed);
        }
        self.inputs.result_ready = self.stalls.result.ready();
        self.inputs.resume = self.recovery.resumes(oldest.map_or(NO_STALL, |(_, seed)| seed));
        self.l1m.drive(&mut self.inputs);
        self.l0m.drive(&mut self.inputs);
        observers.cycle_begins(self.cycle, &mut self.rtl);
        self.rtl.step(&self.inputs)?;
        let out = &self.rtl.outputs;
        observers.cycle(self.cycle, self.activity, &self.inputs, out);
        self.recovery.check_busy(out.busy, self.in_flight.unanswered().next().is_some())?;
        if held.is_some_and(|held| !out.result_valid || result(out) != held) {
            return Err(Cause::Protocol("a result was withdrawn or changed before it was taken".into()));
        }
        if self.rtl.has_probe() && out.retire_valid != (self.takes_result() && !out.refused) {
            return Err(Cause::Protocol("the probe's retire_valid is not the handshake of the result port".into()));
        }
        self.l1m.sample(&self.inputs, out)?;
        Ok(self.l0m.sample(&self.inputs, out)?)
    }

    /// The handshake of the issue port, if there was one in the cycle.
    pub fn issue(&mut self, stream: &mut &[u32], observers: &mut Observers) -> Result<(), Cause> {
        if !(self.inputs.issue_valid && self.rtl.outputs.issue_ready) {
            return Ok(());
        }
        self.inputs.issue_valid = false;
        if self.recovery.is_closed() {
            return Err(Cause::Protocol("an instruction was taken before all killed ones had come back".into()));
        }
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        let issued = if let Some(index) = self.again.take() {
            self.in_flight.issue_again(index, id, self.cycle)
        } else {
            let Inputs { issue_instr, issue_rs: rs, issue_rs2: rs2, .. } = self.inputs;
            let line = self.line(issue_instr);
            self.host.advance();
            *stream = stream.get(1..).unwrap_or_default();
            Some(self.fetched(line, Operands { rs, rs2 }, State::Issued(id), observers))
        };
        issued.iter().for_each(|issued| observers.issued(self.cycle, issued, self.inputs.resume));
        Ok(())
    }

    /// Whether a result is taken in this cycle.
    pub fn takes_result(&self) -> bool {
        self.rtl.outputs.result_valid && self.inputs.result_ready
    }

    /// The instruction that the result on the port belongs to, and whether it was killed. The results that it must give
    /// come in program order.
    pub fn answered(&self) -> Result<(Instruction, bool), Cause> {
        let (out, killed) = (&self.rtl.outputs, self.recovery.kills());
        let next = if killed { self.in_flight.unanswered().next() } else { self.in_flight.oldest() };
        let expected = next.and_then(Instruction::id);
        let Some(entry) = next.filter(|_| expected == Some(out.result_id)) else {
            return Err(Mismatch::Order { rtl: out.result_id, expected }.into());
        };
        if out.result_killed != killed {
            return Err(Mismatch::Killed { rtl: out.result_killed, expected: killed }.into());
        }
        check_unused(out)?;
        Ok((*entry, killed))
    }

    /// The oldest instruction retires in the unit with this result: trap, and the register that it writes.
    pub fn retire(&mut self, entry: &Instruction, trap: Option<Trap>, write: Option<(u8, u32)>) {
        self.host.retired(write, trap.is_none());
        if trap.is_some() && self.recovery.precise() {
            self.recovery.trapped(entry.stall_seed);
            if self.in_program && self.host.hart.has_handler() {
                self.in_flight.drop_younger();
                self.host.roll_back();
                self.withdraw();
            }
        }
        if self.in_program {
            self.host.count(entry.pc, trap);
        }
        self.in_flight.retire();
    }

    /// The last step of a cycle. Whether the unit has just recovered from a trap.
    pub fn end_cycle(&mut self) -> bool {
        let missing = self.in_flight.unanswered().next().is_some();
        let recovered = self.recovery.end_cycle(self.inputs.resume, missing);
        if recovered {
            self.withdraw();
        }
        recovered
    }

    /// Takes the instruction off the issue port: the unit has not taken it, and it is not the next one any more.
    fn withdraw(&mut self) {
        self.inputs.issue_valid = false;
        self.again = None;
        self.stalls.withdraw();
    }

    /// Whether everything is answered and the unit is at rest.
    pub fn is_over(&self) -> bool {
        let missing = self.in_flight.unanswered().next().is_some();
        self.recovery.is_set_up() && !self.rtl.outputs.busy && !self.recovery.kills() && !missing
    }

    /// Checks that the next result is not overdue.
    pub fn check_progress(&self) -> Result<(), Cause> {
        let cycles = self.cycle - self.progress;
        // The bound is never less, and takes time to work out.
        if cycles > bound::LEAST_HANG {
            let awaited = self.in_flight.awaited(self.recovery.kills()).map(|entry| entry.word);
            let bound = bound::hang(&self.target, awaited, self.slowdown);
            if cycles > bound {
                return Err(Cause::Hang { cycles, bound });
            }
        }
        Ok(())
    }

    /// Goes on for some cycles after a failure, so that its last edge is not the end of the waveform. It ends early
    /// when the unit fails.
    pub fn coast(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.l1m.drive(&mut self.inputs);
            self.l0m.drive(&mut self.inputs);
            if self.rtl.step(&self.inputs).is_err() {
                return;
            }
            let out = &self.rtl.outputs;
            if self.l1m.sample(&self.inputs, out).is_err() || self.l0m.sample(&self.inputs, out).is_err() {
                return;
            }
        }
    }
}

/// Everything on the result port.
fn result(out: &Outputs) -> ([bool; 3], [u8; 3], [u64; 2]) {
    let Outputs { result_killed, result_trap, result_we, result_id, result_cause, result_rd, .. } = *out;
    let values = [out.result_tval, out.result_data];
    ([result_killed, result_trap, result_we], [result_id, result_cause, result_rd], values)
}

/// Fields that a result does not have are 0, so that a host need not look at them (docs/integration.md, "Ports").
fn check_unused(out: &Outputs) -> Result<(), Cause> {
    let (_, [_, cause, rd], [tval, data]) = result(out);
    let write = out.result_we || (rd, data) != (0, 0);
    let wrong = if out.result_killed && (out.result_trap || write || (cause, tval) != (0, 0)) {
        "the result of a killed instruction is not all 0"
    } else if !out.result_trap && tval != 0 {
        "the value of the trap of a result that has none is not 0"
    } else if !out.result_we && write {
        "the register write of a result that has none is not 0"
    } else if data >> 32 != 0 {
        "the value of a result is not zero-extended"
    } else {
        return Ok(());
    };
    Err(Cause::Protocol(wrong.into()))
}
