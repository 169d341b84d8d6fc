// SPDX-License-Identifier: Apache-2.0
//! The page of a program that fails: what the unit executes of it is a case, a stream with the values of the host's
//! registers, and is looked into like any other.

use std::path::Path;

use anyhow::Result;

use super::program::{Code, Program};
use crate::base::interrupt::Interrupt;
use crate::case::replay::Identity;
use crate::case::{Case, Origin, stream};
use crate::cases::process::WATCHDOG;
use crate::lockstep::failure::Failure;
use crate::run::worker::Isolation;
use crate::triage::explain::Explainer;
use crate::triage::report;
use crate::unit::target::Target;

/// Seconds after which a program counts as one that never ends: it may be a hundred times as long as a random case.
const PROGRAM_WATCHDOG: u64 = 12 * WATCHDOG;

/// The report of a failing program, and its page below `out`, when there is such a folder; `again` is the command that
/// runs it again. What hinders the page is said behind the failure.
pub fn text(target: &Target, program: &Program, failure: &Failure, again: &str, out: Option<&Path>) -> String {
    let plain = || format!("{}  again    {again}\n", report::text(target, failure));
    let Some(out) = out else { return plain() };
    page(target, program, failure, again, out)
        .unwrap_or_else(|error| plain() + &format!("  note     no page: {}\n", files::printable(&format!("{error:#}"))))
}

fn page(target: &Target, program: &Program, failure: &Failure, again: &str, out: &Path) -> Result<String> {
    let case = case(target, program, failure)?;
    let origin = Origin { seed: program.setup.seed, case: 0, fault: 0 };
    let isolation = Isolation::new(PROGRAM_WATCHDOG, None);
    let failed = isolation.worker(target, false).case(&Identity::new(target), origin, &case)?;
    let Some(failed) = failed else {
        anyhow::bail!("the same instructions as a stream, without what the host does between them, do not fail")
    };
    let explainer = Explainer { out, isolation: &isolation, shrink: true, interrupt: &Interrupt::default() };
    Ok(explainer.explain(target, origin, &case, &failed, again).text)
}

/// What the unit executes of a program up to its failure and a little more.
fn case(target: &Target, program: &Program, failure: &Failure) -> Result<Case> {
    match &program.code {
        Code::Stream(words) => Ok(stream::of_words(target, words.clone(), program.setup.clone())),
        Code::Program(code) => stream::of_program(target, code, &program.setup, failure, program.limit),
    }
}
