// SPDX-License-Identifier: Apache-2.0
//! Small pairs, whole: what random programs reach now and then, one after the other. A new row of the tables of
//! instructions is in all of them.
//!
//! - *reset*: every instruction alone, in each of the first cycles after reset;
//! - *again*: every instruction after a reset in the middle of the work of every other one;
//! - *pairs*: every two instructions, with 0 to 3 cycles between them and registers that they share or not;
//! - *triples*: every three kinds of instruction, or two and a reset before, between or behind them;
//! - *bits*: every word one bit beside an instruction;
//! - *edges*: every instruction with each CSR and host register that it depends on at 0, powers of two and beside
//!   them, also in each byte: at once, and when the CSRs have not changed for a while;
//! - *wraps*: every load and store with a slice whose offset in memory wraps around and ends near the base.
//!
//! Registers and memories that have no reset hold random bits when a case begins.

mod atom;
mod relation;
mod state;
mod wrap;

use std::collections::BTreeSet;

use golden::Csr;
use golden::decode::{CsrInstruction, CsrOperation, CsrSource, Decoded, decode};

use crate::base::draw::Draw;
use crate::case::Case;
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, NO_STALL, Plan};
use crate::random::case::{contents, reset_cycles};
use crate::random::establish;
use crate::random::generator::Generator;
use crate::unit::target::Target;
use atom::{Atom, Group};
use relation::{FIRST, Relation, alone};
use state::State;

/// Cycles after reset in which an instruction is tried.
const RESET_CYCLES: u32 = 48;
/// Most cycles between the instructions of a pair.
const GAPS: u32 = 4;
/// Cycles without a change of a CSR after which the unit may have computed something from all strides.
const QUIET: u32 = 40;
/// Cases with offsets that wrap around, for each row: types, shapes and masks differ.
const WRAPS: usize = 8;

/// A case of a scope.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// An instruction so many cycles after reset; in a state in which it is legal, or in that of reset.
    Reset { atom: Atom, wait: u32, legal: bool },
    /// A reset so many cycles after the beginning of a case that executes `running`, then `atom` at once.
    Again { running: Atom, atom: Atom, after: u64 },
    /// Two instructions, once with each gap.
    Pair { atoms: [Atom; 2], relation: Relation },
    /// Three instructions, with all gaps; of which one, `None`, may be a reset so many cycles after the beginning.
    Triple { steps: [Option<Atom>; 3], after: u64 },
    /// The 32 words that are one bit beside this instruction.
    Bits(Atom),
    /// A row with this CSR at every edge.
    Csr { row: Decoded, csr: Csr },
    /// A row with every edge in its host registers.
    Operand(Decoded),
    /// A load or store with a slice whose offset wraps around; the items of a row differ in their draws.
    Wrap(Decoded),
}

/// All cases of a configuration.
pub struct Pairs(Vec<Item>);

impl Pairs {
    pub fn new(target: &Target) -> Pairs {
        let [rows, words, csrs, few] =
            [atom::of_rows, atom::of_words, atom::of_csrs, atom::of_few_csrs].map(|list| list(target));
        let all = [&rows[..], &words, &few].concat();
        let every: Vec<Atom> = [&rows[..], &words].concat().concat();
        let mut items = reset(&every, &csrs);
        items.extend(again(&rows, &all));
        items.extend(pairs(&all));
        items.extend(triples(&all));
        items.extend([rows.concat(), csrs.concat()].concat().into_iter().map(Item::Bits));
        items.extend(edges(target));
        Pairs(items)
    }

    /// Number of cases.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// What case `number` is about.
    pub fn name(&self, number: u64) -> String {
        self.item(number).name()
    }

    /// Whether case `number` needs no reset of its own.
    pub fn stream(&self, number: u64) -> bool {
        match self.item(number) {
            Item::Reset { .. } | Item::Again { .. } => false,
            Item::Triple { steps, .. } => !steps.contains(&None),
            Item::Pair { .. } | Item::Bits(_) | Item::Csr { .. } => true,
            Item::Operand(_) | Item::Wrap(_) => true,
        }
    }

