// SPDX-License-Identifier: Apache-2.0
//! The unit behind the extension interface of a core: random cases.

use crate::case::Case;
use crate::lockstep::Counts;
use crate::lockstep::failure::Failure;
use crate::run::executor::run_case;
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// Runs random case `number` behind the extension interface, in lockstep; `fault` is one of the adapter, 0 for none.
///
/// # Errors
/// What went wrong.
pub fn random(target: &Target, [seed, number]: [u64; 2], fault: u32) -> Result<Counts, Box<Failure>> {
    run_case(target, &Case::new(target, seed, number), ModelKind::Xif, fault, |_| Ok(()))
}
