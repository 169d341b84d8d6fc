// SPDX-License-Identifier: Apache-2.0
//! Mutation score: blind mutants of the RTL's netlist, and whether the bench tells them from the model.

mod hunt;
mod library;
mod netlist;
mod prove;
mod report;
mod review;
mod sequential;
mod tools;
pub mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::commands::{default_jobs, save_json};
use crate::cycles;
use crate::parallel;
use crate::table;
use crate::target::Target;
use hunt::Found;
use netlist::Mutant;
use report::{Entry, Report, Verdict};
use review::Review;
use sequential::{Checker, Finding};
use tools::Tools;

/// Cases for every mutant. Most die in the first; what is left is worth a proof, and a model of its own.
const FIRST_CASES: u64 = 16;

/// Killed mutants that the prover must not find equivalent, about.
const AUDITED: usize = 10;

/// List of reviewed survivors of this project.
const REVIEWED: &str = "tests/mutants.json";

/// Options of `cosim mutate`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Configuration
    #[arg(long, default_value = "tiny")]
    pub config: String,
    /// Mutants, 1 to 65535
    #[arg(long, default_value_t = 1000)]
    pub count: u64,
    /// Seed of the choice of mutants, and of the stimulus
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only mutants of this module
    #[arg(long)]
    pub module: Option<String>,
    /// Run only these mutants of the list, with commas between them
    #[arg(long, value_delimiter = ',')]
    pub mutant: Vec<u32>,
    /// Random cases of 256 instructions that a survivor must have seen
    #[arg(long, default_value_t = 4096)]
    pub cases: u64,
    /// Seconds for the model checker on the whole unit for each mutant that is left at the end; 0: no model checker. Parts
    /// of the unit that are looked at before have a fifth of that each
    #[arg(long, default_value_t = 120)]
    pub check: u64,
    /// Processes
    #[arg(long, default_value_t = default_jobs())]
    pub jobs: usize,
    /// List of survivors that were looked at, with the reason why nothing tells them [default: tests/mutants.json, if it
    /// is there]
    #[arg(long)]
    pub reviewed: Option<PathBuf>,
    /// Write verdicts to this file (JSON; - for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Keep netlists, libraries and proofs in this folder
    #[arg(long)]
    pub work: Option<PathBuf>,
    /// Fail when the score is below this, in percent
    #[arg(long)]
    pub at_least: Option<f64>,
}

/// `cosim mutate`.
///
/// # Errors
/// For an unknown configuration or module, and when a tool is missing or fails.
pub fn run(options: &Options) -> Result<bool> {
    let start = Instant::now();
    ensure!(
        (1..=netlist::MOST).contains(&options.count),
        "--count is {}; allowed: 1 to {}",
        options.count,
        netlist::MOST
    );
    ensure!(options.cases > 0, "--cases is 0; allowed: 1 and more");
    let target = netlist::target(&options.config)?;
    let tools = Tools::find()?;
    let reviewed = options.reviewed.as_deref().or_else(|| Some(Path::new(REVIEWED)).filter(|path| path.exists()));
    let review = reviewed.map_or_else(|| Ok(Review::default()), Review::read)?;
    let temporary =
        if options.work.is_some() { None } else { Some(tempfile::tempdir().context("no temporary folder")?) };
    let folder = match (&options.work, &temporary) {
        (Some(work), _) => work.as_path(),
        (None, Some(temporary)) => temporary.path(),
        (None, None) => bail!("no folder to work in"),
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let folder = &folder.canonicalize()?;

    let listed = netlist::list(&tools, &target, folder, options.count, options.seed, options.module.as_deref())?;
    if let Some(unknown) = options.mutant.iter().find(|&&id| id == 0 || id as usize > listed.len()) {
        bail!("the list has no mutant {unknown}; it has 1 to {}", listed.len());
    }
    let unknown = review.unknown(&listed);
    let chosen = |m: &Mutant| options.mutant.is_empty() || options.mutant.contains(&m.id);
    let mutants: Vec<Mutant> = listed.into_iter().filter(chosen).collect();
    let run = Run { options, target: &target, tools: &tools, folder, review: &review };
    let entries = run.judge(mutants)?;
    let report = Report::new(target.name(), [options.seed, options.cases], entries);
    print!("{}", report.text(&target));
    println!("{}: seed {}, {:.0} s", target.name(), options.seed, start.elapsed().as_secs_f64());
    if let Some(path) = &options.json {
        save_json(path, &report)?;
    }
    if let Some(path) = reviewed.filter(|_| unknown > 0 && options.module.is_none()) {
        println!("{}: {unknown} entries are of no mutant of this list", path.display());
    }
    Ok(report.wrong() == 0 && options.at_least.is_none_or(|least| report.total.percent() >= least))
}

struct Run<'a> {
    options: &'a Options,
    target: &'a Target,
    tools: &'a Tools,
    folder: &'a Path,
    review: &'a Review,
}

