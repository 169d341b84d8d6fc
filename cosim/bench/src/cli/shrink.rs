// SPDX-License-Identifier: Apache-2.0
//! `cosim shrink`, and the table of `cosim check faults --shrink`.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::options::ShrinkOptions;
use crate::base::output::{self, say};
use crate::case::Case;
use crate::case::replay::{self, Identity, Replay};
use crate::shrink::{Budget, shrink};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::Workshop;

/// `cosim shrink`: gives whether the case passes, in which case there is nothing to shrink.
pub fn run(workshop: &Workshop, options: &ShrinkOptions) -> Result<bool> {
    let workshop = workshop.with(&options.rtl)?;
    let (Replay { target, origin, case, notes }, _) = Replay::load(&workshop, &options.file)?;
    make_all(std::slice::from_ref(&target), ModelKind::for_run(origin.fault, false))?;
    for note in notes {
        output::log(&format!("cosim: note: {note}"));
    }
    let identity = Identity::new(&target);
    let isolation = options.process.isolation();
    let mut worker = isolation.worker(&target, origin.fault != 0);
    let mut run = |case: &Case| worker.case(&identity, origin, case);
    let Some(failure) = run(&case)? else {
        say!("{}: the case passes: there is nothing to shrink", target.name())?;
        return Ok(true);
    };
    let time = options.budget.seconds.map_or(isolation.budget().time, Duration::from_secs);
    let budget = Budget { runs: options.budget.runs, time };
    let shrunk = shrink(&target, &case, failure, budget, &mut run)?;
    let failure = worker.track(replay::text(&identity, origin, &shrunk.case)?, shrunk.failure.clone())?;
    output::text(&report::text(&target, &failure))?;
    say!("  shrunk   {}", shrunk.summary())?;
    let output = options.output.clone().unwrap_or_else(|| options.file.with_extension("small.json"));
    replay::save(&output, &identity, origin, &shrunk.case)?;
    say!("  replay   {}", target.replay(Path::new(""), &output))?;
    Ok(false)
}
