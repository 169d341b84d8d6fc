// SPDX-License-Identifier: Apache-2.0
//! Where the clock cycles of a program go: every one to a [`Reason`] and to an instruction, so that the sums are the
//! cycles. docs/profile.md defines the reasons.

pub mod lanes;
pub mod reason;

use std::collections::{BTreeMap, VecDeque};

use golden::decode::{Access, Decoded, Engine, Isa, Register, decode};

use crate::lockstep::host::Activity;
use crate::lockstep::retirement::Retirement;
use crate::unit::stage::Stage;
use crate::unit::{Inputs, Outputs};
pub use lanes::LONGEST;
use lanes::{Lane, Lanes};
use reason::{Line, Reason};

/// What a clock cycle was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spent {
    pub reason: Reason,
    /// The instruction that is waited for waits for memory.
    pub memory: bool,
    /// The instruction that waits or is dispatched; none when there is no more.
    pub line: Option<Line>,
    /// The older instruction that it waits for.
    pub blocker: Option<Line>,
}

/// Cycles in a row that were spent on the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from: u64,
    pub cycles: u64,
    pub spent: Spent,
}

#[derive(Clone, Debug, Default)]
pub struct Profile {
    pub cycles: u64,
    /// Clock cycles by what they were spent on.
    pub spent: BTreeMap<Spent, u64>,
    /// How often each instruction retired, those of the host among them.
    pub times: BTreeMap<Line, u64>,
    pub lanes: Lanes,
    /// The beginning of the program, cycle by cycle.
    pub timeline: Vec<Stretch>,
    /// Where the timeline ends.
    pub timeline_end: u64,
}

/// An instruction of the unit that was issued and has not retired.
#[derive(Clone, Debug)]
struct Flight {
    line: Line,
    decoded: Decoded,
    lane: Option<Lane>,
    tag: Option<u8>,
    /// Its results are there, or it has none.
    done: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Port {
    outstanding: u64,
    waits: bool,
}

impl Port {
    /// A cycle: it waits when no answer comes and one is owed, or a request is not taken. A store port that takes a
    /// request does not wait.
    fn cycle(&mut self, [request, grant, answer]: [bool; 3], writes: bool) {
        let taken = request && grant;
        self.waits = match writes {
            false => !answer && (self.outstanding > 0 || request && !grant),
            true => request && !grant || !request && !answer && self.outstanding > 0,
        };
        self.outstanding = (self.outstanding + u64::from(taken)).saturating_sub(u64::from(answer));
    }
}

/// Watches a unit with a probe for profiles, cycle by cycle.
pub struct Profiler {
    isa: Isa,
    precise: bool,
    flights: VecDeque<Flight>,
    l1m: Port,
    l0m: Port,
    profile: Profile,
}

impl Profiler {
    /// For a unit with this instruction set, and precise traps or not.
    pub fn new(isa: impl Into<Isa>, precise: bool) -> Profiler {
        let (l1m, l0m) = (Port::default(), Port::default());
        Profiler { isa: isa.into(), precise, flights: VecDeque::new(), l1m, l0m, profile: Profile::default() }
    }

    pub fn finish(mut self) -> Profile {
        self.profile.lanes.finish();
        self.profile
    }

    /// A cycle was evaluated, in which the host did this.
    pub fn cycle(&mut self, host: Activity, inputs: &Inputs, out: &Outputs) {
        self.l1m.cycle([out.l1m_req, inputs.l1m_gnt, inputs.l1m_rvalid], false);
        self.l0m.cycle([out.l0m_req, inputs.l0m_gnt, inputs.l0m_rvalid], true);
        let spent = self.spent(host, out);
        self.account(spent);
        for lane in Lane::ALL {
            let at_work = self.oldest_in(lane).filter(|flight| std::ptr::eq(self.behind(flight), *flight));
            if let Some((flight, memory)) = at_work.map(|flight| (flight.line, self.waits_for_memory(flight))) {
                self.profile.lanes.works(lane, flight, memory, self.profile.cycles);
            }
        }
        for tag in out.completed() {
            self.complete(|flight| !flight.done && flight.tag == Some(tag));
        }
        if out.exec_valid
            && let Some(next) = self.flights.iter_mut().find(|flight| flight.tag.is_none())
        {
            next.tag = Some(out.exec_tag);
            next.done = out.waits(Stage::AtOnce);
        }
        self.profile.cycles += 1;
    }

