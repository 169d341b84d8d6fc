// SPDX-License-Identifier: Apache-2.0
//! Expected and actual elements beside each other, the map of the datapath, the list of wrong elements.

use maud::{Markup, html};

use crate::triage::block::{Block, Cell, Plane, Wrong};
use crate::triage::element::{WRONG, source_text, wrong_cells};

/// Planes with wrong elements shown at most; the others are folded away.
pub const PLANES: usize = 8;
/// Columns up to which both sides of a plane fit beside each other.
pub const NARROW: usize = 16;
/// Wrong elements listed at first, and folded away behind them.
const LISTED: (usize, usize) = (12, 256);

pub fn print_block(block: &Block) -> Markup {
    let wrong: Vec<&Plane> = block.planes.iter().filter(|plane| plane.wrong() > 0).collect();
    let right: Vec<&Plane> = block.planes.iter().filter(|plane| plane.wrong() == 0).collect();
    let (shown, folded) = wrong.split_at(wrong.len().min(PLANES));
    html! {
        p.legend {
            span.cell.want { "3f" } " what a wrong element should be, "
            span.cell.wrong { "≠3e" } " what it is"
        }
        div.planes {
            @for plane in shown { (print_plane(block, plane)) }
            figure.plane.map {
                figcaption { "in the datapath: " b { (block.map.iter().filter(|wrong| **wrong).count()) " wrong bytes" } }
                p.name { "across: rows of " (block.datapath.lanes) " bytes; down: byte lanes; a cross: wrong" }
                (lane_map(block))
            }
        }
        @for (planes, what) in [(folded, "more with wrong elements"), (&right[..], "without a difference")] {
            @if !planes.is_empty() {
                details {
                    summary { (planes.len()) " " (if planes.len() == 1 { "plane" } else { "planes" }) " " (what) }
                    div.planes { @for plane in planes { (print_plane(block, plane)) } }
                }
            }
        }
        h3 { "Wrong elements" }
        (wrong_list(block))
    }
}

fn print_plane(block: &Block, plane: &Plane) -> Markup {
    let wrong = plane.wrong();
    html! {
        figure.plane.wide[columns(plane) > NARROW] {
            figcaption {
                @if plane.label.is_empty() { "all" } @else { (plane.label) }
                ": " @if wrong == 0 { "no difference" } @else { b { (wrong) " wrong" } }
            }
            div.sides {
                @for side in 0..2 {
                    div.side {
                        p.name { (block.sides[side]) }
                        (grid(&block.sides[side], plane, |cell| print_cell(block, cell, side)))
                    }
                }
            }
        }
    }
}

pub fn columns(plane: &Plane) -> usize {
    plane.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0)
}

/// The elements of a plane in rows and columns, each as `cell` prints it.
pub fn grid(label: &str, plane: &Plane, cell: impl Fn(&Cell) -> Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(label) {
            table.grid {
                thead { tr {
                    th { (plane.axes[0]) "\\" (plane.axes[1]) }
                    @for column in 0..columns(plane) { th { (column) } }
                } }
                tbody { @for row in &plane.rows {
                    tr { th scope="row" { (row.label) } @for place in &row.cells {
                        @match place { Some(element) => (cell(element)), None => td.none {} }
                    } }
                } }
            }
        }
    }
}

fn print_cell(block: &Block, cell: &Cell, side: usize) -> Markup {
    let text = block.text(if side == 0 { cell.expected } else { cell.actual });
    match (cell.wrong(), side) {
        (false, _) => html! { td { (text) } },
        (true, 0) => html! { td.want { (text) } },
        (true, _) => html! { td.wrong { "≠" (text) } },
    }
}

