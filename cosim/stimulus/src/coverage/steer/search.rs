// SPDX-License-Identifier: Apache-2.0
//! Looks for instructions that hit bins, on the model alone. They are drawn as random programs draw them; what comes
//! closer to the bin stays, and the rest is taken back.

use golden::decode::{CsrInstruction, Decoded, Engine, Register, decode};
use golden::{Csr, Csrs, Hart, Machine, Tiles, TlRegs};

use super::Goal;
use super::in_flight::in_flight;
use super::redraw::redraw;
use crate::coverage::collect::stalls;
use crate::coverage::facts::{self, Facts};
use crate::coverage::history::History;
use crate::lockstep::stall::Plan;
use crate::random::establish::establish;
use crate::random::generator::Generator;
use crate::random::program::{Scenario, scenarios};
use crate::random::{loops, noise};

/// Attempts of a case for goals of one instruction, which share them, and after how many a search begins again.
pub const ATTEMPTS: usize = 14_400;
const RESTART: usize = 150;

/// Attempts of a case for goals of several instructions.
const SEQUENCES: usize = 2_000;

/// Weights of the scenarios: not those of long programs, and none far more often than others.
const WEIGHTS: [u32; 2] = [3, 16];

/// The model that follows a program, and what the coverage knows of its instructions. What is in flight together is not
/// known: as much as can be.
pub struct Search {
    model: Machine,
    stalls: Plan,
    history: History,
    /// Instructions of the unit since the host waited, as many as can be in flight.
    older: usize,
    /// Host registers that they write.
    results: Vec<Register>,
    /// Instructions that a unit with precise traps still kills.
    killing: usize,
    scenarios: Vec<(u32, Scenario)>,
}

/// A state to go back to. The memories stay: nothing depends on what was stored.
struct Mark {
    words: usize,
    csr: Csrs,
    hart: Hart,
    tl: TlRegs,
    tiles: Option<Tiles>,
    history: History,
    results: Vec<Register>,
    counts: [usize; 2],
}

impl Search {
    /// Begins with this model, after a reset of so many clock cycles.
    pub fn new(g: &Generator, model: Machine, stalls: Plan, reset_cycles: u32) -> Search {
        let [least, most] = WEIGHTS;
        let all = scenarios(g.target).into_iter().filter(|(weight, _)| *weight >= least);
        let scenarios = all.map(|(weight, scenario)| (weight.min(most), scenario)).collect();
        Search {
            model,
            stalls,
            history: History::new(reset_cycles),
            older: 0,
            results: Vec::new(),
            killing: 0,
            scenarios,
        }
    }

    fn mark(&self, g: &Generator) -> Mark {
        Mark {
            words: g.words().len(),
            csr: self.model.csr.clone(),
            hart: self.model.hart.clone(),
            tl: self.model.tl.clone(),
            tiles: self.model.tiles.clone(),
            history: self.history.clone(),
            results: self.results.clone(),
            counts: [self.older, self.killing],
        }
    }

    /// Takes back all that was followed since `mark`; the words stay.
    fn back(&mut self, mark: &Mark) {
        self.model.csr.clone_from(&mark.csr);
        self.model.hart.clone_from(&mark.hart);
        self.model.tl.clone_from(&mark.tl);
        self.model.tiles.clone_from(&mark.tiles);
        self.history.clone_from(&mark.history);
        self.results.clone_from(&mark.results);
        [self.older, self.killing] = mark.counts;
    }

    /// Takes back the words too.
    fn undo(&mut self, g: &mut Generator, mark: &Mark) {
        self.back(mark);
        g.back_to(mark.words, &self.model);
    }

    /// Follows the words of `g` from `start` on, and tells `see` what each instruction was.
    pub fn follow(&mut self, g: &Generator, start: usize, mut see: impl FnMut(u32, &Facts)) {
        for &word in &g.words()[start..] {
            self.step(g, word, &mut see);
        }
    }

    fn step(&mut self, g: &Generator, word: u32, see: &mut impl FnMut(u32, &Facts)) {
        let target = g.target;
        let decoded = decode(word, &target.golden);
        if decoded.engine() == Some(Engine::Host) {
            if decoded.operands().reads().any(|read| self.results.contains(&read)) {
                (self.older, self.killing) = (0, 0);
                self.results.clear();
                self.history.recovered();
            }
            self.model.step(word);
            return;
        }
        if let Decoded::Csr(CsrInstruction { rd: rd @ 1.., .. }) = decoded {
            self.results.push(Register::X(rd));
        }
        if self.killing > 0 {
            self.history.assume(self.older);
            see(word, &self.history.killed(decoded, false));
            self.killing -= 1;
            if self.killing == 0 {
                self.history.recovered();
            }
        }
        self.history.assume(self.older);
        let mut facts = facts::before(target, &self.model, word);
        let outcome = self.model.step(word);
        facts::after(&mut facts, target, &self.model, word, &outcome);
        self.history.retired(&mut facts, target, &self.model, word, &outcome);
        stalls(&mut facts, target, &self.stalls, word);
        see(word, &facts);
        let entries = target.rtl.queue_entries as usize;
        self.older = (self.older + 1).min(entries - 1);
        if outcome.trap.is_some() && target.rtl.precise {
            self.killing = 2 * entries;
        }
    }

