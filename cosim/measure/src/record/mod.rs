// SPDX-License-Identifier: Apache-2.0
//! Figures that take too long to measure all of them for a table: each row is kept in a file by its own run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::base::output;

/// Options of what is measured in long runs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RecordOptions {
    /// Keep the figures for a table in this file (JSON), in place of those of the same units
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Print what `--record` has kept in this file as a table in Markdown, and measure nothing
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub table: Option<PathBuf>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept<T> {
    /// What was checked out.
    pub commit: String,
    #[serde(flatten)]
    pub figures: T,
}

/// The rows of each table, by their names.
type Record = BTreeMap<String, BTreeMap<String, serde_json::Value>>;

/// Puts rows of `table` into a file, in place of those with the same names.
///
/// # Errors
/// When the file is no record, or is outside of a checkout of git: a row names the commit.
pub fn keep<T: Serialize>(path: &Path, table: &str, rows: impl IntoIterator<Item = (String, T)>) -> Result<()> {
    let mut record = if path.exists() { read(path)? } else { Record::new() };
    let commit = commit(path)?;
    let kept = record.entry(table.to_owned()).or_default();
    for (name, figures) in rows {
        kept.insert(name, serde_json::to_value(Kept { commit: commit.clone(), figures })?);
    }
    output::save(path, (serde_json::to_string_pretty(&record)? + "\n").as_bytes())
}

/// The rows of a table.
///
/// # Errors
/// When the file is no record, or has no such table.
pub fn rows<T: DeserializeOwned>(path: &Path, table: &str) -> Result<BTreeMap<String, Kept<T>>> {
    let name = path.display();
    let rows = read(path)?.remove(table).with_context(|| format!("{name} has no table {table}"))?;
    let row = |(name, row)| Ok((name, serde_json::from_value(row)?));
    rows.into_iter().map(row).collect::<Result<_>>().with_context(|| format!("{name}, table {table}"))
}

/// The name of a row in Markdown: its first word is code.
pub fn shown(name: &str) -> String {
    let (word, rest) = name.split_at(name.find([' ', ',']).unwrap_or(name.len()));
    format!("`{word}`{rest}")
}

fn read(path: &Path) -> Result<Record> {
    let name = path.display();
    let text = files::read_text(path, files::TABLE).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no record of figures"))
}

/// The commit that is checked out around a file.
fn commit(path: &Path) -> Result<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let arguments = ["log", "-1", "--format=%h", "--abbrev=8"];
    let done = Command::new("git").args(arguments).current_dir(folder).output();
    let done = done.with_context(|| format!("cannot run git in {}", folder.display()))?;
    ensure!(done.status.success(), "{} is not in a checkout of git: a row names its commit", path.display());
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// A checkout of git with one commit: there is none around the sources of a release.
#[cfg(test)]
pub fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let commit = "git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first";
    let done = Command::new("sh").args(["-c", commit]).current_dir(folder.path()).status().expect("git");
    assert!(done.success());
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_the_place_of_the_old_one_and_others_stay() {
        let folder = checkout();
        let file = folder.path().join("record.json");
        let figures = |n: u32| BTreeMap::from([("n".to_owned(), n)]);
        let row = |name: &str, n| (name.to_owned(), figures(n));
        keep(&file, "areas", [row("a", 1), row("b", 2)]).expect("kept");
        keep(&file, "scores", [row("a", 3)]).expect("kept");
        keep(&file, "areas", [row("a", 4)]).expect("kept");
        let read: Vec<_> = rows::<BTreeMap<String, u32>>(&file, "areas").expect("rows").into_iter().collect();
        let found: Vec<_> = read.iter().map(|(name, kept)| (&**name, kept.figures["n"], kept.commit.len())).collect();
        assert_eq!(found, [("a", 4, 8), ("b", 2, 8)]);
        let none = rows::<BTreeMap<String, u32>>(&file, "clocks").expect_err("no table").to_string();
        assert!(none.ends_with("record.json has no table clocks"), "{none}");
    }
}
