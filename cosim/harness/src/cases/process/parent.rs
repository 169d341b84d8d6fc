// SPDX-License-Identifier: Apache-2.0
//! The parent's side: starts a process, asks, waits, and tells how it ended when it did.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use signal_hook::low_level::signal_name;

use super::{AT_MARK, Crash, END_OF_CASE, MARK};
use crate::base::interrupt::Interrupt;
use crate::base::parallel;

/// Bytes of what a process prints that are kept: the last ones.
const KEPT: usize = 4096;
/// Of them, those that go into the message of a crash.
const MESSAGE: usize = 400;

/// A process that answers requests, started when it is first asked, and again when it is gone.
pub struct Process {
    arguments: Vec<String>,
    watchdog: Duration,
    live: Option<Live>,
    printed: String,
    interrupt: Interrupt,
}

/// The answer of a process, or how it ended instead, and what it said last before.
pub struct Heard<A, L> {
    /// The answer, or how the process ended.
    pub answer: Result<A, Crash>,
    /// What [`super::child::tell`] said last.
    pub last: Option<L>,
}

/// How long an answer may take after a signal.
const AFTER_A_SIGNAL: Duration = Duration::from_secs(2);
/// Time between two looks for a signal.
const LOOK: Duration = Duration::from_millis(100);

struct Live {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Said>,
    printed: JoinHandle<String>,
}

/// A line of a process.
enum Said {
    Answer(String),
    At(String),
    /// What it has printed on the way to its answer.
    Printed(String),
}

impl Said {
    /// Whatever else is written is not for us.
    fn new(line: &str) -> Option<Said> {
        let after = |mark: &str| line.split_once(mark).map(|(_, rest)| rest.to_owned());
        after(MARK).map(Said::Answer).or_else(|| after(AT_MARK).map(Said::At))
    }
}

impl Process {
    /// This very program with these arguments. It is ended when an answer takes longer than `watchdog`.
    pub fn new(arguments: Vec<String>, watchdog: Duration) -> Process {
        let (live, printed, interrupt) = (None, String::new(), Interrupt::default());
        Process { arguments, watchdog, live, printed, interrupt }
    }

    /// After a signal an answer may take no longer than a moment.
    pub fn hurried_by(mut self, interrupt: &Interrupt) -> Process {
        self.interrupt = interrupt.clone();
        self
    }

    /// The last of what the process printed while it worked on the latest answer.
    pub fn printed(&self) -> &str {
        &self.printed
    }

    /// Asks, and waits for the answer.
    pub fn ask<A: DeserializeOwned, L: DeserializeOwned>(&mut self, request: &impl Serialize) -> Result<Heard<A, L>> {
        let line = serde_json::to_string(request)? + "\n";
        let mut live = match self.live.take() {
            Some(live) => live,
            None => self.start()?,
        };
        // When it is gone already, there is no answer either.
        let _ = live.input.write_all(line.as_bytes()).and_then(|()| live.input.flush());
        let (mut last, mut answer, mut printed) = (None, None, None);
        let said = loop {
            match self.wait(&live.answers) {
                Ok(Said::At(at)) => last = Some(at),
                Ok(Said::Answer(text)) => answer = Some(text),
                Ok(Said::Printed(text)) => printed = Some(text),
                // A last word: the process ended behind it.
                Err(_) if answer.is_some() => printed = Some(String::new()),
                Err(reason) => break Err(reason),
            }
            if let (Some(_), Some(printed)) = (&answer, &mut printed) {
                self.printed = std::mem::take(printed);
                break Ok(answer.unwrap_or_default());
            }
        };
        let last = last.map(|at| serde_json::from_str(&at).context("what a process says")).transpose()?;
        let answer = match said {
            Ok(answer) => {
                self.live = Some(live);
                let answer: Result<A, String> = serde_json::from_str(&answer).context("an answer of a process")?;
                Ok(answer.map_err(|error| anyhow!(error))?)
            }
            Err((reason, limit)) => Err(self.lost(live, reason, limit)),
        };
        Ok(Heard { answer, last })
    }

