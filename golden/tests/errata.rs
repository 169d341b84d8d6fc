// SPDX-License-Identifier: Apache-2.0
//! For each line of docs/isa.md, "Errata" and "Matrix errata": the side that was taken holds.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::*;
use golden::asm::{assemble, disassemble};
use golden::{Csr, Machine, Tile};

/// Number, shape, program, and what comes of it: the word (8 hexadecimal digits) or the text (`=`) of its last
/// instruction, whether that is legal, how a register or L0M begins afterwards, or an error of the assembler (`!`).
/// Before it, ttype is int8, element n of tl1 is n, of tl2 128 + n, and byte n of L1M is n.
const ERRATA: &str = "
1  | 1 1 1 | tl.load tl0, -128(x0)                                        | 0800005b
1  | 1 1 1 | .word 0x0ff0005b                                             | = tl.load tl0, -1(x0)
2  | 1 1 1 | tl.load tl1, 0(x2)                                           | 0000815b
2  | 1 1 1 | tl.mload tl1, 0(x2)                                          | 1000815b
3  | 1 1 1 | .word 0x0000855b                                             | = tl.load tl1, 0(x10)
3  | 1 1 1 | .word 0x4000855b                                             | illegal
3  | 1 1 1 | .word 0x8000855b                                             | illegal
4  | 1 1 1 | tl.mstore tl1, 7(x2)                                         | 3070a15b
4  | 1 1 1 | tl.store tl1, 7(x2)                                          | 2070a15b
4  | 1 1 1 | tl.addi tl2, tl1, 7                                          | 0070a15b
5  | 1 1 1 | tl.addi tl1, tl2, -128                                       | 080120db
6  | 1 1 4 | tl.addi tl3, tl2, 127                                        | tl3 255 255 255 255
6  | 1 1 4 | tl.addi tl3, tl1, -2                                         | tl3 0 0 0 1
7  | 1 1 1 | tl.merge.0 tl1, tl2, tl3                                     | 083110db
7  | 1 1 1 | tl.merge.2 tl1, tl2, tl3                                     | 0c3110db
7  | 1 1 1 | .word 0x1000105b                                             | illegal
8  | 1 1 1 | .word 0x1400305b                                             | = tl.xpose.22 tl0, tl0, x0
8  | 1 1 1 | .word 0x1a00305b                                             | = tl.xpose.13 tl0, tl0, x0
8  | 1 1 1 | .word 0x0e00305b                                             | = tl.xpose.31 tl0, tl0, x0
9  | 2 2 4 | csrwi tmask_concat_1, 2; csrwi tmask_concat_2, 1; tl.concat.0 tl3, tl1, tl2 | \
    tl3 8 9 10 11 12 13 14 15 128 129 130 131 132 133 134 135 0
