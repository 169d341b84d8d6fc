// SPDX-License-Identifier: Apache-2.0
//! Assembler and disassembler of the matrix family: inverse to each other, every notation, every error text.
#![allow(clippy::unwrap_used)]

use golden::TileSize;
use golden::asm::{assemble, disassemble};
use golden::decode::{Decoded, Form, Isa, Matrix, TileSource, Transfer, decode};
use proptest::prelude::*;

fn isa() -> impl Strategy<Value = Isa> {
    (0..4_u8).prop_map(|engine_id| Isa { matrix: true, ..Isa::from(engine_id) })
}

fn matrix() -> impl Strategy<Value = Matrix> {
    let form = prop::sample::select(vec![Form::A, Form::B, Form::C]);
    let transfer = (form, any::<bool>(), 0..3_u8, 0..4_u8, 0..32_u8, 0..32_u8).prop_map(
        |(form, transposed, d_size, register, rs1, rs2)| Transfer { form, transposed, d_size, register, rs1, rs2 },
    );
    let size = prop::sample::select(vec![TileSize::M, TileSize::N, TileSize::K]);
    let source = prop_oneof![(0..1024_u16).prop_map(TileSource::Immediate), (0..32_u8).prop_map(TileSource::Register)];
    prop_oneof![
        4 => (transfer, any::<bool>()).prop_map(|(t, load)| if load { Matrix::Load(t) } else { Matrix::Store(t) }),
        2 => (size, source).prop_map(|(size, source)| Matrix::SetTile { size, source }),
        1 => Just(Matrix::Release),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decode_is_the_inverse_of_encode(instruction in matrix(), isa in isa()) {
        prop_assert_eq!(decode(instruction.encode(), isa), Decoded::Matrix(instruction));
    }

    #[test]
    fn canonical_text_assembles_and_comes_back(program in prop::collection::vec(matrix(), 0..5), isa in isa()) {
        let words: Vec<u32> = program.iter().map(|instruction| instruction.encode()).collect();
        let text: Vec<String> = words.iter().map(|&word| disassemble(word, isa)).collect();
        let assembled = assemble("p", &text.join("\n"), isa).unwrap();
        prop_assert_eq!(&assembled, &words);
        prop_assert!(text.iter().all(|line| !line.starts_with('.')));
    }

    #[test]
    fn every_word_comes_back(word: u32, opcode in prop::sample::select(vec![0x2B, 0x5B, 0x73_u32]), isa in isa()) {
        let word = word & !0x7F | opcode;
        let text = disassemble(word, isa);
        let legal = crate::common::is_text_of_the_host(word) || !matches!(decode(word, isa), Decoded::Illegal | Decoded::NotOurs);
        prop_assert_eq!(text.starts_with(".word 0x"), !legal);
        prop_assert_eq!(assemble("p", &text, isa).unwrap(), vec![word]);
    }

    #[test]
    fn no_text_panics(text in "m[ls][abc]t?e(8|16|32|)[ (),a-z0-9-]{0,20}", more in "ms?e?t?tile[mnki]{0,3} [a-z0-9-]{0,5}") {
        for isa in [Isa { matrix: true, ..Isa::DRAFT }, Isa::from(0)] {
            let _ = assemble("p", &text, isa);
            let _ = assemble("p", &more, isa);
        }
    }
}

const MATRIX: Isa = Isa { matrix: true, ..Isa::DRAFT };

#[test]
fn notations_of_the_same_instruction() {
    for (canonical, other) in [
        ("mlae8 tr0, (x10), x11", "  mlae8\ttr0 ,( a0 ),a1 # load"),
        ("msettilem x5", "msettilem t0"),
        ("msettileki 16", "msettileki 0x10"),
        ("csrrs x5, mtilek, x0", "csrrs t0, 0x805, zero"),
        ("mrelease", ".word 0x2b"),
    ] {
        assert_eq!(assemble("p", canonical, MATRIX), assemble("p", other, MATRIX), "{other}");
    }
}

#[test]
fn errors_say_where_what_and_what_is_allowed() {
    for (source, message) in [
        ("mlae8 acc0, (x1), x2", "p.s:1:7: expected a tile register (tr0 to tr3), found `acc0`"),
        ("mlbte8 tr4, (x1), x2", "p.s:1:8: expected a tile register (tr0 to tr3), found `tr4`"),
        ("msce32 tr0, (x1), x2", "p.s:1:8: expected an accumulation register (acc0 to acc3), found `tr0`"),
        ("mlcte16 acc4, (x1), x2", "p.s:1:9: expected an accumulation register (acc0 to acc3), found `acc4`"),
        ("mlae8 tr0, 0(x1), x2", "p.s:1:12: expected `(`, found `0`"),
        ("mlae8 tr0, (x1)", "p.s:1:16: expected `,`, found the end of the line"),
        ("mlae8 tr0, (x1), 4", "p.s:1:18: expected a host register (x0 to x31 or an ABI name), found `4`"),
        ("msettilemi 1024", "p.s:1:12: expected imm10, 0 to 1023 (decimal, 0x, 0b or octal), found `1024`"),
        ("msettilemi x1", "p.s:1:12: expected imm10, 0 to 1023 (decimal, 0x, 0b or octal), found `x1`"),
        ("msettilem 4", "p.s:1:11: expected a host register (x0 to x31 or an ABI name), found `4`"),
        ("mrelease x0", "p.s:1:10: expected the end of the line, found `x0`"),
        ("MLAE8 tr0, (x1), x2", "p.s:1:1: unknown instruction `MLAE8`; mnemonics are lower case: `mlae8`"),
    ] {
        assert_eq!(assemble("p.s", source, MATRIX).unwrap_err().to_string(), message, "{source}");
    }
    for unknown in ["mlae64", "mlme8", "mlae", "mlxe8", "mltae8", "msettile", "msettilei", "msettilemii", "mlate8x"] {
        let message = assemble("p.s", unknown, MATRIX).unwrap_err().to_string();
        assert!(message.starts_with(&format!("p.s:1:1: unknown instruction `{unknown}`; known are tl.")), "{message}");
        assert!(message.contains(", ml{a,b,c}[t]e{8,16,32}, "), "{message}");
    }
    let csr = assemble("p.s", "csrrs x1, mtile, x0", MATRIX).unwrap_err().to_string();
    assert!(csr.contains("tlenb, mtilem, mtilen, mtilek, xtlenb, xtrlenb, xalenb, their"), "{csr}");
}

/// A unit without the instruction set: its mnemonics and CSR names say so.
#[test]
fn without_the_instruction_set() {
    for text in ["mlae8 tr0, (x1), x2", "msettilemi 4", "mrelease"] {
        let message = assemble("p.s", text, 0).unwrap_err().to_string();
        let mnemonic = text.split(' ').next().unwrap();
        let hint = "the configuration has no matrix instructions (`matrix = true`)";
        assert_eq!(message, format!("p.s:1:1: unknown instruction `{mnemonic}`; {hint}"));
    }
    assert!(assemble("p.s", "csrrs x1, mtilem, x0", 0).is_err());
    let unknown = assemble("p.s", "mlae64", 0).unwrap_err().to_string();
    assert!(!unknown.contains("mrelease"), "{unknown}");
}
