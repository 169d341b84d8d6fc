// SPDX-License-Identifier: Apache-2.0
//! Each row of each table has known answers: what its instruction changes, and that it changes nothing else.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use golden::asm::assemble;
use golden::decode::{Isa, decode, instructions};
use golden::{Config, Csr, Machine, Tile, TileSize};

const ANSWERS: &str = include_str!("answers.txt");

fn config() -> Config {
    let options = "pitch = true\ncsr_op = true\ngpr_rs1 = true\nmask_init = true\nxlen = 64\nmatrix = true";
    let config = Config::from_toml_str(&format!("name = \"all\"\nlanes = 8\nreg_bytes = 64\n{options}")).unwrap();
    Config { reg_bytes: 32, l1m_bytes: 256, l0m_bytes: 256, ..config }
}

/// The bytes of hexadecimal digits.
fn bytes(digits: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn number(text: &str) -> u32 {
    text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16)).unwrap()
}

/// Puts the answer of a line, `tl3 = 0011`, into a machine.
fn put(m: &mut Machine, line: &str) {
    let (place, value) = line.split_once(" = ").unwrap();
    let of = |kind: &str| place.strip_prefix(kind).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(address) = place.strip_prefix("l0m+") {
        let (address, bytes) = (number(address) as usize, bytes(value));
        m.l0m.bytes[address..address + bytes.len()].copy_from_slice(&bytes);
    } else if let Some(register) = of("tl") {
        let mut bytes = bytes(value);
        bytes.resize(m.tl.reg_bytes(), 0);
        m.tl.set(number(register) as u8, &bytes);
    } else if let Some((kind, rest)) = ["tr", "acc"].iter().find_map(|&kind| Some((kind, of(kind)?))) {
        let (register, row) = rest.split_once('.').unwrap();
        let (register, row, bytes) = (number(register) as u8, number(row) as usize, bytes(value));
        let tile = if kind == "tr" { Tile::Tr(register) } else { Tile::Acc(register) };
        let tiles = m.tiles.as_mut().unwrap();
        let start = row * tiles.row_bytes(tile) as usize;
        tiles.get_mut(tile)[start..start + bytes.len()].copy_from_slice(&bytes);
    } else if let Some(register) = of("x") {
        m.set_x(number(register) as u8, number(value));
    } else {
        let csr = Csr::from_name(place).unwrap();
        match [TileSize::M, TileSize::N, TileSize::K].into_iter().find(|size| Csr::Matrix(size.csr()) == csr) {
            Some(size) => m.csr.set_tile_size(size, number(value)),
            None => _ = m.csr.write(csr, number(value)),
        }
    }
}

/// The programs, each with its row and its answers.
fn programs() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    let (_, blocks) = ANSWERS.split_once("\n\n").unwrap();
    blocks.split("\n\n").map(|block| {
        let mut lines = block.lines().map(str::trim);
        (lines.next().unwrap(), lines.next().unwrap(), lines.collect())
    })
}

/// What every program begins with.
fn beginning() -> String {
    ANSWERS.lines().filter_map(|line| line.strip_prefix("#   ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_instruction_changes_what_is_known_and_nothing_else() {
    let config = config();
    for (row, program, answers) in programs() {
        let mut m = Machine::new(&config);
        m.l1m.bytes.iter_mut().zip(0..).for_each(|(byte, address)| *byte = address);
        let words = assemble(row, &format!("{}\n{program}", beginning()), &config).unwrap();
        let (last, before) = words.split_last().unwrap();
        before.iter().for_each(|&word| assert_eq!(m.step(word).trap, None, "{row}: {program}"));
        assert_eq!(decode(*last, &config).mnemonic(), Some(row), "{program}");
        let mut expected = m.clone();
        answers.iter().for_each(|line| put(&mut expected, line));
        assert!(expected != m || row == "mrelease", "{row}: the answers are there before the instruction");
        assert_eq!(m.step(*last).trap, None, "{row}: {program}");
        assert_eq!(expected.xs(), m.xs(), "{row}: {program}");
        expected.hart.clone_from(&m.hart);
        for tl in 0..32 {
            assert_eq!(expected.tl.get(tl), m.tl.get(tl), "{row}: tl{tl} after {program}");
        }
        assert!(expected == m, "{row}: after {program}\nexpected {expected:?}\nis {m:?}");
    }
}

#[test]
fn each_row_has_known_answers() {
    let known: BTreeSet<&str> = programs().map(|(row, ..)| row).collect();
    let rows = instructions(Isa::from(&config())).filter_map(|instruction| instruction.mnemonic());
    let missing: Vec<&str> = rows.filter(|row| !known.contains(row)).collect();
    assert!(missing.is_empty(), "without known answers in golden/tests/answers.txt: {missing:?}");
}
