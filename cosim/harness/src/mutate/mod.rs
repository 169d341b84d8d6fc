// SPDX-License-Identifier: Apache-2.0
//! Mutation score: blind errors in the SystemVerilog source, and whether a bench tells them from its model.

mod choose;
mod module;
mod mutant;
mod operators;
mod prove;
mod refuse;
mod report;
mod sites;
mod source;
mod syntax;
pub mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::base::interrupt::Interrupt;
use crate::base::output::{self, save_json, say};
use crate::base::{parallel, table};
use crate::cases::schedule::{Schedule, Shard};
use crate::cases::{Done, Sum, pool};
use crate::model::make::{self, LIBRARY};
use crate::model::on_demand::Makers;
use crate::model::recipe::Recipe;
use crate::model::source::Sources;
use crate::model::toolchain::verible;
use crate::model::yosys::Yosys;
pub use mutant::Kind;
use mutant::Mutant;
pub use refuse::WARNINGS;
use report::{Entry, Verdict};
pub use report::{Kill, Report, Score};
use source::{Only, Source};
use text::NONE;

/// Killed mutants that must not be proven equivalent, about: a check of the proofs.
const AUDITED: usize = 10;

/// Random cases that come first: they kill most mutants.
const FIRST_CASES: u64 = 16;

/// Options of a run of mutants.
#[derive(Debug, clap::Args)]
pub struct MutateOptions {
    /// Mutants
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..u64::from(NONE)))]
    pub count: u64,
    /// Seed of the choice of mutants, and of the stimulus
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only mutants of this module
    #[arg(long)]
    pub module: Option<String>,
    /// Only mutants of this kind
    #[arg(long)]
    pub kind: Option<Kind>,
    /// Run only these mutants of the list, with commas between them
    #[arg(long, value_delimiter = ',')]
    pub mutant: Vec<u32>,
    /// Random cases that a survivor must have seen, beside those for every coverage bin
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u64).range(1..))]
    pub cases: u64,
    /// Processes
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Write verdicts to this file (JSON; - for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Keep the mutated source, the model and the proofs in this folder
    #[arg(long)]
    pub work: Option<PathBuf>,
    /// Fail when the score is below this, in percent
    #[arg(long)]
    pub at_least: Option<f64>,
}

impl MutateOptions {
    /// Whether the score is as asked.
    pub fn accept(&self, report: &Report) -> bool {
        self.at_least.is_none_or(|least| report.total.percent() >= least)
    }
}

/// Seconds for one case of a mutant. Only a model that never settles takes that long.
pub const CASE_LIMIT: u64 = 60;

/// The unit that is mutated.
pub struct Subject<'a> {
    /// Name of the unit.
    pub name: &'a str,
    /// Its top module.
    pub top: &'static str,
    /// Its RTL.
    pub sources: Sources,
    /// What makes its models.
    pub makers: &'a Makers,
}

/// Which cases a mutant runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A few random cases, which kill most mutants.
    First,
    /// Cases for all bins, and all other random ones.
    Rest,
}

impl Stage {
    /// The first of its random cases, and the one behind the last, out of `all`.
    pub fn random_cases(self, all: u64) -> [u64; 2] {
        let first = all.min(FIRST_CASES);
        if self == Stage::First { [0, first] } else { [first, all] }
    }
}

/// What came of running a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The first case that told it from the model.
    pub kill: Option<Kill>,
    /// Clock cycles of the cases that passed.
    pub cycles: u64,
}

