// SPDX-License-Identifier: Apache-2.0
//! A program on the RTL and on the model, compared at every retirement.

mod precise;
mod program;

use std::collections::VecDeque;
use std::ops::Range;

use golden::{Machine, Outcome, Trap};
use serde::{Deserialize, Serialize};

use crate::lockstep::bound;
use crate::lockstep::check::{self, Stores};
use crate::lockstep::failure::{Cause, Crash, Failure, Mismatch, Retirement};
use crate::lockstep::host::{Host, Operands, Route};
use crate::lockstep::memory::{LoadPort, StorePort};
use crate::lockstep::mnemonics::Mnemonics;
use crate::lockstep::observer::Observer;
use crate::lockstep::ports::{self, Ports};
use crate::lockstep::record::Recorder;
use crate::lockstep::stall::{NO_STALL, Plan, Stall, seed_of};
use crate::lockstep::stored;
use crate::lockstep::tiles::{self, Loads};
use crate::unit::target::Target;
use crate::unit::{CsrState, Inputs, ModelKind, Outputs, RESET_CYCLES, Rtl, RtlError};
use precise::Recovery;
use program::step;

/// Cycles after reset in which a unit may still be setting its strides or clearing its matrix registers.
const SWEEP: u64 = 40;

/// Retirements that a report shows.
const HISTORY: usize = 8;

/// What a run starts from.
#[derive(Clone, Debug)]
pub struct Setup {
    /// L1M from address 0; the rest is zero.
    pub l1m: Vec<u8>,
    /// L0M from address 0; the rest is zero.
    pub l0m: Vec<u8>,
    /// Byte ranges of L1M that answer with an error, in whole blocks of `memory::FAULT_BLOCK`.
    pub l1m_faults: Vec<Range<u32>>,
    /// As `l1m_faults`, for L0M.
    pub l0m_faults: Vec<Range<u32>>,
    /// Clock cycles for which reset is held, each time, at least one.
    pub reset_cycles: u32,
    /// Stall classes of the ports.
    pub stalls: Plan,
    /// Seed of all state that reset leaves alone, and of the stalls of instructions beyond `stall_seeds`.
    pub seed: u64,
    /// The stalls of each instruction, by its number ([`Stall::follow`]).
    pub stall_seeds: Vec<u32>,
    /// Planted fault or mutant; 0 is none.
    pub fault: u32,
    /// Leave the model and all comparing out, to measure the RTL alone.
    pub bare: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            l1m: Vec::new(),
            l0m: Vec::new(),
            l1m_faults: Vec::new(),
            l0m_faults: Vec::new(),
            reset_cycles: RESET_CYCLES,
            stalls: Plan::default(),
            seed: 0,
            stall_seeds: Vec::new(),
            fault: 0,
            bare: false,
        }
    }
}

/// An instruction that has been fetched and has not retired.
struct InFlight {
    index: u64,
    pc: u32,
    word: u32,
    operands: Operands,
    issued: u64,
    stall_seed: u32,
    kind: Kind,
}

enum Kind {
    /// Executed by the host: the register that it wrote, or its trap.
    Host(Option<(u8, u32)>, Option<Trap>),
    /// Issued to the unit under this id; none when it was killed.
    Unit(Option<u8>),
}

/// When an instruction of the unit was issued and when it retired, in clock cycles.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Cycle of the issue handshake.
    pub issued: u64,
    /// Cycle of the result handshake.
    pub retired: u64,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Instructions retired, those of the host included.
    pub retired: u64,
    /// Instructions compared with the model.
    pub compared: u64,
    /// Of those retired, the ones that trapped.
    pub traps: u64,
    /// Results that said that an instruction was killed.
    pub killed: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Fewest cycles that the datapath could take for the instructions, each on its own (`bound::roofline`).
    pub roofline: u64,
    /// How often each instruction was issued, retired and trapped.
    pub mnemonics: Mnemonics,
}

