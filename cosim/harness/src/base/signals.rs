// SPDX-License-Identifier: Apache-2.0
//! Signals that the system sends when there is no room for a file become errors; those that ask a worker to end are not
//! for it.

use std::fs::File;
use std::io::{Result, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd, RawFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGABRT, SIGBUS, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};

/// A file that grows beyond what the system allows is an error of who writes, from now on, and not the end of the
/// process.
pub fn large_files_are_errors() -> Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Signals that ask to end are for the process that started this one, and ends it in order: what manages jobs, Slurm
/// say, sends them to all processes of a job, and the end of this one would look like a crash of its case.
pub fn leave_to_the_parent() -> Result<()> {
    let ignored = |signal| flag::register(signal, Arc::new(AtomicBool::new(false))).map(drop);
    [SIGINT, SIGTERM, SIGHUP].into_iter().try_for_each(ignored)
}

/// While it lives, a waveform without room ends the process with exit code 2 and these last words. Older writers map it
/// into memory, where a full disk is a signal of the system; newer ones end the process themselves.
#[derive(Debug)]
pub struct LastWords([SigId; 2]);

impl LastWords {
    /// Writes `words` to the file descriptor `to` when it comes to that for the file `wave`.
    pub fn new(to: RawFd, words: String, wave: &Path) -> Result<LastWords> {
        let words: Arc<str> = words.into();
        let last = move || {
            // SAFETY: the descriptor is one of the standard streams, which is never closed; nor is it here.
            let mut stream = ManuallyDrop::new(unsafe { File::from_raw_fd(to) });
            // There is no other place to say that this does not work.
            let _ = stream.write_all(words.as_bytes());
            low_level::exit(2);
        };
        let wave = wave.to_owned();
        let full = last.clone();
        // What else aborts goes on to do so.
        let aborted = move || {
            if grows(&wave).is_err() {
                full();
            }
        };
        // SAFETY: system calls, which a signal handler may make; nothing is locked, and nothing allocated but the name
        // of a file in a long path.
        let ids = unsafe { [low_level::register(SIGBUS, last)?, low_level::register(SIGABRT, aborted)?] };
        Ok(LastWords(ids))
    }
}

/// Whether there is room behind the end of a file, which stays as it is.
fn grows(path: &Path) -> Result<()> {
    let mut file = File::options().append(true).open(path)?;
    let size = file.metadata()?.len();
    let written = file.write_all(&[0; 4096]);
    written.and(file.set_len(size))
}

impl Drop for LastWords {
    fn drop(&mut self) {
        for id in self.0 {
            low_level::unregister(id);
        }
    }
}
