// SPDX-License-Identifier: Apache-2.0
//! The decoders of the RTL against those of the model, on every word of their opcodes.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod matrix;
mod tensor;

use std::fmt::Debug;

use anyhow::Result;
use golden::decode::Isa;

use crate::unit::target::Target;
use crate::unit::{ModelKind, factory};

pub use matrix::MatrixRow;
pub use tensor::TensorRow;

/// Words of an opcode: all values of bits 31 to 7.
pub const WORDS: u32 = 1 << 25;

/// The columns of the decoder of one family of instructions, in one word as the bridge packs them.
pub trait Columns: Copy + Debug + PartialEq + From<u64> {
    const OPCODE: u32;
    const FAMILY: &'static str;
    /// What a word can be.
    const KINDS: &'static [&'static str];

    const MODEL: ModelKind;
    /// What the word is: an index of [`Columns::KINDS`].
    fn kind(&self) -> usize;
    fn of_model(word: u32, isa: Isa) -> Self;
}

/// A word that the two sides decode differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<R> {
    pub word: u32,
    pub rtl: R,
    pub model: R,
}

#[derive(Clone, Debug)]
pub struct Sweep<R> {
    pub compared: u64,
    /// Of those, the ones that the sides decode differently.
    pub different: u64,
    /// The first few of them.
    pub first: Vec<Difference<R>>,
    /// How many words the RTL takes for what: kind and number.
    pub counts: Vec<(&'static str, u64)>,
}

pub fn compare<R: Columns>(target: &Target, progress: impl Fn(u64)) -> Result<Sweep<R>> {
    const CHUNK: u32 = 1 << 16;
    const SHOWN: usize = 8;
    let isa = Isa::from(&target.golden);
    // Declared before the decoder, whose code it is.
    let library = target.models.get(R::MODEL)?;
    let mut decoder = factory::decoder(&library)?;
    let mut rows = vec![0; CHUNK as usize];
    let counts = R::KINDS.iter().map(|kind| (*kind, 0)).collect();
    let mut sweep = Sweep { compared: 0, different: 0, first: Vec::new(), counts };
    for start in (0..WORDS).step_by(CHUNK as usize) {
        // SAFETY: the pointer is that of the vector.
        unsafe { decoder.pin_mut().decode(start << 7 | R::OPCODE, 1 << 7, rows.as_mut_ptr(), rows.len()) };
        for (i, &row) in (start..).zip(&rows) {
            let word = i << 7 | R::OPCODE;
            let (rtl, model) = (R::from(row), R::of_model(word, isa));
            sweep.compared += 1;
            if let Some((_, count)) = sweep.counts.get_mut(rtl.kind()) {
                *count += 1;
            }
            if rtl != model {
                sweep.different += 1;
                if sweep.first.len() < SHOWN {
                    sweep.first.push(Difference { word, rtl, model });
                }
            }
        }
        progress(CHUNK.into());
    }
    Ok(sweep)
}
