// SPDX-License-Identifier: Apache-2.0
//! Combinational paths between the parts of the unit, against a list of those that may be there.
//!
//! A path goes from a flip-flop, memory or input of one part to one of another, through any others. What reaches further
//! than its neighbour in one cycle is what makes the clock slow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::graph::{Graph, Place};
use super::small_unit;
use crate::base::output::say;
use crate::base::table::table;
use crate::unit::target::{RtlOptions, Workshop};
use crate::unit::yosys::Yosys;

/// What takes instructions in and gives results out is one part.
const FRONT_END: [&str; 9] = [
    "tl_queue",
    "tl_csr",
    "tl_shape",
    "tl_decode",
    "tl_dispatch",
    "tl_rename",
    "tl_retire",
    "tl_recover",
    "tl_mx_size",
];

/// Ports that are everywhere.
const GLOBAL: [&str; 2] = ["clk_i", "rst_ni"];

/// Options of `cosim paths`.
#[derive(Debug, clap::Args)]
pub struct PathsOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    /// List of paths that may be there
    #[arg(long, default_value = "tests/paths.json")]
    pub file: PathBuf,
    /// Write the paths that are there to the list, with the reasons that it has
    #[arg(long)]
    pub update: bool,
}

/// A path that may be there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// Where it starts: a group of ports, or a part of the unit.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Why it may be there.
    pub because: String,
}

/// A path that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Gates in the deepest one.
    pub depth: u32,
    /// Signals along it, where it enters another part.
    pub signals: Vec<String>,
}

/// Paths by their ends.
pub type Paths = BTreeMap<(String, String), Found>;

/// `cosim paths`: whether there are no paths but those of the list.
///
/// # Errors
/// For a list that cannot be read or written, and when Yosys is missing or fails.
pub fn run(workshop: &Workshop, options: &PathsOptions) -> Result<bool> {
    let new = options.update && !options.file.exists();
    let list = if new { Vec::new() } else { read(&options.file)? };
    let paths = find(&small_unit(&workshop.with(&options.rtl)?, &Yosys::find()?)?);
    if options.update {
        write(&options.file, &list, &paths)?;
    }
    let list = if options.update { read(&options.file)? } else { list };
    let (text, same) = compare(&list, &paths);
    say!("{text}")?;
    if !same {
        say!("\nIf a path is wanted: cosim paths --update, and write the reason into {}.", options.file.display())?;
    }
    Ok(same)
}

/// Reads a list.
///
/// # Errors
/// When it is none.
pub fn read(path: &Path) -> Result<Vec<Allowed>> {
    let name = path.display();
    let text = files::read_text(path, files::TABLE).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no list of paths"))
}

