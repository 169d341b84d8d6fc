// SPDX-License-Identifier: Apache-2.0
//! The host of a unit with precise traps (docs/isa.md, "Traps and the host"): what is younger than a trap comes back killed
//! until the host resumes, and is then issued again; with a handler the program fetches what it wants instead.
//!
//! That an instruction was killed is never taken on trust: it has to be due, and the state is compared afterwards.

use std::collections::VecDeque;

use golden::Outcome;

use super::{InFlight, Kind, Lockstep, step};
use crate::lockstep::check;
use crate::lockstep::failure::{Cause, Mismatch, Retirement};
use crate::lockstep::profile::reason::Host;
use crate::lockstep::stall::{resume_after, resumes_always};
use crate::lockstep::stored::{self, Piece};
use crate::lockstep::tiles;
use crate::unit::Outputs;

/// Cycles for which a unit may be busy with nothing in flight: after reset and after a trap.
const MOST_BUSY: u64 = 80;

/// What the unit does with instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// It executes them.
    #[default]
    Running,
    /// It kills them. The host resumes after so many cycles.
    Killing { left: u32 },
    /// The host has resumed: it kills those that it has, and takes no others.
    Draining,
}

/// Traps that the host has seen and the unit has not recovered from.
#[derive(Default)]
pub(super) struct Recovery {
    /// The unit has precise traps.
    precise: bool,
    phase: Phase,
    /// Cycles since nothing is in flight.
    idle: u64,
    /// Since then the unit has said that it is not busy.
    rested: bool,
    /// The instruction on the issue port was killed before: its number.
    again: Option<u64>,
    /// In flight, and no part of the program any more: it has gone on with the handler.
    dropped: VecDeque<InFlight>,
    /// After an error of the L0M port: the ids of stores that may have begun, and what each writes.
    begun: Vec<(u8, Vec<Piece>)>,
    /// The unit has recovered, and its state has not been compared since.
    compare: bool,
    /// The unit was reset, and its state has been compared since.
    started: bool,
}

impl Recovery {
    pub(super) fn new(precise: bool) -> Recovery {
        Recovery { precise, ..Recovery::default() }
    }

    /// The unit was reset.
    pub(super) fn reset(&mut self) {
        *self = Recovery::new(self.precise);
    }

    /// What is in flight, and no part of the program any more.
    pub(super) fn dropped(&self) -> impl Iterator<Item = &InFlight> {
        self.dropped.iter()
    }

    /// Whether the host sets resume in this cycle; `seed` is that of the stalls of the oldest instruction.
    pub(super) fn resumes(&mut self, seed: u32) -> bool {
        match &mut self.phase {
            Phase::Killing { left: 0 } => true,
            Phase::Killing { left } => {
                *left -= 1;
                false
            }
            Phase::Running | Phase::Draining => self.precise && resumes_always(seed),
        }
    }
}

impl Lockstep {
    /// Whether the result of an instruction is missing.
    fn unanswered(&self) -> bool {
        !self.recovery.dropped.is_empty() || self.in_flight.iter().any(|entry| entry.id().is_some())
    }

    /// Whether everything is answered and executed.
    pub(super) fn is_over(&self) -> bool {
        self.recovery.phase == Phase::Running && !self.unanswered()
    }

    /// Puts the next instruction that was killed on the issue port, unless something holds it back. Whether there is one:
    /// everything else is younger.
    pub(super) fn offer_killed(&mut self) -> bool {
        if !self.recovery.precise {
            return false;
        }
        // What was issued before the host resumes comes back once more, and in its turn.
        let issued = self.in_flight.iter().rposition(|entry| matches!(entry.kind, Kind::Unit(Some(_))));
        let rest = self.in_flight.range(issued.map_or(0, |last| last + 1)..);
        let Some(&InFlight { index, pc, word, operands, .. }) = rest.into_iter().find(|entry| entry.is_killed()) else {
            return false;
        };
        if self.may_offer(pc, word, index) {
            self.put(pc, word, operands);
            self.recovery.again = Some(index);
        } else {
            self.profile_host(Host::Held, word);
        }
        true
    }