impl Outcome {
    /// Runs the cases from `first` up to `end`, unless a case has told the mutant already. `cycles` are those of cases
    /// that passed, `by` is what a failure is about.
    ///
    /// # Errors
    /// The first error of the executor.
    pub fn run<S: Sum + Send, J: Send, F: Send, E: FnMut(&J) -> Result<Done<S, F>>>(
        &mut self,
        [first, end]: [u64; 2],
        job: impl Fn(u64) -> J + Sync,
        executor: impl Fn() -> Result<E> + Sync,
        cycles: impl Fn(&S) -> u64,
        by: impl Fn(&F) -> String,
    ) -> Result<()> {
        if self.kill.is_none() && first < end {
            let schedule = Schedule::new(Shard::WHOLE, end, None, Interrupt::default()).starting_at(first);
            let summary = pool::run(1, &schedule, job, executor, |_| ())?;
            self.cycles += cycles(&summary.sums);
            self.kill = summary.failed.map(|failed| Kill { by: by(&failed.failure), case: failed.number });
        }
        Ok(())
    }
}

/// What runs cases on mutants.
pub trait Runner: Sync {
    /// Runs the cases of a stage on the mutant of this number, up to the first one that fails.
    ///
    /// # Errors
    /// When they cannot be run.
    fn run(&self, mutant: u32, stage: Stage) -> Result<Outcome>;
}

/// Lists mutants of `subject`, makes a model of all, and runs and proves them. `recipe` says how the model is made of
/// the mutated sources, `runner` gives what runs cases on the model in this file. Gives what it has printed.
///
/// # Errors
/// When a tool is missing or fails, and when the unit fails without a mutant.
pub fn run<R: Runner>(
    subject: &Subject,
    options: &MutateOptions,
    recipe: impl FnOnce(&Sources) -> Recipe,
    runner: impl FnOnce(&Path) -> Result<R>,
) -> Result<Report> {
    let start = Instant::now();
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let folder = options.work.as_deref().unwrap_or(temporary.path());
    files::create_scratch(folder).with_context(|| format!("--work {}", folder.display()))?;
    let folder = &folder.canonicalize()?;

    let setup = subject.makers.product().setup_lint;
    let (yosys, verible) = (Yosys::find(setup)?, verible(setup)?);
    let verilator = &subject.makers.get()?.0.verilator;
    let phase = |what: &str| output::log(&format!("mutate {}: {what}", subject.name));
    phase("Verible reads the RTL");
    let source = Source::read(subject.sources.clone(), &verible, folder)?;
    let only = Only { module: options.module.clone(), kind: options.kind };
    let mut mutants = source.list(options.count, options.seed, &only)?;
    let listed = mutants.len() as u32;
    if let Some(unknown) = options.mutant.iter().find(|id| !(1..=listed).contains(id)) {
        bail!("the list has no mutant {unknown}; it has 1 to {listed}");
    }
    mutants.retain(|mutant| options.mutant.is_empty() || options.mutant.contains(&mutant.id));
    phase(&format!("Verilator looks for those of {} mutants that are no RTL", mutants.len()));
    let refused = refuse::refuse(verilator, subject.top, &source, folder, &mut mutants)?;
    phase(&format!("the model of {} mutants is made", mutants.len()));
    let recipe = recipe(&source.model(&mutants.iter().collect::<Vec<_>>()));
    let library = build(subject, &recipe, folder, options.jobs)?;
    let runner = &runner(&library)?;
    let run = Run { yosys: &yosys, top: subject.top, source: &source, runner, folder, jobs: options.jobs };
    let mut entries = run.judge(mutants)?;
    entries.extend(refused.into_iter().map(|mutant| Entry { mutant, verdict: Verdict::Refused }));
    entries.sort_by_key(|entry| entry.mutant.id);

    let report = Report::new(subject.name, [options.seed, options.cases], entries);
    output::text(&report.text())?;
    say!("{}: seed {}, {:.0} s", subject.name, options.seed, start.elapsed().as_secs_f64())?;
    if let Some(path) = &options.json {
        save_json(path, &report)?;
    }
    Ok(report)
}

