// SPDX-License-Identifier: Apache-2.0
//! A page as one HTML file: its style and its only script are in it, and it loads nothing. All text is escaped by
//! `maud`.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::report;
use crate::triage::page::{Body, Page, Section, Table};
use crate::triage::timeline::{Lane, Mark, Timeline};

mod block;
mod state;

use block::print_block;
use state::{print_files, print_operand, print_steps};

/// One step of the program at a time.
const SCRIPT: &str = include_str!("../steps.js");

pub fn print(page: &Page) -> String {
    let body = html! {
        header {
            p.subject { (page.subject) }
            h1 { (page.headline) }
            p.instruction { code { (page.instruction) } }
            nav aria-label="Sections" {
                @for section in &page.sections { a href={ "#" (section.id) } { (section.title) } }
            }
        }
        main { @for section in &page.sections { (print_section(page, section)) } }
    };
    let steps = page.sections.iter().any(|section| matches!(section.body, Body::Steps(_)));
    report::page(&format!("{} ({})", page.headline, page.subject), &body, steps.then_some(SCRIPT))
}

fn print_section(page: &Page, section: &Section) -> Markup {
    html! {
        section id=(section.id) {
            h2 { (section.title) }
            @for note in &section.notes { p { (note) } }
            (body(page, &section.body))
        }
    }
}

fn body(page: &Page, body: &Body) -> Markup {
    match body {
        Body::Facts(facts) => html! {
            dl { @for (label, value) in facts { dt { (label) } dd { (value) } } }
        },
        Body::Table(table) => print_table(table),
        Body::Block(block) => print_block(block),
        Body::Operands(operands) => html! { @for operand in operands { (print_operand(operand)) } },
        Body::Files(files) => print_files(files),
        Body::Steps(steps) => print_steps(steps, &page.in_timeline()),
        Body::Timeline(timeline) => print_timeline(timeline, &page.in_steps()),
        Body::Commands(commands) => html! {
            dl.commands { @for (command, what) in commands { dt { code { (command) } } dd { (what) } } }
        },
        Body::Listing(lines, failed) => html! {
            div.scroll tabindex="0" role="region" aria-label="Program" {
                pre { @for (i, line) in lines.iter().enumerate() {
                    @if Some(i) == *failed { span.fails { (line) } } @else { (line) } "\n"
                } }
            }
        },
    }
}

fn print_table(table: &Table) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Table" {
            table.list {
                thead { tr { @for head in &table.header { th scope="col" { (head) } } } }
                tbody { @for (i, row) in table.rows.iter().enumerate() {
                    tr.bad[table.wrong.contains(&i)] { @for cell in row { td { (cell) } } }
                } }
            }
        }
    }
}

/// Width of a cycle and height of a row.
const CYCLE: usize = 10;
const ROW: usize = 22;

/// A timeline; `steps` are the numbers of the instructions that have a step to link to.
fn print_timeline(timeline: &Timeline, steps: &BTreeSet<usize>) -> Markup {
    let (width, height) = (timeline.cycles * CYCLE + 40, timeline.lanes.len() * ROW + ROW);
    let ticks = (timeline.start.next_multiple_of(10)..timeline.start + timeline.cycles as u64).step_by(10);
    html! {
        p.legend { @for mark in Mark::DRAWN {
            span.key { svg width="14" height="16" aria-hidden="true" { (bar(0, 0, 1, mark, 14)) } (mark.name()) }
        } }
        div.timeline {
            div.labels {
                div.tick { "cycle" }
                @for (i, lane) in timeline.lanes.iter().enumerate() {
                    div.fails[lane.failed].first[i == timeline.instructions] title=(lane.label) { (lane_label(timeline, i, steps)) }
                }
            }
            div.scroll tabindex="0" role="region" aria-label="Timeline" {
                svg width=(width) height=(height) viewBox=(format!("0 0 {width} {height}")) role="img"
                    aria-label="Instructions and ports, one column for each cycle" {
                    @for tick in ticks {
                        @let x = (tick - timeline.start) as usize * CYCLE;
                        line.rule x1=(x) y1=(ROW - 6) x2=(x) y2=(height) {}
                        text x=(x + 2) y=(ROW - 8) { (tick) }
                    }
                    @if let Some(column) = timeline.failure {
                        rect.now x=(column * CYCLE) y="0" width=(CYCLE) height=(height) {}
                    }
                    @for (i, lane) in timeline.lanes.iter().enumerate() { (print_lane(lane, ROW + i * ROW)) }
                }
            }
        }
    }
}

fn lane_label(timeline: &Timeline, i: usize, steps: &BTreeSet<usize>) -> Markup {
    let lane = &timeline.lanes[i];
    // One that was killed has a lane for each time that it was issued.
    let again = timeline.lanes[i + 1..].iter().any(|later| later.instruction == lane.instruction);
    match lane.instruction.filter(|index| steps.contains(index)) {
        Some(index) if again => html! { a href={ "#step-" (index) } { (lane.label) } },
        Some(index) => html! { a id={ "lane-" (index) } href={ "#step-" (index) } { (lane.label) } },
        None => html! { (lane.label) },
    }
}

fn print_lane(lane: &Lane, y: usize) -> Markup {
    html! { @for (start, length, mark) in lane.runs() { (bar(start * CYCLE, y, length, mark, CYCLE)) } }
}

/// `length` cycles of a mark.
fn bar(x: usize, y: usize, length: usize, mark: Mark, cycle: usize) -> Markup {
    let width = length * cycle;
    html! {
        g class={ "mark " (mark.name()) } {
            title { (mark.name()) ", " (length) " " (if length == 1 { "cycle" } else { "cycles" }) }
            rect x=(x) y=(y + 2) width=(width) height="15" {}
            text x=(x + width / 2) y=(y + 13) text-anchor="middle" { (mark.symbol()) }
        }
    }
}
