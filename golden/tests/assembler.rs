// SPDX-License-Identifier: Apache-2.0
//! Assembler and disassembler of all families: inverse to each other, every notation, every error text.
#![allow(clippy::unwrap_used)]

use golden::asm::{assemble, disassemble};
use golden::decode::{
    CsrInstruction, CsrOperation, CsrSource, Decoded, Form, Host, Isa, Matrix, Tensor, TileSource, Transfer, decode,
};
use golden::{Csr, Machine, TileSize};
use proptest::prelude::*;

const MATRIX: Isa = Isa { matrix: true, ..Isa::DRAFT };

fn isa() -> impl Strategy<Value = Isa> {
    (0..4_u8, any::<bool>()).prop_map(|(engine_id, matrix)| Isa { matrix, ..Isa::from(engine_id) })
}

fn reg() -> impl Strategy<Value = u8> {
    0..32_u8
}

fn tensor() -> impl Strategy<Value = Decoded> {
    let fields = (reg(), reg(), reg(), any::<i8>(), 0..3_u8, 0..4_u8, 0..4_u8, 0..8);
    fields.prop_map(|(a, b, c, imm8, d, p, q, kind)| {
        Decoded::Tensor(match kind {
            0 => Tensor::Load { tlrd: a, rs: b, imm8 },
            1 => Tensor::Mload { tlrd: a, rs: b, imm8 },
            2 => Tensor::Store { tlrs: a, rs: b, imm8 },
            3 => Tensor::Mstore { tlrs: a, rs: b, imm8 },
            4 => Tensor::Addi { tlrd: a, tlrs: b, imm8 },
            5 => Tensor::Concat { d, tlrd: a, tlrs1: b, tlrs2: c },
            6 => Tensor::Merge { d, tlrd: a, tlrs1: b, tlrs2: c },
            _ => Tensor::Xpose { p, q, tlrs1: a, tlrs2: b, rs: c },
        })
    })
}

fn csr() -> impl Strategy<Value = Decoded> {
    let operation = prop::sample::select(vec![CsrOperation::Write, CsrOperation::Set, CsrOperation::Clear]);
    let source = prop_oneof![reg().prop_map(CsrSource::Register), reg().prop_map(CsrSource::Immediate)];
    let csrs: Vec<Csr> = Csr::all().filter(|&csr| Isa::DRAFT.has(csr)).collect();
    (operation, prop::sample::select(csrs), reg(), source)
        .prop_map(|(operation, csr, rd, source)| CsrInstruction::new(operation, csr, rd, source))
        .prop_filter("tlenb is read only", |instruction| !(instruction.csr.read_only() && instruction.writes()))
        .prop_map(Decoded::Csr)
}

fn host() -> impl Strategy<Value = Decoded> {
    prop_oneof![
        (reg(), 0..1_u32 << 20).prop_map(|(rd, imm20)| Decoded::Host(Host::Lui { rd, imm20 })),
        (reg(), reg(), -2048..2048_i16).prop_map(|(rd, rs1, imm12)| Decoded::Host(Host::Addi { rd, rs1, imm12 })),
    ]
}

fn matrix() -> impl Strategy<Value = Decoded> {
    let form = prop::sample::select(vec![Form::A, Form::B, Form::C]);
    let transfer = (form, any::<bool>(), 0..3_u8, 0..4_u8, reg(), reg()).prop_map(
        |(form, transposed, d_size, register, rs1, rs2)| Transfer { form, transposed, d_size, register, rs1, rs2 },
    );
    let size = prop::sample::select(vec![TileSize::M, TileSize::N, TileSize::K]);
    let source = prop_oneof![(0..1024_u16).prop_map(TileSource::Immediate), reg().prop_map(TileSource::Register)];
    let matrix = prop_oneof![
        4 => (transfer, any::<bool>()).prop_map(|(t, load)| if load { Matrix::Load(t) } else { Matrix::Store(t) }),
        2 => (size, source).prop_map(|(size, source)| Matrix::SetTile { size, source }),
        1 => Just(Matrix::Release),
    ];
    matrix.prop_map(Decoded::Matrix)
}

