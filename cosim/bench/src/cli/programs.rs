// SPDX-License-Identifier: Apache-2.0
//! `cosim check programs`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::options::ProgramsOptions;
use super::program;
use super::table::{NamedRun, Row, mnemonics, summary};
use crate::base::output::say;
use crate::base::{shell, table};
use crate::lockstep::Counts;
use crate::unit::ModelKind;
use crate::unit::target::{Target, Workshop, make_all};

/// `cosim check programs`.
pub fn programs(workshop: &Workshop, options: &ProgramsOptions) -> Result<bool> {
    let targets = options.unit.targets(workshop)?;
    let paths = program::checked(&options.folder, &targets)?;
    make_all(&targets, ModelKind::Fast)?;
    let rows = run_programs(&paths, &targets, options.out.as_deref())?;
    say!("{}", summary(&rows))?;
    say!("\n{}", mnemonics(rows.iter().map(|row| &row.counts)))?;
    Ok(rows.iter().all(|row| row.failures == 0))
}

/// Runs programs on each target; one row for each. Those that fail leave a page below `out`, when there is such a
/// folder.
pub fn run_programs(paths: &[PathBuf], targets: &[Target], out: Option<&Path>) -> Result<Vec<Row>> {
    let bar = table::progress("programs", (paths.len() * targets.len()) as u64);
    let rows = targets.iter().map(|target| programs_of(target, paths, out, &bar)).collect();
    bar.finish_and_clear();
    rows
}

fn programs_of(target: &Target, paths: &[PathBuf], out: Option<&Path>, bar: &table::Progress) -> Result<Row> {
    let start = Instant::now();
    let (mut counts, mut parts) = (Counts::default(), Vec::new());
    for path in paths {
        bar.inc(1);
        if !program::runs_on(target, path)? {
            continue;
        }
        let (start, name) = (Instant::now(), path.display().to_string());
        let words = ["cosim".into(), "check".into(), "programs".into(), name.clone()];
        let again = shell::command(words.into_iter().chain(target.selection()));
        // One folder for each program.
        let out = out.map(|out| out.join(path.with_extension("").file_name().unwrap_or_default()));
        let failure = match program::run_with_files(target, path, &again, out.as_deref())? {
            Ok(outcome) => {
                counts.add(&outcome.counts);
                None
            }
            Err(text) => {
                say!("{name}\n{text}")?;
                Some(text)
            }
        };
        let config = target.name().to_owned();
        parts.push(NamedRun { config, kind: "program", name, elapsed: start.elapsed(), failure });
    }
    Ok(Row::of_parts(target.name(), format!("{} programs", parts.len()), counts, start.elapsed(), parts))
}
