// SPDX-License-Identifier: Apache-2.0
//! Mutation score: blind mutants of the RTL, in its netlist or its source, and whether the bench tells them from the model.

mod hunt;
mod maker;
mod mutant;
mod netlist;
mod netlist_sites;
mod plan;
mod prove;
mod report;
mod review;
mod select;
mod sequential;
mod source;
mod tools;
pub mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::base::output::save_json;
use crate::base::output::{self, say};
use crate::base::parallel;
use crate::base::table;
use crate::unit::target::{Target, Workshop};
use hunt::Found;
use maker::{List, Maker};
use mutant::Mutant;
use plan::{FIRST_CASES, Plan};
use report::{Entry, Report, Verdict};
use review::Review;
use select::Only;
use sequential::{Asked, Finding, Witness};
use source::{Kind, Source};
use tools::Tools;

/// Random cases that those without a proof have seen before the model checker looks at them.
const MORE_CASES: u64 = 128;

/// The part of its time that the model checker has for a first look.
const FIRST_LOOK: u64 = 10;

/// Killed mutants that must not be proven equivalent, about.
const AUDITED: usize = 10;

/// As many of these as the model checker is asked about, about.
const AUDITED_BY_THE_CHECKER: usize = 4;

/// Its time for one of them.
const AUDIT_LIMIT: Duration = Duration::from_secs(4);

/// Lists of reviewed survivors of this project: of the netlist, and of the source.
const REVIEWED: [&str; 2] = ["tests/netlist_mutants.json", "tests/source_mutants.json"];

