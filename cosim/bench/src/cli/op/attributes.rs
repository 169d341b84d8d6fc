// SPDX-License-Identifier: Apache-2.0
//! The operators of `cosim op` with their attributes.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use clap::{Subcommand, ValueEnum};
use kernels::operator::{Layout, Operator, Padding, Parts};

use crate::operators::npy::{self, Array};

/// Order of the dimensions of an image.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Order {
    Nchw,
    Nhwc,
}

/// What Pad puts around a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PadMode {
    /// The number of --value
    Constant,
    /// A mirror that stands on the last element
    Reflect,
    /// The last element
    Edge,
    /// The tensor from its other end
    Wrap,
}

/// Order of the channels of SpaceToDepth and DepthToSpace.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Mode {
    #[value(alias = "DCR")]
    Dcr,
    #[value(alias = "CRD")]
    Crd,
}

/// The operators.
#[derive(Debug, Subcommand)]
pub(super) enum Named {
    /// Dimension i of the output is dimension perm[i] of the input
    #[command(alias = "Transpose")]
    Transpose {
        /// The permutation; reversed when it is not given
        #[arg(long, allow_hyphen_values = true, value_parser = size, value_delimiter = ',')]
        perm: Option<Vec<usize>>,
    },
    /// The same elements in another shape
    #[command(alias = "Reshape")]
    Reshape {
        /// The shape; 0 keeps a size, -1 is what is left
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',', required = true)]
        shape: Vec<i64>,
    },
    /// A matrix of the dimensions before an axis and the others
    #[command(alias = "Flatten")]
    Flatten {
        /// First axis of the second group
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, default_value_t = 1)]
        axis: i64,
    },
    /// Without dimensions of size 1
    #[command(alias = "Squeeze")]
    Squeeze {
        /// Which ones; all when they are not given
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',')]
        axes: Option<Vec<i64>>,
    },
    /// Tensors one behind the other
    #[command(alias = "Concat")]
    Concat {
        /// Along which axis
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>)]
        axis: i64,
    },
    /// Parts along an axis, one for each --out
    #[command(alias = "Split")]
    Split {
        /// Along which axis
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, default_value_t = 0)]
        axis: i64,
        /// Sizes of the parts; equal parts when they are not given
        #[arg(long, allow_hyphen_values = true, value_parser = size, value_delimiter = ',')]
        split: Option<Vec<usize>>,
    },
    /// A part of each axis
    #[command(alias = "Slice")]
    Slice {
        /// First index along each axis
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',', required = true)]
        starts: Vec<i64>,
        /// Index behind the last one
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',', required = true)]
        ends: Vec<i64>,
        /// The axes; the first ones when they are not given
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',')]
        axes: Option<Vec<i64>>,
        /// Steps, negative ones too
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',')]
        steps: Option<Vec<i64>>,
    },
    /// Slices by constant indices
    #[command(alias = "Gather")]
    Gather {
        /// Along which axis
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, default_value_t = 0)]
        axis: i64,
        /// The indices
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',', required = true)]
        indices: Vec<i64>,
        /// Their shape, which takes the place of the axis; one dimension when it is not given
        #[arg(long, value_parser = size, value_delimiter = ',', num_args = 0..)]
        indices_shape: Option<Vec<usize>>,
    },
    /// Slices, or elements, for which a condition holds
    #[command(alias = "Compress")]
    Compress {
        /// Along which axis; all elements when it is not given
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>)]
        axis: Option<i64>,
        /// File of NumPy with the condition, one element for each slice; true is not 0
        #[arg(long, value_name = "FILE")]
        condition: PathBuf,
    },
    /// A constant around the tensor, or its own elements
    #[command(alias = "Pad")]
    Pad {
        /// Elements before each axis, then behind each
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',', required = true)]
        pads: Vec<i64>,
        /// The axes; all when they are not given
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, value_delimiter = ',')]
        axes: Option<Vec<i64>>,
        /// What the new elements are; negative pads are cut off first
        #[arg(long, value_enum, default_value = "constant")]
        mode: PadMode,
        /// The constant: an integer, or the bits of a float as a number [default: 0]
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i128>)]
        value: Option<i128>,
    },
    /// A constant added to each element; beyond the range of the elements the end of the range
    AddConstant {
        /// The constant, -128 to 127
        #[arg(long, allow_hyphen_values = true, value_parser = integer::<i64>, required = true)]
        value: i64,
    },
    /// Patches of an image, as torch.nn.functional.unfold
    #[command(alias = "Im2col")]
    Im2col {
        /// Order of the dimensions
        #[arg(long, value_enum, default_value = "nchw")]
        layout: Order,
        /// Height and width of a patch
        #[arg(long, allow_hyphen_values = true, value_parser = size, value_delimiter = ',', required = true)]
        kernel: Vec<usize>,
        /// Pixels between patches
        #[arg(long, allow_hyphen_values = true, value_parser = size, value_delimiter = ',', default_value = "1,1")]
        strides: Vec<usize>,
        /// Pixels between the pixels of a patch
        #[arg(long, allow_hyphen_values = true, value_parser = size, value_delimiter = ',', default_value = "1,1")]
        dilations: Vec<usize>,
        /// Rows and columns of zeros on each side
        #[arg(long, allow_hyphen_values = true, value_parser = size, value_delimiter = ',', default_value = "0,0")]
        padding: Vec<usize>,
    },
    /// Blocks of pixels to channels
    #[command(alias = "SpaceToDepth")]
    SpaceToDepth {
        /// Height and width of a block
        #[arg(long, allow_hyphen_values = true, value_parser = size)]
        blocksize: usize,
        /// Order of the channels
        #[arg(long, value_enum, default_value = "dcr")]
        mode: Mode,
    },
    /// Channels to blocks of pixels
    #[command(alias = "DepthToSpace")]
    DepthToSpace {
        /// Height and width of a block
        #[arg(long, allow_hyphen_values = true, value_parser = size)]
        blocksize: usize,
        /// Order of the channels; crd is a pixel shuffle
        #[arg(long, value_enum, default_value = "dcr")]
        mode: Mode,
    },
    /// Windows of an image [N, H, W, C]
    WindowPartition {
        /// Height and width of a window
        #[arg(long, allow_hyphen_values = true, value_parser = size)]
        window: usize,
    },
    /// Patches of an image [C, H, W]
    Patchify {
        /// Height and width of a patch
        #[arg(long, allow_hyphen_values = true, value_parser = size)]
        patch: usize,
    },
    /// [tokens, heads * size] to [heads, tokens, size]
    SplitHeads {
        /// Number of heads
        #[arg(long, allow_hyphen_values = true, value_parser = size)]
        heads: usize,
    },
    /// [heads, tokens, size] to [tokens, heads * size]
    MergeHeads,
    /// Keys [tokens, heads, size] to [pages, heads, size / pack, page, pack]
    PageKeys {
        /// Tokens in a page
        #[arg(long, allow_hyphen_values = true, value_parser = size, default_value_t = 16)]
        page: usize,
        /// Elements that stay together
        #[arg(long, allow_hyphen_values = true, value_parser = size, default_value_t = 8)]
        pack: usize,
    },
    /// Groups of eight elements in the order 0, 2, 4, 6, 1, 3, 5, 7
    InterleaveWeights,
}

