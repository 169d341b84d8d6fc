// SPDX-License-Identifier: Apache-2.0
//! What became of the mutants: table, survivors, JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::mutant::Mutant;
use crate::base::table;

/// How a case told a mutant from the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kill {
    /// What was wrong.
    pub by: String,
    /// The number of the case.
    pub case: u64,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// No compiler takes it, or it is no synchronous logic.
    Refused,
    /// Told from the model.
    Killed(Kill),
    /// Proven to be equivalent.
    Equivalent,
    /// Never wrong, but the cases took another number of clock cycles than without it.
    Slower,
    Survived,
}

#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    #[serde(flatten)]
    pub mutant: Mutant,
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// All of some mutants, and how many have each verdict.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub mutants: u64,
    pub refused: u64,
    pub killed: u64,
    pub equivalent: u64,
    pub slower: u64,
    pub survived: u64,
}

impl Score {
    fn add(&mut self, verdict: &Verdict) {
        self.mutants += 1;
        *match verdict {
            Verdict::Refused => &mut self.refused,
            Verdict::Killed(_) => &mut self.killed,
            Verdict::Equivalent => &mut self.equivalent,
            Verdict::Slower => &mut self.slower,
            Verdict::Survived => &mut self.survived,
        } += 1;
    }

    /// Killed mutants, in percent of those that are neither refused nor proven equivalent; 100 when there are none.
    pub fn percent(&self) -> f64 {
        let counted = self.mutants - self.refused - self.equivalent;
        if counted == 0 { 100.0 } else { 100.0 * self.killed as f64 / counted as f64 }
    }
}

/// Everything about a run but the times.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The unit.
    pub config: String,
    /// Seed of mutants and stimulus.
    pub seed: u64,
    /// Random cases that a survivor has seen.
    pub cases: u64,
    /// Of the whole list.
    pub total: Score,
    modules: BTreeMap<String, Score>,
    mutants: Vec<Entry>,
}

impl Report {
    pub(super) fn new(config: &str, [seed, cases]: [u64; 2], mutants: Vec<Entry>) -> Report {
        let mut total = Score::default();
        let mut modules: BTreeMap<String, Score> = BTreeMap::new();
        for Entry { mutant, verdict } in &mutants {
            total.add(verdict);
            modules.entry(mutant.module.clone()).or_default().add(verdict);
        }
        Report { config: config.to_owned(), seed, cases, total, modules, mutants }
    }

    /// The table, the score, and every mutant that was neither killed nor proven.
    pub(super) fn text(&self) -> String {
        let header = ["module", "mutants", "refused", "killed", "equivalent", "slower", "survived", "score %"];
        let mut table = table::table(&header, 1);
        let all = [("all".to_owned(), self.total)];
        for (module, score) in self.modules.iter().map(|(name, score)| (name.clone(), *score)).chain(all) {
            let Score { mutants, refused, killed, equivalent, slower, survived } = score;
            let mut row = vec![module];
            row.extend([mutants, refused, killed, equivalent, slower, survived].map(|count| count.to_string()));
            row.push(format!("{:.1}", score.percent()));
            table.add_row(row);
        }
        let mut by: BTreeMap<&str, u64> = BTreeMap::new();
        for entry in &self.mutants {
            if let Verdict::Killed(kill) = &entry.verdict {
                *by.entry(&*kill.by).or_default() += 1;
            }
        }
        let by: Vec<String> = by.iter().map(|(by, count)| format!("{by} {count}")).collect();
        let mut text = format!("{table}\n\nkilled by {}\nscore: {:.2} %\n", by.join(", "), self.total.percent());
        let left = |verdict: &Verdict| match verdict {
            Verdict::Slower => Some("slower"),
            Verdict::Survived => Some("survived"),
            Verdict::Refused | Verdict::Killed(_) | Verdict::Equivalent => None,
        };
        for Entry { mutant: Mutant { id, line, column, name, .. }, verdict } in &self.mutants {
            if let Some(verdict) = left(verdict) {
                text.push_str(&format!("{id:>5}  {verdict:8}  {line}:{column} {name}\n"));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_killed_mutants_score_and_refused_and_proven_ones_do_not_count() {
        let mut score = Score::default();
        assert_eq!(score.percent(), 100.0);
        score.add(&Verdict::Refused);
        score.add(&Verdict::Equivalent);
        score.add(&Verdict::Killed(Kill { by: "hang".into(), case: 0 }));
        assert_eq!((score.mutants, score.percent()), (3, 100.0));
        score.add(&Verdict::Slower);
        assert_eq!(score.percent(), 50.0);
        score.add(&Verdict::Survived);
        score.add(&Verdict::Survived);
        assert_eq!(score.percent(), 25.0);
    }
}
