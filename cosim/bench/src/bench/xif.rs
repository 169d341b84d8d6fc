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
    // Whatever the configuration says: the adapter needs it.
    let mut target = target.clone();
    target.golden.csr_op = true;
    let mut case = Case::new(&target, seed, number);
    // The adapter has CSRs that the model does not know: a word that names one becomes one of no instruction.
    case.program.iter_mut().filter(|word| names_adapter(**word)).for_each(|word| *word |= 1 << 29 | 7 << 12);
    run_case(&target, &case, ModelKind::Xif, fault, |_| Ok(()))
}

/// Whether the word is a CSR instruction under the unit's opcode on `tcause` or `ttval`.
fn names_adapter(word: u32) -> bool {
    word & 0x2fe0_407f == 0x0180_405b && word & 0x3000 != 0
}