/// Makes the model in `folder`, with `jobs` compilers at a time; gives its file.
fn build(subject: &Subject, recipe: &Recipe, folder: &Path, jobs: usize) -> Result<PathBuf> {
    let bar = table::progress("model", 1);
    let model = folder.join("model");
    let _ = fs::remove_dir_all(&model);
    fs::create_dir_all(&model).with_context(|| format!("cannot create {}", model.display()))?;
    let (toolchain, store) = subject.makers.get()?;
    make::make(toolchain, store, recipe, &model, jobs, |_| ())?;
    bar.finish_and_clear();
    Ok(model.join(LIBRARY))
}

struct Run<'a, R> {
    yosys: &'a Yosys,
    top: &'static str,
    source: &'a Source,
    runner: &'a R,
    folder: &'a Path,
    jobs: usize,
}

impl<R: Runner> Run<'_, R> {
    /// Runs a few cases on all, proves what is left, and runs all cases on what is left then.
    fn judge(&self, mutants: Vec<Mutant>) -> Result<Vec<Entry>> {
        let all: Vec<&Mutant> = mutants.iter().collect();
        let mut verdicts = self.run_on(&all, Stage::First)?;
        let (killed, left): (Vec<&Mutant>, Vec<&Mutant>) =
            all.iter().partition(|mutant| matches!(verdicts[&mutant.id], Verdict::Killed(_)));
        let sample = killed.iter().step_by((killed.len() / AUDITED).max(1));
        let asked: Vec<&Mutant> = left.iter().chain(sample).copied().collect();
        let proven = self.prove(&asked)?;
        let wrong: Vec<u32> = killed.iter().map(|mutant| mutant.id).filter(|id| proven.contains(id)).collect();
        ensure!(wrong.is_empty(), "mutants {wrong:?} are proven equivalent and were killed: the proofs are wrong");
        let left: Vec<&Mutant> = left.into_iter().filter(|mutant| !proven.contains(&mutant.id)).collect();
        for (id, verdict) in self.run_on(&left, Stage::Rest)? {
            if verdict != Verdict::Survived {
                verdicts.insert(id, verdict);
            }
        }
        verdicts.extend(proven.into_iter().map(|id| (id, Verdict::Equivalent)));
        Ok(mutants.into_iter().map(|mutant| Entry { verdict: verdicts[&mutant.id].clone(), mutant }).collect())
    }

    /// Runs the cases of a stage on these mutants. The model must run clean when none is selected.
    fn run_on(&self, mutants: &[&Mutant], stage: Stage) -> Result<BTreeMap<u32, Verdict>> {
        if mutants.is_empty() {
            return Ok(BTreeMap::new());
        }
        let bar = table::progress("mutants", mutants.len() as u64 + 1);
        let unit = self.runner.run(NONE, stage)?;
        if let Some(kill) = unit.kill {
            bail!("the model fails in case {} when no mutant is selected ({})", kill.case, kill.by);
        }
        bar.inc(1);
        let outcome = |mutant: &&Mutant| Ok((mutant.id, self.runner.run(mutant.id, stage)?));
        let found = parallel::map(mutants, self.jobs, || bar.inc(1), outcome)?;
        bar.finish_and_clear();
        let verdict = |outcome: Outcome| match outcome.kill {
            Some(kill) => Verdict::Killed(kill),
            None if outcome.cycles != unit.cycles => Verdict::Slower,
            None => Verdict::Survived,
        };
        Ok(found.into_iter().map(|(id, outcome)| (id, verdict(outcome))).collect())
    }

    fn prove(&self, mutants: &[&Mutant]) -> Result<BTreeSet<u32>> {
        let bar = table::progress("proofs", mutants.len() as u64);
        let proven =
            prove::equivalent(self.yosys, self.top, self.source, self.folder, mutants, self.jobs, || bar.inc(1));
        // It reads less than Verilator does: assertions, say.
        let proven = proven.unwrap_or_else(|error| {
            output::log(&format!("mutate: nothing is proven equivalent, so survivors may be: {error:#}"));
            BTreeSet::new()
        });
        bar.finish_and_clear();
        Ok(proven)
    }
}
