// SPDX-License-Identifier: Apache-2.0
//! A summary in Markdown, for the page of a CI job.

use std::fmt::Write;

use super::ShardReport;
use super::buckets::{self, Group, Member};
use crate::cli::ending::Ending;
use crate::lockstep::mnemonics::Uses;
use crate::run::schedule::Stopped;

/// The summary; `missing` has not been run.
pub fn markdown(shards: &[ShardReport], missing: &[String]) -> String {
    let failed = shards.iter().filter(|shard| !shard.failures.is_empty()).count();
    let mut verdict = match shards.iter().map(ShardReport::ending).max() {
        Some(Ending::Clean | Ending::Failed) => "no mismatch".to_owned(),
        None | Some(Ending::Nothing) => "**no case was run**".into(),
        Some(Ending::Interrupted(_)) => "**interrupted**".into(),
        Some(Ending::Different) => format!("**{failed} failed**"),
    };
    if !missing.is_empty() {
        verdict.push_str(", **not complete**");
    }
    let mut text = format!("## cosim random: {verdict}\n\n");
    text.push_str("| configuration | seed | cases | instructions | traps | cycles | result |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---|\n");
    for shard in shards {
        let counts = &shard.counts;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            shard.name(),
            shard.seed,
            shard.cases,
            counts.retired,
            counts.traps,
            counts.cycles,
            result(shard)
        );
    }
    missing.iter().for_each(|name| text.push_str(&format!("| {name} | | | | | | **missing** |\n")));
    text.push_str(&mnemonics(shards));
    for (shard, unseen) in shards.iter().filter_map(|shard| Some((shard, shard.unseen?))) {
        let _ = writeln!(text, "\n{}: {unseen}", shard.name());
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

/// A row for each bucket.
fn bucket_table(groups: &[Group]) -> String {
    let mut text = String::from("\n| bucket | cases | first seen | smallest | in the same way | program |\n");
    text.push_str("|---:|---:|---|---|---|---|\n");
    for (number, group) in (1..).zip(groups) {
        let (cases, first, smallest) = (group.cases(), group.first().name(), group.smallest().name());
        let (way, program) = (group.bucket.way(), group.bucket.program_text());
        let cell = |text: &str| text.replace('|', "\\|");
        let _ = writeln!(text, "| {number} | {cases} | {first} | {smallest} | {} | `{}` |", cell(&way), cell(&program));
    }
    text
}

/// How often each instruction was issued, retired and trapped: a table that the page folds away.
fn mnemonics(shards: &[ShardReport]) -> String {
    let mut text = String::from("\n<details><summary>Instructions</summary>\n\n");
    text.push_str("| configuration | instruction | issued | retired | trapped |\n|---|---|---:|---:|---:|\n");
    for shard in shards {
        for (mnemonic, Uses { issued, retired, trapped }) in shard.counts.mnemonics.iter() {
            let _ = writeln!(text, "| {} | `{mnemonic}` | {issued} | {retired} | {trapped} |", shard.name());
        }
    }
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

/// As a code block that nothing in the text can end.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
