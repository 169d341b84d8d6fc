// SPDX-License-Identifier: Apache-2.0
//! What an operator does, as moves: each copies a set of elements, or fills one, along nested loops with affine
//! addresses. Every element of the outputs is written by some move.

use crate::tensor::Tensor;

/// A loop of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim {
    /// Iterations.
    pub size: usize,
    /// Stride in the input, in elements.
    pub from: isize,
    /// Stride in the output, in elements.
    pub to: isize,
}

/// Source of the elements of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An input tensor.
    Input {
        /// Number of the input.
        input: usize,
        /// First element.
        offset: isize,
    },
    /// A constant with these bits.
    Value(u64),
}

/// A copy or a fill along nested loops. Offsets and strides are in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Source of the elements.
    pub source: Source,
    /// Number of the output.
    pub output: usize,
    /// First element in the output.
    pub offset: isize,
    /// The loops, the innermost last.
    pub dims: Vec<Dim>,
    /// Added to each element of a copy, as [`sum`] says.
    pub add: i8,
}

impl Move {
    /// A copy.
    pub fn copy(input: usize, from: isize, output: usize, to: isize, dims: Vec<Dim>) -> Self {
        Self { source: Source::Input { input, offset: from }, output, offset: to, dims, add: 0 }
    }

    /// The elements of input `input` from the first to the one behind the last that it reads.
    pub fn reads(&self, input: usize) -> Option<[isize; 2]> {
        let Source::Input { offset, .. } = self.source else { return None };
        let ends = |dim: &Dim| (dim.size as isize - 1) * dim.from;
        let low: isize = self.dims.iter().map(|dim| ends(dim).min(0)).sum();
        let high: isize = self.dims.iter().map(|dim| ends(dim).max(0)).sum();
        (self.source == Source::Input { input, offset }).then_some([offset + low, offset + high + 1])
    }

    /// The same for some iterations of a loop, from the first of `inside` to the one in front of its second.
    pub fn part(&self, dim: usize, inside: [usize; 2]) -> Self {
        let mut part = self.clone();
        let Dim { from, to, .. } = self.dims[dim];
        part.dims[dim].size = inside[1] - inside[0];
        part.offset += inside[0] as isize * to;
        if let Source::Input { offset, .. } = &mut part.source {
            *offset += inside[0] as isize * from;
        }
        part
    }

    /// Elements that it writes.
    pub fn elements(&self) -> usize {
        self.dims.iter().map(|dim| dim.size).product()
    }
}

/// More than loops, for a copy of elements of 8 bits or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// The iterations of this loop outside of these two are zeros.
    Zeros {
        /// Number of the loop.
        dim: usize,
        /// The first that is copied, and the first behind.
        inside: [usize; 2],
        /// Another loop, its first iteration that stays, and the first behind: later moves overwrite the others.
        stay: Option<(usize, [usize; 2])>,
    },
    /// Iteration i of this loop is iteration `picks[i]` in the input; ascending.
    Picks {
        /// Number of the loop.
        dim: usize,
        /// One for each iteration.
        picks: Vec<usize>,
    },
}

/// An operator on tensors of known shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Shapes and element widths of the inputs.
    pub inputs: Vec<Tensor>,
    /// Shapes and element widths of the outputs.
    pub outputs: Vec<Tensor>,
    /// The moves, in order. A later move may overwrite an earlier one. A move may read slightly outside an input if a
    /// later move overwrites these elements.
    pub moves: Vec<Move>,
    /// The same once more, for a unit that makes zeros and gaps on the way. Empty if there is nothing of that kind.
    pub gapped: Vec<(Move, Option<Gaps>)>,
}

impl Mapping {
    /// The outputs for these inputs, computed by plain loops: the expected contents of L0M.
    pub fn apply(&self, inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut outputs: Vec<Vec<u8>> = self.outputs.iter().map(|tensor| vec![0; tensor.bytes()]).collect();
        for step in &self.moves {
            let bits = self.outputs[step.output].bits;
            let output = &mut outputs[step.output];
            for_each(&step.dims, |from, to| {
                let value = match step.source {
                    Source::Value(value) => value,
                    Source::Input { input, offset } => match usize::try_from(offset + from) {
                        Ok(n) if n < self.inputs[input].elements() => {
                            sum(element(&inputs[input], bits, n), step.add, bits)
                        }
                        _ => 0,
                    },
                };
                set_element(output, bits, (step.offset + to) as usize, value);
            });
        }
        outputs
    }
}

/// Calls `f` with the offsets in the input and in the output for each iteration.
pub fn for_each(dims: &[Dim], mut f: impl FnMut(isize, isize)) {
    let total: usize = dims.iter().map(|dim| dim.size).product();
    for n in 0..total {
        let (mut rest, mut from, mut to) = (n, 0, 0);
        for dim in dims.iter().rev() {
            let i = (rest % dim.size) as isize;
            rest /= dim.size;
            from += i * dim.from;
            to += i * dim.to;
        }
        f(from, to);
    }
}

/// The sum of an unsigned element of `bits` bits and a number, or the end of the element's range that is nearest to it.
pub fn sum(element: u64, add: i8, bits: u32) -> u64 {
    element.saturating_add_signed(add.into()).min(u64::MAX >> (u64::BITS - bits))
}

/// Element `n` of dense elements of `bits` bits.
pub fn element(bytes: &[u8], bits: u32, n: usize) -> u64 {
    if bits == 4 {
        return u64::from(bytes[n / 2] >> (4 * (n % 2)) & 15);
    }
    let size = bits as usize / 8;
    bytes[n * size..(n + 1) * size].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Writes element `n` of dense elements of `bits` bits.
pub fn set_element(bytes: &mut [u8], bits: u32, n: usize, value: u64) {
    if bits == 4 {
        let shift = 4 * (n % 2);
        bytes[n / 2] = bytes[n / 2] & !(15 << shift) | ((value as u8 & 15) << shift);
        return;
    }
    let size = bits as usize / 8;
    bytes[n * size..(n + 1) * size].copy_from_slice(&value.to_le_bytes()[..size]);
}
