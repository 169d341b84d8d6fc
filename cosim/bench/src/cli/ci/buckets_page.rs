// SPDX-License-Identifier: Apache-2.0
//! The page of a run: its failing cases by their causes, with links to the pages of the cases.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use maud::{Markup, html};

use super::ShardReport;
use super::buckets::{self, Group, Member};
use crate::base::output::{save_inside, say};
use crate::base::table;
use crate::run::schedule::Shard;
use crate::triage::html::document;

/// The beginning of what the page says about itself.
const ABOUT: &str = "A bucket has the same check, operation, field and engine,";

/// The page of a run, or of a shard of it, in the folder of its failures.
fn name(shard: Shard) -> String {
    if shard == Shard::WHOLE {
        "index.html".into()
    } else {
        format!("shard-{:05}-of-{:05}.html", shard.index(), shard.of())
    }
}

/// When something failed: writes the page into the folder `out`, and says what is on it. Else that of an earlier run
/// goes.
pub fn report(shards: &[ShardReport], shard: Shard, out: &Path) -> Result<()> {
    let groups = buckets::of(shards);
    let path = out.join(name(shard));
    if groups.is_empty() {
        // That of an earlier run with failures would be taken for the page of this one.
        if files::read_text(&path, files::TABLE).is_ok_and(|page| page.contains(ABOUT)) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        return Ok(());
    }
    fs::create_dir_all(out).with_context(|| format!("cannot create the folder {}", out.display()))?;
    save_inside(&path, &page(shards, &groups))?;
    say!("\n{}", table::rows(&buckets::HEADER, 6, buckets::rows(&groups)))?;
    say!("\nfailing cases by their causes: {}", path.display())
}

fn page(shards: &[ShardReport], groups: &[Group]) -> String {
    let cases: u64 = shards.iter().map(ShardReport::failed_cases).sum();
    let run: u64 = shards.iter().map(|shard| shard.cases).sum();
    let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let headline = format!("{} in {}", count(cases, "failing case"), count(groups.len() as u64, "bucket"));
    let names: Vec<String> = shards.iter().map(ShardReport::name).collect();
    let seed = shards.first().map_or(0, |shard| shard.seed);
    let subject = format!("seed {seed}, {}: {}", count(run, "case"), names.join(", "));
    let body = html! {
        header {
            p.subject { (subject) }
            h1 { (headline) }
            p {
                (ABOUT) " the same small program up to registers and values, "
                "and, after a load, the same parts of the register that are wrong. One cause may show in several buckets, most often where they have a program in common."
            }
        }
        main {
            section id="buckets" { h2 { "Buckets, in the order in which they were first seen" } (overview(groups)) }
            @for (number, group) in (1..).zip(groups) { (section(number, group, groups)) }
        }
    };
    document(&headline, &body, None)
}

const HEADS: [&str; 7] = ["bucket", "cases", "first seen", "smallest", "engine", "in the same way", "program"];

fn overview(groups: &[Group]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Buckets" {
            table.list.stacked {
                thead { tr { @for head in HEADS { th scope="col" { (head) } } } }
                tbody { @for (number, group) in (1..).zip(groups) {
                    @let cells = [
                        html! { a href=(format!("#bucket{number}")) { (number) } },
                        html! { (group.cases()) },
                        link(group.first()),
                        link(group.smallest()),
                        html! { (group.bucket.engine) },
                        html! { (group.bucket.way()) },
                        html! { (group.bucket.program_text()) },
                    ];
                    tr { @for (head, cell) in HEADS.iter().zip(cells) { td data-head=(head) { (cell) } } }
                } }
            }
        }
    }
}

fn section(number: usize, group: &Group, groups: &[Group]) -> Markup {
    let like: Vec<usize> = (1..)
        .zip(groups)
        .filter(|(other, like)| {
            *other != number && !like.bucket.program.is_empty() && like.bucket.program == group.bucket.program
        })
        .map(|(other, _)| other)
        .collect();
    let smallest = group.smallest();
    html! {
        section id=(format!("bucket{number}")) {
            h2 { (number) ". " (group.bucket.way()) }
            dl {
                dt { "smallest" } dd { (link(smallest)) ", " (size(smallest)) }
                dt { "program" } dd { (group.bucket.program_text()) }
                @if !group.bucket.engine.is_empty() { dt { "engine" } dd { (group.bucket.engine) } }
                dt { "what failed" } dd { (smallest.looked.headline) }
                @if !smallest.looked.nearby.is_empty() { dt { "fails" } dd { (smallest.looked.nearby) } }
                @if !smallest.looked.here.is_empty() { dt { "again" } dd { code { (smallest.looked.here) } } }
                dt { "cases" } dd {
                    @for (n, member) in group.members.iter().enumerate() { @if n > 0 { ", " } (link(*member)) }
                }
                @if !group.more.is_empty() {
                    dt { "not looked into" }
                    dd { @for (n, (shard, case)) in group.more.iter().enumerate() {
                        @if n > 0 { ", " } (shard.name()) " case " (case)
                    } }
                }
                @if !like.is_empty() {
                    dt { "same program" }
                    dd { @for (n, other) in like.iter().enumerate() {
                        @if n > 0 { ", " } a href=(format!("#bucket{other}")) { "bucket " (other) }
                    } }
                }
            }
        }
    }
}

/// The case, with a link to its page.
fn link(member: Member) -> Markup {
    html! {
        @if member.looked.folder.is_empty() { (member.name()) }
        @else { a href=(format!("{}/report.html", member.looked.folder)) { (member.name()) } }
    }
}

fn size(member: Member) -> String {
    let (program, state) = member.looked.size;
    let instructions = if program == 1 { "instruction" } else { "instructions" };
    format!("{program} {instructions}, and {state} for the state")
}
