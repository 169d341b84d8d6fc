// SPDX-License-Identifier: Apache-2.0
//! The decoders of RTL and model agree on every word of the opcode, in every column.

use cosim::decode::compare;
use cosim::target::Target;

#[test]
fn all_words_of_the_opcode_decode_alike() {
    let target = Target::named("w16").expect("w16");
    let words = std::sync::atomic::AtomicU64::new(0);
    let (different, first) = compare(&target, |n| {
        words.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(words.into_inner(), 1 << 25);
    assert_eq!(different, 0, "{first:#x?}");
}

#[test]
fn another_engine_id_decodes_differently() {
    let mut target = Target::named("w16").expect("w16");
    target.golden.engine_id = 1;
    assert!(compare(&target, |_| ()).0 > 1 << 20);
}
