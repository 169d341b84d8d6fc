// SPDX-License-Identifier: Apache-2.0
//! Build script: generated RTL -> Verilator -> C++ -> static libraries behind one bridge.
//!
//! For every named configuration there is a fast model, and one that writes waveforms. `tiny` gets
//! a third model with selectable faults, and each decoder one of its own for the sweep over its
//! opcode space. Nothing is run again unless its inputs, its flags or the tool have changed.

mod compile;
#[path = "../src/fault_table.rs"]
#[allow(dead_code)]
mod fault_table;
mod faults;
mod glue;
mod model;
mod store;
mod unit;
mod verilator;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use rtl_gen::Config;

use model::{Kind, Model};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in format!("{error:#}").lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    for path in ["build", "cpp", "src/bridge.rs", "src/fault_table.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("OUT_DIR is not set: run this through cargo")?);
    let tool = verilator::Tool::find()?;
    let models = models(&out)?;

    let mut bridge = cxx_build::bridge("src/bridge.rs");
    bridge.std("c++17").include(tool.include()).include(tool.include().join("vltstd")).warnings(false);
    let compiler = compile::Compiler::new(&bridge, &out)?;
    compile::build_all(&tool, &compiler, &models, &out)?;

    let registry = out.join("registry.cpp");
    compile::write_if_changed(&registry, &glue::registry(&models))?;
    bridge.file(&registry).file("cpp/model.cpp").compile("cosim_bridge");
    println!("cargo::rustc-link-search=native={}", out.join("lib").display());
    for model in &models {
        println!("cargo::rustc-link-lib=static={}", model.prefix);
    }
    println!("cargo::rustc-link-lib=static=verilated_runtime");
    println!("cargo::rustc-link-lib=z");
    // The models that `cosim mutate` loads at run time call the C++ half of the bridge in this program.
    println!("cargo::rustc-link-arg=-Wl,--export-dynamic-symbol=*cxxbridge1*");
    Ok(())
}

/// The configurations that `TL_COVERAGE` lists: those that get a model which counts lines and toggles, too.
fn covered() -> Result<Vec<String>> {
    println!("cargo::rerun-if-env-changed=TL_COVERAGE");
    let names = std::env::var("TL_COVERAGE").unwrap_or_default();
    let names: Vec<String> = names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    for name in &names {
        let known = Config::names();
        ensure!(
            known.contains(&name.as_str()),
            "TL_COVERAGE: no configuration {name:?}; there are {}",
            known.join(", ")
        );
    }
    Ok(names)
}

/// The models to build, with their RTL written below `out`.
fn models(out: &Path) -> Result<Vec<Model>> {
    let mut models = Vec::new();
    let covered = covered()?;
    for name in Config::names() {
        let config = Config::named(name).with_context(|| format!("configuration {name} has no definition"))?;
        for kind in [Kind::Fast, Kind::Traced] {
            models.push(Model::new(&config, kind, out)?);
        }
        if config.name == faults::CONFIG {
            models.push(Model::new(&faults::with_every_module(&config), Kind::Faults, out)?);
        }
        if covered.iter().any(|covered| covered == name) {
            models.push(Model::new(&config, Kind::Covered, out)?);
        }
        let mut first = |kind| -> Result<()> {
            if models.iter().all(|m: &Model| m.kind != kind) {
                models.push(Model::new(&config, kind, out)?);
            }
            Ok(())
        };
        first(Kind::Decoder)?;
        if config.matrix {
            first(Kind::MatrixDecoder)?;
        }
    }
    // Two models under one prefix link without an error, and the second runs the code of the first.
    for (i, model) in models.iter().enumerate() {
        ensure!(
            models[..i].iter().all(|other| other.prefix != model.prefix),
            "two models have the prefix {}: rename one of the configurations",
            model.prefix
        );
    }
    Ok(models)
}
