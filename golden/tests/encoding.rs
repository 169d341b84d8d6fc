// SPDX-License-Identifier: Apache-2.0
//! Decoder and encoder: known words, the whole opcode space, every field both ways.
#![allow(clippy::unwrap_used)]

use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, decode};

const OPCODE: u32 = 0x5B;

const KNOWN: [(&str, u32); 14] = [
    ("tl.load tl1, 0(x10)", 0x0000_855B),
    ("tl.mload tl1, 0(x11)", 0x1000_85DB),
    ("tl.mload tl31, -1(x5)", 0x1FFF_82DB),
    ("tl.store tl4, 0(x20)", 0x2002_2A5B),
    ("tl.mstore tl3, 0(x17)", 0x3001_A8DB),
    ("tl.addi tl1, tl2, 10", 0x00A1_20DB),
    ("tl.addi tl3, tl3, -5", 0x0FB1_A1DB),
    ("tl.concat.0 tl13, tl14, tl15", 0x00F7_16DB),
    ("tl.concat.2 tl10, tl11, tl12", 0x04C5_955B),
    ("tl.merge.0 tl13, tl14, tl15", 0x08F7_16DB),
    ("tl.merge.2 tl1, tl2, tl3", 0x0C31_10DB),
    ("tl.xpose.01 tl1, tl2, x10", 0x0820_B55B),
    ("tl.xpose.13 tl1, tl2, x10", 0x1A20_B55B),
    ("tl.xpose.23 tl0, tl1, x11", 0x1C10_35DB),
];

#[test]
fn known_words_both_ways() {
    for (text, word) in KNOWN {
        assert_eq!(assemble("known", text, 0).unwrap(), [word], "{text}");
        assert_eq!(disassemble(word, 0), text);
    }
}

/// Every word of the opcode is legal for exactly one EngineID or for none, re-encodes to itself, and the number of
/// legal words is the sum of the table: 2 loads and 2 stores and ADDI with 18 free bits, CONCAT and MERGE with 15 and
/// three dimensions, XPOSE with 15 and 16 pairs.
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
    assert_eq!(legal, 5 * (1 << 18) + 2 * 3 * (1 << 15) + 16 * (1 << 15));
}
