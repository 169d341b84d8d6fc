// SPDX-License-Identifier: Apache-2.0
//! What a program says. When its reader has gone (`gcd random 2>&1 | head`), a run goes on in silence: the folders of
//! failures and the exit code are still wanted.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};

use super::parallel;

/// Prints a line to standard output, as `println!` does.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::base::output::text(&(format!($($argument)*) + "\n"))
    };
}
pub use crate::say;

/// Standard output, when it is kept for results.
static RESULTS: OnceLock<File> = OnceLock::new();

/// Keeps standard output for what goes through [`text`]. What anything else prints there, the RTL above all, goes to
/// standard error from now on.
pub fn keep_for_results() -> io::Result<()> {
    let results = io::stdout().as_fd().try_clone_to_owned()?;
    let _ = RESULTS.set(File::from(results));
    redirect_stdout(&io::stderr())
}

/// Bytes of what [`overhear`] hears that are kept: the last ones.
const KEPT: usize = 4096;

/// What `work` gives, and the end of what the RTL prints meanwhile, which goes to standard error as always. Standard
/// error itself stays what it is: it has the last words of a process that dies. Standard output is one for all threads:
/// a second call waits until the first has ended.
pub fn overhear<T>(work: impl FnOnce() -> T) -> io::Result<(T, String)> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut reader, writer) = io::pipe()?;
    let before = io::stdout().as_fd().try_clone_to_owned()?;
    let listener = parallel::alone(move || {
        let (mut kept, mut buffer) = (Vec::new(), [0; KEPT]);
        while let Ok(size @ 1..) = reader.read(&mut buffer) {
            let _ = io::stderr().write_all(&buffer[..size]);
            kept.extend_from_slice(&buffer[..size]);
            kept.drain(..kept.len().saturating_sub(KEPT));
        }
        String::from_utf8_lossy(&kept).into_owned()
    });
    let listener = listener.map_err(io::Error::other)?;
    redirect_stdout(&writer)?;
    drop(writer);
    let done = work();
    // Nobody else can write to the pipe then, and the listener ends.
    redirect_stdout(&before)?;
    Ok((done, listener.join().unwrap_or_default()))
}

fn redirect_stdout(to: &impl AsRawFd) -> io::Result<()> {
    // SAFETY: a system call with two open descriptors.
    let refused = unsafe { libc::dup2(to.as_raw_fd(), io::stdout().as_raw_fd()) } == -1;
    if refused { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The descriptor of results.
pub fn descriptor() -> RawFd {
    RESULTS.get().map_or(io::stdout().as_raw_fd(), File::as_raw_fd)
}

/// Prints text to standard output.
///
/// # Errors
/// When it cannot be written, because the disk is full, say; but not when nobody reads it any more.
pub fn text(text: &str) -> Result<()> {
    if has_colour() { bytes(coloured(text).as_bytes()) } else { bytes(text.as_bytes()) }
}

/// Whether results go to a terminal that shows colours, and nobody has asked for none (<https://no-color.org>).
fn has_colour() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let terminal = RESULTS.get().map_or_else(|| io::stdout().is_terminal(), IsTerminal::is_terminal);
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        terminal && set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| term != "dumb")
    })
}

/// Words that a reader looks for in what a run says, with the colours that terminals have for them.
const VERDICTS: [(&str, u8); 8] = [
    ("FAILED", RED),
    ("MISMATCH", RED),
    ("HANG", RED),
    ("NOT FOUND", RED),
    ("MISSING", RED),
    ("is missing", RED),
    ("no mismatch", GREEN),
    ("no difference", GREEN),
];
const RED: u8 = 31;
const GREEN: u8 = 32;

fn coloured(text: &str) -> String {
    let colour =
        |text: String, (word, colour): &(&str, u8)| text.replace(word, &format!("\x1b[1;{colour}m{word}\x1b[0m"));
    VERDICTS.iter().fold(text.to_owned(), colour)
}

/// Prints bytes to standard output, as they are.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut terminal = io::stdout().lock();
    let written = match RESULTS.get() {
        Some(mut results) => results.write_all(bytes),
        None => terminal.write_all(bytes).and_then(|()| terminal.flush()),
    };
    unless_closed(written).context("cannot write to standard output")
}

/// Writes `value` to a file, or to standard output when its name is `-`.
pub fn save_json<T: serde::Serialize>(path: &Path, value: &T) -> Result<()> {
    save_text(path, &(serde_json::to_string(value)? + "\n"))
}

/// Writes text to a file, or to standard output when its name is `-`.
pub fn save_text(path: &Path, content: &str) -> Result<()> {
    if path == Path::new("-") { bytes(content.as_bytes()) } else { save(path, content.as_bytes()) }
}

/// Writes a file.
pub fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    files::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// As [`save`], below a folder that a user named.
pub fn save_inside(path: &Path, text: &str) -> Result<()> {
    files::write_inside(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// The name of this program.
pub fn program() -> String {
    let name = std::env::current_exe().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| "bench".into())
}

/// Writes a line to standard error: progress, or a note. There is no other place to say that this does not work.
pub fn log(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_overhear_at_once_end_and_hear_nothing_of_each_other() {
        let hear = |text: &'static str| {
            let speak = move || {
                let mut stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from).expect("a descriptor");
                stdout.write_all(text.as_bytes()).expect("a pipe");
            };
            (0..50).map(|_| overhear(speak).expect("a pipe").1).collect::<Vec<_>>()
        };
        std::thread::scope(|scope| {
            // Lines of the test program itself may be heard, too.
            let other = scope.spawn(|| hear("<other>"));
            assert!(hear("<one>").iter().all(|heard| heard.contains("<one>") && !heard.contains("<other>")));
            let heard = other.join().expect("no panic");
            assert!(heard.iter().all(|heard| heard.contains("<other>") && !heard.contains("<one>")));
        });
    }

    #[test]
    fn verdicts_have_colours_and_nothing_else_changes() {
        assert_eq!(coloured("w16: no mismatch\n"), "w16: \x1b[1;32mno mismatch\x1b[0m\n");
        assert_eq!(coloured("1 FAILED"), "1 \x1b[1;31mFAILED\x1b[0m");
        assert_eq!(coloured("{\"cycles\": 3}"), "{\"cycles\": 3}");
    }

    #[test]
    fn only_a_reader_that_has_gone_is_no_error() {
        assert!(unless_closed(Ok(())).is_ok());
        assert!(unless_closed(Err(ErrorKind::BrokenPipe.into())).is_ok());
        assert!(unless_closed(Err(ErrorKind::StorageFull.into())).is_err());
    }
}
