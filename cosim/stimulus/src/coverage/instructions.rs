// SPDX-License-Identifier: Apache-2.0
//! What every instruction of the decoder must have before a green result means anything for it: a bin, stimulus, and a
//! planted fault of its own.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::collections::BTreeMap;

use golden::decode::{Decoded, Engine, instructions};

use super::bins::Bins;
use super::facts;
use super::values::{Axis, CSR_STANDARD, FORM_FIRST, Value};
use crate::lockstep::mnemonics::Mnemonics;
use crate::unit::faults::Fault;
use crate::unit::target::Target;

/// The axes of the coverage table that tell instructions apart.
pub const KINDS: [Axis; 7] = [Axis::Op, Axis::Form, Axis::CsrKind, Axis::CsrForm, Axis::Mx, Axis::MxSize, Axis::MxSet];

/// What some instruction of the unit lacks, a line each, with the file in which it is to be put right: bins, and faults
/// that are planted for it alone. Instructions of the host are not executed by the unit.
pub fn without_bin_or_fault(target: &Target, bins: &Bins, faults: &[Fault]) -> Vec<String> {
    let mut lacking = Vec::new();
    let mut owners: BTreeMap<Vec<Value>, &str> = BTreeMap::new();
    for instruction in instructions(&target.golden).filter(|instruction| instruction.engine() != Some(Engine::Host)) {
        let Some(mnemonic) = instruction.mnemonic() else { continue };
        let kind = kind(target, instruction);
        if kind.is_empty() || !binned(bins, &kind) {
            lacking.push(format!(
                "{mnemonic} has no coverage bin: cosim/stimulus/src/coverage/{{values,table*,facts/*}}.rs"
            ));
        } else if let Some(other) = owners.insert(kind, mnemonic) {
            lacking.push(format!(
                "{mnemonic} counts as {other}, and has no coverage bin: cosim/stimulus/src/coverage/facts/"
            ));
        }
        if !faults.iter().any(|fault| fault.of.as_deref() == Some(mnemonic)) {
            lacking.push(format!("{mnemonic} has no planted fault of its own: cosim/lockstep/src/unit/faults.json"));
        }
    }
    lacking
}

/// The instructions that were never issued, a line each.
pub fn without_stimulus(target: &Target, issued: &Mnemonics) -> Vec<String> {
    let known = instructions(&target.golden).filter_map(Decoded::mnemonic);
    let never = known.filter(|mnemonic| issued.uses(mnemonic).issued == 0);
    never
        .map(|mnemonic| format!("{mnemonic} has no stimulus, it was never issued: cosim/stimulus/src/random/"))
        .collect()
}

/// What the instruction is in the words of the table; that an encoding is the draft's tells nothing apart.
fn kind(target: &Target, instruction: Decoded) -> Vec<Value> {
    let known = facts::kind(target, instruction);
    let values = KINDS.into_iter().filter_map(|axis| Some(Value { axis, index: known.index(axis)? }));
    values.filter(|value| ![FORM_FIRST, CSR_STANDARD].contains(value)).collect()
}

/// Whether a bin that can occur asks for all of these values.
fn binned(bins: &Bins, kind: &[Value]) -> bool {
    let asks = |id: usize| {
        let Some((group, cell)) = bins.bin(id) else { return false };
        let given = |value: &Value| group.given.iter().filter(|other| other.axis == value.axis).eq([value]);
        kind.iter().all(|value| cell.has(*value) || given(value))
    };
    bins.possible().any(asks)
}
