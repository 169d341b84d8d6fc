// SPDX-License-Identifier: Apache-2.0
//! Source operands, files of the RTL, and the program step by step.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::block::{NARROW, PLANES, columns, grid};
use crate::triage::block::{Cell, Plane};
use crate::triage::page::{File, Operand, Step};

/// A source operand: the planes with elements that wrong ones come from, the others folded away.
pub fn print_operand(operand: &Operand) -> Markup {
    let (marked, rest): (Vec<&Plane>, Vec<&Plane>) = operand.planes.iter().partition(|plane| operand.is_marked(plane));
    let (shown, more) = marked.split_at(marked.len().min(PLANES));
    let folded: Vec<&Plane> = more.iter().copied().chain(rest).collect();
    html! {
        h3 { (operand.name) }
        p.name { (operand.note) }
        @if !shown.is_empty() { div.planes { @for plane in shown { (operand_plane(operand, plane)) } } }
        @if !folded.is_empty() {
            details {
                summary { (folded.len()) " " (if folded.len() == 1 { "plane" } else { "planes" }) " more" }
                div.planes { @for plane in folded { (operand_plane(operand, plane)) } }
            }
        }
    }
}

fn operand_plane(operand: &Operand, plane: &Plane) -> Markup {
    html! {
        figure.plane.wide[columns(plane) > NARROW] {
            figcaption { (if plane.label.is_empty() { "all" } else { &plane.label }) }
            (grid(&operand.name, plane, |cell| operand_cell(operand, cell)))
        }
    }
}

fn operand_cell(operand: &Operand, cell: &Cell) -> Markup {
    // A toggled class would be an empty one in most of the cells.
    if operand.feeds.contains(&cell.element) {
        html! { td.feeds { (operand.text(cell)) } }
    } else {
        html! { td { (operand.text(cell)) } }
    }
}

/// Files of the RTL, with links where they are known.
pub fn print_files(files: &[File]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Files of the RTL" {
            table.list {
                thead { tr { th scope="col" { "file" } th scope="col" { "what happens there" } } }
                tbody { @for file in files { tr {
                    td { @if let Some(link) = &file.link { a href=(link) { (file.name) } } @else { (file.name) } }
                    td { (file.what) }
                } } }
            }
        }
    }
}

/// The program, a step at a time; `lanes` are the numbers of the instructions that the timeline has.
pub fn print_steps(steps: &[Step], lanes: &BTreeSet<usize>) -> Markup {
    html! {
        div.stepper hidden {
            @for (go, text) in [("first", "first"), ("previous", "previous"), ("next", "next"), ("last", "last"), ("failed", "the one that failed")] {
                @if go != "failed" || steps.iter().any(|step| step.failed) { button type="button" data-go=(go) { (text) } }
            }
            output {}
        }
        @for step in steps { (print_step(step, lanes.contains(&step.index))) }
    }
}

fn print_step(step: &Step, in_timeline: bool) -> Markup {
    let actual = step.places.iter().any(|place| place.actual.is_some());
    html! {
        div.step.failed[step.failed] id={ "step-" (step.index) } {
            h3 { (step.index) " " code { (step.source) } @if step.state { " (makes the state)" } @if step.failed { " fails" } }
            @if in_timeline { p { a href={ "#lane-" (step.index) } { "In the timeline" } } }
            @if let Some(trap) = &step.trap { p { "It traps: " (trap) } }
            @if step.places.is_empty() { p { "It reads and changes nothing." } } @else {
                div.scroll tabindex="0" role="region" aria-label="State before and after" {
                    table.list.state {
                        thead { tr {
                            @for head in ["where", "before", "after"] { th scope="col" { (head) } }
                            @if actual { th scope="col" { "after, in the RTL" } }
                        } }
                        tbody { @for place in &step.places { tr.bad[place.actual.is_some()] {
                            td { (place.name) }
                            td { (place.before) }
                            td { @if place.after.is_empty() { span.same { "the same" } } @else { b { (place.after) } } }
                            @if actual { td { @if let Some(actual) = &place.actual { "≠" (actual) } } }
                        } } }
                    }
                }
            }
        }
    }
}
