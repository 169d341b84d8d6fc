// SPDX-License-Identifier: Apache-2.0
//! Where mutants come from, netlist or source, and what the model and the proofs need of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::mutant::{Change, Mutant};
use super::netlist;
use super::select::{self, BITS, Only, WIRE};
use super::source::{self, Source};
use super::tools::Tools;
use crate::unit::make::{self, LIBRARY};
use crate::unit::recipe::{ModelKind, Recipe};
use crate::unit::target::{Target, Workshop};

/// Makes mutants.
#[derive(Debug)]
pub enum Maker {
    /// Of the netlist.
    Netlist,
    /// Of the source.
    Source(Source),
}

/// The mutants of a run.
#[derive(Debug, Default)]
pub struct List {
    /// Those that can be run.
    pub mutants: Vec<Mutant>,
    /// Those that no compiler takes.
    pub refused: Vec<Mutant>,
    /// The names of all places where there can be mutants.
    pub places: BTreeSet<String>,
}

/// The configuration `argument`; `tiny` is taken with all instruction sets, as for the planted faults, so that it has
/// every module.
///
/// # Errors
/// As [`Workshop::target`].
pub fn target(workshop: &Workshop, argument: &str) -> Result<Target> {
    if argument == "tiny" { workshop.with_faults() } else { workshop.target(argument) }
}

impl Maker {
    /// Lists `count` mutants, of what `only` asks for or of all, and writes into `folder` what the others need.
    ///
    /// # Errors
    /// When a tool fails, for an unknown module, and when there is nothing to mutate.
    pub fn list(
        &self,
        tools: &Tools,
        target: &Target,
        folder: &Path,
        [count, seed]: [u64; 2],
        only: &Only,
    ) -> Result<List> {
        match self {
            Maker::Netlist => {
                let (list, places) = netlist::list(tools, target, folder, count, seed, only.module.as_deref())?;
                let (refused, mutants) = list.into_iter().partition(netlist::is_of_nothing);
                Ok(List { mutants, refused, places })
            }
            Maker::Source(source) => {
                let mut mutants = source.list(count, seed, only)?;
                let refused = source::refuse(&tools.makers.get()?.0, source, folder, &mut mutants)?;
                Ok(List { mutants, refused, places: source.names().map(str::to_owned).collect() })
            }
        }
    }

    /// Makes the model with these mutants, with `jobs` compilers at a time; gives its file.
    ///
    /// # Errors
    /// With the messages of the tool that fails.
    pub fn library(
        &self,
        tools: &Tools,
        target: &Target,
        folder: &Path,
        mutants: &[&Mutant],
        jobs: usize,
    ) -> Result<PathBuf> {
        let sources = match self {
            Maker::Netlist => netlist::model(tools, folder, mutants)?,
            Maker::Source(source) => source.model(mutants),
        };
        let recipe = Recipe::new(&target.rtl, ModelKind::Mutants, &sources);
        let model = folder.join("model");
        let _ = fs::remove_dir_all(&model);
        fs::create_dir_all(&model).with_context(|| format!("cannot create {}", model.display()))?;
        let (toolchain, store) = tools.makers.get()?;
        make::make(toolchain, store, &recipe, &model, jobs, |_| ())?;
        Ok(model.join(LIBRARY))
    }

    /// Makes ready for proofs of these mutants, one module at a time.
    ///
    /// # Errors
    /// When Yosys fails.
    pub fn prepare(&self, tools: &Tools, folder: &Path, mutants: &[&Mutant]) -> Result<()> {
        match self {
            // The list has left it.
            Maker::Netlist => Ok(()),
            Maker::Source(_) => {
                let read = self.read(folder, mutants)?;
                tools.yosys.run(folder, &format!("{read}write_rtlil {}\n", netlist::BASE))
            }
        }
    }

    /// Commands of Yosys that read the unit with these mutants, which this writes into `folder`.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn read(&self, folder: &Path, mutants: &[&Mutant]) -> Result<String> {
        match self {
            Maker::Netlist => {
                netlist::edits(folder, mutants)?;
                Ok(format!("read_rtlil {}\nsetattr -unset keep */w:*\nscript {}\n", netlist::BASE, netlist::EDITS))
            }
            Maker::Source(source) => {
                let mut names = Vec::new();
                for file in [select::black_box()].into_iter().chain(source.with(mutants)) {
                    let path = folder.join(&file.name);
                    fs::write(&path, synchronous(&file.text))
                        .with_context(|| format!("cannot write {}", path.display()))?;
                    names.push(file.name);
                }
                Ok(format!(
                    "read_verilog -sv {}\nhierarchy -check -top tl_top\nproc\nopt_clean\nopt -noff\nwreduce\nopt_clean\n",
                    names.join(" ")
                ))
            }
        }
    }
}

/// The text with resets that need a clock edge. Yosys takes no asynchronous reset to a value that depends on something, and
/// a mutant of a reset does; the proofs look at whole clock cycles anyway.
fn synchronous(text: &str) -> String {
    let first_edge = |line: &str| match (line.find("always_ff @("), line.find(" or negedge ")) {
        (Some(_), Some(start)) => {
            let end = line[start..].find(')').map_or(line.len(), |length| start + length);
            format!("{}{}\n", &line[..start], &line[end..])
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(first_edge).collect()
}

impl Mutant {
    /// The module that it is in, as Yosys names it: of a mutant of the source all of them, one for each choice of
    /// parameters.
    ///
    /// # Errors
    /// When there is no netlist.
    pub fn variants(&self, folder: &Path) -> Result<Vec<String>> {
        if let Change::Netlist(change) = &self.change {
            return Ok(vec![change.variant.clone()]);
        }
        let text = fs::read_to_string(folder.join(netlist::BASE)).context("cannot read the netlist")?;
        let names = text.lines().filter_map(|line| line.strip_prefix("module "));
        let names = names.map(|name| name.strip_prefix('\\').unwrap_or(name));
        Ok(names.filter(|name| netlist::plain_name(name) == self.module).map(str::to_owned).collect())
    }

    /// Commands of Yosys that make `gold` and `gate` of a module as it is and with this mutant.
    pub fn sides(&self, variant: &str) -> String {
        match &self.change {
            Change::Netlist(change) => format!("copy {variant} gold\n{}\nrename {variant} gate\n", change.command),
            Change::Source(_) => {
                let select = |side: &str, id: u32| {
                    format!("delete {side}/t:{}\ncd {side}\nconnect -set {WIRE} {BITS}'d{id}\ncd ..\n", select::MODULE)
                };
                let sides = [("gold", 0), ("gate", self.id)].map(|(side, id)| select(side, id)).concat();
                format!("copy {variant} gold\nrename {variant} gate\n{sides}")
            }
        }
    }
}
