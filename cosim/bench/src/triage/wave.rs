// SPDX-License-Identifier: Apache-2.0
//! The waveform: which signals to look at first, and the files that make viewers show them.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::fmt::Write;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write as _};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use fst_reader::{FstHierarchyEntry, FstReader};
use golden::decode::{Engine, decode};

use super::evidence::Evidence;

/// A signal of a waveform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its scopes and its name, separated by dots.
    pub path: String,
    /// Bits.
    pub bits: u32,
    /// `[high:low]`, or nothing, as the waveform has it.
    pub range: String,
}

/// Signals under a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The heading.
    pub name: &'static str,
    /// Its signals, in order.
    pub signals: Vec<Signal>,
}

/// The headings and their signals, below tl_top; `*` at the end stands for the rest of a name.
const GROUPS: [(&str, &[&str]); 10] = [
    ("issue", &["clk_i", "rst_ni", "issue_*", "u_probe.exec_valid", "u_probe.exec_tag", "entry.instr"]),
    ("CSRs", &["u_probe.csr_*"]),
    ("load engine", &["u_load.cmd_valid_i", "u_load.cmd_soon_o", "u_load.cmd_i.*", "u_load.done_o.*"]),
    ("store engine", &["u_store.cmd_valid_i", "u_store.cmd_soon_o", "u_store.cmd_i.*", "u_store.done_o.*"]),
    ("move engine", &["u_move.cmd_valid_i", "u_move.cmd_soon_o", "u_move.cmd_i.*", "u_move.done_o.*"]),
    ("transpose engine", &["u_xpose.cmd_valid_i", "u_xpose.cmd_soon_o", "u_xpose.cmd_i.*", "u_xpose.done_o.*"]),
    (
        "matrix engine",
        &[
            "gen_matrix.u_matrix.cmd_valid_i",
            "gen_matrix.u_matrix.cmd_i.*",
            "gen_matrix.u_matrix.load_done_o.*",
            "gen_matrix.u_matrix.store_done_o.*",
            "gen_matrix.u_matrix.write_o",
            "gen_matrix.u_matrix.write_md_o",
        ],
    ),
    (
        "register file ports",
        &[
            "u_regfile.read_gnt_o",
            "u_regfile.write_gnt_o",
            "u_regfile.gen_bank[0].u_lower.*",
            "u_regfile.gen_bank[0].gen_upper.u_upper.*",
            "u_regfile.gen_bank[1].u_lower.*",
            "u_regfile.gen_bank[1].gen_upper.u_upper.*",
        ],
    ),
    ("memory ports", &["l1m_*", "l0m_*"]),
    ("retire", &["result_*", "u_probe.retire_*"]),
];

/// The heading of the engine that executes the instruction that failed.
fn engine(evidence: &Evidence) -> Option<&'static str> {
    let (_, word, _) = evidence.failure.at?;
    match decode(word, evidence.before.config()).engine()? {
        Engine::Host | Engine::Csr => None,
        Engine::Load => Some("load engine"),
        Engine::Store => Some("store engine"),
        Engine::Move => Some("move engine"),
        Engine::Xpose => Some("transpose engine"),
        Engine::MatrixLoad | Engine::MatrixStore | Engine::MatrixConfig => Some("matrix engine"),
    }
}

/// The groups with the signals that `wave` has, the engine of the failing instruction before the others.
///
/// # Errors
/// When the waveform cannot be read.
pub fn groups(wave: &Path, evidence: &Evidence) -> Result<Vec<Group>> {
    let signals = signals(wave)?;
    let first = engine(evidence);
    let mut groups: Vec<Group> = GROUPS
        .iter()
        .map(|&(name, patterns)| {
            let found = patterns.iter().flat_map(|pattern| {
                signals.iter().filter(move |(path, _)| matches(path, pattern)).map(|(_, signal)| signal.clone())
            });
            Group { name, signals: found.collect() }
        })
        .filter(|group| !group.signals.is_empty())
        .collect();
    let place = |group: &Group| if Some(group.name) == first { 2 } else { 3 };
    if groups.len() > 2 {
        groups[2..].sort_by_key(|group| if group.name.ends_with("engine") { place(group) } else { 4 });
    }
    Ok(groups)
}

/// Whether `path` is what `pattern` names. A `*` stands for no further scope.
fn matches(path: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        None => path == pattern,
        Some(start) => path.strip_prefix(start).is_some_and(|rest| !rest.contains(['.', '['])),
    }
}

