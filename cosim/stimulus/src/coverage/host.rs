// SPDX-License-Identifier: Apache-2.0
//! What a program of the host does beside the instructions of the unit: traps and the handler, loops, the windows.

use golden::Outcome;
use golden::decode::Engine;
use golden::hart::Place;

use super::values::*;
use crate::lockstep::ProgramStep;

const MRET: u32 = 0x3020_0073;
const WFI: u32 = 0x1050_0073;

/// What is remembered of the program so far.
#[derive(Debug, Default)]
pub struct HostHistory {
    /// Where the traps were that handlers have not returned from.
    trapped: Vec<u32>,
    /// The instruction before was `mret`, of a handler for the trap at this pc.
    returned: Option<u32>,
    /// The instruction before was a branch or `jal`, at this pc.
    jumped: Option<u32>,
    /// An instruction of the unit has retired since the last jump backwards.
    unit: bool,
    /// What the last store of the unit wrote.
    stored: Vec<(u32, u32)>,
    /// The host has stored to L1M, and the unit has not loaded since.
    l1m: bool,
}

impl HostHistory {
    /// The values of an instruction that retires.
    pub fn step(&mut self, step: &ProgramStep) -> Vec<Value> {
        let &ProgramStep { outcome, access, of_unit, engine, handler, waiting, behind } = step;
        let Outcome { pc, word, trap, .. } = *outcome;
        let mut seen = Vec::new();
        let mut see = |holds: bool, value| seen.extend(holds.then_some(value));
        if let Some(at) = self.returned.take() {
            see(pc == at && trap.is_none(), HOST_RETRIED);
            see(pc == at.wrapping_add(4), HOST_SKIPPED);
            see(trap.is_some(), HOST_RETURN_TRAPS);
        }
        if self.jumped.take().is_some_and(|from| pc <= from) {
            see(std::mem::take(&mut self.unit), HOST_LOOP);
        }
        let trapped = trap.is_some() && handler;
        see(trapped && of_unit, HOST_UNIT_TRAP);
        see(trapped && !of_unit, HOST_OWN_TRAP);
        see(trapped && behind, HOST_INTERRUPTED);
        see(trapped && waiting, HOST_WAITING);
        see(trapped && !self.trapped.is_empty(), HOST_INSIDE);
        see(trap.is_some() && !of_unit && !handler, HOST_NO_HANDLER);
        see(trapped && word == WFI, HOST_WFI);
        if trap.is_none() {
            let overlaps = |address: u32| self.stored.iter().any(|(at, len)| (*at..at + len).contains(&address));
            see(matches!(access, Some((Place::L0m(at), false)) if overlaps(at)), HOST_LOADS_STORED);
            see(matches!(access, Some((Place::L0m(at), true)) if overlaps(at)), HOST_STORES_STORED);
            let loads = engine == Some(Engine::Load) && !outcome.tl_writes.is_empty();
            see(loads && std::mem::take(&mut self.l1m), HOST_STORED_LOADS);
            self.l1m |= matches!(access, Some((Place::L1m(_), true)));
            if of_unit && !outcome.mem_writes.is_empty() {
                self.stored.clone_from(&outcome.mem_writes);
            }
            self.jumped = (!of_unit && matches!(word & 0x7f, 0x63 | 0x6f)).then_some(pc);
            self.returned = if !of_unit && word == MRET { self.trapped.pop() } else { None };
        }
        self.unit |= of_unit;
        if trapped {
            self.trapped.push(pc);
        }
        seen
    }
}
