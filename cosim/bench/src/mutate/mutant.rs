// SPDX-License-Identifier: Apache-2.0
//! A mutant, of the netlist or of the source.

use serde::Serialize;

use super::netlist;
use super::source;

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// Its number, from 1; 0 is the unit as it was.
    pub id: u32,
    /// Module as the RTL names it.
    pub module: String,
    /// What is wrong.
    #[serde(flatten)]
    pub change: Change,
}

/// What a mutant changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Change {
    /// A bit of a cell of the netlist.
    Netlist(netlist::Change),
    /// A part of the text.
    Source(source::Change),
}

impl Mutant {
    /// Names that do not depend on which other mutants there are, only on the RTL and on the tool that lists them: its own, and
    /// those that it shares with mutants of the same place.
    pub fn names(&self) -> Vec<String> {
        match &self.change {
            Change::Netlist(change) => change.names().into(),
            Change::Source(change) => vec![change.name.clone()],
        }
    }

    /// Whether it changes a clock, of a register, a memory or an instance, or takes one for a value.
    pub fn is_of_a_clock(&self) -> bool {
        match &self.change {
            Change::Netlist(change) => ["CLK", "clk_i"].contains(&change.port.as_str()),
            Change::Source(change) => [&change.before, &change.after].iter().any(|text| *text == "clk_i"),
        }
    }

    /// Where it is and what it does, for a person.
    pub fn place(&self) -> String {
        match &self.change {
            Change::Netlist(change) => format!("{} {}", change.source, change.names()[0]),
            Change::Source(source::Change { line, column, name, .. }) => format!("{line}:{column} {name}"),
        }
    }
}
