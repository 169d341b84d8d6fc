// SPDX-License-Identifier: Apache-2.0
//! Collects coverage from a bench that runs.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::sync::{Arc, Mutex, PoisonError};

use golden::decode::{Direction, decode};
use golden::{Machine, Outcome};

use super::bins::Bins;
use super::facts::{self, Facts};
use super::history::History;
use super::hits::Hits;
use super::host::HostHistory;
use super::rules::UNANSWERED;
use super::values::*;
use crate::lockstep::stall::{Class, Plan};
use crate::lockstep::{Observer, ProgramStep, Setup};
use crate::unit::target::Target;

/// Turns retirements into hits.
pub struct Collector {
    target: Target,
    bins: Arc<Bins>,
    stalls: Plan,
    history: History,
    host: HostHistory,
    facts: Facts,
    hits: Hits,
    sink: Option<Arc<Mutex<Hits>>>,
}

impl Collector {
    /// A collector for a run with these stalls, and resets of so many clock cycles.
    pub fn new(target: &Target, bins: &Arc<Bins>, stalls: Plan, reset_cycles: u32) -> Collector {
        let mut hits = Hits::default();
        hits.cases = 1;
        let (target, bins) = (target.clone(), bins.clone());
        let (history, host) = (History::new(reset_cycles), HostHistory::default());
        Collector { target, bins, stalls, history, host, facts: Facts::default(), hits, sink: None }
    }

    /// As `new`; all hits are added to `sink` when the run has ended well.
    pub fn into(target: &Target, bins: &Arc<Bins>, setup: &Setup, sink: &Arc<Mutex<Hits>>) -> Collector {
        Collector { sink: Some(sink.clone()), ..Collector::new(target, bins, setup.stalls, setup.reset_cycles) }
    }
}

/// Adds the stalls of an instruction to its facts.
pub fn stalls(facts: &mut Facts, target: &Target, stalls: &Plan, word: u32) {
    let class = |axis, class: Class| Value { axis, index: class as u8 };
    facts.set(class(Axis::Issue, stalls.issue));
    facts.set(class(Axis::Results, stalls.result));
    let instruction = decode(word, &target.golden);
    let of_slices = instruction.slice_transfer().map(|transfer| transfer.direction);
    let of_tiles = instruction.tile_transfer().map(|(direction, _)| direction);
    let [grant, response] = match of_slices.or(of_tiles) {
        Some(Direction::Load) => stalls.l1m,
        Some(Direction::Store) => stalls.l0m,
        None => return,
    };
    facts.set(class(Axis::Grant, grant));
    facts.set(class(Axis::Response, response));
}

impl Observer for Collector {
    fn issued(&mut self, word: u32, since_reset: u64, resume: bool) {
        self.history.issued(decode(word, &self.target.golden), since_reset, resume);
    }

    fn dispatched(&mut self) {
        self.history.dispatched();
    }

    fn retiring(&mut self, model: &Machine, word: u32) {
        self.facts = facts::before(&self.target, model, word);
    }

    fn retired(&mut self, model: &Machine, word: u32, outcome: &Outcome) {
        facts::after(&mut self.facts, &self.target, model, word, outcome);
        self.history.retired(&mut self.facts, &self.target, model, word, outcome);
        stalls(&mut self.facts, &self.target, &self.stalls, word);
        self.hits.instructions += 1;
        let hits = &mut self.hits;
        self.bins.sample(&self.facts, |id| hits.add(id, 1));
    }

    fn killed(&mut self, word: u32, begun: bool) {
        let facts = self.history.killed(decode(word, &self.target.golden), begun);
        let hits = &mut self.hits;
        self.bins.sample(&facts, |id| hits.add(id, 1));
    }

    fn requests(&mut self, most: [usize; 2]) {
        for (value, ..) in UNANSWERED.into_iter().filter(|&(_, port, requests)| most[port] >= requests as usize) {
            let mut facts = Facts::default();
            facts.set(value);
            let hits = &mut self.hits;
            self.bins.sample(&facts, |id| hits.add(id, 1));
        }
    }

    fn recovered(&mut self) {
        self.history.recovered();
    }

    fn program_step(&mut self, step: &ProgramStep) {
        for value in self.host.step(step) {
            let mut facts = Facts::default();
            facts.set(value);
            let hits = &mut self.hits;
            self.bins.sample(&facts, |id| hits.add(id, 1));
        }
    }

    fn reset(&mut self) {
        self.history.reset();
    }

    fn finished(&mut self) {
        if let Some(sink) = &self.sink {
            sink.lock().unwrap_or_else(PoisonError::into_inner).merge(&self.hits);
        }
    }
}
