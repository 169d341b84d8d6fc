// SPDX-License-Identifier: Apache-2.0
//! One test for each clause of docs/isa.md, "Matrix operations" and "Matrix traps".
#![allow(clippy::unwrap_used)]

use crate::common::*;
use golden::asm::assemble;
use golden::{Machine, Outcome, Tile};

/// 4 x 16 bytes in each register, memories of 8192 bytes; x10 is the base and x11 the stride.
fn machine(sizes: [u32; 3], base: u32, stride: u32) -> Machine {
    let mut m = random_machine(&matrix_config(512, 128), &mut Rng(40));
    set_sizes(&mut m, sizes);
    m.set_x(10, base);
    m.set_x(11, stride);
    m
}

fn word(m: &Machine, text: &str) -> u32 {
    assemble("test", &format!("{text}, (x10), x11"), m.config()).unwrap()[0]
}

#[track_caller]
fn traps(m: &mut Machine, text: &str, cause: u32, tval: u32) {
    let word = word(m, text);
    assert_word_traps(m, word, cause, tval);
}

#[track_caller]
fn illegal(m: &mut Machine, text: &str) {
    let word = word(m, text);
    assert_word_traps(m, word, 2, word);
}

#[track_caller]
fn legal(m: &mut Machine, text: &str) -> Outcome {
    let out = m.step(word(m, text));
    assert_eq!(out.trap, None, "{text}");
    out
}

const BIG: u32 = 0xFFFF_FFFF;

#[test]
fn rows_beyond_the_register_are_illegal() {
    for text in ["mlae8 tr0", "msae8 tr0", "mlate8 tr0", "msate8 tr0", "mlce8 acc0", "mscte8 acc0"] {
        for rows in [5, 8, 1 << 30, BIG] {
            illegal(&mut machine([rows, 1, 1], 1024, 16), text);
        }
        legal(&mut machine([4, 1, 1], 1024, 16), text);
    }
    for text in ["mlbe8 tr0", "msbe8 tr0", "mlbte8 tr0", "msbte8 tr0"] {
        illegal(&mut machine([1, 5, 1], 1024, 16), text);
        legal(&mut machine([1, 4, 1], 1024, 16), text);
    }
}

/// 1 << 30 elements of four bytes are 0 modulo 2^32.
#[test]
fn columns_beyond_the_row_are_illegal() {
    for (bits, limit) in [(8, 16), (16, 8), (32, 4)] {
        for form in ["a", "at", "b", "bt"] {
            let text = format!("ml{form}e{bits} tr0");
            for columns in [limit + 1, 1 << 30, BIG] {
                illegal(&mut machine([1, 1, columns], 1024, 16), &text);
            }
            legal(&mut machine([1, 1, limit], 1024, 16), &text);
        }
        for form in ["c", "ct"] {
            let text = format!("ms{form}e{bits} acc0");
            illegal(&mut machine([1, limit + 1, 1], 1024, 16), &text);
            legal(&mut machine([1, limit, 1], 1024, 16), &text);
        }
    }
}

/// With 8 rows of 16 bytes an accumulation row has 32 bytes.
#[test]
fn the_rows_of_both_kinds_have_lengths_of_their_own() {
    let mut m = random_machine(&matrix_config(1024, 128), &mut Rng(41));
    m.set_x(10, 1024);
    for (sizes, text, is_legal) in [
        ([8, 0, 16], "mlae8 tr0", true),
        ([8, 0, 17], "mlae8 tr0", false),
        ([8, 32, 0], "mlce8 acc0", true),
        ([8, 33, 0], "mlce8 acc0", false),
        ([8, 8, 0], "mlce32 acc0", true),
        ([9, 8, 0], "mlce32 acc0", false),
    ] {
        set_sizes(&mut m, sizes);
        if is_legal { drop(legal(&mut m, text)) } else { illegal(&mut m, text) }
    }
}

#[test]
fn only_the_two_sizes_of_the_form_count() {
    legal(&mut machine([4, BIG, 16], 1024, 16), "mlae8 tr0");
    legal(&mut machine([BIG, 4, 16], 1024, 16), "mlbte8 tr0");
    legal(&mut machine([4, 4, BIG], 1024, 16), "msce32 acc0");
}

