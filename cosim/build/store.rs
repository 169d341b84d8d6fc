// SPDX-License-Identifier: Apache-2.0
//! Compiled models by what they were made from, shared by all profiles of a target folder: a new dependency, or the
//! step from release to debug, costs no build of the models.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

/// Models of one prefix that stay, the latest ones: those of the RTL before an edit are wanted again after it.
const KEPT: usize = 3;

/// The folder of all models.
pub struct Store {
    root: PathBuf,
}

/// The folder of one model, locked against other builds.
pub struct Slot {
    /// The folder.
    pub folder: PathBuf,
    stamp: PathBuf,
    key: String,
    _lock: File,
}

impl Store {
    /// `TL_MODEL_STORE`, or a folder beside the profiles that `out` belongs to.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(out: &Path) -> Result<Store> {
        println!("cargo::rerun-if-env-changed=TL_MODEL_STORE");
        // <target>/<profile>/build/<package>/out, or one folder deeper for another platform.
        let tagged = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
        let target = tagged.or(out.ancestors().nth(4)).unwrap_or(out);
        let root = std::env::var_os("TL_MODEL_STORE").map_or_else(|| target.join("cosim-models"), PathBuf::from);
        fs::create_dir_all(&root).with_context(|| format!("cannot create the folder {}", root.display()))?;
        Ok(Store { root })
    }

    /// The slot of `prefix` made from `key`; waits for another build that works on it.
    ///
    /// # Errors
    /// When the lock cannot be had.
    pub fn slot(&self, prefix: &str, key: &str) -> Result<Slot> {
        let folder = self.root.join(format!("{prefix}-{:016x}", fnv(key)));
        let path = folder.with_extension("lock");
        let lock = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
        lock.lock().with_context(|| format!("cannot lock {}", path.display()))?;
        Ok(Slot { stamp: folder.join("inputs.txt"), folder, key: key.to_owned(), _lock: lock })
    }

    /// Removes all but the latest models of `prefix`.
    pub fn prune(&self, prefix: &str) {
        let Ok(entries) = fs::read_dir(&self.root) else { return };
        let ours = |name: &str| name.strip_prefix(prefix).is_some_and(|r| r.len() == 17 && r.starts_with('-'));
        let mut folders: Vec<(SystemTime, PathBuf)> = entries
            .flatten()
            .filter(|entry| ours(&entry.file_name().to_string_lossy()))
            .filter_map(|entry| {
                Some((fs::metadata(entry.path().join("inputs.txt")).ok()?.modified().ok()?, entry.path()))
            })
            .collect();
        folders.sort();
        for (_, folder) in folders.iter().rev().skip(KEPT) {
            // What cannot be removed is removed another time.
            let _ = fs::remove_dir_all(folder);
            let _ = fs::remove_file(folder.with_extension("lock"));
        }
    }
}

impl Slot {
    /// Whether it has the model of its key already; notes that it is in use.
    pub fn is_filled(&self) -> bool {
        let filled = fs::read_to_string(&self.stamp).is_ok_and(|old| old == self.key);
        if filled && let Ok(stamp) = File::options().append(true).open(&self.stamp) {
            let _ = stamp.set_modified(SystemTime::now());
        }
        filled
    }

    /// Empties the folder, for a new model.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn clear(&self) -> Result<()> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot create {}", self.folder.display()))
    }

    /// The model is complete.
    ///
    /// # Errors
    /// When that cannot be noted.
    pub fn fill(&self) -> Result<()> {
        Ok(fs::write(&self.stamp, &self.key)?)
    }
}

/// FNV-1a, 64 bits. The whole key is compared too.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
