// SPDX-License-Identifier: Apache-2.0
//! Area, clock and depth of the RTL.

mod cells;
mod circuit;
mod designs;
mod family;
mod fpgas;
pub mod gates;
mod liberty;
mod netlist;
mod power;
mod route;
mod sta;
mod synthesis;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::Serialize;

use crate::base::output::{self, save_json, say};
use crate::base::table::table;
use crate::model::yosys::Yosys;
use crate::record::RecordOptions;
use crate::unit::SETUP_LINT;
use crate::unit::target::{RtlOptions, Target, Workshop};
use cells::{Area, SmallMemories};
use circuit::Circuit;
use family::Family;
use gates::Size;
use liberty::Library;
pub use power::Power;
use route::{Clock, Nextpnr};
use sta::Sta;
use synthesis::{Job, UNIT};

/// What a unit is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technology {
    Fpga(&'static Family),
    Cells,
}

impl ValueEnum for Technology {
    fn value_variants<'a>() -> &'a [Technology] {
        static ALL: [Technology; 3] =
            [Technology::Fpga(&family::ECP5), Technology::Fpga(&family::NEXUS), Technology::Cells];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Technology::Fpga(family) => (family.name, format!("An FPGA, placed and routed: {}", family.device)),
            Technology::Cells => {
                ("cells", "Standard cells, not placed: OSU018 (0.18 um), or the file that LIBERTY names".to_owned())
            }
        };
        Some(PossibleValue::new(name).help(help))
    }
}

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
    pub rtl: RtlOptions,
    /// What it is made of
    #[arg(long, value_enum, default_value_t = Technology::Fpga(&family::ECP5))]
    pub target: Technology,
    /// Timing of the ports: `tl.sdc` of the generator; with `--target cells`
    #[arg(long, value_name = "FILE")]
    pub sdc: Option<PathBuf>,
    /// Verilog of another design, measured in the same way; with `--target cells`
    #[arg(long, value_name = "FILE.v:TOP")]
    pub beside: Vec<String>,
    /// What memories of few words are made of; with `--target cells`
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub small_memories: SmallMemories,
    /// And the power of each operation, by the edges in the netlist; with `--target cells`
    #[arg(long, conflicts_with = "module")]
    pub power: bool,
    /// Only this module, out of context, with what is below it and its parameters as they stand in its file
    #[arg(long, conflicts_with = "record")]
    pub module: Option<String>,
    /// Without place and route
    #[arg(long)]
    pub no_route: bool,
    /// Placements to try, with seeds from 1 on; the clock is that of the fastest
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
    /// Megahertz that the router or the mapper [100] works for, a little more than there would be without it
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
    #[command(flatten)]
    pub kept: RecordOptions,
    /// Keep netlists and logs in this folder
    #[arg(long)]
    pub work: Option<PathBuf>,
}

/// What was measured of a unit.
#[derive(Clone, Debug, Default, Serialize)]
struct Report {
    /// Configuration, and the module, when it was not the whole unit.
    config: String,
    /// Tools and options.
    tools: String,
    cells: BTreeMap<String, u64>,
    /// Modules in gates of two inputs, and the whole of them as `all`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    gates: BTreeMap<String, Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Area>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    power: Vec<Power>,
    clock: Option<Clock>,
}

/// Keeps what was measured, or nothing: to see whether the file can be written.
fn keep(path: &Path, options: &PpaOptions, reports: &[Report]) -> Result<()> {
    match options.target {
        Technology::Fpga(family) => {
            let units = reports.iter().map(|it| (&*it.config, &it.cells, it.clock.as_ref()));
            fpgas::keep(path, family, !options.no_route, units)
        }
        Technology::Cells => {
            let small = options.small_memories;
            let kind = small.to_possible_value().filter(|_| small != SmallMemories::default());
            let kind = kind.map_or_else(String::new, |kind| format!(", {}", kind.get_name()));
            let designs = reports.iter().filter_map(|it| {
                Some((format!("{}{kind}", it.config), it.area.as_ref()?, it.clock.as_ref()?, &*it.power))
            });
            designs::keep(path, &designs.collect::<Vec<_>>())
        }
    }
}

