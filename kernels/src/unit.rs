// SPDX-License-Identifier: Apache-2.0
//! What a plan has to know of a configuration.

/// The parameters of a unit: plain numbers, so this crate depends on neither side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Bytes in a tensor register.
    pub reg_bytes: usize,
    /// Element widths that `ttype` may select.
    pub widths: Vec<u32>,
    /// Bytes in L1M.
    pub l1m_bytes: usize,
    /// Bytes in L0M.
    pub l0m_bytes: usize,
    /// Bytes that the datapath moves per cycle. This and `port_bytes` affect only which plan is fastest.
    pub lanes: usize,
    /// Bytes of the memory ports.
    pub port_bytes: usize,
    /// Whether slots may be any number of bytes apart, and slices be moved in part.
    pub pitch: bool,
    /// Matrix registers, if there are any.
    pub tiles: Option<Tiles>,
}

/// The tile registers of the matrix instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Rows.
    pub rows: usize,
    /// Bytes in a row.
    pub row_bytes: usize,
}