/// A unit and a model, in step.
pub struct Lockstep {
    target: Target,
    rtl: Rtl,
    model: Option<Box<Machine>>,
    host: Host,
    l1m: LoadPort,
    l0m: StorePort,
    stores: Stores,
    tile_loads: Loads,
    /// Without a probe: only the ports are seen.
    ports: Option<Ports>,
    issue: Stall,
    result: Stall,
    reset_cycles: u32,
    seed: u64,
    stall_seeds: Vec<u32>,
    /// The instructions that the stalls follow: that of the issue port, and the oldest of the unit.
    followed: [Option<u64>; 2],
    slowdown: u64,
    inputs: Inputs,
    in_flight: VecDeque<InFlight>,
    executed: VecDeque<CsrState>,
    recovery: Recovery,
    pc: u32,
    /// A program runs, and no stream.
    program: bool,
    next_id: u8,
    progress: u64,
    /// Cycle of the last reset.
    reset_at: u64,
    /// Instructions that had retired when the program was started, before a reset.
    earlier: u64,
    counts: Counts,
    history: VecDeque<Retirement>,
    /// Timing of every instruction of the unit, when asked for.
    pub timings: Option<Vec<Timing>>,
    /// Every retirement, when asked for.
    pub retirements: Option<Vec<Retirement>>,
    /// Records the run, when asked for.
    pub recorder: Option<Recorder>,
    /// Watches the run, when there is one.
    pub observer: Option<Box<dyn Observer>>,
    /// Is asked at the start of every cycle: to find where a process dies, and to stop before.
    pub tracker: Option<Tracker>,
}

/// Takes a failure that has not happened: how one in this cycle would look. An error ends the run before the cycle.
pub type Tracker = Box<dyn FnMut(&Failure) -> Result<(), Cause> + Send>;

impl Lockstep {
    /// A unit and a model after reset.
    ///
    /// # Errors
    /// When the model cannot be made; [`RtlError`] names the reason.
    pub fn new(target: &Target, kind: ModelKind, setup: &Setup) -> Result<Lockstep, RtlError> {
        let mut rtl = Rtl::new(target, kind, setup.seed, setup.fault)?;
        rtl.reset(setup.reset_cycles)?;
        let beat = target.rtl.port_bytes() as usize;
        let filled = |contents: &[u8], size: u32| {
            let mut bytes = contents.to_vec();
            bytes.resize(size as usize, 0);
            bytes
        };
        let l1m = filled(&setup.l1m, target.golden.l1m_bytes);
        let l0m = filled(&setup.l0m, target.golden.l0m_bytes);
        let model = (!setup.bare).then(|| {
            let mut machine = Machine::new(&target.golden);
            machine.l1m.bytes.copy_from_slice(&l1m);
            machine.l0m.bytes.copy_from_slice(&l0m);
            machine.l1m.faults.clone_from(&setup.l1m_faults);
            machine.l0m.faults.clone_from(&setup.l0m_faults);
            Box::new(machine)
        });
        let mut port = 0;
        let mut stall = |class| {
            port += 1;
            Stall::new(class, port)
        };
        let plan = &setup.stalls;
        let (issue, result) = (stall(plan.issue), stall(plan.result));
        let l1m_stalls = plan.l1m.map(&mut stall);
        let l0m_stalls = plan.l0m.map(&mut stall);
        let ports = (!rtl.has_probe()).then(|| Ports::new(!setup.l0m_faults.is_empty()));
        Ok(Lockstep {
            ports,
            stores: Stores::new(&l0m, beat),
            tile_loads: Loads::default(),
            l1m: LoadPort::new(l1m, setup.l1m_faults.clone(), beat, l1m_stalls),
            l0m: StorePort::new(l0m, setup.l0m_faults.clone(), beat, l0m_stalls),
            target: target.clone(),
            rtl,
            model,
            host: Host::new(target.rtl.precise),
            recovery: Recovery::new(target.rtl.precise),
            issue,
            result,
            reset_cycles: setup.reset_cycles,
            seed: setup.seed,
            stall_seeds: setup.stall_seeds.clone(),
            followed: [None; 2],
            slowdown: plan.classes().iter().map(|class| u64::from(class.slowdown())).max().unwrap_or(1),
            inputs: Inputs { sample_csrs: !setup.bare, ..Inputs::default() },
            in_flight: VecDeque::with_capacity(64),
            executed: VecDeque::with_capacity(64),
            pc: 0,
            program: false,
            next_id: 0,
            progress: 0,
            reset_at: 0,
            earlier: 0,
            counts: Counts::default(),
            history: VecDeque::with_capacity(HISTORY),
            timings: None,
            retirements: None,
            recorder: None,
            observer: None,
            tracker: None,
        })
    }

