// SPDX-License-Identifier: Apache-2.0
//! A program on a system with a real core, and on the model: every instruction of the core and of the unit is compared, and
//! at the end every memory.
//!
//! The core tells what it has done after it has begun with the next instruction, the unit at once. So the model executes an
//! instruction of the unit when the unit retires it, and what the core says of it is compared later.

use std::collections::VecDeque;

use anyhow::Result;
use golden::{Machine, Outcome, Program, Trap};

use crate::lockstep::check::{self, Stores};
use crate::lockstep::failure::{Cause, Failure, Mismatch, Retirement};
use crate::lockstep::host::Operands;
use crate::lockstep::memory::{Beat, MAX_BEAT};
use crate::lockstep::tiles::{self, Loads};
use crate::unit::system::{RAM_BYTES, Soc, SocMemory, check_size};
use crate::unit::target::Target;
use crate::unit::{CsrState, RESET_CYCLES};

/// Clock cycles without an instruction after which a system hangs: far more than the longest instruction takes.
const HANG: u64 = 100_000;
/// Addresses of the monitor are at and above this one.
const MONITOR: u32 = 0x4000_0000;
/// Retirements that a report shows.
const HISTORY: usize = 8;

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemCounts {
    /// Clock cycles from the first instruction of the program to its end.
    pub cycles: u64,
    /// Instructions of the program that were compared, those of the unit included.
    pub instructions: u64,
    /// Instructions of the unit that were compared.
    pub unit: u64,
    /// Instructions that trapped.
    pub traps: u64,
}

/// A system and a model, in step.
pub struct System {
    target: Target,
    soc: Soc,
    model: Box<Machine>,
    stores: Stores,
    tile_loads: Loads,
    executed: VecDeque<CsrState>,
    /// Executed by the model for the unit; the core has not told yet.
    awaited: Option<Outcome>,
    x: [u32; 32],
    console: Vec<u8>,
    exit: u32,
    cycle: u64,
    /// Cycle in which the monitor has begun the program.
    start: Option<u64>,
    progress: u64,
    counts: SystemCounts,
    history: VecDeque<Retirement>,
}

impl System {
    /// A system and a model with a program in their memories, and with these contents of L1M.
    ///
    /// # Errors
    /// When the model cannot be made, or the program does not fit.
    pub fn new(target: &Target, program: &Program, l1m: &[u8], seed: u64) -> Result<System> {
        let mut model = Box::new(Machine::new(&target.golden));
        model.l1m.fill(l1m)?;
        model.load(program)?;
        check_size(&model.hart.ram.bytes)?;
        let mut soc = Soc::new(target, seed)?;
        soc.reset(RESET_CYCLES)?;
        soc.memory(SocMemory::Ram).copy_from_slice(&model.hart.ram.bytes[..RAM_BYTES]);
        soc.memory(SocMemory::L1m).copy_from_slice(&model.l1m.bytes);
        soc.memory(SocMemory::L0m).copy_from_slice(&model.l0m.bytes);
        Ok(System {
            stores: Stores::new(&model.l0m.bytes, target.rtl.port_bytes() as usize),
            target: target.clone(),
            soc,
            model,
            tile_loads: Loads::default(),
            executed: VecDeque::new(),
            awaited: None,
            x: [0; 32],
            console: Vec::new(),
            exit: 0,
            cycle: 0,
            start: None,
            progress: 0,
            counts: SystemCounts::default(),
            history: VecDeque::with_capacity(HISTORY),
        })
    }

    /// Runs the program to its end; gives its exit code.
    ///
    /// # Errors
    /// The first difference, or a hang.
    pub fn run(&mut self) -> Result<u32, Box<Failure>> {
        while self.awaited.is_some() || self.model.hart.fetch().is_ok() {
            self.step().map_err(|cause| self.failure(cause))?;
        }
        self.counts.cycles = self.cycle - self.start.unwrap_or_default();
        self.finish().map_err(|mismatch| self.failure(mismatch.into()))?;
        Ok(self.exit)
    }

