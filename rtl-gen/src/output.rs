// SPDX-License-Identifier: Apache-2.0
//! The set of files of a configuration.

use std::path::Path;

use anyhow::{Context, Result};

use crate::Config;
use crate::modules;

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFile {
    /// File name without a folder.
    pub name: String,
    /// Contents.
    pub text: String,
}

/// Name of the list of the synthesizable files, in compilation order.
pub const SYNTHESIS_LIST: &str = "tl.f";

/// Name of the list of the files that the bench adds.
pub const BENCH_LIST: &str = "tl_bench.f";

/// All files of `config`: the package and the modules in compilation order, then the file lists.
/// The same configuration always gives the same files.
pub fn generate(config: &Config) -> Vec<GenFile> {
    let package = modules::tl_pkg::package(config);
    let mut files = vec![GenFile { name: format!("{}.sv", package.name()), text: package.emit(&config.name) }];
    for module in modules::synthesizable(config) {
        files.push(GenFile { name: format!("{}.sv", module.name()), text: module.emit(&config.name, &package) });
    }
    let list = files.iter().map(|file| format!("{}\n", file.name)).collect();
    files.push(GenFile { name: SYNTHESIS_LIST.into(), text: list });
    let probe = modules::tl_probe::module(config);
    let text = probe.emit(&config.name, &package) + &modules::tl_probe::bind(config);
    files.push(GenFile { name: "tl_probe.sv".into(), text });
    files.push(GenFile { name: "tl_bench.vlt".into(), text: modules::tl_probe::verilator_control(config) });
    files.push(GenFile { name: BENCH_LIST.into(), text: "tl_bench.vlt\ntl_probe.sv\n".into() });
    files
}

/// Writes the files of `config` into the folder `out`, which is created when it is missing. Files
/// whose contents are the same already are left alone, so that time stamps tell what changed.
///
/// # Errors
/// When the folder or a file cannot be written; the message names it.
pub fn write(config: &Config, out: &Path) -> Result<Vec<GenFile>> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot create the folder {}", out.display()))?;
    let files = generate(config);
    for file in &files {
        let path = out.join(&file.name);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == file.text) {
            continue;
        }
        std::fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(files)
}
