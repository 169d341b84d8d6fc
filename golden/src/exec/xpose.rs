// SPDX-License-Identifier: Apache-2.0
//! `tl.xpose.pq` (docs/isa.md, "tl.xpose").

use super::elements::{Runs, copy_run};
use super::write_tl;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// `tl.xpose.pq tlrs1, tlrs2, rs`: the 4-D tensor that is tlrs1 followed by tlrs2, with the sizes in x[rs], gets
/// dimensions p and q exchanged, in place. Illegal unless the type is legal, the registers differ, no size is 0, D0
/// is even and the tensor fills both registers exactly.
pub(super) fn xpose(m: &mut Machine, out: &mut Outcome, pq: [u8; 2], tlrs: [u8; 2], rs: u8) -> Result<(), Trap> {
    let illegal = Trap::illegal(out.word);
    let element = m.element_type().ok_or(illegal)?;
    let sizes = m.x(rs).to_le_bytes();
    let reg_bytes = m.tl.reg_bytes();
    let tensor_bits = sizes.iter().map(|&size| u64::from(size)).product::<u64>() * u64::from(element.bits);
    // A size of 0 makes the product 0, which no pair of registers has.
    if tlrs[0] == tlrs[1] || !sizes[0].is_multiple_of(2) || tensor_bits == 0 || tensor_bits != 16 * reg_bytes as u64 {
        return Err(illegal);
    }

    let (p, q) = (usize::from(pq[0].min(pq[1]) & 3), usize::from(pq[0].max(pq[1]) & 3));
    let source = m.tl.pair(tlrs[0], tlrs[1]);
    let result = if p == q { source } else { exchange(source, sizes.map(usize::from), p, q, element.bits) };
    let (first, second) = result.split_at(reg_bytes);
    for (tl, half) in tlrs.into_iter().zip([first, second]) {
        if let Some(register) = write_tl(m, out, tl) {
            register.copy_from_slice(half);
        }
    }
    Ok(())
}

/// Exchanges dimensions p < q of a tensor: seen as `[a, P, between, Q, run]` it becomes `[a, Q, between, P, run]`.
fn exchange(source: Vec<u8>, sizes: [usize; 4], p: usize, q: usize, bits: u32) -> Vec<u8> {
    let bytes = source.len();
    let product = |sizes: &[usize]| sizes.iter().product::<usize>();
    let counts = [product(&sizes[..p]), sizes[p], product(&sizes[p + 1..q]), sizes[q]];
    let runs = Runs::new(source, product(&sizes[q + 1..]), bits);
    let mut result = runs.zeros(bytes);
    // A constant run length lets the compiler turn the copies of single elements into plain moves.
    match runs.run {
        1 => exchange_runs(&mut result, &runs.source, counts, 1),
        2 => exchange_runs(&mut result, &runs.source, counts, 2),
        4 => exchange_runs(&mut result, &runs.source, counts, 4),
        run => exchange_runs(&mut result, &runs.source, counts, run),
    }
    runs.pack(result)
}

#[inline(always)]
fn exchange_runs(result: &mut [u8], source: &[u8], [outer, p_size, between, q_size]: [usize; 4], run: usize) {
    let p_step = between * q_size * run;
    let mut targets = result.chunks_exact_mut(run);
    for o in 0..outer {
        for q in 0..q_size {
            for b in 0..between {
                let mut from = o * p_size * p_step + (b * q_size + q) * run;
                for to in targets.by_ref().take(p_size) {
                    copy_run(to, &source[from..from + run]);
                    from += p_step;
                }
            }
        }
    }
}