fn wrong_list(block: &Block) -> Markup {
    let (shown, rest) = block.wrong.split_at(block.wrong.len().min(LISTED.0));
    let folded = &rest[..rest.len().min(LISTED.1)];
    html! {
        (wrong_table(block, shown))
        @if !folded.is_empty() {
            details {
                summary { (folded.len()) " more" }
                (wrong_table(block, folded))
                @if folded.len() < rest.len() { p { "And " (rest.len() - folded.len()) " more, which are not listed." } }
            }
        }
    }
}

fn wrong_table(block: &Block, list: &[Wrong]) -> Markup {
    let addresses = block.wrong.iter().any(|wrong| wrong.address.is_some());
    let sources = block.wrong.iter().any(|wrong| wrong.source.is_some());
    let index = format!("({})", block.layout.names.join(", "));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Wrong elements" {
            table.list.stacked {
                thead { tr {
                    @for head in [index.as_str(), "expected", "actual"] { th scope="col" { (head) } }
                    @for head in WRONG { th scope="col" { (head) } }
                    @if addresses { th scope="col" { "L0M address" } }
                    @if sources { th scope="col" { "comes from" } }
                } }
                tbody { @for wrong in list { (wrong_row(block, wrong, [addresses, sources])) } }
            }
        }
    }
}

fn wrong_row(block: &Block, wrong: &Wrong, [addresses, sources]: [bool; 2]) -> Markup {
    html! {
        tr {
            td { (wrong.index) }
            td data-head="expected" { span.cell.want { (block.text(wrong.cell.expected)) } }
            td data-head="actual" { span.cell.wrong { "≠" (block.text(wrong.cell.actual)) } }
            @for (head, cell) in WRONG.iter().zip(wrong_cells(block, wrong)) { td data-head=(head) { (cell) } }
            @if addresses {
                td data-head="L0M address" { @if let Some(address) = wrong.address { (format!("{address:#x}")) } }
            }
            @if sources { td data-head="comes from" { (source_text(block, wrong)) } }
        }
    }
}

/// A map of the register: rows of the datapath from left to right, byte lanes from top to bottom.
fn lane_map(block: &Block) -> Markup {
    const CELL: usize = 12;
    let lanes = block.datapath.lanes;
    let rows = block.map.len().div_ceil(lanes);
    let (left, top) = (28, 18);
    let (width, height) = (left + rows * CELL + 2, top + lanes * CELL + 2);
    let x = |row: usize| left + row * CELL;
    let y = |lane: usize| top + lane * CELL;
    let step = |count: usize| {
        if count > 16 {
            8
        } else if count > 8 {
            4
        } else {
            1
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Map of the register" {
            svg.lanes width=(width) height=(height) viewBox=(format!("0 0 {width} {height}")) role="img"
                aria-label="Wrong bytes by row and lane of the datapath" {
                rect.ground x=(left) y=(top) width=(rows * CELL) height=(lanes * CELL) {}
                @for row in 0..=rows { line.rule x1=(x(row)) y1=(top) x2=(x(row)) y2=(y(lanes)) {} }
                @for lane in 0..=lanes { line.rule x1=(left) y1=(y(lane)) x2=(x(rows)) y2=(y(lane)) {} }
                @for row in (0..rows).step_by(step(rows)) {
                    text x=(x(row) + CELL / 2) y=(top - 5) text-anchor="middle" { (row) }
                }
                @for lane in (0..lanes).step_by(step(lanes)) {
                    text x=(left - 5) y=(y(lane) + CELL - 2) text-anchor="end" { (lane) }
                }
                @for (byte, _) in block.map.iter().enumerate().filter(|(_, wrong)| **wrong) {
                    @let (x, y) = (x(byte / lanes), y(byte % lanes));
                    g.hit {
                        title { (format!("byte {byte}: row {}, lane {}", byte / lanes, byte % lanes)) }
                        rect x=(x) y=(y) width=(CELL) height=(CELL) {}
                        path d=(format!("M{} {}l6 6m0-6l-6 6", x + 3, y + 3)) {}
                    }
                }
            }
        }
    }
}
