// SPDX-License-Identifier: Apache-2.0
//! Mutation score: blind errors in the SystemVerilog source, and whether the bench tells them from the model.

mod cases;
mod scores;

use anyhow::{Result, ensure};

use crate::base::output;
use crate::record::RecordOptions;
use crate::unit::model_kind::ModelKind;
use crate::unit::recipe::recipe;
use crate::unit::target::Workshop;
use cases::CasesOfBench;
use cosim_harness::mutate::{self, Subject};

/// Options of `cosim mutate`.
#[derive(Debug, clap::Args)]
pub struct MutateOptions {
    /// Configuration: a name, or a file NAME.toml; tiny is taken with all instruction sets
    #[arg(long, default_value = "tiny")]
    pub config: String,
    #[command(flatten)]
    pub mutants: mutate::MutateOptions,
    #[command(flatten)]
    pub kept: RecordOptions,
}

/// `cosim mutate`.
pub fn run(workshop: &Workshop, MutateOptions { config, mutants, kept }: &MutateOptions) -> Result<bool> {
    if let Some(path) = &kept.table {
        output::text(&scores::markdown(path)?)?;
        return Ok(true);
    }
    if let Some(path) = &kept.record {
        ensure!(scores::is_whole(mutants), "--record is for whole lists: without --module, --kind and --mutant");
        // What is wrong with the file is said before half an hour of work.
        scores::keep(path, None)?;
    }
    let target = || if config == "tiny" { workshop.with_faults() } else { workshop.target(config) };
    let unit = target()?;
    let top = ModelKind::Mutants.top();
    let subject = Subject { name: unit.name(), top, sources: unit.models.sources()?, makers: workshop.makers() };
    let recipe = |sources: &_| recipe(&unit.rtl, ModelKind::Mutants, sources, false);
    let report = mutate::run(&subject, mutants, recipe, |library| {
        CasesOfBench::new(target()?, library, [mutants.seed, mutants.cases], mutants.jobs)
    })?;
    kept.record.iter().try_for_each(|path| scores::keep(path, Some(&report)))?;
    Ok(mutants.accept(&report))
}
