// SPDX-License-Identifier: Apache-2.0
//! Mutants that are no SystemVerilog, or no synchronous logic: Verilator reads them all at once, those that it complains
//! about are taken out, and it reads the rest again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::text::mutant_of;
use super::{Kind, Source};
use crate::mutate::mutant::{Change, Mutant};
use crate::unit::recipe::MUTANT_WARNINGS;
use crate::unit::toolchain::Toolchain;

/// Rounds until nothing is left to complain about, at most.
const MOST_ROUNDS: usize = 60;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place<'a> {
    file: &'a str,
    line: usize,
}

/// What Verilator complains about.
#[derive(Debug, PartialEq, Eq)]
struct Complaint<'a> {
    place: Place<'a>,
    message: &'a str,
    /// The processes and assignments of a loop.
    path: Vec<Step<'a>>,
}

/// A process or an assignment that a loop goes through.
#[derive(Debug, PartialEq, Eq)]
struct Step<'a> {
    place: Place<'a>,
    /// The signal that it reads.
    reads: &'a str,
    /// It is one statement.
    assignment: bool,
}

/// `tl_a.sv:12:3: Latch inferred ...`
fn place(text: &str) -> Option<(Place<'_>, &str)> {
    let mut parts = text.trim_start().splitn(4, ':');
    let (file, line, _, message) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some((Place { file, line: line.parse().ok()? }, message.trim()))
}

/// Reads `%Warning-LATCH: tl_a.sv:12:3: Latch inferred ...`, and for a loop the lines with its path behind that.
fn complaints(said: &str) -> Vec<Complaint<'_>> {
    let mut found: Vec<Complaint> = Vec::new();
    let mut reads = "";
    for line in said.lines() {
        if let Some((_, rest)) = line.strip_prefix('%').and_then(|line| line.split_once(": ")) {
            found.extend(place(rest).map(|(place, message)| Complaint { place, message, path: Vec::new() }));
        } else if let (Some(last), Some((place, message))) = (found.last_mut(), place(line)) {
            match message.strip_prefix("Example path: ") {
                Some("ALWAYS") => last.path.push(Step { place, reads, assignment: false }),
                Some("ASSIGNW") => last.path.push(Step { place, reads, assignment: true }),
                Some(signal) => reads = signal.rsplit('.').next().unwrap_or_default(),
                None => {}
            }
        }
    }
    found
}

/// Takes the mutants out of `mutants` that are refused; gives them.
///
/// # Errors
/// When Verilator complains about something that is no mutant, or does not run.
pub fn refuse(tools: &Toolchain, source: &Source, folder: &Path, mutants: &mut Vec<Mutant>) -> Result<Vec<Mutant>> {
    let mut refused = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let all: Vec<&Mutant> = mutants.iter().collect();
        let texts: BTreeMap<String, String> =
            source.model(&all).all().map(|file| (file.name.clone(), file.text.clone())).collect();
        for (name, text) in &texts {
            std::fs::write(folder.join(name), text).with_context(|| format!("cannot write {name}"))?;
        }
        let mut verilator = Command::new(&tools.verilator);
        verilator
            .current_dir(folder)
            // Its graph of the data flow makes one signal of several, and then a path lacks what a loop goes through.
            .args(["--lint-only", "-Wno-fatal", "-fno-dfg", "--top-module", "tl_top"])
            .args(MUTANT_WARNINGS);
        verilator.args(source.model(&all).files.iter().map(|file| &file.name));
        let done = verilator.output().context("cannot run Verilator")?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let complaints = complaints(&said);
        if complaints.is_empty() {
            ensure!(done.status.success(), "Verilator fails without a message that is understood:\n{said}");
            return Ok(refused);
        }
        let mut out = BTreeSet::new();
        for complaint in &complaints {
            out.extend(blamed(complaint, source, &texts, &all));
        }
        if out.is_empty() {
            bail!("Verilator complains about what is no mutant:\n{said}");
        }
        let (bad, good) = std::mem::take(mutants).into_iter().partition(|mutant: &Mutant| out.contains(&mutant.id));
        refused.extend(bad);
        *mutants = good;
    }
    bail!("Verilator still complains after {MOST_ROUNDS} rounds")
}

