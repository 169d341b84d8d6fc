// SPDX-License-Identifier: Apache-2.0
//! A JUnit file, as CI systems take it.

use std::time::Duration;

use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::ending::Ending;

/// These suites as a document, which has the name `name`.
///
/// # Errors
/// When it cannot be written.
pub fn document(name: &str, suites: impl IntoIterator<Item = TestSuite>) -> Result<String> {
    let mut report = Report::new(name);
    report.add_test_suites(suites);
    Ok(legal(&for_jenkins(&report.to_string().context("the JUnit report cannot be written")?)))
}

/// A part of a run that ended so, and took so long; `failure` gives what failed, on a line and as a text.
pub fn case(
    (class, name): (&str, &str),
    ending: Ending,
    elapsed: Duration,
    failure: impl FnOnce() -> [String; 2],
) -> TestCase {
    let status = match ending {
        Ending::Clean | Ending::Failed => TestCaseStatus::success(),
        Ending::Nothing => error("no case was run"),
        Ending::Interrupted(signal) => error(&format!("interrupted by signal {signal}")),
        Ending::Different => {
            let ([message, text], mut status) = (failure(), TestCaseStatus::non_success(NonSuccessKind::Failure));
            status.set_type("mismatch").set_message(message).set_description(text);
            status
        }
    };
    let mut case = TestCase::new(name, status);
    case.set_classname(class).set_time(elapsed);
    case
}

/// A part of a run that is missing.
pub fn missing(class: &str, name: &str) -> TestCase {
    let mut case = TestCase::new(name, error("the run ended, or has to go on, before this was done"));
    case.set_classname(class);
    case
}

/// The status of what was not run, or not to its end.
fn error(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(message);
    status
}

/// The two characters that quick-junit lets pass and XML does not allow.
fn legal(xml: &str) -> String {
    xml.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Jenkins' schema has `skipped` for a suite where quick-junit writes `disabled`.
fn for_jenkins(xml: &str) -> String {
    let suite = |line: &str| line.trim_start().starts_with("<testsuite ");
    let line = |line: &str| if suite(line) { line.replacen(" disabled=", " skipped=", 1) } else { line.to_owned() };
    xml.split_inclusive('\n').map(line).collect()
}
