// SPDX-License-Identifier: Apache-2.0
//! Someone who watches a bench: told of what happens, without a way to change it.

use golden::hart::Place;
use golden::{Machine, Outcome};

/// An instruction of a program for the host, which the model has executed and both sides agree on.
#[derive(Clone, Copy, Debug)]
pub struct ProgramStep<'a> {
    /// What it did.
    pub outcome: &'a Outcome,
    /// Where a load or store of the host goes, and whether it is a store.
    pub access: Option<(Place, bool)>,
    /// The unit has executed it.
    pub of_unit: bool,
    /// There is a handler.
    pub handler: bool,
    /// Of the unit; instructions that were killed before have not been issued again.
    pub waiting: bool,
    /// Of the unit; younger ones are in flight.
    pub behind: bool,
}

/// Watches the instructions of the unit; those of the host are shown in programs.
pub trait Observer: Send {
    /// The unit took an instruction; `resume` when the host set resume in the same cycle.
    fn issued(&mut self, resume: bool);
    /// The unit dispatched the next instruction that it had taken.
    fn dispatched(&mut self);
    /// An instruction retires; `model` has not executed it yet.
    fn retiring(&mut self, model: &Machine, word: u32);
    /// `model` has executed it, and both sides agreed.
    fn retired(&mut self, model: &Machine, word: u32, outcome: &Outcome);
    /// The unit has killed the oldest instruction that it had taken and not answered.
    /// `begun` when it is a store that has written something.
    fn killed(&mut self, word: u32, begun: bool);
    /// The unit executes instructions again after a trap.
    fn recovered(&mut self);
    /// An instruction of a program for the host retires, of the host or of the unit.
    fn program_step(&mut self, _: &ProgramStep) {}
    /// The unit was reset: nothing is in flight.
    fn reset(&mut self);
    /// The run has ended, and both sides agreed to the last byte.
    fn finished(&mut self);
}

/// All of them, in their order.
impl Observer for Vec<Box<dyn Observer>> {
    fn issued(&mut self, resume: bool) {
        self.iter_mut().for_each(|observer| observer.issued(resume));
    }

    fn dispatched(&mut self) {
        self.iter_mut().for_each(|observer| observer.dispatched());
    }

    fn retiring(&mut self, model: &Machine, word: u32) {
        self.iter_mut().for_each(|observer| observer.retiring(model, word));
    }

    fn retired(&mut self, model: &Machine, word: u32, outcome: &Outcome) {
        self.iter_mut().for_each(|observer| observer.retired(model, word, outcome));
    }

    fn killed(&mut self, word: u32, begun: bool) {
        self.iter_mut().for_each(|observer| observer.killed(word, begun));
    }

    fn recovered(&mut self) {
        self.iter_mut().for_each(|observer| observer.recovered());
    }

    fn program_step(&mut self, step: &ProgramStep) {
        self.iter_mut().for_each(|observer| observer.program_step(step));
    }

    fn reset(&mut self) {
        self.iter_mut().for_each(|observer| observer.reset());
    }

    fn finished(&mut self) {
        self.iter_mut().for_each(|observer| observer.finished());
    }
}
