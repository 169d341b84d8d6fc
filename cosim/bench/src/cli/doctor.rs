// SPDX-License-Identifier: Apache-2.0
//! `cosim doctor`: what there is to make models with.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::base::output::say;
use crate::model::doctor;
use crate::model::toolchain::verible;
use crate::model::yosys::Yosys;
use crate::ppa::Technology;
use crate::unit::{SETUP_LINT, product};

/// Runs a program on the smallest configuration with a waveform, as a user would: makes models, keeps and loads them.
fn try_model() -> Result<String> {
    let folder = tempfile::tempdir().context("cannot create a folder")?;
    std::fs::write(folder.path().join("p.s"), "addi x1, x0, 1\n").context("cannot write a program")?;
    let mut command = Command::new(std::env::current_exe()?);
    command.current_dir(folder.path()).args(["run", "p.s", "--config", "tiny", "--wave", "wave.fst"]);
    let done = command.output().context("cannot start cosim")?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    ensure!(done.status.success(), "`cosim run --config tiny --wave` ends with {}: {}", done.status, said.trim_end());
    Ok("tiny runs, with a waveform".to_owned())
}

/// `cosim doctor`: whether models can be made.
pub fn run() -> Result<bool> {
    say!("cosim       {}, {}", env!("CARGO_PKG_VERSION"), std::env::current_exe()?.display())?;
    let mut able = doctor::tools(&product())?;
    if able {
        let tried = try_model();
        able = tried.is_ok();
        say!("{:<12}{}", "a model", tried.unwrap_or_else(|error| format!("FAILS: {error:#}")))?;
    }
    let yosys = Yosys::find(Some(SETUP_LINT)).map(Yosys::into_path);
    let others = [
        ("yosys".to_owned(), yosys, "mutate, measure ppa, check gates".to_owned()),
        ("verible".to_owned(), verible(Some(SETUP_LINT)), "mutate".to_owned()),
    ];
    let families = Technology::value_variants().iter().filter_map(|technology| match technology {
        Technology::Fpga(family) => {
            Some((family.name.to_owned(), family.nextpnr(), format!("measure ppa --target {}", family.name)))
        }
        Technology::Cells => None,
    });
    for (name, found, purpose) in others.into_iter().chain(families) {
        doctor::optional(&name, found, &purpose)?;
    }
    Ok(able)
}
