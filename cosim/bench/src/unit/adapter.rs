// SPDX-License-Identifier: Apache-2.0
//! A unit with an adapter in the bench: its files, faults in the adapter.

use anyhow::{Context, Result, ensure};

use super::plant::plant;
use super::source::SourceFile;
use crate::unit::faults::Fault;

/// The files of a unit, of the adapter that `list` of the generator names, with `faults` planted, and of its surroundings
/// `bench`, names and texts.
///
/// # Errors
/// When a fault does not fit.
pub fn files(
    unit: Vec<SourceFile>,
    generated: &[SourceFile],
    list: &str,
    faults: &[Fault],
    bench: &[(&str, &str)],
) -> Result<Vec<SourceFile>> {
    let file = |name: &str| {
        let found = generated.iter().find(|file| file.name == name).cloned();
        found.with_context(|| format!("the generator gives no file {name}"))
    };
    let adapter: Vec<SourceFile> = file(list)?.text.lines().map(file).collect::<Result<_>>()?;
    let (adapter, misfits) = plant(adapter, faults);
    ensure!(misfits.is_empty(), "faults of the adapter: {}", misfits.join("; "));
    let ours = bench.iter().map(|(name, text)| SourceFile { name: (*name).into(), text: (*text).into() });
    let (control, sources): (Vec<_>, Vec<_>) = ours.partition(|file| file.name.ends_with(".vlt"));
    Ok([control, unit, adapter, sources].concat())
}

/// A fault that belongs to no instruction.
pub const fn fault(
    id: u32,
    file: &'static str,
    description: &'static str,
    [before, original, after]: [&'static str; 3],
    replacement: &'static str,
) -> Fault {
    Fault { id, file, description, before, original, after, replacement, of: None }
}