    /// What the run did.
    pub fn counts(&self) -> SystemCounts {
        self.counts
    }

    /// L0M.
    pub fn l0m(&mut self) -> &[u8] {
        self.soc.memory(SocMemory::L0m)
    }

    /// What the program has printed.
    pub fn console(&self) -> &[u8] {
        &self.console
    }

    /// The system, to plant something in it.
    pub fn soc(&mut self) -> &mut Soc {
        &mut self.soc
    }

    /// One clock cycle.
    fn step(&mut self) -> Result<(), Cause> {
        self.soc.step()?;
        let core = self.soc.core;
        self.cycle += 1;
        if core.fault || core.stopped {
            let what = if core.fault { "reaches for an address where nothing is" } else { "has given up" };
            return Err(Cause::Protocol(format!("the core {what}").into()));
        }
        if core.print_valid {
            self.console.push(core.print);
        }
        if core.exit_valid {
            self.exit = core.exit_code;
        }
        self.look_at_unit()?;
        if core.retire_valid && core.pc >= MONITOR {
            self.x[usize::from(core.rd & 31)] = core.data;
            self.x[0] = 0;
            self.start = self.start.filter(|_| self.counts.instructions > 0).or(Some(self.cycle));
        } else if core.retire_valid {
            self.retire_core()?;
        }
        if self.cycle - self.progress > HANG {
            return Err(Cause::Hang { cycles: self.cycle - self.progress, bound: HANG });
        }
        Ok(())
    }

    /// What the unit did in this cycle.
    fn look_at_unit(&mut self) -> Result<(), Cause> {
        let rtl = self.soc.unit();
        let out = rtl.outputs;
        if out.exec_valid {
            self.stores.start(out.exec_tag)?;
            self.tile_loads.start(out.exec_tag)?;
            self.executed.push_back(rtl.executed_csrs);
        }
        if out.l0m_req && self.soc.core.l0m_gnt {
            let mut data = [0; MAX_BEAT];
            data.copy_from_slice(&out.l0m_wdata);
            self.stores.beat(out.store_tag, Beat { address: out.l0m_addr, enables: out.l0m_be, data, error: false });
        }
        if let (true, Some(config)) = (out.tile_valid, self.target.golden.matrix) {
            let tile = tiles::tile(out.tile_md);
            self.tile_loads.write(out.tile_tag, tile, rtl.tile(config, tile))?;
        }
        if out.retire_valid { self.retire_unit() } else { Ok(()) }
    }

    /// The unit retires an instruction: it has to be the model's next one.
    fn retire_unit(&mut self) -> Result<(), Cause> {
        let outcome = self.step_model()?;
        let rtl = self.soc.unit();
        let out = rtl.outputs;
        if out.retire_word != outcome.word {
            return Err(Mismatch::Word { rtl: out.retire_word, expected: outcome.word }.into());
        }
        // One instruction is in flight at a time, so there is never one behind a trap.
        if out.result_killed {
            return Err(Mismatch::Killed { rtl: true, expected: false }.into());
        }
        let csrs = self.executed.pop_front().ok_or(Mismatch::NotExecuted)?;
        let trap = out.result_trap.then_some(Trap { cause: out.result_cause.into(), tval: out.result_tval });
        check::trap(trap, &outcome)?;
        check::gpr((out.result_we && out.result_rd != 0).then_some((out.result_rd, out.result_data)), &outcome)?;
        check::csrs(&csrs, &self.model.csr)?;
        check::registers(rtl, &outcome, &self.model)?;
        self.tile_loads.retire(out.retire_tag, &outcome, &self.model)?;
        self.stores.retire(out.retire_tag, &outcome, &mut self.model)?;
        self.counts.unit += 1;
        self.awaited = Some(outcome);
        Ok(())
    }

