// SPDX-License-Identifier: Apache-2.0
//! Facts about the unit that many proofs need and that a proof of its own finds quickly: they are proven first, one after
//! the other, and then assumed. A wrong one, or one about registers that the unit does not have, is of no use, but does no
//! harm.

mod fifo;
mod loads;
mod results;
mod shape;

use std::collections::HashMap;

use super::aig::{Aig, Lit};

/// A register of the unit.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    /// What it gives.
    pub now: Lit,
    /// What it takes at the end of the cycle.
    pub next: Lit,
}

/// Registers, by name with index and bit.
pub type Registers = HashMap<String, Register>;

/// What facts are about.
#[derive(Debug)]
pub struct Unit<'a> {
    /// Logic.
    pub aig: &'a mut Aig,
    /// Registers.
    pub registers: &'a Registers,
    /// Requests at L1M without a response: a number, lowest bit first.
    pub pending: &'a [Lit],
}

/// A fact.
#[derive(Clone, Debug)]
pub struct Fact {
    /// What it says.
    pub name: String,
    /// 1 when it is wrong.
    pub wrong: Lit,
    /// How the names of the registers begin that a proof looks at.
    pub about: &'static [&'static str],
}

/// A bit of a number, which has zeros above its highest one.
fn at(number: &[Lit], bit: usize) -> Lit {
    number.get(bit).copied().unwrap_or(Lit::FALSE)
}

/// All of them, as far as the unit has the registers. A proof may assume those before it.
pub fn all(unit: &mut Unit) -> Vec<Fact> {
    [shape::few_long_slices(unit), loads::in_flight(unit), results::none_for_tl0(unit)]
        .into_iter()
        .flatten()
        .flatten()
        .collect()
}

impl Unit<'_> {
    /// A register of one bit.
    fn bit(&self, name: &str) -> Option<Lit> {
        self.registers.get(name).map(|register| register.now)
    }

    /// Bits of a register from this one on.
    fn slice(&self, name: &str, low: usize, bits: usize) -> Option<Vec<Lit>> {
        (low..low + bits).map(|bit| self.bit(&format!("{name}[{bit}]"))).collect()
    }

    /// All bits of a register that has some.
    fn bits(&self, name: &str) -> Option<Vec<Lit>> {
        let bits: Vec<Lit> = (0..).map_while(|bit| self.bit(&format!("{name}[{bit}]"))).collect();
        (!bits.is_empty()).then_some(bits)
    }

    fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.aig.any(lits.into_iter().collect())
    }

    fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.any(lits.into_iter().map(|lit| !lit))
    }

    /// 1 when `a` is and `b` is not.
    fn not_implied(&mut self, a: Lit, b: Lit) -> Lit {
        self.aig.and(a, !b)
    }

    /// For each tag whether an instruction had it since reset: the next tag moves on when one enters.
    fn given_tags(&mut self) -> Option<Vec<Lit>> {
        let now = self.bits("tag")?;
        let next = |bit| Some(self.registers.get(&format!("tag[{bit}]"))?.next);
        let next: Vec<Lit> = (0..now.len()).map(next).collect::<Option<_>>()?;
        let enters = self.differ(&now, &next);
        let given = |tag| {
            let given = self.aig.latch(false);
            let here = self.is(&now, tag);
            let enters = self.aig.and(here, enters);
            let next = self.aig.or(given, enters);
            self.aig.set_next(given, next);
            given
        };
        Some((0..1 << now.len()).map(given).collect())
    }

    /// How many of them are 1.
    fn count(&mut self, lits: impl IntoIterator<Item = Lit>) -> Vec<Lit> {
        lits.into_iter().fold(Vec::new(), |sum, lit| self.plus(&sum, &[lit]))
    }

    fn plus(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = Lit::FALSE;
        let mut sum = Vec::new();
        for bit in 0..=a.len().max(b.len()) {
            let (a, b) = (at(a, bit), at(b, bit));
            let half = self.aig.xor(a, b);
            sum.push(self.aig.xor(half, carry));
            let (both, more) = (self.aig.and(a, b), self.aig.and(half, carry));
            carry = self.aig.or(both, more);
        }
        while sum.last() == Some(&Lit::FALSE) {
            sum.pop();
        }
        sum
    }

    /// a - b, modulo 2^bits.
    fn minus(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let inverted: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
        let sum = self.plus(a, &inverted);
        let mut sum = self.plus(&sum, &[Lit::TRUE]);
        sum.resize(a.len(), Lit::FALSE);
        sum
    }

    /// 1 when two numbers differ.
    fn differ(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = (0..a.len().max(b.len())).map(|bit| self.aig.xor(at(a, bit), at(b, bit))).collect();
        self.any(bits)
    }

    /// 1 when a number is `value`.
    fn is(&mut self, number: &[Lit], value: usize) -> Lit {
        self.all(number.iter().enumerate().map(|(bit, &lit)| lit.inverted_if(value >> bit & 1 == 0)))
    }

    /// The bit of `bits` that a number names.
    fn named(&mut self, bits: &[Lit], number: &[Lit]) -> Lit {
        let chosen: Vec<Lit> = bits
            .iter()
            .enumerate()
            .map(|(index, &bit)| {
                let here = self.is(number, index);
                self.aig.and(here, bit)
            })
            .collect();
        self.any(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::sequential::aig::value;

    #[test]
    fn numbers_are_added_subtracted_and_compared() {
        let mut aig = Aig::default();
        let registers = Registers::new();
        let mut unit = Unit { aig: &mut aig, registers: &registers, pending: &[] };
        let number = |n: usize| -> Vec<Lit> { (0..3).map(|bit| Lit::constant(n >> bit & 1 == 1)).collect() };
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            let (x, y) = (number(a), number(b));
            let (sum, difference) = (unit.plus(&x, &y), unit.minus(&x, &y));
            assert_eq!(unit.is(&sum, a + b), Lit::TRUE, "{a} + {b}");
            assert_eq!(unit.is(&difference, (a + 8 - b) % 8), Lit::TRUE, "{a} - {b}");
            assert_eq!(unit.differ(&x, &y), Lit::constant(a != b));
        }
        let ones = unit.count([Lit::TRUE, Lit::FALSE, Lit::TRUE, Lit::TRUE]);
        assert_eq!((unit.is(&ones, 3), unit.named(&number(5), &number(2)[..2])), (Lit::TRUE, Lit::TRUE));
        assert!(all(&mut unit).is_empty(), "without registers there is no fact");
    }

    #[test]
    fn a_tag_is_given_when_the_next_one_moves_on() {
        let mut aig = Aig::default();
        let (now, next) = (aig.input(), aig.input());
        let registers = Registers::from([("tag[0]".to_owned(), Register { now, next })]);
        let given = Unit { aig: &mut aig, registers: &registers, pending: &[] }.given_tags().expect("tags");
        let cycle = |a, b| vec![(now.node(), a), (next.node(), b)];
        let values =
            aig.simulate(&[cycle(false, false), cycle(false, true), cycle(true, true), cycle(true, false), vec![]]);
        let seen: Vec<[bool; 2]> = values.iter().map(|values| [0, 1].map(|tag| value(values, given[tag]))).collect();
        assert_eq!(seen, [[false, false], [false, false], [true, false], [true, false], [true, true]]);
    }
}
