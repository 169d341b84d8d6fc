// SPDX-License-Identifier: Apache-2.0
//! The table for one configuration: its bins by number, and which of them cannot occur.

use serde::Serialize;

use super::facts::Facts;
use super::group::{Cell, Factor, Group, Never};
use super::operation;
use super::rules;
use super::values::{Axis, Value};
use super::{table, table_control, table_matrix, table_revision};
use crate::base::draw::{FNV_START, fnv};
use crate::unit::target::Target;

/// One axis of a group: its values, and the place of each value of the axis among them.
struct Side {
    axis: Axis,
    values: Vec<Value>,
    places: Vec<Option<usize>>,
}

/// A group with the numbers of its bins.
struct Block {
    group: &'static Group,
    sides: Vec<Side>,
    start: usize,
    len: usize,
}

/// Bins that are left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exclusion {
    pub group: &'static str,
    /// The values that the bins have, as text.
    pub bins: String,
    /// How many bins it leaves out that no earlier one does.
    pub count: usize,
    pub reason: &'static str,
}

/// All bins of a configuration.
pub struct Bins {
    blocks: Vec<Block>,
    /// Of each bin, the exclusion that leaves it out.
    excluded: Vec<Option<usize>>,
    exclusions: Vec<Exclusion>,
    hash: u64,
}

impl Bins {
    pub fn new(target: &Target) -> Bins {
        let mut bins = Bins { blocks: Vec::new(), excluded: Vec::new(), exclusions: Vec::new(), hash: FNV_START };
        for group in
            table::GROUPS.iter().chain(table_control::GROUPS).chain(table_matrix::GROUPS).chain(table_revision::GROUPS)
        {
            bins.add(target, group);
        }
        let mut hash = fnv(FNV_START, target.name().as_bytes());
        for id in 0..bins.excluded.len() {
            hash = fnv(hash, bins.name(id).as_bytes());
            hash = fnv(hash, &[u8::from(bins.is_excluded(id))]);
        }
        bins.hash = hash;
        bins
    }

    fn add(&mut self, target: &Target, group: &'static Group) {
        let sides: Vec<Side> = group.cross.iter().map(Side::new).collect();
        let len = sides.iter().map(|side| side.values.len()).product();
        let block = Block { group, sides, start: self.excluded.len(), len };
        let first = self.exclusions.len();
        let unknown = Exclusion { group: group.name, bins: String::new(), count: 0, reason: "" };
        let absent = block.sides.iter().flat_map(|side| &side.values).filter_map(|&value| {
            let reason = rules::absent(target, value)?;
            Some((value, Exclusion { bins: value.text(), reason, ..unknown.clone() }))
        });
        let absent: Vec<(Value, Exclusion)> = absent.collect();
        let rules = group.never.iter().map(|never| Exclusion {
            bins: pattern(never.bins),
            reason: never.reason,
            ..unknown.clone()
        });
        let all: Vec<Exclusion> = absent.iter().map(|(_, exclusion)| exclusion.clone()).chain(rules).collect();
        self.exclusions.extend(all);
        for place in 0..len {
            let cell = block.cell(place);
            let found = absent
                .iter()
                .position(|(value, _)| cell.has(*value))
                .or_else(|| Some(absent.len() + group.never.iter().position(|never| never.holds(target, &cell))?));
            if let Some(exclusion) = found.and_then(|found| self.exclusions.get_mut(first + found)) {
                exclusion.count += 1;
            }
            self.excluded.push(found.map(|found| first + found));
        }
        self.blocks.push(block);
    }

    /// Number of bins, those that cannot occur included.
    pub fn len(&self) -> usize {
        self.excluded.len()
    }

    pub fn is_empty(&self) -> bool {
        self.excluded.is_empty()
    }

    pub fn is_excluded(&self, id: usize) -> bool {
        self.excluded.get(id).is_none_or(Option::is_some)
    }

