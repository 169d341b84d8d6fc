// SPDX-License-Identifier: Apache-2.0
//! Decoder and encoder: known words, the whole opcode space, every field both ways.
#![allow(clippy::unwrap_used)]

use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, decode};

const OPCODE: u32 = 0x5B;

/// docs/isa.md from this heading on.
fn chapter(heading: &str) -> String {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/isa.md")).unwrap();
    text[text.find(heading).unwrap()..].to_string()
}

/// Texts and words of the table of known words: two of each in a line.
fn known() -> Vec<(String, u32)> {
    let chapter = chapter("\n## Known words\n");
    let rows = chapter.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with('|'));
    let cells = rows.flat_map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')));
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let number = |word: &str| u32::from_str_radix(word.trim_start_matches("0x"), 16).unwrap();
    cells.chunks(2).map(|pair| (pair[0].to_string(), number(pair[1]))).collect()
}

#[test]
fn known_words_both_ways() {
    assert!(known().len() >= 14);
    for (text, word) in known() {
        assert_eq!(assemble("known", &text, 0).unwrap(), [word], "{text}");
        assert_eq!(disassemble(word, 0), text);
    }
}

/// Every word of the opcode is legal for exactly one EngineID or for none, re-encodes to itself, and there are as many
/// legal words as docs/isa.md says.
#[test]
fn every_word_of_the_opcode() {
    let mut legal = 0_u32;
    for high in 0..1 << 25 {
        let word = high << 7 | OPCODE;
        let decoded = decode(word, 2);
        match decoded {
            Decoded::Tensor(_) => {
                legal += 1;
                assert_eq!(decoded.encode(2), Some(word), "{word:#010x}");
                assert_eq!(decode(word & 0x3FFF_FFFF, 0), decoded, "{word:#010x}");
            }
            Decoded::Illegal => assert_eq!(word >> 30, 2, "{word:#010x}"),
            Decoded::NotOurs => assert_ne!(word >> 30, 2, "{word:#010x}"),
            other => panic!("{word:#010x} is {other:?}"),
        }
    }
    let chapter = chapter("For one EngineID that leaves");
    let number = chapter.split(' ').find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap();
    assert_eq!(legal.to_string(), number.replace(',', ""));
}