/// Options of `cosim mutate`.
#[derive(Debug, clap::Args)]
pub struct MutateOptions {
    /// Configuration: a name, or a file NAME.toml; tiny is taken with all instruction sets
    #[arg(long, default_value = "tiny")]
    pub config: String,
    /// Mutants of the SystemVerilog source, in place of those of the netlist
    #[arg(long)]
    pub source: bool,
    /// Mutants, 1 to 65535
    #[arg(long, default_value_t = 1000)]
    pub count: u64,
    /// Seed of the choice of mutants, and of the stimulus
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only mutants of this module
    #[arg(long)]
    pub module: Option<String>,
    /// Only mutants of this kind
    #[arg(long, requires = "source")]
    pub kind: Option<Kind>,
    /// Run only these mutants of the list, with commas between them
    #[arg(long, value_delimiter = ',')]
    pub mutant: Vec<u32>,
    /// Run only mutants of the list that have a reason why nothing tells them: is one told?
    #[arg(long)]
    pub argued: bool,
    /// Random cases of 256 instructions that a survivor must have seen, beside those for every coverage bin
    #[arg(long, default_value_t = 2048)]
    pub cases: u64,
    /// Seconds for the model checker on the whole unit for each mutant that is left at the end; 0: no model checker. Parts
    /// of the unit, which it sees before, have half of that each. Before most of the cases it has a look that takes a tenth
    #[arg(long, default_value_t = 300)]
    pub check: u64,
    /// Processes
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// List of survivors that were looked at, with the reason why nothing tells them [default: tests/netlist_mutants.json, or
    /// tests/source_mutants.json for mutants of the source, if it is there]
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
pub fn run(workshop: &Workshop, options: &MutateOptions) -> Result<bool> {
    let start = Instant::now();
    ensure!(
        (1..=select::MOST).contains(&options.count),
        "--count is {}; allowed: 1 to {}",
        options.count,
        select::MOST
    );
    ensure!(options.cases > 0, "--cases is 0; allowed: 1 and more");
    let target = maker::target(workshop, &options.config)?;
    let tools = Tools::find(workshop, options.source)?;
    let usual = Path::new(REVIEWED[usize::from(options.source)]);
    let reviewed = options.reviewed.as_deref().or_else(|| Some(usual).filter(|path| path.exists()));
    let review = reviewed.map_or_else(|| Ok(Review::default()), |path| Review::read(path, target.name()))?;
    let temporary =
        if options.work.is_some() { None } else { Some(tempfile::tempdir().context("no temporary folder")?) };
    let folder = match (&options.work, &temporary) {
        (Some(work), _) => work.as_path(),
        (None, Some(temporary)) => temporary.path(),
        (None, None) => bail!("no folder to work in"),
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let folder = &folder.canonicalize()?;

    let maker = if options.source { Maker::Source(Source::read(&tools, &target, folder)?) } else { Maker::Netlist };
    let MutateOptions { count, seed, .. } = *options;
    let only = Only { module: options.module.clone(), kind: options.kind };
    let List { mutants: mut listed, refused, places } = maker.list(&tools, &target, folder, [count, seed], &only)?;
    let known: BTreeSet<u32> = listed.iter().map(|mutant| mutant.id).collect();
    if let Some(unknown) = options.mutant.iter().find(|id| !known.contains(id)) {
        let state = if refused.iter().any(|mutant| mutant.id == *unknown) { ": it is refused" } else { "" };
        bail!("the list has no mutant {unknown}{state}; it has 1 to {}", listed.len() + refused.len());
    }
    listed.retain(|mutant| options.mutant.is_empty() || options.mutant.contains(&mutant.id));
    if options.argued {
        listed.retain(|mutant| review.reason(mutant).is_some());
        ensure!(!listed.is_empty(), "no mutant of the list has a reason");
    }
    let plan = Plan::new(&target, folder, seed, options.jobs)?;
    let run = Run { options, target: &target, tools: &tools, maker: &maker, folder, review: &review, plan: &plan };
    let report = run.judge(&listed, refused)?;
    output::text(&report.text(&target))?;
    say!("{}: seed {}, {:.0} s", target.name(), options.seed, start.elapsed().as_secs_f64())?;
    if let Some(path) = &options.json {
        save_json(path, &report)?;
    }
    for (path, name) in
        reviewed.iter().flat_map(|path| review.unknown(&places).into_iter().map(move |name| (path, name)))
    {
        say!("{}: of no mutant of this configuration: {name}", path.display())?;
    }
    Ok(report.wrong() == 0 && options.at_least.is_none_or(|least| report.total.percent() >= least))
}

struct Run<'a> {
    options: &'a MutateOptions,
    target: &'a Target,
    tools: &'a Tools,
    maker: &'a Maker,
    folder: &'a Path,
    review: &'a Review,
    plan: &'a Plan,
}

/// What is known of the mutants so far.
#[derive(Default)]
struct Known {
    /// What the cases up to `seen` found.
    found: BTreeMap<u32, Found>,
    seen: u64,
    /// Those with a proof.
    equivalent: BTreeSet<u32>,
    /// What would tell others.
    witnesses: BTreeMap<u32, Witness>,
}

impl Known {
    /// Whether a case told this mutant from the unit.
    fn fell(&self, mutant: &Mutant) -> bool {
        self.found.get(&mutant.id).is_some_and(|one| one.answer.killed.is_some())
    }

    /// Takes in what the model checker found.
    fn learn(&mut self, findings: Vec<(u32, Finding)>) {
        for (id, finding) in findings {
            match finding {
                Finding::Equivalent => drop(self.equivalent.insert(id)),
                Finding::Told(witness) => drop(self.witnesses.insert(id, witness)),
                Finding::Open => {}
            }
        }
    }
}

impl Run<'_> {
    /// Runs, proves, and runs again what is left.
    fn judge(&self, mutants: &[Mutant], refused: Vec<Mutant>) -> Result<Report> {
        let cases = self.options.cases;
        let first = FIRST_CASES.min(cases);
        let all: Vec<&Mutant> = mutants.iter().collect();
        let mut known = Known { found: self.round(&all, 0, first)?, seen: first, ..Known::default() };
        let (killed, left): (Vec<&Mutant>, Vec<&Mutant>) = all.iter().copied().partition(|mutant| known.fell(mutant));
        let sample: Vec<&Mutant> = killed.iter().copied().step_by((killed.len() / AUDITED).max(1)).collect();
        known.equivalent = self.solve(&left, &sample)?;
        self.go_on(&all, &mut known, self.plan.end(MORE_CASES.min(cases)))?;
        let open = self.to_check(&all, &known);
        self.first_look(&open, &sample, &mut known)?;
        self.go_on(&all, &mut known, self.plan.end(cases))?;
        // There is no hope for those that somebody has given up: the first look was all that they get.
        let mut open = self.to_check(&all, &known);
        open.retain(|mutant| self.review.reason(mutant).is_none());
        self.long_look(&open, &mut known)?;
        let entries = mutants.iter().map(|mutant| self.entry(mutant, &known)).collect();
        Ok(Report::new(self.target.name(), [self.options.seed, cases], entries, refused))
    }

