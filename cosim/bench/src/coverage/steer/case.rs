// SPDX-License-Identifier: Apache-2.0
//! A case for a list of bins. It follows from (seed, configuration, number, bins) and nothing else.

use std::sync::Arc;

use golden::Csr;
use golden::decode::Tensor;

use super::{Goal, build, fault, sequence};
use crate::base::draw::Draw;
use crate::case::Case;
use crate::coverage::bins::Bins;
use crate::coverage::collect::Collector;
use crate::coverage::group::Recipe;
use crate::coverage::operation::loads;
use crate::coverage::values::*;
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, Plan, seed_of};
use crate::random::case::{contents, reset_cycles};
use crate::random::generator::Generator;
use crate::unit::target::Target;

/// Bins that one case aims at.
pub const TARGETS: usize = 12;

/// Times that instructions for a bin are made when the model shows that the ones before missed it.
const ATTEMPTS: usize = 8;

/// Times that instructions for a bin are made when only the RTL can tell.
const BLIND: usize = 4;

/// What bins of one case must have in common: stalls of the ports, masks that are not written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Needs {
    stalls: [Option<u8>; 6],
    /// 1: the first masks are not written; 2: the second.
    unwritten: u8,
    /// What comes first, after a reset of which length: numbers of the values.
    first: Option<[u8; 3]>,
    /// A program for the host.
    host: bool,
}

impl Needs {
    /// What a goal needs of its case.
    pub fn of(goal: &Goal) -> Needs {
        let index = |axis| goal.get(axis).map(|value: Value| value.index);
        let [grant, response] = [index(Axis::Grant), index(Axis::Response)];
        let load = goal.operation().is_some_and(loads) || goal.wants(MX_LOAD);
        let memory = if load { [grant, response, None, None] } else { [None, None, grant, response] };
        let mut stalls = [index(Axis::Issue), index(Axis::Results), memory[0], memory[1], memory[2], memory[3]];
        let heavy = Some(Class::Heavy as u8);
        let none = Some(Class::None as u8);
        if sequence::slow_store(goal) {
            stalls = [none, none, none, none, heavy, none];
        }
        if goal.recipe == Recipe::Behind {
            // What is complete stays in flight. A matrix access waits for the others at its port.
            stalls = match () {
                () if goal.wants(G_MX_LOAD) => [none, heavy, none, none, heavy, none],
                () if goal.wants(G_MX_STORE) => [none, heavy, heavy, none, none, none],
                () => [none, heavy, None, none, None, none],
            };
        }
        if goal.recipe == Recipe::Killed {
            // What is complete stays in flight; stores begin while an older one waits for its answer.
            stalls = [none, heavy, None, None, none, if goal.wants(KILLED_BEGUN) { heavy } else { None }];
        }
        if goal.get(Axis::Between).is_some() {
            // The load that traps is not the oldest when the others have been dispatched.
            stalls = [none, heavy, None, None, none, none];
        }
        let unwritten = if goal.wants(MASK_1) { 1 } else { 2 * u8::from(goal.wants(MASK_2)) };
        // There is one first instruction in a case.
        let any = u8::MAX;
        let of = |axis| index(axis).unwrap_or(any);
        let first = [of(Axis::AfterReset), of(Axis::Op), of(Axis::Engine)];
        Needs {
            stalls,
            unwritten,
            first: (goal.recipe == Recipe::First).then_some(first),
            host: goal.recipe == Recipe::Host,
        }
    }
}

