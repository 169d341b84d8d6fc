// SPDX-License-Identifier: Apache-2.0
//! Tensors as they lie in memory: dense, row-major, elements little-endian.

use std::fmt;

/// A dense row-major tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Sizes, the innermost last. None for a scalar.
    pub shape: Vec<usize>,
    /// Bits of an element: 4, 8, 16, 32 or 64. Of two 4-bit elements in a byte the lower-numbered is the low nibble.
    pub bits: u32,
}

impl Tensor {
    /// A tensor of this shape.
    pub fn new(shape: &[usize], bits: u32) -> Self {
        Self { shape: shape.to_vec(), bits }
    }

    /// Elements; 1 for a scalar.
    pub fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Bytes, rounded up to whole ones.
    pub fn bytes(&self) -> usize {
        (self.elements() * self.bits as usize).div_ceil(8)
    }

    /// Elements between neighbours of each dimension.
    pub fn strides(&self) -> Vec<isize> {
        strides(&self.shape)
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?} of {} bits", self.shape, self.bits)
    }
}

/// Elements between neighbours of each dimension of a dense row-major shape.
pub fn strides(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = strides[i] * shape[i] as isize;
    }
    strides
}