    /// Runs more cases on the mutants that neither fell nor are proven.
    fn go_on(&self, all: &[&Mutant], known: &mut Known, end: u64) -> Result<()> {
        let goes_on =
            |mutant: &&Mutant| !matches!(self.verdict(mutant, known), Verdict::Killed { .. } | Verdict::Equivalent);
        let left: Vec<&Mutant> = all.iter().copied().filter(goes_on).collect();
        if known.seen < end && !left.is_empty() {
            for (id, later) in self.round(&left, known.seen, end)? {
                known.found.entry(id).and_modify(|one| one.go_on(&later)).or_insert(later);
            }
            known.seen = end;
        }
        Ok(())
    }

    /// The mutants to ask the model checker about, when there is one: those of which nothing is known.
    fn to_check<'m>(&self, all: &[&'m Mutant], known: &Known) -> Vec<&'m Mutant> {
        let can_check = self.options.check > 0 && self.tools.abc.is_some();
        let open = |mutant: &&Mutant| matches!(self.verdict(mutant, known), Verdict::Survived | Verdict::Argued);
        all.iter().copied().filter(|mutant| can_check && open(mutant)).collect()
    }

    /// Asks the SAT solver about these mutants: those that are equivalent. A prover that finds a mutant of `sample`
    /// equivalent, which the bench has killed, is worth nothing.
    fn solve(&self, mutants: &[&Mutant], sample: &[&Mutant]) -> Result<BTreeSet<u32>> {
        let solve = |mutants: &[&Mutant], progress: &(dyn Fn() + Sync)| {
            prove::equivalent(self.tools, self.folder, mutants, self.options.jobs, progress)
        };
        let bar = step("proofs", mutants.len());
        self.maker.prepare(self.tools, self.folder, &[mutants, sample].concat())?;
        let wrong = solve(sample, &|| ())?;
        let equivalent = solve(mutants, &|| bar.inc(1))?;
        bar.finish_and_clear();
        not_killed(&wrong.into_iter().collect::<Vec<u32>>())?;
        Ok(equivalent)
    }

    /// Asks the model checker about these mutants: a proof, or what would tell them. The same holds for the `sample` as in
    /// [`Run::solve`].
    fn first_look(&self, mutants: &[&Mutant], sample: &[&Mutant], known: &mut Known) -> Result<()> {
        if mutants.is_empty() {
            return Ok(());
        }
        let limit = Duration::from_secs(self.options.check.div_ceil(FIRST_LOOK));
        let sample = sample.iter().step_by(AUDITED.div_ceil(AUDITED_BY_THE_CHECKER));
        let audit = sample.map(|&mutant| Asked { mutant, limit: AUDIT_LIMIT });
        let asked: Vec<Asked> = audit.chain(mutants.iter().map(|&mutant| Asked { mutant, limit })).collect();
        let killed = |id: &u32| known.found.get(id).is_some_and(|one| one.answer.killed.is_some());
        let (audited, findings): (Vec<_>, Vec<_>) = self.ask(&asked)?.into_iter().partition(|(id, _)| killed(id));
        let wrong = audited.into_iter().filter(|(_, finding)| *finding == Finding::Equivalent);
        not_killed(&wrong.map(|(id, _)| id).collect::<Vec<u32>>())?;
        known.learn(findings);
        Ok(())
    }

    /// Asks the model checker once more, with more time, and in graphs that only these mutants are in: how long a proof takes
    /// depends on the order of the nodes.
    fn long_look(&self, mutants: &[&Mutant], known: &mut Known) -> Result<()> {
        let limit = Duration::from_secs(self.options.check);
        let asked: Vec<Asked> = mutants.iter().map(|&mutant| Asked { mutant, limit }).collect();
        known.learn(self.ask(&asked)?);
        Ok(())
    }

    /// Asks the model checker.
    fn ask(&self, mutants: &[Asked]) -> Result<Vec<(u32, Finding)>> {
        let bar = step("model checker", mutants.len());
        let findings =
            sequential::ask((self.tools, self.maker, self.folder), mutants, self.options.jobs, || bar.inc(1))?;
        bar.finish_and_clear();
        Ok(findings)
    }

    /// What became of a mutant so far.
    fn verdict(&self, mutant: &Mutant, known: &Known) -> Verdict {
        let refuted = known.witnesses.get(&mutant.id).is_some_and(Witness::is_outside);
        let reason = self.review.reason(mutant).filter(|_| !refuted);
        match known.found.get(&mutant.id).map(|one| one.answer) {
            _ if known.equivalent.contains(&mutant.id) => Verdict::Equivalent,
            Some(worker::Answer { killed: Some(by), case, instructions, .. }) => {
                Verdict::Killed { by, case, instructions }
            }
            Some(worker::Answer { timing: Some(case), .. }) => match reason {
                Some(reason) if reason.slower => Verdict::ArguedSlower { case },
                _ => Verdict::Slower { case },
            },
            _ if reason.is_some() => Verdict::Argued,
            _ => Verdict::Survived,
        }
    }

    /// What is known of a mutant.
    fn entry(&self, mutant: &Mutant, known: &Known) -> Entry {
        let verdict = self.verdict(mutant, known);
        let witness = known.witnesses.get(&mutant.id).filter(|_| verdict == Verdict::Survived).cloned();
        let reason = self.review.reason(mutant).cloned();
        let time = known.found.get(&mutant.id).map_or_else(Default::default, |one| one.time);
        Entry { mutant: mutant.clone(), verdict, witness, reason, time }
    }

    /// Builds the model with these mutants and runs the cases `first` to `end` on each.
    fn round(&self, mutants: &[&Mutant], first: u64, end: u64) -> Result<BTreeMap<u32, Found>> {
        let MutateOptions { seed, jobs, .. } = *self.options;
        let bar = step("model", 2);
        let library = self.maker.library(self.tools, self.target, self.folder, mutants, jobs)?;
        let files = [library.as_path(), &self.plan.path];
        bar.inc(1);
        let clean = hunt::hunt(self.target, files, &[0], [seed, 0, FIRST_CASES], 1, |_| ())?;
        bar.finish_and_clear();
        if let Some(Found { answer, .. }) = clean.values().find(|one| one.answer.killed.is_some()) {
            bail!(
                "the unit without a mutant fails in case {} of seed {seed} ({:?}), so nothing can be said of its mutants: \
                 what reads the RTL does not read it as Verilator does",
                answer.case,
                answer.killed
            );
        }
        let ids: Vec<u32> = mutants.iter().map(|m| m.id).collect();
        let bar = step("mutants", ids.len());
        let found = hunt::hunt(self.target, files, &ids, [seed, first, end], jobs, |_| bar.inc(1))?;
        bar.finish_and_clear();
        Ok(found)
    }
}

fn not_killed(wrong: &[u32]) -> Result<()> {
    ensure!(wrong.is_empty(), "mutants {wrong:?} are proven equivalent and were killed: the proofs are wrong");
    Ok(())
}

/// A step of the work.
fn step(label: &str, length: usize) -> table::Progress {
    table::progress(label, length as u64)
}
