// SPDX-License-Identifier: Apache-2.0
//! Random operators, and programs on the model.
#![allow(clippy::unwrap_used)]

use std::ops::Range;

use golden::{Config, Machine, Program};
use kernels::emit;
use kernels::mapping::Mapping;
use kernels::operator::{Layout, Operator, Padding, Parts};
use kernels::plan::Plan;
use kernels::tensor::Tensor;
use kernels::unit::{Tiles, Unit};

/// A small generator of pseudo-random numbers (xorshift64*), so that every run tests the same cases.
pub struct Rng(pub u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// `low` to `high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    pub fn size(&mut self, low: usize, high: usize) -> usize {
        self.range(low as i64, high as i64) as usize
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.size(0, from.len() - 1)]
    }

    /// Contents of a tensor.
    pub fn bytes(&mut self, tensor: &Tensor) -> Vec<u8> {
        (0..tensor.bytes()).map(|_| self.next() as u8).collect()
    }

    fn perm(&mut self, rank: usize) -> Vec<usize> {
        let mut perm: Vec<usize> = (0..rank).collect();
        (1..rank).rev().for_each(|i| perm.swap(i, self.size(0, i)));
        perm
    }
}

pub fn config(name: &str) -> Config {
    Config::named(name).unwrap()
}

/// What plans see of it, at the default datapath.
pub fn unit(config: &Config) -> Unit {
    Unit {
        reg_bytes: config.reg_bytes,
        widths: [4, 8, 16, 32].into_iter().filter(|&w| config.element_widths.contains(w)).collect(),
        l1m_bytes: config.l1m_bytes as usize,
        l0m_bytes: config.l0m_bytes as usize,
        lanes: 16.min(config.reg_bytes),
        port_bytes: 16.min(config.reg_bytes),
        pitch: config.pitch,
        tiles: config.matrix.map(|m| Tiles { rows: (m.tlen / m.trlen) as usize, row_bytes: m.trlen as usize / 8 }),
    }
}

/// The outputs that the program of a plan leaves in L0M of the model, or in program memory.
pub fn run(plan: &Plan, mapping: &Mapping, config: &Config, inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let text = emit::program(plan, &unit(config));
    let words = golden::asm::assemble("operator", &text, config).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(4 * (words.len() as u64) < emit::PROGRAM_BYTES);
    run_program(&Program::from_words(&words), plan, mapping, config, inputs)
}

/// The same for a program that was made of the plan.
pub fn run_program(
    program: &Program,
    plan: &Plan,
    mapping: &Mapping,
    config: &Config,
    inputs: &[Vec<u8>],
) -> Vec<Vec<u8>> {
    let mut machine = Machine::new(config);
    machine.load(program).unwrap();
    let outputs = mapping.outputs.iter().zip(plan.outputs.iter().map(|&at| at as usize));
    let mut write = |memory: &str, at: usize, bytes: &[u8]| match (plan.tiled, memory) {
        (true, _) => machine.hart.ram.write(at as u32, bytes).unwrap(),
        (false, "l0m") => machine.l0m.bytes[at..][..bytes.len()].copy_from_slice(bytes),
        (false, _) => machine.l1m.bytes[at..][..bytes.len()].copy_from_slice(bytes),
    };
    // What is not written is seen.
    outputs.clone().for_each(|(tensor, at)| write("l0m", at, &vec![0xa5; tensor.bytes()]));
    inputs.iter().zip(&plan.inputs).for_each(|(bytes, &at)| write("l1m", at as usize, bytes));
    let code = golden::run::execute(&mut machine, 20_000_000, |outcome| {
        assert_eq!(outcome.trap, None, "trap at {:#x}", outcome.pc);
    });
    assert_eq!(code, Ok(0));
    let read = |range: Range<usize>| match plan.tiled {
        true => machine.hart.ram.read(range).unwrap(),
        false => machine.l0m.bytes[range].to_vec(),
    };
    outputs.map(|(tensor, at)| read(at..at + tensor.bytes())).collect()
}

