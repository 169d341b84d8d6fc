// SPDX-License-Identifier: Apache-2.0
//! Finds Verilator and runs it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::model::Model;

/// The oldest version that is known to work.
const OLDEST: (u32, u32) = (5, 6);

/// How to get a Verilator.
const HELP: &str = "run `make setup`, which installs one, or name one with VERILATOR=/path/to/verilator";

/// Verilator as installed here.
pub struct Tool {
    program: PathBuf,
    /// First line of `--version`.
    pub version: String,
    root: PathBuf,
}

impl Tool {
    /// Takes the program that `VERILATOR` names, or the one on PATH.
    ///
    /// # Errors
    /// When there is none, or an old one; the message says what to do.
    pub fn find() -> Result<Tool> {
        println!("cargo::rerun-if-env-changed=VERILATOR");
        println!("cargo::rerun-if-env-changed=VERILATOR_ROOT");
        let program = PathBuf::from(std::env::var_os("VERILATOR").unwrap_or_else(|| "verilator".into()));
        let version = output(&program, "--version").with_context(|| format!("Verilator is missing: {HELP}"))?;
        // A build without version control information (the PyPI wheels) has no number. It is version 5 when it knows
        // an option of version 5; what else is missing shows when it runs.
        let unnumbered = version.contains("vUNKNOWN") && output(&program, "--no-timing --version").is_ok();
        if !unnumbered {
            let number = parse_version(&version).with_context(|| {
                format!("{} --version says {version:?}, which has no version number: {HELP}", program.display())
            })?;
            ensure!(
                number >= OLDEST,
                "{} is version {}.{:03}; {}.{:03} or newer is needed: {HELP}",
                program.display(),
                number.0,
                number.1,
                OLDEST.0,
                OLDEST.1
            );
        }
        let root = PathBuf::from(output(&program, "--getenv VERILATOR_ROOT")?);
        println!("cargo::rerun-if-changed={}", root.join("include/verilated_config.h").display());
        Ok(Tool { program, version, root })
    }

    /// Folder of the run-time sources.
    pub fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    /// Verilates `model` into `folder`.
    ///
    /// # Errors
    /// With Verilator's own messages.
    pub fn run(&self, model: &Model, folder: &Path) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.current_dir(&model.rtl).args(["--cc", "--top-module", model.top(), "--prefix", &model.prefix, "-Mdir"]);
        command.arg(folder).args(model.flags()).args(model.files.iter().map(|f| &f.name));
        let done = command.output().with_context(|| format!("cannot run {}", self.program.display()))?;
        if !done.status.success() {
            let messages = String::from_utf8_lossy(&done.stderr);
            bail!("Verilator refuses the RTL of configuration {}:\n{messages}", model.config.name);
        }
        Ok(())
    }
}

/// What `program` prints for `arguments`, without the line end.
fn output(program: &Path, arguments: &str) -> Result<String> {
    let done = Command::new(program).args(arguments.split(' ')).output();
    let done = done.with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(done.status.success(), "{} {arguments}: {}", program.display(), String::from_utf8_lossy(&done.stderr));
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// `Verilator 5.006 2023-01-22 ...` is (5, 6).
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.strip_prefix("Verilator ")?.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}
