// SPDX-License-Identifier: Apache-2.0
//! Operators with the semantics of ONNX (Im2col: of PyTorch's `unfold`), and what they are as moves of elements.

mod compose;
mod layout;
mod pad;
mod select;
mod window;

use crate::mapping::{Dim, Gaps, Mapping, Move};
use crate::tensor::{Tensor, strides};

pub use pad::Padding;
pub use window::Layout;

/// An operator with its attributes. Negative axes count from the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Dimension i of the output is dimension `perm[i]` of the input; reversed when there is no `perm`.
    Transpose {
        /// The permutation.
        perm: Option<Vec<usize>>,
    },
    /// The same elements in another shape. 0 keeps a size, -1 is inferred.
    Reshape {
        /// The new shape.
        shape: Vec<i64>,
    },
    /// A matrix: the dimensions before `axis`, and the rest.
    Flatten {
        /// First dimension of the second group.
        axis: i64,
    },
    /// Removes dimensions of size 1: all, or the given ones.
    Squeeze {
        /// Dimensions to remove; all of size 1 if `None`.
        axes: Option<Vec<i64>>,
    },
    /// Concatenates all inputs.
    Concat {
        /// Along which axis.
        axis: i64,
    },
    /// Splits the input, with one output per part.
    Split {
        /// Along which axis.
        axis: i64,
        /// Sizes of the parts.
        sizes: Parts,
    },
    /// A range of indices on each axis.
    Slice {
        /// First index, for each axis of `axes`.
        starts: Vec<i64>,
        /// End index, exclusive.
        ends: Vec<i64>,
        /// Axes; the first ones if `None`.
        axes: Option<Vec<i64>>,
        /// Steps, not 0; 1 if `None`.
        steps: Option<Vec<i64>>,
    },
    /// Slices along an axis by constant indices.
    Gather {
        /// Along which axis.
        axis: i64,
        /// The indices, row-major; negative ones count from the end.
        indices: Vec<i64>,
        /// Shape of the indices, which takes the place of the axis.
        shape: Vec<usize>,
    },
    /// Slices along an axis, or elements of the flat tensor, for which a condition holds.
    Compress {
        /// Along which axis; `None` is flat.
        axis: Option<i64>,
        /// May be shorter than the axis.
        condition: Vec<bool>,
    },
    /// Pads the tensor with a constant or with its own elements.
    Pad {
        /// Elements before each axis, then after each; negative values crop.
        pads: Vec<i64>,
        /// Axes to pad; all if `None`.
        axes: Option<Vec<i64>>,
        /// Mode and value of the new elements.
        padding: Padding,
    },
    /// Patches: [N, C*kh*kw, L] of an NCHW image, [N, L, kh*kw*C] of an NHWC one.
    Im2col {
        /// Order of the dimensions.
        layout: Layout,
        /// Height and width of a patch.
        kernel: [usize; 2],
        /// Distance between patches, in pixels.
        strides: [usize; 2],
        /// Distance between the pixels of a patch.
        dilations: [usize; 2],
        /// Rows and columns of zeros on each side.
        padding: [usize; 2],
    },
    /// Blocks of pixels to channels; NCHW.
    SpaceToDepth {
        /// Height and width of a block.
        blocksize: usize,
        /// Mode CRD instead of DCR.
        crd: bool,
    },
    /// Channels to blocks of pixels; NCHW. The mode CRD is a pixel shuffle.
    DepthToSpace {
        /// Height and width of a block.
        blocksize: usize,
        /// Mode CRD instead of DCR.
        crd: bool,
    },
    /// Adds a constant to each element, as `tl.addi` does: elements are unsigned, and a sum beyond their range is the
    /// end of the range. Not one of ONNX, whose Add wraps.
    AddConstant {
        /// The constant, -128 to 127.
        value: i64,
    },
    /// Reshape, transpose, reshape: what the named compositions are.
    Rearrange {
        /// The shape that is transposed.
        view: Vec<usize>,
        /// The permutation.
        perm: Vec<usize>,
        /// Shape of the output.
        shape: Vec<usize>,
    },
}

/// Sizes of the parts of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Number of parts; all are equal, except a smaller last one.
    Number(usize),
    /// Explicit sizes.
    Sizes(Vec<usize>),
}

/// Why an operator cannot be applied to its inputs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OperatorError(pub String);

/// An [`OperatorError`] of a formatted text.
macro_rules! refuse {
    ($($text:tt)*) => { return Err(OperatorError(format!($($text)*))) };
}
use refuse;

