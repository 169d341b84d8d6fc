// SPDX-License-Identifier: Apache-2.0
//! Every instruction of docs/isa.md is known, and its name, word and text belong together.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::isa_text;
use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, Engine, Isa, Operand, OperandKind, decode, instructions};

const ALL: Isa = Isa::ALL;

fn known() -> BTreeSet<String> {
    instructions(ALL).filter_map(|instruction| instruction.mnemonic()).map(str::to_string).collect()
}

/// The same without the mark of second forms, which the tables of encodings do not have.
fn known_plain() -> BTreeSet<String> {
    known().into_iter().map(|mnemonic| mnemonic.trim_end_matches(".rs1").to_string()).collect()
}

/// What stands in backticks in the chapters on encodings and is not an instruction.
const OTHER_NAMES: [&str; 11] =
    ["engine_id", "rs", "tl", "tlenb", "x[rs1]", "x[rs2]", "esz", "tr0", "tr3", "acc0", "acc3"];

/// The first words of all that stands in backticks in the chapters on encodings.
fn specified() -> BTreeSet<String> {
    let text = isa_text();
    let chapter = |from: &str, to: &str| {
        let start = text.find(from).unwrap();
        &text[start..start + text[start..].find(to).unwrap()]
    };
    let chapters = [
        chapter("\n## Encodings\n", "\n## Operations\n"),
        chapter("\n### Matrix encodings\n", "\n### Matrix operations\n"),
    ];
    let quoted = chapters.iter().flat_map(|chapter| chapter.split('`').skip(1).step_by(2));
    let revised =
        [("\n### CSR instructions of the unit\n", "\n### Second"), ("\n### Second encodings\n", "\n### Legal")];
    let rows = revised.iter().flat_map(|(from, to)| chapter(from, to).lines());
    let revised = rows.filter_map(|line| line.strip_prefix("| `tl."));
    let revised: Vec<String> = revised.map(|rest| format!("tl.{rest}")).collect();
    let quoted = quoted.chain(revised.iter().map(String::as_str));
    let words = quoted.filter_map(|text| text.split_whitespace().next()).map(str::to_string);
    words.filter(|word| !OTHER_NAMES.contains(&word.as_str())).collect()
}

#[test]
fn the_specification_and_the_decoder_have_the_same_instructions() {
    let (known, specified) = (known_plain(), specified());
    let missing: Vec<&String> = specified.difference(&known).collect();
    assert!(missing.is_empty(), "in docs/isa.md and not in a table of golden/src/isa/: {missing:?}");
    let unknown: Vec<&String> = known.difference(&specified).collect();
    assert!(unknown.is_empty(), "in a table of golden/src/isa/ and not in docs/isa.md: {unknown:?}");
}

/// The mnemonics of TensorLoad without what stands for dimensions: `tl.concat`.
fn stems() -> impl Iterator<Item = String> {
    instructions(0)
        .filter(|instruction| matches!(instruction, Decoded::Tensor(_)))
        .map(|instruction| instruction.mnemonic().unwrap().split('.').take(2).collect::<Vec<_>>().join("."))
}

/// Matrix instructions are written as patterns there, and are no rows of the table of known words each.
#[test]
fn the_specification_says_what_each_instruction_of_tensorload_does() {
    let text = isa_text();
    for (chapter, end) in [("\n## Operations\n", "\n## Traps\n"), ("\n## Known words\n", "\n## Errata\n")] {
        let start = text.find(chapter).unwrap();
        let section = &text[start..start + text[start..].find(end).unwrap()];
        let is_part = |c: char| c.is_ascii_lowercase() || c == '.';
        let named: BTreeSet<&str> = section.split(|c| !is_part(c)).map(|word| word.trim_end_matches('.')).collect();
        let missing: Vec<String> = stems().filter(|stem| !named.contains(stem.as_str())).collect();
        assert!(missing.is_empty(), "docs/isa.md, chapter {}: not a word of {missing:?}", chapter.trim());
    }
}

#[test]
fn each_instruction_is_listed_once() {
    assert_eq!(instructions(ALL).count(), known().len());
    assert!(instructions(0).all(|instruction| !matches!(instruction, Decoded::Matrix(_))));
    let engines: BTreeSet<Engine> = instructions(ALL).filter_map(Decoded::engine).collect();
    assert_eq!(engines.into_iter().collect::<Vec<_>>(), Engine::ALL);
}

/// The message for an unknown instruction names them all; those of the matrix set by a pattern.
#[test]
fn the_assembler_names_each_instruction() {
    for isa in [ALL, Isa::from(0)] {
        let message = assemble("p", "unknown", isa).unwrap_err().to_string();
        let (_, list) = message.split_once("known are ").unwrap();
        let named: BTreeSet<String> = list.split(", ").flat_map(expand).collect();
        let known = instructions(isa).filter_map(|instruction| instruction.mnemonic()).map(str::to_string);
        let missing: Vec<String> = known.filter(|mnemonic| !named.contains(mnemonic)).collect();
        assert!(missing.is_empty(), "{missing:?} are not in: {list}");
    }
}

/// `{a,b}` is a choice and `[a]` may be left out.
fn expand(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find(['{', '[']) else { return vec![pattern.to_string()] };
    let close = open + pattern[open..].find(['}', ']']).unwrap();
    let mut choices: Vec<&str> = pattern[open + 1..close].split(',').collect();
    if pattern[open..].starts_with('[') {
        choices.push("");
    }
    let expanded = |choice| expand(&format!("{}{choice}{}", &pattern[..open], &pattern[close + 1..]));
    choices.into_iter().flat_map(expanded).collect()
}

#[test]
fn each_instruction_is_decoded_and_printed_as_itself() {
    for instruction in instructions(ALL) {
        let mnemonic = instruction.mnemonic().unwrap();
        let word = instruction.encode(0).unwrap();
        assert_eq!(decode(word, ALL), instruction, "{mnemonic}");
        let text = disassemble(word, ALL);
        assert_eq!(assemble("p", &text, ALL).unwrap(), [word], "{text}");
        let is_dimension = |operand: &Operand| operand.kind == OperandKind::Dimension;
        let dimensions = instruction.operands().iter().filter(is_dimension).count();
        let plain = mnemonic.trim_end_matches(".rs1");
        let (stem, _) = plain.split_at(plain.len() - dimensions);
        let expected = stem.to_string() + &"0".repeat(dimensions);
        let printed = text.split(' ').next().unwrap();
        // Plainly the mnemonic is that of the second form here.
        assert_eq!(printed.trim_end_matches(".rd"), expected, "{mnemonic}");
    }
    for nothing in [Decoded::Illegal, Decoded::NotOurs] {
        assert_eq!((nothing.mnemonic(), nothing.engine(), nothing.operands().iter().count()), (None, None, 0));
        assert_eq!(nothing.with_operands(|_| 1), nothing);
    }
}
