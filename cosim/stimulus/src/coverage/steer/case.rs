// SPDX-License-Identifier: Apache-2.0
//! A case for a list of bins. It follows from (seed, configuration, number, bins) and nothing else.

use std::ops::Range;

use golden::Csr;
use golden::decode::Tensor;

use super::Goal;
use super::after_reset::{self, AfterReset};
use super::search::{ATTEMPTS, Search};
use crate::base::draw::Draw;
use crate::case::Case;
use crate::coverage::bins::Bins;
use crate::coverage::values::*;
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, Plan, seed_of};
use crate::random::case::{contents, drawn_case, reset_cycles};
use crate::random::generator::Generator;
use crate::random::shape;
use crate::unit::target::Target;

/// Bins that one case aims at.
pub const TARGETS: usize = 24;

/// Sequences of a case for bins of which only the RTL can tell whether it hits them; one for each at least.
const MOST: usize = 48;

/// What bins of one case must have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Needs {
    stalls: [Option<u8>; 6],
    /// 1: the first masks are not written; 2: the second.
    unwritten: u8,
    /// What comes first, after a reset of which length: numbers of the values.
    first: Option<[Option<u8>; 3]>,
    /// What comes soon after a reset.
    after_reset: Option<AfterReset>,
    /// The requests of a memory port that are to be without an answer: the number of the value.
    unanswered: Option<u8>,
    /// Only the RTL can tell.
    timing: bool,
    /// Several instructions.
    sequence: bool,
    /// A program for the host.
    pub host: bool,
}

impl Needs {
    /// What a goal needs of its case.
    pub fn for_goal(goal: &Goal) -> Needs {
        let index = |axis| goal.get(axis).map(|value| value.index);
        let memory = [index(Axis::Grant), index(Axis::Response)];
        let [l1m, l0m] = if goal.loads() { [memory, [None; 2]] } else { [[None; 2], memory] };
        let why = goal.get(Axis::Why);
        // There is one first instruction in a case.
        let first = index(Axis::AfterReset).map(|reset| [Some(reset), index(Axis::Op), index(Axis::Engine)]);
        Needs {
            stalls: [index(Axis::Issue), index(Axis::Results), l1m[0], l1m[1], l0m[0], l0m[1]],
            unwritten: u8::from(why == Some(MASK_1)) + 2 * u8::from(why == Some(MASK_2)),
            first,
            after_reset: AfterReset::for_goal(goal),
            unanswered: index(Axis::Unanswered),
            timing: goal.timing(),
            sequence: goal.sequence(),
            host: goal.get(Axis::Host).is_some(),
        }
    }

    /// Whether instructions are enough, without stalls, a host program or a reset of its own.
    pub fn stream(&self) -> bool {
        *self == Needs { sequence: self.sequence, ..Needs::default() }
    }

    /// Stalls of the ports: those that are needed, and otherwise few; where time matters, results that wait, mostly,
    /// and one memory that is slow to grant, or none: then much is in flight.
    fn plan(&self, draw: &mut Draw) -> Plan {
        let slow = draw.chance(30);
        let heavy = if draw.chance(75) { Class::Heavy } else { Class::None };
        let slow_port = draw.pick(&[0, 2, 2, 4, 4, 5]);
        let mut classes = self.stalls.into_iter().enumerate().map(|(port, wanted)| match wanted {
            Some(index) => Class::ALL.get(usize::from(index)).copied().unwrap_or_default(),
            None if self.timing && port == 1 => heavy,
            None if self.timing && port > 1 && port == slow_port => Class::Heavy,
            None if self.timing || !slow => Class::None,
            None => draw.pick(&[Class::None, Class::None, Class::Light, Class::Heavy]),
        });
        let mut next = || classes.next().unwrap_or_default();
        Plan { issue: next(), result: next(), l1m: [next(), next()], l0m: [next(), next()] }
    }

    /// Clock cycles of the reset.
    fn reset_cycles(&self, draw: &mut Draw) -> u32 {
        match self.first {
            Some([Some(index @ 0..3), ..]) => u32::from(index) + 1,
            Some(_) => draw.range(4, 12),
            None => reset_cycles(draw),
        }
    }
}

