// SPDX-License-Identifier: Apache-2.0
//! `cosim check faults`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use golden::decode::{Decoded, decode};

use super::options::FaultOptions;
use crate::base::output::say;
use crate::base::table;
use crate::case::replay::{self, Identity};
use crate::case::{Case, Origin};
use crate::random::random_case;
use crate::run::regression;
use crate::shrink::{Budget, Shrunk, Signature, in_process, shrink};
use crate::unit::ModelKind;
use crate::unit::faults::FAULTS;
use crate::unit::target::{Target, Workshop};

/// `cosim check faults`: lists them, or finds a failing case for each and makes it smaller.
///
/// # Errors
/// When a fault is unknown or not found, its failure does not come again, or something cannot be written.
pub fn faults(workshop: &Workshop, options: &FaultOptions) -> Result<bool> {
    if options.shrink {
        return table_of_faults(workshop, options);
    }
    let mut table = table::table(&["fault", "file", "what is wrong"], 3);
    for fault in FAULTS.iter() {
        table.add_row([fault.id.to_string(), fault.file.clone(), fault.description.clone()]);
    }
    say!("{table}")?;
    for misfit in workshop.with_faults()?.models.faults_not_planted()? {
        say!("NOT PLANTED: {misfit}")?;
    }
    Ok(true)
}

/// Instructions in which a planted fault must show.
const BUDGET: u64 = 30_000;

struct Line {
    fault: u32,
    case: u64,
    failure: String,
    shrunk: Shrunk,
}

/// Finds a failing case for every planted fault, or those chosen, makes it smaller, and prints a table.
fn table_of_faults(workshop: &Workshop, options: &FaultOptions) -> Result<bool> {
    let FaultOptions { only, seed, .. } = options;
    for &fault in only {
        workshop.with_fault("tiny", fault)?;
    }
    let target = workshop.with_faults()?;
    target.models.get(ModelKind::Faults)?;
    let chosen: Vec<u32> = FAULTS.iter().map(|f| f.id).filter(|id| only.is_empty() || only.contains(id)).collect();
    let bar = table::progress("faults", chosen.len() as u64);
    let mut lines = Vec::new();
    for fault in chosen {
        let line = line(&target, *seed, fault)?;
        if let Some(folder) = &options.save {
            save(workshop, folder, *seed, &line)?;
        }
        lines.push(line);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut table = table::table(&["fault", "failure", "before", "after", "state", "runs", "seconds"], 2);
    for Line { fault, failure, shrunk, .. } in &lines {
        table.add_row([
            fault.to_string(),
            failure.clone(),
            shrunk.before.to_string(),
            shrunk.case.program.len().to_string(),
            shrunk.case.preload.len().to_string(),
            shrunk.runs.to_string(),
            format!("{:.1}", shrunk.elapsed.as_secs_f64()),
        ]);
    }
    say!("{table}")?;
    let mut sizes: Vec<usize> = lines.iter().map(|line| line.shrunk.case.program.len()).collect();
    sizes.sort_unstable();
    let slowest = lines.iter().map(|line| line.shrunk.elapsed).max().unwrap_or_default();
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
    let worst = sizes.last().copied().unwrap_or_default();
    say!("instructions beside the state: median {median}, worst {worst}; slowest {:.1} s", slowest.as_secs_f64())?;
    Ok(true)
}

/// Configuration of the replay files with matrix instructions, which `tiny` has with planted faults only.
const MATRIX: &str = "w16";

/// Writes the replay file of a case as it is without planted faults.
fn save(workshop: &Workshop, folder: &Path, seed: u64, line: &Line) -> Result<()> {
    let case = &line.shrunk.case;
    let all = workshop.with_faults()?;
    let matrix = case.words().iter().any(|&word| matches!(decode(word, &all.golden), Decoded::Matrix(_)));
    let target = workshop.target(if matrix { MATRIX } else { "tiny" })?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let origin = Origin { seed, case: line.case, fault: 0 };
    replay::save(&folder.join(format!("fault{:02}.json", line.fault)), &Identity::new(&target), origin, case)
}

fn line(target: &Target, seed: u64, fault: u32) -> Result<Line> {
    let jobs = table::processors();
    let plan = regression::Plan { seed, instructions: BUDGET, jobs, fault };
    let failed = regression::run(target, &plan, |_| ()).failed;
    let failed =
        failed.with_context(|| format!("fault {fault} does not show in {BUDGET} instructions of seed {seed}"))?;
    let number = failed.job.number;
    let case = random_case(target, seed, number);
    let mut run = |case: &Case| Ok(in_process(target, fault, case));
    let shrunk = shrink(target, &case, failed.failure, Budget::default(), &mut run)?;
    let again = in_process(target, fault, &shrunk.case);
    let origin = Origin { seed, case: number, fault };
    ensure!(again.is_some(), "{}: the smaller case passes", origin.name(target.name()));
    Ok(Line { fault, case: number, failure: Signature::of_failure(target, &shrunk.failure).to_string(), shrunk })
}
