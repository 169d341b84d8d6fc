// SPDX-License-Identifier: Apache-2.0
//! Clock cycles of pinned cases: a change of the RTL that makes the unit slower, or faster, does not go unnoticed.
//!
//! The comparison with the model says nothing about time. Here random cases of a fixed seed, with their stalls, must
//! take exactly the clock cycles that a file has. The file is committed, so that a change of it is seen in a review.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use crate::base::clone;
use crate::base::output::{save, say};
use crate::base::parallel;
use crate::base::table;
use crate::random::random_case;
use crate::run::executor::run_case;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{RtlOptions, Target, Workshop};

/// Cases of each configuration.
pub const CASES: u64 = 64;

/// Cases of the unit that mutants are made of: it is small and fast, and a mutant that costs clock cycles is seen in
/// them.
pub const CASES_FOR_MUTANTS: u64 = 2048;

pub const SEED: u64 = 1;

/// The unit that mutants are made of has all instruction sets, unlike the configuration `tiny`.
const TINY_WITH_MATRIX: &str = "tiny+matrix";

/// All configurations that have a name.
const ALL: &str = "all";

/// Most bytes of a file with cycles.
const LARGEST: u64 = 1 << 20;

/// Options of `cosim check cycles`.
#[derive(Debug, clap::Args)]
pub struct CyclesOptions {
    /// Configuration: a name or a file NAME.toml, several with commas between them, or all that have a name; with all
    /// of them goes tiny with all instruction sets
    #[arg(long, default_value = ALL)]
    pub config: String,
    #[command(flatten)]
    pub rtl: RtlOptions,
    /// File with the cycles
    #[arg(long, default_value = "tests/cycles.json", value_parser = clone::path)]
    pub file: PathBuf,
    /// Write the cycles of these configurations to the file instead of comparing with it
    #[arg(long)]
    pub update: bool,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
}

/// The cycles of all cases of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    pub config: String,
    /// Hash of the stimulus of all cases.
    pub stimulus: String,
    /// Clock cycles by case.
    pub cycles: Vec<u64>,
}

/// `cosim check cycles`: whether every case takes the cycles that the file has.
///
/// # Errors
/// For a file that cannot be read or written, or that does not fit, and for a case that fails.
pub fn run(workshop: &Workshop, options: &CyclesOptions) -> Result<bool> {
    let mut before = match options.update && (options.config == ALL || !options.file.exists()) {
        true => Vec::new(),
        false => read(&options.file)?,
    };
    let now = measure(&workshop.with(&options.rtl)?, &options.config, options.jobs)?;
    let asked = |pinned: &Pinned| now.iter().any(|unit| unit.config == pinned.config);
    if options.update {
        before.retain(|pinned| !asked(pinned));
        let text: Vec<String> = before.iter().chain(&now).map(serde_json::to_string).collect::<Result<_, _>>()?;
        let text = format!("[\n{}\n]\n", text.join(",\n"));
        save(&options.file, text.as_bytes())?;
        say!("{}: {} units", options.file.display(), now.len())?;
        return Ok(true);
    }
    before.retain(|pinned| options.config == ALL || asked(pinned));
    let (text, same) = compare(&before, &now);
    say!("{text}")?;
    if !same {
        say!("\nIf the change is wanted: cosim check cycles --update, and commit {}.", options.file.display())?;
    }
    Ok(same)
}

fn read(path: &Path) -> Result<Vec<Pinned>> {
    let name = path.display();
    let text = files::read_text(path, LARGEST).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no file with cycles"))
}

