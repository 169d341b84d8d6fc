// SPDX-License-Identifier: Apache-2.0
//! What became of the mutants: tables, survivors, JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::mutant::Mutant;
use super::review::Reason;
use super::sequential::{Issued, Witness};
use super::worker::Kill;
use crate::base::table;
use crate::unit::target::Target;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Told from the model.
    Killed {
        /// How.
        by: Kill,
        /// The random case that did it.
        case: u64,
        /// Instructions up to there, those of the cases before included.
        instructions: u64,
    },
    /// No case was wrong, but one took another number of clock cycles than the unit: only slower, or faster.
    Slower {
        /// The first such case.
        case: u64,
    },
    /// The same, and somebody has given a reason why it can never be wrong.
    ArguedSlower {
        /// The first such case.
        case: u64,
    },
    /// Proven to be equivalent.
    Equivalent,
    /// None of these, but somebody has given a reason why no program can tell it.
    Argued,
    /// None of these.
    Survived,
}

/// A mutant and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The mutant.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What would tell it, if it survived and the model checker knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// The reason of who has reviewed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Wall clock of its runs; differs from run to run, so it is no part of the JSON.
    #[serde(skip)]
    pub time: Duration,
}

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// All that were run.
    pub mutants: u64,
    /// Others, that no compiler takes.
    pub refused: u64,
    /// Told from the model.
    pub killed: u64,
    /// Of these, the ones that made the unit stop.
    pub hanging: u64,
    /// Proven to be equivalent.
    pub equivalent: u64,
    /// Only their clock cycles differ; nobody has said why they can never be wrong.
    pub slower: u64,
    /// Only their clock cycles differ, and there is a reason why they can never be wrong.
    pub argued_slower: u64,
    /// Survivors for which there is a reason, but no proof.
    pub argued: u64,
    /// The rest.
    pub survived: u64,
}

impl Score {
    fn add(&mut self, verdict: Verdict) {
        self.mutants += 1;
        match verdict {
            Verdict::Killed { by, .. } => {
                self.killed += 1;
                self.hanging += u64::from(by.hangs());
            }
            Verdict::Slower { .. } => self.slower += 1,
            Verdict::ArguedSlower { .. } => self.argued_slower += 1,
            Verdict::Equivalent => self.equivalent += 1,
            Verdict::Argued => self.argued += 1,
            Verdict::Survived => self.survived += 1,
        }
    }

    /// Killed mutants, in percent of those that are neither proven equivalent nor argued to be only slower.
    pub fn percent(&self) -> f64 {
        100.0 * self.killed as f64 / self.counted().max(1) as f64
    }

    /// Killed mutants, in percent of those that are not argued to be equivalent, either.
    pub fn percent_but_argued(&self) -> f64 {
        100.0 * self.killed as f64 / (self.counted() - self.argued).max(1) as f64
    }

    /// The mutants that count.
    fn counted(&self) -> u64 {
        self.mutants - self.equivalent - self.argued_slower
    }
}

/// Everything about a run but the times.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Configuration.
    pub config: String,
    /// Seed of mutants and stimulus.
    pub seed: u64,
    /// Random cases that a survivor has seen.
    pub cases: u64,
    /// All modules together.
    pub total: Score,
    /// By module.
    pub modules: BTreeMap<String, Score>,
    /// One by one.
    pub mutants: Vec<Entry>,
    /// Those that no compiler takes.
    pub refused: Vec<Mutant>,
}

impl Report {
    /// Counts.
    pub fn new(config: &str, [seed, cases]: [u64; 2], mutants: Vec<Entry>, refused: Vec<Mutant>) -> Report {
        let mut total = Score::default();
        let mut modules: BTreeMap<String, Score> = BTreeMap::new();
        for entry in &mutants {
            total.add(entry.verdict);
            modules.entry(entry.mutant.module.clone()).or_default().add(entry.verdict);
        }
        for mutant in &refused {
            total.refused += 1;
            modules.entry(mutant.module.clone()).or_default().refused += 1;
        }
        Report { config: config.to_owned(), seed, cases, total, modules, mutants, refused }
    }

    /// The tables, and every mutant that was not killed and is not proven equivalent.
    pub fn text(&self, target: &Target) -> String {
        let header = [
            "module",
            "generated",
            "refused",
            "killed",
            "of them hang",
            "equivalent",
            "slower",
            "argued slower",
            "argued",
            "survived",
            "score %",
        ];
        let mut table = table::table(&header, 1);
        let all = [("all", &self.total)];
        for (module, score) in self.modules.iter().map(|(name, score)| (name.as_str(), score)).chain(all) {
            let Score { mutants, refused, killed, hanging, equivalent, slower, argued_slower, argued, survived } =
                *score;
            let mut row = vec![module.to_owned()];
            let counts = [refused, killed, hanging, equivalent, slower, argued_slower, argued, survived];
            row.extend([mutants + refused].into_iter().chain(counts).map(|n| n.to_string()));
            row.push(format!("{:.1}", score.percent()));
            table.add_row(row);
        }
        let mut text = format!("{table}\n\nkilled by");
        let mut by: BTreeMap<Kill, u64> = BTreeMap::new();
        for entry in &self.mutants {
            if let Verdict::Killed { by: kill, .. } = entry.verdict {
                *by.entry(kill).or_default() += 1;
            }
        }
        let by: Vec<String> =
            by.iter().map(|(kill, n)| format!(" {} {n}", format!("{kill:?}").to_lowercase())).collect();
        let total = &self.total;
        text.push_str(&format!(
            "{}\nscore: {:.2} % of the mutants that are neither proven equivalent nor argued to be only slower; {:.2} % when \
             those that are argued to be equivalent are left out, too\n",
            by.join(","),
            total.percent(),
            total.percent_but_argued()
        ));
        self.times(&mut text);
        self.survivors(&mut text);
        self.witnesses(target, &mut text);
        for Entry { mutant, reason, .. } in self.refuted() {
            let because = reason.as_ref().map_or("", |reason| &reason.because);
            text.push_str(&format!("\nWRONG: mutant {} is told, though the review says: {because}\n", mutant.id));
        }
        text
    }

