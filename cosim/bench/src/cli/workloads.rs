// SPDX-License-Identifier: Apache-2.0
//! `cosim measure workloads`: how fast the reorganisations of real networks are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use kernels::plan::{Plan, Step};
use serde::Serialize;

use super::table::{self as summary, NamedRun};
use crate::base::draw::Draw;
use crate::base::ending::Ending;
use crate::base::median::median;
use crate::base::output::{self, say};
use crate::base::{parallel, shell, table};
use crate::lockstep::{Counts, Setup};
use crate::operators::chart;
use crate::operators::execute::{Operation, Ran};
use crate::operators::workloads::{Workload, all};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, UnitOptions, Workshop, with_default};

/// Bytes of L1M and L0M: enough for every workload.
pub const MEMORY: u32 = 1 << 24;
const LIMIT: u64 = 1_000_000_000;

/// Options of `cosim measure workloads`. L1M and L0M of a configuration are made large enough.
#[derive(Debug, Args)]
#[command(mut_arg("config", |arg| with_default(arg, "w16,w16r,w32")))]
pub struct WorkloadOptions {
    #[command(flatten)]
    unit: UnitOptions,
    /// Only workloads with this in their names
    #[arg(long, default_value = "")]
    only: String,
    /// The same operators on smaller tensors, with the memories as the configuration has them and with random stalls:
    /// what `cosim regress` runs
    #[arg(long, conflicts_with_all = ["markdown", "svg", "json"])]
    reduced: bool,
    /// Write the tables in Markdown to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the table as a picture (SVG) to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the rows as JSON to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A workload on a configuration.
#[derive(Debug, Serialize)]
pub struct Row {
    config: String,
    workload: &'static str,
    shape: String,
    pub bytes: u64,
    bound_cycles: u64,
    pub cycles: u64,
    predicted_cycles: u64,
    /// Of the host alone.
    pub host_cycles: u64,
    copy_instructions: u64,
    /// CSR instructions of the unit, which set it up.
    csr_instructions: u64,
    /// Instructions of the host itself, without those that copy.
    host_instructions: u64,
    /// Cycles of the larger of the memory words with needed input and those with output.
    best_cycles: u64,
    binds: &'static str,
    binds_cycles: u64,
    dma: &'static str,
    plan: Vec<String>,
}

impl Row {
    fn rate(&self) -> f64 {
        self.bytes as f64 / self.cycles as f64
    }

    fn share(&self) -> f64 {
        self.bound_cycles as f64 / self.cycles as f64
    }

    fn speedup(&self) -> f64 {
        self.host_cycles as f64 / self.cycles as f64
    }

    fn error(&self) -> f64 {
        (self.predicted_cycles as f64 - self.cycles as f64) / self.cycles as f64
    }

    fn of_the_best(&self) -> f64 {
        self.best_cycles as f64 / self.cycles as f64
    }

    /// Whether the DMA writes a larger share of its width.
    fn dma_is_ahead(&self) -> bool {
        let figure = self.dma.split(',').next().and_then(|share| share.parse::<f64>().ok());
        figure.is_some_and(|dma| dma > self.share() + 0.005)
    }

