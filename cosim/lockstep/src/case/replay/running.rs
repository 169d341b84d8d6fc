// SPDX-License-Identifier: Apache-2.0
//! The replay files of the cases that are running: what is left when the machine or the process dies.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Identity, save_inside};
use crate::case::Case;
use crate::case::Origin;
use crate::unit::target::Target;

/// A folder with the replay file of every case of a configuration that is running.
#[derive(Clone, Debug)]
pub struct Running {
    folder: PathBuf,
    identity: Identity,
}

impl Running {
    /// Makes the folder `running` below `out`.
    pub fn new(target: &Target, out: &Path) -> Result<Running> {
        let folder = out.join("running");
        files::create_inside(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(Running { folder, identity: Identity::new(target) })
    }

    pub fn path(&self, origin: Origin) -> PathBuf {
        self.folder.join(format!("{}.json", origin.name(&self.identity.name)))
    }

    pub fn start(&self, origin: Origin, case: &Case) -> Result<()> {
        let save = || save_inside(&self.path(origin), &self.identity, origin, case);
        // Another run with the same folder may have removed it, because it was empty.
        save().or_else(|error| fs::create_dir_all(&self.folder).map_or(Err(error), |()| save()))
    }

    /// The case has passed, or its replay file is in its own folder by now.
    pub fn done(&self, origin: Origin) -> Result<()> {
        let path = self.path(origin);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        }
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
        one.start(origin, &case).expect("written");
        assert!(one.path(origin).exists());
    }
}
