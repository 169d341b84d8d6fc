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

use super::ending::Ending;
use super::table as summary;
use crate::base::draw::Draw;
use crate::base::median::median;
use crate::base::output::{self, say};
use crate::base::{shell, table};
use crate::lockstep::{Counts, Setup};
use crate::operators::chart;
use crate::operators::execute::{Operation, Ran};
use crate::operators::workloads::{Workload, all};
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::{Target, UnitOptions, Workshop, make_all, with_default};

/// Bytes of L1M and L0M: enough for every workload.
const MEMORY: u32 = 1 << 24;
const LIMIT: u64 = 100_000_000;

/// Options of `cosim measure workloads`. L1M and L0M of a configuration are made large enough.
#[derive(Debug, Args)]
#[command(mut_arg("config", |arg| with_default(arg, "w16,w32")))]
pub struct WorkloadOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    unit: UnitOptions,
    /// Only workloads with this in their names
    #[arg(long, default_value = "")]
    only: String,
    /// The same operators on smaller tensors, with the memories as the configuration has them and with random stalls: what
    /// `cosim regress` runs
    #[arg(long, conflicts_with_all = ["markdown", "svg", "json"])]
    reduced: bool,
    /// Write the table in Markdown to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the table as a picture (SVG) to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the rows as JSON to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A row of the table.
#[derive(Debug, Serialize)]
struct Row {
    config: String,
    workload: &'static str,
    shape: String,
    bytes: u64,
    bound_cycles: u64,
    cycles: u64,
    predicted_cycles: u64,
    host_cycles: u64,
    copy_instructions: u64,
    binds: &'static str,
    limit: Option<&'static str>,
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

    /// Why it stays away from the bound, if it does; `friendly` where its shape is no reason.
    fn held_back(&self) -> String {
        match (self.limit, self.share() >= NEAR) {
            (None, true) => "friendly".to_owned(),
            (None, false) => format!("friendly, but {} binds", self.binds),
            (Some(_), true) => String::new(),
            (Some(limit), false) => limit.to_owned(),
        }
    }

    fn cells(&self) -> [String; 10] {
        [
            self.workload.to_owned(),
            self.shape.clone(),
            self.bytes.to_string(),
            self.cycles.to_string(),
            format!("{:.2}", self.rate()),
            format!("{:.2}", self.share()),
            format!("{:+.0} %", 100.0 * self.error()),
            format!("{:.1}", self.speedup()),
            self.plan.first().cloned().unwrap_or_default(),
            self.held_back(),
        ]
    }
}

const HEADER: [&str; 10] = [
    "workload",
    "input",
    "bytes out",
    "cycles",
    "bytes/cycle",
    "of the bound",
    "predicted",
    "x host",
    "most of it by",
    "held back by",
];

/// The column of the plan. The document leaves it out: it would double the width of the table.
const PLAN: usize = 8;

/// The share of the bound that is near enough, and the goal of rows that are friendly.
const NEAR: f64 = 0.85;

