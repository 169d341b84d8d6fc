// SPDX-License-Identifier: Apache-2.0
//! Place and route by nextpnr, and what it says about time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::family::Family;
use super::synthesis::{Job, WRAPPED};
use super::watch;
use crate::base::median::median;
use crate::base::table::table;

/// Placer.
const OPTIONS: &str = "--placer-heap-timingweight 30 --timing-allow-fail -q";

/// Lines of the log that begin a phase.
const PHASES: [(&str, &str); 5] = [
    ("Info: Packing carries", "pack"),
    ("Info: Running main analytical placer", "place"),
    ("Info: Running simulated annealing", "refine the placement"),
    ("Info: Running router2", "route"),
    ("Info: Routing..", "route"),
];

const LOG: &str = "nextpnr.log";
const REPORT: &str = "report.json";

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clock {
    pub mhz: f64,
    /// Whether it is routed; if not, it is an estimate after placement. `None`: nothing is placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routed: Option<bool>,
    /// The critical path, by instances.
    pub path: Vec<Hop>,
    /// Megahertz of every placement that was routed, in the order of their seeds; `mhz` is the highest.
    pub placements: Vec<f64>,
    /// Nanoseconds that are left for the goal, with the paths from and to ports; of cells of a library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slack: Option<f64>,
}

/// A part of a critical path within an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hop {
    /// The instance; the unit itself has an empty name.
    pub instance: String,
    pub cells: u32,
    /// Nanoseconds in cells.
    pub logic: f64,
    /// Nanoseconds on the way to them.
    pub routing: f64,
    /// Nets along it that have the name of a signal, in order.
    pub signals: Vec<String>,
}

/// nextpnr for a family.
#[derive(Clone, Debug)]
pub struct Nextpnr {
    family: &'static Family,
    program: PathBuf,
}

impl Nextpnr {
    pub fn find(family: &'static Family) -> Result<Nextpnr> {
        Ok(Nextpnr { family, program: family.nextpnr()? })
    }

    /// Its version: `0.11.1`.
    pub fn version(&self) -> Result<String> {
        let done = Command::new(&self.program).arg("--version").output();
        let done = done.with_context(|| format!("cannot run {}", self.program.display()))?;
        // It is written to standard error, behind a dash.
        let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let version = text.split_once("(Version ").and_then(|(_, rest)| rest.split_once(')'));
        let version = version.map(|(version, _)| version.trim_start_matches("nextpnr-").to_owned());
        version.with_context(|| format!("nextpnr has no version: {text:?}"))
    }

    /// Places and routes a wrapped unit, once for each of `seeds`, for `goal` megahertz. What is known of the fastest
    /// one that is routed, else of the last one.
    pub fn route(&self, job: &Job, seeds: u32, goal: Option<u32>) -> Result<Option<Clock>> {
        let mut best: Option<Clock> = None;
        let mut placements = Vec::new();
        for seed in 1..=seeds {
            let clock = self.placement(job, seed, goal)?;
            placements.extend(clock.iter().filter(|clock| clock.routed == Some(true)).map(|clock| clock.mhz));
            let rank = |clock: &Option<Clock>| clock.as_ref().map_or((None, 0.0), |clock| (clock.routed, clock.mhz));
            if best.is_none() || rank(&clock) > rank(&best) {
                best = clock;
            }
        }
        Ok(best.map(|clock| Clock { placements, ..clock }))
    }

    fn placement(&self, job: &Job, seed: u32, goal: Option<u32>) -> Result<Option<Clock>> {
        let what = format!("{}: nextpnr, seed {seed}", job.name);
        let log = job.folder.join(LOG);
        let mut command = Command::new(&self.program);
        let Family { device, placement, router, beyond, .. } = self.family;
        command.args(placement.split(' ')).args(OPTIONS.split(' ')).args(["--router", router]);
        command.args(["--seed", &seed.to_string(), "--freq", &goal.unwrap_or(*beyond).to_string()]);
        // Far beyond what a unit reaches the router would take wires apart for ever.
        command.args(goal.map(|_| "--tmg-ripup"));
        command.args(["--json", WRAPPED, "--report", REPORT, "-l", LOG]).current_dir(job.folder);
        let _ = fs::remove_file(&log);
        let phase =
            |line: &str| PHASES.iter().find(|(begin, _)| line.starts_with(begin)).map(|(_, name)| (*name).to_owned());
        let ended = watch::run(command, &what, &log, job.start, job.limit, phase);
        let text = fs::read_to_string(&log).unwrap_or_default();
        let excess = excess(&text);
        if ended.is_err() && !excess.is_empty() {
            bail!("{} does not fit {device}: {}", job.name, excess.join(", "));
        }
        if ended? {
            return clock(&job.folder.join(REPORT)).map(Some);
        }
        let mhz = text.lines().rev().find_map(|line| {
            line.split_once("Max frequency for clock")?.1.split_once(": ")?.1.split(' ').next()?.parse().ok()
        });
        Ok(mhz.map(|mhz| Clock { mhz, routed: Some(false), ..Clock::default() }))
    }
}

