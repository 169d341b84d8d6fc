// SPDX-License-Identifier: Apache-2.0
//! The unit with the properties that are proven of it, and the assumptions of the proofs, as assertions: random cases.

use crate::case::Case;
use crate::lockstep::Counts;
use crate::lockstep::failure::Failure;
use crate::run::executor::run_case;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// Runs random case `number` in lockstep; `fault` is a planted one, 0 for none.
///
/// # Errors
/// What went wrong, a property that does not hold among it.
pub fn random(target: &Target, [seed, number]: [u64; 2], fault: u32) -> Result<Counts, Box<Failure>> {
    run_case(target, &Case::new(target, seed, number), ModelKind::Facts, fault, |_| Ok(()))
}
