// SPDX-License-Identifier: Apache-2.0
//! The matrix registers `tr0`..`tr3` and `acc0`..`acc3` (docs/isa.md, "Matrix registers").

use serde::{Deserialize, Serialize};

/// Bits in the widest element; the instruction set fixes it.
const ELEN: u32 = 32;

/// The parameters of the matrix instruction set, both in bits. [`crate::Config::from_toml_str`] checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixConfig {
    /// Bits in a tile register: a power of two, 128..=4096.
    pub tlen: u32,
    /// Bits in a row of a tile register: a power of two, at least 32, so that there are 2 to 16 rows.
    pub trlen: u32,
}

impl Default for MatrixConfig {
    fn default() -> Self {
        Self { tlen: 512, trlen: 128 }
    }
}

impl MatrixConfig {
    /// Rows in a register of either kind.
    pub fn rows(self) -> u32 {
        self.tlen.checked_div(self.trlen).unwrap_or(0)
    }

    /// Bytes in a row of `tr0`..`tr3`.
    pub fn tr_row_bytes(self) -> u32 {
        self.trlen / 8
    }

    /// Bytes in a row of `acc0`..`acc3`: as many elements of ELEN bits as there are rows.
    pub fn acc_row_bytes(self) -> u32 {
        self.rows().saturating_mul(ELEN / 8)
    }
}

/// A matrix register. Only the low two bits of a number are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tile {
    /// A tile register, `tr0`..`tr3`.
    Tr(u8),
    /// An accumulation register, `acc0`..`acc3`.
    Acc(u8),
}

impl Tile {
    /// Number of registers of each kind.
    pub const OF_A_KIND: u8 = 4;
}

/// The eight matrix registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    config: MatrixConfig,
    tr: [Vec<u8>; 4],
    acc: [Vec<u8>; 4],
}

impl Tiles {
    /// The registers of a configuration, all zero.
    pub fn new(config: MatrixConfig) -> Self {
        let zeros = |row_bytes: u32| vec![0; (config.rows() as usize).saturating_mul(row_bytes as usize)];
        Self {
            config,
            tr: std::array::from_fn(|_| zeros(config.tr_row_bytes())),
            acc: std::array::from_fn(|_| zeros(config.acc_row_bytes())),
        }
    }

    /// Rows in a register.
    pub fn rows(&self) -> u32 {
        self.config.rows()
    }

    /// Bytes in a row of the register.
    pub fn row_bytes(&self, tile: Tile) -> u32 {
        match tile {
            Tile::Tr(_) => self.config.tr_row_bytes(),
            Tile::Acc(_) => self.config.acc_row_bytes(),
        }
    }

    /// The bytes of a register, row 0 first, byte 0 of a row first.
    pub fn get(&self, tile: Tile) -> &[u8] {
        match tile {
            Tile::Tr(i) => &self.tr[usize::from(i & 3)],
            Tile::Acc(i) => &self.acc[usize::from(i & 3)],
        }
    }

    /// Mutable bytes of a register, in the order of [`Tiles::get`].
    pub fn get_mut(&mut self, tile: Tile) -> &mut [u8] {
        match tile {
            Tile::Tr(i) => &mut self.tr[usize::from(i & 3)],
            Tile::Acc(i) => &mut self.acc[usize::from(i & 3)],
        }
    }
}
