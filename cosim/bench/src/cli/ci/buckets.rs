// SPDX-License-Identifier: Apache-2.0
//! The failing cases of a run by their causes, as far as the small cases tell.

use std::collections::BTreeMap;

use super::{Failed, ShardReport};
use crate::triage::aftermath::Looked;
use crate::triage::bucket::Bucket;

#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub shard: &'a ShardReport,
    pub failed: &'a Failed,
    pub looked: &'a Looked,
}

impl Member<'_> {
    /// `w16 case 3`.
    pub fn name(&self) -> String {
        format!("{} case {}", self.shard.name(), self.failed.case)
    }
}

#[derive(Clone, Debug)]
pub struct Group<'a> {
    pub bucket: &'a Bucket,
    /// Those that were looked into, in the order of the run; at least one.
    pub members: Vec<Member<'a>>,
    /// Further ones with the same signature, which were not: they may have other causes. Their shards and numbers.
    pub more: Vec<(&'a ShardReport, u64)>,
}

impl<'a> Group<'a> {
    pub fn first(&self) -> Member<'a> {
        self.members[0]
    }

    /// The smallest case: that of the fewest instructions, then of the smallest state, then the first.
    pub fn smallest(&self) -> Member<'a> {
        self.members.iter().min_by_key(|member| member.looked.size).copied().unwrap_or(self.first())
    }

    pub fn cases(&self) -> usize {
        self.members.len() + self.more.len()
    }

    /// `; in the same way cases 5, 9`, or nothing: all but the first, of a bucket of one shard.
    pub fn also(&self) -> String {
        let mut numbers: Vec<u64> = self.members.iter().skip(1).map(|member| member.failed.case).collect();
        numbers.extend(self.more.iter().map(|&(_, case)| case));
        numbers.sort_unstable();
        let cases = if numbers.len() == 1 { "case" } else { "cases" };
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        if numbers.is_empty() { String::new() } else { format!("; in the same way {cases} {}", numbers.join(", ")) }
    }
}

/// The buckets of all shards, in the order in which they were first seen. What was not looked into goes to the first
/// one with its signature.
pub fn of(shards: &[ShardReport]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<&Bucket, usize> = BTreeMap::new();
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    for (shard, failed) in all(shards) {
        let Some(looked) = &failed.looked else { continue };
        let place = *places.entry(&looked.bucket).or_insert(groups.len());
        ways.entry(&failed.signature).or_insert(place);
        if place == groups.len() {
            groups.push(Group { bucket: &looked.bucket, members: Vec::new(), more: Vec::new() });
        }
        groups[place].members.push(Member { shard, failed, looked });
    }
    for (shard, failed) in all(shards).filter(|(_, failed)| failed.looked.is_none()) {
        if let Some(&place) = ways.get(failed.signature.as_str()) {
            groups[place].more.push((shard, failed.case));
        }
    }
    groups
}

fn all(shards: &[ShardReport]) -> impl Iterator<Item = (&ShardReport, &Failed)> {
    shards.iter().flat_map(|shard| shard.failures.iter().map(move |failed| (shard, failed)))
}

/// The columns of [`rows`].
pub const HEADER: [&str; 6] = ["bucket", "cases", "first seen", "smallest", "in the same way", "program"];

/// A row for each bucket.
pub fn rows(groups: &[Group]) -> impl Iterator<Item = [String; 6]> {
    (1..).zip(groups).map(|(number, group): (usize, &Group)| {
        let (number, cases) = (number.to_string(), group.cases().to_string());
        let (first, smallest) = (group.first().name(), group.smallest().name());
        [number, cases, first, smallest, group.bucket.way(), group.bucket.program_text()]
    })
}
