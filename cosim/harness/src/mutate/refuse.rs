// SPDX-License-Identifier: Apache-2.0
//! Mutants that are no SystemVerilog, or no synchronous logic: Verilator reads all of them at once and names lines;
//! what makes a latch or a loop, which it names no line of, is found by halves.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::mutant::Mutant;
use super::source::Source;
use super::text::mutant_on;

/// Options of Verilator for RTL that holds mutants: widths do not matter, but a process without a clock that keeps a
/// value, a loop and a bit that is not there do. Its graph of the data flow makes loops of parts of a vector.
pub const WARNINGS: [&str; 5] = ["-fno-dfg", "-Wno-lint", "-Wwarn-LATCH", "-Wwarn-UNOPTFLAT", "-Wwarn-SELRANGE"];

/// Takes the mutants out of `mutants` that Verilator refuses; gives them. `folder` is for the files that it reads.
///
/// # Errors
/// When Verilator refuses the unit without a mutant, or does not run.
pub fn refuse(
    verilator: &Path,
    top: &str,
    source: &Source,
    folder: &Path,
    mutants: &mut Vec<Mutant>,
) -> Result<Vec<Mutant>> {
    let mut lint = Lint { verilator, top, source, folder, good: Vec::new(), refused: Vec::new() };
    let (_, said) = lint.complaints(&[])?;
    ensure!(said.is_empty(), "Verilator complains about what is no mutant:\n{said}");
    lint.sort_out(std::mem::take(mutants))?;
    *mutants = lint.good;
    mutants.sort_by_key(|mutant| mutant.id);
    lint.refused.sort_by_key(|mutant| mutant.id);
    Ok(lint.refused)
}

struct Lint<'a> {
    verilator: &'a Path,
    top: &'a str,
    source: &'a Source,
    folder: &'a Path,
    /// What Verilator has nothing against, together.
    good: Vec<Mutant>,
    refused: Vec<Mutant>,
}

impl Lint<'_> {
    /// Adds each of these to the good ones or to the refused ones.
    fn sort_out(&mut self, mut list: Vec<Mutant>) -> Result<()> {
        while !list.is_empty() {
            let (named, said) = self.complaints(&list)?;
            if said.is_empty() {
                self.good.append(&mut list);
            } else if named.is_empty() && list.len() > 1 {
                let second = list.split_off(list.len() / 2);
                self.sort_out(list)?;
                list = second;
            } else {
                let (bad, rest) = list.into_iter().partition(|it| named.is_empty() || named.contains(&it.id));
                self.refused.extend::<Vec<Mutant>>(bad);
                list = rest;
            }
        }
        Ok(())
    }

    /// The mutants of `list` on whose lines Verilator complains when the good ones are there, too, and all that it
    /// says.
    fn complaints(&self, list: &[Mutant]) -> Result<(BTreeSet<u32>, String)> {
        let sources = self.source.model(&self.good.iter().chain(list).collect::<Vec<_>>());
        sources.all().try_for_each(|file| file.write_into(self.folder))?;
        let mut verilator = Command::new(self.verilator);
        verilator
            .current_dir(self.folder)
            .args(["--lint-only", "-Wno-fatal", "--timescale", "1ns/1ps", "--top-module", self.top])
            .args(WARNINGS)
            .args(sources.files.iter().map(|file| &file.name));
        let done = verilator.output().context("cannot run Verilator")?;
        let text = String::from_utf8_lossy(&done.stderr);
        let said =
            if done.status.success() && !text.contains('%') { String::new() } else { format!("{text}{}", done.status) };
        // `%Warning-SELRANGE: a.sv:12:3: ...`
        let named = said.lines().filter_map(|line| {
            let (file, rest) = line.strip_prefix('%')?.split_once(": ")?.1.split_once(':')?;
            let line: usize = rest.split(':').next()?.parse().ok()?;
            let text = &sources.all().find(|source| source.name == file)?.text;
            mutant_on(text.lines().nth(line.checked_sub(1)?)?)
        });
        let known: BTreeSet<u32> = list.iter().map(|mutant| mutant.id).collect();
        let named = named.filter(|id| known.contains(id)).collect();
        Ok((named, said))
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Only;
    use super::super::source::tests::source;
    use super::*;
    use crate::model::product::Product;
    use crate::model::toolchain::Toolchain;

    const TEXT: &str = "module top (\n  input logic [3:0] a_i, input logic b_i, output logic y_o, output logic z_o\n);\n  \
        assign y_o = a_i[3] && b_i;\n  assign z_o = y_o || b_i;\nendmodule\n";

    #[test]
    fn a_bit_that_is_not_there_and_a_loop_are_refused_and_nothing_else() {
        let folder = tempfile::tempdir().expect("folder");
        let source = source(TEXT);
        let mut mutants = source.list(1000, 1, &Only::default()).expect("mutants");
        // Nothing that is listed makes a loop here: this one reads what depends on what it drives.
        let is_signal = |mutant: &&mut Mutant| mutant.after == "!b_i" && mutant.line == 4;
        let looped = mutants.iter_mut().find(is_signal).expect("a mutant of y_o");
        looped.edits[0].after = "z_o".into();
        let looped = looped.id;
        let all = mutants.len();
        let verilator = Toolchain::verilator(&Product::named("test"), None).expect("Verilator").0;
        let refused = refuse(&verilator, "top", &source, folder.path(), &mut mutants).expect("Verilator runs");
        let shown: Vec<(u32, &str)> = refused.iter().map(|mutant| (mutant.id, &*mutant.after)).collect();
        assert_eq!(shown.len(), 2, "{shown:?}");
        assert!(
            shown.iter().any(|(id, _)| *id == looped) && shown.iter().any(|(_, after)| *after == "a_i[4]"),
            "{shown:?}"
        );
        assert_eq!(mutants.len(), all - 2);
    }
}
