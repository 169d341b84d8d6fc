// SPDX-License-Identifier: Apache-2.0
//! The choice of mutants: the same number of each module, as far as there are so many; in a module of each kind; of
//! each place one before a second one.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::mutant::{Edit, Kind, Mutant};
use super::sites::Site;
use crate::model::source::SourceFile;

/// A place with the mutants that can be there; their numbers are not known yet.
#[derive(Clone, Debug)]
pub struct Place {
    kind: Kind,
    mutants: Vec<Mutant>,
}

/// The text on one line.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The places of a module in a file.
pub fn places(file: &SourceFile, module: &str, sites: Vec<Site>) -> Vec<Place> {
    let mutant = |kind: Kind, edits: Vec<Edit>| {
        let first = edits.first()?;
        let text = &file.text[..first.range.start];
        Some(Mutant {
            id: 0,
            module: module.to_owned(),
            file: file.name.clone(),
            line: text.matches('\n').count() + 1,
            column: text.len() - text.rfind('\n').map_or(0, |end| end + 1) + 1,
            kind,
            before: squeezed(&file.text[first.range.clone()]),
            after: first.after.clone(),
            name: name(file, kind, first),
            edits,
        })
    };
    let place = |Site { kind, mutants }| {
        let mutants = mutants.into_iter().filter_map(|edits| mutant(kind, edits)).collect();
        Place { kind, mutants }
    };
    sites.into_iter().map(place).collect()
}

/// The name of a mutant: file, kind, and its lines of the text with what is exchanged in brackets.
fn name(file: &SourceFile, kind: Kind, edit: &Edit) -> String {
    let (text, Edit { range, after, .. }) = (&file.text, edit);
    let head = &text[text[..range.start].rfind('\n').map_or(0, |end| end + 1)..range.start];
    let tail = text[range.end..].lines().next().unwrap_or_default();
    let tail = tail.split("//").next().unwrap_or_default();
    let line = squeezed(&format!("{head}[[{} -> {after}]]{tail}", &text[range.clone()]));
    format!("{}, {}: {line}", file.name, kind.name())
}

/// What is left of a module: the places of each kind.
struct Rest {
    kinds: Vec<Vec<Vec<Mutant>>>,
}

impl Rest {
    /// The next mutant: the kinds take turns, and in each of them the places.
    fn next(&mut self) -> Option<Mutant> {
        if self.kinds.is_empty() {
            return None;
        }
        let mut kind = self.kinds.remove(0);
        let mut place = kind.remove(0);
        let mutant = place.pop();
        if !place.is_empty() {
            kind.push(place);
        }
        if !kind.is_empty() {
            self.kinds.push(kind);
        }
        mutant
    }
}

/// Chooses `count` mutants of these modules, of all kinds or of `only` this one, in the order of the text.
pub fn choose<'a>(
    modules: impl Iterator<Item = &'a Vec<Place>>,
    only: Option<Kind>,
    count: u64,
    seed: u64,
) -> Vec<Mutant> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut modules: Vec<Rest> = modules
        .map(|places| {
            let mut kinds: BTreeMap<Kind, Vec<Vec<Mutant>>> = BTreeMap::new();
            for Place { kind, mutants } in places.iter().filter(|place| only.is_none_or(|only| only == place.kind)) {
                let mut mutants = mutants.clone();
                shuffle(&mut random, &mut mutants);
                kinds.entry(*kind).or_default().push(mutants);
            }
            let mut kinds: Vec<Vec<Vec<Mutant>>> = kinds.into_values().collect();
            kinds.iter_mut().for_each(|places| shuffle(&mut random, places));
            shuffle(&mut random, &mut kinds);
            Rest { kinds }
        })
        .collect();
    let mut chosen = Vec::new();
    while (chosen.len() as u64) < count && modules.iter().any(|rest| !rest.kinds.is_empty()) {
        // When not all modules have a turn any more, chance says which of them have.
        shuffle(&mut random, &mut modules);
        for rest in &mut modules {
            chosen.extend(rest.next().filter(|_| (chosen.len() as u64) < count));
        }
    }
    let key = |mutant: &Mutant| (mutant.file.clone(), mutant.line, mutant.column, mutant.after.clone());
    chosen.sort_by_cached_key(key);
    (1..).zip(&mut chosen).for_each(|(id, mutant)| mutant.id = id);
    chosen
}

fn shuffle<T>(random: &mut ChaCha8Rng, list: &mut [T]) {
    for end in (1..list.len()).rev() {
        list.swap(end, (random.next_u64() % (end as u64 + 1)) as usize);
    }
}
