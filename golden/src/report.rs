// SPDX-License-Identifier: Apache-2.0
//! The report of a run, as JSON. The same types serve whoever runs a program on something other than the model.

use serde::{Deserialize, Serialize};

use crate::csr::Csr;
use crate::decode::Isa;
use crate::machine::Machine;
use crate::matrix_csr::MatrixCsr;
use crate::outcome::{Outcome, Trap};
use crate::tiles::{Tile, Tiles};
use crate::tlregs::REGISTERS;

/// The state after a run and what was executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the configuration.
    pub config: String,
    /// Host registers x0..x31, of `xlen` bits.
    pub x: [u64; REGISTERS],
    /// CSR values.
    pub csr: CsrReport,
    /// Registers tl0..tl31 in lower-case hexadecimal, byte 0 first.
    pub tl: Vec<String>,
    /// The matrix registers; absent without the matrix instruction set.
    #[serde(flatten)]
    pub tiles: Option<TileReport>,
    /// The code that the program ended itself with; absent when it ran to its end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exit: Option<u32>,
    /// What the program printed, as [`printed`] has it; absent when that is nothing.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub console: String,
    /// Every executed instruction, host instructions and trapping ones too, in order.
    pub retired: Vec<Retired>,
}

/// The matrix registers in lower-case hexadecimal, row 0 first, byte 0 of a row first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileReport {
    /// Registers tr0..tr3.
    pub tr: [String; 4],
    /// Registers acc0..acc3.
    pub acc: [String; 4],
}

/// The tile sizes, in elements, under the names of their CSRs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are the CSRs.
pub struct TileSizeReport {
    pub mtilem: u32,
    pub mtilen: u32,
    pub mtilek: u32,
}

/// The distances between slots, under the names of their CSRs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are the CSRs.
pub struct PitchReport {
    pub tload_pitch: u32,
    pub tstore_pitch: u32,
}

/// The CSRs that a program can change, under their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The fields are the CSRs.
pub struct CsrReport {
    pub ttype: u32,
    pub tshape: u32,
    pub tmask_load: u32,
    pub tmask_store: u32,
    pub tmask_concat_1: u32,
    pub tmask_concat_2: u32,
    pub tload_width: u32,
    pub tstore_width: u32,
    /// Absent without the option.
    #[serde(flatten)]
    pub pitch: Option<PitchReport>,
    /// Absent without the option `mask_init`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tmask_init: Option<u32>,
    pub tload_stride: [u32; REGISTERS],
    pub tstore_stride: [u32; REGISTERS],
    /// Absent without the matrix instruction set.
    #[serde(flatten)]
    pub tile_sizes: Option<TileSizeReport>,
}

/// One executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retired {
    /// Byte address.
    pub pc: u32,
    /// Instruction word.
    pub word: u32,
    /// Its trap, if it trapped.
    pub trap: Option<Trap>,
}

impl From<&Outcome> for Retired {
    fn from(outcome: &Outcome) -> Self {
        Self { pc: outcome.pc, word: outcome.word, trap: outcome.trap }
    }
}

impl CsrReport {
    /// The values that `read` returns for each CSR of the unit.
    pub fn new(isa: impl Into<Isa>, read: impl Fn(Csr) -> u32) -> Self {
        let isa = isa.into();
        let size = |csr| read(Csr::Matrix(csr));
        Self {
            ttype: read(Csr::Ttype),
            tshape: read(Csr::Tshape),
            tmask_load: read(Csr::TmaskLoad),
            tmask_store: read(Csr::TmaskStore),
            tmask_concat_1: read(Csr::TmaskConcat1),
            tmask_concat_2: read(Csr::TmaskConcat2),
            tload_width: read(Csr::TloadWidth),
            tstore_width: read(Csr::TstoreWidth),
            pitch: isa
                .pitch
                .then(|| PitchReport { tload_pitch: read(Csr::TloadPitch), tstore_pitch: read(Csr::TstorePitch) }),
            tmask_init: isa.mask_init.then(|| read(Csr::TmaskInit)),
            tload_stride: std::array::from_fn(|i| read(Csr::TloadStride(i as u8))),
            tstore_stride: std::array::from_fn(|i| read(Csr::TstoreStride(i as u8))),
            tile_sizes: isa.matrix.then(|| TileSizeReport {
                mtilem: size(MatrixCsr::Mtilem),
                mtilen: size(MatrixCsr::Mtilen),
                mtilek: size(MatrixCsr::Mtilek),
            }),
        }
    }
}

impl From<&Tiles> for TileReport {
    fn from(tiles: &Tiles) -> Self {
        Self {
            tr: std::array::from_fn(|i| hex(tiles.get(Tile::Tr(i as u8)))),
            acc: std::array::from_fn(|i| hex(tiles.get(Tile::Acc(i as u8)))),
        }
    }
}

impl Report {
    /// The report of a machine after it executed `retired`.
    pub fn new(machine: &Machine, retired: Vec<Retired>) -> Self {
        Self {
            config: machine.config().name.clone(),
            x: std::array::from_fn(|i| machine.operand(i as u8)),
            csr: CsrReport::new(machine.config(), |csr| machine.csr.read(csr)),
            tl: (0..REGISTERS).map(|tl| hex(machine.tl.get(tl as u8))).collect(),
            tiles: machine.tiles.as_ref().map(TileReport::from),
            exit: machine.hart.exit,
            console: printed(&machine.hart.console),
            retired,
        }
    }
}

/// What a program printed as text; bytes that are no UTF-8 as `\xff`.
pub fn printed(console: &[u8]) -> String {
    let chunk = |chunk: std::str::Utf8Chunk| format!("{}{}", chunk.valid(), chunk.invalid().escape_ascii());
    console.utf8_chunks().map(chunk).collect()
}

/// Bytes as lower-case hexadecimal, byte 0 first.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
