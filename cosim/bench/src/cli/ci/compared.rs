// SPDX-License-Identifier: Apache-2.0
//! What cases did, as the reports show it.

use serde::{Deserialize, Serialize};

use crate::base::table;
use crate::cases::Sum;
use crate::lockstep::Counts;
use crate::lockstep::mnemonics::Uses;
use crate::lockstep::ports::UNSEEN;
use crate::report::{self, Reported, Words};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    pub counts: Counts,
    /// The comparison saw the ports alone.
    pub ports_only: bool,
}

/// What a shard of a configuration came to.
pub type Outcome = report::Outcome<Compared>;

impl Sum for Compared {
    fn add(&mut self, other: Compared) {
        self.counts.add(&other.counts);
        self.ports_only |= other.ports_only;
    }
}

impl Reported for Compared {
    const HEADS: &'static [&'static str] = &["instructions", "traps", "cycles"];

    fn words() -> Words {
        Words {
            title: "cosim random".into(),
            unit: "configuration",
            block: "engine",
            steps: "program",
            about: [
                "A bucket has the same check, operation, field and engine,",
                " the same small program up to registers and values, and, after a load, the same parts of the register \
                 that are wrong. One cause may show in several buckets, most often where they have a program in common.",
            ],
        }
    }

    fn cells(&self) -> Vec<String> {
        let Counts { retired, traps, cycles, .. } = self.counts;
        [retired, traps, cycles].map(|number| number.to_string()).to_vec()
    }

    fn text(&self) -> String {
        format!("{} instructions, {} cycles", self.counts.retired, self.counts.cycles)
    }

    fn note(&self) -> Option<&'static str> {
        self.ports_only.then_some(UNSEEN)
    }

    /// How often each instruction was issued, retired and trapped.
    fn details(&self) -> String {
        let line = |(mnemonic, uses): (&str, Uses)| {
            let Uses { issued, retired, trapped } = uses;
            format!("\n{mnemonic}: {issued} issued, {retired} retired, {trapped} trapped")
        };
        self.counts.mnemonics.iter().map(line).collect()
    }

    /// The same, as a table that the page folds away.
    fn markdown(shards: &[Outcome]) -> String {
        let row = |shard: &Outcome, (mnemonic, Uses { issued, retired, trapped }): (&str, Uses)| {
            let [issued, retired, trapped] = [issued, retired, trapped].map(|number| number.to_string());
            [shard.name(), format!("`{mnemonic}`"), issued, retired, trapped]
        };
        let uses =
            |shard: &Outcome| shard.sums.counts.mnemonics.iter().map(|uses| row(shard, uses)).collect::<Vec<_>>();
        let rows: Vec<_> = shards.iter().flat_map(uses).collect();
        let header = ["configuration", "instruction", "issued", "retired", "trapped"];
        let text = format!("\n<details><summary>Instructions</summary>\n\n{}", table::markdown(&header, 2, &rows));
        text + "\n</details>\n"
    }
}
