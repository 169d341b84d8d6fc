// SPDX-License-Identifier: Apache-2.0
//! Crashes on purpose, to prove that a crash is reported, and made smaller like any other failure.

use std::str::FromStr;

use crate::random::Case;
use crate::target::Target;

/// A worker that is told so ends like this when a program has an instruction with the mnemonic.
#[derive(Clone, Debug)]
pub struct SelfTest {
    how: How,
    mnemonic: String,
}

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
        let (how, mnemonic) = text.split_once(':').ok_or("allowed: HOW:MNEMONIC")?;
        let found = HOW.iter().find(|(name, _)| *name == how);
        let (_, how) = found.ok_or_else(|| format!("{how:?} is unknown; allowed: {}", names()))?;
        Ok(SelfTest { how: *how, mnemonic: mnemonic.to_owned() })
    }
}

impl std::fmt::Display for SelfTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = HOW.iter().find(|(_, how)| *how as u8 == self.how as u8).map_or("", |(name, _)| name);
        write!(f, "{name}:{}", self.mnemonic)
    }
}

impl SelfTest {
    /// Ends the process, if the case has the instruction.
    #[allow(clippy::panic, clippy::empty_loop)]
    pub fn maybe_crash(&self, target: &Target, case: &Case) {
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
