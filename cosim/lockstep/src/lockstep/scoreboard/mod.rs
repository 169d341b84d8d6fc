// SPDX-License-Identifier: Apache-2.0
//! The scoreboard: it executes each instruction that retires on the model, and compares what the unit has done.

mod byte_set;
mod meaning;
pub mod ports;
pub mod state;
mod stores;
mod tile_loads;

use std::collections::VecDeque;

use golden::decode::stored;
use golden::hart::ProgramError;
use golden::{Hart, Machine, Outcome, Program, Trap};

use super::environment::in_flight::{Instruction, State};
use super::environment::memory::Beat;
use super::failure::{Cause, Mismatch};
use crate::unit::target::Target;
use crate::unit::{CsrState, Outputs, Rtl};
use meaning::Meaning;
use ports::Ports;
use stores::{Piece, Stores};
use tile_loads::TileLoads;

/// The model, and what the unit has done for instructions that have not retired.
pub struct Scoreboard {
    target: Target,
    pub model: Box<Machine>,
    stores: Stores,
    tile_loads: TileLoads,
    /// The CSRs behind each instruction that was dispatched and has not retired.
    dispatched: VecDeque<CsrState>,
    /// Instead of the two above, when there is no probe and only the ports are seen.
    ports: Option<Ports>,
    meaning: Meaning,
    /// After an error of the L0M port: the ids of younger stores, and what each may have written already.
    predicted: Vec<(u8, Vec<Piece>)>,
    /// The unit was reset and has not been at rest since.
    after_reset: bool,
    /// The unit has recovered from a trap, and its state has not been compared since.
    after_recovery: bool,
}

impl Scoreboard {
    /// For a unit after reset, with a model in the same state; it has a probe or not.
    pub fn new(target: &Target, model: Box<Machine>, has_probe: bool) -> Scoreboard {
        Scoreboard {
            target: target.clone(),
            stores: Stores::new(&model.l0m.bytes, target.rtl.port_bytes() as usize),
            tile_loads: TileLoads::default(),
            dispatched: VecDeque::with_capacity(64),
            ports: (!has_probe).then(|| Ports::new(!model.l0m.faults.is_empty())),
            model,
            meaning: Meaning::default(),
            predicted: Vec::new(),
            after_reset: true,
            after_recovery: false,
        }
    }

    pub fn sees_ports_only(&self) -> bool {
        self.ports.is_some()
    }

    /// The unit was reset. Stores that were cut short have left some of their bytes in `l0m`, which counts from here
    /// on.
    pub fn reset(&mut self, l0m: &[u8]) {
        self.model.reset();
        self.model.l0m.bytes.copy_from_slice(l0m);
        self.stores.reset(l0m);
        self.tile_loads = TileLoads::default();
        self.ports.iter_mut().for_each(Ports::reset);
        self.dispatched.clear();
        self.predicted.clear();
        self.meaning.forget();
        (self.after_reset, self.after_recovery) = (true, false);
    }

    /// Puts a program into the memories of the model; `l0m` has it already.
    pub fn load(&mut self, program: &Program, l0m: &[u8]) -> Result<(), ProgramError> {
        self.stores.reset(l0m);
        self.model.load(program)
    }

    /// The host has written these ranges of `l0m`, address and length, while no store was in flight.
    pub fn host_stored(&mut self, l0m: &[u8], ranges: &[(u32, u32)]) {
        self.stores.written_by_host(l0m, ranges);
    }

    /// L0M as the retired stores of the RTL left it.
    pub fn retired_l0m(&self) -> &[u8] {
        self.stores.memory()
    }

    /// Compares what must hold in every cycle: the meaning of the CSRs while nothing in flight is `changing` them, and
    /// the whole state once the unit is at rest after a reset or has recovered from a trap.
    pub fn compare_cycle(&mut self, rtl: &Rtl, changing: bool) -> Result<(), Cause> {
        let out = &rtl.outputs;
        // After a recovery the unit takes instructions at once; after reset it does so before it has set itself up.
        let recovered = self.after_recovery && (out.issue_ready || !out.busy);
        let set_up = self.after_reset && !out.busy && self.ports.is_none();
        if recovered && out.exec_valid {
            return Err(Cause::Protocol("an instruction is dispatched that was not issued".into()));
        }
        if recovered || set_up {
            (self.after_recovery, self.after_reset) = (false, self.after_reset && !set_up);
            state::unit(rtl, &self.model)?;
        }
        if changing {
            self.meaning.forget();
        } else if out.means {
            self.meaning.check(out, &self.model)?;
        }
        Ok(())
    }

