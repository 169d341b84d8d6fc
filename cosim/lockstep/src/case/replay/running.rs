// SPDX-License-Identifier: Apache-2.0
//! What is left when the machine or the process dies: the commands of the cases that run, and the replay files of those
//! that failed and have no report yet.

use std::fs;
use std::io::{ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use super::{Identity, save_inside};
use crate::case::Case;
use crate::case::Origin;
use crate::unit::target::Target;

/// The folder `running` of a configuration.
#[derive(Clone, Debug)]
pub struct Running {
    folder: PathBuf,
    identity: Identity,
}

/// A file with the command of the case that a thread runs. It goes with this value.
#[derive(Debug)]
pub struct Command {
    file: NamedTempFile,
    /// Bytes in it.
    length: u64,
}

impl Command {
    /// The case of this command begins. One file is written again and again: to make one costs as much as a short case.
    pub fn begins(&mut self, command: &str) -> Result<()> {
        let mut write = || {
            self.file.rewind()?;
            self.file.write_all(format!("{command}\n").as_bytes())?;
            let before = std::mem::replace(&mut self.length, command.len() as u64 + 1);
            if before > self.length { self.file.as_file().set_len(self.length) } else { Ok(()) }
        };
        write().with_context(|| format!("cannot write {}", self.file.path().display()))
    }
}

impl Running {
    /// Makes the folder `running` below `out`.
    pub fn new(target: &Target, out: &Path) -> Result<Running> {
        let folder = out.join("running");
        files::create_inside(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(Running { folder, identity: Identity::new(target) })
    }

    /// A file for the cases of a thread.
    pub fn thread(&self) -> Result<Command> {
        let prefix = format!("{}-", self.identity.name);
        let make = || tempfile::Builder::new().prefix(&prefix).suffix(".txt").tempfile_in(&self.folder);
        let file = self.despite_others(make).with_context(|| format!("cannot write to {}", self.folder.display()))?;
        Ok(Command { file, length: 0 })
    }

    /// The case has failed: its replay file is here until it has a folder of its own.
    pub fn failed(&self, origin: Origin, case: &Case) {
        // The failure counts, whatever becomes of this file.
        let _ = self.despite_others(|| save_inside(&self.path(origin), &self.identity, origin, case));
    }

    /// The replay file of the case is in its own folder by now.
    pub fn done(&self, origin: Origin) -> Result<()> {
        let path = self.path(origin);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        }
    }

    fn path(&self, origin: Origin) -> PathBuf {
        self.folder.join(format!("{}.json", origin.name(&self.identity.name)))
    }

    /// Another run with the same folder may have removed it, because it was empty.
    fn despite_others<T, E>(&self, make: impl Fn() -> Result<T, E>) -> Result<T, E> {
        make().or_else(|error| fs::create_dir_all(&self.folder).map_or(Err(error), |()| make()))
    }

    /// Removes the folder, and the one around it, if nothing is in them.
    pub fn close(&self) {
        // What is not empty stays.
        let _ = fs::remove_dir(&self.folder);
        let _ = self.folder.parent().map(fs::remove_dir);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstep::Setup;

    #[test]
    fn a_run_goes_on_when_another_one_has_removed_the_folder() {
        let folder = tempfile::tempdir().expect("folder");
        let target = crate::unit::testing::target("tiny");
        let [one, other] = [(); 2].map(|()| Running::new(&target, folder.path()).expect("folder"));
        other.close();
        let case =
            Case { preload: Vec::new(), program: vec![0x13], host: false, setup: Setup::default(), reset_after: None };
        let origin = Origin { seed: 1, case: 0, fault: 0 };
        one.failed(origin, &case);
        assert!(one.path(origin).exists());
        one.done(origin).expect("removed");
        other.close();
        let mut command = one.thread().expect("made");
        for text in ["a long command", "a command"] {
            command.begins(text).expect("written");
            assert_eq!(fs::read_to_string(command.file.path()).expect("there"), format!("{text}\n"));
        }
        drop(command);
        one.close();
        assert!(!one.folder.exists(), "something is left");
    }
}
