// SPDX-License-Identifier: Apache-2.0
//! A JUnit file: a test case for each configuration and shard.

use anyhow::Result;
use quick_junit::{TestCase, TestSuite};

use super::ShardReport;
use super::buckets::Group;
use crate::base::ending::Ending;
use crate::base::junit::{self, document};
use crate::cli::table::NamedRun;
use crate::lockstep::mnemonics::Uses;
use crate::run::schedule::Stopped;
use crate::triage::aftermath::Looked;

/// Where CI systems list the test cases.
const CLASS: &str = "cosim.random";

/// The report as XML. What a person needs first, the seed and the command that runs the case again, is in the
/// failure's message, which CI systems show in their lists. What is `missing` is an error. `parts` are a suite of their
/// own.
pub fn xml(shards: &[ShardReport], parts: &[&NamedRun], missing: &[String]) -> Result<String> {
    let mut suite = TestSuite::new("cosim random");
    for shard in shards {
        let mut case = junit::case((CLASS, &shard.name()), shard.ending(), shard.elapsed, || failure(shard));
        let stopped = match shard.stopped {
            None => String::new(),
            Some(Stopped::Time) => ", until the time was up".into(),
            Some(Stopped::Signal(signal)) => format!(", interrupted by signal {signal}"),
        };
        case.set_system_out(
            format!(
                "seed {}, {} cases, {} instructions, {} cycles{stopped}{}",
                shard.seed,
                shard.cases,
                shard.counts.retired,
                shard.counts.cycles,
                shard.unseen().map_or_else(String::new, |unseen| format!("; {unseen}"))
            ) + &mnemonics(shard),
        );
        suite.add_test_case(case);
    }
    suite.add_test_cases(missing.iter().map(|name| junit::missing(CLASS, name)));
    let mut suites = vec![suite];
    if !parts.is_empty() {
        let mut suite = TestSuite::new("cosim regress");
        suite.add_test_cases(parts.iter().map(|part| named(part)));
        suites.push(suite);
    }
    document("cosim random", suites)
}

/// A program, a replay file or an operator.
fn named(part: &NamedRun) -> TestCase {
    let (class, name) = (format!("cosim.{}", part.kind), format!("{} {}", part.config, part.name));
    let text = part.failure.as_deref();
    let failure = || [text.and_then(|text| text.lines().next()), text].map(|text| text.unwrap_or_default().to_owned());
    junit::case((&class, &name), Ending::from(text.is_none()), part.elapsed, failure)
}

fn mnemonics(shard: &ShardReport) -> String {
    let line = |(mnemonic, uses): (&str, Uses)| {
        let Uses { issued, retired, trapped } = uses;
        format!("\n{mnemonic}: {issued} issued, {retired} retired, {trapped} trapped")
    };
    shard.counts.mnemonics.iter().map(line).collect()
}

fn failure(shard: &ShardReport) -> [String; 2] {
    let buckets = shard.buckets();
    let message = |group: &Group| {
        let Looked { headline, again, .. } = group.first().looked;
        format!("{headline}; seed {}; again: {again}{}", shard.seed, group.also())
    };
    let text = |group: &Group| group.first().looked.text.clone();
    [
        buckets.iter().map(message).collect::<Vec<_>>().join(" | "),
        buckets.iter().map(text).collect::<Vec<_>>().join("\n"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_counts_skipped_cases_as_the_schema_of_jenkins_has_it() {
        let xml = xml(&[], &[], &["tiny".into()]).expect("report");
        assert!(!xml.lines().any(|line| line.contains("<testsuite ") && line.contains("disabled=")), "{xml}");
        assert!(xml.contains("skipped=\"0\""), "{xml}");
    }

    #[test]
    fn no_character_is_one_that_xml_does_not_have() {
        let every = ('\0'..='\u{ffff}').chain(['\u{1ffff}']).collect::<String>();
        let xml = xml(&[], &[], &[every]).expect("report");
        let allowed =
            |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.contains('\u{1ffff}') && xml.chars().all(allowed), "{:?}", xml.chars().find(|c| !allowed(*c)));
    }
}