    pub fn issued(&mut self, pc: u32, word: u32) {
        let decoded = decode(word, self.isa);
        let lane = decoded.engine().and_then(Lane::of_engine);
        self.flights.push_back(Flight { line: Line { pc, word }, decoded, lane, tag: None, done: false });
    }

    /// An instruction retires, or comes back killed.
    pub fn retired(&mut self, retirement: &Retirement) {
        let &Retirement { pc, word, host, killed, .. } = retirement;
        if !host {
            self.complete_oldest();
            self.flights.pop_front();
        }
        if !killed {
            *self.profile.times.entry(Line { pc, word }).or_default() += 1;
        }
    }

    fn complete(&mut self, which: impl Fn(&Flight) -> bool) {
        if let Some(flight) = self.flights.iter_mut().find(|flight| which(flight)) {
            flight.done = true;
            if let Some(lane) = flight.lane {
                self.profile.lanes.done(lane);
            }
        }
    }

    /// A killed instruction may never have begun.
    fn complete_oldest(&mut self) {
        if self.flights.front().is_some_and(|flight| flight.tag.is_some() && !flight.done) {
            self.complete(|flight| !flight.done);
        }
    }

    fn account(&mut self, spent: Spent) {
        let profile = &mut self.profile;
        *profile.spent.entry(spent).or_default() += 1;
        let full = profile.timeline.len() >= LONGEST || profile.lanes.full();
        match profile.timeline.last_mut() {
            _ if profile.timeline_end != profile.cycles => return,
            Some(last) if last.spent == spent => last.cycles += 1,
            _ if full => return,
            _ => profile.timeline.push(Stretch { from: profile.cycles, cycles: 1, spent }),
        }
        profile.timeline_end += 1;
    }

    /// What this cycle is spent on.
    fn spent(&self, host: Activity, out: &Outputs) -> Spent {
        let at = |reason, line: Option<Line>, blocker: Option<&Flight>| {
            let blocker = blocker.map(|flight| self.behind(flight));
            let memory = blocker.is_some_and(|flight| self.waits_for_memory(flight));
            Spent { reason, memory, line, blocker: blocker.map(|flight| flight.line) }
        };
        let oldest = self.flights.front();
        if let Some(next) = self.flights.iter().find(|flight| flight.tag.is_none()) {
            let reason = why(out);
            return match self.held_in(next.lane) {
                Some(held) if reason == Reason::Engine => at(Reason::Operands, Some(next.line), Some(held)),
                _ => at(reason, Some(next.line), self.blocker(reason, next, out)),
            };
        }
        match host {
            Activity::Offers(line) => {
                at(if out.issue_ready { Reason::FrontEnd } else { Reason::Trap }, Some(line), None)
            }
            Activity::Executes(line) => at(Reason::Host, Some(line), None),
            Activity::Waits(line) => at(Reason::HostWaits, Some(line), oldest),
            Activity::Held(line) => at(Reason::IssueHeld, Some(line), None),
            Activity::Nothing if oldest.is_none() => at(Reason::End, None, None),
            Activity::Nothing => at(Reason::Executing, oldest.map(|flight| flight.line), oldest),
        }
    }

    /// The older instruction that the next one waits for.
    fn blocker(&self, reason: Reason, next: &Flight, out: &Outputs) -> Option<&Flight> {
        let mut working = self.flights.iter().filter(|flight| flight.tag.is_some() && !flight.done);
        match reason {
            Reason::Operands => {
                let wanted = registers(next.decoded, |_| true);
                let makers = || working.clone().filter(|flight| registers(flight.decoded, writes) & wanted != 0);
                makers().find(|flight| self.waits_for_memory(self.behind(flight))).or_else(|| makers().next())
            }
            Reason::Engine => working.find(|flight| flight.lane == next.lane),
            Reason::Port => {
                working.find(|flight| flight.lane.is_some_and(Lane::uses_memory) && flight.lane != next.lane)
            }
            Reason::Csrs if out.waits(Stage::Strides) => {
                working.find(|flight| matches!(flight.lane, Some(Lane::Load | Lane::Store)))
            }
            Reason::Registers | Reason::Window | Reason::Trap => {
                self.flights.front().filter(|oldest| oldest.tag.is_some())
            }
            _ => None,
        }
    }

