// SPDX-License-Identifier: Apache-2.0
//! `cosim shrink`, and the table of `cosim faults --shrink`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use golden::decode::{Decoded, decode};

use crate::base::output::{self, say};
use crate::base::table;
use crate::case::Case;
use crate::case::Origin;
use crate::case::replay::{self, Identity, Replay};
use crate::run::regression;
use crate::run::worker::{Isolation, SelfTest};
use crate::shrink::{Budget, Shrunk, Signature, in_process, shrink};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::fault_table::FAULTS;
use crate::unit::target::{RtlOptions, Target, Workshop};

/// How long shrinking may take.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct BudgetOptions {
    /// Most runs of the case
    #[arg(long, default_value_t = Budget::default().runs)]
    pub runs: u64,
    /// Most seconds; a result that was cut short by them may differ from machine to machine
    #[arg(long, default_value_t = Budget::default().time.as_secs())]
    pub seconds: u64,
}

impl From<BudgetOptions> for Budget {
    fn from(BudgetOptions { runs, seconds }: BudgetOptions) -> Budget {
        Budget { runs, time: Duration::from_secs(seconds) }
    }
}

/// Options of `cosim shrink`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Replay file of a failing case
    pub file: PathBuf,
    /// Write the replay file of the smaller case here [default: FILE with .small.json in place of .json]
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub budget: BudgetOptions,
    /// Seconds without an answer after which a run has crashed
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub watchdog: u64,
    /// End the process of the case on purpose, to prove that this is made smaller, too: HOW:MNEMONIC
    #[arg(long, hide = true)]
    pub self_test: Option<SelfTest>,
}

/// `cosim shrink`: gives whether the case passes, in which case there is nothing to shrink.
///
/// # Errors
/// When the file cannot be replayed, or the result cannot be written.
pub fn run(workshop: &Workshop, options: &Options) -> Result<bool> {
    let workshop = workshop.with(&options.rtl)?;
    let Replay { target, origin, case, notes } = Replay::load(&workshop, &options.file)?;
    for note in notes {
        output::log(&format!("cosim: note: {note}"));
    }
    let identity = Identity::new(&target);
    let mut worker = Isolation::new(options.watchdog, options.self_test.clone())?.worker(&target, origin.fault != 0);
    let mut run = |case: &Case| worker.case(&identity, origin, case);
    let Some(failure) = run(&case)? else {
        say!("{}: the case passes: there is nothing to shrink", target.name())?;
        return Ok(true);
    };
    let shrunk = shrink(&target, &case, failure, options.budget.into(), &mut run)?;
    let output = options.output.clone().unwrap_or_else(|| options.file.with_extension("small.json"));
    replay::save(&output, &identity, origin, &shrunk.case)?;
    let failure = worker.track(replay::text(&identity, origin, &shrunk.case)?, shrunk.failure.clone())?;
    output::text(&report::text(&target, &failure))?;
    say!("  shrunk   {}", shrunk.summary())?;
    say!("  replay   cosim replay {}", output.display())?;
    Ok(false)
}

/// Instructions in which a planted fault must show.
const BUDGET: u64 = 30_000;

/// A line of the table.
struct Line {
    fault: u32,
    case: u64,
    failure: String,
    shrunk: Shrunk,
}

/// Options of `cosim faults`.
#[derive(Debug, clap::Args)]
pub struct FaultOptions {
    /// The default: list them
    #[arg(long)]
    pub list: bool,
    /// Find a failing case for each, make it smaller, and print how small it gets
    #[arg(long, conflicts_with = "list")]
    pub shrink: bool,
    /// With --shrink: these faults alone, with commas between them
    #[arg(long, value_delimiter = ',', requires = "shrink")]
    pub only: Vec<u32>,
    /// With --shrink: seed of the random cases
    #[arg(long, default_value_t = 1, requires = "shrink")]
    pub seed: u64,
    /// With --shrink: write a replay file of each smaller case, without the fault, to this folder
    #[arg(long, requires = "shrink")]
    pub save: Option<PathBuf>,
}

/// Finds a failing case for every planted fault, or those chosen, makes it smaller, and prints a table.
///
/// # Errors
/// When a fault is unknown or not found, its failure does not come again, or a file cannot be written.
pub fn table_of_faults(workshop: &Workshop, options: &FaultOptions) -> Result<bool> {
    let FaultOptions { only, seed, .. } = options;
    for &fault in only {
        workshop.with_fault("tiny", fault)?;
    }
    let target = workshop.with_faults()?;
    target.models.make(ModelKind::Faults)?;
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
    let case = Case::new(target, seed, number);
    let mut run = |case: &Case| Ok(in_process(target, fault, case));
    let shrunk = shrink(target, &case, failed.failure, Budget::default(), &mut run)?;
    let again = in_process(target, fault, &shrunk.case);
    let origin = Origin { seed, case: number, fault };
    ensure!(again.is_some(), "{}: the smaller case passes", origin.name(target.name()));
    Ok(Line { fault, case: number, failure: Signature::of(target, &shrunk.failure).to_string(), shrunk })
}
