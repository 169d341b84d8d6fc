// SPDX-License-Identifier: Apache-2.0
//! Where a single value comes from: how a CSR instruction makes it, or which instruction wrote it last.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::Outcome;
use golden::decode::{CsrOperation, CsrSource, Decoded, decode};

use super::evidence::{self, Evidence, Subject};
use crate::lockstep::failure::Mismatch;
use crate::random::host_program::MOST_INSTRUCTIONS;

/// Sentences about the value that the model has.
pub fn of_value(subject: &Subject, evidence: &Evidence, mismatch: &Mismatch) -> Vec<String> {
    if let Mismatch::X { number, .. } = mismatch {
        return last_written(subject, *number).into_iter().collect();
    }
    let Some((_, word, _)) = evidence.failure.at else { return Vec::new() };
    let before = &evidence.before;
    let Decoded::Csr(csr) = decode(word, before.config()) else { return Vec::new() };
    let (name, old) = (csr.csr.name(), before.csr.read(csr.csr));
    let (operand, source) = match csr.source {
        CsrSource::Register(rs) => (before.x(rs), format!("x{rs}")),
        CsrSource::Immediate(value) => (u32::from(value), "the immediate".to_owned()),
    };
    let (value, sum) = match csr.operation {
        CsrOperation::Write => (operand, format!("{source} = {operand:#010x}")),
        CsrOperation::Set => {
            (old | operand, format!("{old:#010x} | {operand:#010x} ({source}) = {:#010x}", old | operand))
        }
        CsrOperation::Clear => {
            (old & !operand, format!("{old:#010x} & ~{operand:#010x} ({source}) = {:#010x}", old & !operand))
        }
    };
    let kept = evidence.outcome.as_ref().and_then(|outcome| outcome.csr_write).map(|(_, value)| value);
    let mut notes = vec![format!("Before the instruction {name} is {old:#010x}; that goes to x{}.", csr.rd)];
    notes.push(match kept {
        None => format!("{name} is not written."),
        Some(kept) if kept == value => format!("{name} becomes {sum}."),
        Some(kept) => format!("{name} becomes {sum}, of which it keeps {kept:#010x}."),
    });
    notes
}

/// Which instruction wrote a host register last.
fn last_written(subject: &Subject, number: u8) -> Option<String> {
    let mut machine = evidence::start(subject.target, subject.case);
    let steps = (0..MOST_INSTRUCTIONS as usize).map_while(|index| subject.case.step(&mut machine, index));
    let writes = |(_, outcome): &(usize, Outcome)| outcome.gpr_write.is_some_and(|(x, _)| x == number);
    let (index, outcome) = steps.enumerate().filter(writes).last()?;
    let source = subject.target.disassemble(outcome.word);
    Some(format!("x{number} was last written by instruction {index}: {source}."))
}

/// For each address, the instruction of the program that stored to it last.
pub fn writers(subject: &Subject, addresses: &[usize]) -> Vec<String> {
    let mut machine = evidence::start(subject.target, subject.case);
    let mut writers = vec![String::from("nothing: it is as at the start"); addresses.len()];
    let steps = (0..MOST_INSTRUCTIONS as usize).map_while(|index| subject.case.step(&mut machine, index));
    for (index, Outcome { word, mem_writes, .. }) in steps.enumerate() {
        for (start, len) in mem_writes {
            let range = start as usize..start as usize + len as usize;
            for (writer, _) in writers.iter_mut().zip(addresses).filter(|(_, address)| range.contains(address)) {
                *writer = format!("instruction {index}: {}", subject.target.disassemble(word));
            }
        }
    }
    writers
}
