// SPDX-License-Identifier: Apache-2.0
//! What there is to make models with.

use std::path::PathBuf;

use anyhow::Result;

use super::product::Product;
use super::store::Store;
use super::toolchain::Toolchain;
use crate::base::output::say;

/// Says what is found; gives whether models can be made.
///
/// # Errors
/// When standard output cannot be written.
pub fn tools(product: &Product) -> Result<bool> {
    let verilator =
        Toolchain::verilator(product, None).map(|(path, version, _)| format!("{version}, {}", path.display()));
    let compiler = Toolchain::compiler(product, None).map(|(words, version)| {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        format!("{version}, {}", words.join(" "))
    });
    let models = Store::find(product).and_then(|store| store.describe());
    let mut able = true;
    for (what, found) in [("verilator", verilator), ("c++", compiler), ("models", models)] {
        able &= found.is_ok();
        say!("{what:<12}{}", found.unwrap_or_else(|error| format!("MISSING: {error:#}")))?;
    }
    Ok(able)
}

/// Says where a tool is that only some commands need.
///
/// # Errors
/// When standard output cannot be written.
pub fn optional(name: &str, found: Result<PathBuf>, purpose: &str) -> Result<()> {
    let found = found.map(|path| path.display().to_string());
    say!("{name:<12}{}", found.unwrap_or_else(|error| format!("none, for {purpose} alone: {error:#}")))
}