    /// Remembers what instructions in flight have done in this cycle; `beat` was granted on the L0M port. Never more
    /// than `queue_entries` are in flight.
    pub fn collect(&mut self, rtl: &Rtl, beat: Option<Beat>) -> Result<(), Cause> {
        let out = &rtl.outputs;
        if let Some(ports) = &mut self.ports {
            beat.into_iter().for_each(|beat| ports.beat(beat));
            return Ok(());
        }
        if out.exec_valid {
            let (count, most) = (self.dispatched.len() + 1, self.target.rtl.queue_entries as usize);
            if count > most {
                return Err(Cause::Protocol(
                    format!("{count} instructions are in flight, queue_entries is {most}").into(),
                ));
            }
            self.stores.start(out.exec_tag)?;
            self.tile_loads.start(out.exec_tag)?;
            self.dispatched.push_back(rtl.executed_csrs);
        }
        beat.into_iter().for_each(|beat| self.stores.beat(out.store_tag, beat));
        if let (true, Some(config)) = (out.tile_valid, self.target.golden.matrix) {
            let tile = crate::unit::tiles::tile(out.tile_md);
            self.tile_loads.write(out.tile_tag, tile, rtl.tile(config, tile))?;
        }
        Ok(())
    }

    /// An instruction that the host has executed retires.
    pub fn retire_host(&mut self, entry: &Instruction) -> Result<Outcome, Mismatch> {
        let outcome = execute(&mut self.model, entry)?;
        if let State::Host(write, trap) = entry.state {
            compare_result((trap, write), &outcome)?;
        }
        Ok(outcome)
    }

    /// An instruction that the unit has executed retires: executes it on the model, and compares all that the unit has
    /// done.
    pub fn retire(&mut self, entry: &Instruction, rtl: &Rtl) -> Result<Outcome, Mismatch> {
        let out = &rtl.outputs;
        let Some(ports) = &mut self.ports else {
            // The unit does not see what an adapter refuses.
            if !out.refused && out.retire_word != entry.word {
                return Err(Mismatch::Word { rtl: out.retire_word, expected: entry.word });
            }
            let csrs = if out.refused { None } else { Some(self.dispatched.pop_front().ok_or(Mismatch::NotExecuted)?) };
            let outcome = execute(&mut self.model, entry)?;
            compare_result(result(out), &outcome)?;
            if let Some(csrs) = csrs {
                state::csrs(&csrs, &self.model.csr)?;
                state::registers(rtl, &outcome, &self.model)?;
                self.tile_loads.retire(out.retire_tag, &outcome, &self.model)?;
                self.stores.retire(out.retire_tag, &outcome, &mut self.model)?;
            }
            return Ok(outcome);
        };
        let pieces = stored(&self.model, entry.word);
        let outcome = execute(&mut self.model, entry)?;
        compare_result(result(out), &outcome)?;
        if entry.is_store() {
            ports.retire(&pieces, &outcome, &mut self.model, &mut self.stores)?;
        }
        Ok(outcome)
    }

