// SPDX-License-Identifier: Apache-2.0
//! Mutants that are no SystemVerilog, or no synchronous logic: Verilator reads them all at once, those that it complains
//! about are taken out, and it reads the rest again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::Source;
use super::text::mutant_of;
use crate::mutate::mutant::{Change, Mutant};
use crate::unit::recipe::MUTANT_WARNINGS;
use crate::unit::toolchain::Toolchain;

/// Rounds until nothing is left to complain about, at most.
const MOST_ROUNDS: usize = 60;

/// A complaint: where, and what.
#[derive(Debug, PartialEq, Eq)]
struct Complaint<'a> {
    file: &'a str,
    line: usize,
    message: &'a str,
}

/// `%Warning-LATCH: tl_a.sv:12:3: Latch inferred ...` and the places that an explanation of a loop names.
fn complaint(line: &str) -> Option<Complaint<'_>> {
    let line = line.strip_prefix('%')?;
    let (_, rest) = line.split_once(": ")?;
    let mut parts = rest.trim_start().splitn(4, ':');
    let (file, number, _, message) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(Complaint { file, line: number.parse().ok()?, message: message.trim() })
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
            .args(["--lint-only", "-Wno-fatal", "--top-module", "tl_top"])
            .args(MUTANT_WARNINGS);
        verilator.args(source.model(&all).files.iter().map(|file| &file.name));
        let done = verilator.output().context("cannot run Verilator")?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let complaints: Vec<Complaint> = said.lines().filter_map(complaint).collect();
        if complaints.is_empty() {
            ensure!(done.status.success(), "Verilator fails without a message that is understood:\n{said}");
            return Ok(refused);
        }
        let mut out = BTreeSet::new();
        for complaint in &complaints {
            out.extend(blamed(complaint, &texts, &all));
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

/// The mutants that a complaint is about. Only the first one that may have made a latch, and only one that closes a loop:
/// without it others may be fine.
fn blamed(complaint: &Complaint, texts: &BTreeMap<String, String>, mutants: &[&Mutant]) -> Vec<u32> {
    let Some(text) = texts.get(complaint.file) else { return Vec::new() };
    let lines: Vec<&str> = text.lines().collect();
    if let Some(id) = complaint.line.checked_sub(1).and_then(|index| lines.get(index)).and_then(|line| mutant_of(line))
    {
        return vec![id];
    }
    // The process that begins there, up to the next empty line.
    let inside = lines.iter().skip(complaint.line.saturating_sub(1)).take_while(|line| !line.is_empty());
    let signal = complaint.message.split('\'').nth(1).and_then(|path| path.rsplit('.').next()).unwrap_or_default();
    let drops = |id: &u32| {
        let mutant = mutants.iter().find(|mutant| mutant.id == *id);
        mutant.is_some_and(|mutant| match &mutant.change {
            Change::Source(edit) => edit.before.starts_with(signal),
            Change::Netlist(_) => false,
        })
    };
    let ids: Vec<u32> = inside.filter_map(|line| mutant_of(line)).collect();
    ids.iter().copied().find(drops).or_else(|| ids.first().copied()).into_iter().collect()
}
