// SPDX-License-Identifier: Apache-2.0
//! Speed of the bench: random programs with the comparison and without, in turns.

use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::case::Case;
use crate::lockstep::{Lockstep, Setup};
use crate::random::random_case;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// Measurements of each kind; the median counts.
const ROUNDS: usize = 5;
/// Cases of one measurement.
const CASES: u64 = 8;

/// Speed on one thread, per second of wall-clock time.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Rate {
    pub instructions: f64,
    pub cycles: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    pub config: String,
    /// With the model and all comparisons.
    pub compared: Rate,
    /// The RTL alone.
    pub bare: Rate,
    /// `compared` / `bare`.
    pub ratio: f64,
}

/// Measures. Making the benches and the programs does not count.
///
/// # Errors
/// When RTL and model disagree.
pub fn measure(target: &Target) -> Result<Speed> {
    let cases: Vec<Case> = (0..CASES).map(|case| random_case(target, 0, case)).collect();
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (bare, rates) in [false, true].into_iter().zip(&mut rates) {
            rates.push(round(target, &cases, bare)?);
        }
    }
    let [compared, bare] = rates.map(median);
    let ratio = compared.cycles / bare.cycles.max(1.0);
    Ok(Speed { config: target.name().to_owned(), compared, bare, ratio })
}

fn round(target: &Target, cases: &[Case], bare: bool) -> Result<Rate> {
    let (mut instructions, mut cycles, mut seconds) = (0, 0, 0.0);
    for case in cases {
        let mut bench = Lockstep::new(target, ModelKind::Fast, &Setup { bare, ..case.setup.clone() })?;
        let start = Instant::now();
        let result = bench.run(&case.program).and_then(|()| bench.finish());
        seconds += start.elapsed().as_secs_f64();
        let counts = result.map_err(|failure| anyhow!("{}", report::text(target, &failure)))?;
        instructions += counts.retired;
        cycles += counts.cycles;
    }
    Ok(Rate { instructions: instructions as f64 / seconds, cycles: cycles as f64 / seconds })
}

fn median(mut rates: Vec<Rate>) -> Rate {
    rates.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
    rates.get(rates.len() / 2).copied().unwrap_or_default()
}
