// SPDX-License-Identifier: Apache-2.0
//! A JUnit file, as CI systems take it.

use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCaseStatus, TestSuite};

/// These suites as a document, which has the name `name`.
///
/// # Errors
/// When it cannot be written.
pub fn document(name: &str, suites: impl IntoIterator<Item = TestSuite>) -> Result<String> {
    let mut report = Report::new(name);
    report.add_test_suites(suites);
    Ok(legal(&for_jenkins(&report.to_string().context("the JUnit report cannot be written")?)))
}

/// The status of what was not run, or not to its end.
pub fn error(message: &str) -> TestCaseStatus {
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