    /// The core has done an instruction: it has to be the model's, with what it wrote.
    fn retire_core(&mut self) -> Result<(), Cause> {
        let by_unit = self.awaited.take();
        let host = by_unit.is_none();
        let outcome = match by_unit {
            Some(outcome) => outcome,
            None => self.step_model()?,
        };
        let core = self.soc.core;
        for (what, rtl, model) in [("pc", core.pc, outcome.pc), ("instruction word", core.word, outcome.word)] {
            if rtl != model {
                return Err(Mismatch::Host { what: what.into(), rtl, model }.into());
            }
        }
        check::gpr((core.rd != 0).then_some((core.rd, core.data)), &outcome)?;
        if let Some((rd, value)) = outcome.gpr_write {
            self.x[usize::from(rd)] = value;
        }
        if host && !outcome.mem_writes.is_empty() {
            self.stores.written_by_host(self.soc.memory(SocMemory::L0m), &outcome.mem_writes);
        }
        let Outcome { pc, word, trap, .. } = outcome;
        let index = self.counts.instructions;
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(Retirement { index, pc, word, trap, cycle: self.cycle, host, killed: false });
        self.counts.instructions += 1;
        self.counts.traps += u64::from(trap.is_some());
        self.progress = self.cycle;
        Ok(())
    }

    fn step_model(&mut self) -> Result<Outcome, Cause> {
        let pc = self.model.hart.pc;
        self.model
            .step_program()
            .map_err(|_| Mismatch::Host { what: "end of the program".into(), rtl: self.soc.core.pc, model: pc }.into())
    }

    /// Everything that is left behind.
    fn finish(&mut self) -> Result<(), Mismatch> {
        let model = &self.model;
        check::host(&self.x, model)?;
        check::unit_state(self.soc.unit(), model)?;
        tiles::whole_state(self.soc.unit(), self.target.golden.matrix, model)?;
        self.stores.finish()?;
        self.tile_loads.finish()?;
        check::memory(self.soc.memory(SocMemory::L0m), model)?;
        let ram = folded(&model.hart.ram.bytes);
        for (name, rtl, expected) in [
            ("program memory", self.soc.memory(SocMemory::Ram).to_vec(), &ram),
            ("L1M", self.soc.memory(SocMemory::L1m).to_vec(), &model.l1m.bytes),
            ("what was printed", self.console.clone(), &model.hart.console),
        ] {
            if rtl != *expected {
                let at = rtl.iter().zip(expected).take_while(|(rtl, model)| rtl == model).count();
                let byte = |bytes: &[u8]| bytes.get(at).copied().unwrap_or_default().into();
                let what = format!("{name}, byte {at:#x},");
                return Err(Mismatch::Host { what, rtl: byte(&rtl), model: byte(expected) });
            }
        }
        match model.hart.exit {
            Some(code) if code != self.exit => {
                Err(Mismatch::Host { what: "exit code".into(), rtl: self.exit, model: code })
            }
            _ => Ok(()),
        }
    }

    fn failure(&self, cause: Cause) -> Box<Failure> {
        let read = |csr| self.model.csr.read(csr);
        let at = self.model.hart.pc;
        let word = self.model.hart.fetch().ok().flatten().unwrap_or_default();
        Box::new(Failure {
            cause,
            at: Some((at, word, self.counts.instructions)),
            cycle: self.cycle,
            history: self.history.iter().copied().collect(),
            shape: (read(golden::Csr::Ttype), read(golden::Csr::Tshape)),
            operands: Operands::default(),
            tile_sizes: self.model.csr.has_matrix().then(|| check::tile_sizes(&self.model.csr)),
            element_bits: self.model.element_type().map(|element| element.bits),
            printed: String::new(),
        })
    }
}

/// The memory of a system that repeats itself, where the model has a large one: a place has what any of its addresses has.
/// Where a program uses two of them, memories differ, and the comparison says so.
fn folded(ram: &[u8]) -> Vec<u8> {
    let mut folded = vec![0; RAM_BYTES];
    for part in ram.chunks_exact(RAM_BYTES) {
        folded.iter_mut().zip(part).for_each(|(all, byte)| *all |= byte);
    }
    folded
}
