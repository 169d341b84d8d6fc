// SPDX-License-Identifier: Apache-2.0
//! Coverage as text and as JSON: bins hit, bins missing, and what cannot occur.

use std::fmt::Write;

use serde::Serialize;

use super::bins::Exclusion;
use super::file::{Coverage, Covered};
use super::group::Group;
use crate::base::table;

/// Missing bins that the text lists; the other forms list all.
const SHOWN: usize = 100;

#[derive(Serialize)]
pub struct Report {
    pub config: String,
    /// Hash of the table.
    pub table: String,
    pub cases: u64,
    /// Instructions that were looked at.
    pub instructions: u64,
    pub possible: usize,
    /// Of those, the ones that were hit.
    pub hit: usize,
    pub groups: Vec<GroupReport>,
    /// Bins that can occur and were not hit.
    pub missing: Vec<String>,
    /// Bins that should be impossible and were hit: the reason is wrong.
    pub refuted: Vec<String>,
    pub exclusions: Vec<Exclusion>,
}

#[derive(Serialize)]
pub struct GroupReport {
    pub name: &'static str,
    pub about: &'static str,
    pub possible: usize,
    /// Of those, the ones that were hit.
    pub hit: usize,
}

impl Report {
    /// The report of what was hit in a configuration.
    pub fn new(Covered { target, bins, hits }: &Covered) -> Report {
        let names = |ids: Vec<usize>| ids.into_iter().map(|id| bins.name(id)).collect();
        let group = |(group, ids): (&'static Group, std::ops::Range<usize>)| {
            let possible: Vec<usize> = ids.filter(|&id| !bins.is_excluded(id)).collect();
            let hit = possible.iter().filter(|&&id| hits.count(id) > 0).count();
            GroupReport { name: group.name, about: group.about, possible: possible.len(), hit }
        };
        let missing = hits.missing(bins);
        let possible = bins.possible().count();
        Report {
            config: target.name().to_owned(),
            table: format!("{:016x}", bins.hash()),
            cases: hits.cases,
            instructions: hits.instructions,
            possible,
            hit: possible - missing.len(),
            groups: bins.groups().map(group).collect(),
            missing: names(missing),
            refuted: names(hits.refuted(bins)),
            exclusions: bins.exclusions().cloned().collect(),
        }
    }

    /// The share of the bins that were hit; never rounded up to all of them.
    pub fn percent(&self) -> String {
        let tenths = (1000 * self.hit as u64).checked_div(self.possible as u64).unwrap_or(1000);
        format!("{}.{} %", tenths / 10, tenths % 10)
    }

    /// Whether every bin was hit, and none that cannot be.
    pub fn complete(&self) -> bool {
        self.missing.is_empty() && self.refuted.is_empty()
    }

    pub fn headline(&self) -> String {
        let Report { config, hit, possible, instructions, cases, .. } = self;
        let percent = self.percent();
        format!("{config}: {hit} of {possible} bins hit, {percent}, by {instructions} instructions in {cases} cases")
    }

    /// The report as text; with the exclusions and their reasons when asked for.
    pub fn text(&self, exclusions: bool) -> String {
        let mut text = self.headline() + "\n\n";
        let mut groups = table::table(&["group", "what it shows", "hit", "of"], 2);
        for GroupReport { name, about, possible, hit } in self.groups.iter().filter(|group| group.possible > 0) {
            groups.add_row([(*name).to_owned(), (*about).to_owned(), hit.to_string(), possible.to_string()]);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{groups}");
        list(&mut text, "not hit", &self.missing);
        list(&mut text, "hit although the table says that they cannot occur", &self.refuted);
        if exclusions {
            let mut table = table::table(&["group", "bins that cannot occur", "bins", "because"], 2);
            for Exclusion { group, bins, count, reason } in &self.exclusions {
                table.add_row([(*group).to_owned(), bins.clone(), count.to_string(), (*reason).to_owned()]);
            }
            let _ = writeln!(text, "\n{table}");
        }
        text
    }
}

fn list(text: &mut String, what: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{} bins {what}:", names.len());
    names.iter().take(SHOWN).for_each(|name| *text += &format!("  {name}\n"));
    if let Some(more) = names.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        let _ = writeln!(text, "  and {more} more; the JSON and the HTML report list them");
    }
}

pub fn all(coverage: &Coverage) -> Vec<Report> {
    coverage.0.values().map(Report::new).collect()
}