/// A program, and the unit that it is for.
fn program() -> impl Strategy<Value = (Vec<Decoded>, Isa)> {
    isa().prop_flat_map(|isa| {
        let matrix = if isa.matrix { matrix().boxed() } else { tensor().boxed() };
        (prop::collection::vec(prop_oneof![tensor(), csr(), host(), matrix], 0..5), Just(isa))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_and_canonical_text_come_back((program, isa) in program()) {
        let words: Vec<u32> = program.iter().map(|instruction| instruction.encode(isa).unwrap()).collect();
        let decoded: Vec<Decoded> = words.iter().map(|&word| decode(word, isa)).collect();
        prop_assert_eq!(decoded, program);
        let text: Vec<String> = words.iter().map(|&word| disassemble(word, isa)).collect();
        prop_assert_eq!(&assemble("p", &text.join("\n"), isa).unwrap(), &words);
    }

    #[test]
    fn every_word_comes_back(
        word: u32,
        opcode in prop::sample::select(vec![0x2B, 0x5B, 0x73, 0x13, 0x37, 0x33, 0x63, 0x6F, 0x67, 0x03, 0x23, 0x0F_u32]),
        known: bool,
        isa in isa(),
    ) {
        let word = if known { word & !0x7F | opcode } else { word };
        let text = disassemble(word, isa);
        let legal = crate::common::is_text_of_the_host(word) || !matches!(decode(word, isa), Decoded::Illegal | Decoded::NotOurs);
        prop_assert_eq!(text.starts_with(".word 0x"), !legal);
        prop_assert_eq!(assemble("p", &text, isa).unwrap(), vec![word]);
    }

    #[test]
    fn li_loads_any_constant(value: u32, small in -5000..5000_i32, use_small: bool) {
        let value = if use_small { small as u32 } else { value };
        for text in [format!("li x5, {value}"), format!("li x5, {}", value as i32), format!("li x5, {value:#x}")] {
            let words = assemble("p", &text, 0).unwrap();
            let mut m = Machine::new(&golden::Config::named("tiny").unwrap());
            for &word in &words {
                m.step(word);
            }
            prop_assert_eq!(m.x(5), value);
            prop_assert_eq!(words.len() == 1, (-2048..2048).contains(&(value as i32)) || value & 0xFFF == 0);
        }
    }

    #[test]
    fn no_text_panics(
        text in "[ -~\u{e9}\n]{0,60}",
        tail in "(tl\\.load|csrrw|li|tl\\.xpose\\.01|m[ls][abc]t?e(8|16|32|)|ms?e?t?tile[mnki]{0,3}) [a-z0-9,( )-]{0,20}",
        isa in isa(),
    ) {
        let _ = assemble("p", &text, isa);
        let _ = assemble("p", &tail, isa);
    }
}

#[test]
fn notations_of_the_same_instruction() {
    let same = |canonical: &str, others: &[&str]| {
        let word = assemble("p", canonical, MATRIX).unwrap();
        for other in others {
            assert_eq!(assemble("p", other, MATRIX).as_ref(), Ok(&word), "{other}");
        }
    };
    same(
        "tl.load tl5, 0(x10)",
        &["tl.load t5, (x10)", "tl.load tlr5,0 ( a0 ) # x", "  tl.load\ttl5 , 0x0(x10);", "tl.load t5, 0b0(x10)//x"],
    );
    same("tl.xpose.01 tl5, tl6, x30", &["tl.xpose.01 t5, t6, t5"]);
    same("tl.addi tl1, tl2, -5", &["tl.addi t1, tlr2, -0x5"]);
    same(
        "csrrw x0, tload_stride5, x1",
        &["csrrw zero, TL_LOAD_STRIDE_CSR5, ra", "csrrw x0, TL_LOAD_STRIDE_CSR{5}, x1", "csrrw x0, 0x845, x1"],
    );
    same(
        "csrrw x0, tstore_stride0, x8",
        &["csrrw x0, TL_STORE_STRIDE_CSR, fp", "csrrw x0, TL_STORE_STRIDE_CSR{0}, s0"],
    );
    same("csrrw x0, tmask_load, x1", &["csrrw x0, TL_LOAD_MASK_CSR, x1", "csrrw x0, tmask_ls, x1"]);
    same("csrrw x0, tmask_store, x1", &["csrrw x0, TL_STORE_MASK_CSR, x1"]);
    same("csrrw x0, tmask_concat_1, x1", &["csrrw x0, TL_MASK1_CSR, x1", "csrrw x0, TL_CONACT_MASK1_CSR, x1"]);
    same("csrrw x0, tmask_concat_2, x1", &["csrrw x0, TL_MASK2_CSR, x1", "csrrw x0, TL_CONACT_MASK2_CSR, x1"]);
    same("csrrw x0, tload_width, x1", &["csrrw x0, TL_LOAD_WIDTH_CSR, x1", "csrrw x0, tmask_load_width, x1"]);
    same("csrrw x0, tstore_width, x1", &["csrrw x0, TL_STORE_WIDTH_CSR, x1"]);
    same("addi x0, x0, 0", &["nop"]);
    same("addi x5, x6, 0", &["mv t0, t1"]);
    same("mlae8 tr0, (x10), x11", &["  mlae8\ttr0 ,( a0 ),a1 # load"]);
    same("msettilem x5", &["msettilem t0"]);
    same("msettileki 16", &["msettileki 0x10"]);
    same("csrrs x5, mtilek, x0", &["csrrs t0, 0x805, zero"]);
    same("mrelease", &[".word 0x2b"]);
    same(".word 0xffffffff", &[".word -1", ".word 4294967295"]);
    assert!(assemble("p", "# nothing\n\n  // here\n", 0).unwrap().is_empty());
}

/// `csrrw` on a number that is not a CSR of the unit assembles, so that tests can make it trap.
#[test]
fn any_csr_number_assembles() {
    let words = assemble("p", "csrrw x1, 0x300, x2\ncsrrw x1, tlenb, x2", 0).unwrap();
    assert_eq!(words, [0x3001_10F3, 0xCD01_10F3]);
    assert_eq!(disassemble(words[0], 0), ".word 0x300110f3");
}

/// Program, and what the assembler says of it behind the name of the file. NUMBER is how numbers are written.
const ERRORS: &str = include_str!("assembler_errors.txt");

#[test]
fn errors_say_where_what_and_what_is_allowed() {
    let rows = ERRORS.replace("=>\n    ", "=> ").replace("\n     ", " ");
    for (source, message) in rows.lines().filter_map(|row| row.split_once(" => ")) {
        let message = format!("p.s:{}", message.replace("NUMBER", "decimal, 0x, 0b or octal"));
        let error = assemble("p.s", &source.replace("\\n", "\n"), MATRIX).unwrap_err();
        assert_eq!(error.to_string(), message, "{source}");
    }
    assert_eq!(rows.lines().filter(|row| row.contains(" => ")).count(), 43);
    let unknown = assemble("p.s", "tl.add tl1", 0).unwrap_err().to_string();
    assert!(unknown.starts_with("p.s:1:1: unknown instruction `tl.add`; known are tl.load, tl.mload, "), "{unknown}");
    let csr = assemble("p.s", "csrrw x0, tload_stride32, x1", 0).unwrap_err().to_string();
    let start = "p.s:1:11: expected a CSR, or its number, 0 to 4095, found `tload_stride32`; known are ttype, ";
    assert!(csr.starts_with(start), "{csr}");
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

#[test]
fn every_line_with_an_error_is_reported() {
    let errors = assemble("p.s", "nope\nnop\nli x1\n", 0).unwrap_err();
    assert_eq!(errors.0.iter().map(|error| (error.line, error.column)).collect::<Vec<_>>(), [(1, 1), (3, 6)]);
    assert_eq!(errors.to_string().lines().count(), 2);
}

/// The words are those of GNU as (`riscv64-unknown-elf-as -march=rv32im_zicsr`, `objdump -d`).
#[test]
fn labels_constants_data_and_pseudo_instructions() {
    let source = "
        .equ N, 3
        .equ SIZE, N*4+2
start:  li   x5, SIZE
loop:   addi x5, x5, -1
        bnez x5, loop
        la   x6, data
        lw   x7, data_end-data-4(x6)
        lui  x8, %hi(data)
        lw   x9, %lo(data)(x8)
        li   x10, later
        call start
        bgt  x5, x6, end
        j    end
        csrw mtvec, x5
        csrr x5, mcause
        not  x5, x6
        neg  x5, x6
        seqz x5, x6
        snez x5, x6
        sltz x5, x6
        sgtz x5, x6
end:    ret
        .equ later, 0x12345
data:   .word 1, -2
        .half 0x1234
        .byte 5
        .balign 4
data_end:
";
    let words = assemble("p", source, 0).unwrap();
    let expected = "00e00293 fff28293 fe029ee3 00000317 04c30313 00832383 00000437 05842483 00012537 34550513 fd9ff0ef \
        02534463 0240006f 30529073 342022f3 fff34293 406002b3 00133293 006032b3 000322b3 006022b3 00008067 \
        00000001 fffffffe 00051234";
    let text: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    assert_eq!(text.join(" "), expected);
}
