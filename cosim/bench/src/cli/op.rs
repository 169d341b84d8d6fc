// SPDX-License-Identifier: Apache-2.0
//! `cosim op`: an operator on tensors in files.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use kernels::emit;
use kernels::operator::{Layout, Operator, Padding, Parts};
use kernels::plan::{Plan, Step};
use kernels::tensor::Tensor;
use serde::Serialize;

use super::ending::Ending;
use crate::base::output::{self, say};
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, Plan as Stalls};
use crate::operators::execute::{Operation, Ran};
use crate::operators::npy::{self, Array};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::{RtlOptions, Target, Workshop, make_all};

/// Options of `cosim op`.
#[derive(Debug, Args)]
pub struct OpOptions {
    /// The operator with its attributes, as ONNX names them
    #[command(subcommand)]
    operator: Named,
    /// File of NumPy with an input; several for Concat
    #[arg(long = "in", value_name = "FILE", global = true)]
    inputs: Vec<PathBuf>,
    /// File of NumPy for the output; several for Split
    #[arg(long = "out", value_name = "FILE", global = true)]
    outputs: Vec<PathBuf>,
    /// The inputs, of int8 or uint8, have two elements of 4 bits in each byte; so have the outputs
    #[arg(long, global = true)]
    packed_int4: bool,
    /// Configuration: a name, or a file NAME.toml
    #[arg(long, default_value = "w16", global = true)]
    config: String,
    #[command(flatten)]
    rtl: RtlOptions,
    /// Run it on the model alone: no Verilator, no clock cycles
    #[arg(long, global = true)]
    model: bool,
    /// By loops of the host in place of the unit
    #[arg(long, global = true)]
    host: bool,
    /// Stall every port at random; without it nothing stalls
    #[arg(long, global = true)]
    stall_seed: Option<u64>,
    /// Write what was measured as JSON to this file (- for standard output)
    #[arg(long, value_name = "FILE", global = true)]
    json: Option<PathBuf>,
    /// Write the program to this file, in assembly language
    #[arg(long, value_name = "FILE", global = true)]
    program: Option<PathBuf>,
    /// Write the program to this file in C, for `tensorload.h`
    #[arg(long, value_name = "FILE", global = true)]
    c: Option<PathBuf>,
    /// Instructions after which a program that has not ended is given up
    #[arg(long, default_value_t = golden::run::LIMIT, global = true)]
    limit: u64,
}

/// Order of the dimensions of an image.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    Nchw,
    Nhwc,
}

/// What Pad puts around a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PadMode {
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
enum Mode {
    #[value(alias = "DCR")]
    Dcr,
    #[value(alias = "CRD")]
    Crd,
}

