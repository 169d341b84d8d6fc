// SPDX-License-Identifier: Apache-2.0
//! Reorganisations of real networks, as operators with their shapes.

use kernels::mapping::{Dim, Mapping, Move, Source};
use kernels::operator::{Layout, Operator, OperatorError, Padding};
use kernels::tensor::Tensor;

/// An operator on tensors of known shape, and how it is measured.
#[derive(Debug)]
pub struct Workload {
    /// The network, or the layer.
    pub name: &'static str,
    /// Shape of the first input, and width of its elements.
    pub shape: String,
    pub mapping: Mapping,
    /// Bytes of L1M, and of L0M, if that is less than it needs.
    pub memory: Option<u32>,
    /// Cycles after which the memories answer.
    pub latency: u32,
    /// Requests in flight on a memory port, if not those of the configuration.
    pub outstanding: Option<u32>,
    /// What a DMA with a transposer reaches of 16 bytes per cycle, measured elsewhere.
    pub dma: &'static str,
}

impl Workload {
    pub fn new(name: &'static str, dma: &'static str, mapping: Mapping) -> Self {
        let x = &mapping.inputs[0];
        let sizes: Vec<String> = x.shape.iter().map(usize::to_string).collect();
        let number = if mapping.inputs.len() > 1 { format!("{} x ", mapping.inputs.len()) } else { String::new() };
        let shape = format!("{number}{}, {} bits", sizes.join("x"), x.bits);
        Self { name, shape, mapping, memory: None, latency: 1, outstanding: None, dma }
    }

    /// The same with this number of elements in front of the input, and in front of the output.
    fn displaced(mut self, from: usize, to: usize) -> Self {
        let behind = |tensor: &mut Tensor, elements: usize| {
            *tensor = Tensor::new(&[tensor.elements() + elements], tensor.bits);
        };
        behind(&mut self.mapping.inputs[0], from);
        behind(&mut self.mapping.outputs[0], to);
        for step in &mut self.mapping.moves {
            if let Source::Input { offset, .. } = &mut step.source {
                *offset += from as isize;
            }
            step.offset += to as isize;
        }
        self
    }
}

pub(super) fn transpose(perm: &[usize], shape: &[usize], bits: u32) -> Result<Mapping, OperatorError> {
    Operator::Transpose { perm: Some(perm.to_vec()) }.mapping(&[Tensor::new(shape, bits)])
}

pub(super) fn im2col(
    layout: Layout,
    shape: &[usize],
    [kernel, stride, padding]: [usize; 3],
) -> Result<Mapping, OperatorError> {
    let operator = Operator::Im2col {
        layout,
        kernel: [kernel; 2],
        strides: [stride; 2],
        dilations: [1; 2],
        padding: [padding; 2],
    };
    operator.mapping(&[Tensor::new(shape, 8)])
}

pub(super) fn composed(
    shape: &[usize],
    bits: u32,
    operator: impl Fn(&Tensor) -> Result<Operator, OperatorError>,
) -> Result<Mapping, OperatorError> {
    let x = Tensor::new(shape, bits);
    operator(&x)?.mapping(&[x])
}

/// Keys of 64 dimensions for 12 heads, transposed to rows of `row` elements.
pub(super) fn keys(tokens: usize, row: usize) -> Mapping {
    let dim = |size, from, to| Dim { size, from, to };
    let row_stride = row as isize;
    let dims = vec![dim(12, 64, 64 * row_stride), dim(64, 1, row_stride), dim(tokens, 768, 1)];
    Mapping {
        inputs: vec![Tensor::new(&[tokens, 12, 64], 16)],
        outputs: vec![Tensor::new(&[12, 64, row], 16)],
        moves: vec![Move::copy(0, 0, 0, 0, dims)],
        gapped: Vec::new(),
    }
}

/// A matrix of `tiles` x `tiles` tiles of 16 x 16 elements of 8 bits: a fixed half of the tiles, one behind the other.
fn sparse_tiles(tiles: usize) -> Mapping {
    let kept: Vec<usize> = (0..tiles * tiles).filter(|tile| HALF >> (tile % 64) & 1 == 1).collect();
    let row = 16 * tiles;
    let dims = vec![Dim { size: 16, from: row as isize, to: 16 }, Dim { size: 16, from: 1, to: 1 }];
    let copy = |(n, tile): (usize, &usize)| {
        let from = tile / tiles * 16 * row + tile % tiles * 16;
        Move::copy(0, from as isize, 0, 256 * n as isize, dims.clone())
    };
    Mapping {
        inputs: vec![Tensor::new(&[row, row], 8)],
        outputs: vec![Tensor::new(&[kept.len(), 16, 16], 8)],
        moves: kept.iter().enumerate().map(copy).collect(),
        gapped: Vec::new(),
    }
}

/// A window of 100 x 100 pixels of 4 bytes, written into an image from line 3 and column 5 on; the rest stays.
fn update(size: usize) -> Mapping {
    let dim = |size, from, to| Dim { size, from, to };
    let line = 4 * size as isize;
    Mapping {
        inputs: vec![Tensor::new(&[100, 100, 4], 8)],
        outputs: vec![Tensor::new(&[size, size, 4], 8)],
        moves: vec![Move::copy(0, 0, 0, 3 * line + 20, vec![dim(100, 400, line), dim(400, 1, 1)])],
        gapped: Vec::new(),
    }
}

