// SPDX-License-Identifier: Apache-2.0
//! The programs that a mutation run needs beside this one: Yosys, Verilator, a C++ compiler.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use wait_timeout::ChildExt;

use crate::unit::models::Makers;
use crate::unit::target::Workshop;
use crate::unit::toolchain::find;
use crate::unit::yosys::Yosys;

/// The programs, each of which has answered.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Reads the RTL and makes the mutants.
    pub yosys: Yosys,
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
        let yosys = Yosys::find()?;
        let verible = || find("VERIBLE", &["verible-verilog-syntax"], "--version", "make setup-lint");
        let verible = source.then(verible).transpose()?;
        let makers = workshop.makers().clone();
        makers.get()?;
        Ok(Tools { yosys, verible, makers, abc: model_checker()? })
    }
}

/// Waits for a program that is to end by itself, and ends it when its time is over; then there is no exit code.
///
/// # Errors
/// When it cannot be waited for, or ended.
pub fn ends(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let status = child.wait_timeout(limit).context("cannot wait for a program")?;
    if status.is_none() {
        child.kill().and_then(|()| child.wait()).context("cannot end a program")?;
    }
    Ok(status)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut slow = Command::new("sleep").arg("100").spawn().expect("it runs");
        assert_eq!(ends(&mut slow, Duration::from_millis(10)).expect("ended"), None);
        let mut quick = Command::new("true").spawn().expect("it runs");
        assert!(ends(&mut quick, Duration::from_secs(100)).expect("waited for").is_some_and(|status| status.success()));
    }
}
