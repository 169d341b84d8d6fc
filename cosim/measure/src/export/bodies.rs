// SPDX-License-Identifier: Apache-2.0
//! The cases of exported programs: random ones, ones for bins, pairs, and operators in turn.

use anyhow::{Context, Result};
use golden::decode::{Decoded, Register, decode};
use golden::{Config, Machine, Trap, asm};

use super::body::{Body, Source};
use super::{WINDOW, layout};
use crate::base::draw::Draw;
use crate::coverage::bins::Bins;
use crate::coverage::steer::Goal;
use crate::coverage::steer::case::{self, Needs};
use crate::pairs::Pairs;
use crate::random::core_program::known_to_core;
use crate::random::generator::Generator;
use crate::random::{operator_ops, program};
use crate::unit::target::Target;

/// Words of a random case, at least.
const LENGTH: usize = 60;
/// Words of any case, at most: programs go into small memories.
const MOST: usize = 400;

/// Writes case after case.
pub struct Bodies {
    /// The unit with memories of the size of the window.
    target: Target,
    pub window: u32,
    seed: u64,
    number: u64,
    bins: Bins,
    ids: Vec<usize>,
    pairs: Pairs,
}

impl Bodies {
    pub fn new(target: &Target, seed: u64) -> Bodies {
        let mut target = target.clone();
        let window = WINDOW.min(target.golden.l1m_bytes).min(target.golden.l0m_bytes);
        for size in [
            &mut target.golden.l1m_bytes,
            &mut target.golden.l0m_bytes,
            &mut target.rtl.l1m_bytes,
            &mut target.rtl.l0m_bytes,
        ] {
            *size = window;
        }
        let bins = Bins::new(&target);
        let stream = |&id: &usize| Goal::of_bin(&bins, id).is_some_and(|goal| Needs::for_goal(&goal).stream());
        let ids = bins.possible().filter(stream).collect();
        let pairs = Pairs::new(&target);
        Bodies { target, window, seed, number: 0, bins, ids, pairs }
    }

    /// The next `count` cases, for one program.
    ///
    /// # Errors
    /// When the configuration has no such cases.
    pub fn take(&mut self, count: usize) -> Result<Vec<Body>> {
        let config = self.target.golden.clone();
        let restart = asm::assemble("restart", &layout::reset_csrs(&config), &config)?;
        let mut model = Machine::new(&config);
        let body = |_| {
            let (about, words) = self.draw()?;
            restart.iter().for_each(|&word| drop(model.step(word)));
            (1..32).for_each(|i| model.set_x(i, 0));
            let (words, written) = filtered(&config, &mut model, words);
            Ok(Body { about, words, written })
        };
        (0..count).map(body).collect()
    }

    fn draw(&mut self) -> Result<(Source, Vec<u32>)> {
        let (target, seed, number) = (&self.target, self.seed, self.number);
        self.number += 1;
        let mut draw = Draw::new(seed, &format!("{} exported", target.name()), number);
        Ok(match number % 4 {
            0 => {
                let g = Generator::new(target, &mut draw, [&[], &[]]);
                (Source::Random(number), program::program(g, LENGTH, number))
            }
            1 => {
                let id = *self.ids.get(draw.below(self.ids.len() as u32) as usize).context("there are no bins")?;
                (Source::Bin(self.bins.name(id)), case::new(target, &self.bins, seed, number, &[id]).program)
            }
            2 => {
                let mut any = std::iter::repeat_with(|| draw.u64() % self.pairs.count());
                let pair = any.find(|&pair| self.pairs.stream(pair)).context("there are no pairs")?;
                (Source::Pair(self.pairs.name(pair)), self.pairs.case(target, seed, pair).program)
            }
            _ => {
                let mut g = Generator::new(target, &mut draw, [&[], &[]]);
                operator_ops::operator(&mut g);
                (Source::Operator(number), g.into_words())
            }
        })
    }
}

/// The words that every core has alike, and that stay inside of the window; and the TLRegs that they write. Behind
/// CV-X-IF a load or store that faults is no trap of the core.
fn filtered(config: &Config, model: &mut Machine, words: Vec<u32>) -> (Vec<u32>, Vec<u8>) {
    let (mut kept, mut written) = (Vec::new(), Vec::new());
    for word in words.into_iter().filter_map(|word| known_to_core(config, word)) {
        if kept.len() == MOST {
            break;
        }
        let outcome = model.step(word);
        if outcome.trap.is_some() {
            // The handler leaves them so.
            (29..32).for_each(|i| model.set_x(i, model.x(i)));
        }
        if outcome.trap.is_some_and(|trap| trap.cause != Trap::ILLEGAL) {
            continue;
        }
        kept.push(word);
        let decoded = decode(word, config);
        if outcome.trap.is_none() && matches!(decoded, Decoded::Tensor(_)) {
            written.extend(decoded.operands().writes().filter_map(|register| match register {
                Register::Tl(tl) if tl != 0 => Some(tl),
                _ => None,
            }));
        }
    }
    written.sort_unstable();
    written.dedup();
    (kept, written)
}