fn size(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "allowed is an integer, 0 or more".into())
}

fn integer<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "allowed is an integer".into())
}

/// The bits of a constant of the type of `array`.
fn constant(value: i128, array: &Array) -> Result<u64> {
    let (low, high) = array.limits();
    ensure!(
        (low..=high).contains(&value),
        "--value {value} in elements of {}; allowed is {low} to {high}",
        array.type_name()
    );
    Ok((value & ((1 << array.tensor.bits) - 1)) as u64)
}

/// The condition in a file.
fn truth(path: &Path) -> Result<Vec<bool>> {
    let condition = npy::read(path, false)?;
    let (kind, shape) = (condition.type_name(), &condition.tensor.shape);
    ensure!(
        !kind.starts_with("float"),
        "--condition {}: elements are {kind}; allowed are bool and int",
        path.display()
    );
    ensure!(shape.len() == 1, "--condition {}: the shape is {shape:?}; allowed is one dimension", path.display());
    let elements = condition.bytes.chunks(condition.tensor.bits as usize / 8);
    Ok(elements.map(|element| element.iter().any(|&byte| byte != 0)).collect())
}

fn pair(name: &str, values: &[usize]) -> Result<[usize; 2]> {
    match values {
        [both] => Ok([*both, *both]),
        [height, width] => Ok([*height, *width]),
        _ => bail!("--{name} has {} values; allowed are one or two", values.len()),
    }
}