    /// Runs the stream `program` until all of it has retired. May be called again to go on from there.
    ///
    /// # Errors
    /// The first difference, hang or broken rule.
    pub fn run(&mut self, program: &[u32]) -> Result<(), Box<Failure>> {
        self.run_until(program, u64::MAX)
    }

    /// Resets the unit in the middle of `program`, after `cycles` clock cycles, and starts afresh:
    /// everything but the memories is then as it was after construction.
    ///
    /// # Errors
    /// As [`Lockstep::run`].
    pub fn run_and_reset(&mut self, program: &[u32], cycles: u64) -> Result<(), Box<Failure>> {
        self.run_until(program, self.counts.cycles + cycles)?;
        self.rtl.reset(self.reset_cycles).map_err(|e| self.failure(e.into()))?;
        self.rtl.outputs = Outputs::default();
        self.l1m.reset();
        self.l0m.reset();
        self.host = Host::new(self.target.rtl.precise);
        self.recovery.reset();
        self.in_flight.clear();
        self.executed.clear();
        self.inputs.issue_valid = false;
        self.followed = [None; 2];
        if let Some(recorder) = &mut self.recorder {
            recorder.reset();
        }
        self.observer.iter_mut().for_each(|observer| observer.reset());
        (self.pc, self.next_id, self.progress, self.earlier) = (0, 0, self.counts.cycles, self.counts.retired);
        self.reset_at = self.counts.cycles;
        self.tile_loads.reset();
        self.ports.iter_mut().for_each(Ports::reset);
        // Stores that were cut short have left some of their bytes: that is the state to go on from.
        self.stores.reset(&self.l0m.bytes);
        if let Some(model) = &mut self.model {
            model.reset();
            model.l0m.bytes.copy_from_slice(&self.l0m.bytes);
        }
        Ok(())
    }

    fn run_until(&mut self, program: &[u32], last_cycle: u64) -> Result<(), Box<Failure>> {
        let mut rest = program;
        self.progress = self.counts.cycles;
        while self.counts.cycles < last_cycle {
            self.offer(&mut rest);
            self.retire_host().map_err(|cause| self.failure(cause))?;
            if rest.is_empty() && self.in_flight.is_empty() {
                return Ok(());
            }
            self.cycle(&mut rest).map_err(|cause| self.failure(cause))?;
        }
        Ok(())
    }

    /// Lets the host run ahead and puts the next instruction of the unit on the issue port.
    fn offer(&mut self, rest: &mut &[u32]) {
        if self.inputs.issue_valid || self.offer_killed() {
            return;
        }
        while let Some((&word, tail)) = rest.split_first() {
            match self.host.route(word) {
                Route::Done(rd, value) => {
                    self.push(word, Operands::default(), Kind::Host((rd != 0).then_some((rd, value)), None));
                    *rest = tail;
                }
                Route::Unit(operands) => return self.offer_word(word, operands),
                Route::Wait => return,
            }
        }
    }

