// SPDX-License-Identifier: Apache-2.0
//! The planted faults: small, plausible mistakes, at least one in every module of the RTL.
//!
//! The build script makes each of them selectable in one extra model of configuration `tiny`
//! (`build/faults.rs`); the tests demand that the bench catches every one.

/// One planted fault: an expression of a module, and a wrong one in its place.
///
/// `before`, `original` and `after`, put together, must occur exactly once in `file`.
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
}

/// All planted faults, by number.
pub const FAULTS: &[Fault] = &[];
