// SPDX-License-Identifier: Apache-2.0
//! Cases for bins of the first cycles after a reset. The bin says which program hits it, so nothing is searched for.

use golden::decode::{Decoded, Engine, decode, instructions};

use super::Goal;
use crate::base::draw::Draw;
use crate::case::Case;
use crate::coverage::history::{self, SINCE_RESET};
use crate::coverage::values::*;
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, NO_STALL, Plan};
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
    pub fn of(goal: &Goal) -> Option<AfterReset> {
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

/// Emits an instruction of this engine that has something to do, many times.
fn running(g: &mut Generator, engine: Engine) {
    let Some(row) = row(g, engine) else { return };
    if let Some((_, transfer)) = row.tile_transfer() {
        matrix_ops::tile_sizes(g, transfer);
    }
    let row = establish::establish(g, row);
    (0..RUNNING).for_each(|_| g.emit(row));
}
