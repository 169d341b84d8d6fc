// SPDX-License-Identifier: Apache-2.0
//! A page as one HTML file: its style is in it, it has no scripts and loads nothing. All text is escaped by `maud`.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::block::{Block, Cell, Plane, Wrong};
use super::fields::Field;
use super::page::{Body, Page, Section, Table};
use super::provenance::Source;
use super::timeline::{Lane, Mark, Timeline};

const STYLE: &str = include_str!("style.css");

/// Wrong elements listed at first, and folded away behind them.
const LISTED: (usize, usize) = (12, 256);
/// Planes with wrong elements shown at most; the others are folded away.
const PLANES: usize = 8;
/// Columns up to which both sides of a plane fit beside each other.
const NARROW: usize = 16;

/// The file.
pub fn print(page: &Page) -> String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (page.headline) " (" (page.subject) ")" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.subject { (page.subject) }
                    h1 { (page.headline) }
                    p.instruction { code { (page.instruction) } }
                    nav aria-label="Sections" {
                        @for section in &page.sections { a href={ "#" (section.id) } { (section.title) } }
                    }
                }
                main { @for section in &page.sections { (print_section(section)) } }
            }
        }
    }
    .into_string()
}

fn print_section(section: &Section) -> Markup {
    html! {
        section id=(section.id) {
            h2 { (section.title) }
            @for note in &section.notes { p { (note) } }
            (body(&section.body))
        }
    }
}

fn body(body: &Body) -> Markup {
    match body {
        Body::Facts(facts) => html! {
            dl { @for (label, value) in facts { dt { (label) } dd { (value) } } }
        },
        Body::Table(table) => print_table(table),
        Body::Block(block) => print_block(block),
        Body::Fields(word, fields) => print_fields(*word, fields),
        Body::Timeline(timeline) => print_timeline(timeline),
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

fn print_block(block: &Block) -> Markup {
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
    let columns = plane.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let wrong = plane.wrong();
    html! {
        figure.plane.wide[columns > NARROW] {
            figcaption {
                @if plane.label.is_empty() { "all" } @else { (plane.label) }
                ": " @if wrong == 0 { "no difference" } @else { b { (wrong) " wrong" } }
            }
            div.sides {
                (grid(block, plane, 0, columns))
                (grid(block, plane, 1, columns))
            }
        }
    }
}

/// One side of a plane.
fn grid(block: &Block, plane: &Plane, side: usize, columns: usize) -> Markup {
    let corner = format!("{}\\{}", plane.axes[0], plane.axes[1]);
    html! {
        div.side {
            p.name { (block.sides[side]) }
            div.scroll tabindex="0" role="region" aria-label=(block.sides[side]) {
                table.grid {
                    thead { tr { th { (corner) } @for column in 0..columns { th scope="col" { (column) } } } }
                    tbody { @for row in &plane.rows {
                        tr { th scope="row" { (row.label) } @for cell in &row.cells { (print_cell(block, cell, side)) } }
                    } }
                }
            }
        }
    }
}

fn print_cell(block: &Block, cell: &Option<Cell>, side: usize) -> Markup {
    let Some(cell) = cell else { return html! { td.none {} } };
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
            table.list {
                thead { tr {
                    @for head in [index.as_str(), "expected", "actual", "register byte", "row", "byte lane", "granule lane"] {
                        th scope="col" { (head) }
                    }
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
            td { span.cell.want { (block.text(wrong.cell.expected)) } }
            td { span.cell.wrong { "≠" (block.text(wrong.cell.actual)) } }
            td { (wrong.byte) } td { (wrong.row) } td { (wrong.lane) } td { (wrong.granule) }
            @if addresses { td { @if let Some(address) = wrong.address { (format!("{address:#x}")) } } }
            @if sources { td { (wrong.source.map_or(String::new(), |source| source_text(block, source))) } }
        }
    }
}

/// Where an element comes from, in words.
pub fn source_text(block: &Block, source: Source) -> String {
    match source {
        Source::Zero => "zero fill".into(),
        Source::Register { tl, element } => {
            format!("tl{tl}, element {element} (byte {})", element * block.layout.bits as usize / 8)
        }
        Source::Memory(address) => format!("L1M {address:#x}"),
        Source::Kept => "left alone".into(),
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

fn print_fields(word: u32, fields: &[Field]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Fields" {
            table.list.fields {
                thead { tr { th scope="col" { "bits" } th scope="col" { "field" } th scope="col" { "value" } th scope="col" { "meaning" } } }
                tbody { @for field in fields {
                    tr { td { (field.range()) } td { (field.name) } td.digits { (field.digits(word)) } td { (field.meaning) } }
                } }
            }
        }
    }
}

/// Width of a cycle and height of a row.
const CYCLE: usize = 10;
const ROW: usize = 22;

fn print_timeline(timeline: &Timeline) -> Markup {
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
                    div.fails[lane.failed].first[i == timeline.instructions] title=(lane.label) { (lane.label) }
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