/// The mutant that a complaint is about. Of those that may have made a latch or a loop together, only one: without it the
/// others may be fine.
fn blamed(
    complaint: &Complaint,
    source: &Source,
    texts: &BTreeMap<String, String>,
    mutants: &[&Mutant],
) -> Option<u32> {
    let lines = |place: &Place| {
        texts.get(place.file).into_iter().flat_map(|text| text.lines()).skip(place.line.saturating_sub(1))
    };
    if let Some(id) = lines(&complaint.place).next().and_then(mutant_of) {
        return Some(id);
    }
    let of = |id: u32| {
        let mutant = mutants.iter().find(|mutant| mutant.id == id)?;
        match &mutant.change {
            Change::Source(change) => Some((id, change, source.is_input(&mutant.module, root(&change.after)))),
            Change::Netlist(_) => None,
        }
    };
    // A process ends at the latest with the paragraph; an assignment with the statement, and mutants in it have no end of one.
    let inside = |place: &Place, assignment: bool| -> Vec<_> {
        let ends = |line: &&str| line.is_empty() || assignment && line.contains(';');
        lines(place).take_while(|line| !ends(line)).filter_map(mutant_of).filter_map(of).collect()
    };
    if complaint.path.is_empty() {
        let signal = complaint.message.split('\'').nth(1).and_then(|path| path.rsplit('.').next()).unwrap_or_default();
        let all = inside(&complaint.place, false);
        let drops = all.iter().find(|(_, change, _)| change.before.starts_with(signal));
        return drops.or_else(|| all.first()).map(|(id, ..)| *id);
    }
    // The guilty one reads what the loop comes through; if that has another name there, it is an input.
    let steps = complaint.path.iter().flat_map(|step| {
        inside(&step.place, step.assignment).into_iter().map(|mutant| (mutant, root(&mutant.1.after) == step.reads))
    });
    let mut all: Vec<_> = steps.collect();
    all.sort_by_key(|((_, change, input), reads)| (change.kind != Kind::WrongSignal, !reads, !input));
    // Verilator makes one assignment of several, so the path may lack that of the mutant; what it reads is named.
    let elsewhere = || {
        let reads_path = |mutant: &&&Mutant| {
            let Change::Source(change) = &mutant.change else { return false };
            let reads = root(&change.after);
            change.kind == Kind::WrongSignal && complaint.path.iter().any(|step| port(step.reads) == reads)
        };
        mutants.iter().find(reads_path).map(|mutant| mutant.id)
    };
    // It leaves out what is inside an instance too: the mutant gives an input to an output that the loop comes out of.
    let inside_instance = || {
        let ports: Vec<&str> = complaint.path.iter().filter_map(|step| connected(lines(&step.place).next()?)).collect();
        let gives = |mutant: &&&Mutant| {
            let Change::Source(change) = &mutant.change else { return false };
            let assigned = change.name.split_once("assign ").map(|(_, text)| root(text));
            source.is_input(&mutant.module, root(&change.after)) && assigned.is_some_and(|port| ports.contains(&port))
        };
        mutants.iter().find(gives).map(|mutant| mutant.id)
    };
    all.first().map(|((id, ..), _)| *id).or_else(elsewhere).or_else(inside_instance)
}

/// The port of an instance in a name that Verilator gives it, `__Vcellinp__u_setup__take_i`; else the name.
fn port(name: &str) -> &str {
    if name.starts_with("__Vcell") { name.rsplit("__").next().unwrap_or_default() } else { name }
}

/// The port that a line connects, `.room_o (out_room[1]),`.
fn connected(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('.').map(root)
}

/// The signal that a text begins with.
fn root(text: &str) -> &str {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Only, tests::source};
    use super::*;

    #[test]
    fn a_loop_is_a_complaint_about_what_is_in_its_path() {
        let said = "%Warning-UNOPTFLAT: a.sv:3:9: Signal unoptimizable: 'a.b'\n    3 | logic b;\n  \
                    a.sv:3:9:      Example path: a.b\n  a.sv:7:5:      Example path: ASSIGNW\n%Error: b.sv:2:1: Wrong\n\
                    %Error: Exiting due to 1 error(s)\n";
        let found = complaints(said);
        assert_eq!(found.len(), 2);
        let step = Step { place: Place { file: "a.sv", line: 7 }, reads: "b", assignment: true };
        assert_eq!((found[0].place.line, &*found[0].path), (3, &[step][..]));
        assert_eq!(found[1], Complaint { place: Place { file: "b.sv", line: 2 }, message: "Wrong", path: Vec::new() });
        assert_eq!([port("__Vcellinp__u_setup__take_i"), port("take_q")], ["take_i", "take_q"]);
        assert_eq!([connected("    .room_o  (room[1]),"), connected("  assign a = b;")], [Some("room_o"), None]);
    }

    #[test]
    fn a_loop_that_leaves_an_instance_is_laid_to_what_gives_its_output_an_input() {
        let text = "module inner (\n  input logic push_i, input logic full_i, output logic room_o\n);\n  \
                    assign room_o = !full_i;\nendmodule\nmodule m (\n  input logic a_i, input logic full_i, output logic [1:0] room\n);\n  \
                    logic [1:0] push;\n  assign push = {2{a_i}} & room;\n  inner u_inner (\n    .push_i (push[0]),\n    \
                    .full_i (full_i),\n    .room_o (room[0])\n  );\nendmodule\n";
        let source = source(text);
        let mutants = source.list(1000, 1, &Only::default()).expect("mutants");
        let is = |mutant: &&Mutant| mutant.names()[0].contains("assign room_o = ![[full_i -> push_i]]");
        let guilty = mutants.iter().find(is).expect("it is listed");
        let texts = BTreeMap::from([("m.sv".to_owned(), text.to_owned())]);
        let line = text.lines().position(|line| line.contains(".room_o")).expect("the port") + 1;
        let place = Place { file: "m.sv", line };
        let step = Step { place, reads: "push", assignment: true };
        let complaint = Complaint { place: Place { file: "m.sv", line: 1 }, message: "", path: vec![step] };
        let all: Vec<&Mutant> = mutants.iter().collect();
        assert_eq!(blamed(&complaint, &source, &texts, &all), Some(guilty.id));
    }
}
