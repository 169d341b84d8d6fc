// SPDX-License-Identifier: Apache-2.0
//! The observers of a run: counts, the last retirements, recorder, profiler, hooks for coverage. They see what happens
//! and change nothing.

pub mod mnemonics;
pub mod profile;
pub mod record;

use golden::decode::Engine;
use golden::hart::Place;
use golden::{Machine, Outcome};
use serde::{Deserialize, Serialize};

use super::bound;
use super::environment::host::Activity;
use super::environment::in_flight::Instruction;
use super::retirement::{History, Retirement};
use crate::unit::target::Target;
use crate::unit::{Inputs, Outputs, Rtl};
use mnemonics::Mnemonics;
use profile::Profiler;
use record::Recorder;

/// When an instruction of the unit was issued and when it retired, in clock cycles.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Cycle of the issue handshake.
    pub issued: u64,
    /// Cycle of the result handshake.
    pub retired: u64,
}

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
    pub cycles: u64,
    /// Fewest cycles that the datapath could take for the instructions, each on its own (`bound::roofline`).
    pub roofline: u64,
    /// How often each instruction was issued, retired and trapped.
    pub mnemonics: Mnemonics,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        let Counts { retired, compared, traps, killed, cycles, roofline, mnemonics } = other;
        // They may come out of a file.
        let sum = |to: &mut u64, more: &u64| *to = to.saturating_add(*more);
        sum(&mut self.retired, retired);
        sum(&mut self.compared, compared);
        sum(&mut self.traps, traps);
        sum(&mut self.killed, killed);
        sum(&mut self.cycles, cycles);
        sum(&mut self.roofline, roofline);
        self.mnemonics.add(mnemonics);
    }
}

/// An instruction of a program for the host, which the model has executed and both sides agree on.
#[derive(Clone, Copy, Debug)]
pub struct ProgramStep<'a> {
    pub outcome: &'a Outcome,
    /// Where a load or store of the host goes, and whether it is a store.
    pub access: Option<(Place, bool)>,
    pub of_unit: bool,
    /// What executes it; none when it is no instruction.
    pub engine: Option<Engine>,
    pub handler: bool,
    /// Of the unit; instructions that were killed before have not been issued again.
    pub waiting: bool,
    /// Of the unit; younger ones are in flight.
    pub behind: bool,
}

/// A hook: it is called for each event of the instructions of the unit, and for those of the host in programs.
pub trait Observer: Send {
    /// The unit took an instruction, so many cycles after the first one behind reset; `resume` when the host set resume
    /// in the same cycle.
    fn issued(&mut self, _word: u32, _since_reset: u64, _resume: bool) {}
    /// The unit dispatched the next instruction that it had taken.
    fn dispatched(&mut self) {}
    /// An instruction retires; `model` has not executed it yet.
    fn retiring(&mut self, _model: &Machine, _word: u32) {}
    /// `model` has executed it, and both sides agreed.
    fn retired(&mut self, _model: &Machine, _word: u32, _outcome: &Outcome) {}
    /// The unit has killed the oldest instruction that it had taken and not answered.
    /// `begun` when it is a store that has written something.
    fn killed(&mut self, _word: u32, _begun: bool) {}
    /// The unit executes instructions again after a trap.
    fn recovered(&mut self) {}
    /// An instruction of a program for the host retires, of the host or of the unit.
    fn program_step(&mut self, _step: &ProgramStep) {}
    /// The unit was reset: nothing is in flight.
    fn reset(&mut self) {}
    /// The run ends: the most requests on the ports of L1M and L0M that were without an answer at a time.
    fn requests(&mut self, _most: [usize; 2]) {}
    /// The run has ended, and both sides agreed to the last byte.
    fn finished(&mut self) {}
}

#[derive(Default)]
pub struct Observers {
    pub counts: Counts,
    pub history: History,
    /// Timing of every instruction of the unit, when asked for.
    pub timings: Option<Vec<Timing>>,
    /// Every retirement, when asked for.
    pub retirements: Option<Vec<Retirement>>,
    /// Records the run, when asked for.
    pub recorder: Option<Recorder>,
    /// Sees where the clock cycles go, when asked for; the model of the unit must be one for profiles.
    pub profiler: Option<Profiler>,
    /// Cycles that have passed since reset, the one that is looked at included.
    cycles: u64,
    /// Are called in their order.
    pub hooks: Vec<Box<dyn Observer>>,
}

impl Observers {
    /// The host has executed an instruction, or the unit has taken it for the first time.
    pub fn fetched(&mut self, target: &Target, word: u32) {
        self.counts.mnemonics.issue(word, &target.golden);
    }

    pub fn cycle_begins(&mut self, cycle: u64, rtl: &mut Rtl) {
        if let Some(recorder) = &mut self.recorder {
            recorder.begin(cycle, rtl);
        }
    }

    pub fn cycle(&mut self, cycle: u64, host: Activity, inputs: &Inputs, out: &Outputs) {
        self.cycles += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.sample(cycle, inputs, out);
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.cycle(host, inputs, out);
        }
        if out.exec_valid {
            self.each_hook(|hook| hook.dispatched());
        }
    }

    pub fn issued(&mut self, cycle: u64, instruction: &Instruction, resume: bool) {
        let &Instruction { index, pc, word, .. } = instruction;
        if let Some(recorder) = &mut self.recorder {
            recorder.issue(cycle, index, word);
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.issued(pc, word);
        }
        let since_reset = self.cycles.saturating_sub(1);
        self.each_hook(|hook| hook.issued(word, since_reset, resume));
    }

    /// An instruction retires, or comes back killed, and has not been compared yet. It was issued in cycle `issued`.
    pub fn retirement(&mut self, target: &Target, retirement: Retirement, issued: u64) {
        let Retirement { word, trap, cycle, host, killed, .. } = retirement;
        if killed {
            self.counts.killed += 1;
        } else {
            self.counts.retired += 1;
            self.counts.traps += u64::from(trap.is_some());
            self.counts.mnemonics.retire(word, &target.golden, trap.is_some());
            self.retirements.iter_mut().for_each(|all| all.push(retirement));
            self.timings.iter_mut().filter(|_| !host).for_each(|all| all.push(Timing { issued, retired: cycle }));
        }
        self.history.push(retirement);
        if let Some(recorder) = &mut self.recorder {
            recorder.retire(&retirement);
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.retired(&retirement);
        }
    }

    /// The model is about to execute an instruction of the unit that retires.
    pub fn retiring(&mut self, target: &Target, model: &Machine, word: u32) {
        self.counts.roofline += bound::roofline(target, model, word);
        self.each_hook(|hook| hook.retiring(model, word));
    }

    pub fn each_hook(&mut self, call: impl FnMut(&mut Box<dyn Observer>)) {
        self.hooks.iter_mut().for_each(call);
    }

    pub fn reset(&mut self) {
        self.cycles = 0;
        self.recorder.iter_mut().for_each(Recorder::reset);
        self.each_hook(|hook| hook.reset());
    }
}
