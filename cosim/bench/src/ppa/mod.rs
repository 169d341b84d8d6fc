// SPDX-License-Identifier: Apache-2.0
//! Area, clock and depth of the RTL.

mod arrivals;
mod cells;
pub mod gates;
mod graph;
mod netlist;
pub mod paths;
mod report;
mod route;
mod synthesis;
mod watch;
mod wrapper;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::base::output::{self, save_json, say};
use crate::unit::target::{RtlOptions, Target, Workshop};
use crate::unit::yosys::Yosys;
pub use graph::Graph;
use graph::Place;
use report::{Area, Gates, Report};
use route::{Nextpnr, Wanted};
use synthesis::{Job, UNIT};

/// Options of `cosim ppa`.
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
    /// Megahertz that the router works for, a little more than there would be without it; the registers and memories whose
    /// inputs come later are told, too
    #[arg(long, value_name = "MHZ", conflicts_with = "no_route", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub goal: Option<u32>,
    /// Without the figures in gates
    #[arg(long)]
    pub no_gates: bool,
    /// Time for each configuration; what is there is printed when it is over
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60m")]
    pub limit: Duration,
    /// Write the figures to this file (JSON; - for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Write the figures to this file as a table for a document (Markdown; - for standard output)
    #[arg(long)]
    pub markdown: Option<PathBuf>,
    /// Keep netlists and logs in this folder
    #[arg(long)]
    pub work: Option<PathBuf>,
}

/// `cosim ppa`.
///
/// # Errors
/// For an unknown configuration or module, and when a tool is missing or fails.
pub fn run(workshop: &Workshop, options: &PpaOptions) -> Result<bool> {
    ensure!(options.rtl.netlist.is_empty(), "--netlist is synthesized already: name RTL with --rtl");
    let workshop = workshop.with(&options.rtl)?;
    let yosys = Yosys::find()?;
    let nextpnr = if options.no_route { None } else { Some(Nextpnr::find()?) };
    let mut reports = Vec::new();
    let mut complete = true;
    for target in workshop.targets(&options.config)? {
        let target = match options.matrix.filter(|&matrix| matrix != target.rtl.matrix) {
            Some(matrix) => {
                let mut config = target.rtl.clone();
                config.matrix = matrix;
                workshop.of(config)?
            }
            None => target,
        };
        let report = measure(&target, &yosys, nextpnr.as_ref(), options)?;
        say!("{}", report.text())?;
        complete &= options.no_route || report.clock.as_ref().is_some_and(|clock| clock.routed);
        reports.push(report);
    }
    if let Some(path) = &options.json {
        save_json(path, &reports)?;
    }
    if let Some(path) = &options.markdown {
        match path.as_os_str() == "-" {
            true => output::text(&report::markdown(&reports))?,
            false => output::save(path, report::markdown(&reports).as_bytes())?,
        }
    }
    Ok(complete)
}

/// Measures one unit.
fn measure(target: &Target, yosys: &Yosys, nextpnr: Option<&Nextpnr>, options: &PpaOptions) -> Result<Report> {
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let matrix = if target.rtl.matrix { "with matrix" } else { "without matrix" };
    let mut name = format!("{} {matrix}", target.name());
    let top = options.module.as_deref().unwrap_or(UNIT);
    if let Some(module) = &options.module {
        name = format!("{name}, {module}");
    }
    let folder = match &options.work {
        Some(work) => work.join(name.replace([' ', ','], "-")),
        None => temporary.path().to_owned(),
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let folder = &folder.canonicalize()?;
    let files = synthesis::write_rtl(&target.models, folder)?;
    if let Some(module) = &options.module {
        let known = files.iter().any(|file| file.strip_suffix(".sv") == Some(module));
        ensure!(known, "there is no module {module:?} in configuration {}", target.name());
    }
    let (start, limit) = (Instant::now(), options.limit);
    let job = Job { yosys, name: name.clone(), folder, files, start, limit };
    let Some(module) = job.ecp5(top)? else {
        bail!("{name}: synthesis did not end within {}", humantime::format_duration(limit));
    };
    let graph = Graph::new(&module, top)?;
    let (unit, modules) = area(&graph, top);
    let gates = if options.no_gates { None } else { job.gates(top)?.map(|graph| in_gates(&graph, top)) };
    let mut tools = format!("Yosys {}, synth_ecp5 {}", yosys.version()?, synthesis::OPTIONS);
    let clock = match nextpnr {
        None => None,
        Some(nextpnr) => {
            tools += &format!("; nextpnr {}, ECP5-85k, speed 6, router2", nextpnr.version()?);
            let wanted = Wanted { seeds: options.seeds, goal: options.goal };
            nextpnr.route(&name, folder, module, &graph, &wanted, (start, limit))?
        }
    };
    Ok(Report { config: name, tools, unit, modules, gates, clock })
}

/// Cells and depth of the unit and of each module.
fn area(graph: &Graph, top: &str) -> (Area, Vec<Area>) {
    let depths = graph.depths(|_| true);
    let mut deepest: BTreeMap<&str, u32> = BTreeMap::new();
    for (net, place) in &graph.ends {
        let module = match place {
            Place::Instance(at) => graph.modules[*at as usize].as_str(),
            Place::Port(_) => top,
        };
        let level = depths.level[*net as usize].unwrap_or(0);
        deepest.entry(module).and_modify(|most| *most = level.max(*most)).or_insert(level);
    }
    let mut unit = Area { module: top.into(), instances: 0, counts: Default::default(), depth: 0 };
    let of = |(module, counts): (String, cells::Counts)| Area {
        instances: graph.modules.iter().filter(|other| **other == module).count() as u64,
        depth: deepest.get(module.as_str()).copied().unwrap_or(0),
        module,
        counts,
    };
    let mut modules: Vec<Area> = graph.modules().into_iter().map(of).collect();
    for area in &modules {
        unit.counts += area.counts;
        unit.depth = unit.depth.max(area.depth);
    }
    modules.sort_by_key(|area| std::cmp::Reverse((area.counts.lut4, area.counts.ff)));
    (unit, modules)
}

/// The smallest unit with all instruction sets, so that it has every module, in gates.
///
/// # Errors
/// When Yosys fails.
pub fn small_unit(workshop: &Workshop, yosys: &Yosys) -> Result<Graph> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let target = workshop.with_faults()?;
    let files = synthesis::write_rtl(&target.models, folder.path())?;
    let name = format!("{} with all instruction sets", target.name());
    let limit = Duration::MAX;
    let job = Job { yosys, name, folder: folder.path(), files, start: Instant::now(), limit };
    job.gates(UNIT)?.context("Yosys did not end")
}

/// A unit of gates.
fn in_gates(graph: &Graph, top: &str) -> Gates {
    let (unit, _) = area(graph, top);
    let cells::Counts { sixths, ff, memory_bits, .. } = unit.counts;
    Gates { equivalents: sixths / 6, ff, memory_bits, depth: unit.depth }
}
