// SPDX-License-Identifier: Apache-2.0
//! `cosim measure networks`: what layout costs whole networks.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::Serialize;

use super::workloads::{MEMORY, Row, measure};
use crate::base::ending::Ending;
use crate::base::{output, parallel, table};
use crate::operators::chart;
use crate::operators::networks::{Change, Network, all};
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, UnitOptions, Workshop, with_default};

/// Multiply-accumulates per cycle of the arrays.
const ARRAYS: [u64; 2] = [256, 1024];

/// Options of `cosim measure networks`. L1M and L0M of a configuration are made large enough.
#[derive(Debug, Args)]
#[command(mut_arg("config", |arg| with_default(arg, "w16,w16r")))]
pub struct NetworkOptions {
    #[command(flatten)]
    unit: UnitOptions,
    /// Only networks with this in their names
    #[arg(long, default_value = "")]
    only: String,
    /// Layout changes at a time
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    jobs: usize,
    /// Write the tables in Markdown to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the shares of the larger array as a picture (SVG) to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the networks as JSON to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A network, with cycles of the host alone and then of each configuration.
#[derive(Debug, Serialize)]
struct Measured {
    network: &'static str,
    macs: u64,
    /// Bytes written by all changes.
    bytes: u64,
    cycles: Vec<u64>,
    changes: Vec<Line>,
}

/// A layout change of a network.
#[derive(Debug, Serialize)]
struct Line {
    change: &'static str,
    input: String,
    times: u64,
    /// Of one.
    cycles: Vec<u64>,
}

impl Measured {
    /// The share of layout, one after the other with an array of so many multiply-accumulates per cycle.
    fn share(&self, cycles: u64, array: u64) -> f64 {
        cycles as f64 / (cycles + self.macs.div_ceil(array)) as f64
    }
}

/// `cosim measure networks`.
pub fn run(workshop: &Workshop, options: &NetworkOptions) -> Result<Ending> {
    let workshop = &workshop.with(&options.unit.rtl)?;
    let large = |target: Target| {
        let mut config = target.rtl.clone();
        (config.l1m_bytes, config.l0m_bytes) = (MEMORY, MEMORY);
        workshop.target_of(config)
    };
    let targets: Vec<Target> =
        workshop.targets(&options.unit.config())?.into_iter().map(large).collect::<Result<_>>()?;
    let mut networks = all()?;
    networks.retain(|network| network.name.contains(&options.only));
    ensure!(!networks.is_empty(), "--only: no network has {:?} in its name", options.only);
    make_all(&targets, ModelKind::Fast)?;
    let changes: Vec<(&Change, &Target)> = networks
        .iter()
        .flat_map(|network| &network.changes)
        .flat_map(|change| targets.iter().map(move |target| (change, target)))
        .collect();
    let bar = table::progress("networks", changes.len() as u64);
    let work = |(change, target): &(&Change, &Target)| measure(target, &change.workload).context(change.workload.name);
    let rows = parallel::map(&changes, options.jobs, || bar.inc(1), work)?;
    bar.finish_and_clear();
    let rows: Vec<Row> = match rows.into_iter().collect() {
        Ok(rows) => rows,
        Err(text) => {
            let text: String = text;
            output::text(&text)?;
            return Ok(Ending::Different);
        }
    };
    let mut rows = rows.chunks(targets.len().max(1));
    let measured: Vec<Measured> = networks.iter().map(|network| sum(network, &mut rows)).collect();
    let names: Vec<&str> = std::iter::once("host").chain(targets.iter().map(Target::name)).collect();
    if let Some(path) = &options.svg {
        output::save(path, picture(&names, &measured).as_bytes())?;
    }
    match (&options.json, &options.markdown) {
        (Some(path), _) => output::save_json(path, &measured)?,
        (None, path) => {
            output::save_text(path.as_deref().unwrap_or(Path::new("-")), &markdown(&names, &measured))?;
        }
    }
    Ok(Ending::Clean)
}

/// The next rows are those of this network's changes, one for each configuration.
fn sum<'a>(network: &Network, rows: &mut impl Iterator<Item = &'a [Row]>) -> Measured {
    let mut measured =
        Measured { network: network.name, macs: network.macs, bytes: 0, cycles: Vec::new(), changes: Vec::new() };
    for (change, rows) in network.changes.iter().zip(rows) {
        let host = rows.iter().map(|row| row.host_cycles).take(1);
        let cycles: Vec<u64> = host.chain(rows.iter().map(|row| row.cycles)).collect();
        measured.cycles.resize(cycles.len(), 0);
        measured.cycles.iter_mut().zip(&cycles).for_each(|(sum, cycles)| *sum += change.times * cycles);
        measured.bytes += rows.iter().map(|row| change.times * row.bytes).take(1).sum::<u64>();
        let (name, input) = (change.workload.name, change.workload.shape.clone());
        measured.changes.push(Line { change: name, input, times: change.times, cycles });
    }
    measured
}

fn millions(number: u64) -> String {
    format!("{:.2}", number as f64 / 1e6)
}

fn markdown(names: &[&str], networks: &[Measured]) -> String {
    let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let cycles = names.iter().map(|name| format!("{name}, M cycles"));
    let shares = ARRAYS.iter().flat_map(|array| names.iter().map(move |name| format!("{name}, {array} MAC")));
    let header: Vec<String> = owned(&["network", "G MAC", "MB"]).into_iter().chain(cycles).chain(shares).collect();
    let row = |m: &Measured| -> Vec<String> {
        let work =
            [m.network.to_owned(), format!("{:.2}", m.macs as f64 / 1e9), format!("{:.1}", m.bytes as f64 / 1e6)];
        let shares = ARRAYS.iter().flat_map(|array| m.cycles.iter().map(move |&cycles| m.share(cycles, *array)));
        let shares = shares.map(|share| format!("{:.1} %", 100.0 * share));
        work.into_iter().chain(m.cycles.iter().map(|&cycles| millions(cycles))).chain(shares).collect()
    };
    let mut text = table::markdown(&header, 1, &networks.iter().map(row).collect::<Vec<_>>());
    let header = names.iter().map(|name| format!("{name}, k cycles"));
    let header: Vec<String> = owned(&["network", "change", "input", "times"]).into_iter().chain(header).collect();
    let rows = networks.iter().flat_map(|m| {
        m.changes.iter().map(|line| -> Vec<String> {
            let cells = [m.network, line.change, &line.input].map(str::to_owned);
            let cycles = line.cycles.iter().map(|&cycles| format!("{:.1}", cycles as f64 / 1e3));
            cells.into_iter().chain([line.times.to_string()]).chain(cycles).collect()
        })
    });
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{}", table::markdown(&header, 3, &rows.collect::<Vec<_>>()));
    text
}

/// Shares of the larger array.
fn picture(names: &[&str], networks: &[Measured]) -> String {
    let array = ARRAYS[ARRAYS.len() - 1];
    let bars = |m: &Measured| -> chart::Bars {
        let bar = |(name, &cycles): (&&str, &u64)| {
            let share = m.share(cycles, array);
            ((*name).to_owned(), share, format!("{:.1} %", 100.0 * share))
        };
        names.iter().zip(&m.cycles).map(bar).collect()
    };
    let title = format!("share of layout, array of {array} MAC per cycle");
    chart::svg(&title, &networks.iter().map(|m| (m.network.to_owned(), bars(m))).collect::<Vec<_>>())
}