    /// Mutants that are told, though a review says that they cannot be.
    fn refuted(&self) -> impl Iterator<Item = &Entry> {
        let told = |entry: &&Entry| match entry.verdict {
            Verdict::Killed { .. } | Verdict::Slower { .. } => true,
            _ => entry.witness.as_ref().is_some_and(Witness::is_outside),
        };
        self.mutants.iter().filter(|entry| entry.reason.is_some()).filter(told)
    }

    /// How many reviews are wrong.
    pub fn wrong(&self) -> usize {
        self.refuted().count()
    }

    fn times(&self, text: &mut String) {
        let killed = self.mutants.iter().filter(|e| matches!(e.verdict, Verdict::Killed { .. }));
        let mut times: Vec<Duration> = killed.clone().map(|e| e.time).collect();
        let mut work: Vec<u64> = killed
            .filter_map(
                |e| if let Verdict::Killed { instructions, .. } = e.verdict { Some(instructions) } else { None },
            )
            .collect();
        times.sort_unstable();
        work.sort_unstable();
        let at = |percent: usize| times.len().saturating_sub(1) * percent / 100;
        if let (Some(half), Some(most), Some(half_work), Some(most_work)) =
            (times.get(at(50)), times.get(at(95)), work.get(at(50)), work.get(at(95)))
        {
            text.push_str(&format!(
                "time to kill: median {:.1} ms ({half_work} instructions), 95th percentile {:.1} ms ({most_work} instructions)\n",
                half.as_secs_f64() * 1e3,
                most.as_secs_f64() * 1e3
            ));
        }
    }

    fn survivors(&self, text: &mut String) {
        let open = |e: &&Entry| !matches!(e.verdict, Verdict::Killed { .. } | Verdict::Equivalent);
        if self.mutants.iter().any(|e| open(&e)) {
            text.push_str("\nneither killed nor proven:\n");
        }
        for Entry { mutant, verdict, .. } in self.mutants.iter().filter(open) {
            let verdict = match verdict {
                Verdict::Slower { .. } => "slower",
                Verdict::ArguedSlower { .. } => "argued slower",
                Verdict::Argued => "argued",
                _ => "survived",
            };
            text.push_str(&format!("{:>5}  {verdict:13}  {}\n", mutant.id, mutant.place()));
        }
    }

    fn witnesses(&self, target: &Target, text: &mut String) {
        for Entry { mutant, witness, .. } in &self.mutants {
            let Some(Witness { port, cycles, instructions }) = witness else { continue };
            text.push_str(&format!("\nmutant {} shows at {port}, {cycles} cycles after reset, after\n", mutant.id));
            for Issued { word, rs: [rs1, rs2] } in instructions {
                let assembly = target.disassemble(*word);
                text.push_str(&format!("  {word:08x}  {assembly:32} # sources {rs1:#x}, {rs2:#x}\n"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_mutants_do_not_count() {
        let mut score = Score::default();
        score.add(Verdict::Equivalent);
        score.add(Verdict::Killed { by: Kill::Hang, case: 0, instructions: 3 });
        score.add(Verdict::Killed { by: Kill::Store, case: 0, instructions: 3 });
        score.add(Verdict::Killed { by: Kill::Order, case: 0, instructions: 3 });
        score.add(Verdict::ArguedSlower { case: 1 });
        assert_eq!((score.mutants, score.killed, score.hanging, score.percent()), (5, 3, 1, 100.0));
    }

    #[test]
    fn what_is_only_slower_counts_until_there_is_a_reason() {
        let mut score = Score::default();
        score.add(Verdict::Killed { by: Kill::Store, case: 0, instructions: 3 });
        score.add(Verdict::Slower { case: 0 });
        assert_eq!((score.slower, score.percent()), (1, 50.0));
        score.add(Verdict::Argued);
        score.add(Verdict::Survived);
        assert_eq!((score.percent(), score.percent_but_argued()), (25.0, 100.0 / 3.0));
    }

    #[test]
    fn what_only_a_memory_is_given_tells_nothing() {
        let witness = |port: &str| Witness { port: port.to_owned(), cycles: 1, instructions: Vec::new() };
        assert!(witness("result_valid_o").is_outside());
        assert!(!witness("u_matrix.u_regs.gen_row[3].u_ram.be_i[11]").is_outside());
    }
}
