// SPDX-License-Identifier: Apache-2.0
//! Area and depth of each module in gates, against those of a file: nothing grows unnoticed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::netlist::{Gates, Netlist};
use super::synthesis::{self, Job, UNIT};
use crate::base::clone;
use crate::base::output::{self, say};
use crate::base::table::table;
use crate::model::yosys::{Yosys, plain};
use crate::unit::SETUP_LINT;
use crate::unit::target::{RtlOptions, Workshop};

/// Percent that a module may grow.
const SLACK: u64 = 3;

/// The row of the whole unit.
const ALL: &str = "all";

/// Options of `cosim check gates`.
#[derive(Debug, clap::Args)]
pub struct GatesOptions {
    #[command(flatten)]
    pub rtl: RtlOptions,
    /// File with area and depth
    #[arg(long, default_value = "tests/ppa.json", value_parser = clone::path)]
    pub file: PathBuf,
    /// Write area and depth to the file instead of comparing with it
    #[arg(long)]
    pub update: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// Version of Yosys: another one may find other gates.
    pub yosys: String,
    /// Modules by name, and the whole unit.
    pub modules: BTreeMap<String, Size>,
}

/// A module, all of its instances together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    pub instances: u64,
    /// Area in that of a NAND gate with two inputs, flip-flops included, memories not.
    pub gates: u64,
    pub flip_flops: u64,
    pub memory_bits: u64,
    /// Gates in the deepest path within one instance; for the whole unit through all of them.
    pub depth: u32,
}

/// `cosim check gates`: whether no module is larger or deeper than in the file.
pub fn run(workshop: &Workshop, options: &GatesOptions) -> Result<bool> {
    let before = if options.update { None } else { Some(read(&options.file)?) };
    let yosys = Yosys::find(Some(SETUP_LINT))?;
    let now = measure(&workshop.with(&options.rtl)?, &yosys)?;
    let Some(before) = before else {
        write(&options.file, &now)?;
        say!("{}: {} modules", options.file.display(), now.modules.len() - 1)?;
        return Ok(true);
    };
    let (text, same) = compare(&before, &now);
    say!("{text}")?;
    if !same {
        say!("\nIf the change is wanted: cosim check gates --update, and commit {}.", options.file.display())?;
    }
    Ok(same)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Pinned> {
    let name = path.display();
    let text = files::read_text(path, files::TABLE).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no file with area and depth"))
}

/// Writes a file, with a line for each module.
fn write(path: &Path, pinned: &Pinned) -> Result<()> {
    let line = |(module, size): (&String, &Size)| Ok(format!("  \"{module}\": {}", serde_json::to_string(size)?));
    let lines: Vec<String> = pinned.modules.iter().map(line).collect::<Result<_>>()?;
    let text = format!("{{\"yosys\": \"{}\", \"modules\": {{\n{}\n}}}}\n", pinned.yosys, lines.join(",\n"));
    output::save(path, text.as_bytes())
}

/// The figures of the smallest unit with all instruction sets, so that it has every module.
pub fn measure(workshop: &Workshop, yosys: &Yosys) -> Result<Pinned> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let target = workshop.with_faults()?;
    let files = synthesis::write_rtl(&target.models, folder.path())?;
    let name = format!("{} with all instruction sets", target.name());
    let job = Job { yosys, name, folder: folder.path(), files, start: Instant::now(), limit: Duration::MAX };
    let gates = job.gates(UNIT)?.context("Yosys did not end")?;
    Ok(Pinned { yosys: yosys.version()?, modules: sizes(&gates, UNIT) })
}

