// SPDX-License-Identifier: Apache-2.0
//! Signals that the system sends when there is no room for a file become errors; those that ask a worker to end are not for it.

use std::fs::File;
use std::io::{Result, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGBUS, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};

/// A file that grows beyond what the system allows is an error of who writes, from now on, and not the end of the
/// process.
///
/// # Errors
/// When the system refuses.
pub fn large_files_are_errors() -> Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Signals that ask to end are for the process that started this one, and ends it in order: what manages jobs, Slurm say,
/// sends them to all processes of a job, and the end of this one would look like a crash of its case.
///
/// # Errors
/// When the system refuses.
pub fn leave_to_the_parent() -> Result<()> {
    let ignored = |signal| flag::register(signal, Arc::new(AtomicBool::new(false))).map(drop);
    [SIGINT, SIGTERM, SIGHUP].into_iter().try_for_each(ignored)
}

/// While it lives, a full disk under a file that is mapped into memory, as waveforms are while they are written, ends the
/// process with exit code 2 and these last words.
#[derive(Debug)]
pub struct LastWords(SigId);

impl LastWords {
    /// Writes `words` to the file descriptor `to` when it comes to that.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(to: RawFd, words: String) -> Result<LastWords> {
        let last = move || {
            // SAFETY: the descriptor is one of the standard streams, which is never closed; nor is it here.
            let mut stream = ManuallyDrop::new(unsafe { File::from_raw_fd(to) });
            // There is no other place to say that this does not work.
            let _ = stream.write_all(words.as_bytes());
            low_level::exit(2);
        };
        // SAFETY: two system calls, which a signal handler may make; nothing is allocated or locked.
        unsafe { low_level::register(SIGBUS, last) }.map(LastWords)
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        low_level::unregister(self.0);
    }
}
