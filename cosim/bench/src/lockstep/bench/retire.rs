// SPDX-License-Identifier: Apache-2.0
//! Retirement: what has retired is compared with the model; and the end of a run.

use golden::hart::Place;
use golden::{Outcome, Trap};

use super::{Counts, HISTORY, InFlight, Kind, Lockstep, SWEEP, Timing};
use crate::lockstep::failure::{Cause, Failure, Mismatch, Retirement};
use crate::lockstep::observer::ProgramStep;
use crate::lockstep::{bound, check, ports, stored, tiles};
use crate::unit::Outputs;

/// What a result does not have is 0, so that a host need not look at it (docs/integration.md, "Ports").
fn unused(out: &Outputs) -> Result<(), Cause> {
    let nothing = |what: &str| Err(Cause::Protocol(format!("{what} of a result that has none is not 0").into()));
    if !out.result_trap && out.result_tval != 0 {
        return nothing("the value of the trap");
    }
    if !out.result_we && (out.result_rd, out.result_data) != (0, 0) {
        return nothing("the register write");
    }
    Ok(())
}

impl Lockstep {
    /// Retires the instructions of the host that are not behind one of the unit.
    pub(super) fn retire_host(&mut self) -> Result<(), Cause> {
        while let Some(&InFlight { index, pc, word, issued, kind: Kind::Host(write, trap), .. }) =
            self.in_flight.front()
        {
            let cycle = self.counts.cycles;
            self.record(Retirement { index, pc, word, trap, cycle, host: true, killed: false });
            // In a stream the host takes no time.
            self.counts.roofline += u64::from(self.program && self.model.is_some());
            if let Some(model) = &self.model {
                let access = model.hart.access(word);
                let outcome = self.step_model(pc, word, issued)?;
                check::gpr(write, &outcome)?;
                check::trap(trap, &outcome)?;
                self.show(&outcome, access, false);
                self.counts.compared += 1;
            }
            self.host.committed(write, trap.is_none());
            self.in_flight.pop_front();
        }
        Ok(())
    }

    /// Shows an instruction of a program, the oldest one in flight, to whoever watches.
    fn show(&mut self, outcome: &Outcome, access: Option<(Place, bool)>, of_unit: bool) {
        let (Some(model), Some(observer), true) = (&self.model, &mut self.observer, self.program) else { return };
        let waiting = of_unit && self.in_flight.iter().any(InFlight::is_killed);
        let behind = of_unit && self.in_flight.range(1..).any(|entry| entry.id().is_some());
        let handler = model.hart.has_handler();
        observer.program_step(&ProgramStep { outcome, access, of_unit, handler, waiting, behind });
    }

    /// Takes the result on the port and compares the instruction with the model.
    pub(super) fn retire_unit(&mut self) -> Result<(), Cause> {
        self.retire_host()?;
        if self.retire_killed()? {
            return Ok(());
        }
        let Some(&InFlight { index, pc, word, issued, .. }) = self.in_flight.front() else { return Ok(()) };
        let out = &self.rtl.outputs;
        let trap = out.result_trap.then_some(Trap { cause: out.result_cause.into(), tval: out.result_tval });
        let write = (out.result_we && out.result_rd != 0).then_some((out.result_rd, out.result_data));
        unused(out)?;
        self.record(Retirement { index, pc, word, trap, cycle: self.counts.cycles, host: false, killed: false });
        let mut done = Outcome { trap, ..Outcome::default() };
        if let Some(timings) = &mut self.timings {
            timings.push(Timing { issued, retired: self.counts.cycles });
        }
        if let (Some(model), Some(_)) = (&mut self.model, &self.ports) {
            self.counts.roofline += bound::roofline(&self.target, model, word);
            self.observer.iter_mut().for_each(|observer| observer.retiring(model, word));
            let pieces = stored::pieces(model, word);
            let outcome = self.step_model(pc, word, issued)?;
            check::trap(trap, &outcome)?;
            check::gpr(write, &outcome)?;
            let (Some(model), Some(ports)) = (&mut self.model, &mut self.ports) else { return Ok(()) };
            ports.retire(&self.target, &pieces, &outcome, model, &mut self.stores)?;
            self.observer.iter_mut().for_each(|observer| observer.retired(model, word, &outcome));
            self.counts.compared += 1;
            done = outcome;
        } else if let Some(model) = &mut self.model {
            let out = &self.rtl.outputs;
            // What an adapter refuses the unit does not see.
            let seen = !out.refused;
            if seen && out.retire_word != word {
                return Err(Mismatch::Word { rtl: out.retire_word, expected: word }.into());
            }
            let csrs = if seen { Some(self.executed.pop_front().ok_or(Mismatch::NotExecuted)?) } else { None };
            self.counts.roofline += bound::roofline(&self.target, model, word);
            self.observer.iter_mut().for_each(|observer| observer.retiring(model, word));
            let outcome = self.step_model(pc, word, issued)?;
            check::trap(trap, &outcome)?;
            check::gpr(write, &outcome)?;
            let (Some(model), out) = (&mut self.model, &self.rtl.outputs) else { return Ok(()) };
            if let Some(csrs) = csrs {
                check::csrs(&csrs, &model.csr)?;
                check::registers(&self.rtl, &outcome, model)?;
                self.tile_loads.retire(out.retire_tag, &outcome, model)?;
                self.stores.retire(out.retire_tag, &outcome, model)?;
            }
            self.observer.iter_mut().for_each(|observer| observer.retired(model, word, &outcome));
            self.counts.compared += 1;
            done = outcome;
        }
        self.show(&done, None, true);
        self.host.retired(write);
        self.host.committed(write, trap.is_none());
        if trap.is_some() {
            self.trapped(&done)?;
        }
        if self.program {
            self.host.count(pc, trap);
        }
        self.in_flight.pop_front();
        Ok(())
    }

