// SPDX-License-Identifier: Apache-2.0
//! Mutation score: blind errors in the SystemVerilog source, and whether the bench tells them from the model.

mod cases;

use anyhow::Result;

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
}

/// `cosim mutate`.
pub fn run(workshop: &Workshop, MutateOptions { config, mutants }: &MutateOptions) -> Result<bool> {
    let target = || if config == "tiny" { workshop.with_faults() } else { workshop.target(config) };
    let unit = target()?;
    let top = ModelKind::Mutants.top();
    let subject = Subject { name: unit.name(), top, sources: unit.models.sources()?, makers: workshop.makers() };
    let recipe = |sources: &_| recipe(&unit.rtl, ModelKind::Mutants, sources, false);
    mutate::run(&subject, mutants, recipe, |library| {
        CasesOfBench::new(target()?, library, [mutants.seed, mutants.cases], mutants.jobs)
    })
}