    fn cells(&self) -> [String; 14] {
        [
            self.workload.to_owned(),
            self.shape.clone(),
            self.bytes.to_string(),
            self.cycles.to_string(),
            format!("{:.2}", self.rate()),
            format!("{:.2}", self.share()),
            format!("{:.2}", self.of_the_best()),
            self.dma.to_owned(),
            format!("{} {:.2}", self.binds, self.binds_cycles as f64 / self.cycles as f64),
            format!("{:+.0} %", 100.0 * self.error()),
            self.csr_instructions.to_string(),
            format!("{:.2}", self.host_instructions as f64 / self.cycles as f64),
            format!("{:.1}", self.speedup()),
            self.plan.first().cloned().unwrap_or_default(),
        ]
    }
}

const HEADER: [&str; 14] = [
    "workload",
    "input",
    "bytes out",
    "cycles",
    "bytes/cycle",
    "of W bytes",
    "of the best",
    "DMA, 16 B",
    "binds",
    "predicted",
    "CSRs",
    "host",
    "x host",
    "most of it by",
];

/// Columns that the document leaves out: bytes per cycle, which are W times the share; the error of the prediction,
/// whose median is there; and the plan, which would double the width of the table.
const LEFT_OUT: [usize; 3] = [4, 9, HEADER.len() - 1];

/// The column of the DMA.
const DMA: usize = 7;

/// `cosim measure workloads`.
pub fn run(workshop: &Workshop, options: &WorkloadOptions) -> Result<Ending> {
    let workshop = &workshop.with(&options.unit.rtl)?;
    if options.reduced {
        let targets = workshop.targets(&options.unit.config())?;
        make_all(&targets, ModelKind::Fast)?;
        let rows = reduced(&targets, &options.only, table::processors())?;
        say!("{}", summary::summary(&rows))?;
        let failed = rows.iter().any(|row| row.failures > 0);
        return Ok(if failed { Ending::Different } else { Ending::Clean });
    }
    let adapted = |target: &Target, (bytes, outstanding): Needs| {
        let mut config = target.rtl.clone();
        let bytes = bytes.unwrap_or(MEMORY);
        (config.l1m_bytes, config.l0m_bytes) = (bytes, bytes);
        config.outstanding = outstanding.unwrap_or(config.outstanding);
        workshop.target_of(config)
    };
    let workloads: Vec<Workload> = all(false)?.into_iter().filter(|w| w.name.contains(&options.only)).collect();
    let mut targets = Vec::new();
    for target in workshop.targets(&options.unit.config())? {
        let needs: BTreeSet<Needs> = workloads.iter().map(needs).collect();
        let with: BTreeMap<Needs, Target> =
            needs.into_iter().map(|needs| Ok((needs, adapted(&target, needs)?))).collect::<Result<_>>()?;
        targets.push(with);
    }
    let all: Vec<Target> = targets.iter().flat_map(|with| with.values().cloned()).collect();
    make_all(&all, ModelKind::Fast)?;
    let mut rows = Vec::new();
    for with in &targets {
        let name = with.values().next().map_or("", Target::name);
        let bar = table::progress(name, workloads.len() as u64);
        for workload in &workloads {
            let target = &with[&needs(workload)];
            match measure(target, workload).with_context(|| workload.name)? {
                Ok(row) => rows.push(row),
                Err(text) => {
                    output::text(&text)?;
                    return Ok(Ending::Different);
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    if let Some(path) = &options.markdown {
        output::save_text(path, &markdown(&rows))?;
    }
    if let Some(path) = &options.svg {
        output::save(path, picture(&rows).as_bytes())?;
    }
    match &options.json {
        Some(path) => output::save_json(path, &rows)?,
        None if options.markdown.as_deref() == Some(Path::new("-")) => {}
        None => output::text(&text(&rows))?,
    }
    Ok(Ending::Clean)
}

/// Bytes of each memory and requests in flight, where a workload asks for other ones.
type Needs = (Option<u32>, Option<u32>);

fn needs(workload: &Workload) -> Needs {
    (workload.memory, workload.outstanding)
}

/// A workload on the RTL, and by the host alone; or the text of a failure.
pub fn measure(target: &Target, workload: &Workload) -> Result<Result<Row, String>> {
    let mapping = workload.mapping.clone();
    let unit = target.for_plans();
    let inputs = contents(workload);
    // The host executes an instruction in each cycle, so the model can tell how long it takes.
    let plan = Plan::by_host(&mapping, &unit)?;
    let host = Operation::new(target, mapping.clone(), plan, inputs.clone())?.on_model(target, LIMIT)?;
    let plan = Plan::new(&mapping, &unit)?;
    let mut operation = Operation::new(target, mapping, plan, inputs)?;
    operation.latency = workload.latency;
    let ran = match operation.in_lockstep(target, &Setup::default(), LIMIT)? {
        Ok(ran) => ran,
        Err(failure) => return Ok(Err(report::text(target, &failure))),
    };
    Ok(Ok(row(target, workload, &operation, &ran, host.instructions + host.copies)))
}

fn contents(workload: &Workload) -> Vec<Vec<u8>> {
    let mut draw = Draw::new(0, workload.name, 0);
    let mut fill = |bytes: usize| {
        let mut contents = vec![0; bytes];
        draw.fill(&mut contents);
        contents
    };
    workload.mapping.inputs.iter().map(|tensor| fill(tensor.bytes())).collect()
}

/// The workloads with these words in their names, at reduced size and with random stalls, on each target, by so many
/// threads: a row of a regression for each target.
///
/// # Errors
/// When a program does not do what it should on the model.
pub fn reduced(targets: &[Target], only: &str, jobs: usize) -> Result<Vec<summary::Row>> {
    // The seed of its stalls is the same when it runs alone.
    let workloads: Vec<(Workload, u64)> =
        all(true)?.into_iter().zip(1..).filter(|(workload, _)| workload.name.contains(only)).collect();
    let bar = table::progress("operators", (workloads.len() * targets.len()) as u64);
    let work: Vec<(&Target, &(Workload, u64))> =
        targets.iter().flat_map(|target| workloads.iter().map(move |workload| (target, workload))).collect();
    let mut ran = parallel::map(&work, jobs, || bar.inc(1), |(target, (workload, seed))| one(target, workload, *seed))?
        .into_iter();
    bar.finish_and_clear();
    let row = |target: &Target| {
        let parts = ran.by_ref().take(workloads.len()).collect();
        summary::Row::of_parts(target.name(), format!("{} operators", workloads.len()), parts)
    };
    targets.iter().map(row).collect()
}

/// A workload in a regression, with the stalls of `seed`.
fn one(target: &Target, workload: &Workload, seed: u64) -> Result<(Counts, NamedRun)> {
    let (start, name) = (Instant::now(), workload.name.to_owned());
    let plan = Plan::new(&workload.mapping, &target.for_plans())?;
    let operation = Operation::new(target, workload.mapping.clone(), plan, contents(workload))?;
    let setup = super::op::setup(Some(seed));
    let (counts, failure) = match operation.in_lockstep(target, &setup, LIMIT).with_context(|| name.clone())? {
        Ok(ran) => (ran.counts, None),
        Err(failure) => {
            let text = report::text(target, &failure);
            let words = ["cosim", "measure", "workloads", "--reduced", "--only", &name].map(String::from);
            let again = shell::command(words.into_iter().chain(target.selection()));
            (Counts::default(), Some(format!("{text}  again    {again}\n")))
        }
    };
    let config = target.name().to_owned();
    Ok((counts, NamedRun { config, kind: "operator", name, elapsed: start.elapsed(), failure }))
}

fn row(target: &Target, workload: &Workload, operation: &Operation, ran: &Ran, host_cycles: u64) -> Row {
    let mut steps: Vec<&Step> = operation.plan.steps.iter().collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.cycles));
    let traffic = operation.traffic(u64::from(target.rtl.port_bytes()));
    let (binds, binds_cycles) = ran.binds();
    Row {
        config: target.name().to_owned(),
        workload: workload.name,
        shape: workload.shape.clone(),
        bytes: traffic.bytes,
        bound_cycles: traffic.bytes.div_ceil(u64::from(target.rtl.lanes)),
        best_cycles: traffic.read.max(traffic.written),
        cycles: ran.cycles.unwrap_or_default().max(1),
        predicted_cycles: operation.plan.cycles(),
        host_cycles,
        copy_instructions: ran.copies,
        csr_instructions: ran.engines.get("csr").copied().unwrap_or_default(),
        host_instructions: ran.host,
        binds,
        binds_cycles,
        dma: workload.dma,
        plan: steps.into_iter().map(Step::describe).collect(),
    }
}

fn medians(rows: &[&Row]) -> String {
    let of = |value: &dyn Fn(&Row) -> f64| median(rows.iter().map(|row| value(row)).collect());
    format!(
        "Median: {:.2} of W bytes per cycle, {:.2} of the best possible, {:.1} x the host, {:.0} % error of the prediction.",
        of(&Row::share),
        of(&Row::of_the_best),
        of(&Row::speedup),
        100.0 * of(&|row| row.error().abs())
    )
}

/// The configurations of the rows, in their order, with their rows.
fn groups(rows: &[Row]) -> Vec<(&str, Vec<&Row>)> {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        match groups.last_mut().filter(|(config, _)| *config == row.config) {
            Some((_, group)) => group.push(row),
            None => groups.push((&row.config, vec![row])),
        }
    }
    groups
}

fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    for (config, rows) in groups(rows) {
        let mut table = table::table(&HEADER, 2);
        for row in &rows {
            table.add_row(row.cells());
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{config}\n{table}\n{}", medians(&rows));
    }
    text
}

/// Bars of all configurations for each workload.
fn picture(rows: &[Row]) -> String {
    let groups = groups(rows);
    let bars = |i: usize| -> chart::Bars {
        groups
            .iter()
            .filter_map(|(_, rows)| rows.get(i))
            .map(|row| (row.config.clone(), row.share(), format!("{:.1}", row.rate())))
            .collect()
    };
    let name = |row: &Row| format!("{} ({})", row.workload, row.shape.split(',').next().unwrap_or_default());
    let first = groups.first().map_or(&[][..], |(_, rows)| rows);
    let title = "bytes per cycle, as a share of the bound";
    chart::svg(title, &first.iter().enumerate().map(|(i, row)| (name(row), bars(i))).collect::<Vec<_>>())
}

fn markdown(rows: &[Row]) -> String {
    let kept = |cells: &[String]| -> Vec<String> {
        cells.iter().enumerate().filter(|(n, _)| !LEFT_OUT.contains(n)).map(|(_, cell)| cell.clone()).collect()
    };
    let mut text = String::new();
    for (config, rows) in groups(rows) {
        let cells = |row: &&Row| {
            let mut cells = row.cells();
            if row.dma_is_ahead() {
                cells[DMA] = format!("**{}**", cells[DMA]);
            }
            kept(&cells)
        };
        let header = kept(&HEADER.map(str::to_owned));
        let lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let _ = write!(text, "\n## {config}\n\n{}", table::markdown(&header, 2, &lines));
        for row in rows.iter().filter(|row| row.copy_instructions > 0) {
            let (name, copies) = (row.workload, row.copy_instructions);
            let _ = writeln!(text, "\n{name}: {copies} instructions of the host copy the pieces, one in a cycle.");
        }
        let _ = writeln!(text, "\n{}", medians(&rows));
    }
    text + "\n"
}
