// SPDX-License-Identifier: Apache-2.0
//! Decoder and encoder of the matrix family: known words, the whole opcode space, the CSRs.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::*;
use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, Isa, Matrix, decode};
use golden::{Csr, Machine, MatrixCsr};

const OPCODE: u32 = 0x2B;
const MATRIX: Isa = Isa { matrix: true, ..Isa::DRAFT };

const KNOWN: [(&str, u32); 13] = [
    ("mlae8 tr0, (x10), x11", 0x04B5_002B),
    ("mlbe8 tr1, (x12), x13", 0x14D6_00AB),
    ("mlbte16 tr2, (x14), x15", 0x54F7_052B),
    ("mlce32 acc0, (x10), x11", 0x24B5_0A2B),
    ("msce32 acc3, (x28), x31", 0x27FE_0BAB),
    ("mscte8 acc1, (x5), x6", 0x6662_82AB),
    ("msate32 tr3, (x1), x2", 0x4620_89AB),
    ("msettileki 0", 0x1000_002B),
    ("msettilemi 4", 0x2002_002B),
    ("msettileni 1023", 0x31FF_802B),
    ("msettilem x5", 0x2202_802B),
    ("msettilek x31", 0x120F_802B),
    ("mrelease", 0x0000_002B),
];

#[test]
fn known_words_both_ways() {
    for (text, word) in KNOWN {
        assert_eq!(assemble("known", text, MATRIX).unwrap(), [word], "{text}");
        assert_eq!(disassemble(word, MATRIX), text);
        assert_eq!(disassemble(word, 0), format!(".word {word:#010x}"));
    }
}

/// The table of encodings once more, as pictures: mnemonic and bits 31 to 0.
fn pictures() -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for (func4, form, md) in [
        ("0000", "a", "0.."),
        ("0001", "b", "0.."),
        ("0010", "c", "1.."),
        ("0100", "at", "0.."),
        ("0101", "bt", "0.."),
        ("0110", "ct", "1.."),
    ] {
        for (d_size, bits) in [("00", 8), ("01", 16), ("10", 32)] {
            for (ls, letter) in [("0", "l"), ("1", "s")] {
                let picture = format!("{func4} 01 {ls} ..... ..... 000 {d_size} {md} 0101011");
                pictures.push((format!("m{letter}{form}e{bits}"), picture));
            }
        }
    }
    for (func4, letter) in [("0001", "k"), ("0010", "m"), ("0011", "n")] {
        pictures.push((format!("msettile{letter}i"), format!("{func4} 00 0 ..... ..... 000 00000 0101011")));
        pictures.push((format!("msettile{letter}"), format!("{func4} 00 1 00000 ..... 000 00000 0101011")));
    }
    pictures.push(("mrelease".to_string(), "0000 00 0 00000 00000 000 00000 0101011".to_string()));
    pictures
}

#[test]
fn every_word_of_the_opcode() {
    let rows: Vec<(String, u32, u32)> = pictures()
        .into_iter()
        .map(|(mnemonic, picture)| {
            let bits = picture.replace(' ', "");
            let mask = bits.replace('0', "1").replace('.', "0");
            let number = |text: &str| u32::from_str_radix(text, 2).unwrap();
            (mnemonic, number(&mask), number(&bits.replace('.', "0")))
        })
        .collect();
    let (mut memory, mut configuration, mut mnemonics) = (0_u32, 0_u32, BTreeSet::new());
    for high in 0..1 << 25 {
        let word = high << 7 | OPCODE;
        let expected = rows.iter().find(|&&(_, mask, value)| word & mask == value);
        let decoded = decode(word, MATRIX);
        match decoded {
            Decoded::Matrix(Matrix::Load(_) | Matrix::Store(_)) => memory += 1,
            Decoded::Matrix(_) => configuration += 1,
            Decoded::Illegal => assert!(expected.is_none(), "{word:#010x}"),
            other => panic!("{word:#010x} is {other:?}"),
        }
        if decoded != Decoded::Illegal {
            let (mnemonic, ..) = expected.unwrap();
            assert_eq!(decoded.encode(0), Some(word), "{word:#010x}");
            let text = disassemble(word, MATRIX);
            assert_eq!(text.split(' ').next(), Some(mnemonic.as_str()), "{word:#010x}");
            mnemonics.insert(mnemonic);
        }
    }
    assert_eq!((memory, configuration), (147_456, 3_169));
    assert_eq!(mnemonics.len(), 36 + 7);
}

#[test]
fn without_the_instruction_set_no_word_is_ours() {
    for high in 0..1 << 25 {
        assert_eq!(decode(high << 7 | OPCODE, 0), Decoded::NotOurs);
    }
    let mut m = Machine::new(&config("w64"));
    for (_, word) in KNOWN {
        assert_word_traps(&mut m, word, 2, word);
    }
    for csr in MatrixCsr::all() {
        let word = u32::from(csr.address()) << 20 | 0b010 << 12 | 5 << 7 | 0x73;
        assert_eq!(decode(word, 0), Decoded::NotOurs);
        assert_word_traps(&mut m, word, 2, word);
    }
}

#[test]
fn csr_addresses_and_values() {
    let addresses: Vec<u16> = MatrixCsr::all().map(MatrixCsr::address).collect();
    assert_eq!(addresses, [0x803, 0x804, 0x805, 0xCC1, 0xCC2, 0xCC3]);
    for csr in MatrixCsr::all() {
        let both = (Csr::from_address(csr.address()), Csr::from_name(csr.name()));
        assert_eq!(both, (Some(Csr::Matrix(csr)), Some(Csr::Matrix(csr))));
    }
    for (tlen, trlen, lengths) in [(512, 128, [64, 16, 64]), (1024, 128, [128, 16, 256]), (4096, 2048, [512, 256, 16])]
    {
        let m = Machine::new(&matrix_config(tlen, trlen));
        let values: Vec<u32> = MatrixCsr::all().map(|csr| m.csr.read(Csr::Matrix(csr))).collect();
        assert_eq!((&values[..3], &values[3..]), (&[0; 3][..], &lengths[..]));
    }
}

#[test]
fn csr_instructions_read_and_cannot_write() {
    let mut m = Machine::new(&matrix_config(512, 128));
    set_sizes(&mut m, [0xFFFF_FFFF, 2, 3]);
    for csr in MatrixCsr::all() {
        let value = m.csr.read(Csr::Matrix(csr));
        for read in ["csrrs x5, CSR, x0", "csrrc x5, CSR, x0", "csrrsi x5, CSR, 0", "csrrci x5, CSR, 0"] {
            let text = read.replace("CSR", csr.name());
            let word = assemble("test", &text, MATRIX).unwrap()[0];
            m.set_x(5, 77);
            assert_eq!(m.step(word).gpr_write, Some((5, value)), "{text}");
        }
        for write in ["csrrw x5, CSR, x0", "csrrs x5, CSR, x1", "csrrc x5, CSR, x1", "csrrwi x5, CSR, 0"] {
            let word = assemble("test", &write.replace("CSR", csr.name()), MATRIX).unwrap()[0];
            assert_eq!(decode(word, MATRIX), Decoded::Illegal);
            assert_word_traps(&mut m, word, 2, word);
        }
    }
}
