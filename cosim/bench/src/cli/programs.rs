// SPDX-License-Identifier: Apache-2.0
//! `cosim check programs`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::options::ProgramsOptions;
use super::program::{Outcome, Program, contents};
use super::program_page;
use super::table::{NamedRun, Row, mnemonics, summary};
use crate::base::output::say;
use crate::base::{parallel, shell, table};
use crate::lockstep::Counts;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, Workshop};

/// `cosim check programs`.
pub fn programs(workshop: &Workshop, options: &ProgramsOptions) -> Result<bool> {
    let targets = options.unit.targets(workshop)?;
    let paths = checked(&options.folder, &targets)?;
    make_all(&targets, ModelKind::Fast)?;
    let rows = run_programs(&paths, &targets, options.out.as_deref(), table::processors())?;
    say!("{}", summary(&rows))?;
    say!("\n{}", mnemonics(rows.iter().map(|row| &row.counts)))?;
    Ok(rows.iter().all(|row| row.failures == 0))
}

/// Runs programs on each target, by so many threads; one row for each target. Those that fail leave a page below `out`,
/// when there is such a folder.
pub fn run_programs(paths: &[PathBuf], targets: &[Target], out: Option<&Path>, jobs: usize) -> Result<Vec<Row>> {
    let (mut work, mut ends) = (Vec::new(), Vec::new());
    for target in targets {
        for path in paths {
            if runs_on(target, path)? {
                work.push((target, path));
            }
        }
        ends.push(work.len());
    }
    let bar = table::progress("programs", work.len() as u64);
    let ran = parallel::map(&work, jobs, || bar.inc(1), |(target, path)| one(target, path, out))?;
    bar.finish_and_clear();
    let mut ran = ran.into_iter();
    let row = |(target, end): (&Target, usize)| {
        let done = work.len() - ran.len();
        let parts: Vec<_> = ran.by_ref().take(end - done).collect();
        Row::of_parts(target.name(), format!("{} programs", parts.len()), parts)
    };
    targets.iter().zip(ends).map(row).collect()
}

fn one(target: &Target, path: &Path, out: Option<&Path>) -> Result<(Counts, NamedRun)> {
    let (start, name) = (Instant::now(), path.display().to_string());
    let words = ["cosim".into(), "check".into(), "programs".into(), name.clone()];
    let again = shell::command(words.into_iter().chain(target.selection()));
    // One folder for each program.
    let out = out.map(|out| out.join(path.with_extension("").file_name().unwrap_or_default()));
    let (counts, failure) = match run_with_files(target, path, &again, out.as_deref())? {
        Ok(outcome) => (outcome.counts, None),
        Err(text) => (Counts::default(), Some(text)),
    };
    let config = target.name().to_owned();
    Ok((counts, NamedRun { config, kind: "program", name, elapsed: start.elapsed(), failure }))
}

/// The programs below `folder`, in the order of their names; or the one program that it is.
///
/// # Errors
/// When the folder cannot be read, or has no program.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.exists() && !folder.is_dir() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let cannot = || format!("cannot read the folder {}", folder.display());
        for path in files::in_folder(&folder).with_context(cannot)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "s") {
                found.push(path);
            }
        }
    }
    ensure!(!found.is_empty(), "there is no program (*.s) below {}", folder.display());
    found.sort();
    Ok(found)
}

/// The programs below `folder`, after each was read and assembled for the targets that it runs on: before models are
/// made.
///
/// # Errors
/// When the folder has no program, or one cannot be read or assembled.
pub fn checked(folder: &Path, targets: &[Target]) -> Result<Vec<PathBuf>> {
    let paths = list(folder)?;
    for path in &paths {
        for target in targets {
            if runs_on(target, path)? {
                Program::read(target, path, None, None)?;
            }
        }
    }
    Ok(paths)
}

/// Whether `target` has what the program `path` asks for: one with a line `# needs matrix` asks for the matrix
/// instruction set.
pub fn runs_on(target: &Target, path: &Path) -> Result<bool> {
    let source = contents(path)?;
    Ok(target.golden.matrix.is_some()
        || source.split(|&c| c == b'\n').all(|line| line.trim_ascii_end() != b"# needs matrix"))
}

/// Runs the program `path` with the files that lie beside it: `NAME.l1m` (a pattern when there is none) and, to be
/// compared with the beginning of L0M at the end, `NAME.l0m.expected`.
///
/// # Errors
/// When a file cannot be used; a failure of the run is the inner error, as text.
pub fn run_with_files(target: &Target, path: &Path, again: &str, out: Option<&Path>) -> Result<Result<Outcome, Text>> {
    let l1m = Some(path.with_extension("l1m")).filter(|path| path.exists());
    let mut program = Program::read(target, path, l1m.as_deref(), None)?;
    if l1m.is_none() {
        program.fill_l1m(target);
    }
    let outcome = match program.run(target, None)? {
        Ok(outcome) => outcome,
        Err(failure) => return Ok(Err(program_page::text(target, &program, &failure, again, out))),
    };
    if let Some(stuck) = outcome.stuck {
        return Ok(Err(format!("{}: {stuck}\n  again    {again}\n", target.name())));
    }
    let expected = path.with_extension("l0m.expected");
    if expected.exists() {
        let bytes = files::read(&expected, target.golden.l0m_bytes.into())
            .with_context(|| format!("cannot read {}", expected.display()))?;
        if let Some(first) = (0..bytes.len()).find(|&i| outcome.l0m.get(i) != bytes.get(i)) {
            let name = expected.display();
            let text = format!("{}: L0M differs from {name} at address {first:#x}", target.name());
            return Ok(Err(format!("{text}\n  again    {again}\n")));
        }
    }
    Ok(Ok(outcome))
}

/// A failure, ready to be shown.
pub type Text = String;
