// SPDX-License-Identifier: Apache-2.0
//! Whole networks: the layout changes around a matrix array, and the multiply-accumulates of the array.
//!
//! Shapes are those of the papers. `docs/networks.md` says what is assumed of the system.

use kernels::mapping::Mapping;
use kernels::operator::{Layout, Operator, OperatorError};
use kernels::tensor::Tensor;

use super::workloads::{Workload, composed, im2col, keys, transpose};

/// A network, run once.
#[derive(Debug)]
pub struct Network {
    pub name: &'static str,
    /// Multiply-accumulates of all layers that the array executes.
    pub macs: u64,
    pub changes: Vec<Change>,
}

/// A layout change, and how often a run of the network needs it.
#[derive(Debug)]
pub struct Change {
    pub workload: Workload,
    pub times: u64,
}

/// All networks, in the order of the document.
///
/// # Errors
/// None, but for a bug in the list.
pub fn all() -> Result<Vec<Network>, OperatorError> {
    Ok(vec![mobilenet()?, resnet()?, vit()?, yolo()?, decoder()?])
}

impl Network {
    fn new(name: &'static str) -> Self {
        Self { name, macs: 0, changes: Vec::new() }
    }

    fn change(&mut self, name: &'static str, times: u64, mapping: Mapping) {
        self.changes.push(Change { workload: Workload::new(name, "", mapping), times });
    }

    /// The picture in front of the first layer, which arrives as planes: 3 x `size` x `size`.
    fn picture(&mut self, size: usize) -> Result<(), OperatorError> {
        self.change("picture to NHWC", 1, transpose(&[1, 2, 0], &[3, size, size], 8)?);
        Ok(())
    }

    /// `times` convolutions of `input` channels of `size` x `size` pixels with `kernel` x `kernel` weights for each of
    /// `output` channels.
    fn convolution(
        &mut self,
        times: u64,
        [input, size, output]: [usize; 3],
        [kernel, stride]: [usize; 2],
    ) -> Result<(), OperatorError> {
        self.layer(times, [input, size], [kernel, stride])?;
        self.macs += times * product(&[size.div_ceil(stride), size.div_ceil(stride), input, output, kernel, kernel]);
        Ok(())
    }

    /// A convolution with 3 x 3 weights for each channel alone.
    fn depthwise(&mut self, times: u64, [channels, size]: [usize; 2], stride: usize) -> Result<(), OperatorError> {
        self.layer(times, [channels, size], [3, stride])?;
        self.macs += times * product(&[size.div_ceil(stride), size.div_ceil(stride), channels, 9]);
        Ok(())
    }

    /// The layout change in front of a convolution: none, every second pixel, or patches.
    fn layer(
        &mut self,
        times: u64,
        [channels, size]: [usize; 2],
        [kernel, stride]: [usize; 2],
    ) -> Result<(), OperatorError> {
        let shape = [1, size, size, channels];
        if kernel > 1 {
            let name = match (kernel, stride) {
                (3, 1) => "im2col 3x3",
                (3, _) => "im2col 3x3, stride 2",
                _ => "im2col 7x7, stride 2",
            };
            self.change(name, times, im2col(Layout::Nhwc, &shape, [kernel, stride, kernel / 2])?);
        } else if stride > 1 {
            let (end, step) = (size as i64, stride as i64);
            let slice = Operator::Slice {
                starts: vec![0; 2],
                ends: vec![end; 2],
                axes: Some(vec![1, 2]),
                steps: Some(vec![step; 2]),
            };
            self.change("every second pixel", times, slice.mapping(&[Tensor::new(&shape, 8)])?);
        }
        Ok(())
    }

    /// A product of a matrix of `rows` x `inner` and one of `inner` x `columns`, without a layout change.
    fn product(&mut self, times: u64, [rows, inner, columns]: [usize; 3]) {
        self.macs += times * product(&[rows, inner, columns]);
    }
}

fn product(sizes: &[usize]) -> u64 {
    sizes.iter().map(|&size| size as u64).product()
}

