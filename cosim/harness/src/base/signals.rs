// SPDX-License-Identifier: Apache-2.0
//! Signals that the system sends when there is no room for a file become errors; those that ask a worker to end are not
//! for it.

use std::fs::File;
use std::io::{Error, Result, Write};
use std::mem::{ManuallyDrop, zeroed};
use std::os::fd::{FromRawFd, RawFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use signal_hook::consts::{SIGABRT, SIGBUS, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};

use super::output::program;

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

/// Text for the end of a process that crashes; only ever replaced by a longer one, and never freed.
static LAST_WORDS: AtomicPtr<String> = AtomicPtr::new(std::ptr::null_mut());

/// What has handled a crash before.
static BEFORE: OnceLock<[libc::sigaction; 3]> = OnceLock::new();
const CRASHES: [i32; 3] = [libc::SIGSEGV, libc::SIGILL, libc::SIGFPE];

/// Adds a line to what standard error gets when this process crashes, after [`tell_of_crashes`].
pub fn add_to_last_words(line: &str) {
    static TEXT: Mutex<String> = Mutex::new(String::new());
    let mut text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
    *text += &format!("{}: in this process was the model {line}\n", program());
    LAST_WORDS.store(Box::into_raw(Box::new(text.clone())), Ordering::Release);
}

/// Lets a crash of foreign code say what was running: without, the process ends without a word.
pub fn tell_of_crashes() -> Result<()> {
    // SAFETY: records of plain numbers, and system calls that fill or read them.
    unsafe {
        let mut before: [libc::sigaction; 3] = zeroed();
        for (signal, before) in CRASHES.iter().zip(&mut before) {
            ensure(libc::sigaction(*signal, std::ptr::null(), before))?;
        }
        let _ = BEFORE.set(before);
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = crashed as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        CRASHES.iter().try_for_each(|signal| ensure(libc::sigaction(*signal, &action, std::ptr::null_mut())))
    }
}

fn ensure(done: i32) -> Result<()> {
    if done == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// Says the last words, and leaves the rest to what was there before: it comes again when this returns.
extern "C" fn crashed(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let before = CRASHES.iter().position(|known| *known == signal).zip(BEFORE.get()).map(|(at, before)| &before[at]);
    // SAFETY: system calls that a handler may make, with records that live for ever, and what the system gave.
    unsafe {
        if let Some(words) = LAST_WORDS.load(Ordering::Acquire).as_ref() {
            say(libc::STDERR_FILENO, words);
        }
        libc::sigaction(signal, before.map_or(std::ptr::null(), std::ptr::from_ref), std::ptr::null_mut());
        // Sent by a process, and not by the system: it does not come again by itself.
        if (*info).si_code <= 0 {
            libc::raise(signal);
        }
    }
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
            say(to, &words);
            low_level::exit(2);
        };
        let wave = wave.to_owned();
        let full = last.clone();
        let gives_up = format!("{}: the process gives up while it writes a waveform\n", program());
        // What else aborts goes on to do so; its writer is not heard.
        let aborted = move || {
            if grows(&wave).is_err() {
                full();
            }
            say(libc::STDERR_FILENO, &gives_up);
        };
        // SAFETY: system calls, which a signal handler may make; nothing is locked, and nothing allocated but the name
        // of a file in a long path.
        let ids = unsafe { [low_level::register(SIGBUS, last)?, low_level::register(SIGABRT, aborted)?] };
        Ok(LastWords(ids))
    }
}

/// Writes to a standard stream, in a signal handler.
fn say(stream: RawFd, words: &str) {
    // SAFETY: the descriptor is one of the standard streams, which is never closed; nor is it here.
    let mut stream = ManuallyDrop::new(unsafe { File::from_raw_fd(stream) });
    // There is no other place to say that this does not work.
    let _ = stream.write_all(words.as_bytes());
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
