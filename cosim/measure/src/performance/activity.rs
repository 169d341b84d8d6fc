// SPDX-License-Identifier: Apache-2.0
//! Operations whose waveforms tell how much of a unit moves.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::operations::{Operation, of_tensors};
use crate::lockstep::Lockstep;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::Target;
use crate::waveform;

/// Instructions before those that count, and those.
const WARM: usize = 8;
const STEADY: usize = 24;

/// Clock cycles without an instruction.
const IDLE: u64 = 200;

/// The operations, by how the name begins of the last one that is meant.
const NAMES: [&str; 6] =
    ["tl.addi", "tl.merge.0", "tl.concat.0 two halves", "tl.xpose.12", "tl.load dense", "tl.store dense"];

/// A run whose waveform is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    pub name: String,
    /// The clock cycles that count, those in reset included.
    pub start: u64,
    pub end: u64,
    /// Bytes of results in them.
    pub bytes: u64,
}

/// What [`run`] takes: some operations, and none for a unit that has nothing to do.
pub fn operations(target: &Target) -> Vec<Option<Operation>> {
    let mut all = of_tensors(target);
    let found = NAMES.iter().filter_map(|name| {
        let last = all.iter().rposition(|operation| operation.name.starts_with(name))?;
        Some(Some(all.remove(last)))
    });
    found.chain([None]).collect()
}

/// Runs an operation in lockstep and writes the waveform `wave`, from power-up on.
///
/// # Errors
/// When it does not assemble, traps, or RTL and model disagree.
pub fn run(target: &Target, operation: Option<&Operation>, wave: &Path) -> Result<Activity> {
    let name = operation.map_or("idle", |operation| operation.name.as_str());
    let assemble = |source: &str| golden::asm::assemble(name, source, &target.golden);
    let setup = super::measure::setup(target);
    let mut bench = Lockstep::new(target, ModelKind::Traced, &setup)?;
    bench.rtl().open_wave(wave)?;
    let reset = u64::from(setup.reset_cycles);
    let run = |words: &[u32], bench: &mut Lockstep| -> Result<u64> {
        bench.run(words).map_err(|failure| anyhow!("{name}: {}", report::text(target, &failure)))?;
        Ok(reset + bench.counts().cycles)
    };
    let many = |operation: &Operation, range: std::ops::Range<usize>| -> Result<Vec<u32>> {
        let parts: Result<Vec<Vec<u32>>, _> = range.map(|i| assemble(&(operation.instruction)(i))).collect();
        Ok(parts?.concat())
    };
    let (start, end, bytes) = match operation {
        Some(operation) => {
            run(&assemble(&operation.setup)?, &mut bench)?;
            let start = run(&many(operation, 0..WARM)?, &mut bench)?;
            let end = run(&many(operation, WARM..WARM + STEADY)?, &mut bench)?;
            let results = if operation.name.starts_with("tl.xpose") { 2 } else { 1 };
            (start, end, STEADY as u64 * results * u64::from(target.rtl.reg_bytes))
        }
        None => {
            // Zeros in all shapes: nothing is done but the set-up.
            let start = run(&assemble("csrrwi x0, ttype, 2\n")?, &mut bench)? + 64;
            bench.coast(64 + IDLE);
            (start, start + IDLE, 0)
        }
    };
    bench.rtl().close_wave();
    waveform::check(wave).with_context(|| name.to_owned())?;
    Ok(Activity { name: name.to_owned(), start, end, bytes })
}