impl Named {
    /// The operator for this first input, and that many outputs.
    pub(super) fn operator(&self, array: &Array, outputs: usize) -> Result<Operator> {
        let x = &array.tensor;
        Ok(match self {
            Named::Transpose { perm } => Operator::Transpose { perm: perm.clone() },
            Named::Reshape { shape } => Operator::Reshape { shape: shape.clone() },
            Named::Flatten { axis } => Operator::Flatten { axis: *axis },
            Named::Squeeze { axes } => Operator::Squeeze { axes: axes.clone() },
            Named::Concat { axis } => Operator::Concat { axis: *axis },
            Named::Split { axis, split } => {
                let sizes = split.clone().map_or(Parts::Number(outputs), Parts::Sizes);
                Operator::Split { axis: *axis, sizes }
            }
            Named::Slice { starts, ends, axes, steps } => {
                Operator::Slice { starts: starts.clone(), ends: ends.clone(), axes: axes.clone(), steps: steps.clone() }
            }
            Named::Gather { axis, indices, indices_shape } => {
                let shape = indices_shape.clone().unwrap_or_else(|| vec![indices.len()]);
                Operator::Gather { axis: *axis, indices: indices.clone(), shape }
            }
            Named::Compress { axis, condition } => Operator::Compress { axis: *axis, condition: truth(condition)? },
            Named::Pad { pads, axes, mode, value } => {
                let padding = match mode {
                    PadMode::Constant => Padding::Constant(constant(value.unwrap_or(0), array)?),
                    PadMode::Reflect => Padding::Reflect,
                    PadMode::Edge => Padding::Edge,
                    PadMode::Wrap => Padding::Wrap,
                };
                ensure!(
                    value.is_none() || *mode == PadMode::Constant,
                    "--value is for --mode constant; the other modes take elements of the tensor"
                );
                Operator::Pad { pads: pads.clone(), axes: axes.clone(), padding }
            }
            Named::AddConstant { value } => {
                let kind = array.type_name();
                ensure!(
                    kind.starts_with("uint"),
                    "elements are {kind}; tl.addi adds to uint4, uint8, uint16 and uint32"
                );
                Operator::AddConstant { value: *value }
            }
            Named::Im2col { layout, kernel, strides, dilations, padding } => Operator::Im2col {
                layout: match layout {
                    Order::Nchw => Layout::Nchw,
                    Order::Nhwc => Layout::Nhwc,
                },
                kernel: pair("kernel", kernel)?,
                strides: pair("strides", strides)?,
                dilations: pair("dilations", dilations)?,
                padding: pair("padding", padding)?,
            },
            Named::SpaceToDepth { blocksize, mode } => {
                Operator::SpaceToDepth { blocksize: *blocksize, crd: matches!(mode, Mode::Crd) }
            }
            Named::DepthToSpace { blocksize, mode } => {
                Operator::DepthToSpace { blocksize: *blocksize, crd: matches!(mode, Mode::Crd) }
            }
            Named::WindowPartition { window } => Operator::window_partition(x, *window)?,
            Named::Patchify { patch } => Operator::patchify(x, *patch)?,
            Named::SplitHeads { heads } => Operator::split_heads(x, *heads)?,
            Named::MergeHeads => Operator::merge_heads(x)?,
            Named::PageKeys { page, pack } => Operator::page_keys(x, *page, *pack)?,
            Named::InterleaveWeights => Operator::interleave_weights(x)?,
        })
    }
}
