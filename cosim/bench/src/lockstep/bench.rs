// SPDX-License-Identifier: Apache-2.0
//! A program on the RTL and on the model, compared at every retirement.

mod issue;
mod precise;
mod program;
mod retire;
mod setup;

use std::collections::VecDeque;

use golden::{Machine, Trap};

use crate::base::interrupt::Interrupt;
use crate::lockstep::bound;
use crate::lockstep::check::{self, Stores};
use crate::lockstep::failure::{Cause, Crash, Failure, Retirement};
use crate::lockstep::host::{Host, Operands};
use crate::lockstep::meaning::Meaning;
use crate::lockstep::memory::{LoadPort, StorePort};
use crate::lockstep::observer::Observer;
use crate::lockstep::ports::Ports;
use crate::lockstep::profile::Profiler;
use crate::lockstep::record::Recorder;
use crate::lockstep::stall::{NO_STALL, Stall};
use crate::lockstep::tiles::{self, Loads};
use crate::unit::target::Target;
use crate::unit::{CsrState, Inputs, ModelKind, Outputs, Rtl, RtlError};
use precise::Recovery;
use program::step;
pub use setup::{Counts, Setup, Timing};

/// Cycles after reset in which a unit may still be setting its strides or clearing its matrix registers.
const SWEEP: u64 = 40;

/// Retirements that a report shows.
const HISTORY: usize = 8;

/// An instruction that has been fetched and has not retired.
struct InFlight {
    index: u64,
    pc: u32,
    word: u32,
    operands: Operands,
    issued: u64,
    stall_seed: u32,
    /// It may change what the CSRs mean.
    changes: bool,
    kind: Kind,
}

enum Kind {
    /// Executed by the host: the register that it wrote, or its trap.
    Host(Option<(u8, u32)>, Option<Trap>),
    /// Issued to the unit under this id; none when it was killed.
    Unit(Option<u8>),
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
    meaning: Meaning,
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
    /// Sees where the clock cycles go, when asked for; the model has to be one for profiles.
    pub profiler: Option<Profiler>,
    /// Watches the run, when there is one.
    pub observer: Option<Box<dyn Observer>>,
    /// Is asked at the start of every cycle: to find where a process dies, and to stop before.
    pub tracker: Option<Tracker>,
    /// A program is left where it is after a signal.
    pub interrupt: Interrupt,
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
            meaning: Meaning::default(),
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
            profiler: None,
            observer: None,
            tracker: None,
            interrupt: Interrupt::default(),
        })
    }

    /// From a request that a memory takes to its answer so many clock cycles pass, at least one. To be called before a run,
    /// once.
    pub fn set_latency(&mut self, cycles: u32) {
        self.l1m.set_latency(cycles);
        self.l0m.set_latency(cycles);
        self.slowdown *= u64::from(cycles);
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
        self.meaning.forget();
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
        if let Some(profiler) = &mut self.profiler {
            profiler.cycle(&self.inputs, out);
        }
        self.check_recovery()?;
        self.check_meaning()?;
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
        let taken = out.result_valid && self.inputs.result_ready;
        let (retire, of_unit) = (out.retire_valid, taken && !out.refused);
        if self.inputs.issue_valid && out.issue_ready {
            self.issued(rest)?;
        }
        if retire != of_unit && self.ports.is_none() {
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

    /// Compares what the unit says that the CSRs mean, while nothing changes them.
    fn check_meaning(&mut self) -> Result<(), Cause> {
        let Some(model) = self.model.as_ref().filter(|_| self.rtl.outputs.means) else { return Ok(()) };
        let changing = |entry: &InFlight| entry.changes && entry.id().is_some();
        if self.in_flight.iter().chain(self.recovery.dropped()).any(changing) {
            self.meaning.forget();
        } else {
            self.meaning.check(&self.rtl.outputs, model)?;
        }
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
            printed: String::new(),
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

    /// Program memory as the host left it.
    pub fn program_memory(&self) -> &[u8] {
        &self.host.hart.ram.bytes
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