    fn item(&self, number: u64) -> &Item {
        &self.0[number as usize % self.0.len()]
    }

    /// Case `number`, with values that follow from the seed.
    pub fn case(&self, target: &Target, seed: u64, number: u64) -> Case {
        let item = self.item(number);
        let mut draw = Draw::new(seed, target.name(), number);
        let setup = Setup {
            l1m: contents(&mut draw, target.golden.l1m_bytes),
            l0m: contents(&mut draw, target.golden.l0m_bytes),
            reset_cycles: reset_cycles(&mut draw),
            stalls: Plan { issue: Class::Counted, ..Plan::default() },
            seed: draw.u64(),
            ..Setup::default()
        };
        let mut writer = Writer { g: Generator::new(target, &mut draw, [&[], &[]]), waits: Vec::new() };
        item.write(&mut writer);
        let Writer { g, waits } = writer;
        let program = g.into_words();
        let mut stall_seeds = vec![NO_STALL; program.len()];
        waits.into_iter().for_each(|(index, wait)| stall_seeds[index] = wait);
        let reset_after = match item {
            Item::Again { after, .. } => Some(*after),
            Item::Triple { steps, after } if steps.contains(&None) => Some(*after),
            _ => None,
        };
        Case { preload: Vec::new(), program, host: false, setup: Setup { stall_seeds, ..setup }, reset_after }
    }
}

/// Every instruction in every cycle after reset; of a group of CSR instructions one in each.
fn reset(every: &[Atom], csrs: &[Group]) -> Vec<Item> {
    let waits = || 0..RESET_CYCLES;
    let csr = |group: &Group| {
        waits().map(|wait| Item::Reset { atom: turn(group, wait as usize), wait, legal: false }).collect()
    };
    let row = |&atom: &Atom| {
        let both = |wait| [false, true].map(|legal| Item::Reset { atom, wait, legal });
        waits().flat_map(both).collect::<Vec<Item>>()
    };
    let csrs: Vec<Vec<Item>> = csrs.iter().map(csr).collect();
    csrs.into_iter().chain(every.iter().map(row)).flatten().collect()
}

/// The atom of a group whose turn it is.
fn turn(group: &Group, number: usize) -> Atom {
    group[number % group.len()]
}

/// Cycles until a reset that comes while a case executes what it prepares first.
fn reset_after(number: u64) -> u64 {
    u64::from(RESET_CYCLES) + number % 48
}

/// A reset in the middle of every legal row, and then every instruction.
fn again(rows: &[Group], all: &[Group]) -> Vec<Item> {
    let running = rows.iter().filter(|group| matches!(group[0], Atom::Row(_)));
    let mut items = Vec::new();
    for group in running {
        for (i, then) in all.iter().enumerate() {
            for n in 0..3 {
                let after = reset_after(16 * n + 5 * i as u64);
                items.push(Item::Again { running: turn(group, i), atom: turn(then, n as usize), after });
            }
        }
    }
    items
}

/// Every two instructions with every relation that they can have.
fn pairs(all: &[Group]) -> Vec<Item> {
    let mut items = Vec::new();
    for (i, first) in all.iter().enumerate() {
        for (j, second) in all.iter().enumerate() {
            for (n, relation) in Relation::ALL.into_iter().enumerate() {
                let atoms = [turn(first, j + n), turn(second, i + 5 * n)];
                if relation.numbers(atoms[0].operands(), atoms[1].operands()).is_some() {
                    items.push(Item::Pair { atoms, relation });
                }
            }
        }
    }
    items
}

/// Every three kinds, one reset at most among them; the atoms of a kind in turn.
fn triples(all: &[Group]) -> Vec<Item> {
    let kinds: Vec<Option<Group>> = atom::by_kind(all).into_iter().map(Some).chain([None]).collect();
    let mut turns = vec![0; kinds.len()];
    let mut step = |kind: usize| {
        turns[kind] += 1;
        kinds[kind].as_ref().map(|group| turn(group, turns[kind]))
    };
    let mut items = Vec::new();
    for number in 0..kinds.len().pow(3) {
        let [first, second, third] = [kinds.len().pow(2), kinds.len(), 1].map(|place| number / place % kinds.len());
        if [first, second, third].iter().filter(|&&kind| kinds[kind].is_none()).count() <= 1 {
            let steps = [first, second, third].map(&mut step);
            items.push(Item::Triple { steps, after: reset_after(5 * number as u64) });
        }
    }
    items
}

