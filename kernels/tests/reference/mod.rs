// SPDX-License-Identifier: Apache-2.0
//! The operators once more, element by element from their definitions, without strides or moves.

use kernels::mapping::element;
use kernels::operator::{Layout, Operator, Padding, Parts};
use kernels::tensor::Tensor;

/// A tensor with its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub shape: Vec<usize>,
    pub elements: Vec<u64>,
}

impl Array {
    pub fn read(tensor: &Tensor, bytes: &[u8]) -> Array {
        let elements = (0..tensor.elements()).map(|n| element(bytes, tensor.bits, n)).collect();
        Array { shape: tensor.shape.clone(), elements }
    }

    fn at(&self, index: &[usize]) -> u64 {
        let place = index.iter().zip(&self.shape).fold(0, |place, (i, size)| {
            assert!(i < size);
            place * size + i
        });
        self.elements[place]
    }

    /// The array of a function of the index.
    fn of(shape: &[usize], mut f: impl FnMut(&[usize]) -> u64) -> Array {
        let mut elements = Vec::new();
        let mut index = vec![0; shape.len()];
        if !shape.contains(&0) {
            loop {
                elements.push(f(&index));
                let Some(last) = (0..shape.len()).rev().find(|&d| index[d] + 1 < shape[d]) else { break };
                index[last] += 1;
                index[last + 1..].fill(0);
            }
        }
        Array { shape: shape.to_vec(), elements }
    }

    fn reshaped(&self, shape: &[usize]) -> Array {
        Array { shape: shape.to_vec(), elements: self.elements.clone() }
    }

    fn transposed(&self, perm: &[usize]) -> Array {
        let shape: Vec<usize> = perm.iter().map(|&p| self.shape[p]).collect();
        Array::of(&shape, |index| {
            let mut from = vec![0; perm.len()];
            perm.iter().enumerate().for_each(|(i, &p)| from[p] = index[i]);
            self.at(&from)
        })
    }

    /// The parts of an axis with these indices.
    fn taken(&self, axis: usize, indices: &[usize]) -> Array {
        let mut shape = self.shape.clone();
        shape[axis] = indices.len();
        Array::of(&shape, |index| {
            let mut from = index.to_vec();
            from[axis] = indices[index[axis]];
            self.at(&from)
        })
    }
}

fn axis_of(axis: i64, rank: usize) -> usize {
    axis.rem_euclid(rank as i64) as usize
}

