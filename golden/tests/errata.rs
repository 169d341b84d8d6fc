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
const ERRATA: &str = include_str!("errata.txt");

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