10 | 4 1 1 | csrwi tmask_concat_1, 5; tl.merge.0 tl3, tl1, tl2            | tl3 0 129 2 131 0
11 | 8 1 1 | li x5, 0b11001100; csrw tmask_load, x5; tl.mload tl3, 0(x0)  | tl3 0 0 2 3 0 0 6 7
12 | 1 1 1 | tl.mload t1, x10, x11                     | ! set tshape, then write `tl.mload t1, 0(x11)`
12 | 1 1 1 | tl.mstore t3, x17, x16                    | ! set tshape, then write `tl.mstore t3, 0(x17)`
12 | 1 1 3 | tl.load tl1, 0(x0)                                           | legal
13 | 2 1 1 | csrwi tmask_load, 1; tl.mstore tl1, 0(x0)                    | illegal
13 | 2 1 1 | csrwi tmask_load, 1; csrwi tmask_store, 2; tl.mstore tl2, 0(x0) | l0m 0 129
14 | 2 1 4 | csrwi tmask_load, 2; tl.mload tl2, 0(x0)                     | tl2 0 0 0 0 4 5 6 7 0 0
15 | 1 1 1 | .word 0x6200305b                                             | illegal
15 | 1 1 1 | .word 0x6800305b                                             | illegal
16 | 1 1 1 | li x5, 0x02081008; tl.xpose.03 tl1, tl2, x5                  | legal
16 | 1 1 1 | csrwi ttype, 8; li x5, 0x02081008; tl.xpose.03 tl1, tl2, x5  | illegal
16 | 1 1 1 | csrwi ttype, 8; li x5, 0x02081002; tl.xpose.03 tl1, tl2, x5  | legal
17 | 1 33 1 | csrwi tmask_concat_1, 0; tl.merge.1 tl3, tl1, tl2           | illegal
17 | 1 33 1 | csrwi tmask_concat_1, 0; tl.merge.0 tl3, tl1, tl2           | legal
19 | 1 1 1 | csrw tmask_load_stride, x5                                   | 84029073
19 | 1 1 1 | csrw tmask_load_stride31, x5                                 | 85f29073
19 | 1 1 1 | csrw tmask_load_stride{7}, x5                                | 84729073
19 | 1 1 1 | csrw tmask_load_stride32, x5                                 | ! expected a CSR
20 | 1 1 1 | tl.addi tl1, tl2, -129                                       | ! expected imm8, -128 to 127
20 | 1 1 1 | tl.addi tl1, tl2, 127                                        | legal
21 | 1 1 1 | tl.addi tl1, tl2, 128                                        | ! expected imm8, -128 to 127
22 | 1 1 1 | tl.xpose.00 tl0, tl0, x0                                     | 0000305b
23 | 4 1 1 | li x5, -16; csrw tmask_concat_1, x5; tl.merge.0 tl3, tl1, tl2 | tl3 128 129 130 131
23 | 4 1 1 | li x5, -1; csrw tmask_concat_1, x5; tl.merge.0 tl3, tl1, tl2 | tl3 0 1 2 3
24 | 33 1 1 | tl.load tl3, 0(x0)                                          | illegal
24 | 33 1 1 | tl.store tl1, 0(x0)                                         | illegal
24 | 32 1 1 | tl.store tl1, 0(x0)                                         | legal
25 | 1 1 4 | csrwi tmask_concat_1, 12; csrwi tmask_concat_2, 3; tl.concat.2 tl3, tl1, tl2 | tl3 2 3 128 129
26 | 1 1 1 | csrwi ttype, 16; tl.addi tl3, tl1, 1                         | illegal
27 | 1 1 1 | csrwi ttype, 4; li x5, 0x04080804; tl.xpose.23 tl4, tl5, x5  | legal
27 | 1 1 1 | li x5, 0x04080804; tl.xpose.23 tl4, tl5, x5                  | illegal
28 | 8 1 1 | li x5, 0xf0; csrw tmask_load, x5; tl.mload tl5, 0(x0); tl.addi tl5, tl5, 50; csrwi tmask_store, 15; \
    tl.mstore tl5, 0(x0) | l0m 50 50 50 50 0
28 | 8 1 1 | li x5, 0xf0; csrw tmask_load, x5; tl.mload tl5, 0(x0); tl.addi tl5, tl5, 50; csrw tmask_store, x5; \
    tl.mstore tl5, -4(x0) | l0m 54 55 56 57 0
29 | 8 1 1 | li x5, 0xaa; csrw tmask_store, x5; tl.mstore tl2, 0(x0)      | l0m 0 129 0 131 0 133 0 135 0
29 | 8 1 1 | csrwi tmask_store, 2; tl.store tl2, 0(x0)                    | l0m 128 129 130 131 132 133 134 135 0
30 | 1 1 1 | tl.load t2, x13, x14                      | ! set tshape, then write `tl.load t2, 0(x14)`
31 | 1 1 4 | tl.load tl0, 0(x0); tl.addi tl1, tl0, 50                     | tl1 50 50 50 50
32 | 1 1 1 | csrw tmask_load_width, x5                                    | 81629073
32 | 1 1 1 | csrw tstore_width, x5                                        | 81729073
33 | 1 1 1 | csrwi ttype, 4; tl.addi tl3, tl1, 0                          | legal
33 | 1 1 1 | csrwi ttype, 8; tl.addi tl3, tl1, 0                          | legal
33 | 1 1 1 | li x5, 0x400; csrw ttype, x5; tl.load tl3, 0(x0)             | legal
34 | 8 1 1 | li x5, 0xaaaa; csrw tmask_store, x5; tl.mstore tl2, 0(x0)    | l0m 0 129 0 131 0 133 0 135 0 0
35 | 2 1 1 | csrwi tmask_concat_1, 1; tl.merge.0 tl3, tl1, tl2            | tl3 0 129 0
36 | 1 1 2 | tl.mload tl1, 0(x0)                                          | illegal
36 | 1 1 2 | tl.load tl1, 1(x0)                                           | tl1 2 3 0
M1 | 1 1 1 | mscte32 acc3, (x31), x30                                     | 67ef8bab
M2 | 1 1 1 | .word 0x04000c2b                                             | illegal
M2 | 1 1 1 | .word 0x3400002b                                             | illegal
M3 | 1 1 1 | mlae8 tr0, (x31), x0                                         | 040f802b
M4 | 1 1 1 | msettilemi 2; msettileki 3; li x5, 10; li x6, 30; mlate8 tr0, (x5), x6 | tr0 10 40 70
M5 | 1 1 1 | .word 0x0400022b                                             | illegal
M5 | 1 1 1 | .word 0x2400002b                                             | illegal
M6 | 1 1 1 | msettilemi 1; msettileki 1; li x5, 9; mlae8 tr0, (x5), x0    | tr0 9 0
M7 | 1 1 1 | .word 0x0400102b                                             | illegal
";

