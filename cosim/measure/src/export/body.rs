// SPDX-License-Identifier: Apache-2.0
//! A case of an exported program.

use serde::Serialize;

/// What a case is made for.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The number of a random case.
    Random(u64),
    /// The coverage bin that it aims at.
    Bin(String),
    /// What `cosim check pairs` says of it.
    Pair(String),
    /// The number of an operator on a small tensor.
    Operator(u64),
}

/// A case as part of a program.
pub struct Body {
    /// What it is made for.
    pub about: Source,
    pub words: Vec<u32>,
    /// The TLRegs that it writes.
    pub written: Vec<u8>,
}
