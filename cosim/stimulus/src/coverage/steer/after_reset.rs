// SPDX-License-Identifier: Apache-2.0
//! Cases for bins of the first cycles after a reset, and of many requests. The bin says which program hits it, so
//! nothing is searched for.

use golden::decode::{Decoded, Engine, Slices, decode, instructions};

use super::Goal;
use crate::base::draw::Draw;
use crate::case::Case;
use crate::coverage::facts;
use crate::coverage::history::{self, SINCE_RESET};
use crate::coverage::values::*;
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, NO_STALL, Plan, seed_of};
use crate::random::case::{contents, reset_cycles};
use crate::random::generator::Generator;
use crate::random::{establish, matrix_ops, noise};
use crate::unit::target::Target;

/// Programs that are drawn, of which that with the fewest instructions of the unit stays: none in front of the one that
/// is wanted may be in its way.
const TRIES: usize = 16;

/// How often the instruction is there that a reset interrupts.
const RUNNING: usize = 48;

/// The first and the last cycle of that reset, if registers had no rows. In front of what it interrupts is one
/// instruction, which takes a few cycles for each row.
const RESET_AFTER: [u32; 2] = [40, 120];
const CYCLES_OF_A_ROW: u32 = 4;

/// An instruction soon after a reset: numbers of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AfterReset {
    engine: u8,
    /// How long after it, on the axis `SinceReset`.
    since: Option<u8>,
    /// What the reset interrupts, on the axis `Interrupted`.
    interrupted: Option<u8>,
}

impl AfterReset {
    /// What `goal` wants of it; `None` for all other goals.
    pub fn for_goal(goal: &Goal) -> Option<AfterReset> {
        let index = |axis| goal.get(axis).map(|value| value.index);
        let (since, interrupted) = (index(Axis::SinceReset), index(Axis::Interrupted));
        since.or(interrupted)?;
        Some(AfterReset { engine: index(Axis::Engine)?, since, interrupted })
    }

    /// The case. Without stalls, each instruction in front of the one that is wanted takes a cycle of the issue port.
    pub fn case(self, target: &Target, mut draw: Draw) -> Case {
        let setup = Setup {
            l1m: contents(&mut draw, target.golden.l1m_bytes),
            l0m: contents(&mut draw, target.golden.l0m_bytes),
            reset_cycles: reset_cycles(&mut draw),
            stalls: Plan { issue: Class::Counted, ..Plan::default() },
            seed: draw.u64(),
            ..Setup::default()
        };
        let engine = history::engine(Value { axis: Axis::Engine, index: self.engine });
        let of_unit = |words: &[u32]| {
            words.iter().filter(|&&word| decode(word, &target.golden).engine() != Some(Engine::Host)).count()
        };
        let drawn = (0..TRIES).map(|_| {
            let mut g = Generator::new(target, &mut draw, [&[], &[]]);
            first(&mut g, engine);
            g.into_words()
        });
        let mut program = drawn.min_by_key(|words| of_unit(words)).unwrap_or_default();
        let mut stall_seeds = vec![NO_STALL; program.len()];
        let since = SINCE_RESET.into_iter().find(|(value, _)| Some(value.index) == self.since);
        if let (Some((_, [least, most])), Some(last)) = (since, stall_seeds.last_mut()) {
            *last = draw.range(least, most).saturating_sub(of_unit(&program) as u32 - 1);
        }
        let interrupted = self.interrupted.map(|index| Value { axis: Axis::Interrupted, index });
        let reset_after = interrupted.and_then(history::interrupted_engine).map(|engine| {
            let mut g = Generator::new(target, &mut draw, [&[], &[]]);
            program.iter().for_each(|&word| g.word(word));
            running(&mut g, engine);
            program = g.into_words();
            let [least, most] = RESET_AFTER;
            draw.range(least, most + CYCLES_OF_A_ROW * target.rtl.reg_bytes / target.rtl.lanes).into()
        });
        stall_seeds.resize(program.len(), NO_STALL);
        Case { preload: Vec::new(), program, host: false, setup: Setup { stall_seeds, ..setup }, reset_after }
    }
}

/// A case for a value of the axis `Unanswered`: loads or stores, with answers that come late.
pub fn many_requests(target: &Target, mut draw: Draw, index: u8) -> Case {
    let late = [Class::None, Class::Long];
    let setup = Setup {
        l1m: contents(&mut draw, target.golden.l1m_bytes),
        l0m: contents(&mut draw, target.golden.l0m_bytes),
        stalls: Plan { l1m: late, l0m: late, ..Plan::default() },
        seed: draw.u64(),
        ..Setup::default()
    };
    let engine = if index < L0M_16.index { Engine::Load } else { Engine::Store };
    let drawn = (0..TRIES).map(|_| {
        let mut g = Generator::new(target, &mut draw, [&[], &[]]);
        let row = running(&mut g, engine);
        (row.map_or(0, |row| port_words(&g, row)), g.into_words())
    });
    let program = drawn.max_by_key(|(words, _)| *words).map(|(_, program)| program).unwrap_or_default();
    let stall_seeds = (0..program.len() as u64).map(|index| seed_of(setup.seed, index)).collect();
    Case { preload: Vec::new(), program, host: false, setup: Setup { stall_seeds, ..setup }, reset_after: None }
}

/// Words of the port that a load or store asks for; 0 when a slice is outside the memory.
fn port_words(g: &Generator, row: Decoded) -> u64 {
    let slices = row.slice_transfer().and_then(|transfer| Some((transfer, Slices::of(&g.machine, transfer)?)));
    let Some((transfer, Slices { bytes, addresses, .. })) = slices.filter(|(_, slices)| slices.bytes > 0) else {
        return 0;
    };
    if addresses.iter().any(|&address| facts::memory::outside(g.target, &g.machine, transfer, address)) {
        return 0;
    }
    let word = u64::from(g.target.rtl.port_bytes());
    addresses.iter().map(|address| (address + u64::from(bytes) - 1) / word - address / word + 1).sum()
}

/// Any row of this engine.
fn row(g: &mut Generator, engine: Engine) -> Option<Decoded> {
    let rows: Vec<Decoded> = instructions(&g.target.golden).filter(|row| row.engine() == Some(engine)).collect();
    g.draw.choose(&rows).map(|row| noise::any_operands(g, row))
}

/// Emits a legal instruction of this engine, with what it needs; none: an illegal one.
fn first(g: &mut Generator, engine: Option<Engine>) {
    // tshape is 0 after reset, with which a load is illegal.
    let Some(row) = row(g, engine.unwrap_or(Engine::Load)) else { return };
    let row = if engine.is_some() { establish::establish(g, row) } else { row };
    g.emit(row);
}

/// Emits an instruction of this engine that has something to do, many times; gives it.
fn running(g: &mut Generator, engine: Engine) -> Option<Decoded> {
    let row = row(g, engine)?;
    if let Some((_, transfer)) = row.tile_transfer() {
        matrix_ops::tile_sizes(g, transfer);
    }
    let row = establish::establish(g, row);
    (0..RUNNING).for_each(|_| g.emit(row));
    Some(row)
}
