// SPDX-License-Identifier: Apache-2.0
//! Which signals of a waveform to look at first, and the files that make viewers show them.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Variable, open, variables};

/// A signal that viewers show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its scopes and its name, separated by dots.
    pub path: String,
    /// Its width.
    pub bits: u32,
    /// `[high:low]`, or nothing, as the waveform has it.
    pub range: String,
}

/// Signals with a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The heading.
    pub name: &'static str,
    /// Its signals, in order.
    pub signals: Vec<Signal>,
}

/// Signals under a heading, by patterns; a `*` at the end stands for the rest of a name.
pub type Heading = (&'static str, &'static [&'static str]);

/// The signals that `wave` has below `top`, under those of the headings that have any.
pub fn groups(wave: &Path, top: &str, headings: &[Heading]) -> Result<Vec<Group>> {
    let all = variables(&mut open(wave)?, top).with_context(|| wave.display().to_string())?;
    let signal = |it: Variable| (it.local, Signal { path: it.path, bits: it.bits, range: it.range });
    let signals: Vec<(String, Signal)> = all.into_iter().map(signal).collect();
    let group = |&(name, patterns): &Heading| {
        let of = |pattern| signals.iter().filter(move |(path, _)| matches(path, pattern));
        let signals = patterns.iter().flat_map(|pattern| of(pattern)).map(|(_, signal)| signal.clone());
        Group { name, signals: signals.collect() }
    };
    Ok(headings.iter().map(group).filter(|group| !group.signals.is_empty()).collect())
}

/// Whether `path` is what `pattern` names. A `*` stands for no further scope.
fn matches(path: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        None => path == pattern,
        Some(start) => path.strip_prefix(start).is_some_and(|rest| !rest.contains(['.', '['])),
    }
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
