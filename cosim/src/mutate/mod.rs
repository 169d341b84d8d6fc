// SPDX-License-Identifier: Apache-2.0
//! Mutation score: blind mutants of the RTL's netlist, and whether the bench tells them from the model.

mod hunt;
mod library;
mod netlist;
pub mod worker;
mod tools;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::commands::default_jobs;
use crate::table;
use crate::target::Target;

/// Options of `cosim mutate`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Configuration
    #[arg(long, default_value = "tiny")]
    pub config: String,
    /// Mutants
    #[arg(long, default_value_t = 1000)]
    pub count: u64,
    /// Seed of the choice of mutants, and of the stimulus
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only mutants of this module
    #[arg(long)]
    pub module: Option<String>,
    /// Run only this mutant of the list
    #[arg(long)]
    pub mutant: Option<u32>,
    /// Cases of 256 instructions that a mutant must survive to be looked at more closely
    #[arg(long, default_value_t = 64)]
    pub cases: u64,
    /// Processes
    #[arg(long, default_value_t = default_jobs())]
    pub jobs: usize,
    /// Write everything to this file (JSON; - for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Keep netlist, library and proofs in this folder
    #[arg(long)]
    pub work: Option<PathBuf>,
}

/// `cosim mutate`.
pub fn run(options: &Options) -> Result<bool> {
    let target = Target::named(&options.config)?;
    let tools = tools::Tools::find()?;
    let folder = options.work.clone().context("work")?;
    std::fs::create_dir_all(&folder)?;
    let mutants = netlist::list(&tools, &target, &folder, options.count, options.seed, options.module.as_deref())?;
    netlist::apply(&tools, &folder, &mutants)?;
    let start = std::time::Instant::now();
    let library = library::build(&tools, &target, &folder, options.jobs)?;
    println!("build {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let clean = hunt::hunt(&target, &library, &[0], [options.seed, 0, options.cases], 1, |_| ())?;
    println!("{clean:?} {:?}", start.elapsed());
    ensure!(clean.values().all(|f| f.answer.killed.is_none()), "the netlist without a mutant");
    let ids: Vec<u32> = mutants.iter().map(|m| m.id).filter(|&id| options.mutant.is_none_or(|m| m == id)).collect();
    let bar = table::progress("mutants", ids.len() as u64);
    let found = hunt::hunt(&target, &library, &ids, [options.seed, 0, options.cases], options.jobs, |_| bar.inc(1))?;
    println!("{:?}", start.elapsed());
    for mutant in &mutants {
        let Some(found) = found.get(&mutant.id) else { continue };
        println!("{} {:?} {}", mutant.id, found, mutant.command);
    }
    ensure!(found.len() == ids.len());
    Ok(true)
}