/// MobileNetV2 (Sandler and others, CVPR 2018), table 2.
fn mobilenet() -> Result<Network, OperatorError> {
    let mut net = Network::new("MobileNetV2");
    net.picture(224)?;
    net.convolution(1, [3, 224, 32], [3, 2])?;
    // t, c, n, s of the table.
    let rows =
        [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)];
    let (mut input, mut size) = (32, 112);
    for (expansion, output, number, stride) in rows {
        for stride in std::iter::once(stride).chain(std::iter::repeat_n(1, number - 1)) {
            let wide = input * expansion;
            if expansion > 1 {
                net.convolution(1, [input, size, wide], [1, 1])?;
            }
            net.depthwise(1, [wide, size], stride)?;
            size = size.div_ceil(stride);
            net.convolution(1, [wide, size, output], [1, 1])?;
            input = output;
        }
    }
    net.convolution(1, [320, 7, 1280], [1, 1])?;
    net.product(1, [1, 1280, 1000]);
    net.join();
    Ok(net)
}

/// ResNet-50 (He and others, CVPR 2016), table 1: the first 1x1 convolution of a stage has the stride.
fn resnet() -> Result<Network, OperatorError> {
    let mut net = Network::new("ResNet-50");
    net.picture(224)?;
    net.convolution(1, [3, 224, 64], [7, 2])?;
    let (mut input, mut size) = (64, 56);
    for (width, blocks, stride) in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)] {
        // The first convolution and the shortcut read the same pixels.
        net.layer(1, [input, size], [1, stride])?;
        size /= stride;
        net.convolution(1, [input, size, width], [1, 1])?;
        net.convolution(1, [input, size, 4 * width], [1, 1])?;
        input = 4 * width;
        net.convolution(blocks - 1, [input, size, width], [1, 1])?;
        net.convolution(blocks, [width, size, width], [3, 1])?;
        net.convolution(blocks, [width, size, input], [1, 1])?;
    }
    net.product(1, [1, 2048, 1000]);
    Ok(net)
}

/// ViT-B/16 (Dosovitskiy and others, ICLR 2021), table 1, for pictures of 224 x 224: 196 patches and a token.
fn vit() -> Result<Network, OperatorError> {
    let (layers, tokens, width, heads, inner) = (12, 197, 768, 12, 3072);
    let mut net = Network::new("ViT-B/16");
    net.change("patchify", 1, composed(&[3, 224, 224], 16, |x| Operator::patchify(x, 16))?);
    net.product(1, [196, width, width]);
    let split = composed(&[tokens, width], 16, |x| Operator::split_heads(x, heads))?;
    net.change("queries and values to heads", 2 * layers, split);
    net.change("keys to heads, transposed", layers, keys(tokens, tokens));
    let merged = composed(&[heads, tokens, width / heads], 16, Operator::merge_heads)?;
    net.change("heads to rows", layers, merged);
    net.attention(layers, [tokens, tokens, width]);
    net.product(layers, [tokens, width, 4 * width]);
    net.product(2 * layers, [tokens, width, inner]);
    net.product(1, [1, width, 1000]);
    Ok(net)
}

/// YOLOv2 (Redmon and Farhadi, CVPR 2017): Darknet-19 of table 6 on 416 x 416 pixels, with the layers of detection.
fn yolo() -> Result<Network, OperatorError> {
    let mut net = Network::new("YOLOv2");
    net.picture(416)?;
    net.convolution(1, [3, 416, 32], [3, 1])?;
    net.convolution(1, [32, 208, 64], [3, 1])?;
    // Convolutions of 3x3 and 1x1 in turn.
    for (output, size, pairs) in [(128, 104, 1), (256, 52, 1), (512, 26, 2), (1024, 13, 2)] {
        net.convolution(1 + pairs, [output / 2, size, output], [3, 1])?;
        net.convolution(pairs, [output, size, output / 2], [1, 1])?;
    }
    net.convolution(2, [1024, 13, 1024], [3, 1])?;
    let view = vec![13, 2, 13, 2, 512];
    let blocks = Operator::Rearrange { view, perm: vec![0, 2, 1, 3, 4], shape: vec![169, 2048] };
    net.change("space to depth", 1, blocks.mapping(&[Tensor::new(&[26, 26, 512], 8)])?);
    let both = [2048, 1024].map(|channels| Tensor::new(&[169, channels], 8));
    net.change("concat of channels", 1, Operator::Concat { axis: 1 }.mapping(&both)?);
    net.convolution(1, [3072, 13, 1024], [3, 1])?;
    net.convolution(1, [1024, 13, 125], [1, 1])?;
    Ok(net)
}

