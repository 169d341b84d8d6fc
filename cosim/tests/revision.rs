// SPDX-License-Identifier: Apache-2.0
//! The revision (docs/isa.md, chapter 11) on the RTL: slices that are moved in part, at any pitch.
#![allow(clippy::unwrap_used)]

use cosim_bench::cli::program::run_with_files;
use cosim_bench::unit::target::Target;
use rtl_gen::Config;

fn target(fields: &str) -> Target {
    let text = "name = \"revision\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = 4096\nl0m_bytes = 4096\nmatrix = true\n";
    cosim::workshop().of(Config::from_toml(&format!("{text}{fields}")).unwrap()).unwrap()
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
    li x5, 0x020104
    csrrw x0, tshape, x5
    csrrwi x0, tload_width, 1
    tl.load tl7, 0(x0)              # illegal: one of them is moved
    csrrwi x0, ttype, 2
    li x5, 0x030104
    csrrw x0, tshape, x5
    csrrwi x0, tload_width, 3
    csrrwi x0, tload_pitch, 3
    tl.load tl7, 0(x0)              # neighbours in memory, not in the register
    li x5, 0x12345
    csrrw x0, tload_pitch, x5
    csrrs x8, tload_pitch, x0       # 16 bits are kept
";

/// Every row of the register file has data, then rows between slices become 0. Strides of a store whose bound is
/// aligned while a stride is not.
fn rows_and_strides() -> String {
    let mut text = "
    li x5, 0x020120
    csrrw x0, tshape, x5
    csrrwi x0, tload_width, 0
    csrrwi x0, tload_pitch, 0
    csrrwi x0, tload_stride1, 1
"
    .to_owned();
    (1..32).chain(1..32).for_each(|tl| text += &format!("    tl.load tl{tl}, 0(x0)\n"));
    text += "
    csrrwi x0, tload_width, 2
    csrrwi x0, tload_pitch, 20
    tl.load tl9, 0(x0)
    csrrwi x0, ttype, 4
    li x5, 0x020102
    csrrw x0, tshape, x5
    csrrwi x0, tstore_width, 0
    csrrwi x0, tstore_pitch, 1
    csrrwi x0, tstore_stride1, 1
";
    (2..32).for_each(|i| text += &format!("    csrrwi x0, tstore_stride{i}, 0\n"));
    (0..8).for_each(|_| text += "    nop\n    csrrs x0, tlenb, x0\n");
    text + "    fence\n    tl.store tl1, 1(x0)             # misaligned: slice 0 at 1\n"
}

#[test]
fn slices_are_moved_in_part_at_any_pitch() {
    for precise in ["", "precise = true\n"] {
        let target = target(&format!("{precise}pitch = true\ncsr_op = true\ngpr_rs1 = true"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("slices.s");
        std::fs::write(&file, format!("{SLICES}{}", rows_and_strides())).unwrap();
        let outcome = run_with_files(&target, &file, "", None).unwrap().unwrap_or_else(|text| panic!("{text}"));
        let traps = outcome.report.retired.iter().filter_map(|retired| retired.trap.map(|trap| (retired.word, trap)));
        let traps: Vec<_> = traps.map(|(word, trap)| (trap.cause, trap.tval, u64::from(word))).collect();
        let illegal = |i: usize| (2, traps[i].2);
        let expected = [(4, 9), (6, 3), (5, 4092), illegal(3), illegal(4), illegal(5), (6, 1)];
        assert_eq!(traps.iter().map(|&(cause, tval, _)| (cause, tval)).collect::<Vec<_>>(), expected);
    }
}
