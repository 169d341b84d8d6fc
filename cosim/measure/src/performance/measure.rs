// SPDX-License-Identifier: Apache-2.0
//! Cycles of one operation: back to back, and alone.

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::operations::{Class, Operation};
use crate::lockstep::bound;
use crate::lockstep::{Lockstep, Setup, Timing};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// Operations before the steady part, and in it.
const WARM: usize = 8;
const STEADY: usize = 32;

/// Cycles of one operation, zero-wait memories.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub config: String,
    /// Operation and its class.
    pub op: String,
    /// The fewest cycles that any such datapath can take (`bound::roofline`).
    pub roofline: u64,
    /// Cycles for each of many, back to back, on registers of their own.
    pub sustained: f64,
    /// Cycles from the issue handshake to the result handshake of a lone one.
    pub latency: u64,
    #[serde(skip)]
    pub lanes: u32,
    /// Which targets count.
    #[serde(skip)]
    pub class: Class,
}

/// Runs `operation`, in lockstep like everything else.
///
/// # Errors
/// When it does not assemble, traps, or RTL and model disagree.
pub fn measure(target: &Target, operation: &Operation) -> Result<Measured> {
    let assemble = |source: &str| golden::asm::assemble(&operation.name, source, &target.golden);
    let mut bench = Lockstep::new(target, ModelKind::Fast, &setup(target))?;
    let run = |words: &[u32], bench: &mut Lockstep| -> Result<Vec<Timing>> {
        bench.observers.timings = Some(Vec::new());
        let traps = bench.counts().traps;
        bench.run(words).map_err(|failure| anyhow!("{}: {}", operation.name, report::text(target, &failure)))?;
        if bench.counts().traps != traps {
            return Err(anyhow!("{}: {} traps", target.name(), operation.name));
        }
        Ok(bench.observers.timings.take().unwrap_or_default())
    };
    run(&assemble(&operation.setup)?, &mut bench)?;

    let lone = assemble(&(operation.instruction)(0))?;
    let roofline = bench.model().zip(lone.last()).map_or(0, |(model, &word)| bound::roofline(target, model, word));
    // The first one may still wait for what the CSR writes set off.
    run(&lone, &mut bench)?;
    let timing = run(&lone, &mut bench)?;
    let latency = timing.last().map_or(0, |t| t.retired - t.issued);

    let many: Result<Vec<Vec<u32>>, _> = (0..WARM + STEADY).map(|i| assemble(&(operation.instruction)(i))).collect();
    let timings = run(&many?.concat(), &mut bench)?;
    let cycles = timings.last().zip(timings.get(WARM - 1)).map_or(0, |(last, first)| last.retired - first.retired);
    let sustained = cycles as f64 / STEADY as f64;
    let (config, lanes) = (target.name().to_owned(), target.rtl.lanes);
    Ok(Measured { config, op: operation.name.clone(), roofline, sustained, latency, lanes, class: operation.class })
}

/// Different bytes in L1M, and no stalls.
pub fn setup(target: &Target) -> Setup {
    let l1m = (0..target.golden.l1m_bytes).map(|i| (i.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
    // An even seed: without poison, which makes idle inputs toggle.
    Setup { l1m, seed: 2, ..Setup::default() }
}