/// Every row with each CSR that it depends on, and with each host register; loads and stores also with wraps.
fn edges(target: &Target) -> Vec<Item> {
    let csrs = atom::rows(target)
        .flat_map(|row| atom::decisive(target, row).into_iter().map(move |csr| Item::Csr { row, csr }));
    let operands = atom::rows(target).filter(|&row| atom::reads_host(row)).map(Item::Operand);
    let wraps = atom::rows(target).filter(|row| row.slice_transfer().is_some());
    let wraps = wraps.flat_map(|row| (0..WRAPS).map(move |_| Item::Wrap(row)));
    csrs.chain(operands).chain(wraps).collect()
}

/// 0, powers of two and the numbers beside them, and the largest, of 32 bits. The same of each byte while the others are
/// 1, and powers of two in all bytes with every product, since sizes are packed so.
fn edge_values() -> BTreeSet<u32> {
    let edges = |bits: u32| (0..bits).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let byte = |place: u32| {
        let others = 0x0101_0101 ^ 1 << place;
        edges(8).chain([0xfe, 0xff]).map(move |edge: u32| others | edge << place)
    };
    let product = |log2: u32| (0..4).fold(0, |sizes, i| sizes << 8 | 1 << ((log2 + i) / 4));
    edges(32)
        .chain([u32::MAX - 1, u32::MAX])
        .chain([0, 8, 16, 24].into_iter().flat_map(byte))
        .chain((0..=28).map(product))
        .collect()
}

/// Writes the program of a case.
struct Writer<'a> {
    g: Generator<'a>,
    /// Cycles for which an instruction waits at the issue port, by its number.
    waits: Vec<(usize, u32)>,
}

impl Writer<'_> {
    /// An instruction with these registers, so many cycles after the one before.
    fn atom(&mut self, atom: Atom, wait: u32, mut registers: impl Iterator<Item = u8>) -> u32 {
        let word = atom.word(&mut self.g, |_| registers.next().unwrap_or_default());
        self.word(word, wait);
        word
    }

    /// A word, so many cycles after the one before.
    fn word(&mut self, word: u32, wait: u32) {
        self.waits.push((self.g.words().len(), wait));
        self.g.word(word);
    }

    /// The same behind the instruction `before`, to which it is related so.
    fn related(&mut self, before: u32, atom: Atom, gap: u32, relation: Relation) -> u32 {
        let before = decode(before, &self.g.target.golden).operands();
        let numbers = relation.numbers(before, atom.operands()).unwrap_or_default();
        self.atom(atom, gap, numbers.into_iter())
    }

    /// Instructions with these gaps in front of the second and the third, each in any relation to the one before it.
    fn sequence(&mut self, steps: &[Option<Atom>], gaps: [u32; 2]) {
        let mut before = None;
        for (atom, gap) in steps.iter().flatten().zip([0].into_iter().chain(gaps)) {
            before = Some(match before {
                None => self.atom(*atom, gap, FIRST..),
                Some(before) => {
                    let operands = decode(before, &self.g.target.golden).operands();
                    let possible = |relation: &Relation| relation.numbers(operands, atom.operands()).is_some();
                    let relations: Vec<Relation> = Relation::ALL.into_iter().filter(possible).collect();
                    let relation = self.g.draw.choose(&relations).unwrap_or(Relation::Apart);
                    self.related(before, *atom, gap, relation)
                }
            });
        }
    }

    /// Emits what a row still needs in the state that is there: of a condition that no state of ours knows.
    fn prepare(&mut self, atom: Atom) {
        let word = atom.word(&mut self.g, alone());
        if let (Atom::Row(_), Decoded::Tensor(tensor)) = (atom, decode(word, &self.g.target.golden))
            && tensor.unmet(&self.g.machine).next().is_some()
        {
            establish::meet_needs(&mut self.g, tensor);
        }
    }

    /// Everything is as it was, and nothing is in flight.
    fn settle(&mut self, state: &State) {
        state.restore(&mut self.g);
        state::wait(&mut self.g);
    }
}

