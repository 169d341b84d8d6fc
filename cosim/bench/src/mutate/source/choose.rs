// SPDX-License-Identifier: Apache-2.0
//! The choice of mutants: the same number of each module, as far as there are so many; in a module of each kind; of each
//! place one before a second one.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::sites::Site;
use super::{Change, Kind};
use crate::mutate::mutant::{Change as AnyChange, Mutant};
use crate::unit::source::SourceFile;

/// A place with the mutants that can be there.
#[derive(Clone, Debug)]
pub struct Place {
    kind: Kind,
    changes: Vec<Change>,
}

impl Place {
    /// Names of the mutants.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().map(|change| change.name.as_str())
    }
}

/// The text on one line.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The places of a file.
pub fn places(file: &SourceFile, sites: Vec<Site>) -> Vec<Place> {
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    let mut change = |kind, edits: Vec<super::Edit>| {
        let first = edits.first()?;
        let text = &file.text[..first.range.start];
        let line = text.matches('\n').count() + 1;
        let column = text.len() - text.rfind('\n').map_or(0, |end| end + 1) + 1;
        let before = squeezed(&file.text[first.range.clone()]);
        let after = first.after.clone();
        let name = name(file, kind, first);
        let times = named.entry(name.clone()).or_default();
        *times += 1;
        let name = if *times == 1 { name } else { format!("{name} ({times})") };
        Some(Change { file: file.name.clone(), line, column, kind, before, after, name, edits })
    };
    let place = |site: Site| Place {
        kind: site.kind,
        changes: site.mutants.into_iter().filter_map(|edits| change(site.kind, edits)).collect(),
    };
    sites.into_iter().map(place).collect()
}

/// The name of a mutant: file, kind, and its lines of the text with what is exchanged in brackets. The number of the line is no
/// part of it, so that an edit of the lines before leaves it.
fn name(file: &SourceFile, kind: Kind, edit: &super::Edit) -> String {
    let (text, super::Edit { range, after, .. }) = (&file.text, edit);
    let head = &text[text[..range.start].rfind('\n').map_or(0, |end| end + 1)..range.start];
    let tail = text[range.end..].lines().next().unwrap_or_default();
    let tail = tail.split("//").next().unwrap_or_default();
    let line = squeezed(&format!("{head}[[{} -> {after}]]{tail}", &text[range.clone()]));
    format!("{}, {}: {line}", file.name, kind.name())
}

/// What is left of a module: the places of each kind.
struct Rest {
    module: String,
    kinds: Vec<Vec<Vec<Change>>>,
}

impl Rest {
    /// The next mutant: the kinds take turns, and in each of them the places.
    fn next(&mut self) -> Option<Change> {
        if self.kinds.is_empty() {
            return None;
        }
        let mut kind = self.kinds.remove(0);
        let mut place = kind.remove(0);
        let change = place.pop();
        if !place.is_empty() {
            kind.push(place);
        }
        if !kind.is_empty() {
            self.kinds.push(kind);
        }
        change
    }
}

/// Chooses `count` mutants, of all kinds or of `only` this one.
pub fn choose<'a>(
    places: impl Iterator<Item = (&'a String, &'a Vec<Place>)>,
    only: Option<Kind>,
    count: u64,
    seed: u64,
) -> Vec<Mutant> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut modules: Vec<Rest> = places
        .map(|(module, places)| {
            let mut kinds: BTreeMap<Kind, Vec<Vec<Change>>> = BTreeMap::new();
            for Place { kind, changes } in places.iter().filter(|place| only.is_none_or(|only| only == place.kind)) {
                let mut changes = changes.clone();
                shuffle(&mut random, &mut changes);
                kinds.entry(*kind).or_default().push(changes);
            }
            let mut kinds: Vec<Vec<Vec<Change>>> = kinds.into_values().collect();
            kinds.iter_mut().for_each(|places| shuffle(&mut random, places));
            shuffle(&mut random, &mut kinds);
            Rest { module: module.clone(), kinds }
        })
        .collect();
    let mut chosen = Vec::new();
    while (chosen.len() as u64) < count && modules.iter().any(|rest| !rest.kinds.is_empty()) {
        // When not all modules have a turn any more, chance says which of them have.
        shuffle(&mut random, &mut modules);
        for rest in &mut modules {
            if let Some(change) = rest.next().filter(|_| (chosen.len() as u64) < count) {
                chosen.push((rest.module.clone(), change));
            }
        }
    }
    chosen.sort_by(|(_, a), (_, b)| (&a.file, a.line, a.column, &a.after).cmp(&(&b.file, b.line, b.column, &b.after)));
    let mutant = |(id, (module, change))| Mutant { id, module, change: AnyChange::Source(change) };
    (1..).zip(chosen).map(mutant).collect()
}

fn shuffle<T>(random: &mut ChaCha8Rng, list: &mut [T]) {
    for end in (1..list.len()).rev() {
        list.swap(end, (random.next_u64() % (end as u64 + 1)) as usize);
    }
}
