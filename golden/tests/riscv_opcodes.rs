// SPDX-License-Identifier: Apache-2.0
//! The files for riscv-opcodes describe the words that the decoder takes, no more and no less.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use golden::asm::disassemble;
use golden::decode::{Decoded, Isa, decode};

/// Fields that riscv-opcodes has itself.
const STANDARD: [(&str, u32, u32); 2] = [("rs1", 19, 15), ("rs2", 24, 20)];

struct Row {
    mnemonic: String,
    mask: u32,
    value: u32,
}

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/riscv-opcodes").join(name)).unwrap()
}

fn bits(high: u32, low: u32) -> u32 {
    assert!(low <= high && high < 32, "bits {high}..{low}");
    (u32::MAX >> (31 - (high - low))) << low
}

fn number(text: &str) -> u32 {
    text.strip_prefix("0x").map_or_else(|| text.parse().unwrap(), |hex| u32::from_str_radix(hex, 16).unwrap())
}

/// The rows of a file, read as riscv-opcodes does: each bit of a word is in one field or one constant, and no
/// mnemonic is there twice.
fn rows(text: &str, arguments: &str) -> Vec<Row> {
    let mut fields: BTreeMap<String, u32> = STANDARD.map(|(name, high, low)| (name.into(), bits(high, low))).into();
    for line in arguments.lines() {
        let parts: Vec<&str> = line.split(", ").collect();
        let name = parts[0].trim_matches('"').to_owned();
        assert!(fields.insert(name, bits(number(parts[1]), number(parts[2]))).is_none(), "{line}");
    }
    let mut mnemonics = BTreeSet::new();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &str| {
        let (mnemonic, rest) = line.split_once(' ').unwrap();
        assert!(mnemonics.insert(mnemonic.to_owned()), "{mnemonic} is there twice");
        let (mut mask, mut value, mut free) = (0, 0, 0);
        for part in rest.split(' ') {
            let Some((place, constant)) = part.split_once('=') else {
                let field = *fields.get(part).unwrap_or_else(|| panic!("{line}: no field {part}"));
                assert_eq!(field & (free | mask), 0, "{line}: {part}");
                free |= field;
                continue;
            };
            let (high, low) = place.split_once("..").unwrap_or((place, place));
            let (these, low) = (bits(number(high), number(low)), number(low));
            let constant = number(constant) << low;
            assert_eq!((constant & !these, these & (free | mask)), (0, 0), "{line}: {part}");
            mask |= these;
            value |= constant;
        }
        assert_eq!(mask | free, u32::MAX, "{line}: bits without a meaning");
        Row { mnemonic: mnemonic.into(), mask, value }
    };
    lines.map(row).collect()
}

/// The first word of the opcode for which file and decoder differ.
fn difference(rows: &[Row], opcode: u32, isa: &dyn Fn(u32) -> Isa) -> Option<String> {
    (0..1 << 25).map(|high: u32| high << 7 | opcode).find_map(|word| {
        let isa = isa(word);
        let legal = matches!(decode(word, isa), Decoded::Tensor(_) | Decoded::Matrix(_));
        let mut found = rows.iter().filter(|row| word & row.mask == row.value).map(|row| row.mnemonic.as_str());
        let expected = legal.then(|| disassemble(word, isa));
        let expected = expected.as_ref().and_then(|text| text.split(' ').next());
        let same = found.next() == expected && found.next().is_none();
        (!same).then(|| format!("{word:#010x} is {expected:?}"))
    })
}

fn tensor(word: u32) -> Isa {
    Isa { engine_id: (word >> 30) as u8, matrix: false }
}

fn matrix(_: u32) -> Isa {
    Isa { engine_id: 0, matrix: true }
}

#[test]
fn tensorload_instructions_are_those_of_the_decoder() {
    let rows = rows(&file("rv_tl"), &file("arg_lut.csv"));
    assert_eq!(difference(&rows, 0x5B, &tensor), None);
}

#[test]
fn matrix_instructions_are_those_of_the_decoder() {
    let rows = rows(&file("rv_tlmx"), &file("arg_lut.csv"));
    assert_eq!(difference(&rows, 0x2B, &matrix), None);
}

/// One bit of a constant, a mnemonic, a missing row: each is seen.
#[test]
fn a_wrong_line_is_seen() {
    let arguments = file("arg_lut.csv");
    for (from, to) in [
        (
            "tl.merge.2 tl_engine tl_11 tl_19 tl_24 29..28=0 27=1",
            "tl.merge.2 tl_engine tl_11 tl_19 tl_24 29..28=1 27=1",
        ),
        ("tl.xpose.13 ", "tl.xpose.31x "),
        ("tl.store ", "# tl.store "),
    ] {
        let text = file("rv_tl");
        assert!(text.contains(from), "{from}");
        assert!(difference(&rows(&text.replace(from, to), &arguments), 0x5B, &tensor).is_some(), "{from}");
    }
}
