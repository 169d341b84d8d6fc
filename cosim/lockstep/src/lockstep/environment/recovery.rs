// SPDX-License-Identifier: Apache-2.0
//! The host's side of precise traps (docs/isa.md, "Traps and the host"): after a trap the unit kills what is younger
//! until the host resumes. Then the host issues it again, or its handler has changed the program.
//!
//! Which results must say that they were killed is worked out here and never taken from the unit.

use super::stall::{resume_after, resumes_always};
use crate::lockstep::failure::Cause;

/// Cycles for which a unit may be busy with nothing in flight: after reset and after a trap.
const MOST_BUSY: u64 = 80;

/// Cycles after reset in which a unit may still be setting its strides or clearing its matrix registers.
const SWEEP: u64 = 40;

/// What the unit does with instructions.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Running,
    /// It kills them. The host resumes after so many cycles.
    Killing { left: u32 },
    /// The host has resumed. The unit kills those that it has, and takes no others.
    Draining,
}

/// The state of the recovery from a trap, and of `busy`.
#[derive(Default)]
pub struct Recovery {
    precise: bool,
    phase: Phase,
    /// Cycles since the last reset.
    cycles: u64,
    /// Cycles for which nothing has been in flight.
    idle: u64,
    /// `busy` has been 0 in them.
    rested: bool,
}

impl Recovery {
    /// After reset.
    pub fn new(precise: bool) -> Recovery {
        Recovery { precise, ..Recovery::default() }
    }

    pub fn precise(&self) -> bool {
        self.precise
    }

    /// Whether the next result must be that of a killed instruction.
    pub fn kills(&self) -> bool {
        self.phase != Phase::Running
    }

    /// Whether the unit must not take an instruction.
    pub fn is_closed(&self) -> bool {
        self.phase == Phase::Draining
    }

    /// Whether the unit has had the time to set itself up after reset.
    pub fn is_set_up(&self) -> bool {
        self.cycles >= SWEEP
    }

    /// Whether the host sets resume in this cycle; `seed` is that of the stalls of the oldest instruction.
    pub fn resumes(&mut self, seed: u32) -> bool {
        match &mut self.phase {
            Phase::Killing { left: 0 } => true,
            Phase::Killing { left } => {
                *left -= 1;
                false
            }
            Phase::Running | Phase::Draining => self.precise && resumes_always(seed),
        }
    }

    /// An instruction, of which `seed` is that of its stalls, has trapped.
    pub fn trapped(&mut self, seed: u32) {
        self.phase = Phase::Killing { left: resume_after(seed) };
    }

    /// A cycle ends: `resume` was set in it, and results are still `missing`. Whether the unit has just recovered.
    pub fn end_cycle(&mut self, resume: bool, missing: bool) -> bool {
        self.cycles += 1;
        if resume && matches!(self.phase, Phase::Killing { .. }) {
            self.phase = Phase::Draining;
        }
        let recovered = self.phase == Phase::Draining && !missing;
        if recovered {
            self.phase = Phase::Running;
        }
        recovered
    }

    /// Compares `busy` with what was in flight at the start of the cycle.
    pub fn check_busy(&mut self, busy: bool, missing: bool) -> Result<(), Cause> {
        let over = !self.kills() && !missing;
        self.idle = if over { self.idle + 1 } else { 0 };
        let rested = std::mem::replace(&mut self.rested, over && !busy);
        let what = if rested && over && busy {
            "busy rises with nothing in flight".into()
        } else if missing && !busy {
            "busy is 0 while an instruction is in flight".into()
        } else if self.idle > MOST_BUSY && busy {
            format!("busy is 1 after {MOST_BUSY} cycles with nothing in flight").into()
        } else {
            return Ok(());
        };
        Err(Cause::Protocol(what))
    }
}