/// What an erratum of the table above says of its program. The machine is the one that has run it.
#[track_caller]
fn assert_expected(m: &Machine, word: u32, trapped: bool, expected: &str) {
    let (kind, rest) = expected.split_once(' ').unwrap_or((expected, ""));
    let bytes: Vec<u8> = rest.split(' ').filter_map(|byte| byte.parse().ok()).collect();
    let begins = |memory: &[u8]| assert!(!bytes.is_empty() && memory.starts_with(&bytes), "{:?}", &memory[..20]);
    match (kind, kind.strip_prefix("tl").and_then(|number| number.parse().ok())) {
        ("legal" | "illegal", _) => assert_eq!(trapped, kind == "illegal"),
        ("=", _) => assert_eq!(disassemble(word, m.config()), rest),
        ("l0m", _) => begins(&m.l0m.bytes),
        ("tr0", _) => begins(m.tiles.as_ref().unwrap().get(Tile::Tr(0))),
        (_, Some(tl)) => begins(m.tl.get(tl)),
        _ => assert_eq!(format!("{word:08x}"), expected),
    }
}

#[test]
fn the_side_that_was_taken_holds() {
    for line in ERRATA.lines().filter(|line| !line.is_empty()) {
        println!("{line}"); // The last one is the one that fails.
        let [_, shape_of, program, expected] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else { panic!() };
        let mut m = Machine::new(&small_memory());
        let d: Vec<u32> = shape_of.split(' ').map(|size| size.parse().unwrap()).collect();
        set_block(&mut m, 2, [d[0], d[1], d[2]]);
        m.tl.set(1, &(0..128).collect::<Vec<u8>>());
        m.tl.set(2, &(128..=255).collect::<Vec<u8>>());
        m.l1m.fill(&(0..=255).collect::<Vec<u8>>()).unwrap();
        match (assemble("errata", program, m.config()), expected.strip_prefix("! ")) {
            (Err(error), Some(part)) => assert!(error.to_string().contains(part), "{error}"),
            (Ok(words), None) => {
                let traps: Vec<bool> = words.iter().map(|&word| m.step(word).trap.is_some()).collect();
                let (trapped, before) = traps.split_last().unwrap();
                assert!(!before.contains(&true), "{program} traps too early");
                assert_expected(&m, *words.last().unwrap(), *trapped, expected);
            }
            (other, _) => panic!("{other:?}"),
        }
    }
}

#[test]
fn erratum_18_floating_point_fields_of_other_widths_read_0() {
    for (widths, kept) in [("[8]", 0x0CF), ("[4, 32]", 0xC3F), ("[16]", 0x30F), ("[4, 8, 16, 32]", 0xFFF)] {
        let text = format!("name = \"a\"\nelement_widths = {widths}");
        let mut m = Machine::new(&golden::Config::from_toml_str(&text).unwrap());
        m.set_x(5, u32::MAX);
        m.step(assemble("errata", "csrrw x0, ttype, x5", 0).unwrap()[0]);
        assert_eq!(m.csr.read(Csr::Ttype), kept, "{widths}");
        // One field that is there and one that is not is the type of the first.
        m.csr.write(Csr::Ttype, 0x002 | 0xFF0 & !kept);
        assert_eq!(m.element_type().is_some(), widths.contains('8'), "{widths}");
        m.csr.write(Csr::Ttype, 0xFF0 & !kept);
        assert_eq!((m.csr.read(Csr::Ttype), m.element_type()), (0, None), "{widths}");
    }
}

#[test]
fn each_erratum_has_a_line() {
    let text = isa_text();
    let (_, errata) = text.split_once("\n## Errata\n").unwrap();
    let (_, matrix) = text.split_once("\n### Matrix errata\n").unwrap();
    let tables = [errata.split("\n## ").next().unwrap(), matrix.split("\n## ").next().unwrap()].concat();
    let first = |line: &str| line.trim_start_matches("| ").split(" |").next().unwrap().trim().to_owned();
    let rows = tables.lines().filter(|line| line.starts_with("| ")).map(first).filter(|number| number != "#");
    let tested = ERRATA.lines().filter(|line| !line.is_empty()).map(first).chain(["18".into()]);
    assert_eq!(rows.collect::<BTreeSet<String>>(), tested.collect());
}