#[derive(Debug, Subcommand)]
enum Named {
    /// Dimension i of the output is dimension perm[i] of the input
    #[command(alias = "Transpose")]
    Transpose {
        /// The permutation; reversed when it is not given
        #[arg(long, value_delimiter = ',')]
        perm: Option<Vec<usize>>,
    },
    /// The same elements in another shape
    #[command(alias = "Reshape")]
    Reshape {
        /// The shape; 0 keeps a size, -1 is what is left
        #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
        shape: Vec<i64>,
    },
    /// A matrix of the dimensions before an axis and the others
    #[command(alias = "Flatten")]
    Flatten {
        /// First axis of the second group
        #[arg(long, default_value_t = 1, allow_hyphen_values = true)]
        axis: i64,
    },
    /// Without dimensions of size 1
    #[command(alias = "Squeeze")]
    Squeeze {
        /// Which ones; all when they are not given
        #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
        axes: Option<Vec<i64>>,
    },
    /// Tensors one behind the other
    #[command(alias = "Concat")]
    Concat {
        /// Along which axis
        #[arg(long, allow_hyphen_values = true)]
        axis: i64,
    },
    /// Parts along an axis, one for each --out
    #[command(alias = "Split")]
    Split {
        /// Along which axis
        #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
        axis: i64,
        /// Sizes of the parts; equal parts when they are not given
        #[arg(long, value_delimiter = ',')]
        split: Option<Vec<usize>>,
    },
    /// A part of each axis
    #[command(alias = "Slice")]
    Slice {
        /// First index along each axis
        #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
        starts: Vec<i64>,
        /// Index behind the last one
        #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
        ends: Vec<i64>,
        /// The axes; the first ones when they are not given
        #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
        axes: Option<Vec<i64>>,
        /// Steps, negative ones too
        #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
        steps: Option<Vec<i64>>,
    },
    /// Slices by constant indices
    #[command(alias = "Gather")]
    Gather {
        /// Along which axis
        #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
        axis: i64,
        /// The indices
        #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
        indices: Vec<i64>,
        /// Their shape, which takes the place of the axis; one dimension when it is not given
        #[arg(long, value_delimiter = ',', num_args = 0..)]
        indices_shape: Option<Vec<usize>>,
    },
    /// Slices, or elements, for which a condition holds
    #[command(alias = "Compress")]
    Compress {
        /// Along which axis; all elements when it is not given
        #[arg(long, allow_hyphen_values = true)]
        axis: Option<i64>,
        /// File of NumPy with the condition, one element for each slice; true is not 0
        #[arg(long, value_name = "FILE")]
        condition: PathBuf,
    },
    /// A constant around the tensor, or its own elements
    #[command(alias = "Pad")]
    Pad {
        /// Elements before each axis, then behind each
        #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
        pads: Vec<i64>,
        /// The axes; all when they are not given
        #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
        axes: Option<Vec<i64>>,
        /// What the new elements are; negative pads are cut off first
        #[arg(long, value_enum, default_value = "constant")]
        mode: PadMode,
        /// Bits of the constant, as a number; an int8 of -1 is 255 [default: 0]
        #[arg(long)]
        value: Option<u64>,
    },
    /// Patches of an image, as torch.nn.functional.unfold
    #[command(alias = "Im2col")]
    Im2col {
        /// Order of the dimensions
        #[arg(long, value_enum, default_value = "nchw")]
        layout: Order,
        /// Height and width of a patch
        #[arg(long, value_delimiter = ',', required = true)]
        kernel: Vec<usize>,
        /// Pixels between patches
        #[arg(long, value_delimiter = ',', default_value = "1,1")]
        strides: Vec<usize>,
        /// Pixels between the pixels of a patch
        #[arg(long, value_delimiter = ',', default_value = "1,1")]
        dilations: Vec<usize>,
        /// Rows and columns of zeros on each side
        #[arg(long, value_delimiter = ',', default_value = "0,0")]
        padding: Vec<usize>,
    },
    /// Blocks of pixels to channels
    #[command(alias = "SpaceToDepth")]
    SpaceToDepth {
        /// Height and width of a block
        #[arg(long)]
        blocksize: usize,
        /// Order of the channels
        #[arg(long, value_enum, default_value = "dcr")]
        mode: Mode,
    },
    /// Channels to blocks of pixels
    #[command(alias = "DepthToSpace")]
    DepthToSpace {
        /// Height and width of a block
        #[arg(long)]
        blocksize: usize,
        /// Order of the channels; crd is a pixel shuffle
        #[arg(long, value_enum, default_value = "dcr")]
        mode: Mode,
    },
    /// Windows of an image [N, H, W, C]
    WindowPartition {
        /// Height and width of a window
        #[arg(long)]
        window: usize,
    },
    /// Patches of an image [C, H, W]
    Patchify {
        /// Height and width of a patch
        #[arg(long)]
        patch: usize,
    },
    /// [tokens, heads * size] to [heads, tokens, size]
    SplitHeads {
        /// Number of heads
        #[arg(long)]
        heads: usize,
    },
    /// [heads, tokens, size] to [tokens, heads * size]
    MergeHeads,
    /// Keys [tokens, heads, size] to [pages, heads, size / pack, page, pack]
    PageKeys {
        /// Tokens in a page
        #[arg(long, default_value_t = 16)]
        page: usize,
        /// Elements that stay together
        #[arg(long, default_value_t = 8)]
        pack: usize,
    },
    /// Groups of eight elements in the order 0, 2, 4, 6, 1, 3, 5, 7
    InterleaveWeights,
}

/// What `--json` has. Cycles are missing without RTL. The copies are not in the other numbers.
#[derive(Debug, Serialize)]
struct Measured {
    config: String,
    cycles: Option<u64>,
    predicted_cycles: u64,
    bound_cycles: u64,
    bytes_in: u64,
    bytes_out: u64,
    bytes_per_cycle: Option<f64>,
    share_of_bound: Option<f64>,
    binds: &'static str,
    instructions: u64,
    host_instructions: u64,
    /// Of pieces of tensors that do not fit into L1M or L0M.
    copy_instructions: u64,
    /// For each engine, the share of the cycles in which it has to work.
    engines: std::collections::BTreeMap<&'static str, f64>,
    plan: Vec<String>,
}

