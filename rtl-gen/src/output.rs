// SPDX-License-Identifier: Apache-2.0
//! The set of files of a configuration.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use rtl_config::PREFIX;

use crate::Config;
use crate::constraints::constraints;
use crate::modules;
use crate::sv::Module;

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
    let files = unprefixed(config);
    if config.prefix == PREFIX { files } else { prefixed(&files, &config.prefix) }
}

/// The files with other names for modules and packages, wherever they stand, in comments too.
fn prefixed(files: &[GenFile], prefix: &str) -> Vec<GenFile> {
    let names: BTreeSet<&str> = files.iter().filter_map(|file| file.name.strip_suffix(".sv")).collect();
    let rename = |text: &str| -> String {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut renamed = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(length);
            match word.strip_prefix(PREFIX).filter(|_| names.contains(word)) {
                Some(stem) => renamed.extend([prefix, stem]),
                None => renamed.push_str(word),
            }
            rest = tail;
        }
        renamed
    };
    let file = |GenFile { name, text }: &GenFile| {
        // Lists are called as ever.
        let name = if name.ends_with(".sv") { rename(name) } else { name.clone() };
        GenFile { name, text: rename(text) }
    };
    files.iter().map(file).collect()
}

fn unprefixed(config: &Config) -> Vec<GenFile> {
    let package = modules::tl_pkg::package(config);
    let mut files =
        vec![GenFile { name: format!("{}.sv", package.name()), text: package.emit(&config.name, &argument(config)) }];
    let file = |module: &Module| GenFile { name: format!("{}.sv", module.name()), text: module.emit(&package) };
    let list = |files: &[GenFile]| files.iter().map(|file| format!("{}\n", file.name)).collect();
    let unit = modules::synthesizable(config);
    files.extend(unit.iter().map(file));
    files.push(GenFile { name: SYNTHESIS_LIST.into(), text: list(&files) });
    for adapter in modules::ADAPTERS {
        let modules: Vec<GenFile> = adapter.of(config, &unit).iter().map(file).collect();
        files.push(GenFile { name: adapter.list(), text: list(&modules) });
        files.extend(modules);
    }
    let probe = modules::tl_probe::module(config);
    let text = probe.emit(&package) + &modules::tl_probe::bind(config);
    files.push(GenFile { name: "tl_probe.sv".into(), text });
    files.push(GenFile { name: "tl_bench.vlt".into(), text: modules::tl_probe::verilator_control(config) });
    files.push(GenFile { name: BENCH_LIST.into(), text: "tl_bench.vlt\ntl_probe.sv\n".into() });
    files
}

/// What `--config` takes for `config`: the name of a built-in one, or the file that a user has for it.
fn argument(config: &Config) -> String {
    let built_in = Config::named(&config.name).is_some_and(|named| named == *config);
    if built_in { config.name.clone() } else { format!("{}.toml", config.name) }
}

/// Writes the files of `config`, and its timing constraints, into the folder `out`, which is created when it is missing.
///
/// # Errors
/// When the folder or a file cannot be written; the message names it.
pub fn write(config: &Config, out: &Path) -> Result<Vec<GenFile>> {
    create_folder(out)?;
    let mut files = generate(config);
    files.push(constraints(config));
    for file in &files {
        write_file(&out.join(&file.name), &file.text)?;
    }
    Ok(files)
}

/// Creates a folder and those above it, where they are missing.
pub(crate) fn create_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot create the folder {}", path.display()))
}

/// Creates a folder in one that a user named, where it is missing.
pub(crate) fn create_subfolder(path: &Path) -> Result<()> {
    files::create_inside(path).with_context(|| format!("cannot create the folder {}", path.display()))
}

/// Writes a file, unless it has these contents already: so time stamps tell what changed.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<()> {
    files::not_linked(path)?;
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
