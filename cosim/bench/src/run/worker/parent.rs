// SPDX-License-Identifier: Apache-2.0
//! The parent's side: starts a worker, asks, waits, and tells how it ended when it did.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use super::{AT_MARK, Answer, Ask, END_OF_CASE, MARK, Request};
use crate::base::parallel;
use crate::lockstep::failure::{Cause, Crash, Failure};
use crate::run::Done;
use crate::run::interrupt::Interrupt;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// Bytes of what a worker prints that are kept: the last ones.
const KEPT: usize = 4096;
/// Of them, those that go into the message of a crash.
const MESSAGE: usize = 400;

/// A worker, started when it is first asked, and again when it is gone.
pub struct Worker {
    program: PathBuf,
    arguments: Vec<String>,
    watchdog: Duration,
    target: Target,
    planted: bool,
    live: Option<Live>,
    printed: String,
    interrupt: Interrupt,
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

/// The answer of a worker, or how it ended, and what it said before.
type Heard = (Result<Answer, Crash>, Option<Box<Failure>>);

/// A line of a worker.
enum Said {
    /// Its answer.
    Answer(String),
    /// Where it is.
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

impl Worker {
    /// A worker for `target`, with faults planted or without: `program` with the subcommand `worker` and these arguments.
    /// It is ended when an answer takes longer than `watchdog`.
    pub fn new(program: PathBuf, arguments: Vec<String>, watchdog: Duration, target: &Target, planted: bool) -> Worker {
        Worker {
            program,
            arguments,
            watchdog,
            target: target.clone(),
            planted,
            live: None,
            printed: String::new(),
            interrupt: Interrupt::default(),
        }
    }

    /// After a signal an answer may take no longer than a moment.
    pub fn hurried_by(mut self, interrupt: &Interrupt) -> Worker {
        self.interrupt = interrupt.clone();
        self
    }

    /// Asks for a case, and waits for the answer; the inner error says how the worker ended instead of answering.
    ///
    /// # Errors
    /// When no worker can be started, or the case could not be run.
    pub fn ask(&mut self, request: &Request) -> Result<Result<Done, Crash>> {
        Ok(match self.answer(request)? {
            Ok(Answer::Done(mut done)) => {
                if let Err(failure) = &mut done.result {
                    failure.printed.clone_from(&self.printed);
                }
                Ok(done)
            }
            Ok(_) => bail!("a worker answered something else"),
            Err(crash) => Err(crash),
        })
    }

    /// As [`Worker::ask`], for an errand, which needs a model of this kind; gives what came of it.
    ///
    /// # Errors
    /// When no worker can be started, or the errand could not be run.
    pub fn send(&mut self, kind: Option<ModelKind>, order: String) -> Result<Result<String, Crash>> {
        Ok(match self.answer(&Request::Errand { kind, order })? {
            Ok(Answer::Errand(result)) => Ok(result),
            Ok(_) => bail!("a worker answered something else"),
            Err(crash) => Err(crash),
        })
    }

    fn answer(&mut self, request: &Request) -> Result<Result<Answer, Crash>> {
        Ok(self.ask_and_listen(request)?.0)
    }

    /// Asks, and waits for the answer; gives the last thing that the worker said before, too.
    pub(super) fn ask_and_listen(&mut self, request: &Request) -> Result<Heard> {
        // Made here, where it may take its time, and nobody else makes the same.
        let kind = request.kind(self.planted);
        kind.map(|kind| self.target.models.make(kind)).transpose()?;
        let mut line = serde_json::to_string(&Ask { models: self.target.models.made(), kind, request })?;
        line.push('\n');
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
        let last = match last.map(|at| serde_json::from_str(&at).context("what a worker says")).transpose()? {
            Some(Answer::At(at)) => Some(at),
            _ => None,
        };
        match said {
            Ok(answer) => {
                self.live = Some(live);
                match serde_json::from_str(&answer).context("an answer of a worker")? {
                    Answer::Error(error) => Err(anyhow!(error)),
                    answer => Ok((Ok(answer), last)),
                }
            }
            Err((reason, limit)) => Ok((Err(self.lost(live, reason, limit)), last)),
        }
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

    /// A failure of a case that has ended its process so.
    pub(super) fn crashed(&self, crash: Crash) -> Box<Failure> {
        Box::new(Failure { printed: self.printed.clone(), ..*Failure::without_state(Cause::Crash(crash)) })
    }

    fn lost(&mut self, live: Live, reason: RecvTimeoutError, limit: Duration) -> Crash {
        let (crash, printed) = live.end(reason, limit);
        self.printed = printed;
        crash
    }

    fn start(&self) -> Result<Live> {
        let mut command = Command::new(&self.program);
        // A signal from the terminal is for the parent, which ends the run in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .arg("worker")
            .args(&self.arguments)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let ((input, output), errors) = pipes.context("a worker without pipes")?;
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

/// Tells at the end of each case what was printed in it; gives what was printed after the last one. Of all that the last
/// part is kept.
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
    /// Ends the worker, which has not answered.
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

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(mut live) = self.live.take() {
            let _ = live.child.kill();
            let _ = live.child.wait();
        }
    }
}

#[cfg(unix)]
fn ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    const NAMES: [(i32, &str); 7] =
        [(4, "SIGILL"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM")];
    match status.signal() {
        Some(signal) => {
            let name =
                NAMES.iter().find(|(number, _)| *number == signal).map_or(String::new(), |(_, n)| format!(" ({n})"));
            format!("the process was ended by signal {signal}{name}")
        }
        None => exit_code(status),
    }
}

#[cfg(not(unix))]
fn ended(status: ExitStatus) -> String {
    exit_code(status)
}

fn exit_code(status: ExitStatus) -> String {
    format!("the process ended with exit code {}", status.code().unwrap_or_default())
}