/// `cosim measure workloads`.
///
/// # Errors
/// For configurations and files that cannot be used.
pub fn run(workshop: &Workshop, options: &WorkloadOptions) -> Result<Ending> {
    let workshop = &workshop.with(&options.unit.rtl)?;
    if options.reduced {
        let targets = workshop.targets(&options.unit.config())?;
        make_all(&targets, ModelKind::Fast)?;
        let rows = reduced(&targets, &options.only)?;
        say!("{}", summary::summary(&rows))?;
        let failed = rows.iter().any(|row| row.failures > 0);
        return Ok(if failed { Ending::Different } else { Ending::Clean });
    }
    let with_memory = |target: &Target, bytes: u32| {
        let mut config = target.rtl.clone();
        (config.l1m_bytes, config.l0m_bytes) = (bytes, bytes);
        workshop.of(config)
    };
    let workloads: Vec<Workload> = all(false)?.into_iter().filter(|w| w.name.contains(&options.only)).collect();
    let mut targets = Vec::new();
    for target in workshop.targets(&options.unit.config())? {
        let small: BTreeSet<u32> = workloads.iter().filter_map(|workload| workload.memory).collect();
        let small = small.into_iter().map(|bytes| Ok((Some(bytes), with_memory(&target, bytes)?)));
        let mut with: BTreeMap<Option<u32>, Target> = small.collect::<Result<_>>()?;
        with.insert(None, with_memory(&target, MEMORY)?);
        targets.push(with);
    }
    let all: Vec<Target> = targets.iter().flat_map(|with| with.values().cloned()).collect();
    make_all(&all, ModelKind::Fast)?;
    let mut rows = Vec::new();
    for with in &targets {
        let bar = table::progress(with[&None].name(), workloads.len() as u64);
        for workload in &workloads {
            let target = &with[&workload.memory];
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
    let dash = Path::new("-");
    match &options.markdown {
        Some(path) if path == dash => output::text(&markdown(&rows))?,
        Some(path) => output::save(path, markdown(&rows).as_bytes())?,
        None => {}
    }
    if let Some(path) = &options.svg {
        output::save(path, picture(&rows).as_bytes())?;
    }
    match &options.json {
        Some(path) => output::save_json(path, &rows)?,
        None if options.markdown.as_deref() == Some(dash) => {}
        None => output::text(&text(&rows))?,
    }
    Ok(Ending::Clean)
}

/// A workload on the RTL, and by the host alone; or the text of a failure.
fn measure(target: &Target, workload: &Workload) -> Result<Result<Row, String>> {
    let mapping = workload.operator.mapping(&workload.inputs)?;
    let unit = target.for_plans();
    let inputs = contents(workload);
    // The host executes an instruction in each cycle, so the model can tell how long it takes.
    let plan = Plan::by_host(&mapping, &unit)?;
    let host = Operation::new(target, mapping.clone(), plan, inputs.clone())?.on_model(target, LIMIT)?;
    let plan = Plan::new(&mapping, &unit)?;
    let operation = Operation::new(target, mapping, plan, inputs)?;
    let ran = match operation.in_lockstep(target, &Setup::default(), LIMIT)? {
        Ok(ran) => ran,
        Err(failure) => return Ok(Err(report::text(target, &failure))),
    };
    Ok(Ok(row(target, workload, &operation, &ran, host.instructions + host.copies)))
}

/// What goes into a workload.
fn contents(workload: &Workload) -> Vec<Vec<u8>> {
    let mut draw = Draw::new(0, workload.name, 0);
    let mut fill = |bytes: usize| {
        let mut contents = vec![0; bytes];
        draw.fill(&mut contents);
        contents
    };
    workload.inputs.iter().map(|tensor| fill(tensor.bytes())).collect()
}

/// The workloads with these words in their names, at reduced size and with random stalls, on each target: a row of a
/// regression for each.
///
/// # Errors
/// When a program does not do what it should on the model.
pub fn reduced(targets: &[Target], only: &str) -> Result<Vec<summary::Row>> {
    // The seed of its stalls is the same when it runs alone.
    let workloads: Vec<(Workload, u64)> =
        all(true)?.into_iter().zip(1..).filter(|(workload, _)| workload.name.contains(only)).collect();
    let bar = table::progress("operators", (workloads.len() * targets.len()) as u64);
    let mut rows = Vec::new();
    for target in targets {
        let start = Instant::now();
        let (mut counts, mut failures) = (Counts::default(), 0);
        for (workload, seed) in &workloads {
            let mapping = workload.operator.mapping(&workload.inputs)?;
            let plan = Plan::new(&mapping, &target.for_plans())?;
            let operation = Operation::new(target, mapping, plan, contents(workload))?;
            let setup = super::op::setup(Some(*seed));
            match operation.in_lockstep(target, &setup, LIMIT).with_context(|| workload.name)? {
                Ok(ran) => counts.add(&ran.counts),
                Err(failure) => {
                    failures += 1;
                    let (text, name) = (report::text(target, &failure), workload.name);
                    let words = ["cosim", "workloads", "--reduced", "--only", name].map(String::from);
                    let again = shell::command(words.into_iter().chain(target.selection()));
                    say!("{name}\n{text}  again    {again}\n")?;
                }
            }
            bar.inc(1);
        }
        let (config, what) = (target.name().into(), format!("{} operators", workloads.len()));
        rows.push(summary::Row { config, what, counts, failures, elapsed: start.elapsed() });
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn row(target: &Target, workload: &Workload, operation: &Operation, ran: &Ran, host_cycles: u64) -> Row {
    let mut steps: Vec<&Step> = operation.plan.steps.iter().collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.cycles));
    Row {
        config: target.name().to_owned(),
        workload: workload.name,
        shape: workload.shape.clone(),
        bytes: operation.bytes()[1],
        bound_cycles: operation.bound(target),
        cycles: ran.cycles.unwrap_or_default().max(1),
        predicted_cycles: operation.plan.cycles(),
        host_cycles,
        copy_instructions: ran.copies,
        binds: ran.binds(),
        limit: limit(&operation.plan, target),
        plan: steps.into_iter().map(Step::describe).collect(),
    }
}

/// What holds most of the plan back, if that is a tenth of its time or more.
fn limit(plan: &Plan, target: &Target) -> Option<&'static str> {
    let mut cycles: BTreeMap<&'static str, u64> = BTreeMap::new();
    for step in &plan.steps {
        if let Some(limit) = step.limit(&target.for_plans()) {
            *cycles.entry(limit).or_default() += step.cycles;
        }
    }
    let (limit, most) = cycles.into_iter().max_by_key(|&(_, cycles)| cycles)?;
    (most * 10 >= plan.cycles()).then_some(limit)
}

fn medians(rows: &[&Row]) -> String {
    let of = |value: &dyn Fn(&Row) -> f64| median(rows.iter().map(|row| value(row)).collect());
    format!(
        "Median: {:.2} of the bound, {:.1} x the host, {:.0} % error of the prediction.",
        of(&Row::share),
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
            .map(|row| (row.config.clone(), row.share(), row.rate()))
            .collect()
    };
    let name = |row: &Row| format!("{} ({})", row.workload, row.shape.split(',').next().unwrap_or_default());
    let first = groups.first().map_or(&[][..], |(_, rows)| rows);
    chart::svg(&first.iter().enumerate().map(|(i, row)| (name(row), bars(i))).collect::<Vec<_>>())
}

/// A row of the document.
fn line(cells: [String; HEADER.len()]) -> String {
    let kept: Vec<String> = cells.into_iter().enumerate().filter(|(n, _)| *n != PLAN).map(|(_, cell)| cell).collect();
    format!("| {} |", kept.join(" | "))
}

fn markdown(rows: &[Row]) -> String {
    let mut text = "# Workloads\n\n\
        Layouts of real networks on the RTL, in lockstep with the model\n\
        (`cosim measure workloads --markdown docs/workloads.md`). The *bound* is the time to write the output with W bytes\n\
        per cycle. *Predicted* is the error of the cost model. *x host* is the time of plain RV32IM loops on the\n\
        same host, with one instruction per cycle and word accesses where alignment allows them. (4-bit elements are\n\
        moved one by one; a special loop would be some ten times faster.) L1M and L0M are large enough unless the\n\
        row says otherwise; then the host's instructions to copy pieces are counted apart. A row is *friendly* if\n\
        nine tenths of its plan move slices of at least W bytes that rarely start inside a memory word, and\n\
        transpose full registers. Its goal is 0.85 of the bound. For other rows see\n\
        [operators.md](operators.md#what-limits-it).\n"
        .to_string();
    for (config, rows) in groups(rows) {
        let _ = writeln!(text, "\n## {config}\n\n{}", line(HEADER.map(str::to_owned)));
        let _ = writeln!(text, "|---|---|---:|---:|---:|---:|---:|---:|---|");
        rows.iter().for_each(|row| text.push_str(&(line(row.cells()) + "\n")));
        for row in rows.iter().filter(|row| row.copy_instructions > 0) {
            let (name, copies) = (row.workload, row.copy_instructions);
            let _ = writeln!(text, "\n{name}: {copies} instructions of the host copy the pieces, one in a cycle.");
        }
        let _ = writeln!(text, "\n{}", medians(&rows));
    }
    text
}
