// SPDX-License-Identifier: Apache-2.0
//! The page of a run: its failing cases by their causes, with links to the pages of the cases.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use maud::{Markup, html};

use super::buckets::{self, Group, Member};
use super::{Outcome, Reported, Words};
use crate::base::output::{save_inside, say};
use crate::base::table;
use crate::cases::schedule::Shard;

/// The page of a run, or of a shard of it, in the folder of its failures.
fn name(shard: Shard) -> String {
    if shard == Shard::WHOLE {
        "index.html".into()
    } else {
        format!("shard-{:05}-of-{:05}.html", shard.index(), shard.count())
    }
}

/// When something failed: writes the page into the folder `out`, and says what is on it. Else that of an earlier run
/// goes.
pub fn report<S: Reported>(shards: &[Outcome<S>], shard: Shard, out: &Path) -> Result<()> {
    let (groups, words) = (buckets::groups(shards), S::words());
    let path = out.join(name(shard));
    if groups.is_empty() {
        // That of an earlier run with failures would be taken for the page of this one.
        if files::read_text(&path, files::TABLE).is_ok_and(|page| page.contains(words.about[0])) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        return Ok(());
    }
    fs::create_dir_all(out).with_context(|| format!("cannot create the folder {}", out.display()))?;
    save_inside(&path, &page(shards, &groups, &words))?;
    say!("\n{}", table::rows(&buckets::header(&words), 6, buckets::rows(&groups)))?;
    say!("\nfailing cases by their causes: {}", path.display())
}

fn page<S: Reported>(shards: &[Outcome<S>], groups: &[Group], words: &Words) -> String {
    let cases: u64 = shards.iter().map(Outcome::failed_cases).sum();
    let run: u64 = shards.iter().map(|shard| shard.cases).sum();
    let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let headline = format!("{} in {}", count(cases, "failing case"), count(groups.len() as u64, "bucket"));
    let names: Vec<String> = shards.iter().map(Outcome::name).collect();
    let seed = shards.first().map_or(0, |shard| shard.seed);
    let subject = format!("seed {seed}, {}: {}", count(run, "case"), names.join(", "));
    let body = html! {
        header {
            p.subject { (subject) }
            h1 { (headline) }
            p { (words.about[0]) (words.about[1]) }
        }
        main {
            section id="buckets" { h2 { "Buckets, in the order in which they were first seen" } (overview(groups, words)) }
            @for (number, group) in (1..).zip(groups) { (section(number, group, groups, words)) }
        }
    };
    super::page(&headline, &body, None)
}

fn overview(groups: &[Group], words: &Words) -> Markup {
    let heads = ["bucket", "cases", "first seen", "smallest", words.block, "in the same way", words.steps];
    html! {
        div.scroll tabindex="0" role="region" aria-label="Buckets" {
            table.list.stacked {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody { @for (number, group) in (1..).zip(groups) {
                    @let cells = [
                        html! { a href=(format!("#bucket{number}")) { (number) } },
                        html! { (group.cases()) },
                        link(group.first()),
                        link(group.smallest()),
                        html! { (group.bucket.block) },
                        html! { (group.bucket.way()) },
                        html! { (group.bucket.steps_text()) },
                    ];
                    tr { @for (head, cell) in heads.iter().zip(cells) { td data-head=(head) { (cell) } } }
                } }
            }
        }
    }
}

fn section(number: usize, group: &Group, groups: &[Group], words: &Words) -> Markup {
    let like: Vec<usize> = (1..)
        .zip(groups)
        .filter(|(other, like)| {
            *other != number && !like.bucket.steps.is_empty() && like.bucket.steps == group.bucket.steps
        })
        .map(|(other, _)| other)
        .collect();
    let smallest = group.smallest();
    html! {
        section id=(format!("bucket{number}")) {
            h2 { (number) ". " (group.bucket.way()) }
            dl {
                dt { "smallest" } dd { (link(smallest)) ", " (smallest.explained.size_text) }
                dt { (words.steps) } dd { (group.bucket.steps_text()) }
                @if !group.bucket.block.is_empty() { dt { (words.block) } dd { (group.bucket.block) } }
                dt { "what failed" } dd { (smallest.explained.headline) }
                @if !smallest.explained.nearby.is_empty() { dt { "fails" } dd { (smallest.explained.nearby) } }
                @if !smallest.explained.here.is_empty() { dt { "again" } dd { code { (smallest.explained.here) } } }
                dt { "cases" } dd {
                    @for (n, member) in group.members.iter().enumerate() { @if n > 0 { ", " } (link(member)) }
                }
                @if !group.more.is_empty() {
                    dt { "not looked into" }
                    dd { @for (n, (shard, case)) in group.more.iter().enumerate() {
                        @if n > 0 { ", " } (shard) " case " (case)
                    } }
                }
                @if !like.is_empty() {
                    dt { "same " (words.steps) }
                    dd { @for (n, other) in like.iter().enumerate() {
                        @if n > 0 { ", " } a href=(format!("#bucket{other}")) { "bucket " (other) }
                    } }
                }
            }
        }
    }
}

/// The case, with a link to its page.
fn link(member: &Member) -> Markup {
    html! {
        @if member.explained.folder.is_empty() { (member.name()) }
        @else { a href=(format!("{}/report.html", member.explained.folder)) { (member.name()) } }
    }
}