    pub fn possible(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&id| !self.is_excluded(id))
    }

    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> {
        self.exclusions.iter().filter(|exclusion| exclusion.count > 0)
    }

    /// Why bin `id` cannot occur, if it cannot.
    pub fn exclusion(&self, id: usize) -> Option<&Exclusion> {
        self.exclusions.get((*self.excluded.get(id)?)?)
    }

    /// A hash of the configuration's name and of all bins.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The groups, each with the numbers of its bins.
    pub fn groups(&self) -> impl Iterator<Item = (&'static Group, std::ops::Range<usize>)> {
        self.blocks.iter().map(|block| (block.group, block.start..block.start + block.len))
    }

    /// The values on the last axis of the group of bin `id`: its bins are rows of so many.
    pub fn columns(&self, id: usize) -> &[Value] {
        self.block(id).and_then(|block| block.sides.last()).map_or(&[], |side| &side.values)
    }

    fn block(&self, id: usize) -> Option<&Block> {
        let index = self.blocks.partition_point(|block| block.start + block.len <= id);
        self.blocks.get(index)
    }

    pub fn bin(&self, id: usize) -> Option<(&'static Group, Cell)> {
        let block = self.block(id)?;
        Some((block.group, block.cell(id - block.start)))
    }

    pub fn name(&self, id: usize) -> String {
        let Some((group, cell)) = self.bin(id) else { return String::new() };
        let values: Vec<String> = cell.0.iter().map(|value| value.text()).collect();
        format!("{}: {}", group.name, values.join(", "))
    }

    /// Calls `hit` with the number of every bin that an instruction with these facts hits.
    #[inline]
    pub fn sample(&self, facts: &Facts, mut hit: impl FnMut(usize)) {
        for block in &self.blocks {
            if let Some(place) = block.place(facts) {
                hit(block.start + place);
            }
        }
    }
}

impl Side {
    fn new(factor: &Factor) -> Side {
        let (axis, values) = match factor {
            Factor::All(axis) => (*axis, axis.values().collect()),
            Factor::Of(values) => (values[0].axis, values.to_vec()),
            Factor::Ops(is) => (Axis::Op, operation::values(*is)),
        };
        let places = axis.values().map(|value| values.iter().position(|&v| v == value)).collect();
        Side { axis, values, places }
    }
}

impl Block {
    /// The values of a bin, the last axis counting fastest.
    fn cell(&self, place: usize) -> Cell {
        let mut left = place;
        let mut values: Vec<Value> = Vec::with_capacity(self.sides.len());
        for side in self.sides.iter().rev() {
            values.push(side.values[left % side.values.len()]);
            left /= side.values.len();
        }
        values.reverse();
        Cell(values)
    }

    fn place(&self, facts: &Facts) -> Option<usize> {
        if !self.group.given.is_empty() && !given(self.group.given, facts) {
            return None;
        }
        let mut place = 0;
        for side in &self.sides {
            let index = facts.index(side.axis)?;
            place = place * side.values.len() + (*side.places.get(usize::from(index))?)?;
        }
        Some(place)
    }
}

/// Whether the facts have one of the values on each axis that is named.
fn given(values: &[Value], facts: &Facts) -> bool {
    values.iter().all(|value| facts.has(*value) || values.iter().any(|v| v.axis == value.axis && facts.has(*v)))
}

impl Never {
    /// Whether it leaves out the bin.
    fn holds(&self, target: &Target, cell: &Cell) -> bool {
        let listed = |value: &Value| self.bins.iter().any(|v| v.axis == value.axis && cell.has(*v));
        self.bins.iter().all(listed) && self.when.is_none_or(|when| when(target, cell))
    }
}

/// The values of an exclusion as text: `tl.load or tl.store, e4`.
fn pattern(values: &[Value]) -> String {
    let mut text = if values.is_empty() { "some".to_owned() } else { String::new() };
    for (i, value) in values.iter().enumerate() {
        let separator = match i.checked_sub(1).and_then(|before| values.get(before)) {
            None => "",
            Some(before) if before.axis == value.axis => " or ",
            Some(_) => ", ",
        };
        text += separator;
        text += &value.text();
    }
    text
}
