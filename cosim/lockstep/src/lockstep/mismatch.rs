// SPDX-License-Identifier: Apache-2.0
//! What RTL and model can disagree about.

use golden::{Tile, Trap};
use serde::{Deserialize, Serialize};

/// What the two sides disagree about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mismatch {
    // The result is that of another instruction, or of none: ids.
    Order { rtl: u8, expected: Option<u8> },
    // The probe shows another instruction word.
    Word { rtl: u32, expected: u32 },
    // An instruction retires that the front end has not executed.
    NotExecuted,
    // Whether a result says that its instruction was killed.
    Killed { rtl: bool, expected: bool },
    Trap { rtl: Option<Trap>, model: Option<Trap> },
    // A host register written by the instruction: number and value.
    Gpr { rtl: Option<(u8, u32)>, model: Option<(u8, u32)> },
    // A CSR, or the hidden "initialised" bit of one.
    Csr { name: String, rtl: u32, model: u32 },
    // What the CSRs mean, as the port `meaning_o` says it: a field of it.
    Meaning { field: String, rtl: u32, model: u32 },
    // The set of TLRegs that are written.
    Destinations { rtl: Vec<u8>, model: Vec<u8> },
    // Contents of a TLReg.
    Register { tl: u8, phys: Option<u8>, rtl: Vec<u8>, model: Vec<u8> },
    // The matrix register that a load writes.
    TileWrite { rtl: Option<Tile>, model: Option<Tile> },
    // A matrix register written a second time, or by no instruction in flight.
    StrayTile { tile: Tile, tag: u8 },
    // Contents of a matrix register.
    Tile { tile: Tile, rtl: Vec<u8>, model: Vec<u8> },
    // A byte of L0M that only one side writes.
    StoreSet { address: u32, by_rtl: bool },
    // A byte of L0M after the store.
    StoreValue { address: u32, rtl: u8, model: u8 },
    // A beat on the L0M port that belongs to no store in flight.
    StrayWrite { address: u32, tag: u8 },
    // A host register at the end.
    X { number: u8, rtl: u32, model: u32 },
    // A byte of L0M at the end.
    L0m { address: u32, rtl: u8, model: u8 },
    // The host executing a program: what of it, and its values.
    Host { what: String, rtl: u32, model: u32 },
    // Instructions retired, and instructions compared.
    Uncompared { retired: u64, compared: u64 },
}