/// Writes a list of these paths, a line for each, with the reasons of `list`.
fn write(path: &Path, list: &[Allowed], paths: &Paths) -> Result<()> {
    let line = |(from, to): &(String, String)| {
        let known = list.iter().find(|allowed| allowed.from == *from && allowed.to == *to);
        let because = known.map_or_else(String::new, |allowed| allowed.because.clone());
        Ok(serde_json::to_string(&Allowed { from: from.clone(), to: to.clone(), because })?)
    };
    let lines: Vec<String> = paths.keys().map(line).collect::<Result<_>>()?;
    std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n")))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The paths of a unit of gates.
pub fn find(graph: &Graph) -> Paths {
    let part_of = |place: &Place| match place {
        Place::Port(name) if GLOBAL.contains(&name.as_str()) => None,
        Place::Port(name) => name.split('_').next().map(|group| format!("port {group}")),
        Place::Instance(at) => Some(part(graph, *at)),
    };
    let mut parts: Vec<String> = graph.starts.iter().filter_map(|(_, place)| part_of(place)).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut paths = Paths::new();
    for from in parts {
        let depths = graph.depths(|place| part_of(place).as_ref() == Some(&from));
        let mut deepest: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for (net, place) in &graph.ends {
            let (Some(to), Some(depth)) = (part_of(place), depths.level[*net as usize]) else { continue };
            let most = deepest.entry(to).or_insert((depth, *net));
            if depth > most.0 {
                *most = (depth, *net);
            }
        }
        for (to, (depth, net)) in deepest.into_iter().filter(|(to, _)| *to != from) {
            let signals = crossings(&graph.path(&depths, net));
            paths.insert((from.clone(), to), Found { depth, signals });
        }
    }
    paths
}

/// The part of the unit that an instance is in.
fn part(graph: &Graph, instance: u32) -> String {
    let path = &graph.instances[instance as usize];
    let first = instance_of(path);
    let module = graph.module_of(first);
    if first.is_empty() || FRONT_END.contains(&module) { "front end".to_owned() } else { module.to_owned() }
}

/// The instance of the top module that a path begins with, and the generate blocks that it is in.
fn instance_of(path: &str) -> &str {
    let mut end = 0;
    for name in path.split_inclusive('.') {
        end += name.len();
        if !name.starts_with("gen_") {
            return path[..end].trim_end_matches('.');
        }
    }
    ""
}

/// Of the signals along a path the first, those where it enters another part, and the last.
fn crossings(names: &[&str]) -> Vec<String> {
    let first = |name: &str| name.rsplit_once('.').map_or("", |(scope, _)| instance_of(scope)).to_owned();
    let mut kept: Vec<&str> = Vec::new();
    for name in names {
        if kept.last().is_none_or(|last| first(last) != first(name)) {
            kept.push(name);
        }
    }
    if let Some(last) = names.last().filter(|last| kept.last() != Some(last)) {
        kept.push(last);
    }
    kept.into_iter().map(str::to_owned).collect()
}

/// A table of the paths, and whether the list has them all, with a reason, and no others.
pub fn compare(list: &[Allowed], paths: &Paths) -> (String, bool) {
    let mut rows = table(&["from", "to", "because", "gates"], 3);
    let mut notes = Vec::new();
    for ((from, to), found) in paths {
        let known = list.iter().find(|allowed| allowed.from == *from && allowed.to == *to);
        let because = known.map_or("", |allowed| allowed.because.as_str());
        rows.add_row([from, to, because, &found.depth.to_string()]);
        let problem = match known {
            None => "a path that is not in the list",
            Some(allowed) if allowed.because.trim().is_empty() => "a path without a reason",
            Some(_) => continue,
        };
        notes.push(format!("{from} to {to}: {problem}, {} gates: {}", found.depth, found.signals.join(", ")));
    }
    let there = |allowed: &&Allowed| !paths.contains_key(&(allowed.from.clone(), allowed.to.clone()));
    let gone = list.iter().filter(there);
    notes
        .extend(gone.map(|Allowed { from, to, .. }| format!("{from} to {to}: in the list, but there is no such path")));
    let same = notes.is_empty();
    (format!("{rows}\n{}", notes.iter().map(|note| format!("\n{note}")).collect::<String>()), same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(from: &str, because: &str) -> Allowed {
        Allowed { from: from.into(), to: "b".into(), because: because.into() }
    }

    #[test]
    fn a_path_needs_an_entry_with_a_reason_and_an_entry_a_path() {
        let found = Found { depth: 3, signals: vec!["u_a.x_q".into(), "u_b.y_q".into()] };
        let paths: Paths = [(("a".to_owned(), "b".to_owned()), found)].into();
        assert!(compare(&[allowed("a", "a command")], &paths).1);
        let (text, same) = compare(&[], &paths);
        assert!(!same && text.contains("a to b: a path that is not in the list, 3 gates: u_a.x_q, u_b.y_q"), "{text}");
        assert!(!compare(&[allowed("a", " ")], &paths).1);
        let (text, same) = compare(&[allowed("a", "a command"), allowed("c", "a command")], &paths);
        assert!(!same && text.contains("c to b: in the list, but there is no such path"), "{text}");
    }
}
