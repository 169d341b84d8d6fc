// SPDX-License-Identifier: Apache-2.0
//! A JUnit file: a test case for each unit and shard.

use anyhow::Result;
use quick_junit::TestSuite;

use super::buckets::Group;
use super::{Explained, Outcome, Reported};
use crate::base::junit::{self, document};
use crate::cases::schedule::Stopped;

/// The report as XML. What a person needs first, the seed and the command that runs the case again, is in the
/// failure's message, which CI systems show in their lists. What is `missing` is an error. `others` are suites beside.
///
/// # Errors
/// When it cannot be written.
pub fn xml<S: Reported>(
    shards: &[Outcome<S>],
    others: impl IntoIterator<Item = TestSuite>,
    missing: &[String],
) -> Result<String> {
    let title = S::words().title;
    // Where CI systems list the test cases.
    let class = title.replace(' ', ".");
    let mut suite = TestSuite::new(&title);
    for shard in shards {
        let mut case = junit::case((&class, &shard.name()), shard.ending(), shard.elapsed, || failure(shard));
        let stopped = match shard.stopped {
            None => String::new(),
            Some(Stopped::Time) => ", until the time was up".into(),
            Some(Stopped::Signal(signal)) => format!(", interrupted by signal {signal}"),
        };
        let note = shard.sums.note().map_or_else(String::new, |note| format!("; {note}"));
        let (did, details) = (shard.sums.text(), shard.sums.details());
        case.set_system_out(format!("seed {}, {} cases, {did}{stopped}{note}{details}", shard.seed, shard.cases));
        suite.add_test_case(case);
    }
    suite.add_test_cases(missing.iter().map(|name| junit::missing(&class, name)));
    document(&title, [suite].into_iter().chain(others))
}

fn failure<S: Reported>(shard: &Outcome<S>) -> [String; 2] {
    let buckets = shard.buckets();
    let message = |group: &Group| {
        let Explained { headline, again, .. } = group.first().explained;
        format!("{headline}; seed {}; again: {again}{}", shard.seed, group.also())
    };
    let text = |group: &Group| group.first().explained.text.clone();
    [
        buckets.iter().map(message).collect::<Vec<_>>().join(" | "),
        buckets.iter().map(text).collect::<Vec<_>>().join("\n"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::Nothing;

    #[test]
    fn a_suite_counts_skipped_cases_as_the_schema_of_jenkins_has_it() {
        let xml = xml::<Nothing>(&[], [], &["tiny".into()]).expect("report");
        assert!(!xml.lines().any(|line| line.contains("<testsuite ") && line.contains("disabled=")), "{xml}");
        assert!(xml.contains("skipped=\"0\""), "{xml}");
    }

    #[test]
    fn no_character_is_one_that_xml_does_not_have() {
        let every = ('\0'..='\u{ffff}').chain(['\u{1ffff}']).collect::<String>();
        let xml = xml::<Nothing>(&[], [], &[every]).expect("report");
        let allowed =
            |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.contains('\u{1ffff}') && xml.chars().all(allowed), "{:?}", xml.chars().find(|c| !allowed(*c)));
    }
}
