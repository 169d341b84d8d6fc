// SPDX-License-Identifier: Apache-2.0
//! A page as Markdown, for job summaries and issues.

use super::block::{Block, Cell, Plane, Row};
use super::element::{WRONG, source_text, wrong_cells};
use super::page::{Body, Operand, Page, Place, Section, Step};
use super::timeline::{Mark, Timeline};

/// Wrong elements listed at most.
const LISTED: usize = 16;
/// Planes shown at most.
const PLANES: usize = 4;

pub fn print(page: &Page) -> String {
    let mut text = format!("# {}\n\n{}, {}\n", escape(&page.headline), escape(&page.subject), code(&page.instruction));
    for section in &page.sections {
        text.push_str(&print_section(section));
    }
    text
}

fn print_section(section: &Section) -> String {
    let mut text = format!("\n## {}\n\n", escape(&section.title));
    for note in &section.notes {
        text.push_str(&format!("{}\n\n", escape(note)));
    }
    text + &body(&section.body)
}

fn body(body: &Body) -> String {
    match body {
        Body::Facts(facts) => {
            facts.iter().map(|(label, value)| format!("- {}: {}\n", escape(label), code(value))).collect()
        }
        Body::Table(list) => table(&list.header, &list.rows),
        Body::Block(block) => print_block(block),
        Body::Operands(operands) => operands.iter().map(print_operand).collect(),
        Body::Files(files) => {
            let rows: Vec<Vec<String>> =
                files.iter().map(|file| vec![file.name.clone(), file.what.to_owned()]).collect();
            table(&["file", "what happens there"].map(str::to_owned), &rows)
        }
        Body::Steps(steps) => steps.iter().filter(|step| step.failed).map(print_step).collect(),
        Body::Timeline(timeline) => print_timeline(timeline),
        Body::Commands(commands) => {
            commands.iter().map(|(command, what)| format!("- {}: {}\n", code(command), escape(what))).collect()
        }
        Body::Listing(lines, _) => fence(&lines.join("\n")),
    }
}

fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    line(header) + &rule + &rows.iter().map(|row| line(row)).collect::<String>()
}

fn print_block(block: &Block) -> String {
    let wrong: Vec<&Plane> = block.planes.iter().filter(|plane| plane.wrong() > 0).collect();
    let mut text = String::new();
    for plane in wrong.iter().take(PLANES) {
        let side = |side: usize| {
            let value = |cell: &Cell| if side == 0 { cell.expected } else { cell.actual };
            let grid = grid(plane, [4, block.digits()], |cell| (block.text(value(cell)), cell.wrong()));
            format!("{}, {} down, {} across\n{grid}", block.sides[side], plane.axes[0], plane.axes[1])
        };
        let grids: String = [0, 1].map(side).join("\n");
        text.push_str(&fence(&format!("{}{grids}", label(plane))));
        text.push('\n');
    }
    if wrong.len() > PLANES {
        text.push_str(&format!("And {} planes more with wrong elements: see report.html.\n\n", wrong.len() - PLANES));
    }
    let header: Vec<String> = ["index", "expected", "actual"]
        .iter()
        .chain(&WRONG)
        .chain(&["L0M", "comes from"])
        .map(|&head| head.into())
        .collect();
    let row = |wrong: &super::block::Wrong| {
        let mut cells = vec![wrong.index.clone(), block.text(wrong.cell.expected), block.text(wrong.cell.actual)];
        cells.extend(wrong_cells(block, wrong));
        cells.push(wrong.address.map_or(String::new(), |address| format!("{address:#x}")));
        cells.push(source_text(block, wrong));
        cells
    };
    text.push_str(&table(&header, &block.wrong.iter().take(LISTED).map(row).collect::<Vec<_>>()));
    if block.wrong.len() > LISTED {
        text.push_str(&format!("\nAnd {} more.\n", block.wrong.len() - LISTED));
    }
    text
}

/// The planes of an operand that wrong elements come from; a star is behind each of those.
fn print_operand(operand: &Operand) -> String {
    let mut text = format!("{}: {}\n\n", escape(&operand.name), escape(&operand.note));
    let width = operand.bits as usize / 4;
    for plane in operand.planes.iter().filter(|plane| operand.is_marked(plane)).take(PLANES) {
        let cell = |cell: &Cell| (operand.text(cell), operand.feeds.contains(&cell.element));
        let grid = grid(plane, [6, width], cell);
        text.push_str(&fence(&format!("{}{} down, {} across\n{grid}", label(plane), plane.axes[0], plane.axes[1])));
        text.push('\n');
    }
    text
}

/// The step that failed.
fn print_step(step: &Step) -> String {
    let header = ["where", "before", "after", "after, in the RTL"].map(str::to_owned);
    let row = |place: &Place| {
        let after = if place.after.is_empty() { "the same".into() } else { place.after.clone() };
        vec![place.name.clone(), place.before.clone(), after, place.actual.clone().unwrap_or_default()]
    };
    table(&header, &step.places.iter().map(row).collect::<Vec<_>>())
}

fn label(plane: &Plane) -> String {
    if plane.label.is_empty() { String::new() } else { format!("{}\n", plane.label) }
}

/// The rows of a plane: labels and cells of these widths, and a star behind each cell for which `cell` says so.
fn grid(plane: &Plane, [label, width]: [usize; 2], cell: impl Fn(&Cell) -> (String, bool)) -> String {
    let print = |place: &Option<Cell>| {
        let (text, marked) = place.as_ref().map(&cell).unwrap_or_default();
        format!(" {text:>width$}{}", if marked { '*' } else { ' ' })
    };
    let row = |row: &Row| {
        let cells: String = row.cells.iter().map(print).collect();
        format!("{:>label$} {cells}", row.label).trim_end().to_owned() + "\n"
    };
    plane.rows.iter().map(row).collect()
}

fn print_timeline(timeline: &Timeline) -> String {
    let width = timeline.lanes.iter().map(|lane| lane.label.chars().count()).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for lane in &timeline.lanes {
        let label: String = lane.label.chars().take(40).collect();
        let marks: String = lane.marks.iter().map(|mark| mark.symbol()).collect();
        let here = if lane.failed { ">" } else { " " };
        text.push_str(&format!("{here}{label:<width$}  {marks}\n"));
    }
    if let Some(column) = timeline.failure {
        text.push_str(&format!(" {:<width$}  {}^ the failure\n", "", " ".repeat(column)));
    }
    let legend: Vec<String> = Mark::DRAWN.iter().map(|mark| format!("{} {}", mark.symbol(), mark.name())).collect();
    text.push_str(&format!("\n{}\n", legend.join(", ")));
    fence(&text)
}

/// Text in which nothing is markup.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// The longest run of backquotes.
fn backquotes(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text on a line in a fixed font.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    match backquotes(&text) {
        0 => format!("`{text}`"),
        n => format!("{0} {text} {0}", "`".repeat(n + 1)),
    }
}

/// Lines in a fixed font.
fn fence(text: &str) -> String {
    let fence = "`".repeat(backquotes(text).max(2) + 1);
    format!("{fence}\n{}\n{fence}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b>|`x`|\n# y"), "&lt;b&gt;\\|\\`x\\`\\| \\# y");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(fence("```\nx"), "````\n```\nx\n````\n");
    }
}
