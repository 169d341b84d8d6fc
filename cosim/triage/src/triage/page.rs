// SPDX-License-Identifier: Apache-2.0
//! A report as data: sections that `html` and `markdown` print, so that both say the same.

use std::collections::BTreeSet;

use super::block::{Block, Cell, Plane};
use super::timeline::Timeline;

pub struct Page {
    /// What was run.
    pub subject: String,
    /// What failed, on one line.
    pub headline: String,
    pub instruction: String,
    pub sections: Vec<Section>,
}

impl Page {
    /// Numbers of the instructions that are steps of the program.
    pub fn in_steps(&self) -> BTreeSet<usize> {
        let steps =
            self.sections.iter().filter_map(|s| if let Body::Steps(steps) = &s.body { Some(steps) } else { None });
        steps.flatten().map(|step| step.index).collect()
    }

    /// Numbers of the instructions that are rows of the timeline.
    pub fn in_timeline(&self) -> BTreeSet<usize> {
        let lanes =
            self.sections.iter().filter_map(|s| if let Body::Timeline(t) = &s.body { Some(&t.lanes) } else { None });
        lanes.flatten().filter_map(|lane| lane.instruction).collect()
    }
}

pub struct Section {
    /// Anchor.
    pub id: &'static str,
    pub title: String,
    /// Sentences above the body.
    pub notes: Vec<String>,
    pub body: Body,
}

impl Section {
    pub fn new(id: &'static str, title: impl Into<String>, notes: Vec<String>, body: Body) -> Section {
        Section { id, title: title.into(), notes, body }
    }
}

pub enum Body {
    /// Labels and values.
    Facts(Vec<(String, String)>),
    Table(Table),
    /// Expected and actual elements.
    Block(Box<Block>),
    Operands(Vec<Operand>),
    Files(Vec<File>),
    /// The program, instruction by instruction.
    Steps(Vec<Step>),
    /// Instructions and ports over time.
    Timeline(Timeline),
    /// Commands, each with what it does.
    Commands(Vec<(String, String)>),
    /// Lines of a program; one of them may be the one that failed.
    Listing(Vec<String>, Option<usize>),
}

/// A source operand, laid out.
#[derive(Clone, Debug)]
pub struct Operand {
    pub name: String,
    /// How it is laid out, in a sentence.
    pub note: String,
    /// Bits of an element.
    pub bits: u32,
    /// Its elements; both sides of a cell have the value.
    pub planes: Vec<Plane>,
    /// Numbers of the elements that wrong elements come from.
    pub feeds: BTreeSet<usize>,
}

impl Operand {
    /// Whether wrong elements come from this plane.
    pub fn is_marked(&self, plane: &Plane) -> bool {
        plane.rows.iter().flat_map(|row| &row.cells).flatten().any(|cell| self.feeds.contains(&cell.element))
    }

    /// The element of a cell, in hexadecimal.
    pub fn text(&self, cell: &Cell) -> String {
        format!("{:0digits$x}", cell.expected.unwrap_or(0), digits = self.bits as usize / 4)
    }
}

/// A file on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub name: String,
    pub what: &'static str,
    /// From the page to it, when it is where the page expects it.
    pub link: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub index: usize,
    /// The instruction as assembly.
    pub source: String,
    /// It makes the state that the program starts from.
    pub state: bool,
    pub failed: bool,
    pub trap: Option<String>,
    /// Registers that it reads and those that it changes, and bytes of L0M.
    pub places: Vec<Place>,
}

/// A register or a row of one, or of L0M.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    pub before: String,
    /// After it; nothing when the instruction does not write it.
    pub after: String,
    /// After it in the RTL, where that is something else.
    pub actual: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Numbers of the rows that are wrong.
    pub wrong: Vec<usize>,
}

impl Table {
    pub fn new(header: &[&str]) -> Table {
        Table { header: header.iter().map(|&text| text.to_owned()).collect(), ..Table::default() }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn wrong_row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.wrong.push(self.rows.len());
        self.row(cells);
    }
}
