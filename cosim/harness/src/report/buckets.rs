// SPDX-License-Identifier: Apache-2.0
//! The failing cases of a run by their causes, as far as the small cases tell.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{Bucket, Explained, Outcome, Reported, Words};
use crate::base::output::say;

/// A failing case in a bucket.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Name of the shard of a unit.
    pub shard: String,
    /// Number of the case.
    pub case: u64,
    /// What was found.
    pub explained: &'a Explained,
}

impl Member<'_> {
    /// `w16 case 3`.
    pub fn name(&self) -> String {
        format!("{} case {}", self.shard, self.case)
    }
}

/// A bucket with its cases.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// What its cases have in common.
    pub bucket: &'a Bucket,
    /// Those that were explained, in the order of the run; at least one.
    pub members: Vec<Member<'a>>,
    /// Further ones with the same signature, which were not: they may have other causes. Their shards and numbers.
    pub more: Vec<(String, u64)>,
}

impl<'a> Group<'a> {
    /// The case that came first.
    pub fn first(&self) -> &Member<'a> {
        &self.members[0]
    }

    /// The smallest case: that of the fewest steps, then of the smallest state, then the first.
    pub fn smallest(&self) -> &Member<'a> {
        self.members.iter().min_by_key(|member| member.explained.size).unwrap_or(self.first())
    }

    /// How many cases it has.
    pub fn cases(&self) -> usize {
        self.members.len() + self.more.len()
    }

    /// `; in the same way cases 5, 9`, or nothing: all but the first, of a bucket of one shard.
    pub fn also(&self) -> String {
        let mut numbers: Vec<u64> = self.members.iter().skip(1).map(|member| member.case).collect();
        numbers.extend(self.more.iter().map(|(_, case)| *case));
        numbers.sort_unstable();
        let cases = if numbers.len() == 1 { "case" } else { "cases" };
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        if numbers.is_empty() { String::new() } else { format!("; in the same way {cases} {}", numbers.join(", ")) }
    }
}

impl<S: Reported> Outcome<S> {
    /// The failing cases by their causes.
    pub fn buckets(&self) -> Vec<Group<'_>> {
        groups(std::slice::from_ref(self))
    }

    /// Says a report for each bucket, and which further cases fail in the same way.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn say_failures(&self) -> Result<()> {
        for group in self.buckets() {
            say!("\n{}", group.first().explained.text)?;
        }
        for (group, also) in
            self.buckets().iter().map(|group| (group, group.also())).filter(|(_, also)| !also.is_empty())
        {
            say!("{}: {}{also}", self.name(), group.bucket.signature)?;
        }
        Ok(())
    }
}

/// The buckets of all shards, in the order in which they were first seen. What was not explained goes to the first one
/// with its signature.
pub fn groups<S: Reported>(shards: &[Outcome<S>]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<&Bucket, usize> = BTreeMap::new();
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    let all = || shards.iter().flat_map(|shard| shard.failures.iter().map(move |failed| (shard, failed)));
    for (shard, failed) in all() {
        let Some(explained) = &failed.explained else { continue };
        let place = *places.entry(&explained.bucket).or_insert(groups.len());
        ways.entry(&failed.signature).or_insert(place);
        if place == groups.len() {
            groups.push(Group { bucket: &explained.bucket, members: Vec::new(), more: Vec::new() });
        }
        groups[place].members.push(Member { shard: shard.name(), case: failed.case, explained });
    }
    for (shard, failed) in all().filter(|(_, failed)| failed.explained.is_none()) {
        if let Some(&place) = ways.get(failed.signature.as_str()) {
            groups[place].more.push((shard.name(), failed.case));
        }
    }
    groups
}

/// The columns of [`rows`].
pub fn header(words: &Words) -> [&'static str; 6] {
    ["bucket", "cases", "first seen", "smallest", "in the same way", words.steps]
}

/// A row for each bucket.
pub fn rows(groups: &[Group]) -> impl Iterator<Item = [String; 6]> {
    (1..).zip(groups).map(|(number, group): (usize, &Group)| {
        let (number, cases) = (number.to_string(), group.cases().to_string());
        let (first, smallest) = (group.first().name(), group.smallest().name());
        [number, cases, first, smallest, group.bucket.way(), group.bucket.steps_text()]
    })
}