/// The modules at and below `top`, with all their instances, and the whole of them.
pub fn sizes((netlist, depths): &(Netlist, BTreeMap<String, u32>), top: &str) -> BTreeMap<String, Size> {
    let mut sums: BTreeMap<&str, (u64, Gates)> = BTreeMap::new();
    for (variant, count) in netlist.instances(top) {
        let (instances, sum) = sums.entry(plain(variant)).or_default();
        *instances += count;
        let gates = netlist.modules.get(variant).map_or_else(Gates::default, |module| module.gates());
        (0..count).for_each(|_| *sum += gates);
    }
    let mut all = (0, Gates::default());
    sums.values().for_each(|(instances, gates)| {
        all.0 += instances;
        all.1 += *gates;
    });
    let size = |instances, gates: Gates, depth| {
        let Gates { sixths, flip_flops, memory_bits } = gates;
        Size { instances, gates: sixths / 6, flip_flops, memory_bits, depth }
    };
    let depth = |module: &str| depths.get(module).copied().unwrap_or(0);
    let rows = sums.iter().map(|(module, (instances, gates))| (*module, size(*instances, *gates, depth(module))));
    // Flattened, the top is the whole; its own gates are less deep.
    let whole = size(all.0, all.1, depth(top));
    rows.chain([(ALL, whole)]).map(|(module, size)| (module.to_owned(), size)).collect()
}

/// A table of both, and whether no module is larger or deeper.
pub fn compare(before: &Pinned, now: &Pinned) -> (String, bool) {
    let mut rows = table(&["module", "instances", "gates before", "now", "memory bits", "depth before", "now"], 1);
    let mut notes = Vec::new();
    let mut smaller = 0;
    for (module, size) in &now.modules {
        let Some(old) = before.modules.get(module) else {
            notes.push(format!("{module}: not in the file"));
            continue;
        };
        let Size { instances, gates, memory_bits, depth, .. } = *size;
        let cells = [instances, old.gates, gates, memory_bits, u64::from(old.depth), u64::from(depth)];
        rows.add_row([module.clone()].into_iter().chain(cells.map(|n| n.to_string())));
        for (what, was, is) in
            [("gate equivalents", old.gates, gates), ("bits of memories", old.memory_bits, memory_bits)]
        {
            if 100 * is > (100 + SLACK) * was {
                let percent = 100.0 * (is as f64 / was.max(1) as f64 - 1.0);
                notes.push(format!("{module} has grown by {percent:.1} %: {was} {what} before, {is} now"));
            }
        }
        if depth > old.depth {
            notes.push(format!("{module} is deeper: {} gates in its deepest path before, {depth} now", old.depth));
        }
        smaller += usize::from(gates < old.gates || memory_bits < old.memory_bits || depth < old.depth);
    }
    let gone = before.modules.keys().filter(|module| !now.modules.contains_key(*module));
    notes.extend(gone.map(|module| format!("{module}: in the file, but there is no such module")));
    let same = notes.is_empty();
    if !same && before.yosys != now.yosys {
        notes.push(format!("the file was made with Yosys {}, and this is {}", before.yosys, now.yosys));
    }
    if same && smaller > 0 {
        notes.push(format!("{smaller} modules are smaller or less deep: cosim check gates --update keeps them so"));
    }
    (format!("{rows}\n{}", notes.iter().map(|note| format!("\n{note}")).collect::<String>()), same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pinned(gates: u64, depth: u32) -> Pinned {
        let size = Size { instances: 1, gates, flip_flops: 0, memory_bits: 100, depth };
        Pinned { yosys: "1".into(), modules: [("tl_a".to_owned(), size)].into() }
    }

    #[test]
    fn more_than_three_percent_or_a_level_is_an_error_that_names_the_module() {
        let before = pinned(1000, 7);
        assert!(compare(&before, &pinned(1030, 7)).1);
        assert!(compare(&before, &pinned(500, 3)).1);
        let (text, same) = compare(&before, &pinned(1031, 7));
        assert!(!same && text.contains("tl_a has grown by 3.1 %: 1000 gate equivalents before, 1031 now"), "{text}");
        let (text, same) = compare(&before, &pinned(1000, 8));
        assert!(!same && text.contains("tl_a is deeper: 7 gates"), "{text}");
    }

    #[test]
    fn modules_that_are_missing_on_either_side_are_errors() {
        let none = Pinned { yosys: "1".into(), modules: BTreeMap::new() };
        assert!(!compare(&none, &pinned(1, 1)).1 && !compare(&pinned(1, 1), &none).1);
    }
}
