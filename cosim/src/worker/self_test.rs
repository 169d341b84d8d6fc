// SPDX-License-Identifier: Apache-2.0
//! Crashes on purpose, to prove that a crash is reported, and made smaller like any other failure.

use std::str::FromStr;

use crate::random::Case;
use crate::target::Target;
use crate::triage::Means;

/// A worker that is told so ends like this when a program has an instruction with the mnemonic.
#[derive(Clone, Debug)]
pub struct SelfTest {
    when: When,
    how: How,
    mnemonic: String,
}

/// What the worker does when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// It runs the case.
    Case,
    /// It runs the case a second time, with a waveform.
    Wave,
    /// It makes the page of a failure, from a second run or from the model alone.
    Page,
}

const WHEN: [(&str, When); 2] = [("wave-", When::Wave), ("page-", When::Page)];

#[derive(Clone, Copy, Debug)]
enum How {
    Abort,
    Segfault,
    Panic,
    Exit,
    Endless,
}

const HOW: [(&str, How); 5] = [
    ("abort", How::Abort),
    ("segfault", How::Segfault),
    ("panic", How::Panic),
    ("exit", How::Exit),
    ("endless", How::Endless),
];

impl FromStr for SelfTest {
    type Err = String;

    fn from_str(text: &str) -> Result<SelfTest, String> {
        let names = || HOW.map(|(name, _)| name).join(", ");
        let (how, mnemonic) = text.split_once(':').ok_or("allowed: [wave-|page-]HOW:MNEMONIC")?;
        let prefixed = WHEN.iter().find_map(|&(prefix, when)| Some((when, how.strip_prefix(prefix)?)));
        let (when, how) = prefixed.unwrap_or((When::Case, how));
        let found = HOW.iter().find(|(name, _)| *name == how);
        let (_, how) = found.ok_or_else(|| format!("{how:?} is unknown; allowed: {}", names()))?;
        Ok(SelfTest { when, how: *how, mnemonic: mnemonic.to_owned() })
    }
}

impl std::fmt::Display for SelfTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = HOW.iter().find(|(_, how)| *how as u8 == self.how as u8).map_or("", |(name, _)| name);
        let prefix = WHEN.iter().find(|(_, when)| *when == self.when).map_or("", |(prefix, _)| prefix);
        write!(f, "{prefix}{name}:{}", self.mnemonic)
    }
}

impl SelfTest {
    /// Ends the process that runs a case, if the case has the instruction.
    pub fn maybe_crash(&self, target: &Target, case: &Case) {
        if self.when == When::Case {
            self.crash(target, case);
        }
    }

    /// Ends the process that writes the folder of a failing case.
    pub fn maybe_crash_in_triage(&self, target: &Target, case: &Case, means: &Means) {
        match (self.when, means) {
            (When::Wave | When::Page, Means::SecondRun) | (When::Page, Means::Model(_)) => self.crash(target, case),
            _ => {}
        }
    }

    #[allow(clippy::panic, clippy::empty_loop)]
    fn crash(&self, target: &Target, case: &Case) {
        let is = |&word: &u32| target.disassemble(word).split(' ').next() == Some(&self.mnemonic);
        if !case.words().iter().any(is) {
            return;
        }
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
