// SPDX-License-Identifier: Apache-2.0
//! Programs, replay files and operators in the reports.

use std::fmt::Write;

use quick_junit::{TestCase, TestSuite};

use crate::base::ending::Ending;
use crate::base::junit;
use crate::base::table::indented;
use crate::cli::table::NamedRun;
use crate::report::summary::Others;

/// The suite of these runs, if there are any.
pub fn suite(runs: &[&NamedRun]) -> Option<TestSuite> {
    let mut suite = TestSuite::new("cosim regress");
    suite.add_test_cases(runs.iter().map(|run| case(run)));
    (!runs.is_empty()).then_some(suite)
}

fn case(run: &NamedRun) -> TestCase {
    let (class, name) = (format!("cosim.{}", run.kind), format!("{} {}", run.config, run.name));
    let text = run.failure.as_deref();
    let failure = || [text.and_then(|text| text.lines().next()), text].map(|text| text.unwrap_or_default().to_owned());
    junit::case((&class, &name), Ending::from(text.is_none()), run.elapsed, failure)
}

/// The same for a summary: those that failed are named.
pub fn others(runs: &[&NamedRun]) -> Others {
    let wrong: Vec<(&NamedRun, &String)> = runs.iter().filter_map(|run| Some((*run, run.failure.as_ref()?))).collect();
    let mut text = String::new();
    if !runs.is_empty() {
        let _ = writeln!(text, "\n{} programs, replay files and operators, {} failed", runs.len(), wrong.len());
    }
    for (run, failure) in &wrong {
        let NamedRun { config, kind, name, .. } = run;
        let _ = write!(text, "\n### {config}: {kind} {name}\n\n{}\n", indented(failure));
    }
    let ending = (!runs.is_empty()).then(|| Ending::from(wrong.is_empty()));
    Others { ending, failed: wrong.len(), text }
}