/// The cycles of the configurations that `list` names; with all of them those of the unit that mutants are made of.
///
/// # Errors
/// When a case fails: then it is no question of time. For RTL of which only the ports are seen: there each case has
/// more instructions.
pub fn measure(workshop: &Workshop, list: &str, jobs: usize) -> Result<Vec<Pinned>> {
    let unit = |target: Target| Unit { name: target.name().to_owned(), target, kind: ModelKind::Fast, cases: CASES };
    let targets = workshop.targets(list)?;
    let probed = targets.iter().all(|target| !target.models.port_only());
    ensure!(
        probed,
        "cycles need a probe, and this RTL has none: the bench adds instructions of its own to see registers"
    );
    make_all(&targets, ModelKind::Fast)?;
    let mut units: Vec<Unit> = targets.into_iter().map(unit).collect();
    if list == ALL {
        let (name, target) = (TINY_WITH_MATRIX.to_owned(), workshop.with_faults()?);
        target.models.get(ModelKind::Faults)?;
        units.push(Unit { name, target, kind: ModelKind::Faults, cases: CASES_FOR_MUTANTS });
    }
    let bar = table::progress("cycles", units.iter().map(|unit| unit.cases).sum());
    let cases: Vec<_> = units.iter().flat_map(|unit| (0..unit.cases).map(move |number| (unit, number))).collect();
    let work = |&(unit, number): &(&Unit, u64)| {
        let Unit { name, target, kind, .. } = unit;
        let case = random_case(target, SEED, number);
        let counts = run_case(target, &case, *kind, 0, |_| Ok(())).map_err(|failure| {
            anyhow!("{name}, case {number} of seed {SEED} fails: {}", report::headline(&failure.cause))
        })?;
        Ok((case.hash(), counts.cycles))
    };
    let mut results = parallel::map(&cases, jobs, || bar.inc(1), work)?.into_iter();
    bar.finish_and_clear();
    let pinned = |unit: &Unit| {
        let (hashes, cycles): (Vec<u64>, _) = results.by_ref().take(unit.cases as usize).unzip();
        let hash = hashes.iter().fold(0u64, |hash, case| hash.rotate_left(5) ^ case);
        Pinned { config: unit.name.clone(), stimulus: format!("{hash:016x}"), cycles }
    };
    Ok(units.iter().map(pinned).collect())
}

/// What cases run on.
struct Unit {
    name: String,
    target: Target,
    kind: ModelKind,
    cases: u64,
}

/// A table of what has changed, and whether nothing has.
pub fn compare(before: &[Pinned], now: &[Pinned]) -> (String, bool) {
    let mut table = table::table(&["unit", "cycles before", "now", "change %", "cases that differ"], 1);
    let mut notes = Vec::new();
    let mut same = true;
    let sum = |pinned: &Pinned| pinned.cycles.iter().sum::<u64>();
    for unit in now {
        let name = &unit.config;
        let Some(old) = before.iter().find(|old| old.config == *name) else {
            same = false;
            notes.push(format!("{name}: not in the file"));
            continue;
        };
        let differ: Vec<usize> = (0..unit.cycles.len()).filter(|&n| old.cycles.get(n) != unit.cycles.get(n)).collect();
        let (was, is) = (sum(old), sum(unit));
        let change = 100.0 * (is as f64 / was.max(1) as f64 - 1.0);
        table.add_row([name, &was.to_string(), &is.to_string(), &format!("{change:+.3}"), &differ.len().to_string()]);
        same &= old == unit;
        if old.stimulus != unit.stimulus {
            notes.push(format!("{name}: the stimulus is another one, so cycles say nothing about the RTL"));
        } else if let Some(&first) = differ.first() {
            let [was, is] = [old, unit].map(|p| p.cycles.get(first).map_or_else(|| "none".into(), u64::to_string));
            notes.push(format!("{name}: case {first} of seed {SEED} took {was} cycles and takes {is}"));
        }
    }
    for old in before.iter().filter(|old| now.iter().all(|unit| unit.config != old.config)) {
        same = false;
        notes.push(format!("{}: in the file, but there is no such unit", old.config));
    }
    (format!("{table}\n{}", notes.iter().map(|note| format!("\n{note}")).collect::<String>()), same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pinned(config: &str, cycles: &[u64]) -> Pinned {
        Pinned { config: config.into(), stimulus: "0".into(), cycles: cycles.to_vec() }
    }

    #[test]
    fn one_cycle_more_is_a_difference() {
        let before = [pinned("a", &[10, 20])];
        assert!(compare(&before, &before).1);
        let (text, same) = compare(&before, &[pinned("a", &[10, 21])]);
        assert!(!same && text.contains("case 1 of seed 1 took 20 cycles and takes 21"), "{text}");
        // Sums that agree do not hide it.
        assert!(!compare(&before, &[pinned("a", &[11, 19])]).1);
    }

    #[test]
    fn units_that_are_missing_on_either_side_are_differences() {
        let (a, b) = (pinned("a", &[1]), pinned("b", &[1]));
        assert!(!compare(std::slice::from_ref(&a), &[a.clone(), b.clone()]).1);
        assert!(!compare(&[a.clone(), b], &[a]).1);
    }

    #[test]
    fn another_stimulus_is_named_as_such() {
        let mut other = pinned("a", &[1]);
        other.stimulus = "1".into();
        let (text, same) = compare(&[pinned("a", &[1])], &[other]);
        assert!(!same && text.contains("stimulus"), "{text}");
    }
}