impl Item {
    fn name(&self) -> String {
        match self {
            Item::Reset { atom, wait, legal: false } => format!("{}, {wait} cycles after reset", atom.name()),
            Item::Reset { atom, wait, .. } => format!("{}, legal, {wait} cycles after reset", atom.name()),
            Item::Again { running, atom, after } => {
                format!("{} behind a reset in {}, after {after} cycles", atom.name(), running.name())
            }
            Item::Pair { atoms: [first, second], relation } => {
                format!("{}, then {}: {}", first.name(), second.name(), relation.name())
            }
            Item::Triple { steps, after } => {
                let names = steps.map(|step| step.map_or_else(|| format!("a reset after {after} cycles"), Atom::name));
                names.join(", then ")
            }
            Item::Bits(atom) => format!("one bit beside {}", atom.name()),
            Item::Csr { row, csr } => format!("{} at the edges of {}", Atom::Row(*row).name(), csr.name()),
            Item::Operand(row) => format!("{} at the edges of its host registers", Atom::Row(*row).name()),
            Item::Wrap(row) => format!("{} with an offset that wraps around", Atom::Row(*row).name()),
        }
    }

    fn write(&self, writer: &mut Writer) {
        match *self {
            Item::Reset { atom, wait, legal } => {
                if legal && wait % 2 == 0 {
                    State::establish(&mut writer.g);
                    writer.prepare(atom);
                } else if legal {
                    let csrs = atom.row().map(|row| atom::decisive(writer.g.target, row));
                    state::early(&mut writer.g, &csrs.unwrap_or_default());
                    writer.prepare(atom);
                } else {
                    state::operands(&mut writer.g);
                }
                writer.atom(atom, wait, FIRST..);
            }
            Item::Again { running, atom, .. } => {
                state::operands(&mut writer.g);
                writer.atom(atom, 0, FIRST..);
                State::establish(&mut writer.g);
                writer.prepare(running);
                (0..2).for_each(|_| _ = writer.atom(running, 0, FIRST..));
            }
            Item::Pair { atoms: [first, second], relation } => {
                State::establish(&mut writer.g);
                [first, second].into_iter().for_each(|atom| writer.prepare(atom));
                let state = State::now(&writer.g);
                for gap in 0..GAPS {
                    writer.settle(&state);
                    let word = writer.atom(first, 0, FIRST..);
                    writer.related(word, second, gap, relation);
                }
            }
            Item::Triple { steps, .. } => {
                let gaps = (0..GAPS).flat_map(|gap| (0..GAPS).map(move |then| [gap, then]));
                let reset = steps.iter().position(Option::is_none);
                if let Some(reset) = reset {
                    state::operands(&mut writer.g);
                    writer.sequence(&steps[reset..], [0; 2]);
                }
                State::establish(&mut writer.g);
                let in_front = &steps[..reset.unwrap_or(steps.len())];
                in_front.iter().flatten().for_each(|&atom| writer.prepare(atom));
                let state = State::now(&writer.g);
                for gaps in gaps.take(if reset.is_some() { 1 } else { usize::MAX }) {
                    writer.settle(&state);
                    writer.sequence(in_front, gaps);
                }
            }
            Item::Bits(atom) => {
                let state = State::establish(&mut writer.g);
                for bit in 0..u32::BITS {
                    writer.settle(&state);
                    let word = atom.word(&mut writer.g, alone()) ^ 1 << bit;
                    writer.g.word(word);
                }
            }
            Item::Csr { row, csr } => {
                let state = State::establish(&mut writer.g);
                let others = atom::decisive(writer.g.target, row);
                let values: Vec<u32> = edge_values().into_iter().collect();
                let widths = writer.g.target.golden.element_widths;
                let narrowest = [4, 8, 16, 32].into_iter().find(|&bits| widths.contains(bits));
                for &value in &values {
                    state.restore(&mut writer.g);
                    // Large sizes fit a register with these elements alone.
                    if let Some(bits) = narrowest.filter(|_| csr == Csr::Tshape && writer.g.draw.chance(50)) {
                        state::write(&mut writer.g, Csr::Ttype, 1 << (u32::ilog2(bits) - 2));
                    }
                    if writer.g.draw.chance(30) {
                        let (other, value) = (writer.g.draw.choose(&others), writer.g.draw.pick(&values));
                        other.into_iter().for_each(|other| state::write(&mut writer.g, other, value));
                    }
                    state::write(&mut writer.g, csr, value);
                    // What is computed from all strides goes on around a read of one.
                    let read = CsrInstruction::new(CsrOperation::Set, csr, state::RESULT, CsrSource::Register(0));
                    let stride = matches!(csr, Csr::TloadStride(_) | Csr::TstoreStride(_));
                    let reads = stride && writer.g.draw.chance(50);
                    let between = if reads { Atom::Csr(read) } else { Atom::Row(row) };
                    writer.atom(between, 0, FIRST..);
                    writer.atom(Atom::Row(row), QUIET, FIRST..);
                }
            }
            Item::Operand(row) => {
                State::establish(&mut writer.g);
                for value in edge_values() {
                    writer.g.constant(state::ODD, value);
                    writer.atom(Atom::Odd(row), 0, FIRST..);
                }
            }
            Item::Wrap(row) => {
                let state = State::establish(&mut writer.g);
                for edge in edge_values() {
                    state.restore(&mut writer.g);
                    // When the CSRs have not changed for a while.
                    if let Some(word) = wrap::word(&mut writer.g, row, edge) {
                        writer.word(word, QUIET);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::testing;

    #[test]
    fn every_row_completes_in_the_state_of_a_scope() {
        for name in ["tiny", "w16r"] {
            let target = testing::target(name);
            for number in 0..30 {
                let mut draw = Draw::new(7, name, number);
                let mut g = Generator::new(&target, &mut draw, [&[], &[]]);
                State::establish(&mut g);
                for row in atom::rows(&target) {
                    let word = Atom::Row(row).word(&mut g, alone());
                    let outcome = g.machine.clone().step(word);
                    // Memories are left out of the model of a generator, so an access is outside.
                    let illegal = outcome.trap.filter(|trap| trap.cause == golden::Trap::ILLEGAL);
                    assert_eq!(illegal, None, "{name}, {number}: {}", target.disassemble(word));
                }
            }
        }
    }

    #[test]
    fn every_row_is_in_every_scope() {
        let target = testing::target("w16r");
        let Pairs(items) = Pairs::new(&target);
        for row in atom::rows(&target) {
            let is = |atom: &Atom| *atom == Atom::Row(row);
            let here = |what: fn(&Item) -> Vec<Atom>| items.iter().any(|item| what(item).iter().any(is));
            assert!(here(|item| matches!(item, Item::Reset { .. }).then(|| item.atoms()).unwrap_or_default()));
            assert!(here(|item| matches!(item, Item::Again { .. }).then(|| item.atoms()).unwrap_or_default()));
            assert!(here(|item| matches!(item, Item::Pair { .. }).then(|| item.atoms()).unwrap_or_default()));
            assert!(here(|item| matches!(item, Item::Triple { .. }).then(|| item.atoms()).unwrap_or_default()));
            assert!(here(|item| matches!(item, Item::Bits(_)).then(|| item.atoms()).unwrap_or_default()));
        }
    }

    impl Item {
        fn atoms(&self) -> Vec<Atom> {
            match *self {
                Item::Reset { atom, .. } | Item::Bits(atom) => vec![atom],
                Item::Again { running, atom, .. } => vec![running, atom],
                Item::Pair { atoms, .. } => atoms.to_vec(),
                Item::Triple { steps, .. } => steps.into_iter().flatten().collect(),
                Item::Csr { row, .. } | Item::Operand(row) | Item::Wrap(row) => vec![Atom::Row(row)],
            }
        }
    }
}
