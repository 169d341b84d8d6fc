// SPDX-License-Identifier: Apache-2.0
//! How often each instruction was issued, retired and trapped, by mnemonic.

use std::borrow::Cow;
use std::collections::BTreeMap;

use golden::asm::disassemble;
use golden::decode::{Isa, decode};
use serde::{Deserialize, Serialize};

/// What is neither an instruction of the unit nor one of the base instruction set counts as this.
pub const NO_INSTRUCTION: &str = "(no instruction)";

/// The mnemonic of an instruction of the unit, with letters for dimensions, or of the base instruction set.
pub fn mnemonic(word: u32, isa: impl Into<Isa>) -> Option<Cow<'static, str>> {
    let isa = isa.into();
    let host = || Some(disassemble(word, isa).split(' ').next()?.to_owned()).filter(|name| !name.starts_with('.'));
    decode(word, isa).mnemonic().map(Cow::Borrowed).or_else(|| host().map(Cow::Owned))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// Taken by the unit, or executed by the host. More than have retired when a reset cuts a program off.
    pub issued: u64,
    /// Retired, those that trapped included.
    pub retired: u64,
    /// Of those retired, the ones that trapped.
    pub trapped: u64,
}

/// Counts of all mnemonics that occur, in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mnemonics(BTreeMap<Cow<'static, str>, Uses>);

impl Mnemonics {
    pub fn issue(&mut self, word: u32, isa: impl Into<Isa>) {
        self.of_word(word, isa).issued += 1;
    }

    pub fn retire(&mut self, word: u32, isa: impl Into<Isa>, trapped: bool) {
        let uses = self.of_word(word, isa);
        uses.retired += 1;
        uses.trapped += u64::from(trapped);
    }

    fn of_word(&mut self, word: u32, isa: impl Into<Isa>) -> &mut Uses {
        self.0.entry(mnemonic(word, isa).unwrap_or(Cow::Borrowed(NO_INSTRUCTION))).or_default()
    }

    pub fn uses(&self, mnemonic: &str) -> Uses {
        self.0.get(mnemonic).copied().unwrap_or_default()
    }

    /// All that occur.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Uses)> {
        self.0.iter().map(|(mnemonic, uses)| (&**mnemonic, *uses))
    }

    /// Adds those of another run: the order of several does not matter.
    pub fn add(&mut self, other: &Mnemonics) {
        for (mnemonic, more) in &other.0 {
            let uses = self.0.entry(mnemonic.clone()).or_default();
            uses.issued = uses.issued.saturating_add(more.issued);
            uses.retired = uses.retired.saturating_add(more.retired);
            uses.trapped = uses.trapped.saturating_add(more.trapped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_order() {
        let [addi, none] = [0x0010_0093, 0];
        let mut first = Mnemonics::default();
        first.issue(addi, 0);
        first.retire(addi, 0, false);
        let mut second = Mnemonics::default();
        second.issue(none, 0);
        second.issue(addi, 0);
        second.retire(none, 0, true);
        let sum = |parts: [&Mnemonics; 2]| {
            let mut sum = Mnemonics::default();
            parts.iter().for_each(|part| sum.add(part));
            sum
        };
        let both = sum([&first, &second]);
        assert_eq!(both, sum([&second, &first]));
        assert_eq!(both.uses("addi"), Uses { issued: 2, retired: 1, trapped: 0 });
        assert_eq!(both.uses(NO_INSTRUCTION), Uses { issued: 1, retired: 1, trapped: 1 });
        assert_eq!(both.uses("tl.load"), Uses::default());
        // xor x1, x2, x3, which the host executes.
        first.issue(0x0031_40b3, 0);
        assert_eq!(first.uses("xor").issued, 1);
    }
}
