// SPDX-License-Identifier: Apache-2.0
//! Which failures have one cause, as far as their small cases tell: the same check, operation, field and engine, the
//! same places in a register that is loaded, and the same program up to registers and values.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::borrow::Cow;

use golden::decode::{Decoded, Engine, decode};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::lockstep::failure::{Cause, Failure, Mismatch};
use crate::lockstep::mnemonics::mnemonic;
use crate::shrink::Signature;
use crate::triage::{compare, contents, evidence};
use crate::unit::target::Target;

/// What the failures of a bucket have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bucket {
    /// Check, operation and field, as text.
    pub signature: String,
    /// Which parts of a register are wrong after a load; empty when something else is wrong, and when the case was not
    /// made smaller.
    pub places: String,
    /// What executes the instruction that failed; empty when none did.
    pub engine: String,
    /// The program in its normal form: mnemonics, with letters for dimensions. Empty when the case was not made
    /// smaller.
    pub program: Vec<String>,
}

impl Bucket {
    /// The bucket of a failure. `small` is its case when that was made smaller: of a large one the program says
    /// nothing.
    pub fn of(target: &Target, failure: &Failure, small: Option<&Case>) -> Bucket {
        let mnemonic = |&word: &u32| mnemonic(word, &target.golden).map_or(".word".into(), Cow::into_owned);
        let normal = |case: &Case| case.program.iter().map(mnemonic).map(|name| first_encoding(&name)).collect();
        let instruction = failure.at.map(|(_, word, _)| decode(word, &target.golden));
        let engine = instruction.and_then(Decoded::engine);
        let mut signature = Signature::of(target, failure);
        match (instruction, &failure.cause) {
            // Which CSR is an operand like others.
            (Some(Decoded::Csr(csr)), Cause::Mismatch(Mismatch::Csr { name, .. })) if csr.csr.name() == *name => {
                signature.field = "the CSR that it names".into();
            }
            // Which trap, and on which side, follows from the values.
            (_, Cause::Mismatch(Mismatch::Trap { .. })) => signature.field.clear(),
            (_, _) => {}
        }
        Bucket {
            signature: signature.to_string(),
            places: small.map(|small| places(target, failure, small)).unwrap_or_default(),
            engine: engine.map_or("", engine_name).to_owned(),
            program: small.map(normal).unwrap_or_default(),
        }
    }

    /// The signature, and which parts of a register are wrong.
    pub fn way(&self) -> String {
        let places = if self.places.is_empty() { String::new() } else { format!(", wrong in {}", self.places) };
        format!("{}{places}", self.signature)
    }

    /// The program on one line.
    pub fn program_text(&self) -> String {
        if self.program.is_empty() { "not made smaller".into() } else { self.program.join("; ") }
    }
}

/// The mnemonic of the first encoding of an instruction: which of two it has is an operand like others.
fn first_encoding(mnemonic: &str) -> String {
    let name = mnemonic.strip_suffix(".rs1").unwrap_or(mnemonic);
    name.strip_prefix("tl.").filter(|name| name.starts_with("csr")).unwrap_or(name).to_owned()
}

/// Where the contents of a register are wrong, after a load.
fn places(target: &Target, failure: &Failure, case: &Case) -> String {
    let (Cause::Mismatch(mismatch), Some((_, word, _))) = (&failure.cause, failure.at) else { return String::new() };
    let before = evidence::before(target, case, failure);
    contents::wrong_places(&before, word, mismatch, compare::datapath(target)).join(" and ")
}

pub fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Host => "host",
        Engine::Csr => "CSRs",
        Engine::Load => "load engine",
        Engine::Store => "store engine",
        Engine::Move => "move engine",
        Engine::Xpose => "transpose engine",
        Engine::MatrixLoad | Engine::MatrixStore | Engine::MatrixConfig => "matrix engine",
    }
}