    /// Puts an instruction of the unit on the issue port, unless something holds it back.
    fn offer_word(&mut self, word: u32, operands: Operands) {
        if self.host.may_issue(word) && self.may_offer(word, self.next_index()) {
            self.put(word, operands);
        }
    }

    /// Drives the issue port.
    fn put(&mut self, word: u32, Operands { rs, rs2 }: Operands) {
        self.inputs.issue_valid = true;
        self.inputs.issue_instr = word;
        self.inputs.issue_rs = rs;
        self.inputs.issue_rs2 = rs2;
        self.inputs.issue_id = self.next_id;
    }

    /// Whether this instruction is offered now, if neither older ones nor its stalls hold it back.
    fn may_offer(&mut self, word: u32, index: u64) -> bool {
        if self.ports.as_ref().is_some_and(|ports| ports.holds_back(&self.target, word)) {
            return false;
        }
        if self.followed[0] != Some(index) {
            self.followed[0] = Some(index);
            self.issue.follow(self.stall_seed(index));
        }
        self.issue.ready()
    }

    /// Lets the other ports follow the oldest instruction of the unit.
    fn follow_oldest(&mut self) {
        let Some(&InFlight { index, stall_seed, .. }) = self.in_flight.front() else { return };
        if self.followed[1] != Some(index) {
            self.followed[1] = Some(index);
            self.result.follow(stall_seed);
            self.l1m.follow(stall_seed);
            self.l0m.follow(stall_seed);
        }
    }

    fn stall_seed(&self, index: u64) -> u32 {
        let given = usize::try_from(index).ok().and_then(|index| self.stall_seeds.get(index));
        given.copied().unwrap_or_else(|| seed_of(self.seed, index))
    }

    /// Number of the instruction that is fetched next.
    fn next_index(&self) -> u64 {
        self.counts.retired - self.earlier + self.in_flight.len() as u64
    }

    fn push(&mut self, word: u32, operands: Operands, kind: Kind) {
        let index = self.next_index();
        let (issued, stall_seed) = (self.counts.cycles, self.stall_seed(index));
        self.counts.mnemonics.issue(word, &self.target.golden);
        self.in_flight.push_back(InFlight { index, pc: self.pc, word, operands, issued, stall_seed, kind });
        self.pc = self.pc.wrapping_add(4);
    }

    /// Asks the tracker, when there is one, whether to go on.
    fn track(&mut self) -> Result<(), Cause> {
        let Some(mut tracker) = self.tracker.take() else { return Ok(()) };
        let unknown = Crash { how: String::new(), message: String::new() };
        let goes_on = tracker(&self.failure(Cause::Crash(unknown)));
        self.tracker = Some(tracker);
        goes_on
    }

