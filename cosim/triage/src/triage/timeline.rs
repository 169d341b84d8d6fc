// SPDX-License-Identifier: Apache-2.0
//! Instructions and ports over time, one column for each clock cycle.

use super::evidence::Evidence;
use crate::lockstep::failure::Cause;
use crate::lockstep::record::{Cycle, Handshake, Life, Port};

/// Cycles shown at most.
const LONGEST: u64 = 400;
/// Cycles shown at least, where there are so many.
const SHORTEST: u64 = 60;
/// Cycles shown before the failing instruction is offered.
const LEAD: u64 = 12;
/// Cycles shown after the last retirement before a hang.
const HANG: u64 = 60;
/// Instructions shown at most.
const INSTRUCTIONS: usize = 16;

/// What an instruction or a port does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Idle,
    /// On the issue port, not taken.
    Offered,
    /// In the issue queue.
    Queued,
    /// Between dispatch and completion.
    Executing,
    /// Its engine is done with it; it waits for older ones, or for the host.
    Complete,
    Retired,
    /// Comes back, and has changed nothing.
    Killed,
    /// A request or a handshake that is not taken.
    Waiting,
    /// A request that is granted, or a handshake.
    Done,
    /// A request is granted and another one is answered; not used for handshakes.
    Answer,
    /// An answer with an error.
    Error,
}

impl Mark {
    /// All marks that are drawn, for the legend.
    pub const DRAWN: [Mark; 10] = [
        Mark::Offered,
        Mark::Queued,
        Mark::Executing,
        Mark::Complete,
        Mark::Retired,
        Mark::Killed,
        Mark::Waiting,
        Mark::Done,
        Mark::Answer,
        Mark::Error,
    ];

    /// As a character and as a word.
    const fn symbol_and_name(self) -> (char, &'static str) {
        match self {
            Mark::Idle => ('.', "idle"),
            Mark::Offered => ('o', "offered"),
            Mark::Queued => ('q', "queued"),
            Mark::Executing => ('=', "executing"),
            Mark::Complete => ('-', "complete"),
            Mark::Retired => ('R', "retires"),
            Mark::Killed => ('K', "killed"),
            Mark::Waiting => ('w', "stalled"),
            Mark::Done => ('#', "granted"),
            Mark::Answer => ('a', "answered"),
            Mark::Error => ('E', "error"),
        }
    }

    pub fn symbol(self) -> char {
        self.symbol_and_name().0
    }

    pub fn name(self) -> &'static str {
        self.symbol_and_name().1
    }
}

#[derive(Clone, Debug)]
pub struct Lane {
    pub label: String,
    /// Number of the instruction, if it is that of one.
    pub instruction: Option<usize>,
    /// One mark for each cycle.
    pub marks: Vec<Mark>,
    pub failed: bool,
}

impl Lane {
    /// Runs of equal marks: start, length, mark. Idle ones are left out.
    pub fn runs(&self) -> Vec<(usize, usize, Mark)> {
        let mut runs: Vec<(usize, usize, Mark)> = Vec::new();
        for (i, &mark) in self.marks.iter().enumerate() {
            match runs.last_mut() {
                Some((start, length, last)) if *last == mark && *start + *length == i => *length += 1,
                _ => runs.push((i, 1, mark)),
            }
        }
        runs.retain(|run| run.2 != Mark::Idle);
        runs
    }
}

#[derive(Clone, Debug)]
pub struct Timeline {
    pub start: u64,
    pub cycles: usize,
    /// Column of the failure, if it is in the window.
    pub failure: Option<usize>,
    /// Instructions, then ports.
    pub lanes: Vec<Lane>,
    /// How many of them are instructions.
    pub instructions: usize,
}

