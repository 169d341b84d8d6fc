// SPDX-License-Identifier: Apache-2.0
//! What each engine does: a clock cycle belongs to the oldest instruction in it that is not complete.

use std::collections::BTreeMap;

use golden::decode::Engine;
use serde::Serialize;

use super::reason::Line;

/// Stretches and instructions that a timeline has at most.
pub const LONGEST: usize = 4000;

/// A part of the unit that works on one instruction after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// `tl.load`, `tl.mload`
    Load,
    /// `tl.store`, `tl.mstore`
    Store,
    /// `tl.addi`, `tl.merge`, `tl.concat`
    Move,
    /// `tl.xpose`
    Xpose,
    Matrix,
}

impl Lane {
    pub const ALL: [Lane; 5] = [Lane::Load, Lane::Store, Lane::Move, Lane::Xpose, Lane::Matrix];

    /// The lane of an engine; none for what dispatch and the host do themselves.
    pub fn of_engine(engine: Engine) -> Option<Lane> {
        match engine {
            Engine::Host | Engine::Csr | Engine::MatrixConfig => None,
            Engine::Load => Some(Lane::Load),
            Engine::Store => Some(Lane::Store),
            Engine::Move => Some(Lane::Move),
            Engine::Xpose => Some(Lane::Xpose),
            Engine::MatrixLoad | Engine::MatrixStore => Some(Lane::Matrix),
        }
    }

    pub fn name(self) -> &'static str {
        ["load", "store", "move", "xpose", "matrix"][self as usize]
    }

    pub(super) fn uses_memory(self) -> bool {
        matches!(self, Lane::Load | Lane::Store | Lane::Matrix)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    pub cycles: u64,
    /// Those in which memory did not answer.
    pub memory: u64,
}

/// An instruction in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub lane: Lane,
    pub line: Line,
    /// Its first cycle as the oldest one.
    pub from: u64,
    /// The cycle behind its last one.
    pub to: u64,
    /// Cycles in which memory did not answer.
    pub memory: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Lanes {
    /// Clock cycles by engine and instruction.
    pub work: BTreeMap<(Lane, Line), Work>,
    /// The first instructions.
    pub spans: Vec<Span>,
    /// The ones that the engines are at.
    open: BTreeMap<Lane, Span>,
}

impl Lanes {
    /// A cycle of work.
    pub(super) fn works(&mut self, lane: Lane, line: Line, memory: bool, cycle: u64) {
        let work = self.work.entry((lane, line)).or_default();
        work.cycles += 1;
        work.memory += u64::from(memory);
        let span = self.open.entry(lane).or_insert(Span { lane, line, from: cycle, to: cycle, memory: 0 });
        span.to = cycle + 1;
        span.memory += u64::from(memory);
    }

    /// The oldest instruction in a lane is complete.
    pub(super) fn done(&mut self, lane: Lane) {
        let span = self.open.remove(&lane);
        let room = LONGEST.saturating_sub(self.spans.len());
        self.spans.extend(span.into_iter().take(room));
    }

    /// Whether no more are remembered.
    pub(super) fn full(&self) -> bool {
        self.spans.len() >= LONGEST
    }

    pub(super) fn finish(&mut self) {
        Lane::ALL.iter().for_each(|&lane| self.done(lane));
        self.spans.sort_by_key(|span| (span.from, span.lane));
    }

    pub fn total(&self, lane: Lane) -> Work {
        let work = || self.work.iter().filter(|((other, _), _)| *other == lane).map(|(_, work)| work);
        Work { cycles: work().map(|work| work.cycles).sum(), memory: work().map(|work| work.memory).sum() }
    }
}
