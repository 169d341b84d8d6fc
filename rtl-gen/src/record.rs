// SPDX-License-Identifier: Apache-2.0
//! Writes files into a folder of the user. What was edited there is not written over.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::output::{create_folder, create_subfolder, write_file};

/// Name of the list of what was written into a folder, in the form of `sha256sum`.
pub(crate) const RECORD: &str = "tl.sha256";

/// Most names in a message.
const NAMED: usize = 8;

/// What happens when a file in the folder is not as this generator wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// Nothing is written; the error names the file.
    Refuse,
    /// It is written over.
    Overwrite,
}

/// Writes files, by their paths in the folder `out`, which is created when it is missing. With a record, their digests
/// are left beside them; without one, every file with other contents counts as edited.
///
/// # Errors
/// For files that were edited, and those that cannot be written.
pub(crate) fn write(out: &Path, files: &BTreeMap<PathBuf, String>, edited: Edited, recorded: bool) -> Result<()> {
    create_folder(out)?;
    let record = out.join(RECORD);
    let mut digests = if recorded { read(&record)? } else { BTreeMap::new() };
    if edited == Edited::Refuse {
        let mut others = Vec::new();
        for (path, text) in files {
            let full = out.join(path);
            files::not_special(&full)?;
            let ours = match files::read(&full, files::TABLE) {
                Ok(old) => old == text.as_bytes() || digests.get(path) == Some(&digest(&old)),
                Err(error) => error.kind() == ErrorKind::NotFound,
            };
            others.extend((!ours).then_some(full));
        }
        refuse(&others, "not as rtl-gen wrote them")?;
    }
    for (path, text) in files {
        let path = out.join(path);
        path.parent().filter(|folder| *folder != out).map_or(Ok(()), create_subfolder)?;
        write_file(&path, text)?;
    }
    digests.extend(files.iter().map(|(path, text)| (path.clone(), digest(text.as_bytes()))));
    let lines = digests.iter().map(|(path, digest)| format!("{digest}  {}\n", path.display()));
    if recorded { write_file(&record, &lines.collect::<String>()) } else { Ok(()) }
}

/// # Errors
/// When there are any of these files: names them, and the option.
pub(crate) fn refuse(paths: &[PathBuf], what: &str) -> Result<()> {
    let Some(more) = paths.len().checked_sub(1) else { return Ok(()) };
    let mut names: Vec<String> = paths.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    if more >= NAMED {
        names.push(format!("{} more", paths.len() - NAMED));
    }
    bail!("nothing is written: these files are {what}: {}; --force writes over them", names.join(", "))
}

/// The digests in a record, by path.
fn read(record: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let text = match files::read_text(record, files::TABLE) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.with_context(|| format!("cannot read {}", record.display()))?,
    };
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    Ok(lines.map(|(digest, path)| (path.into(), digest.to_owned())).collect())
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