impl Operator {
    /// The mapping of this operator for these inputs: shapes of the outputs, and moves.
    ///
    /// # Errors
    /// If attributes and shapes do not match. The message names the attribute, its value and what is allowed.
    pub fn mapping(&self, inputs: &[Tensor]) -> Result<Mapping, OperatorError> {
        let Some(x) = inputs.first() else { refuse!("no input; at least one is needed") };
        if !matches!(self, Operator::Concat { .. }) && inputs.len() != 1 {
            refuse!("{} inputs; allowed is 1", inputs.len());
        }
        if let Some(bits) = inputs.iter().map(|x| x.bits).find(|bits| ![4, 8, 16, 32, 64].contains(bits)) {
            refuse!("elements of {bits} bits; allowed are 4, 8, 16, 32 and 64");
        }
        let mut gapped = Vec::new();
        let (outputs, moves) = match self {
            Operator::Transpose { perm } => layout::transpose(x, perm.as_deref())?,
            Operator::Reshape { shape } => layout::reshape(x, shape)?,
            Operator::Flatten { axis } => layout::flatten(x, *axis)?,
            Operator::Squeeze { axes } => layout::squeeze(x, axes.as_deref())?,
            Operator::Rearrange { view, perm, shape } => layout::rearrange(x, view, perm, shape)?,
            Operator::SpaceToDepth { blocksize, crd } => layout::space_to_depth(x, *blocksize, *crd)?,
            Operator::DepthToSpace { blocksize, crd } => layout::depth_to_space(x, *blocksize, *crd)?,
            Operator::Concat { axis } => select::concat(inputs, *axis)?,
            Operator::Split { axis, sizes } => select::split(x, *axis, sizes)?,
            Operator::Slice { starts, ends, axes, steps } => {
                select::slice(x, starts, ends, axes.as_deref(), steps.as_deref())?
            }
            Operator::Gather { axis, indices, shape } => select::gather(x, *axis, indices, shape)?,
            Operator::Compress { axis, condition } => select::compress(x, *axis, condition)?,
            Operator::Pad { pads, axes, padding } => pad::pad(x, pads, axes.as_deref(), *padding)?,
            Operator::AddConstant { value } => layout::add_constant(x, *value)?,
            Operator::Im2col { layout, kernel, strides, dilations, padding } => {
                let (outputs, moves, zeros) = window::im2col(x, *layout, *kernel, *strides, *dilations, *padding)?;
                gapped = zeros;
                (outputs, moves)
            }
        };
        let moves = moves.into_iter().filter(|step| step.elements() > 0).collect();
        if let Operator::Compress { axis: Some(axis), condition } = self {
            let held = (0..condition.len()).filter(|&i| condition[i]).collect();
            gapped = select::with_picks(x, axis_of(*axis, x.shape.len())?, held);
        }
        gapped.retain(|(step, _): &Gapped| step.elements() > 0);
        Ok(Mapping { inputs: inputs.to_vec(), outputs, moves, gapped })
    }
}

/// A move of [`Mapping::gapped`].
type Gapped = (Move, Option<Gaps>);
/// Outputs, moves, and moves with gaps.
type LoweredWithGaps = Result<(Vec<Tensor>, Vec<Move>, Vec<Gapped>), OperatorError>;
type Lowered = Result<(Vec<Tensor>, Vec<Move>), OperatorError>;

/// Elements of the output of an operator that makes more of them than it has.
const MOST: usize = 1 << 31;

/// The product; `None` where no number holds it.
fn product(sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(1, |all: usize, &size| all.checked_mul(size))
}

/// Elements, as if no dimension were empty, unless they are too many to be numbered.
fn numbered(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1, |all: usize, &size| all.checked_mul(size.max(1))).filter(|&elements| elements <= MOST)
}

/// An axis of a tensor of this rank; `-rank` to `rank - 1`.
fn axis_of(axis: i64, rank: usize) -> Result<usize, OperatorError> {
    if rank == 0 {
        refuse!("axis {axis} of a tensor of rank 0, which has no axes");
    }
    axis_below(axis, rank, rank)
}

/// An axis of a tensor of this rank; `-rank` to `end - 1`.
fn axis_below(axis: i64, rank: usize, end: usize) -> Result<usize, OperatorError> {
    let (rank_i, end) = (rank as i64, end as i64);
    if axis < -rank_i || axis >= end {
        refuse!("axis {axis} of a tensor of rank {rank}; allowed is {} to {}", -rank_i, end - 1);
    }
    Ok((if axis < 0 { axis + rank_i } else { axis }) as usize)
}

/// The loops over `shape`, with these strides.
fn dims(shape: &[usize], from: &[isize], to: &[isize]) -> Vec<Dim> {
    shape.iter().zip(from).zip(to).map(|((&size, &from), &to)| Dim { size, from, to }).collect()
}

/// All of the elements, in their order.
fn dense(x: &Tensor, shape: &[usize]) -> (Vec<Tensor>, Vec<Move>) {
    let elements = Dim { size: x.elements(), from: 1, to: 1 };
    (vec![Tensor::new(shape, x.bits)], vec![Move::copy(0, 0, 0, 0, vec![elements])])
}

/// The shape with another size along one axis.
fn resized(shape: &[usize], axis: usize, size: usize) -> Vec<usize> {
    let mut shape = shape.to_vec();
    shape[axis] = size;
    shape
}

/// The part of `x` with indices `start`, `start + step`, ... along `axis`, `count` of them, to `at` along the same
/// axis of output `output` of shape `out`.
fn along(input: usize, x: &Tensor, axis: usize, part: [isize; 3], output: usize, out: &[usize], at: usize) -> Move {
    let [start, step, count] = part;
    let (from, to) = (x.strides(), strides(out));
    let mut loops = dims(&x.shape, &from, &to);
    loops[axis] = Dim { size: count as usize, from: from[axis] * step, to: to[axis] };
    Move::copy(input, start * from[axis], output, at as isize * to[axis], loops)
}
