// SPDX-License-Identifier: Apache-2.0
//! `faults`: each planted fault has to be found.

use std::path::Path;

use anyhow::Result;

use super::models::Target;
use super::random::{RandomOptions, random};
use super::unit::Unit;
use crate::base::interrupt::Interrupt;
use crate::base::output::say;
use crate::base::table;

/// Runs random cases on each planted fault until one fails, and makes that smaller; gives whether all were found.
///
/// # Errors
/// When cases cannot be run, or files not be written.
pub fn faults<U: Unit>(target: &Target<U>, options: &RandomOptions, out: &Path, interrupt: &Interrupt) -> Result<bool> {
    let faults = target.unit.faults();
    let (mut rows, mut missed) = (Vec::new(), 0);
    for fault in &faults {
        let options = RandomOptions { fault: fault.id, out: out.to_owned(), until_covered: true, ..options.clone() };
        let part = random(target, &options, interrupt)?;
        missed += usize::from(part.failures.is_empty());
        let by = part.failures.first().map_or("NOT FOUND".to_owned(), |found| found.signature.clone());
        rows.push([fault.id.to_string(), fault.description.clone(), part.cases.to_string(), by]);
    }
    let found = faults.len() - missed;
    say!(
        "{}\n{found} of {} faults found",
        table::rows(&["fault", "description", "cases", "found by"], 4, rows),
        faults.len()
    )?;
    Ok(missed == 0)
}
