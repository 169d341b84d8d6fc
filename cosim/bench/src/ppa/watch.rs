// SPDX-License-Identifier: Apache-2.0
//! Runs a program that takes minutes: tells what it is at, and ends it when its time is over.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::base::output;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// Lines of messages that are shown.
const SHOWN: usize = 24;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, without an error.
    Done,
    /// Its time was over.
    Late,
    /// It was ended, since it would not have come to an end.
    Stuck,
}

/// What a line of a log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A phase of this name begins.
    Phase(String),
    /// The program goes round in circles.
    Stuck,
}

/// Runs `command`, which writes what it does to the file `log`. `sign` tells what a line of it means; phases are written to
/// standard error with the time since `start`.
///
/// # Errors
/// When it cannot be run, or fails: with the last lines of its log.
pub fn run(
    mut command: Command,
    what: &str,
    log: &Path,
    start: Instant,
    limit: Duration,
    mut sign: impl FnMut(&str) -> Option<Sign>,
) -> Result<End> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let (mut seen, mut last) = (0, String::new());
    loop {
        let ended = child.try_wait().with_context(|| format!("cannot wait for {what}"))?;
        let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut stuck = false;
        for now in text.get(seen..whole).unwrap_or_default().lines().filter_map(&mut sign) {
            match now {
                Sign::Phase(now) if now != last => {
                    output::log(&format!("{what}: {now} ({} s)", start.elapsed().as_secs()));
                    last = now;
                }
                Sign::Phase(_) => {}
                Sign::Stuck => stuck = true,
            }
        }
        seen = seen.max(whole);
        match ended {
            Some(status) if status.success() => return Ok(End::Done),
            Some(_) => {
                let lines: Vec<&str> = text.trim_end().lines().collect();
                bail!("{what} fails:\n{}", lines[lines.len().saturating_sub(SHOWN)..].join("\n"));
            }
            None if stuck || start.elapsed() > limit => {
                child.kill().with_context(|| format!("cannot end {what}"))?;
                child.wait().with_context(|| format!("cannot end {what}"))?;
                return Ok(if stuck { End::Stuck } else { End::Late });
            }
            None => sleep(PAUSE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(script: &str, limit: Duration) -> End {
        let folder = tempfile::tempdir().expect("folder");
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder.path());
        let sign = |line: &str| (line == "round").then_some(Sign::Stuck);
        run(command, "a program", &folder.path().join("log"), Instant::now(), limit, sign).expect("it runs")
    }

    #[test]
    fn a_program_that_is_stuck_or_late_is_ended() {
        let minute = Duration::from_secs(60);
        assert_eq!(ended("echo ahead >log", minute), End::Done);
        assert_eq!(ended("echo round >log; exec sleep 60", minute), End::Stuck);
        assert_eq!(ended("exec sleep 60", Duration::from_millis(300)), End::Late);
    }
}
