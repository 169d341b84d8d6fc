// SPDX-License-Identifier: Apache-2.0
//! Exchange of two dimensions of a tensor, moved in runs: the elements behind the inner one of the two.

use super::runs::{Runs, copy_run};
use crate::isa::Tensor4;

/// As `exchange` of `isa/xpose.rs`. With p < q the tensor, seen as `[a, P, between, Q, run]`, becomes
/// `[a, Q, between, P, run]`.
pub(super) fn exchange(source: Vec<u8>, Tensor4 { e, sizes }: Tensor4, p: usize, q: usize) -> Vec<u8> {
    if p == q {
        return source;
    }
    let (p, q) = (p.min(q), p.max(q));
    let bytes = source.len();
    let product = |sizes: &[usize]| sizes.iter().product::<usize>();
    let counts = [product(&sizes[..p]), sizes[p], product(&sizes[p + 1..q]), sizes[q]];
    let runs = Runs::new(source, product(&sizes[q + 1..]), e);
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
