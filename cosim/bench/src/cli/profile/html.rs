// SPDX-License-Identifier: Apache-2.0
//! A profile as one HTML file that needs nothing else.

use maud::{Markup, html};

use super::summary::Summary;
use crate::base::html::document;
use crate::cli::symbols::Symbols;
use crate::lockstep::profile::lanes::{Lane, Span};
use crate::lockstep::profile::reason::{Line, Reason};
use crate::lockstep::profile::{Profile, Stretch};
use crate::unit::target::Target;

const STYLE: &str = include_str!("style.css");
/// Zoom, and a bar at a time.
const SCRIPT: &str = include_str!("timeline.js");

/// Cycles of a timeline at most.
const LONGEST: u64 = 20_000;
const ROW: u64 = 26;
/// Width of a character of the timeline.
const CHARACTER: u64 = 7;

pub fn page(summary: &Summary, target: &Target, symbols: &Symbols, profile: &Profile) -> String {
    let body = html! {
        p.subject { (summary.program) ", configuration " (summary.config) ", " (summary.cycles) " clock cycles" }
        main {
        h1 { @for (i, part) in summary.verdict.split('`').enumerate() { @if i % 2 == 1 { code { (part) } } @else { (part) } } }
        h2 { "Where the cycles went" }
        p { "Every clock cycle has one reason: what the next instruction that is to be dispatched waits for." }
        (reasons(summary))
        h2 { "Timeline" }
        (timeline(target, symbols, profile))
        h2 { "Instructions" }
        (instructions(summary))
        }
    };
    document(STYLE, &format!("Profile of {}", summary.program), &body, Some(SCRIPT)) + "\n"
}

fn reasons(summary: &Summary) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Reasons" { table {
            thead { tr { th scope="col" { "reason" } th scope="col" { "cycles" } th scope="col" { "share" }
                th scope="col" { "memory does not answer" } th scope="col" { "in these" } } }
            tbody { @for (reason, work) in &summary.reasons { tr {
                td { span.key { svg width="12" height="12" aria-hidden="true" { rect class=(class(*reason)) width="12" height="12" {} } (reason.name()) } }
                td.n { (work.cycles) } td.n { (summary.share(work.cycles)) " %" } td.n { (work.memory) } td { (reason.about()) }
            } } }
        } }
    }
}

fn instructions(summary: &Summary) -> Markup {
    let used: Vec<Reason> = Reason::ALL.into_iter().filter(|reason| summary.reasons.contains_key(reason)).collect();
    let used: Vec<Reason> = used.into_iter().filter(|reason| *reason != Reason::End).collect();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Instructions" { table {
            thead { tr { th scope="col" { "address" } th scope="col" { "instruction" } th scope="col" { "times" } th scope="col" { "cycles" }
                @for reason in &used { th scope="col" { (reason.name()) } } th scope="col" { "engine at work" } } }
            tbody { @for line in &summary.instructions { tr {
                td { (line.place) } td { (line.text) } td.n { (line.times) } td.n { b { (line.cycles) } }
                @for reason in &used { td.n { @if let Some(work) = line.reasons.get(reason) { (work.cycles) } } }
                td.n { @if let Some((_, work)) = line.engine { (work.cycles) } }
            } } }
        } }
    }
}

fn timeline(target: &Target, symbols: &Symbols, profile: &Profile) -> Markup {
    let cycles = profile.timeline_end.min(LONGEST);
    let scale: u64 = match cycles {
        0..=300 => 8,
        301..=3000 => 4,
        _ => 2,
    };
    let name = |line: Line| format!("{} at {}", target.disassemble(line.word), symbols.place(line.pc));
    let lanes: Vec<Lane> = Lane::ALL.into_iter().filter(|lane| profile.lanes.total(*lane).cycles > 0).collect();
    let step = (400 / scale).next_multiple_of(10);
    let (width, height) = (cycles * scale + 40, (lanes.len() as u64 + 2) * ROW);
    html! {
        p { "Dispatch: what the next instruction waits for. Engines: the oldest instruction in each; the darker part at the bottom is "
            "the share of its cycles in which memory does not answer. Point at a bar, or touch it."
            @if cycles < profile.cycles { " These are the first " (cycles) " cycles." } }
        div.tools hidden {
            @for (key, text) in [("+", "zoom in"), ("-", "zoom out"), ("0", "all"), ("p", "previous bar"), ("n", "next bar")] {
                button type="button" data-key=(key) aria-keyshortcuts=(key) { (text) " (" (key) ")" }
            }
            output aria-live="polite" {}
        }
        div.timeline {
            div.labels { div { "cycle" } div { "dispatch" } @for lane in &lanes { div { (lane.name()) } } }
            div.scroll tabindex="0" role="region" aria-label="Timeline" {
                svg width=(width) height=(height) viewBox=(format!("0 0 {width} {height}")) role="img"
                    aria-label="What dispatch waits for, and the engines, over time" {
                    @for tick in (0..=cycles).step_by(step as usize) {
                        line.rule x1=(tick * scale) y1=(ROW - 8) x2=(tick * scale) y2=(height) {}
                        text x=(tick * scale + 2) y=(ROW - 10) { (tick) }
                    }
                    @for stretch in profile.timeline.iter().filter(|stretch| stretch.from < cycles) { (waits(&name, stretch, scale)) }
                    @for span in profile.lanes.spans.iter().filter(|span| span.from < cycles) {
                        @if let Some(row) = lanes.iter().position(|lane| *lane == span.lane) { (work(&name, span, row as u64 + 2, scale)) }
                    }
                }
            }
        }
    }
}

fn waits(describe: &impl Fn(Line) -> String, Stretch { from, cycles, spent }: &Stretch, scale: u64) -> Markup {
    let name = |line: Option<Line>| line.map(describe);
    html! {
        g {
            title {
                (spent.reason.about()) ", cycles " (from) " to " (from + cycles - 1)
                @if let Some(line) = name(spent.line) { ": " (line) }
                @if let Some(blocker) = name(spent.blocker).filter(|_| spent.blocker != spent.line) { " waits for " (blocker) }
                @if spent.memory { "; memory does not answer" }
            }
            rect class=(class(spent.reason)) x=(from * scale) y=(ROW + 3) width=(cycles * scale) height=(ROW - 6) {}
            @if spent.memory { rect.memory x=(from * scale) y=(2 * ROW - 8) width=(cycles * scale) height="5" {} }
        }
    }
}

fn work(describe: &impl Fn(Line) -> String, span: &Span, row: u64, scale: u64) -> Markup {
    let cycles = span.to - span.from;
    let (x, y, width) = (span.from * scale, row * ROW, cycles * scale);
    let text = describe(span.line);
    let label: String = text.chars().take((width / CHARACTER) as usize).collect();
    html! {
        g {
            title {
                (text) ", cycles " (span.from) " to " (span.to - 1) ", " (cycles) " in all"
                @if span.memory > 0 { ", in " (span.memory) " of them memory does not answer" }
            }
            rect.work x=(x) y=(y + 3) width=(width) height=(ROW - 6) {}
            @if span.memory > 0 { rect.memory x=(x) y=(y + ROW - 8) width=(span.memory * scale) height="5" {} }
            @if label.chars().count() > 2 { text.label x=(x + 2) y=(y + 16) { (label) } }
        }
    }
}

fn class(reason: Reason) -> String {
    format!("r-{}", reason.name().replace(' ', "-").to_lowercase())
}
