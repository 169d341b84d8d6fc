// SPDX-License-Identifier: Apache-2.0
//! The folder of all named configurations, rtl/: files that do not depend on the configuration are there once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rtl_config::{BESIDE_RTL, PREFIX};

use crate::constraints;
use crate::output::{ADAPTERS, BENCH_LIST, GenFile, INCLUDE, MARK, SYNTHESIS_LIST, adapter_list};
use crate::record::{self, Edited};
use crate::{Config, Sources, packages};

/// Folder of the files that every configuration has; its constants, itself, and the lists `tl.f` and `tl_bench.f`, are
/// in `<config>/`.
pub const COMMON: &str = "common";

fn is_list(name: &str) -> bool {
    [SYNTHESIS_LIST, BENCH_LIST].contains(&name) || ADAPTERS.iter().any(|adapter| adapter_list(adapter) == name)
}

fn is_common(name: &str) -> bool {
    ![SYNTHESIS_LIST, BENCH_LIST].contains(&name) && !name.ends_with(".svh")
}

/// Where a file of a configuration is in the tree.
fn place(config: &Config, file: &str) -> String {
    format!("{}/{file}", if is_common(file) { COMMON } else { &config.name })
}

fn all_named() -> Result<Vec<Config>> {
    Config::names().iter().map(|name| Ok(Config::load(name)?)).collect()
}

impl Sources {
    /// All files of `configs`, by path. A file list names files as they are seen from the folder of a configuration.
    ///
    /// # Errors
    /// For a configuration that has the name of the folder [`COMMON`], of the unit or of an adapter.
    pub fn tree(&self, configs: &[Config]) -> Result<BTreeMap<PathBuf, String>> {
        let taken = |name: &str| [COMMON, packages::UNIT].contains(&name) || ADAPTERS.contains(&name);
        if let Some(Config { name, .. }) = configs.iter().find(|config| taken(&config.name)) {
            bail!(
                "configuration field `name`: \"{name}\" is not allowed; allowed: any other, rtl/ has files of this name"
            );
        }
        let sets: Vec<Vec<GenFile>> = configs.iter().map(|config| self.generate(config)).collect();
        let listed = |line: &str| if line == INCLUDE { format!("{line}\n") } else { format!("../{COMMON}/{line}\n") };
        let mut tree = BTreeMap::new();
        for (config, files) in configs.iter().zip(&sets) {
            for GenFile { name, text } in files {
                let folder = if is_common(name) { COMMON } else { &config.name };
                let text = if is_list(name) { text.lines().map(listed).collect() } else { text.clone() };
                tree.insert(Path::new(folder).join(name), text);
            }
            tree.insert(Path::new(&config.name).join(BESIDE_RTL), config.to_toml());
        }
        let constraints = constraints::all(self, PREFIX).into_iter();
        tree.extend(constraints.map(|file| (Path::new(COMMON).join(file.name), file.text)));
        tree.extend(packages::tree(configs, &sets, place));
        Ok(tree)
    }

    /// The manifest for Bender of the named configurations, whose tree is in the folder `tree`, as it is seen from that of
    /// the manifest.
    ///
    /// # Errors
    /// For a file in configs/ that is not legal; the message names it.
    pub fn manifest(&self, tree: &Path) -> Result<String> {
        let configs = all_named()?;
        let sets: Vec<Vec<GenFile>> = configs.iter().map(|config| self.generate(config)).collect();
        let at = |config: &Config, file: &str| tree.join(place(config, file)).display().to_string();
        Ok(packages::manifest(&configs, &sets, at))
    }

    /// Writes [`Sources::manifest`] to `file`, in a folder that the folder `tree` is below.
    ///
    /// # Errors
    /// When it is not below, or the file cannot be written, or was edited; the message names it.
    pub fn write_manifest(&self, file: &Path, tree: &Path, edited: Edited) -> Result<()> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let below = tree.strip_prefix(folder);
        let below = below.with_context(|| {
            format!("--manifest {}: the folder {} is not below that of this file", file.display(), tree.display())
        })?;
        let name = file.file_name().unwrap_or_default();
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        record::write(folder, &BTreeMap::from([(name.into(), self.manifest(below)?)]), edited, false)
    }

    /// Writes the named configurations into the folder `out`, which is created when it is missing, and removes what an
    /// earlier run left there and this one does not have. Other files stay, in folders of other programs and in ours.
    ///
    /// # Errors
    /// For a file in configs/ that is not legal, or when a file cannot be written or removed, or was edited; the message
    /// names it. There is no record of digests: only files that would stay as they are count as not edited.
    pub fn write_tree(&self, out: &Path, edited: Edited) -> Result<BTreeMap<PathBuf, String>> {
        let tree = self.tree(&all_named()?)?;
        let stale = if out.is_dir() { stale(out, &tree)? } else { Vec::new() };
        if edited == Edited::Refuse {
            record::refuse(&stale, "of an earlier version, and would be removed")?;
        }
        record::write(out, &tree, edited, false)?;
        for path in stale {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            // What is not empty stays.
            let _ = path.parent().filter(|folder| *folder != out).map(fs::remove_dir);
        }
        Ok(tree)
    }
}

/// Files that [`Sources::write_tree`] wrote and that `tree` lacks.
fn stale(out: &Path, tree: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>> {
    let mut stale = Vec::new();
    for (name, path) in entries(out)?.into_iter().filter(|(name, path)| path.is_file() && name.ends_with(".core")) {
        let ours = || files::read_text(&path, files::TABLE).is_ok_and(|text| text.contains(packages::WRITTEN));
        if !tree.contains_key(Path::new(&name)) && ours() {
            stale.push(path);
        }
    }
    for (name, folder) in entries(out)?.into_iter().filter(|(_, path)| path.is_dir() && !path.is_symlink()) {
        if !is_ours(&name, &folder, tree) {
            continue;
        }
        for (file, path) in entries(&folder)? {
            let listed = is_list(&file) || file == BESIDE_RTL || file.ends_with(constraints::SUFFIX);
            let generated = || listed || files::read_text(&path, files::TABLE).is_ok_and(|text| text.starts_with(MARK));
            if !tree.contains_key(&Path::new(&name).join(&file)) && path.is_file() && generated() {
                stale.push(path);
            }
        }
    }
    Ok(stale)
}

/// The folder holds, or held, a part of the tree: no list that `--config` wrote names the common folder.
fn is_ours(name: &str, folder: &Path, tree: &BTreeMap<PathBuf, String>) -> bool {
    let lists_common = |text: String| text.lines().any(|line| line.starts_with(&format!("../{COMMON}/")));
    tree.keys().any(|path| path.starts_with(name))
        || files::read_text(&folder.join(SYNTHESIS_LIST), files::TABLE).is_ok_and(lists_common)
}

/// Names and paths of what a folder has; names that are not Unicode are not ours.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let paths = files::in_folder(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let named = |path: PathBuf| Some((path.file_name()?.to_str()?.to_owned(), path));
    Ok(paths.into_iter().filter_map(named).collect())
}