/// The addresses of a memory of `size` bytes that answer with an error: 64 bytes in the middle, or one word of the port
/// in a memory that has no more.
fn fault(size: u32, word: u32) -> Range<u32> {
    let (block, start) = (if size > 64 { 64 } else { word }, size / 2);
    let start = start / block * block;
    start..start + block
}

/// The case `number` of `seed` for the bins `targets`.
pub fn new(target: &Target, bins: &Bins, seed: u64, number: u64, targets: &[usize]) -> Case {
    let mut draw = Draw::new(seed, &format!("{} for bins", target.name()), number);
    let mut goals: Vec<Goal> = targets.iter().filter_map(|&id| Goal::of_bin(bins, id)).collect();
    let needs = goals.first().map(Needs::for_goal).unwrap_or_default();
    if needs.host {
        return drawn_case(target, draw, number, true);
    }
    if let Some(after_reset) = needs.after_reset {
        return after_reset.case(target, draw);
    }
    if let Some(index) = needs.unanswered {
        return after_reset::many_requests(target, draw, index);
    }
    let stalls = needs.plan(&mut draw);
    let (mut l1m, l0m) = (contents(&mut draw, target.rtl.l1m_bytes), contents(&mut draw, target.rtl.l0m_bytes));
    // A small memory has no room for an error and for accesses without one, nor for ones and other values.
    let mut keeps = |size| size >= 4 * target.rtl.reg_bytes || draw.chance(50);
    if keeps(target.rtl.l1m_bytes) {
        // The largest elements of any width are at the end.
        let end = l1m.len() - target.rtl.reg_bytes as usize;
        l1m[end..].fill(0xff);
    }
    let mut faults = |size| if keeps(size) { vec![fault(size, target.rtl.port_bytes())] } else { Vec::new() };
    let (l1m_faults, l0m_faults) = (faults(target.rtl.l1m_bytes), faults(target.rtl.l0m_bytes));
    let (seed, reset_cycles) = (draw.u64(), needs.reset_cycles(&mut draw));
    let setup = Setup { l1m, l0m, l1m_faults, l0m_faults, reset_cycles, stalls, seed, ..Setup::default() };
    let model = setup.machine(&target.golden);
    let mut g = Generator::new(target, &mut draw, [&[], &[]]);
    g.faults = [setup.l1m_faults.clone(), setup.l0m_faults.clone()];
    g.brief = true;
    let mut search = Search::new(&g, model, stalls, reset_cycles);
    if needs.first.is_none() {
        fill_registers(&mut g);
        search.follow(&g, 0, |_, _| ());
    }
    if needs.sequence && needs.first.is_none() {
        let times = if needs.timing { (MOST / goals.len().max(1)).max(1) } else { 1 };
        let mut goals: Vec<(usize, Goal)> = goals.into_iter().map(|goal| (times, goal)).collect();
        search.sequences(&mut g, &mut goals);
    } else {
        let attempts = ATTEMPTS / goals.len().max(1);
        goals.reverse();
        while let Some(goal) = goals.pop() {
            search.one(&mut g, &goal, attempts, |facts| goals.retain(|goal| !goal.score(facts).1));
        }
    }
    let program = g.into_words();
    let stall_seeds = (0..program.len() as u64).map(|index| seed_of(seed, index)).collect();
    Case { preload: Vec::new(), program, host: false, setup: Setup { stall_seeds, ..setup }, reset_after: None }
}

/// Loads into some registers: zeros hide most mistakes.
fn fill_registers(g: &mut Generator) {
    let bits = g.target.golden.element_widths.iter().last().unwrap_or(8);
    shape::integers(g, bits);
    let elements = 8 * g.target.rtl.reg_bytes / bits;
    g.set_csr(Csr::Tshape, shape::packed([elements.div_ceil(128), 1, elements.min(128)]));
    let room = g.target.rtl.l1m_bytes - g.target.rtl.reg_bytes;
    let mut bases = [(); 3].map(|()| g.draw.range(0, room) & !3);
    bases[0] = room;
    for tl in 1..16 {
        let rs = g.register_with(bases[usize::from(tl % 3)]);
        g.tensor(Tensor::Load { tlrd: 2 * tl, rs, imm8: 0 });
    }
}
