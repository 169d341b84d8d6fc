// SPDX-License-Identifier: Apache-2.0
//! The files for riscv-opcodes describe the words that the decoder takes, no more and no less.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::legal_words;
use golden::asm::disassemble;
use golden::decode::{Access, CsrEncoding, CsrInstruction, Decoded, Isa, OperandKind, Tensor, decode};

/// Fields that riscv-opcodes has itself.
const STANDARD: [(&str, u32, u32); 4] = [("rd", 11, 7), ("rs1", 19, 15), ("rs2", 24, 20), ("zimm", 19, 15)];

struct Row {
    mnemonic: String,
    mask: u32,
    value: u32,
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/riscv-opcodes").join(name)
}

fn file(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
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

/// The name of an instruction in the files, where the two forms of one have two.
fn mnemonic(word: u32, isa: Isa) -> Option<String> {
    let text = disassemble(word, Isa { gpr_rs1: false, ..isa });
    let name = |text: &str| text.split(' ').next().map(str::to_owned);
    match decode(word, isa) {
        Decoded::Tensor(tensor) if tensor.is_second_form() => name(&disassemble(word, isa)).map(|plain| plain + ".rs1"),
        Decoded::Tensor(_) | Decoded::Matrix(_) | Decoded::Csr(_) => name(&text),
        Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => None,
    }
}

/// The first word of the opcode for which file and decoder differ. The file cannot say which CSRs there are.
fn difference(rows: &[Row], opcode: u32, isa: &dyn Fn(u32) -> Isa) -> Option<String> {
    (0..1 << 25).map(|high: u32| high << 7 | opcode).find_map(|word| {
        let isa = isa(word);
        let mut found = rows.iter().filter(|row| word & row.mask == row.value).map(|row| row.mnemonic.as_str());
        let on_ttype = word & !(0xFF << 20) | 0x10 << 20;
        let csr = matches!(decode(on_ttype, isa), Decoded::Csr(_));
        let expected = mnemonic(if csr { on_ttype } else { word }, isa);
        let same = found.next() == expected.as_deref() && found.next().is_none();
        let decoded = decode(word, isa);
        let back = matches!(decoded, Decoded::Illegal | Decoded::NotOurs) || decoded.encode(isa) == Some(word);
        (!same || !back).then(|| format!("{word:#010x} is {expected:?}"))
    })
}

fn tensor(word: u32) -> Isa {
    Isa::from((word >> 30) as u8)
}

fn revised(word: u32) -> Isa {
    Isa { engine_id: (word >> 30) as u8, matrix: false, ..Isa::ALL }
}

fn matrix(_: u32) -> Isa {
    Isa { matrix: true, ..Isa::DRAFT }
}

/// The lines of `rv_tl`, and those that the options of the revision add.
fn files() -> [(&'static str, String); 2] {
    let csr = CsrInstruction::all(Isa::ALL).filter(|csr| csr.encoding == CsrEncoding::Unit);
    let csr: String = csr.map(|csr| line(csr.encode(Isa::ALL))).collect();
    let second = tensorload_lines(Tensor::all().filter_map(Tensor::second_form));
    [("rv_tl", tensorload_lines(Tensor::all())), ("rv_tl_rev", second + &csr)]
}

/// A line for each of these instructions of TensorLoad, and for each value of its dimensions.
fn tensorload_lines(instructions: impl Iterator<Item = Tensor>) -> String {
    let mut lines = String::new();
    for tensor in instructions {
        let dimensions = tensor.operands().iter().filter(|operand| operand.kind == OperandKind::Dimension).count();
        for number in 0..1 << (2 * dimensions) {
            let mut next = 0;
            let word = tensor.with_operands(|operand| {
                next += 2;
                if operand.kind == OperandKind::Dimension { number >> (2 * dimensions - next) & 3 } else { 0 }
            });
            let word = word.encode(0);
            if matches!(decode(word, Isa::ALL), Decoded::Tensor(_)) {
                lines += &line(word);
            }
        }
    }
    lines
}

/// Operands as fields of arg_lut.csv, and what is left of the word as constants.
fn line(word: u32) -> String {
    let mut text = format!("{} tl_engine", mnemonic(word, Isa::ALL).unwrap());
    let mut free = 3 << 30;
    let mut operands: Vec<_> = decode(word, Isa::ALL).operands().iter().collect();
    operands.sort_by_key(|operand| operand.low);
    for operand in operands.iter().filter(|operand| operand.kind != OperandKind::Dimension) {
        let high = operand.low + operand.width - 1;
        free |= bits(high, operand.low);
        text += &match operand.kind {
            OperandKind::X(_) if high == 19 => " rs1".to_string(),
            OperandKind::X(Access::Write) => " rd".to_string(),
            OperandKind::Immediate if high == 19 => " zimm".to_string(),
            OperandKind::X(_) => format!(" tl_x{high}"),
            OperandKind::Immediate => format!(" tl_imm{}", operand.width),
            _ => format!(" tl_{high}"),
        };
    }
    if matches!(decode(word, Isa::ALL), Decoded::Csr(_)) {
        free |= bits(27, 20);
        text += " tl_csr";
    }
    let is_constant = |bit: &u32| free >> bit & 1 == 0;
    let mut high = 29;
    while let Some(start) = (7..=high).rev().find(is_constant) {
        let low = (7..=start).rev().take_while(is_constant).last().unwrap();
        let place = if low == start { format!("{low}") } else { format!("{start}..{low}") };
        text += &format!(" {place}={}", word >> low & bits(start - low, 0));
        high = low - 1;
    }
    text + " 6..2=0x16 1..0=3\n"
}

/// With `UPDATE` in the environment the files are made anew.
#[test]
fn the_files_have_the_lines_of_the_tables() {
    for (name, expected) in files() {
        let text = file(name);
        let (head, lines) = text.split_once("\n\n").unwrap();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path(name), format!("{head}\n\n{expected}")).unwrap();
        } else {
            let update =
                format!("UPDATE=1 cargo test -p tensorload-golden riscv_opcodes makes docs/riscv-opcodes/{name}");
            assert_eq!(lines, expected, "{update}");
        }
    }
}

/// The words of rows, which share none.
fn count(rows: &[Row]) -> u32 {
    rows.iter().map(|row| 1 << row.mask.count_zeros()).sum()
}

/// As many as docs/isa.md says for one EngineID; revision.rs has the numbers of its options.
#[test]
fn tensorload_instructions_are_those_of_the_decoder() {
    let all = rows(&file("rv_tl"), &file("arg_lut.csv"));
    assert_eq!(difference(&all, 0x5B, &tensor), None);
    assert_eq!(count(&all) / 4, legal_words());
}

#[test]
fn instructions_of_the_revision_are_those_of_the_decoder() {
    let all = file("rv_tl") + &file("rv_tl_rev");
    assert_eq!(difference(&rows(&all, &file("arg_lut.csv")), 0x5B, &revised), None);
}

/// 36 loads and stores, for four registers, two host registers each; tile sizes out of 10 bits or a host register.
#[test]
fn matrix_instructions_are_those_of_the_decoder() {
    let rows = rows(&file("rv_tlmx"), &file("arg_lut.csv"));
    assert_eq!(difference(&rows, 0x2B, &matrix), None);
    assert_eq!(count(&rows), 36 * 4 * 32 * 32 + 3 * (1024 + 32) + 1);
    assert!((0..1 << 25).all(|high: u32| decode(high << 7 | 0x2B, Isa::DRAFT) == Decoded::NotOurs));
}
