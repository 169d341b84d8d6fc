// SPDX-License-Identifier: Apache-2.0
//! Random programs. Most instructions are legal and do something.

use super::generator::Generator;
use super::{
    concat_tiles, copy, corner_ops, csr_then, error_ops, far_ops, first_ops, im2col, immediates, look, matrix_ops,
    memory_ops, move_ops, near_ops, noise, operator_ops, overlap_ops, pressure_ops, shape, transpose_tiles, trap_ops,
};
use crate::unit::target::Target;

/// What the next few instructions are about.
#[derive(Clone, Copy, PartialEq)]
enum Theme {
    Trap,
    Shape,
    EmptyShape,
    Load,
    Store,
    Far,
    Addi,
    Concat,
    Merge,
    Xpose,
    Overlap,
    Saturate,
    CsrThen,
    Errors,
    Copy,
    Transpose,
    Im2col,
    ConcatTiles,
    Matrix,
    CsrNoise,
    HostNoise,
    Illegal,
    RandomWord,
}

/// Themes and their weights. The first one is for a unit with precise traps, the second one for one with the matrix
/// instruction set.
const THEMES: [(u32, Theme); 23] = [
    (10, Theme::Trap),
    (76, Theme::Matrix),
    (10, Theme::Shape),
    (2, Theme::EmptyShape),
    (26, Theme::Load),
    (18, Theme::Store),
    (6, Theme::Far),
    (10, Theme::Addi),
    (18, Theme::Concat),
    (12, Theme::Merge),
    (18, Theme::Xpose),
    (7, Theme::Overlap),
    (3, Theme::Saturate),
    (4, Theme::CsrThen),
    (6, Theme::Errors),
    (14, Theme::Copy),
    (2, Theme::Transpose),
    (2, Theme::Im2col),
    (2, Theme::ConcatTiles),
    (5, Theme::CsrNoise),
    (4, Theme::HostNoise),
    (7, Theme::Illegal),
    (7, Theme::RandomWord),
];

/// Percentage of themes before which registers are stored, where nothing else of them is seen.
const LOOKS: u32 = 12;

/// Percentage of programs that begin with what needs no set-up.
const AT_ONCE: u32 = 30;

/// The first case whose program may end with more than it begins with: those before it are pinned, with their clock cycles and in
/// documents.
pub const FIRST_WITH_MORE: u64 = 64;

/// Whether the program of the case of this number ends with these loads.
pub fn late_errors(target: &Target, number: u64) -> bool {
    target.golden.matrix.is_some() && number >= FIRST_WITH_MORE && number % 8 == 1
}

/// Whether the program of the case of this number ends with loads right behind stores that fail.
fn failing_stores(target: &Target, number: u64) -> bool {
    target.golden.matrix.is_some() && number >= FIRST_WITH_MORE && number % 8 == 5
}

/// A program of at least `length` words, written by `g`, for the case of this number.
pub fn program(mut g: Generator, length: usize, number: u64) -> Vec<u32> {
    if g.draw.chance(AT_ONCE) {
        first_ops::at_once(&mut g);
    }
    // A few loads first: zeros hide most mistakes.
    shape::change(&mut g);
    for _ in 0..4 {
        memory_ops::load(&mut g);
    }
    immediates::share(&mut g, number);
    let (matrix, precise) = (g.target.golden.matrix.is_some(), g.target.rtl.precise);
    let has = |theme| (precise || theme != Theme::Trap) && (matrix || theme != Theme::Matrix);
    let themes: Vec<(u32, Theme)> = THEMES.into_iter().filter(|&(_, theme)| has(theme)).collect();
    while g.words().len() < length {
        if g.target.models.port_only() && g.draw.chance(LOOKS) {
            look::look(&mut g);
        }
        match g.draw.weighted(&themes, Theme::Load) {
            Theme::Trap => trap_ops::burst(&mut g),
            Theme::Shape => shape::change(&mut g),
            Theme::EmptyShape => shape::empty(&mut g),
            Theme::Load => memory_ops::load(&mut g),
            Theme::Store => memory_ops::store(&mut g),
            Theme::Far => far_ops::far(&mut g),
            Theme::Addi => move_ops::addi(&mut g),
            Theme::Concat => move_ops::concat(&mut g),
            Theme::Merge => move_ops::merge(&mut g),
            Theme::Xpose => move_ops::xpose(&mut g),
            Theme::Overlap => overlap_ops::overlap(&mut g),
            Theme::Saturate => immediates::saturate(&mut g),
            Theme::CsrThen => csr_then::csr_then(&mut g),
            Theme::Errors => error_ops::shared(&mut g),
            Theme::Copy => copy::copy(&mut g),
            Theme::Transpose => transpose_tiles::transpose(&mut g),
            Theme::Im2col => im2col::im2col(&mut g),
            Theme::ConcatTiles => concat_tiles::concat(&mut g),
            Theme::Matrix => matrix_ops::any(&mut g),
            Theme::CsrNoise => noise::csr(&mut g),
            Theme::HostNoise => noise::host(&mut g),
            Theme::Illegal => noise::illegal(&mut g),
            Theme::RandomWord => noise::random_word(&mut g),
        }
    }
    if pressure_ops::share(number) {
        pressure_ops::pressure(&mut g, number);
    }
    if late_errors(g.target, number) {
        matrix_ops::late_errors(&mut g);
    }
    if failing_stores(g.target, number) {
        matrix_ops::behind_failing_stores(&mut g);
    }
    if operator_ops::share(number) {
        operator_ops::operator(&mut g);
    }
    if near_ops::share(number) {
        near_ops::near(&mut g, number);
    }
    if corner_ops::share(number) {
        corner_ops::corner(&mut g, number);
    }
    if number >= FIRST_WITH_MORE {
        g.exchange_alike();
    }
    g.into_words()
}