/// What is kept.
fn kept(path: &Path, options: &PpaOptions) -> Result<String> {
    match options.target {
        Technology::Fpga(family) => fpgas::markdown(path, family, !options.no_route),
        Technology::Cells if options.power => designs::powers(path),
        Technology::Cells => designs::areas(path),
    }
}

enum Tools {
    Fpga(&'static Family, Option<Nextpnr>),
    Cells(Library, Sta),
}

/// `cosim measure ppa`.
pub fn run(workshop: &Workshop, options: &PpaOptions) -> Result<bool> {
    ensure!(options.rtl.netlist.is_empty(), "--netlist is synthesized already: name RTL with --rtl");
    if let Some(path) = &options.kept.table {
        output::text(&kept(path, options)?)?;
        return Ok(true);
    }
    if let Some(path) = &options.kept.record {
        // What is wrong with the file is said before an hour of work.
        keep(path, options, &[])?;
    }
    let workshop = workshop.with(&options.rtl)?;
    let yosys = Yosys::find(Some(SETUP_LINT))?;
    let tools = match options.target {
        Technology::Fpga(family) => {
            let none = options.beside.is_empty() && options.sdc.is_none() && !options.power;
            let macros = options.small_memories == SmallMemories::default();
            ensure!(none && macros, "--beside, --sdc, --power and --small-memories need --target cells");
            Tools::Fpga(family, if options.no_route { None } else { Some(Nextpnr::find(family)?) })
        }
        Technology::Cells => {
            let placed = options.no_route || options.no_gates || options.seeds > 1;
            ensure!(!placed, "--no-route, --no-gates and --seeds are for FPGAs: cells are not placed");
            Tools::Cells(Library::find()?, Sta::find()?)
        }
    };
    let pair =
        |argument| str::rsplit_once(argument, ':').with_context(|| format!("--beside {argument}: no FILE.v:TOP"));
    let beside = options.beside.iter().map(|argument| pair(argument)).collect::<Result<Vec<_>>>()?;
    let mut reports = Vec::new();
    let mut measure = |name: String, unit: Option<&Target>, top: &str, write: &dyn Fn(&Path) -> Result<Vec<String>>| {
        let report = measure(name, unit, top, write, (&yosys, &tools), options)?;
        say!("{}", report.text())?;
        reports.push(report);
        anyhow::Ok(())
    };
    for mut target in workshop.targets(&options.config)? {
        if let Some(matrix) = options.matrix.filter(|&matrix| matrix != target.rtl.matrix) {
            let mut config = target.rtl.clone();
            config.matrix = matrix;
            target = workshop.target_of(config)?;
        }
        let matrix = if target.rtl.matrix { "with matrix" } else { "without matrix" };
        let module = options.module.as_ref().map_or_else(String::new, |module| format!(", {module}"));
        let name = format!("{} {matrix}{module}", target.name());
        measure(name, Some(&target), options.module.as_deref().unwrap_or(UNIT), &|folder| {
            unit(&target, options, folder)
        })?;
    }
    for (file, top) in beside {
        measure(top.to_owned(), None, top, &|folder| {
            std::fs::copy(file, folder.join("beside.v")).with_context(|| format!("cannot copy {file}"))?;
            Ok(vec!["beside.v".to_owned()])
        })?;
    }
    if let Some(path) = &options.json {
        save_json(path, &reports)?;
    }
    if let Some(path) = &options.kept.record {
        keep(path, options, &reports)?;
    }
    Ok(options.no_route
        || reports.iter().all(|report| report.clock.as_ref().is_some_and(|clock| clock.routed != Some(false))))
}

/// Power of the operations of `target` at 100 MHz, without timing.
///
/// # Errors
/// When the synthesis fails, or [`power::measure`] does.
pub fn power(target: &Target, yosys: &Yosys) -> Result<Vec<Power>> {
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let folder = &temporary.path().canonicalize()?;
    let files = synthesis::write_rtl(&target.models, folder)?;
    let (name, limit) = (target.name().to_owned(), Duration::from_secs(3600));
    let job = Job { yosys, name, folder, files, start: Instant::now(), limit };
    let (library, period) = (Library::find()?, 10.0);
    let (netlist, _) =
        job.cells(UNIT, &library, period, SmallMemories::default())?.context("synthesis did not end within an hour")?;
    power::measure(target, Circuit::new(&netlist, UNIT, &library)?, period)
}

/// Writes the RTL of a configuration; the names of its files in reading order.
fn unit(target: &Target, options: &PpaOptions, folder: &Path) -> Result<Vec<String>> {
    let files = synthesis::write_rtl(&target.models, folder)?;
    let known = |top: &String| files.iter().any(|file| file.strip_suffix(".sv") == Some(top));
    if let Some(top) = options.module.as_ref().filter(|top| *top != UNIT && !known(top)) {
        bail!("there is no module {top:?} in configuration {}", target.name());
    }
    if let Some(sdc) = options.sdc.as_ref().filter(|_| options.module.is_none()) {
        std::fs::copy(sdc, folder.join(sta::CONSTRAINTS)).with_context(|| format!("cannot copy {}", sdc.display()))?;
    }
    Ok(files)
}

fn measure(
    name: String,
    target: Option<&Target>,
    top: &str,
    write: &dyn Fn(&Path) -> Result<Vec<String>>,
    (yosys, tools): (&Yosys, &Tools),
    options: &PpaOptions,
) -> Result<Report> {
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let folder = match &options.work {
        Some(work) => work.join(name.replace([' ', ','], "-")),
        None => temporary.path().to_owned(),
    };
    files::create_scratch(&folder).with_context(|| format!("--work: {}", folder.display()))?;
    let folder = &folder.canonicalize()?;
    let files = write(folder)?;
    let (start, limit) = (Instant::now(), options.limit);
    let job = Job { yosys, name: name.clone(), folder, files, start, limit };
    let late = || format!("{name}: synthesis did not end within {}", humantime::format_duration(limit));
    let version = format!("Yosys {}", yosys.version()?);
    match tools {
        Tools::Fpga(family, nextpnr) => {
            let module = job.fpga(family, top)?.with_context(late)?;
            let gates = if options.no_gates { None } else { job.gates(top)? };
            let gates = gates.map_or_else(BTreeMap::new, |gates| gates::sizes(&gates, top));
            let mut tools = format!("{version}, {} {}", family.synth, family.options);
            let clock = match nextpnr {
                None => None,
                Some(nextpnr) => {
                    tools += &format!("; nextpnr {}, {}, {}", nextpnr.version()?, family.device, family.router);
                    job.wrap(family, top, &module)?;
                    nextpnr.route(&job, options.seeds, options.goal)?
                }
            };
            Ok(Report { config: name, tools, cells: module.kinds(), gates, area: None, power: Vec::new(), clock })
        }
        Tools::Cells(library, sta) => {
            let period = 1000.0 / f64::from(options.goal.unwrap_or(100));
            let (netlist, area) = job.cells(top, library, period, options.small_memories)?.with_context(late)?;
            let clock = sta.paths(&job, top, &netlist, period)?;
            let power = match target.filter(|_| options.power) {
                Some(target) => power::measure(target, Circuit::new(&netlist, top, library)?, period)?,
                None => Vec::new(),
            };
            let tools = format!(
                "{version}, ABC for {period:.1} ns, OpenSTA {}, {}, wires of {} pF for each pin",
                sta.version()?,
                library.name,
                sta::WIRE_LOAD
            );
            let cells = area.kinds.clone();
            Ok(Report { config: name, tools, cells, gates: BTreeMap::new(), area: Some(area), power, clock })
        }
    }
}

impl Report {
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
        if let Some(area) = &self.area {
            text += &format!("\n{}\n", area.text());
        }
        if !self.power.is_empty() {
            text += &format!("\n{}\n", power::text(&self.power));
        }
        text + &self.clock.as_ref().map_or_else(|| "\nNo clock.\n".to_owned(), Clock::text)
    }
}
