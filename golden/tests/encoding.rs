// SPDX-License-Identifier: Apache-2.0
//! Known words both ways, and the CSRs of the matrix family. All words: riscv_opcodes.rs.
#![allow(clippy::unwrap_used)]

use crate::common::*;
use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, Isa, decode, instructions};
use golden::{Csr, Machine, MatrixCsr};

const MATRIX: Isa = Isa { matrix: true, ..Isa::DRAFT };

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

#[test]
fn a_unit_without_the_matrix_family_has_none_of_its_instructions_and_csrs() {
    let mut m = Machine::new(&config("w64"));
    for instruction in instructions(MATRIX).filter(|instruction| matches!(instruction, Decoded::Matrix(_))) {
        let word = instruction.encode(0).unwrap();
        assert_eq!(disassemble(word, 0), format!(".word {word:#010x}"));
        assert_word_traps(&mut m, word, 2, word);
    }
    for csr in MatrixCsr::all() {
        let word = u32::from(csr.address()) << 20 | 0b010 << 12 | 5 << 7 | 0x73;
        assert_eq!(decode(word, 0), Decoded::NotOurs);
        assert_word_traps(&mut m, word, 2, word);
    }
}

#[test]
fn addresses_and_values_of_matrix_csrs() {
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
fn csr_instructions_read_matrix_csrs_and_cannot_write() {
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
