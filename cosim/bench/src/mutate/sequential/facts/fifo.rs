// SPDX-License-Identifier: Apache-2.0
//! The state of a `tl_fifo`.

use super::Unit;
use crate::mutate::sequential::aig::Lit;

/// Which words are in use.
pub struct Fifo {
    /// How many, lowest bit first.
    pub count: Vec<Lit>,
    /// For each word whether it is in use.
    pub valid: Vec<Lit>,
    /// For each word whether it is in use and came last.
    newest: Vec<Lit>,
    /// Instance.
    name: String,
}

impl Fifo {
    /// That of this instance. Its indexes have one bit more than they need, which tells full from empty.
    pub fn new(unit: &mut Unit, name: &str) -> Option<Fifo> {
        let [head, tail] = [unit.bits(&format!("{name}.head_q"))?, unit.bits(&format!("{name}.tail_q"))?];
        let count = unit.minus(&tail, &head);
        let first = &head[..head.len() - 1];
        let words = 1usize << first.len();
        let [mut valid, mut newest] = [Vec::new(), Vec::new()];
        for word in 0..words {
            let index: Vec<Lit> = (0..first.len()).map(|bit| Lit::constant(word >> bit & 1 == 1)).collect();
            let behind = unit.minus(&index, first);
            let [mut used, mut last] = [Vec::new(), Vec::new()];
            for many in 1..=words {
                let many_are = unit.is(&count, many);
                let among: Vec<Lit> = (0..many).map(|distance| unit.is(&behind, distance)).collect();
                last.extend(among.last().map(|&newest| unit.aig.and(many_are, newest)));
                let among = unit.any(among);
                used.push(unit.aig.and(many_are, among));
            }
            valid.push(unit.any(used));
            newest.push(unit.any(last));
        }
        Some(Fifo { count, valid, newest, name: name.to_owned() })
    }

    /// A bit of each word.
    pub fn field(&self, unit: &Unit, bit: usize) -> Option<Vec<Lit>> {
        (0..self.valid.len()).map(|word| unit.bit(&format!("{}.words[{word}][{bit}]", self.name))).collect()
    }

    /// Bits of a word.
    pub fn width(&self, unit: &Unit) -> usize {
        (0..).take_while(|bit| unit.bit(&format!("{}.words[0][{bit}]", self.name)).is_some()).count()
    }

    /// 1 when no word is in use.
    pub fn empty(&self, unit: &mut Unit) -> Lit {
        unit.is(&self.count, 0)
    }

    /// How many words in use have this bit.
    pub fn with(&self, unit: &mut Unit, field: &[Lit]) -> Vec<Lit> {
        let with: Vec<Lit> = self.valid.iter().zip(field).map(|(&valid, &bit)| unit.aig.and(valid, bit)).collect();
        unit.count(with)
    }

    /// 1 when the word that came last does not have this bit.
    pub fn newest_without(&self, unit: &mut Unit, field: &[Lit]) -> Lit {
        let without: Vec<Lit> = self.newest.iter().zip(field).map(|(&last, &bit)| unit.aig.and(last, !bit)).collect();
        unit.any(without)
    }

    /// 1 when there are more words than there is room for.
    pub fn overflows(&self, unit: &mut Unit) -> Lit {
        let fits: Vec<Lit> = (0..=self.valid.len()).map(|many| unit.is(&self.count, many)).collect();
        !unit.any(fits)
    }

    /// The tags in its words, from this bit on, and whether they are in use.
    pub fn tags(&self, unit: &Unit, low: usize, bits: usize) -> Option<Vec<(Lit, Vec<Lit>)>> {
        let fields: Vec<Vec<Lit>> = (low..low + bits).map(|bit| self.field(unit, bit)).collect::<Option<_>>()?;
        let tag = |word: usize| fields.iter().map(|field| field[word]).collect();
        Some(self.valid.iter().enumerate().map(|(word, &valid)| (valid, tag(word))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::sequential::aig::{Aig, value};
    use crate::mutate::sequential::facts::{Register, Registers};

    /// The words in use, and the newest one, of a FIFO of four with these indexes.
    fn words(head: usize, tail: usize) -> (Vec<bool>, Vec<bool>) {
        let mut aig = Aig::default();
        let names = ["head_q", "tail_q"].map(|index| (0..3).map(move |bit| format!("u_fifo.{index}[{bit}]")));
        let registers: Registers =
            names.into_iter().flatten().map(|name| (name, Register { now: aig.input(), next: Lit::FALSE })).collect();
        let fifo = Fifo::new(&mut Unit { aig: &mut aig, registers: &registers, pending: &[] }, "u_fifo").expect("FIFO");
        let mut cycle = Vec::new();
        for (index, number) in [("head_q", head), ("tail_q", tail)] {
            let bit = |bit: usize| (registers[&format!("u_fifo.{index}[{bit}]")].now.node(), number >> bit & 1 == 1);
            cycle.extend((0..3).map(bit));
        }
        let values = aig.simulate(&[cycle]);
        let all = |lits: &[Lit]| lits.iter().map(|&lit| value(&values[0], lit)).collect();
        (all(&fifo.valid), all(&fifo.newest))
    }

    #[test]
    fn the_words_in_use_are_those_from_the_head_on() {
        for (head, count) in (0..8).flat_map(|head| (0..=4).map(move |count| (head, count))) {
            let [mut valid, mut newest] = [vec![false; 4], vec![false; 4]];
            (head..head + count).for_each(|word| valid[word % 4] = true);
            if count > 0 {
                newest[(head + count - 1) % 4] = true;
            }
            assert_eq!(words(head, (head + count) % 8), (valid, newest), "{count} from {head} on");
        }
    }
}
