// SPDX-License-Identifier: Apache-2.0
//! The operations that are measured.

use std::collections::BTreeMap;

use golden::asm::disassemble;
use golden::decode::{Decoded, Isa, Tensor};

use crate::coverage::operation::{adds, chooses, exchanges, has_two_masks, registers, stem};
use crate::random::operands::Values;
use crate::unit::target::Target;

/// What an operation is held to, given its roofline in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// addi and merge.
    Move,
    /// concat, in the usual case.
    Concat,
    ConcatWorst,
    Xpose,
    Memory,
    Matrix,
}

impl Class {
    /// Target for cycles of each of many back to back.
    pub fn sustained(self, roofline: u64) -> f64 {
        let factor = match self {
            Class::Move | Class::Concat | Class::Memory => 1.05,
            Class::ConcatWorst => 2.1,
            Class::Xpose => 1.1,
            Class::Matrix => 1.2,
        };
        factor * roofline as f64
    }

    /// Target for cycles from issue to result of a lone one.
    pub fn latency(self, roofline: u64) -> f64 {
        let roofline = roofline as f64;
        match self {
            Class::Matrix => roofline + 8.0,
            Class::Move | Class::Concat | Class::Memory => roofline + 16.0,
            Class::ConcatWorst => 2.0 * roofline + 16.0,
            Class::Xpose => 1.25 * roofline + 24.0,
        }
    }
}

/// An operation: assembly to set it up, and to do it.
pub struct Operation {
    /// Instruction and what is special about it.
    pub name: String,
    /// What it is held to.
    pub class: Class,
    /// CSRs, host registers and TLRegs.
    pub setup: String,
    /// The i-th of many; two that follow each other have no register in common that one of them writes.
    pub instruction: Box<dyn Fn(usize) -> String>,
}

/// The operations of the tensor instructions for `target`. All configurations have 8-bit elements; they are used where
/// nothing else is said.
pub fn of_tensors(target: &Target) -> Vec<Operation> {
    let mut list = moves(target);
    list.extend(transpositions(target));
    list.extend(memory(target));
    list
}

pub fn operation(
    name: impl Into<String>,
    class: Class,
    setup: String,
    instruction: impl Fn(usize) -> String + 'static,
) -> Operation {
    Operation { name: name.into(), class, setup, instruction: Box::new(instruction) }
}

/// Non-zero data in tl1 to tl31: zero registers are not read.
fn fill(target: &Target) -> String {
    let bytes = target.rtl.reg_bytes;
    let mut text = format!("csrrwi x0, ttype, 2\nli x31, {:#x}\ncsrrw x0, tshape, x31\n", dims(bytes, [4, 4]));
    for i in 1..32 {
        text.push_str(&format!("li x30, {}\ntl.load tl{i}, 0(x30)\n", i * bytes));
    }
    text
}

/// tshape of a block that fills `bytes` bytes and has these outer dimensions.
pub(super) fn dims(bytes: u32, [d0, d1]: [u32; 2]) -> u32 {
    d0 << 16 | d1 << 8 | (bytes / d0 / d1)
}

/// tshape with dimension `d` of 16 (of 4 in small registers) and the others about equal.
fn shape_for(target: &Target, d: usize) -> (u32, u32) {
    let bytes = target.rtl.reg_bytes;
    let along = if bytes >= 1024 { 16 } else { 4 };
    let mut sizes = [1; 3];
    sizes[d] = along;
    let rest = (bytes / along).ilog2();
    sizes[(d + 1) % 3] = 1 << (rest / 2);
    sizes[(d + 2) % 3] = 1 << (rest - rest / 2);
    (sizes[0] << 16 | sizes[1] << 8 | sizes[2], along)
}

fn masks(mask1: u32, mask2: u32) -> String {
    format!("li x5, {mask1:#x}\ncsrrw x0, tmask_concat_1, x5\nli x5, {mask2:#x}\ncsrrw x0, tmask_concat_2, x5\n")
}

/// The rows with such elements.
fn rows(is: fn(Tensor) -> bool) -> impl Iterator<Item = Tensor> {
    Tensor::all().filter(move |&row| is(row))
}