    /// One clock cycle of everything.
    fn cycle(&mut self, rest: &mut &[u32]) -> Result<(), Cause> {
        if self.tracker.is_some() {
            self.track()?;
        }
        let held = (self.rtl.outputs.result_valid && !self.inputs.result_ready).then(|| result(&self.rtl.outputs));
        self.follow_oldest();
        self.inputs.result_ready = self.result.ready();
        self.inputs.resume = self.recovery.resumes(self.in_flight.front().map_or(NO_STALL, |oldest| oldest.stall_seed));
        self.l1m.drive(&mut self.inputs);
        self.l0m.drive(&mut self.inputs);
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(self.counts.cycles, &mut self.rtl);
        }
        self.rtl.step(&self.inputs)?;
        let out = &self.rtl.outputs;
        if let Some(recorder) = &mut self.recorder {
            recorder.sample(self.counts.cycles, &self.inputs, out);
        }
        self.check_recovery()?;
        let out = &self.rtl.outputs;
        if let Some(before) = held
            && !(out.result_valid && result(out) == before)
        {
            return Err(Cause::Protocol("a result was withdrawn or changed before it was taken".into()));
        }
        self.l1m.sample(&self.inputs, out)?;
        let beat = self.l0m.sample(&self.inputs, out)?;
        if let Some(ports) = &mut self.ports {
            beat.into_iter().for_each(|beat| ports.beat(beat));
        } else if self.model.is_some() {
            if out.exec_valid {
                self.stores.start(out.exec_tag)?;
                self.tile_loads.start(out.exec_tag)?;
                self.executed.push_back(self.rtl.executed_csrs);
                self.observer.iter_mut().for_each(|observer| observer.dispatched());
            }
            if let Some(beat) = beat {
                self.stores.beat(out.store_tag, beat);
            }
            if out.tile_valid
                && let Some(config) = self.target.golden.matrix
            {
                let tile = tiles::tile(out.tile_md);
                self.tile_loads.write(out.tile_tag, tile, self.rtl.tile(config, tile))?;
            }
        }
        let (retire, taken) = (out.retire_valid, out.result_valid && self.inputs.result_ready);
        if self.inputs.issue_valid && out.issue_ready {
            self.issued(rest)?;
        }
        if retire != taken && self.ports.is_none() {
            return Err(Cause::Protocol("the probe's retire_valid is not the handshake of the result port".into()));
        }
        if taken {
            self.retire_unit()?;
        } else {
            self.check_progress()?;
        }
        self.recover()?;
        self.counts.cycles += 1;
        Ok(())
    }

    /// The unit has taken the instruction on the issue port.
    fn issued(&mut self, rest: &mut &[u32]) -> Result<(), Cause> {
        self.inputs.issue_valid = false;
        let Inputs { issue_instr: word, issue_rs: rs, issue_rs2: rs2, .. } = self.inputs;
        let again = self.taken_again()?;
        if !again {
            self.host.issued(word);
            if self.program {
                self.host.advance();
            }
            self.push(word, Operands { rs, rs2 }, Kind::Unit(Some(self.next_id)));
            *rest = rest.get(1..).unwrap_or_default();
        }
        self.ports.iter_mut().for_each(|ports| ports.issued(&self.target, word));
        let newest =
            self.in_flight.iter().rfind(|entry| matches!(entry.kind, Kind::Unit(id) if id == Some(self.next_id)));
        if let (Some(recorder), Some(newest)) = (&mut self.recorder, newest) {
            recorder.issue(self.counts.cycles, newest.index, word);
        }
        self.next_id = self.next_id.wrapping_add(1);
        self.observer.iter_mut().for_each(|observer| observer.issued(self.inputs.resume));
        Ok(())
    }

    fn check_progress(&self) -> Result<(), Cause> {
        let cycles = self.counts.cycles - self.progress;
        if cycles > 256 {
            let bound = bound::hang(&self.target, self.awaited(), self.slowdown);
            if cycles > bound {
                return Err(Cause::Hang { cycles, bound });
            }
        }
        Ok(())
    }

    /// Retires the instructions of the host that are not behind one of the unit.
    fn retire_host(&mut self) -> Result<(), Cause> {
        while let Some(&InFlight { index, pc, word, issued, kind: Kind::Host(write, trap), .. }) =
            self.in_flight.front()
        {
            let cycle = self.counts.cycles;
            self.record(Retirement { index, pc, word, trap, cycle, host: true, killed: false });
            // In a stream the host takes no time.
            self.counts.roofline += u64::from(self.program && self.model.is_some());
            if self.model.is_some() {
                let outcome = self.step_model(pc, word, issued)?;
                check::gpr(write, &outcome)?;
                check::trap(trap, &outcome)?;
                self.counts.compared += 1;
            }
            self.host.committed(write, trap.is_none());
            self.in_flight.pop_front();
        }
        Ok(())
    }

    /// Takes the result on the port and compares the instruction with the model.
    fn retire_unit(&mut self) -> Result<(), Cause> {
        self.retire_host()?;
        if self.retire_killed()? {
            return Ok(());
        }
        let Some(&InFlight { index, pc, word, issued, .. }) = self.in_flight.front() else { return Ok(()) };
        let out = &self.rtl.outputs;
        let trap = out.result_trap.then_some(Trap { cause: out.result_cause.into(), tval: out.result_tval });
        let write = (out.result_we && out.result_rd != 0).then_some((out.result_rd, out.result_data));
        self.record(Retirement { index, pc, word, trap, cycle: self.counts.cycles, host: false, killed: false });
        let mut done = Outcome { trap, ..Outcome::default() };
        if let Some(timings) = &mut self.timings {
            timings.push(Timing { issued, retired: self.counts.cycles });
        }
        if let (Some(model), Some(_)) = (&mut self.model, &self.ports) {
            self.counts.roofline += bound::roofline(&self.target, model, word);
            self.observer.iter_mut().for_each(|observer| observer.retiring(model, word));
            let pieces = stored::pieces(model, word);
            let outcome = self.step_model(pc, word, issued)?;
            check::trap(trap, &outcome)?;
            check::gpr(write, &outcome)?;
            let (Some(model), Some(ports)) = (&mut self.model, &mut self.ports) else { return Ok(()) };
            ports.retire(&self.target, &pieces, &outcome, model, &mut self.stores)?;
            self.observer.iter_mut().for_each(|observer| observer.retired(model, word, &outcome));
            self.counts.compared += 1;
            done = outcome;
        } else if let Some(model) = &mut self.model {
            let out = &self.rtl.outputs;
            if out.retire_word != word {
                return Err(Mismatch::Word { rtl: out.retire_word, expected: word }.into());
            }
            let csrs = self.executed.pop_front().ok_or(Mismatch::NotExecuted)?;
            self.counts.roofline += bound::roofline(&self.target, model, word);
            self.observer.iter_mut().for_each(|observer| observer.retiring(model, word));
            let outcome = self.step_model(pc, word, issued)?;
            check::trap(trap, &outcome)?;
            check::gpr(write, &outcome)?;
            let (Some(model), out) = (&mut self.model, &self.rtl.outputs) else { return Ok(()) };
            check::csrs(&csrs, &model.csr)?;
            check::registers(&self.rtl, &outcome, model)?;
            self.tile_loads.retire(out.retire_tag, &outcome, model)?;
            self.stores.retire(out.retire_tag, &outcome, model)?;
            self.observer.iter_mut().for_each(|observer| observer.retired(model, word, &outcome));
            self.counts.compared += 1;
            done = outcome;
        }
        self.host.retired(word, write);
        self.host.committed(write, trap.is_none());
        if trap.is_some() {
            self.trapped(&done)?;
        }
        if self.program {
            self.host.count(pc, trap);
        }
        self.in_flight.pop_front();
        Ok(())
    }

    fn record(&mut self, retirement: Retirement) {
        self.progress = self.counts.cycles;
        if retirement.killed {
            self.counts.killed += 1;
        } else {
            self.counts.retired += 1;
            self.counts.traps += u64::from(retirement.trap.is_some());
            self.counts.mnemonics.retire(retirement.word, &self.target.golden, retirement.trap.is_some());
        }
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(retirement);
        if let Some(all) = self.retirements.as_mut().filter(|_| !retirement.killed) {
            all.push(retirement);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.retire(&retirement);
        }
    }

    /// Compares the whole state, and that every instruction was compared. To be called after `run`.
    ///
    /// # Errors
    /// The first difference.
    pub fn finish(&mut self) -> Result<Counts, Box<Failure>> {
        self.track().map_err(|cause| self.failure(cause))?;
        if self.ports.is_some() && self.model.is_some() {
            return self.finish_by_ports();
        }
        while self.counts.cycles < self.reset_at + SWEEP || self.rtl.outputs.busy || !self.recovery.is_over() {
            self.cycle(&mut &[][..]).map_err(|cause| self.failure(cause))?;
        }
        if let Some(model) = &self.model {
            let &Counts { retired, compared, .. } = &self.counts;
            let checked = check::host(self.host.x(), model)
                .and_then(|()| check::unit_state(&self.rtl, model))
                .and_then(|()| check::memory(&self.l0m.bytes, model))
                .and_then(|()| self.check_hart())
                .and_then(|()| tiles::whole_state(&self.rtl, self.target.golden.matrix, model))
                .and_then(|()| self.stores.finish())
                .and_then(|()| self.tile_loads.finish())
                .and_then(|()| check::all_compared(retired, compared));
            checked.map_err(|mismatch| self.failure(mismatch.into()))?;
        }
        self.observer.iter_mut().for_each(|observer| observer.finished());
        Ok(self.counts.clone())
    }

    /// As [`Lockstep::finish`] where nothing but the ports is seen: the registers are stored first.
    fn finish_by_ports(&mut self) -> Result<Counts, Box<Failure>> {
        // Before the stream that stores the registers.
        self.check_hart().map_err(|mismatch| self.failure(mismatch.into()))?;
        let faults = self.l0m.faults.clone();
        self.run(&ports::store_registers(&self.target.golden, &faults))?;
        if let (Some(model), Some(ports)) = (&self.model, &self.ports) {
            let &Counts { retired, compared, .. } = &self.counts;
            let checked = check::host(self.host.x(), model)
                .and_then(|()| ports.finish())
                .and_then(|()| check::memory(&self.l0m.bytes, model))
                .and_then(|()| check::all_compared(retired, compared));
            checked.map_err(|mismatch| self.failure(mismatch.into()))?;
        }
        self.observer.iter_mut().for_each(|observer| observer.finished());
        Ok(self.counts.clone())
    }

    fn failure(&self, cause: Cause) -> Box<Failure> {
        // The model has executed the instruction that failed; what is shown of it was not changed by
        // any instruction that can fail in its data.
        let shape = self
            .model
            .as_ref()
            .map_or((0, 0), |model| (model.csr.read(golden::Csr::Ttype), model.csr.read(golden::Csr::Tshape)));
        Box::new(Failure {
            cause,
            at: self.in_flight.front().map(|oldest| (oldest.pc, oldest.word, oldest.index)),
            cycle: self.counts.cycles,
            history: self.history.iter().copied().collect(),
            shape,
            operands: self.in_flight.front().map_or(Operands::default(), |oldest| oldest.operands),
            tile_sizes: self
                .model
                .as_ref()
                .filter(|model| model.csr.has_matrix())
                .map(|model| check::tile_sizes(&model.csr)),
            element_bits: self.model.as_ref().and_then(|model| model.element_type()).map(|element| element.bits),
        })
    }

    /// Goes on for some cycles after a failure, so that its last edge is not the end of the waveform. Nothing is
    /// compared; it ends early when the unit fails.
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

    /// What has happened so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The unit.
    pub fn rtl(&mut self) -> &mut Rtl {
        &mut self.rtl
    }

    /// The model, unless it was left out.
    pub fn model(&self) -> Option<&Machine> {
        self.model.as_deref()
    }

    /// The host: what else a program leaves behind.
    pub fn hart(&self) -> &golden::Hart {
        &self.host.hart
    }

    /// The host's registers.
    pub fn x(&self) -> &[u32; 32] {
        self.host.x()
    }

    /// L0M as the retired stores left it.
    pub fn retired_l0m(&self) -> &[u8] {
        self.stores.memory()
    }

    /// L0M as the unit left it.
    pub fn l0m(&self) -> &[u8] {
        &self.l0m.bytes
    }
}

/// What is on the result port.
fn result(out: &Outputs) -> ([bool; 3], [u8; 3], [u32; 2]) {
    let Outputs { result_killed, result_trap, result_we, result_id, result_cause, result_rd, .. } = *out;
    let values = [out.result_tval, out.result_data];
    ([result_killed, result_trap, result_we], [result_id, result_cause, result_rd], values)
}
