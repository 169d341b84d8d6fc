// SPDX-License-Identifier: Apache-2.0
//! Waveform files: their writer neither says when there is no room for them, nor looks at what has their name before.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use fst_reader::{FstHierarchyEntry, FstReader, FstSignalHandle, FstVarType};

use crate::base::output::program;
use crate::base::signals::LastWords;

pub mod viewer;

/// Whether a waveform can be written under this name, which has to be new or that of an ordinary file.
pub fn reserve(wave: &Path) -> Result<()> {
    files::replaceable(wave).with_context(|| format!("cannot write the waveform {}", wave.display()))
}

/// Whether a waveform that has been closed is complete; none at all is no error.
pub fn check(wave: &Path) -> Result<()> {
    if wave.exists() && !complete(wave) {
        bail!(no_room(wave));
    }
    Ok(())
}

/// A signal of a waveform below some scope.
pub struct Variable {
    /// Scopes and name from there, separated by dots.
    pub local: String,
    /// The same from the outermost scope.
    pub path: String,
    /// `[high:low]`, or nothing, as the waveform has it.
    pub range: String,
    /// Its width.
    pub bits: u32,
    /// Its number in the waveform.
    pub handle: FstSignalHandle,
}

/// Opens a waveform file.
pub fn open(wave: &Path) -> Result<FstReader<BufReader<File>>> {
    let file = File::open(wave).with_context(|| format!("cannot read {}", wave.display()))?;
    FstReader::open(BufReader::new(file)).map_err(|error| anyhow!("{}: {error}", wave.display()))
}

/// All signals below the scope `top`; parameters are none.
pub fn variables(reader: &mut FstReader<BufReader<File>>, top: &str) -> Result<Vec<Variable>> {
    let (mut scopes, mut variables) = (Vec::<String>::new(), Vec::new());
    let each = |entry: FstHierarchyEntry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => drop(scopes.pop()),
        FstHierarchyEntry::Var { name, length, tpe, handle, .. } if tpe != FstVarType::Parameter => {
            let Some(top) = scopes.iter().position(|scope| scope == top) else { return };
            let (name, range) = name.split_once(' ').unwrap_or((&name, ""));
            let path = format!("{}.{name}", scopes.join("."));
            let local: Vec<&str> = scopes[top + 1..].iter().map(String::as_str).chain([name]).collect();
            variables.push(Variable { local: local.join("."), path, range: range.to_owned(), bits: length, handle });
        }
        _ => {}
    };
    reader.read_hierarchy(each).map_err(|error| anyhow!("a waveform: {error}"))?;
    Ok(variables)
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
pub fn last_words(wave: &Path) -> Result<LastWords> {
    Ok(LastWords::new(2, files::printable(&format!("{}: {}", program(), no_room(wave))) + "\n", wave)?)
}

/// Blanks the date in the header of a waveform, so that the same run leaves the same file.
pub fn forget_date(wave: &Path) -> Result<()> {
    // The header block: its type, which is 0, its length, eight numbers of 8 bytes, the time scale, 128 bytes for the
    // name of the writer, then 119 bytes for the date.
    const LENGTH: u64 = 329;
    const DATE: u64 = 1 + 9 * 8 + 1 + 128;
    let error = || format!("cannot change {}", wave.display());
    let mut file = OpenOptions::new().read(true).write(true).open(wave).with_context(error)?;
    let mut start = [0; 9];
    file.read_exact(&mut start).with_context(error)?;
    if start[0] == 0 && start[1..] == LENGTH.to_be_bytes() {
        file.seek(SeekFrom::Start(DATE)).with_context(error)?;
        file.write_all(&[0; 119]).with_context(error)?;
    }
    Ok(())
}