/// The i-th instruction of a row, in the encoding that every core can offer if there are two: its registers take turns
/// among as many as there are for each operand, and x6 is its host register.
fn instruction(target: &Target, row: Tensor, [p, q]: [u8; 2], immediate: i32) -> impl Fn(usize) -> String + 'static {
    let isa = Isa::from(&target.golden);
    let row = row.second_form().filter(|_| isa.gpr_rs1).unwrap_or(row);
    let [results, sources] = registers(row).map(|registers| registers.len());
    let each = 31 / (results + sources).max(1);
    move |i| {
        let register = |n: usize| (1 + n * each + i % each) as u8;
        let sources = [register(results), register(results + 1)];
        let values = Values { result: register(0), sources, dimensions: [p, q], immediate, rs: 6 };
        disassemble(Decoded::Tensor(values.fill(row)).encode(isa).unwrap_or(0), isa)
    }
}

/// The mnemonic of a row without what stands for dimensions, and these in their place.
fn name(row: Tensor, dimensions: &[u8]) -> String {
    let dimensions: String = dimensions.iter().map(u8::to_string).collect();
    if dimensions.is_empty() { stem(row) } else { format!("{}.{dimensions}", stem(row)) }
}

fn moves(target: &Target) -> Vec<Operation> {
    let fill = fill(target);
    let sum = |row| operation(name(row, &[]), Class::Move, fill.clone(), instruction(target, row, [0; 2], 5));
    let mut list: Vec<Operation> = rows(adds).map(sum).collect();
    for d in 0..3 {
        let (tshape, size) = shape_for(target, d.into());
        let all = (1u64 << size) as u32 - 1;
        let setup = format!("{fill}li x5, {tshape:#x}\ncsrrw x0, tshape, x5\n");
        let alternate = 0x5555_5555 & all;
        let half = (1 << (size / 2)) - 1;
        let by_two_masks: [(&str, Class, u32, u32); 5] = [
            (" two halves", Class::Concat, half, half),
            (" three quarters and one", Class::Concat, half | 1 << (size - 1), 1),
            (" every other slice", Class::Concat, alternate, alternate << 1),
            (" one slice", Class::ConcatWorst, 1 << (size - 1), 0),
            (" two slices far apart", Class::ConcatWorst, 1, 1 << (size - 1)),
        ];
        for row in rows(chooses) {
            let masks_of_row = if has_two_masks(row) { &by_two_masks[..] } else { &[("", Class::Move, alternate, 0)] };
            for &(what, class, mask1, mask2) in masks_of_row {
                let (name, setup) = (name(row, &[d]) + what, setup.clone() + &masks(mask1, mask2));
                list.push(operation(name, class, setup, instruction(target, row, [d, 0], 0)));
            }
        }
    }
    list
}

/// One transposition for each pair of dimensions, width and k, where k is the number of lane address bits that the
/// exchange takes from outside the lanes.
fn transpositions(target: &Target) -> Vec<Operation> {
    let lane_bits = (2 * target.rtl.lanes).ilog2();
    let mut found = BTreeMap::<(u8, u8, usize), (u32, u32, [u32; 4])>::new();
    for bits in target.golden.element_widths.iter() {
        let total = (target.rtl.reg_bytes * 16 / bits).ilog2();
        for (a, b, c) in (1..8).flat_map(|a| (0..8).flat_map(move |b| (0..8).map(move |c| (a, b, c)))) {
            let Some(d) = total.checked_sub(a + b + c).filter(|&d| d < 8) else { continue };
            for (p, q) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let log2 = [a, b, c, d];
                let source = sources(log2, p.into(), q.into(), (bits / 4).ilog2());
                let k = source[..lane_bits as usize].iter().filter(|&&bit| bit >= lane_bits).count();
                // 8-bit elements where there is a choice.
                let rank = if bits == 8 { 0 } else { bits };
                let entry = found.entry((p, q, k)).or_insert((rank, bits, log2));
                *entry = (*entry).min((rank, bits, log2));
            }
        }
    }
    let mut list = Vec::new();
    for (row, ((p, q, k), (_, bits, log2))) in rows(exchanges).flat_map(|row| found.iter().map(move |one| (row, one))) {
        let sizes = log2.map(|n| 1u32 << n);
        let value = sizes.iter().rev().fold(0, |value, size| value << 8 | size);
        let code = 1 << ((bits / 4).ilog2());
        let setup = format!("{}csrrwi x0, ttype, {code}\nli x6, {value:#x}\n", fill(target));
        let name = format!("{} k={k}, {bits}-bit {sizes:?}", name(row, &[*p, *q]));
        list.push(operation(name, Class::Xpose, setup, instruction(target, row, [*p, *q], 0)));
    }
    list
}