#[test]
fn a_tile_without_elements_does_nothing_whatever_the_addresses() {
    for sizes in [[0, 0, 0], [0, 4, 4], [4, 0, 0]] {
        for text in ["mlae32 tr0", "msate32 tr0", "mlcte32 acc0", "msce32 acc0"] {
            let mut m = machine(sizes, BIG, 3);
            let mut expected = m.clone();
            let out = legal(&mut m, text);
            assert_eq!(out, Outcome { word: out.word, ..Outcome::default() });
            expected.hart.pc += 4;
            assert!(m == expected);
        }
    }
    // The sizes are looked at before: no rows of too many columns are illegal.
    illegal(&mut machine([0, 0, 17], 1024, 16), "mlae8 tr0");
    illegal(&mut machine([5, 0, 0], 1024, 16), "mlae8 tr0");
}

#[test]
fn a_misaligned_base() {
    for (text, cause, step) in
        [("mlae16 tr0", 4, 2), ("mlate32 tr0", 4, 4), ("msbe16 tr0", 6, 2), ("mscte32 acc0", 6, 4)]
    {
        for offset in 1..step {
            traps(&mut machine([1, 1, 1], 1024 + offset, 16), text, cause, 1024 + offset);
            // Alignment comes before the access fault, and the base before the stride.
            traps(&mut machine([2, 2, 2], BIG - offset + 1, 1), text, cause, BIG - offset + 1);
        }
    }
    legal(&mut machine([4, 4, 4], 1025, 3), "mlae8 tr0");
}

#[test]
fn a_misaligned_stride_counts_with_a_second_line() {
    traps(&mut machine([2, 1, 1], 1024, 2), "mlae32 tr0", 4, 1026);
    traps(&mut machine([2, 1, 1], 1024, BIG), "msae16 tr0", 6, 1023);
    traps(&mut machine([2, 1, 1], 4, 0xFFFF_FFFE), "mlce32 acc0", 4, 2);
    traps(&mut machine([1, 1, 2], 1024, 2), "mlate32 tr0", 4, 1026);
    // Alignment of all lines comes before the first access, which is outside here.
    traps(&mut machine([2, 1, 1], 0x8000_0000, 1), "msae16 tr0", 6, 0x8000_0001);
    // One line: one row in a plain form, one column in a transposed form.
    legal(&mut machine([1, 1, 4], 1024, 1), "mlae32 tr0");
    legal(&mut machine([4, 1, 1], 1024, 1), "mlate32 tr0");
    legal(&mut machine([4, 1, 1], 1024, 1), "mscte32 acc0");
}

#[test]
fn the_first_element_outside_in_memory_order() {
    // The memories have 8192 bytes. Within a line, then line after line.
    traps(&mut machine([2, 1, 8], 8192 - 6, 16), "mlae16 tr0", 5, 8192);
    traps(&mut machine([4, 1, 4], 8192 - 40, 16), "msae8 tr0", 7, 8192 + 8);
    traps(&mut machine([4, 1, 4], 16, 0xFFFF_FFF8), "mlae8 tr0", 5, 0xFFFF_FFF8);
    // Transposed: column 2 is the first line outside, and its first element the first row.
    traps(&mut machine([4, 1, 4], 8192 - 64, 32), "mlate32 tr0", 5, 8192);
    traps(&mut machine([4, 4, 0], 8192 - 60, 32), "mscte32 acc0", 7, 8192 - 60 + 64);
    // Row 2 of the first column comes before row 0 of the second.
    traps(&mut machine([4, 1, 4], 8190, 32), "mlate8 tr0", 5, 8192);
    legal(&mut machine([4, 1, 4], 8192 - 64, 16), "msate32 tr0");
}

