// SPDX-License-Identifier: Apache-2.0
//! What is said of a mnemonic that there is not: whether another case would do, and which there are.

use super::cursor::Cursor;
use super::error::Fault;
use super::{csr, data, matrix, pseudo, rv32, tensor};
use crate::decode::{Host, Isa};

/// The error for a mnemonic that no family knows. With `follows` it stands behind `;`.
pub(super) fn unknown(cursor: &Cursor, isa: Isa, mnemonic: &str, follows: bool) -> Fault {
    let matrix: &[&str] = if isa.matrix { &matrix::PATTERNS } else { &[] };
    let host = Host::all(isa).map(Host::mnemonic).chain(csr::mnemonics(isa));
    let unit = tensor::mnemonics(isa).chain(matrix.iter().copied());
    let unit_csr: &[&str] = if isa.csr_op { &pseudo::UNIT_CSR } else { &[] };
    let rest = rv32::mnemonics().chain(pseudo::MNEMONICS).chain(unit_csr.iter().copied()).chain(data::mnemonics());
    let known: Vec<&str> = unit.chain(host).chain(rest).collect();
    let lower = mnemonic.to_lowercase();
    // The names of some end with dimensions.
    let stem = |text: &str| text.rsplit_once('.').map(|(stem, _)| stem.to_owned()).filter(|stem| stem.contains('.'));
    let like = |name: &&str| *name == lower || stem(name).is_some() && stem(name) == stem(&lower);
    let exists = known.iter().any(like) || isa.matrix && matrix::named(&lower).is_some();
    if lower != mnemonic && exists {
        return cursor.bad_mnemonic(mnemonic, &format!("mnemonics are lower case: `{lower}`"));
    }
    let mut fault = cursor.at_mnemonic(format!("unknown instruction `{mnemonic}`"));
    if follows {
        fault.message += " (`;` ends an instruction; a comment begins with `#` or `//`)";
    }
    fault.list = Some(known.join(", "));
    fault
}
