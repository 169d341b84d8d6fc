// SPDX-License-Identifier: Apache-2.0
//! What a trace of the model checker means: what differs at its end, and the instructions that lead there.

use super::aig::{Lit, value};
use super::difference::{Claim, Difference};
use super::{Issued, Witness};

/// The claims that are wrong in the last cycle, and the instructions until then; the port is left empty.
pub fn read<'a>(difference: &'a Difference, trace: &[Vec<(usize, bool)>]) -> (Vec<&'a Claim>, Witness) {
    let cycles = difference.aig.simulate(trace);
    let port = |name: &str| difference.ports.get(name).copied().unwrap_or(Lit::FALSE);
    let (valid, ready) = (port("issue_valid_i"), port("issue_ready_o"));
    let fields = ["issue_instr_i", "issue_rs_i", "issue_rs2_i"].map(|name| word(difference, name));
    let issued = cycles.iter().filter(|now| value(now, valid) && value(now, ready)).map(|now| {
        let field = |bits: &[Lit]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u32::from(value(now, bit)));
        let [word, rs, rs2] = fields.each_ref().map(|bits| field(bits));
        Issued { word, rs: [rs, rs2] }
    });
    let witness = Witness { port: String::new(), cycles: cycles.len(), instructions: issued.collect() };
    let wrong = cycles
        .last()
        .map_or_else(Vec::new, |now| difference.claims.iter().filter(|claim| value(now, claim.differs)).collect());
    (wrong, witness)
}

/// The 32 bits of an input, lowest first.
fn word(difference: &Difference, name: &str) -> Vec<Lit> {
    let bit = |bit| difference.ports.get(&format!("{name}[{bit}]")).copied().unwrap_or(Lit::FALSE);
    (0..32).map(bit).collect()
}
