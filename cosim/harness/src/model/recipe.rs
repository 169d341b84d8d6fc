// SPDX-License-Identifier: Apache-2.0
//! What a model is made of: which RTL, with which options, and the C++ that a bench adds.

use anyhow::Result;

use super::source::{SourceFile, Style};

/// A model that can be made.
pub struct Recipe {
    /// Name of its configuration, for messages.
    pub config: String,
    /// What it is for, for messages.
    pub kind: &'static str,
    /// Prefix of its C++ classes. No other model has the same.
    pub prefix: String,
    /// The top module.
    pub top: &'static str,
    /// Source files in the order in which Verilator reads them.
    pub files: Vec<SourceFile>,
    /// Files that others include.
    pub headers: Vec<SourceFile>,
    /// Whether people or a synthesizer wrote the files.
    pub style: Style,
    /// Options of Verilator beside top, prefix, folder and files.
    pub flags: Vec<&'static str>,
    /// Parameters of the top module, as options of Verilator.
    pub parameters: Vec<String>,
    /// Optimisation of the C++ that runs in every cycle.
    pub optimise: &'static str,
    /// It can write waveforms.
    pub traced: bool,
    /// It counts lines and toggles.
    pub covered: bool,
    /// The C++ beside what Verilator writes.
    pub glue: Glue,
}

/// Writes C++, given the header of the verilated class with all of its signals.
pub type Writer = Box<dyn Fn(&str) -> Result<String> + Send + Sync>;

/// The C++ that a bench compiles into a model.
pub struct Glue {
    /// Headers, by the names under which the source includes them.
    pub headers: &'static [(&'static str, &'static str)],
    /// Names of the functions that the library has for its program, a pattern of the linker.
    pub exports: &'static str,
    /// All that decides about the source: another text here makes another model.
    pub identity: String,
    /// Writes the source.
    pub source: Writer,
}

/// The header with what Verilator calls for `$stop`, `$fatal` and failing assertions: C++ exceptions.
pub const STOP: (&str, &str) = ("verilated_stop.h", include_str!("verilated_stop.h"));

impl Recipe {
    /// Macros of Verilator's run time.
    pub fn macros(&self) -> [String; 5] {
        let flag = |name: &str, on: bool| format!("-DVM_{name}={}", u8::from(on));
        let (traced, covered) = (self.traced, self.covered);
        [("TRACE", traced), ("TRACE_FST", traced), ("COVERAGE", covered), ("TRACE_VCD", false), ("SC", false)]
            .map(|(name, on)| flag(name, on))
    }
}
