// SPDX-License-Identifier: Apache-2.0
//! The revision (docs/isa.md, chapter 11) on the RTL: slices that are moved in part, at any pitch.
#![allow(clippy::unwrap_used)]

use cosim_bench::cli::programs::run_with_files;
use cosim_bench::unit::target::Target;
use rtl_gen::Config;

fn target(fields: &str) -> Target {
    let text = "name = \"revision\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = 4096\nl0m_bytes = 4096\nmatrix = true\n";
    cosim::workshop().target_of(Config::from_toml(&format!("{text}{fields}")).unwrap()).unwrap()
}

const SLICES: &str = include_str!("revision.s");

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
    move_slices(true);
}

#[test]
#[ignore = "needs a model of its own: make test-all"]
fn slices_are_moved_in_part_at_any_pitch_without_precise_traps() {
    move_slices(false);
}

fn move_slices(precise: bool) {
    let target = target(&format!("precise = {precise}\npitch = true\ncsr_op = true\ngpr_rs1 = true"));
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