impl Clock {
    pub fn text(&self) -> String {
        if self.routed == Some(false) {
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
        text += &format!(
            "\n{:.1} MHz: {period:.1} ns, of which {logic:.1} logic and {routing:.1} routing. The critical path:\n\n\
             {rows}\n",
            self.mhz
        );
        if let Some(slack) = self.slack {
            text +=
                &format!("\nSlack for the goal, with the paths from and to ports that have a timing: {slack:.2} ns.\n");
        }
        text
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

/// What the device has too few of, by nextpnr's table: `Info:   OXIDE_COMB:   33000/  32256   102%`.
fn excess(log: &str) -> Vec<String> {
    let row = |line: &str| {
        let (cell, numbers) = line.strip_prefix("Info:")?.split_once(':')?;
        let (used, rest) = numbers.split_once('/')?;
        let [used, available]: [u64; 2] = [used.trim().parse().ok()?, rest.split_whitespace().next()?.parse().ok()?];
        (used > available).then(|| format!("{used} {} of {available}", cell.trim()))
    };
    log.lines().filter_map(row).collect()
}

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
            segment.net.iter().filter(|net| !net.contains('$') && !net.contains("_LUT4_") && !net.contains("_CCU2"));
        hop.signals.extend(signal.map(|net| net.rsplit('.').next().unwrap_or(net).to_owned()));
        hop.signals.dedup();
    }
    Ok(Clock { mhz, routed: Some(true), path: hops, ..Clock::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_a_device_has_too_few_of_are_named() {
        let log = "Info: Device utilisation:\nInfo: \t            OXIDE_FF:   40000/  32256   124%\n\
                   Info: \t          OXIDE_COMB:   32256/  32256   100%\nInfo: Promoting globals...\n";
        assert_eq!(excess(log), ["40000 OXIDE_FF of 32256"]);
    }

    #[test]
    fn the_longest_path_between_flip_flops_is_cut_into_instances() {
        let segment = |kind: &str, delay: f64, cell: &str| {
            format!(r#"{{"type": "{kind}", "delay": {delay}, "net": "u_unit.u_a.x_q", "to": {{"cell": "{cell}"}}}}"#)
        };
        let path = [
            ("clk-to-q", 0.5, "u_unit.u_a.x_q_FF"),
            ("routing", 1.5, "u_unit.u_b.y_LUT4_Z"),
            ("logic", 0.25, "u_unit.u_b.y_LUT4_Z"),
        ]
        .map(|(kind, delay, cell)| segment(kind, delay, cell))
        .join(",");
        let paths = [("<async>", "9"), ("posedge clk", "0")].map(|(from, more)| {
            format!(
                r#"{{"from": "{from}", "to": "posedge clk", "path": [{path}, {}]}}"#,
                segment("setup", more.parse().expect("ns"), "u_unit.z_FF")
            )
        });
        let text = format!(r#"{{"fmax": {{"clk": {{"achieved": 80.0}}}}, "critical_paths": [{}]}}"#, paths.join(","));
        let file = tempfile::NamedTempFile::new().expect("file");
        fs::write(file.path(), text).expect("written");
        let clock = clock(file.path()).expect("a report");
        let hops: Vec<_> =
            clock.path.iter().map(|hop| (hop.instance.as_str(), hop.cells, hop.logic, hop.routing)).collect();
        assert_eq!(hops, [("u_a", 1, 0.5, 0.0), ("u_b", 1, 0.25, 1.5), ("", 0, 0.0, 0.0)]);
        assert_eq!((clock.mhz, clock.path[0].signals.join(" ")), (80.0, "x_q".to_owned()));
    }
}
