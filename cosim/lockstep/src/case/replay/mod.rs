// SPDX-License-Identifier: Apache-2.0
//! Replay files: everything that a case consists of, so that it runs again in another process, on any machine.

mod error;
mod file;
mod identity;
mod limits;
mod read;
mod running;

use std::path::Path;

use anyhow::{Context, Result};

pub use error::ReplayError;
pub use identity::Identity;
pub use limits::*;
pub use read::Replay;
pub use running::Running;

use crate::base::output;
use crate::case::Case;
use crate::case::Origin;
use crate::unit::target::Workshop;

impl Replay {
    /// Reads the file `path`, once: it may be a pipe. Gives its text, too.
    ///
    /// # Errors
    /// When it cannot be read or is no replay file; the message says what is wrong, where, and what is allowed.
    pub fn load(workshop: &Workshop, path: &Path) -> Result<(Replay, String)> {
        let name = path.display();
        let bytes = files::read(path, MAX_FILE).with_context(|| format!("cannot read {name}"))?;
        let text = files::text(bytes).with_context(|| format!("{name} cannot be replayed"))?;
        let replay =
            Replay::from_text(workshop, text.as_bytes()).with_context(|| format!("{name} cannot be replayed"))?;
        Ok((replay, text))
    }

    pub fn from_text(workshop: &Workshop, text: &[u8]) -> Result<Replay, ReplayError> {
        if text.len() as u64 > MAX_FILE {
            return Err(ReplayError::TooLarge);
        }
        read::replay(workshop, &file::File::parse(text)?)
    }
}

/// The contents of the replay file of `case`; `identity` is that of its configuration.
///
/// # Errors
/// When it has no form as JSON, which no case is known for.
pub fn text(identity: &Identity, origin: Origin, case: &Case) -> Result<String> {
    Ok(file::File::new(identity, origin, case).text()?)
}

/// Writes the replay file of `case` to `path`.
pub fn save(path: &Path, identity: &Identity, origin: Origin, case: &Case) -> Result<()> {
    output::save(path, text(identity, origin, case)?.as_bytes())
}

/// As [`save`], below a folder that a user named.
///
/// # Errors
/// When it cannot be written, or there is a link in its place.
pub fn save_inside(path: &Path, identity: &Identity, origin: Origin, case: &Case) -> Result<()> {
    output::save_inside(path, &text(identity, origin, case)?)
}
