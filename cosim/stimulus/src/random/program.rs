// SPDX-License-Identifier: Apache-2.0
//! Random programs: scenarios, drawn by weight until the program is long enough.

use super::generator::Generator;
use super::{
    concat_tiles, copy, error_ops, flip, im2col, immediates, loops, matrix_ops, noise, operator_ops, row, shape,
    store_registers, transpose_tiles,
};
use crate::unit::target::Target;

/// What the next few instructions of a program are about.
#[derive(Clone, Copy)]
pub struct Scenario {
    pub name: &'static str,
    /// How often it is drawn, against the others.
    pub weight: u32,
    pub about: &'static str,
    write: fn(&mut Generator),
}

const fn scenario(name: &'static str, weight: u32, write: fn(&mut Generator), about: &'static str) -> Scenario {
    Scenario { name, weight, about, write }
}

const SCENARIOS: [Scenario; 22] = [
    scenario("loop", 4, loops::run, "a few instructions again and again, so that queues fill and engines wait"),
    scenario("flip", 18, flip::run, "an instruction with one bit changed in its word, an operand or a CSR"),
    scenario("matrix", 170, matrix_ops::any, "matrix loads, stores and tile sizes"),
    scenario("shape", 10, shape::change, "another element type and block"),
    scenario("row", 40, row::row, "the row of the tables that came least so far, with all that it needs"),
    scenario("load", 26, row::load, "loads with any width, mask, strides and base address"),
    scenario("store", 26, row::store, "the same for stores"),
    scenario("sum", 10, row::sum, "sums with immediates that matter"),
    scenario("saturation", 3, immediates::saturate, "sums that reach the end of the range, or miss it by one"),
    scenario("chosen", 30, row::chosen, "concats and merges with masks that leave room for what they select, mostly"),
    scenario("xpose", 30, row::exchanged, "transpositions of one shape"),
    scenario("copy", 14, copy::copy, "dense loads and stores of blocks that follow each other in memory"),
    scenario("error", 6, error_ops::shared, "slices side by side that run into a range that answers with an error"),
    scenario("transpose", 2, transpose_tiles::transpose, "a matrix in memory, transposed tile by tile"),
    scenario("im2col", 2, im2col::im2col, "patches of an image, as a convolution needs them"),
    scenario("tiles", 2, concat_tiles::concat, "two parts loaded, joined and stored"),
    scenario("operator", 1, operator_ops::operator, "an operator on a whole tensor, as the planner emits it"),
    scenario("csr", 18, noise::csr, "CSR instructions of any form, and wide values read back"),
    scenario("host", 4, noise::host, "host instructions on registers that a result has just written"),
    scenario("any", 4, noise::any_instruction, "an instruction in a state that was not made for it"),
    scenario("illegal", 17, noise::illegal, "words that are nearly an instruction"),
    scenario("word", 13, noise::random_word, "random words"),
];

/// Percentage of scenarios before which registers are stored, where nothing else of them is seen.
const LOOKS: u32 = 12;

/// Percentage of scenarios behind which the scarcest row comes, if it is rare.
const ROWS: u32 = 75;

/// Rows at the end of a program, at most, as long as one is rare.
const MOST_ROWS: u32 = 16;

/// Percentage of programs that begin with instructions in the state that reset has made.
const AT_ONCE: u32 = 30;

/// Percentage of programs that end with a loop: there it takes no room of others.
const LOOP_LAST: u32 = 70;

/// The scenarios for a unit, with their weights.
pub fn scenarios(target: &Target) -> Vec<(u32, Scenario)> {
    let has = |scenario: &Scenario| target.golden.matrix.is_some() || scenario.name != "matrix";
    SCENARIOS.into_iter().filter(has).map(|scenario| (scenario.weight, scenario)).collect()
}

impl Scenario {
    pub fn write(self, g: &mut Generator) {
        (self.write)(g);
    }
}

/// A program of at least `length` words, written by `g`, for the case of this number.
pub fn program(mut g: Generator, length: usize, number: u64) -> Vec<u32> {
    if g.draw.chance(AT_ONCE) {
        (0..g.draw.range(1, 3)).for_each(|_| noise::any_instruction(&mut g));
    }
    // A few loads first: zeros hide most mistakes.
    shape::change(&mut g);
    for _ in 0..4 {
        row::load(&mut g);
    }
    immediates::share(&mut g, number);
    let scenarios = scenarios(g.target);
    while g.words().len() < length {
        if g.target.models.port_only() && g.draw.chance(LOOKS) {
            store_registers::store_registers(&mut g);
        }
        g.draw.weighted(&scenarios, SCENARIOS[0]).write(&mut g);
        if row::is_one_rare(&g) && g.draw.chance(ROWS) {
            row::row(&mut g);
        }
    }
    if g.draw.chance(LOOP_LAST) {
        loops::run(&mut g);
    }
    for _ in 0..MOST_ROWS {
        if row::is_one_rare(&g) {
            row::row(&mut g);
        }
    }
    g.into_words()
}
