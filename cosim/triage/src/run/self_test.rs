// SPDX-License-Identifier: Apache-2.0
//! Crashes on purpose, to prove that a crash is reported, and made smaller like any other failure.

use std::str::FromStr;

use clap::ValueEnum;
use golden::Machine;

use crate::case::Case;
use crate::lockstep::Observer;
use crate::unit::target::Target;

/// A worker that is told so ends like this when a program has an instruction with the mnemonic.
#[derive(Clone, Debug)]
pub struct SelfTest {
    text: String,
    when: When,
    how: How,
    mnemonic: String,
}

/// What the worker does when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Case,
    /// It runs the case a second time, with a waveform.
    Wave,
    /// It makes the page of a failure, from a second run or from the model alone.
    Page,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum How {
    Abort,
    Segfault,
    Panic,
    Exit,
    Endless,
}

impl FromStr for SelfTest {
    type Err = String;

    fn from_str(text: &str) -> Result<SelfTest, String> {
        let (how, mnemonic) = text.split_once(':').ok_or("allowed: [wave-|page-]HOW:MNEMONIC")?;
        let (when, how) = match how.split_once('-') {
            Some(("wave", how)) => (When::Wave, how),
            Some(("page", how)) => (When::Page, how),
            _ => (When::Case, how),
        };
        let how = How::from_str(how, false)?;
        Ok(SelfTest { text: text.to_owned(), when, how, mnemonic: mnemonic.to_owned() })
    }
}

impl std::fmt::Display for SelfTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl SelfTest {
    /// Ends the process when an instruction with the mnemonic retires in a run that it watches.
    pub fn observer(&self, target: &Target) -> Option<Box<dyn Observer>> {
        let crasher = Crasher { test: self.clone(), target: target.clone() };
        (self.when == When::Case).then(|| Box::new(crasher) as Box<dyn Observer>)
    }

    /// Ends the process that writes the folder of a failing case, with a second run of the case or from the model
    /// alone.
    pub fn maybe_crash_in_triage(&self, target: &Target, case: &Case, second_run: bool) {
        let now = if second_run { self.when != When::Case } else { self.when == When::Page };
        if now && self.is_in(target, case) {
            self.crash();
        }
    }

    fn is(&self, target: &Target, word: u32) -> bool {
        target.disassemble(word).split(' ').next() == Some(&self.mnemonic)
    }

    fn is_in(&self, target: &Target, case: &Case) -> bool {
        case.words().iter().any(|&word| self.is(target, word))
    }

    #[allow(clippy::panic, clippy::empty_loop)]
    fn crash(&self) {
        match self.how {
            How::Abort => std::process::abort(),
            // SAFETY: none. This is the segmentation fault that was asked for.
            How::Segfault => unsafe { std::ptr::null_mut::<u8>().write_volatile(1) },
            How::Panic => panic!("a panic on purpose"),
            How::Exit => std::process::exit(3),
            How::Endless => loop {
                std::thread::park();
            },
        }
    }
}

/// Ends its process at an instruction.
struct Crasher {
    test: SelfTest,
    target: Target,
}

impl Observer for Crasher {
    fn retiring(&mut self, _: &Machine, word: u32) {
        if self.test.is(&self.target, word) {
            self.test.crash();
        }
    }
}