impl Run<'_> {
    /// Runs, proves, and runs again what is left.
    fn judge(&self, mutants: Vec<Mutant>) -> Result<Vec<Entry>> {
        let Options { cases, jobs, .. } = *self.options;
        let first = FIRST_CASES.min(cases);
        let all: Vec<&Mutant> = mutants.iter().collect();
        let mut found = self.round(&all, 0, first)?;
        let (left, killed): (Vec<&Mutant>, Vec<&Mutant>) = all.iter().copied().partition(|m| survived(&found, m.id));
        self.audit(&killed)?;
        let bar = step("proofs", left.len());
        let proven = prove::equivalent(self.tools, self.folder, &left, jobs, || bar.inc(1))?;
        bar.finish_and_clear();
        let left: Vec<&Mutant> = left.into_iter().filter(|m| !proven.contains(&m.id)).collect();
        if first < cases && !left.is_empty() {
            for (id, later) in self.round(&left, first, cases)? {
                found.entry(id).and_modify(|one| one.go_on(&later)).or_insert(later);
            }
        }
        let seed = self.options.seed;
        let mut entries: Vec<Entry> = mutants.into_iter().map(|mutant| entry(seed, mutant, &found, &proven)).collect();
        self.check(&mut entries)?;
        for entry in &mut entries {
            entry.because = self.review.because(&entry.mutant).map(str::to_owned);
            if entry.verdict == Verdict::Survived && entry.witness.is_none() && entry.because.is_some() {
                entry.verdict = Verdict::Argued;
            }
        }
        Ok(entries)
    }

    /// Asks the model checker about what is left: a proof, or what would tell it.
    fn check(&self, entries: &mut [Entry]) -> Result<()> {
        if self.options.check == 0 || self.tools.abc.is_none() {
            return Ok(());
        }
        let limit = Duration::from_secs(self.options.check);
        let left: Vec<&mut Entry> = entries.iter_mut().filter(|entry| entry.verdict == Verdict::Survived).collect();
        if left.is_empty() {
            return Ok(());
        }
        let mutants: Vec<&Mutant> = left.iter().map(|entry| &entry.mutant).collect();
        let bar = step("model checker", mutants.len());
        let checker = Checker::new(self.tools, self.folder, &mutants)?;
        let findings = parallel::map(&mutants, self.options.jobs, || bar.inc(1), |mutant| checker.ask(mutant, limit))?;
        bar.finish_and_clear();
        for (entry, finding) in left.into_iter().zip(findings) {
            match finding {
                Finding::Equivalent => entry.verdict = Verdict::Equivalent,
                Finding::Told(witness) => entry.witness = Some(witness),
                Finding::Open => {}
            }
        }
        Ok(())
    }

    /// A prover that finds a mutant equivalent which the bench has killed is worth nothing.
    fn audit(&self, killed: &[&Mutant]) -> Result<()> {
        let sample: Vec<&Mutant> = killed.iter().copied().step_by((killed.len() / AUDITED).max(1)).collect();
        let wrong = prove::equivalent(self.tools, self.folder, &sample, self.options.jobs, || ())?;
        ensure!(wrong.is_empty(), "mutants {wrong:?} are proven equivalent and were killed: the proofs are wrong");
        Ok(())
    }

    /// Builds the model with these mutants and runs the cases `first` to `end` on each.
    fn round(&self, mutants: &[&Mutant], first: u64, end: u64) -> Result<BTreeMap<u32, Found>> {
        let Options { seed, jobs, .. } = *self.options;
        let bar = step("model", 3);
        netlist::apply(self.tools, self.folder, mutants)?;
        bar.inc(1);
        let library = library::build(self.tools, self.target, self.folder, jobs)?;
        bar.inc(1);
        let clean = hunt::hunt(self.target, &library, &[0], [seed, 0, FIRST_CASES], 1, |_| ())?;
        bar.finish_and_clear();
        if let Some(Found { answer, .. }) = clean.values().find(|one| one.answer.killed.is_some()) {
            bail!(
                "the netlist without a mutant fails in case {} of seed {seed} ({:?}): Yosys does not read the RTL as \
                 Verilator does, so nothing can be said of its mutants",
                answer.case,
                answer.killed
            );
        }
        let ids: Vec<u32> = mutants.iter().map(|m| m.id).collect();
        let bar = step("mutants", ids.len());
        let found = hunt::hunt(self.target, &library, &ids, [seed, first, end], jobs, |_| bar.inc(1))?;
        bar.finish_and_clear();
        Ok(found)
    }
}

fn survived(found: &BTreeMap<u32, Found>, id: u32) -> bool {
    found.get(&id).is_some_and(|one| one.answer.killed.is_none())
}

fn entry(seed: u64, mutant: Mutant, found: &BTreeMap<u32, Found>, proven: &BTreeSet<u32>) -> Entry {
    let pinned = |case| seed == cycles::SEED && case < cycles::CASES_FOR_MUTANTS;
    let one = found.get(&mutant.id);
    let verdict = match one.map(|one| one.answer) {
        _ if proven.contains(&mutant.id) => Verdict::Equivalent,
        Some(worker::Answer { killed: Some(by), case, instructions, .. }) => Verdict::Killed { by, case, instructions },
        // `cosim cycles` tells these.
        Some(worker::Answer { timing: Some(case), instructions, .. }) if pinned(case) => {
            Verdict::Killed { by: worker::Kill::Cycles, case, instructions }
        }
        Some(worker::Answer { timing: Some(case), .. }) => Verdict::Timing { case },
        _ => Verdict::Survived,
    };
    Entry { mutant, verdict, witness: None, because: None, time: one.map_or_else(Default::default, |one| one.time) }
}

/// A step of the work.
fn step(label: &str, length: usize) -> table::Progress {
    table::progress(label, length as u64)
}