/// All signals below tl_top: path from there, and signal.
#[expect(clippy::wildcard_enum_match_arm, reason = "scopes and variables are all that is wanted of a waveform")]
fn signals(wave: &Path) -> Result<Vec<(String, Signal)>> {
    let file = File::open(wave).with_context(|| format!("cannot read {}", wave.display()))?;
    let mut reader = FstReader::open(BufReader::new(file)).map_err(|error| anyhow!("{}: {error}", wave.display()))?;
    let (mut scopes, mut signals) = (Vec::<String>::new(), Vec::new());
    let each = |entry: FstHierarchyEntry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => {
            scopes.pop();
        }
        FstHierarchyEntry::Var { name, length, tpe, .. } if tpe != fst_reader::FstVarType::Parameter => {
            let Some(top) = scopes.iter().position(|scope| scope == "tl_top") else { return };
            let (name, range) = name.split_once(' ').unwrap_or((&name, ""));
            let local: Vec<&str> = scopes[top + 1..].iter().map(String::as_str).chain([name]).collect();
            let path = format!("{}.{name}", scopes.join("."));
            signals.push((local.join("."), Signal { path, bits: length, range: range.to_owned() }));
        }
        _ => {}
    };
    reader.read_hierarchy(each).map_err(|error| anyhow!("{}: {error}", wave.display()))?;
    Ok(signals)
}

/// Time in front of the failure that GTKWave shows at first, at most; a clock cycle has 2.
const SHOWN: u64 = 200;
/// And at least, where there is so much.
const SHORTEST: u64 = 40;
/// Pixels that its waves have at least: the window without the lists of scopes, signals and values.
const WIDTH: u32 = 700;

/// A save file for GTKWave.
pub fn gtkw(groups: &[Group], start: u64, time: u64) -> String {
    // The primary marker is at the failure, at two thirds of the window.
    let left = time.saturating_sub(SHOWN).max(start);
    let span = (time - left).max(SHORTEST) * 3 / 2;
    // A zoom of z shows 2^-z units of time in 200 pixels.
    let zoom = -(span as f64 * 200.0 / f64::from(WIDTH)).log2();
    let mut text = format!("[dumpfile] \"wave.fst\"\n[timestart] {left}\n[size] 1400 900\n*{zoom:.6} {time}");
    text.push_str(&" -1".repeat(26));
    text.push_str("\n[sst_width] 220\n[signals_width] 300\n");
    for group in groups {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "@800200\n-{}", group.name);
        for signal in &group.signals {
            let format = if signal.bits == 1 { "@28" } else { "@22" };
            let _ = writeln!(text, "{format}\n{}{}", signal.path, signal.range);
        }
        let _ = writeln!(text, "@1000200\n-{}", group.name);
    }
    text
}

/// A command file for Surfer. It takes one word for the name of a divider, and refuses the command when there is more.
pub fn sucl(groups: &[Group], time: u64) -> String {
    let mut text = String::new();
    for group in groups {
        let _ = writeln!(text, "divider_add {}", group.name.replace(' ', "_"));
        for signal in &group.signals {
            let _ = writeln!(text, "variable_add {}", signal.path);
        }
    }
    let _ = writeln!(text, "cursor_set {time}\nmarker_set failure {time}\ngoto_cursor");
    text
}

/// Blanks the date in the header of a waveform, so that the same run leaves the same file.
///
/// # Errors
/// When the file cannot be changed.
pub fn forget_date(wave: &Path) -> Result<()> {
    // The header block: its type, which is 0, its length, eight numbers of 8 bytes, the time scale, 128 bytes for the
    // name of the writer, then 119 bytes for the date.
    const LENGTH: u64 = 329;
    const DATE: u64 = 1 + 9 * 8 + 1 + 128;
    let error = || format!("cannot change {}", wave.display());
    let mut file = OpenOptions::new().read(true).write(true).open(wave).with_context(error)?;
    let mut start = [0; 9];
    file.read_exact(&mut start).with_context(error)?;
    if start[0] == 0 && start[1..] == LENGTH.to_be_bytes() {
        file.seek(SeekFrom::Start(DATE)).with_context(error)?;
        file.write_all(&[0; 119]).with_context(error)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_a_name_and_not_for_scopes() {
        assert!(matches("issue_valid_i", "issue_*"));
        assert!(matches("u_load.cmd_i.tag", "u_load.cmd_i.*"));
        assert!(!matches("u_load.cmd_i.dst.drop", "u_load.cmd_i.*"));
        assert!(!matches("u_queue.issue_valid_i", "issue_*"));
        assert!(matches("clk_i", "clk_i") && !matches("clk_ii", "clk_i"));
    }
}