    /// The unit has taken the instruction on the issue port. Whether it is one that was killed before.
    ///
    /// # Errors
    /// When the unit must not take any.
    pub(super) fn taken_again(&mut self) -> Result<bool, Cause> {
        if self.recovery.phase == Phase::Draining {
            return Err(Cause::Protocol("an instruction was taken before all killed ones had come back".into()));
        }
        let Some(index) = self.recovery.again.take() else { return Ok(false) };
        let (id, now) = (self.next_id, self.counts.cycles);
        let entry = self.in_flight.iter_mut().find(|entry| entry.index == index && entry.is_killed());
        entry.into_iter().for_each(|entry| (entry.kind, entry.issued) = (Kind::Unit(Some(id)), now));
        Ok(true)
    }

    /// Takes a result, and compares whether it says that its instruction was killed. Whether there is nothing more to do,
    /// because it was.
    ///
    /// # Errors
    /// When it does not come back as it has to.
    pub(super) fn retire_killed(&mut self) -> Result<bool, Cause> {
        let out = &self.rtl.outputs;
        let (rtl, expected) = (out.result_killed, self.recovery.phase != Phase::Running);
        let next = self.recovery.dropped.front().or_else(|| self.in_flight.iter().find(|entry| entry.id().is_some()));
        let oldest = if expected { next } else { self.in_flight.front() };
        let Some((entry, id)) = oldest.and_then(|entry| Some((entry, entry.id()?))) else {
            return Err(Mismatch::Order { rtl: out.result_id, expected: None }.into());
        };
        if out.result_id != id {
            return Err(Mismatch::Order { rtl: out.result_id, expected: Some(id) }.into());
        }
        if rtl != expected {
            return Err(Mismatch::Killed { rtl, expected }.into());
        }
        if !expected {
            return Ok(false);
        }
        let Outputs { result_trap, result_cause, result_tval, result_we, result_rd, result_data, .. } = *out;
        if result_trap || result_we || (result_cause, result_tval, result_rd, result_data) != (0, 0, 0, 0) {
            return Err(Cause::Protocol("the result of a killed instruction is not all 0".into()));
        }
        let (index, pc, word) = (entry.index, entry.pc, entry.word);
        if self.ports.is_none() && self.model.is_some() && !out.refused && out.retire_word != word {
            return Err(Mismatch::Word { rtl: out.retire_word, expected: word }.into());
        }
        let begun = self.compare_begun(id)?;
        self.ports.iter_mut().for_each(|ports| ports.killed(&self.target, word));
        if self.recovery.dropped.pop_front().is_none() {
            let entry = self.in_flight.iter_mut().find(|entry| entry.id().is_some());
            entry.into_iter().for_each(|entry| entry.kind = Kind::Unit(None));
        }
        let (cycle, trap, host) = (self.counts.cycles, None, false);
        self.record(Retirement { index, pc, word, trap, cycle, host, killed: true });
        self.observer.iter_mut().for_each(|observer| observer.killed(word, begun));
        Ok(true)
    }

    /// The oldest instruction has trapped, and the model has executed it: from now on the unit kills.
    pub(super) fn trapped(&mut self, outcome: &Outcome) -> Result<(), Cause> {
        let Some(InFlight { stall_seed, .. }) = self.in_flight.front() else { return Ok(()) };
        if !self.recovery.precise {
            return Ok(());
        }
        self.recovery.phase = Phase::Killing { left: resume_after(*stall_seed) };
        if outcome.mem_unknown.is_empty() {
            // Nothing younger may have begun to write.
            self.nothing_written()?;
        } else {
            self.foresee();
        }
        if self.program && self.host.hart.has_handler() {
            let behind = self.in_flight.drain(1..);
            self.recovery.dropped.extend(behind.filter(|entry| entry.id().is_some()));
            self.host.roll_back();
            self.withdraw();
        }
        Ok(())
    }

    /// The instructions that the next result may have to wait for: the oldest, and after a trap all that are in flight.
    pub(super) fn awaited(&self) -> impl Iterator<Item = u32> {
        let all = self.recovery.phase != Phase::Running;
        let dropped = self.recovery.dropped.iter();
        let in_flight = self.in_flight.iter().take(if all { usize::MAX } else { 1 });
        dropped.chain(in_flight).map(|entry| entry.word)
    }

    /// At the end of a cycle: whether the host has resumed, and the unit recovered.
    pub(super) fn recover(&mut self) -> Result<(), Cause> {
        if self.inputs.resume && matches!(self.recovery.phase, Phase::Killing { .. }) {
            self.recovery.phase = Phase::Draining;
        }
        if self.recovery.phase == Phase::Draining && !self.unanswered() {
            self.recovery.phase = Phase::Running;
            self.recovery.begun.clear();
            self.recovery.compare = self.ports.is_none() && self.model.is_some();
            // Those of instructions that were killed.
            self.executed.clear();
            self.nothing_written()?;
            self.withdraw();
            self.observer.iter_mut().for_each(|observer| observer.recovered());
        }
        Ok(())
    }

