// SPDX-License-Identifier: Apache-2.0
//! Replay files: everything that a case consists of, so that it runs again in another process, on any machine.

mod file;
mod identity;
mod limits;
mod read;
mod running;

use std::path::Path;

use anyhow::{Context, Result};

pub use cosim_harness::replay::{MAX_FILE, ReplayError};
pub use identity::Identity;
pub use limits::*;
pub use read::Replay;
pub use running::Running;

use crate::base::output;
use crate::case::{Case, Origin};
use crate::unit::target::Workshop;

impl Replay {
    /// Reads the file `path`, once: it may be a pipe. Gives its text, too.
    ///
    /// # Errors
    /// When it cannot be read or is no replay file; the message says what is wrong, where, and what is allowed.
    pub fn load(workshop: &Workshop, path: &Path) -> Result<(Replay, String)> {
        let text = cosim_harness::replay::read(path)?;
        let replay = Replay::from_text(workshop, text.as_bytes());
        let replay = replay.with_context(|| format!("{} cannot be replayed", path.display()))?;
        Ok((replay, text))
    }

    pub fn from_text(workshop: &Workshop, text: &[u8]) -> Result<Replay, ReplayError> {
        read::replay(workshop, &FORMAT.parse(text)?)
    }
}

/// The contents of the replay file of `case`; `identity` is that of its configuration.
///
/// # Errors
/// When it has no form as JSON, which no case is known for.
pub fn text(identity: &Identity, origin: Origin, case: &Case) -> Result<String> {
    cosim_harness::replay::text(&file::File::new(identity, origin, case))
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
