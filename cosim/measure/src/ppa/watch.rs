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

/// Runs `command`, which writes what it does to the file `log`; whether it ended before `limit` was over. `phase`
/// gives the phase that a line of the log begins; phases are written to standard error with the time since `start`.
///
/// # Errors
/// When it cannot be run, or fails: with the last lines of its log.
pub fn run(
    mut command: Command,
    what: &str,
    log: &Path,
    start: Instant,
    limit: Duration,
    phase: impl Fn(&str) -> Option<String>,
) -> Result<bool> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let (mut seen, mut last) = (0, String::new());
    loop {
        let ended = child.try_wait().with_context(|| format!("cannot wait for {what}"))?;
        let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        for now in text.get(seen..whole).unwrap_or_default().lines().filter_map(&phase) {
            if now != last {
                output::log(&format!("{what}: {now} ({} s)", start.elapsed().as_secs()));
                last = now;
            }
        }
        seen = seen.max(whole);
        match ended {
            Some(status) if status.success() => return Ok(true),
            Some(_) => {
                let lines: Vec<&str> = text.trim_end().lines().collect();
                bail!("{what} fails:\n{}", lines[lines.len().saturating_sub(SHOWN)..].join("\n"));
            }
            None if start.elapsed() > limit => {
                child.kill().with_context(|| format!("cannot end {what}"))?;
                child.wait().with_context(|| format!("cannot end {what}"))?;
                return Ok(false);
            }
            None => sleep(PAUSE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_whose_time_is_over_is_ended_and_one_that_fails_shows_its_log() {
        let folder = tempfile::tempdir().expect("folder");
        let run = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).current_dir(folder.path());
            let limit = Duration::from_millis(1500);
            run(command, "a program", &folder.path().join("log"), Instant::now(), limit, |_| None)
        };
        assert!(run("echo done >log").expect("it runs"));
        assert!(!run("exec sleep 60").expect("it runs"));
        let error = run("echo wrong >log; exit 1").expect_err("it fails").to_string();
        assert!(error.contains("a program fails:\nwrong"), "{error}");
    }
}