    pub(super) fn record(&mut self, retirement: Retirement) {
        self.progress = self.counts.cycles;
        if retirement.killed {
            self.counts.killed += 1;
        } else {
            self.counts.retired += 1;
            self.counts.traps += u64::from(retirement.trap.is_some());
            self.counts.mnemonics.retire(retirement.word, &self.target.golden, retirement.trap.is_some());
        }
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(retirement);
        if let Some(all) = self.retirements.as_mut().filter(|_| !retirement.killed) {
            all.push(retirement);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.retire(&retirement);
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.retired(&retirement);
        }
    }

    /// Compares the whole state, and that every instruction was compared. To be called after `run`.
    ///
    /// # Errors
    /// The first difference.
    pub fn finish(&mut self) -> Result<Counts, Box<Failure>> {
        self.track().map_err(|cause| self.failure(cause))?;
        if self.ports.is_some() && self.model.is_some() {
            return self.finish_by_ports();
        }
        while self.counts.cycles < self.reset_at + SWEEP || self.rtl.outputs.busy || !self.is_over() {
            self.cycle(&mut &[][..]).map_err(|cause| self.failure(cause))?;
        }
        if let Some(model) = &self.model {
            let &Counts { retired, compared, .. } = &self.counts;
            let checked = check::host(self.host.x(), model)
                .and_then(|()| check::unit_state(&self.rtl, model))
                .and_then(|()| check::memory(&self.l0m.bytes, model))
                .and_then(|()| self.check_hart())
                .and_then(|()| tiles::whole_state(&self.rtl, self.target.golden.matrix, model))
                .and_then(|()| self.stores.finish())
                .and_then(|()| self.tile_loads.finish())
                .and_then(|()| check::all_compared(retired, compared));
            checked.map_err(|mismatch| self.failure(mismatch.into()))?;
        }
        self.observer.iter_mut().for_each(|observer| observer.finished());
        Ok(self.counts.clone())
    }

    /// As [`Lockstep::finish`] where nothing but the ports is seen: the registers are stored first.
    fn finish_by_ports(&mut self) -> Result<Counts, Box<Failure>> {
        // Before the stream that stores the registers.
        self.check_hart().map_err(|mismatch| self.failure(mismatch.into()))?;
        let faults = self.l0m.faults.clone();
        self.run(&ports::store_registers(&self.target.golden, &faults))?;
        if let (Some(model), Some(ports)) = (&self.model, &self.ports) {
            let &Counts { retired, compared, .. } = &self.counts;
            let checked = check::host(self.host.x(), model)
                .and_then(|()| ports.finish())
                .and_then(|()| check::memory(&self.l0m.bytes, model))
                .and_then(|()| check::all_compared(retired, compared));
            checked.map_err(|mismatch| self.failure(mismatch.into()))?;
        }
        self.observer.iter_mut().for_each(|observer| observer.finished());
        Ok(self.counts.clone())
    }
}
