// SPDX-License-Identifier: Apache-2.0
//! The options of the revision (docs/isa.md, chapter 11): decoders on every word, and slices that are moved in part.
#![allow(clippy::unwrap_used)]

use cosim_bench::cli::program::run_with_files;
use cosim_bench::decode::{TensorRow, compare};
use cosim_bench::unit::target::Target;
use rtl_gen::Config;

fn target(fields: &str) -> Target {
    let text =
        format!("name = \"revision\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = 4096\nl0m_bytes = 4096\nmatrix = true\n");
    cosim::workshop().of(Config::from_toml(&format!("{text}{fields}")).unwrap()).unwrap()
}

/// The numbers are those of docs/isa.md, "Legal words".
#[test]
#[ignore = "half a minute: make test-all"]
fn all_words_decode_alike_with_each_option() {
    let draft = 2_031_616;
    for (fields, more) in [
        ("pitch = true", 0),
        ("csr_op = true", 442_496 + 768),
        ("csr_op = true\npitch = true\ncsr_base = 0x880", 442_496 + 768 + 12_288),
        ("gpr_rs1 = true", 1_572_864),
        ("engine_id = 2\npitch = true\ncsr_op = true\ngpr_rs1 = true", 442_496 + 768 + 12_288 + 1_572_864),
    ] {
        let sweep = compare::<TensorRow>(&target(fields), |_| ()).unwrap();
        assert_eq!(sweep.different, 0, "{fields}: {:#x?}", sweep.first);
        assert_eq!(sweep.counts[0], ("legal", draft + more), "{fields}");
    }
}

const SLICES: &str = "
    li x5, 0x030104                 # [3, 1, 4] of 8 bits
    csrrw x0, tshape, x5
    csrrwi x0, tload_pitch, 7
    tl.load tl1, 1(x0)              # whole slices
    csrrwi x0, tload_width, 3
    csrrwi x0, tmask_load, 5
    tl.mload tl2, 1(x0)             # three elements of slices 0 and 2
    csrrwi x0, tstore_pitch, 2
    tl.store tl1, 8(x0)             # slices overlap: the higher one wins
    csrrwi x0, tstore_width, 1
    tl.csrrwi x0, tstore_pitch, 1
    csrrwi x0, tstore_stride1, 30
    tl.store tl1, 64(x0)            # strides are bytes
    li x6, -14
    csrrwi x0, tload_stride0, 3
    csrrwi x0, tload_stride1, 4
    csrrwi x0, tload_stride2, 2
    tl.load tl3, 0(x6)              # addresses wrap around: 7, 14 and 0
    csrrwi x0, ttype, 4
    csrrwi x0, tload_pitch, 3
    tl.load tl4, 0(x0)              # misaligned: slice 0 at 9
    csrrwi x0, tstore_pitch, 3
    csrrwi x0, tstore_stride1, 1
    tl.store tl1, 0(x0)             # misaligned: slice 1 at 3
    csrrwi x0, tmask_store, 5
    tl.mstore tl1, 0(x0)            # the others are not
    li x7, 2046
    csrrwi x0, tload_stride0, 0
    csrrwi x0, tload_stride1, 1
    csrrw x0, tload_pitch, x7
    tl.load tl5, 0(x0)              # slice 2 at 4092 has six bytes
    csrrwi x0, tload_width, 2
    tl.load tl5, 0(x0)              # four are inside
    csrrwi x0, tload_width, 5
    tl.load tl6, 0(x0)              # illegal: a slice has four elements
    csrrwi x0, tload_pitch, 0
    tl.load tl6, 0(x0)              # legal without a pitch
    li x5, 0x020103
    csrrw x0, tshape, x5
    csrrwi x0, ttype, 1
    csrrwi x0, tload_width, 2
    csrrwi x0, tload_pitch, 1
    tl.load tl7, 0(x0)              # illegal: slices of three 4-bit elements
";

#[test]
fn slices_are_moved_in_part_at_any_pitch() {
    for precise in ["", "precise = true\n"] {
        let target = target(&format!("{precise}pitch = true\ncsr_op = true\ngpr_rs1 = true"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("slices.s");
        std::fs::write(&file, SLICES).unwrap();
        let outcome = run_with_files(&target, &file, "", None).unwrap().unwrap_or_else(|text| panic!("{text}"));
        let traps = outcome.report.retired.iter().filter_map(|retired| retired.trap.map(|trap| (retired.word, trap)));
        let traps: Vec<_> = traps.map(|(word, trap)| (trap.cause, trap.tval, word)).collect();
        let expected = [(4, 9), (6, 3), (5, 4092)];
        assert_eq!(traps.iter().map(|&(cause, tval, _)| (cause, tval)).take(3).collect::<Vec<_>>(), expected);
        assert!(traps.len() == 5 && traps[3..].iter().all(|&(cause, tval, word)| (cause, tval) == (2, word)));
    }
}
