// SPDX-License-Identifier: Apache-2.0
//! Slices along one dimension of a block, moved in runs: the elements with the same index in that dimension that follow
//! each other in the register.

use super::runs::{Runs, copy_run};
use crate::isa::{Block, Choice};

/// As `gather` of `isa/concat_merge.rs`.
pub(super) fn gather(sources: Vec<u8>, Block { e, sizes, d }: Block, choice: &Choice) -> Vec<u8> {
    let reg_bytes = sources.len() / 2;
    let size = sizes[d];
    let product = |sizes: &[usize]| sizes.iter().product::<usize>();
    let (outer, inner) = (product(&sizes[..d]), product(&sizes[d + 1..]));

    let runs = Runs::new(sources, inner, e);
    let mut result = runs.zeros(reg_bytes);
    let (first, second) = runs.source.split_at(result.len());
    for o in 0..outer {
        for (slot, slice) in choice.iter().enumerate().take(size) {
            if let Some((n, i)) = *slice {
                let source = if n == 0 { first } else { second };
                let (to, from) = ((o * size + slot) * runs.run, (o * size + usize::from(i)) * runs.run);
                copy_run(&mut result[to..to + runs.run], &source[from..from + runs.run]);
            }
        }
    }
    runs.pack(result)
}
