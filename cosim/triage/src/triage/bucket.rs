// SPDX-License-Identifier: Apache-2.0
//! Which failures have one cause, as far as their small cases tell: the same check, operation, field and engine, the
//! same places in a register that is loaded, and the same program up to registers and values.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::borrow::Cow;

use golden::decode::{Decoded, Engine, decode};

use crate::case::Case;
use crate::lockstep::failure::{Cause, Failure, Mismatch};
use crate::lockstep::mnemonics::mnemonic;
use crate::report::Bucket;
use crate::shrink::Signature;
use crate::triage::{compare, contents, evidence};
use crate::unit::target::Target;

/// The bucket of a failure: check, operation and field; the places in a register that is wrong after a load; what
/// executes the instruction; mnemonics, with letters for dimensions. `small` is its case when that was made
/// smaller: of a large one the program says nothing.
pub fn bucket(target: &Target, failure: &Failure, small: Option<&Case>) -> Bucket {
    let mnemonic = |&word: &u32| mnemonic(word, &target.golden).map_or(".word".into(), Cow::into_owned);
    let normal = |case: &Case| case.program.iter().map(mnemonic).map(|name| first_encoding(&name)).collect();
    let instruction = failure.at.map(|(_, word, _)| decode(word, &target.golden));
    let engine = instruction.and_then(Decoded::engine);
    let mut signature = Signature::of_failure(target, failure);
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
        block: engine.map_or("", engine_name).to_owned(),
        steps: small.map(normal).unwrap_or_default(),
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