/// Llama 3 8B (Grattafiori and others, 2024), table 3: a prompt of 512 tokens, with keys and values in pages of 16
/// tokens (Kwon and others, SOSP 2023).
fn decoder() -> Result<Network, OperatorError> {
    let (layers, tokens, width, heads, shared, inner) = (32, 512, 4096, 32, 8, 14336);
    let (page, size) = (16, width / heads);
    let mut net = Network::new("Llama 3 8B, 512 tokens");
    let rearranged = |view: &[usize], perm: &[usize]| {
        let elements = view.iter().product();
        let operator = Operator::Rearrange { view: view.to_vec(), perm: perm.to_vec(), shape: vec![elements] };
        operator.mapping(&[Tensor::new(&[elements], 16)])
    };
    net.change("queries to heads", layers, composed(&[tokens, width], 16, |x| Operator::split_heads(x, heads))?);
    let paged = composed(&[tokens, shared, size], 16, |x| Operator::page_keys(x, page, 8))?;
    net.change("keys to pages", layers, paged);
    let values = rearranged(&[tokens / page, page, shared, size], &[0, 2, 1, 3])?;
    net.change("values to pages", layers, values);
    let pages = rearranged(&[tokens / page, shared, size / 8, page, 8], &[1, 2, 4, 0, 3])?;
    net.change("pages of keys, transposed", layers, pages);
    net.change("pages of values to heads", layers, rearranged(&[tokens / page, shared, page * size], &[1, 0, 2])?);
    net.change("heads to rows", layers, composed(&[heads, tokens, size], 16, Operator::merge_heads)?);
    net.attention(layers, [tokens, tokens, width]);
    net.product(2 * layers, [tokens, width, width]);
    net.product(2 * layers, [tokens, width, shared * size]);
    net.product(3 * layers, [tokens, width, inner]);
    net.product(1, [1, width, 128_256]);
    Ok(net)
}

impl Network {
    /// Scores of all tokens, and the sums of values.
    fn attention(&mut self, layers: u64, sizes: [usize; 3]) {
        self.product(2 * layers, sizes);
    }

    /// Makes one of layers with the same shapes.
    fn join(&mut self) {
        let mut joined: Vec<Change> = Vec::new();
        for change in self.changes.drain(..) {
            match joined.iter_mut().find(|other| other.workload.mapping == change.workload.mapping) {
                Some(other) => other.times += change.times,
                None => joined.push(change),
            }
        }
        self.changes = joined;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.3 G for MobileNetV2 and 3.8 G for ResNet-50 are in the papers. 17.6 G for ViT-B/16 and 14.7 G for YOLOv2 are
    /// known figures; the published weights of YOLOv2 have 1,280 channels in front of the last layer of 3 x 3, the paper
    /// 3,072. Of Llama 3 8B each token takes its 7.0 G weights of the layers, and a share of the scores.
    #[test]
    fn networks_have_the_work_that_their_papers_say() {
        let more = f64::from(13 * 13 * 9 * (3072 - 1280)) * 1024.0 / 1e9;
        let expected = [0.3, 3.8, 17.6, 14.7 + more, 512.0 * (7.0 + 32.0 * 2.0 * 512.0 * 4096.0 / 1e9)];
        let networks = all().expect("a list without errors");
        assert_eq!(networks.len(), expected.len());
        for (network, expected) in networks.iter().zip(expected) {
            let billions = network.macs as f64 / 1e9;
            assert!((billions / expected - 1.0).abs() < 0.03, "{}: {billions} G, not {expected}", network.name);
        }
    }
}
