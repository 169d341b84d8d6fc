// SPDX-License-Identifier: Apache-2.0
//! Area, clock and depth of the RTL.

pub mod gates;
mod netlist;
mod route;
mod synthesis;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::base::output::{save_json, say};
use crate::base::table::table;
use crate::model::yosys::Yosys;
use crate::unit::target::{RtlOptions, Target, Workshop};
use gates::Size;
use route::{Clock, Nextpnr};
use synthesis::{Job, UNIT};

/// Options of `cosim measure ppa`.
#[derive(Debug, clap::Args)]
pub struct PpaOptions {
    /// Configuration: a name or a file NAME.toml, several with commas between them, or all
    #[arg(long, default_value = "w16")]
    pub config: String,
    /// With the matrix instructions or without them, whatever the configuration says
    #[arg(long, value_name = "BOOL")]
    pub matrix: Option<bool>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    /// Only this module, out of context, with what is below it and its parameters as they stand in its file
    #[arg(long)]
    pub module: Option<String>,
    /// Without place and route
    #[arg(long)]
    pub no_route: bool,
    /// Placements to try, with seeds from 1 on; the clock is that of the fastest
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
    /// Megahertz that the router works for, a little more than there would be without it
    #[arg(long, value_name = "MHZ", conflicts_with = "no_route")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub goal: Option<u32>,
    /// Without the modules in gates
    #[arg(long)]
    pub no_gates: bool,
    /// Time for each configuration; what is there is printed when it is over
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60m")]
    pub limit: Duration,
    /// Write the figures to this file (JSON; - for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Keep netlists and logs in this folder
    #[arg(long)]
    pub work: Option<PathBuf>,
}

/// What was measured of a unit.
#[derive(Clone, Debug, Serialize)]
struct Report {
    /// Configuration, and the module, when it was not the whole unit.
    config: String,
    /// Tools and options.
    tools: String,
    /// Cells of the ECP5 by kind.
    cells: BTreeMap<String, u64>,
    /// Modules in gates of two inputs, and the whole of them as `all`.
    gates: BTreeMap<String, Size>,
    /// Its clock.
    clock: Option<Clock>,
}

/// `cosim measure ppa`.
///
/// # Errors
/// For an unknown configuration or module, and when a tool is missing or fails.
pub fn run(workshop: &Workshop, options: &PpaOptions) -> Result<bool> {
    ensure!(options.rtl.netlist.is_empty(), "--netlist is synthesized already: name RTL with --rtl");
    let workshop = workshop.with(&options.rtl)?;
    let yosys = Yosys::find()?;
    let nextpnr = if options.no_route { None } else { Some(Nextpnr::find()?) };
    let mut reports = Vec::new();
    for mut target in workshop.targets(&options.config)? {
        if let Some(matrix) = options.matrix.filter(|&matrix| matrix != target.rtl.matrix) {
            let mut config = target.rtl.clone();
            config.matrix = matrix;
            target = workshop.of(config)?;
        }
        let report = measure(&target, &yosys, nextpnr.as_ref(), options)?;
        say!("{}", report.text())?;
        reports.push(report);
    }
    if let Some(path) = &options.json {
        save_json(path, &reports)?;
    }
    Ok(options.no_route || reports.iter().all(|report| report.clock.as_ref().is_some_and(|clock| clock.routed)))
}

/// Measures one unit.
fn measure(target: &Target, yosys: &Yosys, nextpnr: Option<&Nextpnr>, options: &PpaOptions) -> Result<Report> {
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let matrix = if target.rtl.matrix { "with matrix" } else { "without matrix" };
    let top = options.module.as_deref().unwrap_or(UNIT);
    let module = options.module.as_ref().map_or_else(String::new, |module| format!(", {module}"));
    let name = format!("{} {matrix}{module}", target.name());
    let folder = match &options.work {
        Some(work) => work.join(name.replace([' ', ','], "-")),
        None => temporary.path().to_owned(),
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let folder = &folder.canonicalize()?;
    let files = synthesis::write_rtl(&target.models, folder)?;
    let known = top == UNIT || files.iter().any(|file| file.strip_suffix(".sv") == Some(top));
    ensure!(known, "there is no module {top:?} in configuration {}", target.name());
    let (start, limit) = (Instant::now(), options.limit);
    let job = Job { yosys, name: name.clone(), folder, files, start, limit };
    let Some(module) = job.ecp5(top)? else {
        bail!("{name}: synthesis did not end within {}", humantime::format_duration(limit));
    };
    let gates = if options.no_gates { None } else { job.gates(top)? };
    let gates = gates.map_or_else(BTreeMap::new, |gates| gates::sizes(&gates, top));
    let mut tools = format!("Yosys {}, synth_ecp5 {}", yosys.version()?, synthesis::OPTIONS);
    let clock = match nextpnr {
        None => None,
        Some(nextpnr) => {
            tools += &format!("; nextpnr {}, ECP5-85k, speed 6, router2", nextpnr.version()?);
            job.wrap(top, &module)?;
            nextpnr.route(&job, options.seeds, options.goal)?
        }
    };
    Ok(Report { config: name, tools, cells: module.kinds(), gates, clock })
}

impl Report {
    /// All of it, for a terminal.
    fn text(&self) -> String {
        let cells: Vec<String> = self.cells.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let mut text = format!("{}: {}\n\n{}\n", self.config, self.tools, cells.join(", "));
        if !self.gates.is_empty() {
            let header =
                ["module", "instances", "gate equivalents", "flip-flops", "memory bits", "gates in deepest path"];
            let mut rows = table(&header, 1);
            for (module, Size { instances, gates, flip_flops, memory_bits, depth }) in &self.gates {
                let numbers = [*instances, *gates, *flip_flops, *memory_bits, u64::from(*depth)];
                rows.add_row([module.clone()].into_iter().chain(numbers.map(|number| number.to_string())));
            }
            text += &format!("\n{rows}\n");
        }
        text + &self.clock.as_ref().map_or_else(|| "\nNot routed.\n".to_owned(), Clock::text)
    }
}
