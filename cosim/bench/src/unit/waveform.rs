// SPDX-License-Identifier: Apache-2.0
//! Waveform files: their writer neither says when there is no room for them, nor looks at what has their name before.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fst_reader::{FstHierarchyEntry, FstReader};

use crate::base::signals::LastWords;

/// Whether a waveform can be written under this name, which has to be new or that of an ordinary file.
///
/// # Errors
/// When it cannot.
pub fn reserve(wave: &Path) -> Result<()> {
    files::replaceable(wave).with_context(|| format!("cannot write the waveform {}", wave.display()))
}

/// Whether a waveform that has been closed is complete; none at all is no error.
///
/// # Errors
/// When it is not.
pub fn check(wave: &Path) -> Result<()> {
    if wave.exists() && !complete(wave) {
        bail!(no_room(wave));
    }
    Ok(())
}

/// The list of the signals is written last.
fn complete(wave: &Path) -> bool {
    let Ok(file) = File::open(wave) else { return false };
    let Ok(mut reader) = FstReader::open(BufReader::new(file)) else { return false };
    let mut signals = 0;
    let count = |entry| signals += usize::from(matches!(entry, FstHierarchyEntry::Var { .. }));
    reader.read_hierarchy(count).is_ok() && signals > 0
}

/// What to say when a waveform does not fit.
pub fn no_room(wave: &Path) -> String {
    let name = wave.display();
    format!("cannot write the waveform {name}: there is no room for it, or in the folder for temporary files")
}

/// [`LastWords`] on standard error, while a waveform is written.
///
/// # Errors
/// When the system refuses.
pub fn last_words(wave: &Path) -> Result<LastWords> {
    Ok(LastWords::new(2, files::printable(&format!("cosim: {}", no_room(wave))) + "\n", wave)?)
}