/// The case `number` of `seed` for the bins `targets`.
pub fn new(target: &Target, bins: &Arc<Bins>, seed: u64, number: u64, targets: &[usize]) -> Case {
    let mut draw = Draw::new(seed, &format!("{} for bins", target.name()), number);
    let goals: Vec<(usize, Goal)> = targets.iter().filter_map(|&id| Some((id, Goal::of(bins, id)?))).collect();
    if goals.iter().any(|(_, goal)| goal.recipe == Recipe::Host) {
        return Case::drawn(target, draw, number, true);
    }
    let stalls = stalls(&mut draw, &goals);
    let (mut l1m, l0m) = (contents(&mut draw, target.rtl.l1m_bytes), contents(&mut draw, target.rtl.l0m_bytes));
    if target.rtl.granule_bits() > 8
        && goals.iter().any(|(_, goal)| goal.get(Axis::Clamp).or(goal.get(Axis::Edge)).is_some())
    {
        // No few sums make the largest element of so many bits: `tl.addi` loads them.
        let start = l1m.len() - target.rtl.reg_bytes as usize;
        l1m[start..].fill(0xff);
    }
    let (l1m_faults, l0m_faults) = (vec![fault(target.rtl.l1m_bytes)], vec![fault(target.rtl.l0m_bytes)]);
    let seed = draw.u64();
    let reset_cycles = reset(&mut draw, &goals);
    let setup = Setup { l1m, l0m, l1m_faults, l0m_faults, reset_cycles, stalls, seed, ..Setup::default() };
    let mut model = golden::Machine::new(&target.golden);
    model.l1m.bytes.copy_from_slice(&setup.l1m);
    model.l1m.faults.clone_from(&setup.l1m_faults);
    model.l0m.faults.clone_from(&setup.l0m_faults);
    let mut generator = Generator::new(target, &mut draw, [&[], &[]]);
    let mut collector = Collector::new(target, bins, stalls, reset_cycles);
    let mut done = 0;
    let mut follow = |generator: &Generator, collector: &mut Collector| {
        for &word in generator.words().get(done..).unwrap_or_default() {
            collector.step(&mut model, word);
        }
        done = generator.words().len();
    };
    if let Some((_, goal)) = goals.iter().find(|(_, goal)| goal.recipe == Recipe::First) {
        build(&mut generator, goal);
    }
    fill_registers(&mut generator);
    follow(&generator, &mut collector);
    for (id, goal) in goals.iter().filter(|(_, goal)| goal.recipe != Recipe::First) {
        let blind = matches!(goal.recipe, Recipe::Pair | Recipe::Behind | Recipe::Killed | Recipe::GoesOn)
            || goal.get(Axis::Press).is_some()
            || goal.get(Axis::Between).is_some();
        for _ in 0..if blind { BLIND } else { ATTEMPTS } {
            // Where nothing fits, what was emitted before that was seen is harmless.
            build(&mut generator, goal);
            follow(&generator, &mut collector);
            if collector.hits().count(*id) > 0 {
                break;
            }
        }
    }
    let program = generator.words().to_vec();
    let stall_seeds = (0..program.len() as u64).map(|index| seed_of(seed, index)).collect();
    let setup = Setup { stall_seeds, ..setup };
    Case { preload: Vec::new(), program, host: false, setup, reset_after: None }
}

/// The length of reset that the goals need, or any.
fn reset(draw: &mut Draw, goals: &[(usize, Goal)]) -> u32 {
    match goals.iter().find_map(|(_, goal)| goal.get(Axis::AfterReset)) {
        Some(RESET_1) => 1,
        Some(RESET_2) => 2,
        Some(RESET_3) => 3,
        Some(_) => draw.range(4, 12),
        None => reset_cycles(draw),
    }
}

/// Loads into some registers: zeros hide most mistakes.
fn fill_registers(g: &mut Generator) {
    let bits = g.target.golden.element_widths.iter().last().unwrap_or(8);
    g.set_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
    let elements = 8 * g.target.rtl.reg_bytes / bits;
    g.set_csr(Csr::Tshape, crate::random::shape::packed([elements.div_ceil(128), 1, elements.min(128)]));
    let offset = g.draw.below(64) * 4;
    let rs = g.register_with(offset);
    for tl in 1..16 {
        let imm8 = g.draw.below(8) as i8;
        g.tensor(Tensor::Load { tlrd: 2 * tl, rs, imm8 });
    }
}

/// The stalls that the goals need, and otherwise few: those of the first goal that wants some.
fn stalls(draw: &mut Draw, goals: &[(usize, Goal)]) -> Plan {
    let mut wanted = [None; 6];
    for (_, goal) in goals {
        for (port, stall) in wanted.iter_mut().zip(Needs::of(goal).stalls) {
            *port = port.or(stall);
        }
    }
    let slow = draw.chance(30);
    let classes = wanted.map(|class| match class {
        Some(index) => Class::ALL.get(usize::from(index)).copied().unwrap_or_default(),
        None if slow => draw.pick(&[Class::None, Class::None, Class::Light, Class::Heavy]),
        None => Class::None,
    });
    let [issue, result, l1m0, l1m1, l0m0, l0m1] = classes;
    Plan { issue, result, l1m: [l1m0, l1m1], l0m: [l0m0, l0m1] }
}