/// `cosim op`.
///
/// # Errors
/// For files and attributes that cannot be used.
pub fn op(workshop: &Workshop, options: &OpOptions) -> Result<Ending> {
    ensure!(!options.inputs.is_empty(), "an input is missing: --in FILE");
    let target = workshop.with(&options.rtl)?.target(&options.config)?;
    let arrays: Vec<Array> =
        options.inputs.iter().map(|path| npy::read(path, options.packed_int4)).collect::<Result<_>>()?;
    let tensors: Vec<Tensor> = arrays.iter().map(|array| array.tensor.clone()).collect();
    let operator = options.operator.operator(&tensors[0], options.outputs.len())?;
    let mapping = operator.mapping(&tensors)?;
    let outputs = mapping.outputs.len();
    let enough = options.outputs.is_empty() || options.outputs.len() == outputs;
    ensure!(enough, "{} files for outputs (--out); the operator has {outputs}", options.outputs.len());
    let unit = target.for_plans();
    let plan = if options.host { Plan::by_host(&mapping, &unit)? } else { Plan::new(&mapping, &unit)? };
    let inputs = arrays.iter().map(|array| array.bytes.clone()).collect();
    let operation = Operation::new(&target, mapping, plan, inputs)?;
    if let Some(path) = &options.program {
        output::save(path, operation.source.as_bytes())?;
    }
    if let Some(path) = &options.c {
        output::save(path, emit::c::program(&operation.plan, &unit).as_bytes())?;
    }
    let ran = if options.model {
        operation.on_model(&target, options.limit)?
    } else {
        make_all(std::slice::from_ref(&target), ModelKind::Fast)?;
        match operation.in_lockstep(&target, &setup(options.stall_seed), options.limit)? {
            Ok(ran) => ran,
            Err(failure) => {
                output::text(&report::text(&target, &failure))?;
                return Ok(Ending::Different);
            }
        }
    };
    for ((path, tensor), bytes) in options.outputs.iter().zip(&operation.mapping.outputs).zip(&ran.outputs) {
        npy::write(path, tensor, &arrays[0].dtype, bytes)?;
    }
    let measured = measured(&target, &operation, &ran);
    match &options.json {
        Some(path) => output::save_json(path, &measured)?,
        None => tell(&measured)?,
    }
    Ok(Ending::Clean)
}

/// No stalls, or light ones of this seed.
pub(super) fn setup(stall_seed: Option<u64>) -> Setup {
    let class = if stall_seed.is_some() { Class::Light } else { Class::None };
    let stalls = Stalls { issue: class, result: class, l1m: [class; 2], l0m: [class; 2] };
    Setup { seed: stall_seed.unwrap_or(1), stalls, ..Setup::default() }
}

fn measured(target: &Target, operation: &Operation, ran: &Ran) -> Measured {
    let [bytes_in, bytes_out] = operation.bytes();
    let bound = operation.bound(target);
    let all = ran.cycles.unwrap_or_else(|| ran.engines.values().copied().max().unwrap_or(1)).max(1);
    Measured {
        config: target.name().to_owned(),
        cycles: ran.cycles,
        predicted_cycles: operation.plan.cycles(),
        bound_cycles: bound,
        bytes_in,
        bytes_out,
        bytes_per_cycle: ran.cycles.map(|cycles| bytes_out as f64 / cycles as f64),
        share_of_bound: ran.cycles.map(|cycles| bound as f64 / cycles as f64),
        binds: ran.binds(),
        instructions: ran.instructions,
        host_instructions: ran.host,
        copy_instructions: ran.copies,
        engines: ran.engines.iter().map(|(name, cycles)| (*name, *cycles as f64 / all as f64)).collect(),
        plan: operation.plan.steps.iter().map(Step::describe).collect(),
    }
}

fn tell(measured: &Measured) -> Result<()> {
    for step in &measured.plan {
        say!("  {step}")?;
    }
    let Measured { config, bytes_in, bytes_out, instructions, host_instructions, bound_cycles, binds, .. } = measured;
    say!(
        "{config}: {bytes_in} bytes in, {bytes_out} out; {instructions} instructions, {host_instructions} of the host"
    )?;
    if measured.copy_instructions > 0 {
        let copies = measured.copy_instructions;
        say!("larger than L1M or L0M: {copies} further instructions of the host copy pieces, one in a cycle")?;
    }
    if let (Some(cycles), Some(rate), Some(share)) =
        (measured.cycles, measured.bytes_per_cycle, measured.share_of_bound)
    {
        let predicted = measured.predicted_cycles;
        say!(
            "{cycles} cycles ({predicted} predicted), {rate:.2} bytes per cycle, {share:.2} of the bound of {bound_cycles}; {binds} binds"
        )?;
    }
    Ok(())
}

fn pair(name: &str, values: &[usize]) -> Result<[usize; 2]> {
    match values {
        [both] => Ok([*both, *both]),
        [height, width] => Ok([*height, *width]),
        _ => bail!("--{name} has {} values; allowed are one or two", values.len()),
    }
}

impl Named {
    /// The operator for an input of this shape, and that many outputs.
    fn operator(&self, x: &Tensor, outputs: usize) -> Result<Operator> {
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
            Named::Compress { axis, condition } => {
                let Array { tensor, bytes, .. } = npy::read(condition, false)?;
                let size = tensor.bits as usize / 8;
                let condition = bytes.chunks(size).map(|element| element.iter().any(|&byte| byte != 0)).collect();
                Operator::Compress { axis: *axis, condition }
            }
            Named::Pad { pads, axes, mode, value } => {
                let padding = match mode {
                    PadMode::Constant => Padding::Constant(value.unwrap_or(0)),
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
