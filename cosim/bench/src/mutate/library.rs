// SPDX-License-Identifier: Apache-2.0
//! The model of the netlist with its mutants.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::netlist;
use super::tools::Tools;
use crate::unit::make::{self, LIBRARY};
use crate::unit::recipe::{ModelKind, Recipe};
use crate::unit::source::{Probe, SourceFile, Sources, Style};
use crate::unit::target::Target;

/// Makes it of the netlist in `folder`, with `jobs` compilers at a time; gives the file.
///
/// # Errors
/// With the messages of the tool that fails.
pub fn build(tools: &Tools, target: &Target, folder: &Path, jobs: usize) -> Result<PathBuf> {
    let read = |name: &str| -> Result<SourceFile> {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(SourceFile { name: name.to_owned(), text })
    };
    let files = ["tl_pkg.sv", netlist::SELECT_FILE, netlist::MUTANTS];
    let sources = Sources {
        files: files.into_iter().map(read).collect::<Result<_>>()?,
        headers: Vec::new(),
        probe: Some(Probe { control: vec![read("tl_bench.vlt")?], files: vec![read("tl_probe.sv")?] }),
        style: Style::Netlist,
    };
    let recipe = Recipe::new(&target.rtl, ModelKind::Mutants, &sources);
    let model = folder.join("model");
    let _ = fs::remove_dir_all(&model);
    fs::create_dir_all(&model).with_context(|| format!("cannot create {}", model.display()))?;
    let (toolchain, store) = tools.makers.get()?;
    make::make(toolchain, store, &recipe, &model, jobs, |_| ())?;
    Ok(model.join(LIBRARY))
}
