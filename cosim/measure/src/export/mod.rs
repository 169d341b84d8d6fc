// SPDX-License-Identifier: Apache-2.0
//! Cases as programs that check themselves, for systems without a bench. What a check expects is what the model
//! computes when it runs the program itself.

mod bodies;
mod body;
pub mod elf;
mod layout;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use golden::decode::{Decoded, Engine, decode};
use golden::hart::Segment;
use golden::{Config, Machine, Program, asm};
use serde::Serialize;

pub use bodies::Bodies;
pub use body::{Body, Source};
pub use layout::{End, Layout};

use crate::random::core_program::second_encoding;

/// Bytes of L1M and L0M that a program uses, at most.
pub const WINDOW: u32 = 4096;

/// Instructions that a program executes, at most.
const MOST: u64 = 1 << 24;

/// `beq x4, x5`, which compares a sum, but for the distance. Bodies have no branches.
const COMPARE: [u32; 2] = [0x01ff_f07f, 5 << 20 | 4 << 15 | 0x63];

/// What a check covers, for the manifest.
#[derive(Debug, Serialize)]
pub struct Check {
    /// The result of the program when this check is the first that fails.
    pub number: usize,
    #[serde(flatten)]
    pub about: Source,
    /// How often each instruction of the unit is executed.
    pub instructions: BTreeMap<&'static str, u32>,
    /// Instructions that trap.
    pub traps: u32,
}

/// A program that checks itself, and what each of its checks covers.
pub struct Exported {
    pub program: Program,
    pub checks: Vec<Check>,
}

/// The program of `bodies` for a system with this layout.
///
/// # Errors
/// When it is too long, or the model does not end it.
pub fn program(config: &Config, layout: &Layout, window: u32, bodies: Vec<Body>) -> Result<Exported> {
    let own = Layout::default();
    let made = on_model(config, &assemble(config, &own, window, &bodies)?)?;
    ensure!(made.len() == bodies.len(), "the model has made {} checks of {}", made.len(), bodies.len());
    let mut words = assemble(config, layout, window, &bodies)?;
    for Made { at, sum, .. } in &made {
        let low = sum << 20 >> 20;
        words[at - 2] |= sum.wrapping_add(0x800) & 0xffff_f000;
        words[at - 1] |= low << 20;
    }
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let segments = vec![Segment { address: layout.base, bytes, zeros: 0 }];
    let checks = bodies.into_iter().zip(made).enumerate().map(|(i, (body, made))| Check {
        number: i + 1,
        about: body.about,
        instructions: made.instructions,
        traps: made.traps,
    });
    Ok(Exported { program: Program { entry: layout.base, segments, end: None }, checks: checks.collect() })
}

fn assemble(config: &Config, layout: &Layout, window: u32, bodies: &[Body]) -> Result<Vec<u32>> {
    let words = asm::assemble("export", &layout::text(config, layout, window, bodies), config)?;
    let encoded = |word| if config.gpr_rs1 { second_encoding(word, config) } else { word };
    Ok(words.into_iter().map(encoded).collect())
}

/// A check as the model makes it.
#[derive(Default)]
struct Made {
    /// Index of the word that compares.
    at: usize,
    sum: u32,
    /// Of the unit, by their mnemonic, since the check before.
    instructions: BTreeMap<&'static str, u32>,
    traps: u32,
}

/// Runs a program without sums on the model.
fn on_model(config: &Config, words: &[u32]) -> Result<Vec<Made>> {
    let mut model = Machine::new(config);
    model.load(&Program::from_words(words))?;
    let (mut checks, mut now) = (Vec::new(), Made::default());
    for _ in 0..MOST {
        let pc = model.hart.pc;
        let at = pc as usize / 4;
        let word = words.get(at).copied().unwrap_or_default();
        if word & COMPARE[0] == COMPARE[1] {
            (now.at, now.sum) = (at, model.x(4));
            model.set_x(5, now.sum);
            checks.push(std::mem::take(&mut now));
        }
        // The model's host has 32 bits. Here it is the one of a stream, which knows what a case needs of 64 bits.
        let wide = config.xlen == 64 && matches!(decode(word, config), Decoded::Host(_));
        let Ok(outcome) = (if wide { Ok(model.step(word)) } else { model.step_program() }) else { break };
        let decoded = decode(word, config);
        if decoded.engine().is_some_and(|engine| engine != Engine::Host) {
            decoded.mnemonic().into_iter().for_each(|mnemonic| *now.instructions.entry(mnemonic).or_default() += 1);
        }
        now.traps += u32::from(outcome.trap.is_some());
    }
    let code = model.hart.exit.context("the model has not ended the program: use fewer cases")?;
    ensure!(code == 0, "the model ends the program with {code}");
    Ok(checks)
}
