// SPDX-License-Identifier: Apache-2.0
//! `cosim check decode`.

use anyhow::Result;

use crate::base::output::say;
use crate::base::table;
use crate::decode::{self, Columns, MatrixRow, TensorRow};
use crate::unit::target::{Target, UnitOptions, Workshop};

/// `cosim check decode`.
pub fn decode(workshop: &Workshop, options: &UnitOptions) -> Result<bool> {
    let target = options.target(workshop)?;
    let mut clean = decode_family::<TensorRow>(&target)?;
    if target.golden.matrix.is_some() {
        clean &= decode_family::<MatrixRow>(&target)?;
    }
    Ok(clean)
}

fn decode_family<R: Columns>(target: &Target) -> Result<bool> {
    let bar = table::progress("decode", decode::WORDS.into());
    let sweep = decode::compare::<R>(target, |done| bar.inc(done))?;
    bar.finish_and_clear();
    for difference in &sweep.first {
        say!("MISMATCH: decode of {:#010x}", difference.word)?;
        say!("  RTL      {:?}\n  model    {:?}", difference.rtl, difference.model)?;
    }
    let decode::Sweep { compared, different, counts, .. } = sweep;
    say!("{}, {}: {compared} words, every column compared, {different} decoded differently", target.name(), R::FAMILY)?;
    for (kind, count) in counts {
        say!("  {count:>8} {kind}")?;
    }
    Ok(different == 0)
}
