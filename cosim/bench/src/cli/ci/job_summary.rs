// SPDX-License-Identifier: Apache-2.0
//! A summary in Markdown, for the page of a CI job.

use std::fmt::Write;

use super::ShardReport;
use super::buckets::{self, Group, Member};
use crate::base::ending::Ending;
use crate::base::table::{self, indented};
use crate::cli::table::NamedRun;
use crate::lockstep::Counts;
use crate::lockstep::mnemonics::Uses;
use crate::run::schedule::Stopped;

/// The summary; `missing` has not been run. Of `parts` those that failed are named.
pub fn markdown(shards: &[ShardReport], parts: &[&NamedRun], missing: &[String]) -> String {
    let wrong: Vec<(&NamedRun, &String)> =
        parts.iter().filter_map(|part| Some((*part, part.failure.as_ref()?))).collect();
    let failed = shards.iter().filter(|shard| !shard.failures.is_empty()).count() + wrong.len();
    let different = (!wrong.is_empty()).then_some(Ending::Different);
    let of_parts = (!parts.is_empty()).then_some(Ending::Clean);
    let mut verdict = match shards.iter().map(ShardReport::ending).chain(different).chain(of_parts).max() {
        Some(Ending::Clean | Ending::Failed) => "no mismatch".to_owned(),
        None | Some(Ending::Nothing) => "**no case was run**".into(),
        Some(Ending::Interrupted(_)) => "**interrupted**".into(),
        Some(Ending::Different) => format!("**{failed} failed**"),
    };
    if !missing.is_empty() {
        verdict.push_str(", **not complete**");
    }
    let mut text = format!("## cosim random: {verdict}\n\n");
    let row = |shard: &ShardReport| {
        let Counts { retired, traps, cycles, .. } = shard.counts;
        let [seed, cases, retired, traps, cycles] =
            [shard.seed, shard.cases, retired, traps, cycles].map(|n| n.to_string());
        [shard.name(), seed, cases, retired, traps, cycles, result(shard)]
    };
    let header = ["configuration", "seed", "cases", "instructions", "traps", "cycles", "result"];
    text.push_str(&table::markdown(&header, 1, &shards.iter().map(row).collect::<Vec<_>>()));
    missing.iter().for_each(|name| text.push_str(&format!("| {name} | | | | | | **missing** |\n")));
    text.push_str(&mnemonics(shards));
    for (shard, unseen) in shards.iter().filter_map(|shard| Some((shard, shard.unseen()?))) {
        let _ = writeln!(text, "\n{}: {unseen}", shard.name());
    }
    if !parts.is_empty() {
        let _ = writeln!(text, "\n{} programs, replay files and operators, {} failed", parts.len(), wrong.len());
    }
    for (part, failure) in wrong {
        let NamedRun { config, kind, name, .. } = part;
        let _ = write!(text, "\n### {config}: {kind} {name}\n\n{}\n", indented(failure));
    }
    let groups = buckets::of(shards);
    if !groups.is_empty() {
        text.push_str(&bucket_table(&groups));
    }
    for group in shards.iter().flat_map(ShardReport::buckets) {
        let (Member { shard, looked, .. }, also) = (group.first(), group.also());
        let _ = write!(
            text,
            "\n### {}: {}{}\n\n```\n{}\n```\n\n<details><summary>Report</summary>\n\n{}\n</details>\n",
            shard.name(),
            looked.headline,
            also,
            looked.again,
            indented(&looked.text)
        );
    }
    text
}

fn bucket_table(groups: &[Group]) -> String {
    let row = |row: [String; 6]| {
        let [number, cases, first, smallest, way, program] = row.map(|cell| cell.replace('|', "\\|"));
        [number, cases, first, smallest, way, format!("`{program}`")]
    };
    "\n".to_owned() + &table::markdown(&buckets::HEADER, 6, &buckets::rows(groups).map(row).collect::<Vec<_>>())
}

/// How often each instruction was issued, retired and trapped: a table that the page folds away.
fn mnemonics(shards: &[ShardReport]) -> String {
    let row = |shard: &ShardReport, (mnemonic, Uses { issued, retired, trapped }): (&str, Uses)| {
        let [issued, retired, trapped] = [issued, retired, trapped].map(|number| number.to_string());
        [shard.name(), format!("`{mnemonic}`"), issued, retired, trapped]
    };
    let rows = shards.iter().flat_map(|shard| shard.counts.mnemonics.iter().map(move |uses| row(shard, uses)));
    let rows: Vec<_> = rows.collect();
    let header = ["configuration", "instruction", "issued", "retired", "trapped"];
    let text = format!("\n<details><summary>Instructions</summary>\n\n{}", table::markdown(&header, 2, &rows));
    text + "\n</details>\n"
}

fn result(shard: &ShardReport) -> String {
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