    /// What holds in every cycle, before anything that happens in it counts: `busy`, and the state after reset and after a recovery.
    pub(super) fn check_recovery(&mut self) -> Result<(), Cause> {
        let (over, unanswered) = (self.is_over(), self.unanswered());
        let out = &self.rtl.outputs;
        let recovery = &mut self.recovery;
        recovery.idle = if over { recovery.idle + 1 } else { 0 };
        let rested = std::mem::replace(&mut recovery.rested, recovery.idle > 0 && !out.busy);
        if rested && recovery.idle > 0 && out.busy {
            return Err(Cause::Protocol("busy rises with nothing in flight".into()));
        }
        if unanswered && !out.busy {
            return Err(Cause::Protocol("busy is 0 while an instruction is in flight".into()));
        }
        if recovery.idle > MOST_BUSY && out.busy {
            return Err(Cause::Protocol(format!("busy is 1 after {MOST_BUSY} cycles with nothing in flight").into()));
        }
        // It takes instructions when it has recovered; after reset it does so before it has set itself up.
        let recovered = recovery.compare && (out.issue_ready || !out.busy);
        let started = !recovery.started && !out.busy && self.ports.is_none();
        if recovered || started {
            (recovery.compare, recovery.started) = (false, recovery.started || started);
            if recovered && out.exec_valid {
                return Err(Cause::Protocol("an instruction is dispatched that was not issued".into()));
            }
            if let Some(model) = &self.model {
                check::unit_state(&self.rtl, model)?;
                tiles::whole_state(&self.rtl, self.target.golden.matrix, model)?;
            }
        }
        Ok(())
    }

    /// Takes the instruction off the issue port: the unit has not taken it, and it is not the next one any more.
    fn withdraw(&mut self) {
        self.inputs.issue_valid = false;
        self.recovery.again = None;
        self.followed[0] = None;
    }

    /// No instruction that did not retire has written anything.
    fn nothing_written(&self) -> Result<(), Cause> {
        self.stores.finish()?;
        self.tile_loads.finish()?;
        self.ports.as_ref().map_or(Ok(()), |ports| ports.finish())?;
        Ok(())
    }

    /// What the stores in flight write, if each instruction between goes well: the port has answered the oldest one with
    /// an error, and behind it only stores may have begun with nothing but such stores before them that can trap.
    fn foresee(&mut self) {
        let Some(model) = self.model.as_deref().filter(|_| self.ports.is_none()) else { return };
        let mut ahead = model.clone();
        for entry in self.in_flight.range(1..) {
            if self.program {
                // With a handler, ahead is there since the error before.
                ahead.hart.pc = entry.pc;
            }
            let pieces = stored::pieces(&ahead, entry.word);
            let Ok(outcome) = step(&mut ahead, self.program, entry.pc, entry.word, entry.issued) else { return };
            if outcome.trap.is_some() && outcome.mem_unknown.is_empty() && matches!(entry.kind, Kind::Unit(_)) {
                return;
            }
            if let Some(id) = entry.id().filter(|_| !pieces.is_empty()) {
                self.recovery.begun.push((id, pieces));
            }
        }
    }

    /// Compares what a killed instruction has written: nothing, or what was foreseen. The model goes on with that. Whether
    /// it is anything.
    fn compare_begun(&mut self, id: u8) -> Result<bool, Mismatch> {
        let (Some(model), None, false) = (&mut self.model, &self.ports, self.rtl.outputs.refused) else {
            return Ok(false);
        };
        let begun = self.recovery.begun.iter().find(|begun| begun.0 == id);
        self.stores.killed(self.rtl.outputs.retire_tag, begun.map_or(&[], |begun| &begun.1), model)
    }
}

impl InFlight {
    /// Under which the unit has it.
    pub(super) fn id(&self) -> Option<u8> {
        match self.kind {
            Kind::Unit(id) => id,
            Kind::Host(..) => None,
        }
    }

    /// It was killed, and has to be issued again.
    pub(super) fn is_killed(&self) -> bool {
        matches!(self.kind, Kind::Unit(None))
    }
}