    /// The instruction that has retired last has trapped, and traps are precise: nothing younger may have written
    /// anything. An error of the L0M port comes after the writes and is the exception: a copy of the model, run ahead,
    /// predicts what the `younger` stores may have written already. They have not if an instruction before them traps
    /// in another way.
    pub fn trapped<'a>(
        &mut self,
        outcome: &Outcome,
        younger: impl Iterator<Item = &'a Instruction>,
    ) -> Result<(), Mismatch> {
        if outcome.mem_unknown.is_empty() {
            return self.nothing_written();
        }
        if self.ports.is_some() {
            return Ok(());
        }
        let mut ahead = self.model.clone();
        for entry in younger {
            if entry.in_program {
                // The copy may have gone to the handler after another error of the port.
                ahead.hart.pc = entry.pc;
            }
            let pieces = stored(&ahead, entry.word);
            let Ok(outcome) = execute(&mut ahead, entry) else { break };
            let traps = outcome.trap.is_some() && outcome.mem_unknown.is_empty();
            if traps && !matches!(entry.state, State::Host(..)) {
                break;
            }
            if let Some(id) = entry.id().filter(|_| !pieces.is_empty()) {
                self.predicted.push((id, pieces));
            }
        }
        Ok(())
    }

    /// The unit has killed an instruction: compares what it has written, which is nothing or what was predicted. The
    /// model goes on with that. Whether it has written anything.
    pub fn killed(&mut self, entry: &Instruction, rtl: &Rtl) -> Result<bool, Mismatch> {
        let out = &rtl.outputs;
        if self.ports.is_some() || out.refused {
            return Ok(false);
        }
        if out.retire_word != entry.word {
            return Err(Mismatch::Word { rtl: out.retire_word, expected: entry.word });
        }
        self.dispatched.pop_front();
        let predicted = self.predicted.iter().find(|(id, _)| Some(*id) == entry.id());
        self.stores.killed(out.retire_tag, predicted.map_or(&[], |(_, pieces)| pieces), &mut self.model)
    }

    /// The unit has recovered from a trap. All that was in flight is answered.
    pub fn recovered(&mut self) -> Result<(), Mismatch> {
        self.predicted.clear();
        self.dispatched.clear();
        self.after_recovery = self.ports.is_none();
        self.nothing_written()
    }

    /// Checks that no instruction has written anything that did not retire.
    fn nothing_written(&self) -> Result<(), Mismatch> {
        self.stores.finish()?;
        self.tile_loads.finish()?;
        self.ports.as_ref().map_or(Ok(()), Ports::finish)
    }

    /// Compares the whole state at the end of a run: the host's registers, the unit, L0M, and what nobody has retired.
    pub fn finish(&self, x: &[u32; 32], rtl: &Rtl, l0m: &[u8]) -> Result<(), Mismatch> {
        state::host(x, &self.model)?;
        if let Some(ports) = &self.ports {
            ports.finish()?;
            return state::l0m(l0m, &self.model);
        }
        state::unit(rtl, &self.model)?;
        state::l0m(l0m, &self.model)?;
        self.nothing_written()
    }

    /// Compares the host after a program; `l1m` is what it left in L1M.
    pub fn finish_program(&self, hart: &Hart, l1m: &[u8]) -> Result<(), Mismatch> {
        if hart.ram.is_empty() { Ok(()) } else { state::hart(hart, l1m, &self.model) }
    }
}

/// A trap, and the host register that is written.
pub type Answer = (Option<Trap>, Option<(u8, u32)>);

/// The result on the result port.
pub fn result(out: &Outputs) -> Answer {
    let trap = out.result_trap.then_some(Trap { cause: out.result_cause.into(), tval: out.result_tval });
    (trap, (out.result_we && out.result_rd != 0).then_some((out.result_rd, out.result_data as u32)))
}

fn compare_result((trap, write): Answer, outcome: &Outcome) -> Result<(), Mismatch> {
    if trap != outcome.trap {
        return Err(Mismatch::Trap { rtl: trap, model: outcome.trap });
    }
    compare_write(write, outcome)
}

/// Compares the host register that an instruction writes.
pub fn compare_write(write: Option<(u8, u32)>, outcome: &Outcome) -> Result<(), Mismatch> {
    if write == outcome.gpr_write { Ok(()) } else { Err(Mismatch::Gpr { rtl: write, model: outcome.gpr_write }) }
}

/// Executes an instruction on a model, of which it must be the next one.
fn execute(
    model: &mut Machine,
    &Instruction { pc, word, issued, in_program, .. }: &Instruction,
) -> Result<Outcome, Mismatch> {
    if !in_program {
        return Ok(model.step(word));
    }
    model.hart.cycle = issued;
    let wrong = |what: &str, rtl, model| Err(Mismatch::Host { what: what.into(), rtl, model });
    match model.step_program() {
        Ok(outcome) if outcome.pc != pc => wrong("pc", pc, outcome.pc),
        Ok(outcome) if outcome.word != word => wrong("instruction word", word, outcome.word),
        Ok(outcome) => Ok(outcome),
        Err(_) => wrong("end of the program", pc, model.hart.pc),
    }
}