    /// Appends an instruction that hits `goal`, with all that it needs, and tells `see` of them; nothing when none of
    /// so many attempts does.
    pub fn one(&mut self, g: &mut Generator, goal: &Goal, attempts: usize, mut see: impl FnMut(&Facts)) {
        let (start, known) = (self.mark(g), goal.instructions(g.target));
        let (mut here, mut closest, mut word) = (self.mark(g), 0, None);
        for attempt in 0..attempts {
            if attempt % RESTART == 0 {
                self.undo(g, &start);
                (here, closest, word) = (self.mark(g), 0, None);
            }
            match word {
                Some(word) if g.draw.chance(90) => redraw(g, word),
                _ => self.first(g, goal, &known),
            }
            let mut best = (0, false, None);
            self.follow(g, here.words, |word, facts| {
                let (score, hit) = goal.score(facts);
                if score >= best.0 {
                    best = (score, hit || best.1, Some(word));
                }
            });
            if best.1 {
                self.back(&start);
                return self.follow(g, start.words, |_, facts| see(facts));
            }
            if best.0 > closest || best.0 == closest && g.draw.chance(25) {
                (here, closest, word) = (self.mark(g), best.0, best.2);
            } else {
                self.undo(g, &here);
            }
        }
        self.undo(g, &start);
    }

    /// An instruction to begin with: one of those that are `known` to be able to hit the goal, mostly.
    fn first(&self, g: &mut Generator, goal: &Goal, known: &[Decoded]) {
        match g.draw.choose(known) {
            _ if goal.csr().is_some() => goal.csr().into_iter().for_each(|csr| access_csr(g, csr)),
            Some(one @ Decoded::Matrix(_)) if g.draw.chance(60) => {
                let any = noise::any_operands(g, one);
                let legal = establish(g, any);
                g.emit_as_is(legal);
            }
            Some(one) if g.draw.chance(80) => noise::with_any_operands(g, one),
            _ if g.draw.chance(30) => noise::any_instruction(g),
            _ => g.draw.weighted(&self.scenarios, self.scenarios[0].1).write(g),
        }
    }

    /// Appends sequences that hit some of the goals, each as often as it says.
    pub fn sequences(&mut self, g: &mut Generator, goals: &mut [(usize, Goal)]) {
        let mut mark = self.mark(g);
        let known: Vec<Vec<Decoded>> = goals.iter().map(|(_, goal)| goal.instructions(g.target)).collect();
        for _ in 0..SEQUENCES {
            if goals.iter().all(|(times, _)| *times == 0) {
                return;
            }
            let open = goals.iter().zip(&known).filter(|((times, _), _)| *times > 0);
            let open: Vec<(&Goal, &[Decoded])> = open.map(|((_, goal), known)| (goal, &**known)).collect();
            match g.draw.choose(&open).filter(|(goal, _)| goal.older().is_some()) {
                Some((goal, known)) if g.draw.chance(60) => in_flight(g, goal, known),
                _ => (0..g.draw.range(1, 2)).for_each(|_| {
                    if g.draw.chance(50) {
                        loops::short(g);
                    } else {
                        g.draw.weighted(&self.scenarios, self.scenarios[0].1).write(g);
                    }
                }),
            }
            let mut hit = false;
            self.follow(g, mark.words, |_, facts| {
                for (times, _) in goals.iter_mut().filter(|(times, goal)| *times > 0 && goal.score(facts).1) {
                    (*times, hit) = (*times - 1, true);
                }
            });
            if hit {
                mark = self.mark(g);
            } else {
                self.undo(g, &mark);
            }
        }
    }
}

/// A CSR instruction of any form on this CSR; that a field is 0 matters.
fn access_csr(g: &mut Generator, csr: Csr) {
    let rows: Vec<CsrInstruction> = CsrInstruction::all(&g.target.golden).collect();
    let Some(row) = g.draw.choose(&rows) else { return };
    let one = Decoded::Csr(CsrInstruction { csr, ..row });
    let one = one.with_operands(|_| if g.draw.chance(40) { 0 } else { g.draw.range(1, 31) as i32 });
    g.emit_as_is(one);
}
