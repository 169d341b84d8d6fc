// SPDX-License-Identifier: Apache-2.0
//! Reorganisations of real networks, as operators with their shapes.

use kernels::operator::{Layout, Operator, OperatorError};
use kernels::tensor::Tensor;

/// An operator with its inputs.
#[derive(Debug)]
pub struct Workload {
    /// The network, or the layer.
    pub name: &'static str,
    /// Shape of the first input, and width of its elements.
    pub shape: String,
    /// What is done.
    pub operator: Operator,
    /// What goes in.
    pub inputs: Vec<Tensor>,
    /// Bytes of L1M, and of L0M, if that is less than it needs.
    pub memory: Option<u32>,
}

fn row(name: &'static str, operator: Operator, inputs: Vec<Tensor>) -> Workload {
    let x = &inputs[0];
    let sizes: Vec<String> = x.shape.iter().map(usize::to_string).collect();
    let number = if inputs.len() > 1 { format!("{} x ", inputs.len()) } else { String::new() };
    Workload { name, shape: format!("{number}{}, {} bits", sizes.join("x"), x.bits), operator, inputs, memory: None }
}

fn transpose(name: &'static str, perm: &[usize], shape: &[usize], bits: u32) -> Workload {
    row(name, Operator::Transpose { perm: Some(perm.to_vec()) }, vec![Tensor::new(shape, bits)])
}

fn im2col(name: &'static str, shape: &[usize], kernel: usize, stride: usize, padding: usize) -> Workload {
    let operator = Operator::Im2col {
        layout: Layout::Nchw,
        kernel: [kernel; 2],
        strides: [stride; 2],
        dilations: [1; 2],
        padding: [padding; 2],
    };
    row(name, operator, vec![Tensor::new(shape, 8)])
}

fn of(
    name: &'static str,
    shape: &[usize],
    bits: u32,
    operator: impl Fn(&Tensor) -> Result<Operator, OperatorError>,
) -> Result<Workload, OperatorError> {
    let x = Tensor::new(shape, bits);
    Ok(row(name, operator(&x)?, vec![x]))
}

/// All of them, or the same operators on smaller tensors: those of a regression.
///
/// # Errors
/// None, but for a bug in the list.
pub fn all(reduced: bool) -> Result<Vec<Workload>, OperatorError> {
    // Which channels a pruned network keeps: a fixed half of them.
    let condition: Vec<bool> = (0..64).map(|i| 0x9a3c_5f06_63a5_c1d2_u64 >> i & 1 == 1).collect();
    let part = |size: usize, part: usize| if reduced { size / part } else { size };
    let concat = row(
        "U-Net concat, 1 MiB of each memory",
        Operator::Concat { axis: 0 },
        vec![Tensor::new(&[part(64, 16), part(256, 4), part(256, 4)], 8); 2],
    );
    Ok(vec![
        transpose("ResNet-50 NCHW to NHWC", &[1, 2, 0], &[part(256, 8), part(56, 4), part(56, 4)], 8),
        transpose("ResNet-50 NCHW to NHWC", &[1, 2, 0], &[part(1024, 16), 14, 14], 8),
        transpose("MobileNetV2 NCHW to NHWC", &[1, 2, 0], &[96, part(112, 8), part(112, 8)], 8),
        im2col("im2col 3x3, padding 1", &[1, part(256, 16), 14, 14], 3, 1, 1),
        im2col("im2col 7x7, stride 2", &[1, 3, part(230, 8), part(230, 8)], 7, 2, 0),
        row(
            "YOLO focus, space to depth",
            Operator::SpaceToDepth { blocksize: 2, crd: false },
            vec![Tensor::new(&[1, 3, part(640, 10), part(640, 10)], 8)],
        ),
        row(
            "pixel shuffle x2",
            Operator::DepthToSpace { blocksize: 2, crd: true },
            vec![Tensor::new(&[1, part(256, 8), part(48, 4), part(48, 4)], 8)],
        ),
        of("ViT-B/16 patchify", &[3, part(224, 7), part(224, 7)], 8, |x| Operator::patchify(x, 16))?,
        of("ViT-B/16 split heads", &[part(197, 4), part(768, 4)], 16, |x| Operator::split_heads(x, 12))?,
        transpose("ViT-B/16 K transposed", &[1, 2, 0], &[part(197, 4), 12, part(64, 4)], 16),
        transpose("Llama K transposed, one head", &[1, 0], &[part(2048, 32), 128], 16),
        of("paged key cache, 16 tokens", &[part(256, 16), 8, 128], 16, |x| Operator::page_keys(x, 16, 8))?,
        of("int4 weights 0,2,4,6,1,3,5,7", &[part(4096, 64), 512], 4, Operator::interleave_weights)?,
        of("Swin windows of 7", &[1, part(56, 2), part(56, 2), part(96, 4)], 8, |x| Operator::window_partition(x, 7))?,
        Workload { memory: Some(1 << 20), ..concat },
        row(
            "compress, half of the channels",
            Operator::Compress { axis: Some(2), condition },
            vec![Tensor::new(&[part(56, 4), part(56, 4), 64], 8)],
        ),
    ])
}
