// SPDX-License-Identifier: Apache-2.0
//! The CSRs of the matrix instruction set (docs/isa.md, "Matrix CSRs"). CSR instructions only read them.

use crate::csr_table::csrs;
use crate::tiles::MatrixConfig;

csrs! {
    /// One of the matrix CSRs.
    MatrixCsr {
        Mtilem = 0x803 "mtilem",
        Mtilen = 0x804 "mtilen",
        Mtilek = 0x805 "mtilek",
        Xtlenb = 0xCC1 "xtlenb",
        Xtrlenb = 0xCC2 "xtrlenb",
        Xalenb = 0xCC3 "xalenb",
    }
}

/// A tile size: the number of elements of a tile in one of the three dimensions of a matrix product, in which an M x K
/// and a K x N matrix give an M x N matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TileSize {
    M,
    N,
    K,
}

impl TileSize {
    /// The CSR that holds it.
    pub fn csr(self) -> MatrixCsr {
        match self {
            Self::M => MatrixCsr::Mtilem,
            Self::N => MatrixCsr::Mtilen,
            Self::K => MatrixCsr::Mtilek,
        }
    }
}

/// The values of the matrix CSRs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatrixCsrs {
    config: MatrixConfig,
    m: u32,
    n: u32,
    k: u32,
}

impl MatrixCsrs {
    /// Reset values.
    pub(crate) fn new(config: MatrixConfig) -> Self {
        Self { config, m: 0, n: 0, k: 0 }
    }

    pub(crate) fn read(&self, csr: MatrixCsr) -> u32 {
        match csr {
            MatrixCsr::Mtilem => self.m,
            MatrixCsr::Mtilen => self.n,
            MatrixCsr::Mtilek => self.k,
            MatrixCsr::Xtlenb => self.config.tlen / 8,
            MatrixCsr::Xtrlenb => self.config.tr_row_bytes(),
            MatrixCsr::Xalenb => self.config.rows().saturating_mul(self.config.acc_row_bytes()),
        }
    }

    pub(crate) fn set(&mut self, size: TileSize, value: u32) {
        match size {
            TileSize::M => self.m = value,
            TileSize::N => self.n = value,
            TileSize::K => self.k = value,
        }
    }
}
