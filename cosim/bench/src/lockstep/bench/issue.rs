// SPDX-License-Identifier: Apache-2.0
//! The issue port: the next instruction of the unit is put on it, the host executes its own.

use super::{InFlight, Kind, Lockstep};
use crate::lockstep::failure::Cause;
use crate::lockstep::host::{Operands, Outstanding, Route};
use crate::lockstep::meaning;
use crate::lockstep::profile::reason::{Host, Line};
use crate::lockstep::stall::seed_of;
use crate::unit::Inputs;

impl Lockstep {
    /// Lets the host run ahead and puts the next instruction of the unit on the issue port.
    pub(super) fn offer(&mut self, rest: &mut &[u32]) {
        if self.inputs.issue_valid || self.offer_killed() {
            return;
        }
        let unit = self.outstanding();
        while let Some((&word, tail)) = rest.split_first() {
            match self.host.route(word, &unit) {
                Route::Done(rd, value) => {
                    self.push(word, Operands::default(), Kind::Host((rd != 0).then_some((rd, value)), None));
                    *rest = tail;
                }
                Route::Unit(operands) => return self.offer_word(word, operands, &unit),
                Route::Wait => return self.profile_host(Host::Waits, word),
            }
        }
    }

    /// Puts an instruction of the unit on the issue port, unless something holds it back.
    pub(super) fn offer_word(&mut self, word: u32, operands: Operands, unit: &Outstanding) {
        if !unit.may_issue(word) {
            self.profile_host(Host::Waits, word);
        } else if self.may_offer(self.pc, word, self.next_index()) {
            self.put(self.pc, word, operands);
        } else {
            self.profile_host(Host::Held, word);
        }
    }

    /// What the unit has taken and has not retired.
    pub(super) fn outstanding(&self) -> Outstanding {
        let of_unit = |entry: &&InFlight| matches!(entry.kind, Kind::Unit(_));
        let program = self.in_flight.iter().filter(of_unit).map(|entry| entry.word);
        let golden = &self.target.golden;
        Outstanding::new(program, self.recovery.dropped().map(|entry| entry.word), golden.csr_op || golden.gpr_rs1)
    }

    /// What the host does with the next instruction in this cycle, for a profile.
    pub(super) fn profile_host(&mut self, does: fn(Line) -> Host, word: u32) {
        if let Some(profiler) = &mut self.profiler {
            profiler.host(does(Line { pc: self.pc, word }));
        }
    }

    /// Drives the issue port.
    pub(super) fn put(&mut self, pc: u32, word: u32, Operands { rs, rs2 }: Operands) {
        self.inputs.issue_valid = true;
        self.inputs.issue_instr = word;
        self.inputs.issue_rs = rs;
        self.inputs.issue_rs2 = rs2;
        self.inputs.issue_id = self.next_id;
        self.profiler.iter_mut().for_each(|profiler| profiler.offers(pc, word));
    }

    /// Whether this instruction is offered now, if neither older ones nor its stalls hold it back.
    pub(super) fn may_offer(&mut self, pc: u32, word: u32, index: u64) -> bool {
        if self.ports.as_ref().is_some_and(|ports| ports.holds_back(&self.target, word)) {
            return false;
        }
        if self.followed[0] != Some(index) {
            self.followed[0] = Some(index);
            self.issue.follow(self.stall_seed(pc, index));
        }
        self.issue.ready()
    }

    /// Lets the other ports follow the oldest instruction of the unit.
    pub(super) fn follow_oldest(&mut self) {
        let Some(&InFlight { index, stall_seed, .. }) = self.in_flight.front() else { return };
        if self.followed[1] != Some(index) {
            self.followed[1] = Some(index);
            self.result.follow(stall_seed);
            self.l1m.follow(stall_seed);
            self.l0m.follow(stall_seed);
        }
    }

    /// The stalls of an instruction are those of its place: in a stream its number, in a program its address.
    fn stall_seed(&self, pc: u32, index: u64) -> u32 {
        let place = if self.program { u64::from(pc / 4) } else { index };
        let given = usize::try_from(place).ok().and_then(|place| self.stall_seeds.get(place));
        given.copied().unwrap_or_else(|| seed_of(self.seed, index))
    }

    /// Number of the instruction that is fetched next.
    pub(super) fn next_index(&self) -> u64 {
        self.counts.retired - self.earlier + self.in_flight.len() as u64
    }

    pub(super) fn push(&mut self, word: u32, operands: Operands, kind: Kind) {
        let index = self.next_index();
        let (issued, stall_seed) = (self.counts.cycles, self.stall_seed(self.pc, index));
        self.counts.mnemonics.issue(word, &self.target.golden);
        let changes = meaning::changes(&self.target, word);
        self.in_flight.push_back(InFlight { index, pc: self.pc, word, operands, issued, stall_seed, changes, kind });
        self.pc = self.pc.wrapping_add(4);
    }

    /// The unit has taken the instruction on the issue port.
    pub(super) fn issued(&mut self, rest: &mut &[u32]) -> Result<(), Cause> {
        self.inputs.issue_valid = false;
        let Inputs { issue_instr: word, issue_rs: rs, issue_rs2: rs2, .. } = self.inputs;
        let again = self.taken_again()?;
        if !again {
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
        if let (Some(profiler), Some(newest)) = (&mut self.profiler, newest) {
            profiler.issued(newest.pc, word);
        }
        self.next_id = self.next_id.wrapping_add(1);
        self.observer.iter_mut().for_each(|observer| observer.issued(self.inputs.resume));
        Ok(())
    }
}
