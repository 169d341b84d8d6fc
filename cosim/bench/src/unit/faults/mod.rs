// SPDX-License-Identifier: Apache-2.0
//! The planted faults: small, plausible mistakes, at least one in every module of the RTL, a file for each part of the
//! unit; and, in `instructions.rs`, one of every instruction.
//!
//! Each of them is selectable in one extra model of configuration `tiny` (`plant.rs`); the tests demand that the bench
//! catches every one.

mod control;
mod instructions;
mod matrix;
mod memory;
mod reshape;
mod storage;

/// All planted faults, by number.
pub const FAULTS: &[Fault] = &by_number();

const PARTS: [&[Fault]; 6] =
    [control::FAULTS, instructions::FAULTS, matrix::FAULTS, memory::FAULTS, reshape::FAULTS, storage::FAULTS];

const fn count() -> usize {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
}

/// Those of all parts: a constant, hence sorted by hand.
const fn by_number() -> [Fault; count()] {
    let mut all = [storage::FAULTS[0]; count()];
    let (mut used, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut of_part = 0;
        while of_part < PARTS[part].len() {
            let fault = PARTS[part][of_part];
            let mut place = used;
            while place > 0 && all[place - 1].id > fault.id {
                all[place] = all[place - 1];
                place -= 1;
            }
            all[place] = fault;
            used += 1;
            of_part += 1;
        }
        part += 1;
    }
    all
}

/// One planted fault: an expression of a module, and a wrong one in its place.
///
/// `before`, `original` and `after`, put together, must occur exactly once in `file`. Several faults may have this place in
/// common.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// Number by which the fault is selected; 0 is no fault.
    pub id: u32,
    /// File of the generated RTL.
    pub file: &'static str,
    /// What a designer would have done wrong.
    pub description: &'static str,
    /// Text in front of the expression.
    pub before: &'static str,
    /// The expression as generated.
    pub original: &'static str,
    /// Text behind the expression.
    pub after: &'static str,
    /// The wrong expression.
    pub replacement: &'static str,
    /// The mnemonic of the instruction that it changes, if that is the only one.
    pub of: Option<&'static str>,
}

impl Fault {
    /// Where it is planted.
    pub fn place(&self) -> [&'static str; 4] {
        [self.file, self.before, self.original, self.after]
    }
}
