// SPDX-License-Identifier: Apache-2.0
//! `cosim measure bench`: cycles of each operation against its roofline, and the speed of the bench itself.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

pub mod activity;
pub mod axi;
pub mod cycles;
mod matrix;
mod measure;
mod operations;
mod results;
mod speed;
mod streams;
mod tables;

use std::path::PathBuf;

use anyhow::Result;

use crate::base::output::{self, save_json, say};
use crate::base::table;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, UnitOptions, Workshop};

use operations::Operation;
use results::Results;
use tables::Table;

pub use measure::Measured;
pub use speed::Speed;
pub use streams::Stream;

/// Options of `cosim measure bench`.
#[derive(Debug, clap::Args)]
pub struct BenchOptions {
    #[command(flatten)]
    pub unit: UnitOptions,
    /// Write the results as JSON to this file (- for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Measure only what one table of docs/performance.md has, and print it in Markdown
    #[arg(long, value_name = "TABLE", conflicts_with = "json")]
    pub markdown: Option<tables::Table>,
}

fn all(target: &Target) -> Vec<Operation> {
    let mut list = operations::of_tensors(target);
    list.extend(matrix::operations(target));
    list
}

/// Measures and prints.
pub fn run(workshop: &Workshop, options: &BenchOptions) -> Result<bool> {
    let mut results = Results::default();
    let targets = options.unit.targets(workshop)?;
    make_all(&targets, ModelKind::Fast)?;
    let asked = |table| options.markdown.is_none_or(|asked| asked == table);
    for target in targets {
        let operations = if asked(Table::Cycles) { all(&target) } else { Vec::new() };
        let bar = table::progress(target.name(), operations.len() as u64);
        for operation in &operations {
            results.operations.push(measure::measure(&target, operation)?);
            bar.inc(1);
        }
        bar.finish_and_clear();
        if asked(Table::Blocks) {
            results.streams.extend(streams::measure(&target)?);
        }
        if asked(Table::Speed) {
            results.speed.push(speed::measure(&target)?);
        }
    }
    if let Some(table) = options.markdown {
        output::text(&table.markdown(&results))?;
        return Ok(true);
    }
    if options.json.as_deref() != Some(std::path::Path::new("-")) {
        print(&results)?;
    }
    if let Some(path) = &options.json {
        save_json(path, &results)?;
    }
    Ok(true)
}

fn print(results: &Results) -> Result<()> {
    let header =
        ["configuration", "operation", "roofline", "sustained", "x roofline", "target", "", "latency", "target", ""];
    let mut cycles = table::table(&header, 2);
    let mark = |ok: bool| if ok { "" } else { "over" };
    for m in &results.operations {
        let (sustained, latency) = (m.class.sustained(m.roofline), m.class.latency(m.roofline));
        cycles.add_row([
            m.config.clone(),
            m.op.clone(),
            m.roofline.to_string(),
            format!("{:.2}", m.sustained),
            format!("{:.3}", m.sustained / m.roofline as f64),
            format!("{sustained:.1}"),
            mark(m.sustained <= sustained).to_owned(),
            m.latency.to_string(),
            format!("{latency:.0}"),
            mark(m.latency as f64 <= latency).to_owned(),
        ]);
    }
    say!("Cycles, zero-wait memories\n{cycles}\n")?;
    let latencies = streams::LATENCIES.map(|cycles| format!("latency {cycles}"));
    let [one, eight, many] = &latencies;
    let header = ["configuration", "block", "bound", one, eight, many, "x bound", "target", ""];
    let mut streams = table::table(&header, 2);
    for s in &results.streams {
        let over = s.cycles[0] / s.bound as f64;
        let [one, eight, many] = s.cycles.map(|cycles| format!("{cycles:.1}"));
        streams.add_row([
            s.config.clone(),
            s.stream.to_owned(),
            s.bound.to_string(),
            one,
            eight,
            many,
            format!("{over:.3}"),
            format!("{:.2}", s.target),
            mark(over <= s.target).to_owned(),
        ]);
    }
    say!("Cycles of a block, many behind each other, by the latency of the memories\n{streams}\n")?;
    let header = ["configuration", "compare", "instructions/s", "cycles/s", "ratio"];
    let mut speed = table::table(&header, 2);
    for s in &results.speed {
        let row = |name: &str, rate: &speed::Rate, ratio: String| {
            let Rate { instructions, cycles } = rate;
            [s.config.clone(), name.into(), format!("{instructions:.0}"), format!("{cycles:.0}"), ratio]
        };
        speed.add_row(row("on", &s.compared, format!("{:.2}", s.ratio)));
        speed.add_row(row("off", &s.bare, String::new()));
    }
    say!("Speed of the bench, one thread, random programs (ratio: on / off, 0.8 or better)\n{speed}")
}

use speed::Rate;