/// What ONNX says that comes out, of elements of `bits` bits. The attributes are legal.
pub fn outputs(operator: &Operator, bits: u32, inputs: &[Array]) -> Vec<Array> {
    let x = &inputs[0];
    let rank = x.shape.len();
    vec![match operator {
        Operator::Transpose { perm } => x.transposed(&perm.clone().unwrap_or_else(|| (0..rank).rev().collect())),
        Operator::Reshape { shape } => {
            let kept = |(i, &size): (usize, &i64)| if size == 0 { x.shape[i] as i64 } else { size };
            let sizes: Vec<i64> = shape.iter().enumerate().map(kept).collect();
            let known: i64 = sizes.iter().filter(|&&size| size >= 0).product();
            let sizes: Vec<usize> = sizes
                .iter()
                .map(|&size| if size < 0 { x.elements.len() / known as usize } else { size as usize })
                .collect();
            x.reshaped(&sizes)
        }
        Operator::Flatten { axis } => {
            let axis = if *axis < 0 { axis + rank as i64 } else { *axis } as usize;
            x.reshaped(&[x.shape[..axis].iter().product(), x.shape[axis..].iter().product()])
        }
        Operator::Squeeze { axes } => {
            let gone = |i: usize| match axes {
                None => x.shape[i] == 1,
                Some(axes) => axes.iter().any(|&axis| axis_of(axis, rank) == i),
            };
            let shape: Vec<usize> = (0..rank).filter(|&i| !gone(i)).map(|i| x.shape[i]).collect();
            x.reshaped(&shape)
        }
        Operator::Concat { axis } => {
            let axis = axis_of(*axis, rank);
            let mut shape = x.shape.clone();
            shape[axis] = inputs.iter().map(|x| x.shape[axis]).sum();
            Array::of(&shape, |index| {
                let mut index = index.to_vec();
                for x in inputs {
                    if index[axis] < x.shape[axis] {
                        return x.at(&index);
                    }
                    index[axis] -= x.shape[axis];
                }
                unreachable!("index beyond all inputs")
            })
        }
        Operator::Split { axis, sizes } => {
            let axis = axis_of(*axis, rank);
            let sizes = match sizes {
                Parts::Sizes(sizes) => sizes.clone(),
                Parts::Number(number) => {
                    let part = x.shape[axis].div_ceil(*number);
                    (0..*number).map(|i| part.min(x.shape[axis].saturating_sub(i * part))).collect()
                }
            };
            let mut at = 0;
            return sizes
                .iter()
                .map(|&size| {
                    at += size;
                    x.taken(axis, &(at - size..at).collect::<Vec<_>>())
                })
                .collect();
        }
        Operator::Slice { starts, ends, axes, steps } => {
            let mut x = x.clone();
            for i in 0..starts.len() {
                let axis = axis_of(axes.as_ref().map_or(i as i64, |axes| axes[i]), rank);
                let (size, step) = (x.shape[axis] as i64, steps.as_ref().map_or(1, |steps| steps[i]));
                let [start, end] = [starts[i], ends[i]].map(|v| if v < 0 { v.saturating_add(size) } else { v });
                // Walk from the clamped start while inside and before the end. Of a start far below 0 Python makes an
                // empty slice when the step is negative; ONNX clamps it to 0.
                let mut indices = Vec::new();
                let mut at = if step > 0 { start.max(0) } else { start.clamp(0, (size - 1).max(0)) };
                while (0..size).contains(&at) && if step > 0 { at < end } else { at > end } {
                    indices.push(at as usize);
                    at += step;
                }
                x = x.taken(axis, &indices);
            }
            x
        }
        Operator::Gather { axis, indices, shape } => {
            let axis = axis_of(*axis, rank);
            let positive: Vec<usize> = indices.iter().map(|&i| i.rem_euclid(x.shape[axis] as i64) as usize).collect();
            let mut out = x.shape.clone();
            out.splice(axis..=axis, shape.iter().copied());
            x.taken(axis, &positive).reshaped(&out)
        }
        Operator::Compress { axis, condition } => {
            let held: Vec<usize> = (0..condition.len()).filter(|&i| condition[i]).collect();
            match axis {
                None => x.reshaped(&[x.elements.len()]).taken(0, &held),
                Some(axis) => x.taken(axis_of(*axis, rank), &held),
            }
        }
        Operator::Pad { pads, axes, padding } => {
            let all: Vec<i64> = (0..rank as i64).collect();
            let axes = axes.as_ref().unwrap_or(&all);
            let (mut before, mut behind) = (vec![0; rank], vec![0; rank]);
            for (i, &axis) in axes.iter().enumerate() {
                before[axis_of(axis, rank)] = pads[i];
                behind[axis_of(axis, rank)] = pads[i + axes.len()];
            }
            let shape: Vec<usize> = (0..rank).map(|d| (x.shape[d] as i64 + before[d] + behind[d]) as usize).collect();
            Array::of(&shape, |index| {
                let from: Option<Vec<usize>> = (0..rank)
                    .map(|d| {
                        // What is cut off is no longer there when the edge is made.
                        let low = (-before[d]).max(0);
                        let high = x.shape[d] as i64 - 1 - (-behind[d]).max(0);
                        let mut at = index[d] as i64 - before[d];
                        match padding {
                            Padding::Constant(_) => {}
                            Padding::Edge => at = at.clamp(low, high),
                            Padding::Wrap => {
                                while at < low {
                                    at += high - low + 1;
                                }
                                while at > high {
                                    at -= high - low + 1;
                                }
                            }
                            Padding::Reflect if low == high => at = low,
                            Padding::Reflect => {
                                while !(low..=high).contains(&at) {
                                    at = if at < low { 2 * low - at } else { 2 * high - at };
                                }
                            }
                        }
                        (0..x.shape[d] as i64).contains(&at).then_some(at as usize)
                    })
                    .collect();
                match (from, padding) {
                    (Some(from), _) => x.at(&from),
                    (None, Padding::Constant(value)) => *value,
                    (None, Padding::Reflect | Padding::Edge | Padding::Wrap) => panic!("{padding:?} of nothing"),
                }
            })
        }
        Operator::Im2col { layout, kernel, strides, dilations, padding } => {
            let x = if *layout == Layout::Nchw { x.clone() } else { x.transposed(&[0, 3, 1, 2]) };
            let places: Vec<usize> = (0..2)
                .map(|d| (x.shape[2 + d] + 2 * padding[d] - dilations[d] * (kernel[d] - 1) - 1) / strides[d] + 1)
                .collect();
            let (n, c) = (x.shape[0], x.shape[1]);
            let [kh, kw] = *kernel;
            let pixel = |n: usize, c: usize, k: [usize; 2], place: usize| {
                let at = [place / places[1], place % places[1]];
                let at = [0, 1].map(|d| (at[d] * strides[d] + k[d] * dilations[d]) as i64 - padding[d] as i64);
                let inside = (0..2).all(|d| (0..x.shape[2 + d] as i64).contains(&at[d]));
                if inside { x.at(&[n, c, at[0] as usize, at[1] as usize]) } else { 0 }
            };
            let number = places[0] * places[1];
            match layout {
                Layout::Nchw => Array::of(&[n, c * kh * kw, number], |i| {
                    pixel(i[0], i[1] / (kh * kw), [i[1] / kw % kh, i[1] % kw], i[2])
                }),
                Layout::Nhwc => Array::of(&[n, number, kh * kw * c], |i| {
                    pixel(i[0], i[2] % c, [i[2] / (kw * c), i[2] / c % kw], i[1])
                }),
            }
        }
        Operator::SpaceToDepth { blocksize: b, crd } => {
            let [n, c, h, w] = [0, 1, 2, 3].map(|d| x.shape[d]);
            Array::of(&[n, c * b * b, h / b, w / b], |i| {
                let (block, channel) = if *crd { (i[1] % (b * b), i[1] / (b * b)) } else { (i[1] / c, i[1] % c) };
                x.at(&[i[0], channel, i[2] * b + block / b, i[3] * b + block % b])
            })
        }
        Operator::DepthToSpace { blocksize: b, crd } => {
            let [n, c, h, w] = [0, 1, 2, 3].map(|d| x.shape[d]);
            let depth = c / (b * b);
            Array::of(&[n, depth, h * b, w * b], |i| {
                let block = i[2] % b * b + i[3] % b;
                let channel = if *crd { i[1] * b * b + block } else { block * depth + i[1] };
                x.at(&[i[0], channel, i[2] / b, i[3] / b])
            })
        }
        // `tl.addi` in docs/isa.md.
        Operator::AddConstant { value } => Array::of(&x.shape, |index| {
            let highest = (1 << bits) - 1;
            0.max((x.at(index) as i64 + value).min(highest)) as u64
        }),
        Operator::Rearrange { view, perm, shape } => x.reshaped(view).transposed(perm).reshaped(shape),
    }]
}
