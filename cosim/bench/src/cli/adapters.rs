// SPDX-License-Identifier: Apache-2.0
//! Random cases on the unit with something around it: AXI4, the extension interface of a core, the proven properties as
//! assertions.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::base::ending::Ending;
use crate::base::output::{self, say};
use crate::base::{parallel, table};
use crate::lockstep::Counts;
use crate::performance::axi::{self, Sustained, random};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, Workshop};

/// Options of `cosim check xif` and `cosim check facts`.
#[derive(Clone, Debug, Args)]
pub struct AdapterOptions {
    /// Configurations: names or files NAME.toml with commas between them, or all
    #[arg(long, default_value = "w16")]
    config: String,
    /// Seed of the random cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instructions of each configuration to retire at least, in whole rounds of cases
    #[arg(long, default_value_t = 20_000)]
    count: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    jobs: usize,
}

/// Options of `cosim check axi`.
#[derive(Debug, Args)]
pub struct AxiOptions {
    /// Configuration: a name or a file NAME.toml
    #[arg(long, default_value = "w16")]
    config: String,
    /// Seed of the random cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random cases, for beats as wide as the ports and for those of 512 bits
    #[arg(long, default_value_t = 100)]
    cases: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    jobs: usize,
    /// Write the table of cycles in Markdown (- for standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Cases at a time, before the next ones are begun.
const ROUND: u64 = 64;

/// Random cases of a seed on one model, which is called `what`.
struct Cases<'a> {
    target: &'a Target,
    kind: ModelKind,
    what: String,
    seed: u64,
    jobs: usize,
}

impl Cases<'_> {
    /// Runs rounds of cases until `enough` says so of their number and what they did; gives both. After a failure,
    /// which is printed, nothing.
    fn run(&self, round: u64, enough: impl Fn(u64, &Counts) -> bool) -> Result<Option<(u64, Counts)>> {
        let Cases { target, kind, what, seed, jobs } = self;
        let one = |number: &u64| Ok(random(target, *kind, [*seed, *number], 0).map_err(|failure| (*number, failure)));
        let (mut cases, mut sum) = (0, Counts::default());
        while !enough(cases, &sum) {
            let numbers: Vec<u64> = (cases..cases + round).collect();
            for done in parallel::map(&numbers, *jobs, || (), one)? {
                match done {
                    Ok(counts) => sum.add(&counts),
                    Err((number, failure)) => {
                        say!("{}, {what}, seed {seed}, case {number}:", target.name())?;
                        output::text(&report::text(target, &failure))?;
                        return Ok(None);
                    }
                }
            }
            cases += round;
        }
        Ok(Some((cases, sum)))
    }
}

/// `cosim check xif`: random cases behind CV-X-IF, also with memories behind AXI4; those with `gpr_rs1` also on a core
/// that reads two registers.
pub fn xif(workshop: &Workshop, options: &AdapterOptions) -> Result<Ending> {
    let mut ending = Ending::Clean;
    for kind in [ModelKind::Xif, ModelKind::XifAxi] {
        ending = ending.max(check(workshop, options, kind)?);
    }
    let mut two = workshop.targets(&options.config)?;
    two.retain(|target| target.rtl.gpr_rs1);
    if ending != Ending::Clean || two.is_empty() {
        return Ok(ending);
    }
    let config = two.iter().map(|target| target.argument.as_str()).collect::<Vec<_>>().join(",");
    check(workshop, &AdapterOptions { config, ..options.clone() }, ModelKind::XifTwo)
}

/// `cosim check facts`, and what `cosim check xif` consists of: random cases on the models `kind`.
pub fn check(workshop: &Workshop, options: &AdapterOptions, kind: ModelKind) -> Result<Ending> {
    let AdapterOptions { config, seed, count, jobs } = options;
    let targets = workshop.targets(config)?;
    make_all(&targets, kind)?;
    let (what, passed) = match kind {
        ModelKind::Facts => ("with properties", "all properties hold"),
        ModelKind::XifTwo => ("CV-X-IF, two operands", "no mismatch"),
        ModelKind::XifAxi => ("CV-X-IF and AXI4", "no mismatch"),
        _ => ("CV-X-IF", "no mismatch"),
    };
    let mut ending = Ending::Clean;
    for target in &targets {
        let cases = Cases { target, kind, what: what.into(), seed: *seed, jobs: *jobs };
        let Some((cases, counts)) = cases.run(ROUND, |_, counts| counts.retired >= *count)? else {
            ending = Ending::Different;
            continue;
        };
        let Counts { retired, traps, killed, cycles, .. } = counts;
        say!(
            "{}, {what}: {cases} cases, {retired} instructions, {traps} traps, {killed} killed behind them, {cycles} \
             cycles; {passed}",
            target.name()
        )?;
    }
    Ok(ending)
}

const HEADER: [&str; 7] = ["instruction", "latency", "native", "AXI4", "x", "AXI4, 512 bits", "x"];

/// `cosim check axi`.
pub fn axi(workshop: &Workshop, options: &AxiOptions) -> Result<Ending> {
    let AxiOptions { config, seed, cases, jobs, markdown } = options;
    let target = &workshop.target(config)?;
    for (kind, bits) in [(ModelKind::Axi, 8 * target.rtl.port_bytes()), (ModelKind::AxiWide, 512)] {
        target.models.get(kind)?;
        let what = format!("AXI4 of {bits} bits");
        let run = Cases { target, kind, what, seed: *seed, jobs: *jobs };
        let Some((_, counts)) = run.run(*cases, |done, _| done >= *cases)? else { return Ok(Ending::Different) };
        say!("{}, {}: {cases} cases, {} instructions; no mismatch", target.name(), run.what, counts.retired)?;
    }
    let rows: Vec<[String; 7]> = axi::measure(target)?.iter().map(row).collect();
    match markdown {
        Some(path) => output::save_text(path, &table::markdown(&HEADER, 1, &rows))?,
        None => say!("\nCycles of one of many\n{}", table::rows(&HEADER, 1, rows))?,
    }
    Ok(Ending::Clean)
}

fn row(Sustained { op, latency, native, axi, wide }: &Sustained) -> [String; 7] {
    let cycles = |cycles: &f64| format!("{cycles:.1}");
    let times = |cycles: &f64| format!("{:.2}", cycles / native);
    [format!("`{op}`"), latency.to_string(), cycles(native), cycles(axi), times(axi), cycles(wide), times(wide)]
}