/// Which channels a pruned network keeps, and which tiles: a fixed half of them.
const HALF: u64 = 0x9a3c_5f06_63a5_c1d2;

/// All of them, or the same operators on smaller tensors: those of a regression.
///
/// # Errors
/// None, but for a bug in the list.
pub fn all(reduced: bool) -> Result<Vec<Workload>, OperatorError> {
    let condition: Vec<bool> = (0..64).map(|i| HALF >> i & 1 == 1).collect();
    let part = |size: usize, part: usize| if reduced { size / part } else { size };
    let square = |channels, size, of: usize| vec![Tensor::new(&[1, channels, part(size, of), part(size, of)], 8)];
    let (split, merged) =
        (Operator::SpaceToDepth { blocksize: 2, crd: false }, Operator::DepthToSpace { blocksize: 2, crd: true });
    let image = || transpose(&[1, 2, 0], &[part(256, 8), part(56, 4), part(56, 4)], 8);
    let concat = vec![Tensor::new(&[part(64, 16), part(256, 4), part(256, 4)], 8); 2];
    let bytes = part(65_536, 16);
    let every_second = Operator::Slice { starts: vec![0], ends: vec![bytes as i64], axes: None, steps: Some(vec![2]) };
    // A zero point of 7, as an image of unsigned elements has it.
    let pads = vec![0, 3, 3, 0, 3, 3];
    let padded = Operator::Pad { pads, axes: None, padding: Padding::Constant(7) };
    let brighter = Operator::AddConstant { value: 20 };
    let pruned = Operator::Compress { axis: Some(2), condition };
    let row = Workload::new;
    Ok(vec![
        row("ResNet-50 NCHW to NHWC", "1.00", image()?),
        row("ResNet-50 NCHW to NHWC", "0.54", transpose(&[1, 2, 0], &[part(1024, 16), 14, 14], 8)?),
        row("ResNet-50 NHWC to NCHW", "wrong data", transpose(&[1, 0], &[196, part(1024, 16)], 8)?),
        row("MobileNetV2 NCHW to NHWC", "1.00", transpose(&[1, 2, 0], &[96, part(112, 8), part(112, 8)], 8)?),
        row("source at + 3", "0.50", image()?).displaced(3, 0),
        row("destination at + 5", "wrong data", image()?).displaced(0, 5),
        Workload { latency: 32, ..row("answers after 32 cycles", "0.40", image()?) },
        Workload { latency: 32, outstanding: Some(64), ..row("the same, 64 outstanding", "0.60", image()?) },
        row("im2col 3x3, padding 1", "0.62, no zeros", im2col(Layout::Nchw, &[1, part(256, 16), 14, 14], [3, 1, 1])?),
        row("im2col 7x7, stride 2", "", im2col(Layout::Nchw, &[1, 3, part(230, 8), part(230, 8)], [7, 2, 0])?),
        row("YOLO focus, space to depth", "", split.mapping(&square(3, 640, 10))?),
        row("pixel shuffle x2", "", merged.mapping(&square(part(256, 8), 48, 4))?),
        row("ViT-B/16 patchify", "", composed(&[3, part(224, 7), part(224, 7)], 8, |x| Operator::patchify(x, 16))?),
        row(
            "ViT-B/16 split heads",
            "1.00",
            composed(&[part(197, 4), part(768, 4)], 16, |x| Operator::split_heads(x, 12))?,
        ),
        row("ViT-B/16 K transposed", "wrong data", keys(part(197, 4), part(197, 4))),
        row("the same, rows of 400 bytes", "0.98", keys(part(197, 4), part(200, 4))),
        row("Llama K transposed, one head", "1.00", transpose(&[1, 0], &[part(2048, 32), 128], 16)?),
        row(
            "paged key cache, 16 tokens",
            "",
            composed(&[part(256, 16), 8, 128], 16, |x| Operator::page_keys(x, 16, 8))?,
        ),
        row("int4 weights 0,2,4,6,1,3,5,7", "", composed(&[part(4096, 64), 512], 4, Operator::interleave_weights)?),
        row(
            "Swin windows of 7",
            "0.99",
            composed(&[1, part(56, 2), part(56, 2), part(96, 4)], 8, |x| Operator::window_partition(x, 7))?,
        ),
        Workload {
            memory: Some(1 << 20),
            ..row("U-Net concat, 1 MiB of each memory", "", Operator::Concat { axis: 0 }.mapping(&concat)?)
        },
        row("compress, half of the channels", "", pruned.mapping(&[Tensor::new(&[part(56, 4), part(56, 4), 64], 8)])?),
        row("every second byte", "0.06", every_second.mapping(&[Tensor::new(&[bytes], 8)])?),
        row("float32 NCHW to NHWC", "", transpose(&[1, 2, 0], &[part(64, 4), part(56, 4), part(56, 4)], 32)?),
        row("edge of 3 pixels, value 7", "", padded.mapping(&[Tensor::new(&[3, part(224, 7), part(224, 7)], 8)])?),
        row("brightness, 20 more", "no sums", brighter.mapping(&[Tensor::new(&[3, part(224, 7), part(224, 7)], 8)])?),
        row("half of the tiles of 16x16", "", sparse_tiles(part(32, 4))),
        row("update of a window of 100x100", "", update(part(256, 2))),
    ])
}