#[test]
fn addresses_wrap_around_element_by_element() {
    // Base + stride is 0 modulo 2^32, and a negative stride walks down.
    let mut m = machine([4, 1, 16], 1024, 0u32.wrapping_sub(256));
    legal(&mut m, "mlae8 tr0");
    assert_eq!(m.tiles.as_ref().unwrap().get(Tile::Tr(0))[48..64], m.l1m.bytes[256..272]);
    // 3 * 0x8000_0000 is 0x8000_0000 modulo 2^32; 2 * 0x8000_0000 is 0.
    traps(&mut machine([2, 1, 1], 64, 0x8000_0000), "mlae8 tr0", 5, 0x8000_0040);
    let mut m = machine([1, 1, 16], 0xFFFF_FFF8, 0);
    traps(&mut m, "mlae8 tr0", 5, 0xFFFF_FFF8);
}

#[test]
fn where_stores_overlap_the_last_element_in_memory_order_wins() {
    let tile = |m: &Machine| m.tiles.as_ref().unwrap().get(Tile::Tr(0)).to_vec();
    // Stride 0: all lines at one place.
    let mut m = machine([4, 1, 16], 1024, 0);
    let out = legal(&mut m, "msae8 tr0");
    assert_eq!(m.l0m.bytes[1024..1040], tile(&m)[48..64]);
    assert_eq!(out.mem_writes, [(1024, 16); 4]);
    let mut m = machine([4, 1, 16], 1024, 0);
    let out = legal(&mut m, "msate8 tr0");
    assert_eq!(m.l0m.bytes[1024..1028], [15, 31, 47, 63].map(|n| tile(&m)[n]));
    assert_eq!(out.mem_writes, [(1024, 4); 16]);
    // Lines of four elements one element apart: columns 0 to 14 leave their first row only.
    let mut m = machine([4, 1, 16], 1024, 1);
    legal(&mut m, "msate8 tr0");
    assert_eq!(m.l0m.bytes[1024..1040], tile(&m)[..16]);
    assert_eq!(m.l0m.bytes[1040..1043], [31, 47, 63].map(|n| tile(&m)[n]));
    // Walking down instead, column j leaves its last row only, and the last column all of its rows.
    let mut m = machine([4, 1, 16], 1024, BIG);
    legal(&mut m, "msate8 tr0");
    assert_eq!(m.l0m.bytes[1009..1013], [15, 31, 47, 63].map(|n| tile(&m)[n]));
    for column in 0..15 {
        assert_eq!(m.l0m.bytes[1027 - column], tile(&m)[48 + column]);
    }
}

#[test]
fn port_errors_of_loads() {
    // Rows at 1024, 1056, 1088, 1120; the port answers with an error from 1064 to 1127.
    let mut m = machine([4, 1, 16], 1024, 32);
    m.l1m.faults.push(1064..1128);
    traps(&mut m, "mlae8 tr0", 5, 1064);
    illegal(&mut m, "mlae32 tr0");
    // Gaps between the lines cannot fault.
    m.l1m.faults.clear();
    m.l1m.faults.push(1040..1056);
    legal(&mut m, "mlae8 tr0");
    // Elements are looked for outside before anything is read.
    let mut m = machine([4, 1, 16], 8192 - 48, 16);
    m.l1m.faults.push(8192 - 48..8192);
    traps(&mut m, "mlae8 tr0", 5, 8192);
    // A store does not see the errors of L1M.
    m.set_x(10, 1024);
    legal(&mut m, "msae8 tr0");
}

#[test]
fn port_errors_of_stores_leave_every_line_unknown() {
    let mut m = machine([4, 1, 8], 1024, 32);
    m.l0m.faults.push(1072..1104);
    let mut expected = m.clone();
    let out = m.step(word(&m, "msae8 tr0"));
    assert_eq!(out.trap.map(|trap| (trap.cause, trap.tval)), Some((7, 1088)));
    assert_eq!(out.mem_unknown, [(1024, 8), (1056, 8), (1088, 8), (1120, 8)]);
    assert!(out.mem_writes.is_empty());
    expected.hart.pc += 4;
    assert!(m == expected);
}

#[test]
fn the_encoding_comes_first() {
    let mut m = machine([BIG, BIG, BIG], BIG, BIG);
    for word in [0x0400_0C2B, 0x3400_002B, 0x2400_002B, 0x0400_102B, 0x0000_00AB] {
        assert_word_traps(&mut m, word, 2, word);
    }
}