/// For each bit of the nibble address of the result, lowest first, the bit of the source address that it is.
fn sources(log2: [u32; 4], p: usize, q: usize, element: u32) -> Vec<u32> {
    // Lowest address bit of each dimension; dimension 3 is innermost.
    let start = |d: usize| element + log2[d + 1..].iter().sum::<u32>();
    let mut order = [0, 1, 2, 3];
    order.swap(p, q);
    let mut bits: Vec<u32> = (0..element).collect();
    for &d in order.iter().rev() {
        bits.extend(start(d)..start(d) + log2[d]);
    }
    bits
}

fn memory(target: &Target) -> Vec<Operation> {
    let bytes = target.rtl.reg_bytes;
    let mut list = Vec::new();
    for (row, transfer) in Tensor::all().filter_map(|row| Some((row, row.transfer()?))) {
        let fill = fill(target);
        let (width, mask, stride) = transfer.direction.csrs();
        let setup = |tshape: u32, base: u32, more: String| {
            format!("{fill}li x5, {tshape:#x}\ncsrrw x0, tshape, x5\nli x6, {base}\n{more}")
        };
        let strides = |count: u32, step: u32| -> String {
            let set = |i: u32| format!("li x5, {}\ncsrrw x0, {}, x5\n", i * step, stride(i as u8).name());
            (0..count).map(set).collect()
        };
        let mask = |value: u32| format!("li x5, {value:#x}\ncsrrw x0, {}, x5\n", mask.name());
        let eight = dims(bytes, [8, 4]);
        let small = dims(bytes, [32, 1]);
        let setups = if transfer.masked {
            vec![
                ("8 slices, every other", setup(eight, 64, mask(0x55))),
                ("32 slices, random half", setup(small, 64, mask(0x9d34_1ae6))),
                ("none of 8 slices", setup(eight, 64, mask(0))),
            ]
        } else {
            vec![
                ("dense", setup(eight, 64, String::new())),
                ("misaligned", setup(eight, 67, String::new())),
                ("8 slices, 2 apart", setup(eight, 64, strides(8, 2))),
                ("8 slices, 2 apart, misaligned", setup(eight, 67, strides(8, 2))),
                ("32 slices, dense", setup(small, 64, String::new())),
                ("32 slices, 3 apart", setup(small, 64, strides(32, 3))),
                ("32 slices, 3 apart, misaligned", setup(small, 67, strides(32, 3))),
                ("8 slices of 5 bytes", setup(eight, 64, format!("csrrwi x0, {}, 5\n", width.name()))),
            ]
        };
        for (what, setup) in setups {
            let name = format!("{} {what}", name(row, &[]));
            list.push(operation(name, Class::Memory, setup, instruction(target, row, [0; 2], 0)));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use golden::decode::{Decoded, Engine, decode, instructions};

    /// Whether every instruction of the engine is measured, and not just one of them.
    fn each(engine: Engine) -> Option<bool> {
        match engine {
            // The bench executes it itself.
            Engine::Host => None,
            // In program order, in the cycle in which it is dispatched: nothing to measure.
            Engine::Csr => None,
            // All of them take the same way.
            Engine::MatrixConfig => Some(false),
            Engine::Load | Engine::Store | Engine::Move | Engine::Xpose => Some(true),
            Engine::MatrixLoad | Engine::MatrixStore => Some(true),
        }
    }

    #[test]
    fn every_instruction_is_measured() {
        let target = crate::unit::testing::target("w16");
        let measured = crate::performance::all(&target).into_iter().map(|operation| {
            let words = golden::asm::assemble("bench", &(operation.instruction)(0), &target.golden).expect("assembles");
            decode(words[0], &target.golden)
        });
        let measured: Vec<Decoded> = measured.collect();
        let mnemonics: BTreeSet<_> = measured.iter().filter_map(|instruction| instruction.mnemonic()).collect();
        for instruction in instructions(&target.golden) {
            let (mnemonic, engine) = instruction.mnemonic().zip(instruction.engine()).expect("instruction");
            let found = match each(engine) {
                Some(true) => mnemonics.contains(mnemonic),
                Some(false) => measured.iter().any(|instruction| instruction.engine() == Some(engine)),
                None => true,
            };
            assert!(found, "{mnemonic} has no row in cosim/measure/src/performance/{{operations,matrix}}.rs");
        }
    }
}