impl Timeline {
    /// The end of the recording, or for a hang the time around the last retirement. `name` gives the text of a word.
    pub fn new(evidence: &Evidence, name: impl Fn(u32) -> String) -> Option<Timeline> {
        let (first, last) = (evidence.recording.cycles.first()?.number, evidence.recording.cycles.last()?.number);
        let failed = evidence.failure.at.map(|(_, _, index)| index);
        let offered = failed.and_then(|index| evidence.recording.life(index)).map_or(last, |life| life.offered);
        let newest = evidence.failure.history.last().map_or(0, |retirement| retirement.cycle);
        let (start, end) = match evidence.failure.cause {
            Cause::Hang { .. } => (offered.min(newest).saturating_sub(LEAD), (newest + HANG).min(last)),
            _ => (offered.saturating_sub(LEAD).min(last.saturating_sub(SHORTEST)), last),
        };
        let start = start.max((end + 1).saturating_sub(LONGEST)).max(first);
        let cycles: Vec<&Cycle> =
            evidence.recording.cycles.iter().filter(|cycle| (start..=end).contains(&cycle.number)).collect();
        let mut lives: Vec<&Life> = evidence
            .recording
            .lives
            .iter()
            .filter(|life| !life.host && life.offered <= end && life.retired.is_none_or(|cycle| cycle >= start))
            .collect();
        // The last ones, with the one that failed among them.
        let at = lives.iter().rposition(|life| Some(life.index) == failed).unwrap_or(usize::MAX);
        lives.drain(..lives.len().saturating_sub(INSTRUCTIONS).min(at));
        lives.truncate(INSTRUCTIONS);
        let mut lanes: Vec<Lane> = lives
            .into_iter()
            .map(|life| Lane {
                label: format!("{} {}", life.index, name(life.word)),
                instruction: Some(life.index as usize),
                marks: cycles.iter().map(|cycle| of_instruction(life, cycle.number)).collect(),
                failed: Some(life.index) == failed,
            })
            .collect();
        let instructions = lanes.len();
        let happens = |yes| if yes { Mark::Done } else { Mark::Idle };
        let mut port = |label: &str, mark: &dyn Fn(&Cycle) -> Mark| {
            let marks = cycles.iter().map(|cycle| mark(cycle)).collect();
            lanes.push(Lane { label: label.into(), instruction: None, marks, failed: false });
        };
        port("issue port", &|cycle| of_handshake(cycle.issue));
        port("dispatch", &|cycle| happens(cycle.dispatch));
        port("engine done", &|cycle| happens(cycle.done));
        port("register written", &|cycle| happens(cycle.written));
        port("L1M request", &|cycle| of_request(&cycle.l1m));
        port("L1M response", &|cycle| of_answer(&cycle.l1m));
        port("L0M request", &|cycle| of_request(&cycle.l0m));
        port("L0M response", &|cycle| of_answer(&cycle.l0m));
        port("result port", &|cycle| of_handshake(cycle.result));
        let failure = evidence.failure.cycle.checked_sub(start).map(|column| column as usize);
        let failure = failure.filter(|&column| column < cycles.len());
        Some(Timeline { start, cycles: cycles.len(), failure, lanes, instructions })
    }
}

fn of_instruction(life: &Life, cycle: u64) -> Mark {
    let before = |end: Option<u64>| end.is_none_or(|end| cycle < end);
    if cycle < life.offered || life.retired.is_some_and(|end| cycle > end) {
        Mark::Idle
    } else if life.retired == Some(cycle) {
        if life.killed { Mark::Killed } else { Mark::Retired }
    } else if cycle < life.issued {
        Mark::Offered
    } else if before(life.dispatched) {
        Mark::Queued
    } else if before(life.done) {
        Mark::Executing
    } else {
        Mark::Complete
    }
}

fn of_handshake(handshake: Handshake) -> Mark {
    match handshake {
        Handshake::Idle => Mark::Idle,
        Handshake::Waiting => Mark::Waiting,
        Handshake::Done => Mark::Done,
    }
}

fn of_request(port: &Port) -> Mark {
    match port.request {
        None => Mark::Idle,
        Some(request) if request.granted => Mark::Done,
        Some(_) => Mark::Waiting,
    }
}

fn of_answer(port: &Port) -> Mark {
    match port.answer {
        None => Mark::Idle,
        Some(false) => Mark::Answer,
        Some(true) => Mark::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_goes_through_its_phases() {
        let life = Life {
            index: 0,
            word: 0,
            host: false,
            offered: 2,
            issued: 4,
            dispatched: Some(6),
            tag: Some(0),
            done: Some(8),
            retired: Some(9),
            trap: None,
            killed: false,
        };
        let text = |life: &Life| (0..12).map(|cycle| of_instruction(life, cycle).symbol()).collect::<String>();
        assert_eq!(text(&life), "..ooqq==-R..");
        assert_eq!(text(&Life { retired: None, ..life }), "..ooqq==----");
        assert_eq!(text(&Life { retired: None, dispatched: None, ..life }), "..ooqqqqqqqq");
        assert_eq!(text(&Life { killed: true, ..life }), "..ooqq==-K..");
        let marks = (0..12).map(|c| of_instruction(&life, c)).collect();
        let lane = Lane { label: String::new(), instruction: None, marks, failed: true };
        let lengths: Vec<_> = lane.runs().into_iter().map(|(start, length, _)| (start, length)).collect();
        assert_eq!(lengths, [(2, 2), (4, 2), (6, 2), (8, 1), (9, 1)]);
    }
}
