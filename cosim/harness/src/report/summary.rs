// SPDX-License-Identifier: Apache-2.0
//! A summary in Markdown, for the page of a CI job.

use std::fmt::Write;

use super::buckets::{self, Group};
use super::{Outcome, Reported};
use crate::base::ending::Ending;
use crate::base::table::{self, indented};
use crate::cases::schedule::Stopped;

/// What was run beside the cases of units.
#[derive(Default)]
pub struct Others {
    /// How that ended; nothing if there is none.
    pub ending: Option<Ending>,
    /// How much of it has failed.
    pub failed: usize,
    /// About it, in Markdown.
    pub text: String,
}

/// The summary; `missing` has not been run.
pub fn markdown<S: Reported>(shards: &[Outcome<S>], others: &Others, missing: &[String]) -> String {
    let failed = shards.iter().filter(|shard| !shard.failures.is_empty()).count() + others.failed;
    let mut verdict = match shards.iter().map(Outcome::ending).chain(others.ending).max() {
        Some(Ending::Clean | Ending::Failed) => "no mismatch".to_owned(),
        None | Some(Ending::Nothing) => "**no case was run**".into(),
        Some(Ending::Interrupted(_)) => "**interrupted**".into(),
        Some(Ending::Different) => format!("**{failed} failed**"),
    };
    if !missing.is_empty() {
        verdict.push_str(", **not complete**");
    }
    let words = S::words();
    let mut text = format!("## {}: {verdict}\n\n", words.title);
    let header = [&[words.unit, "seed", "cases"], S::HEADS, &["result"]].concat();
    let row = |shard: &Outcome<S>| {
        let start = vec![shard.name(), shard.seed.to_string(), shard.cases.to_string()];
        [start, shard.sums.cells(), vec![result(shard)]].concat()
    };
    text.push_str(&table::markdown(&header, 1, &shards.iter().map(row).collect::<Vec<_>>()));
    let empty = "| ".repeat(header.len() - 1);
    missing.iter().for_each(|name| text.push_str(&format!("| {name} {empty}**missing** |\n")));
    text.push_str(&S::markdown(shards));
    for (shard, note) in shards.iter().filter_map(|shard| Some((shard, shard.sums.note()?))) {
        let _ = writeln!(text, "\n{}: {note}", shard.name());
    }
    text.push_str(&others.text);
    let groups = buckets::groups(shards);
    if !groups.is_empty() {
        text.push_str(&bucket_table(&groups, &buckets::header(&words)));
    }
    for shard in shards {
        for group in shard.buckets() {
            let (explained, also) = (group.first().explained, group.also());
            let _ = write!(
                text,
                "\n### {}: {}{}\n\n```\n{}\n```\n\n<details><summary>Report</summary>\n\n{}\n</details>\n",
                shard.name(),
                explained.headline,
                also,
                explained.again,
                indented(&explained.text)
            );
        }
    }
    text
}

fn bucket_table(groups: &[Group], header: &[&str; 6]) -> String {
    let row = |row: [String; 6]| {
        let [number, cases, first, smallest, way, steps] = row.map(|cell| cell.replace('|', "\\|"));
        [number, cases, first, smallest, way, format!("`{steps}`")]
    };
    "\n".to_owned() + &table::markdown(header, 6, &buckets::rows(groups).map(row).collect::<Vec<_>>())
}

fn result<S: Reported>(shard: &Outcome<S>) -> String {
    let stopped = match shard.stopped {
        None => "",
        Some(Stopped::Time) => ", time up",
        Some(Stopped::Signal(_)) => ", interrupted",
    };
    let result = match (shard.ending(), shard.failed_cases()) {
        (Ending::Nothing, _) => "**no case was run**".to_owned(),
        (Ending::Interrupted(_), _) => return "**interrupted**".to_owned(),
        (_, 0) => "ok".to_owned(),
        (_, 1) => "**failed**".to_owned(),
        (_, cases) => format!("**{cases} cases failed**"),
    };
    result + stopped
}