/// An operator with legal attributes, and its inputs.
pub fn random_case(rng: &mut Rng, small: bool) -> (Operator, Vec<Tensor>) {
    let bits = rng.pick(&[4, 8, 8, 16, 32, 64]);
    let kind = rng.range(0, 14);
    let rank = rng.size(1, if kind == 0 { 6 } else { 4 });
    let image = (9..=12).contains(&kind);
    let most: usize = if small { 600 } else { 20_000 };
    let shape = loop {
        let large = rng.size(0, rank - 1);
        let size = |rng: &mut Rng, i| match i == large {
            true if !small => rng.pick(&[7, 16, 31, 64, 96, 97, 128, 196, 300]),
            _ => rng.pick(&[1, 2, 3, 4, 5, 8, 13, 16, 17]),
        };
        let shape: Vec<usize> = (0..if image { 4 } else { rank }).map(|i| size(rng, i)).collect();
        if shape.iter().product::<usize>() * bits <= most * 8 {
            break shape;
        }
    };
    let x = Tensor::new(&shape, bits as u32);
    let rank = shape.len();
    let axis = rng.range(-(rank as i64), rank as i64 - 1);
    let at = axis.rem_euclid(rank as i64) as usize;
    let operator = match kind {
        0 | 1 => Operator::Transpose { perm: if rng.one_in(8) { None } else { Some(rng.perm(rank)) } },
        2 => match rng.range(0, 2) {
            0 => Operator::Reshape { shape: vec![-1, shape[rank - 1] as i64] },
            1 => Operator::Flatten { axis },
            _ => Operator::Squeeze { axes: None },
        },
        3 => {
            let mut inputs = vec![x.clone()];
            for _ in 0..rng.size(0, 2) {
                let mut shape = shape.clone();
                shape[at] = rng.size(1, 9);
                inputs.push(Tensor::new(&shape, bits as u32));
            }
            return (Operator::Concat { axis }, inputs);
        }
        4 => {
            let first = rng.size(0, shape[at]);
            let sizes = match rng.one_in(2) {
                true => Parts::Sizes(vec![first, shape[at] - first]),
                false => Parts::Number(rng.size(1, 4)),
            };
            Operator::Split { axis, sizes }
        }
        5 => {
            let index = |rng: &mut Rng| rng.range(-20, 20);
            let steps = (0..rank).map(|_| rng.pick(&[1, 1, 2, 3, -1, -2])).collect::<Vec<i64>>();
            let ends = steps.iter().map(|&s| match rng.one_in(2) {
                true => {
                    if s > 0 {
                        i64::MAX
                    } else {
                        i64::MIN
                    }
                }
                false => index(rng),
            });
            let ends = ends.collect();
            let starts =
                steps.iter().map(|&s| if rng.one_in(2) { if s > 0 { 0 } else { -1 } } else { index(rng) }).collect();
            Operator::Slice { starts, ends, axes: None, steps: Some(steps) }
        }
        6 => {
            let size = shape[at] as i64;
            let number = rng.size(1, 8);
            let indices = (0..number).map(|_| rng.range(-size, size - 1)).collect();
            Operator::Gather { axis, indices, shape: vec![number] }
        }
        7 => {
            let flat = rng.one_in(4);
            let size = if flat { x.elements().min(40) } else { shape[at].min(60) };
            let condition = (0..size).map(|_| rng.one_in(2)).collect();
            Operator::Compress { axis: if flat { None } else { Some(axis) }, condition }
        }
        8 => {
            let pads =
                (0..2 * rank).map(|i| if shape[i % rank] > 2 { rng.range(-1, 3) } else { rng.range(0, 2) }).collect();
            let value = if rng.one_in(2) { 0 } else { rng.next() & (u64::MAX >> (64 - bits)) };
            let padding = rng.pick(&[Padding::Constant(value), Padding::Reflect, Padding::Edge, Padding::Wrap]);
            Operator::Pad { pads, axes: None, padding }
        }
        9 | 10 => {
            let layout = rng.pick(&[Layout::Nchw, Layout::Nhwc]);
            let padding = [0; 2].map(|_| rng.size(0, 1));
            let room = if layout == Layout::Nchw { [shape[2], shape[3]] } else { [shape[1], shape[2]] };
            let kernel = [0, 1].map(|d| rng.size(1, 3).min(room[d] + 2 * padding[d]));
            let dilations =
                [0, 1].map(|d| if kernel[d] > 1 && 2 * kernel[d] - 1 <= room[d] { rng.size(1, 2) } else { 1 });
            let strides = [0; 2].map(|_| rng.size(1, 2));
            Operator::Im2col { layout, kernel, strides, dilations, padding }
        }
        11 | 12 => {
            let b = rng.size(1, 3);
            let [n, c, h, w] = [0, 1, 2, 3].map(|d| shape[d]);
            if kind == 11 {
                let x = Tensor::new(&[n, c, (h / b).max(1) * b, (w / b).max(1) * b], bits as u32);
                return (Operator::SpaceToDepth { blocksize: b, crd: rng.one_in(2) }, vec![x]);
            }
            let x = Tensor::new(&[n, (c / (b * b)).max(1) * b * b, h, w], bits as u32);
            return (Operator::DepthToSpace { blocksize: b, crd: rng.one_in(2) }, vec![x]);
        }
        13 => {
            // There is no `tl.addi` of 64 bits.
            let x = Tensor::new(&shape, x.bits.min(32));
            return (Operator::AddConstant { value: rng.range(-128, 127) }, vec![x]);
        }
        _ => Operator::Rearrange { perm: rng.perm(rank), shape: vec![x.elements()], view: shape },
    };
    (operator, vec![x])
}