    /// The instruction that one in flight waits for in the end: with precise traps an instruction waits in its engine
    /// for the ones that write its operands, and a store for the loads before it.
    fn behind<'a>(&'a self, flight: &'a Flight) -> &'a Flight {
        if !self.precise || flight.done {
            return flight;
        }
        let position = self.flights.iter().position(|other| other.tag == flight.tag).unwrap_or(0);
        let older = || self.flights.range(..position);
        let engine = |older: &Flight| older.decoded.engine();
        let mut wanted = registers(flight.decoded, reads);
        // From the youngest on: the first that writes a register makes the operand.
        for maker in older().rev() {
            let made = registers(maker.decoded, writes) & wanted;
            if made != 0 && !maker.done {
                return self.behind(maker);
            }
            wanted &= !made;
        }
        let loads = |older: &&Flight| matches!(engine(older), Some(Engine::Load | Engine::MatrixLoad));
        match engine(flight) {
            Some(Engine::Store | Engine::MatrixStore) => {
                older().filter(|older| !older.done).find(loads).unwrap_or(flight)
            }
            _ => flight,
        }
    }

    /// The youngest instruction in an engine, if it waits for another one and keeps the next ones out.
    fn held_in(&self, lane: Option<Lane>) -> Option<&Flight> {
        let here = |flight: &&Flight| flight.lane == lane && flight.tag.is_some() && !flight.done;
        self.flights.iter().rfind(here).filter(|flight| !std::ptr::eq(self.behind(flight), *flight))
    }

    fn oldest_in(&self, lane: Lane) -> Option<&Flight> {
        self.flights.iter().find(|flight| flight.lane == Some(lane) && flight.tag.is_some() && !flight.done)
    }

    /// Whether an instruction is at work, and its memory does not answer.
    fn waits_for_memory(&self, flight: &Flight) -> bool {
        let port = match flight.decoded.engine() {
            _ if flight.done || flight.tag.is_none() => return false,
            Some(Engine::Load | Engine::MatrixLoad) => self.l1m,
            Some(Engine::Store | Engine::MatrixStore) => self.l0m,
            _ => return false,
        };
        port.waits
    }
}

/// Why the instruction in front of dispatch is not dispatched, or that it is. Of several reasons the first one counts.
fn why(out: &Outputs) -> Reason {
    let reasons = [
        (Stage::Closed, Reason::Trap),
        (Stage::Full, Reason::Window),
        (Stage::First, Reason::FrontEnd),
        (Stage::Operands, Reason::Operands),
        (Stage::Settling, Reason::Csrs),
        (Stage::Strides, Reason::Csrs),
        (Stage::Registers, Reason::Registers),
        (Stage::Engine, Reason::Engine),
        (Stage::Port, Reason::Port),
    ];
    match () {
        () if out.exec_valid && out.waits(Stage::Closed) => Reason::Trap,
        () if out.exec_valid => Reason::Dispatch,
        () if !out.waits(Stage::Valid) => Reason::FrontEnd,
        () => reasons.iter().find(|(stage, _)| out.waits(*stage)).map_or(Reason::FrontEnd, |(_, reason)| *reason),
    }
}

/// The TLRegs that an instruction names, one bit each, where it does what is asked for; `tl0` is none.
fn registers(decoded: Decoded, which: impl Fn(Access) -> bool) -> u32 {
    let asked = decoded.operands().iter().filter(|operand| operand.access().is_some_and(&which));
    asked.fold(0, |set, operand| match operand.register() {
        Some(Register::Tl(number)) => set | 1 << number,
        _ => set,
    }) & !1
}

fn reads(access: Access) -> bool {
    access != Access::Write
}

fn writes(access: Access) -> bool {
    access != Access::Read
}
