// SPDX-License-Identifier: Apache-2.0
//! Executable specification of the TensorLoad and matrix instruction sets, written to be read beside `docs/isa.md`.
//!
//! [`Machine`] is a host with the unit attached; [`Machine::step`] executes one word and reports every effect in an
//! [`Outcome`]. The library is total: every word in every state has an outcome and nothing panics.
//!
//! A new instruction touches, in this order:
//!
//! 1. `docs/isa.md`: its encoding, operation and traps;
//! 2. `isa/<group>.rs`: its row of the table of encodings, from which decoder, encoder, [`decode::Operands`] and
//!    its syntax (`asm/`) follow, and its execution;
//! 3. `isa/tensor.rs` or `isa/matrix.rs`: its variant in the enum of the family. The compiler asks for the rest;
//! 4. `tests/`: known answers (`answers.txt`), a known word, a comparison with a plain loop, one test for each trap
//!    clause. `tests/instructions.rs` names what is in `docs/isa.md` and not here.
//!
//! If it works on elements, it does so one by one, as in `docs/isa.md`.
//!
//! A new family of instructions (an opcode of its own) is a file in `isa/` and a variant of [`decode::Decoded`]. State
//! of its own goes into a file such as `tiles.rs`, a field of [`Machine`] and `report.rs`; CSRs of its own into a file
//! such as `matrix_csr.rs`; a family that not every unit has is a flag of [`decode::Isa`].

#[cfg(feature = "asm")]
pub mod asm;
pub mod block;
pub mod config;
pub mod csr;
mod csr_table;
pub mod decode;
pub mod hart;
mod isa;
pub mod machine;
pub mod matrix_csr;
pub mod memory;
pub mod outcome;
pub mod report;
#[cfg(feature = "asm")]
pub mod run;
pub mod show;
pub mod tiles;
pub mod tlregs;

pub use config::{Config, ConfigError};
pub use csr::{Csr, Csrs};
pub use hart::{Ending, Hart, Program};
pub use machine::Machine;
pub use matrix_csr::{MatrixCsr, TileSize};
pub use memory::Memory;
pub use outcome::{Outcome, Trap};
pub use tiles::{MatrixConfig, Tile, Tiles};
pub use tlregs::TlRegs;

pub use block::ElementWidths;
