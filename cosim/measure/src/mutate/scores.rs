// SPDX-License-Identifier: Apache-2.0
//! The table of scores, each of a list of its own.

use std::path::Path;

use anyhow::Result;
use cosim_harness::mutate::{MutateOptions, Report, Score};
use serde::{Deserialize, Serialize};

use crate::base::table;
use crate::record::{self, Kept};

const HEADER: [&str; 11] = [
    "configuration",
    "seed",
    "cases",
    "refused",
    "killed",
    "equivalent",
    "slower",
    "survived",
    "score",
    "without slower",
    "commit",
];

/// What became of a list of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct List {
    seed: u64,
    cases: u64,
    total: Score,
}

/// The name of the table in the file.
const TABLE: &str = "mutants";

/// Whether a record has a row for what is asked: a list of all modules and kinds.
pub fn is_whole(options: &MutateOptions) -> bool {
    options.module.is_none() && options.kind.is_none() && options.mutant.is_empty()
}

/// Keeps what a run has found, or nothing: to see whether the file can be written.
///
/// # Errors
/// As [`record::keep`].
pub fn keep(path: &Path, report: Option<&Report>) -> Result<()> {
    let list = |it: &Report| (it.config.clone(), List { seed: it.seed, cases: it.cases, total: it.total });
    record::keep(path, TABLE, report.map(list))
}

/// What is kept as a table in Markdown.
///
/// # Errors
/// As [`record::rows`].
pub fn markdown(path: &Path) -> Result<String> {
    let line = |(name, row): (String, Kept<List>)| {
        let List { seed, cases, total } = row.figures;
        let Score { refused, killed, equivalent, slower, survived, mutants } = total;
        let numbers = [seed, cases, refused, killed, equivalent, slower, survived].map(|number| number.to_string());
        let percent = |score: Score| format!("{:.1} %", score.percent());
        let shares = [percent(total), percent(Score { slower: 0, mutants: mutants - slower, ..total })];
        [format!("`{name}`")].into_iter().chain(numbers).chain(shares).chain([row.commit]).collect()
    };
    let rows: Vec<Vec<String>> = record::rows(path, TABLE)?.into_iter().map(line).collect();
    Ok(table::markdown(&HEADER, 1, &rows))
}
