// SPDX-License-Identifier: Apache-2.0
//! How many values each axis of the coverage table has, and their names.

use golden::decode::Tensor;
use golden::{Csr, MatrixCsr};

use super::operation;
use super::values::{Axis, G_LOAD, G_MOVE, G_MX_LOAD, G_MX_STORE, G_STORE, G_XPOSE, Value};

/// The engines of the axis `Older`, one bit each.
pub const OLDER: [(&str, &[Value]); 5] = [
    ("load", &[G_LOAD]),
    ("store", &[G_STORE]),
    ("move", &[G_MOVE]),
    ("xpose", &[G_XPOSE]),
    ("matrix", &[G_MX_LOAD, G_MX_STORE]),
];

/// Most address bits that can go from row to lane: half of those of two registers of 1024 bytes in 4-bit elements.
const MOST_CROSSING: u8 = 6;

/// The CSRs of the axis `CsrName`.
pub fn csrs() -> impl Iterator<Item = Csr> {
    Csr::all().chain(MatrixCsr::all().map(Csr::Matrix))
}

impl Axis {
    /// Number of values on it.
    fn count(self) -> u8 {
        match self {
            Axis::Op => Tensor::all().count() as u8,
            Axis::Pq => 16,
            Axis::Older => 1 << OLDER.len(),
            Axis::Crossing => MOST_CROSSING + 1,
            Axis::CsrName => csrs().count() as u8,
            _ => self.named().len() as u8,
        }
    }

    pub fn values(self) -> impl Iterator<Item = Value> {
        (0..self.count()).map(move |index| Value { axis: self, index })
    }
}

impl Value {
    /// Its text, as it is in the name of a bin.
    pub fn text(self) -> String {
        match self.axis {
            Axis::Op => operation::tensor(self).map_or(String::new(), operation::stem),
            Axis::Pq => format!("{}{}", self.index & 3, self.index >> 2),
            Axis::Crossing => format!("{} bits", self.index),
            Axis::CsrName => csrs().nth(self.index.into()).map_or(String::new(), Csr::name),
            Axis::Older => {
                let names: Vec<_> = OLDER.iter().enumerate().filter(|(i, _)| self.index >> i & 1 == 1).collect();
                let names: Vec<_> = names.into_iter().map(|(_, (name, _))| *name).collect();
                if names.is_empty() { "idle".to_owned() } else { names.join("+") }
            }
            _ => self.axis.named().get(usize::from(self.index)).map_or(String::new(), |(text, _)| (*text).to_owned()),
        }
    }
}