    /// The next line, or why there is none; with the time that it had.
    fn wait(&self, answers: &Receiver<Said>) -> Result<Said, (RecvTimeoutError, Duration)> {
        let start = Instant::now();
        loop {
            let limit = if self.interrupt.signal().is_some() { AFTER_A_SIGNAL } else { self.watchdog };
            let limit = limit.min(self.watchdog);
            let rest = limit.saturating_sub(start.elapsed());
            match answers.recv_timeout(rest.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) if start.elapsed() < limit => {}
                said => return said.map_err(|reason| (reason, limit)),
            }
        }
    }

    fn lost(&mut self, live: Live, reason: RecvTimeoutError, limit: Duration) -> Crash {
        let (crash, printed) = live.end(reason, limit);
        self.printed = printed;
        crash
    }

    fn start(&self) -> Result<Live> {
        let program = std::env::current_exe().context("cannot find the file of this program")?;
        let mut command = Command::new(&program);
        // A signal from the terminal is for the parent, which ends the run in order.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(&self.arguments)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let ((input, output), errors) = pipes.context("a process without pipes")?;
        let (sender, answers) = channel();
        let also = sender.clone();
        let listener = parallel::alone(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if Said::new(&line).is_some_and(|said| sender.send(said).is_err()) {
                    break;
                }
            }
        });
        match listener.and_then(|_| parallel::alone(move || listen(errors, &also))) {
            Ok(printed) => Ok(Live { child, input, answers, printed }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }
}

/// Tells at the end of each case what was printed in it; gives what was printed after the last one. Of all that the
/// last part is kept.
fn listen(mut errors: ChildStderr, sender: &Sender<Said>) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; KEPT]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(KEPT)..]).into_owned();
    while let Ok(size @ 1..) = errors.read(&mut buffer) {
        for &byte in &buffer[..size] {
            kept.push(byte);
            if kept.ends_with(END_OF_CASE) {
                kept.truncate(kept.len() - END_OF_CASE.len());
                // Who does not listen any more has lost its interest.
                let _ = sender.send(Said::Printed(text(&kept)));
                kept.clear();
            }
        }
        kept.drain(..kept.len().saturating_sub(2 * KEPT));
    }
    text(&kept)
}

/// The end of what was printed, as one line.
fn message(printed: &str) -> String {
    let line = printed.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let start =
        (line.len().saturating_sub(MESSAGE)..line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or_default();
    // What a panic says begins further up, perhaps.
    let start = line.rfind("panicked at ").map_or(start, |panicked| start.min(panicked));
    line[start..].to_owned()
}

impl Live {
    /// Ends the process, which has not answered.
    fn end(mut self, reason: RecvTimeoutError, limit: Duration) -> (Crash, String) {
        if reason == RecvTimeoutError::Timeout {
            let _ = self.child.kill();
        }
        drop(self.input);
        let status = self.child.wait();
        let printed = self.printed.join().unwrap_or_default();
        let said = message(&printed);
        let crash = match (reason, status) {
            (RecvTimeoutError::Timeout, _) => {
                let how = format!("no answer within {} s, the process was ended", limit.as_secs());
                Crash { how, message: String::new() }
            }
            (_, Ok(status)) => Crash { how: ended(status), message: without_thread_id(&said) },
            (_, Err(error)) => Crash { how: format!("the process is gone: {error}"), message: said },
        };
        (crash, printed)
    }
}

/// The message of a panic names the thread with a number that differs from run to run.
fn without_thread_id(said: &str) -> String {
    match said.split_once("panicked at ") {
        Some((_, rest)) => {
            let note = " note: run with `RUST_BACKTRACE=1`";
            format!("panicked at {}", rest.split(note).next().unwrap_or(rest))
        }
        None => said.to_owned(),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut live) = self.live.take() {
            let _ = live.child.kill();
            let _ = live.child.wait();
        }
    }
}

fn ended(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => {
            let name = signal_name(signal).map_or(String::new(), |name| format!(" ({name})"));
            format!("the process was ended by signal {signal}{name}")
        }
        None => format!("the process ended with exit code {}", status.code().unwrap_or_default()),
    }
}
