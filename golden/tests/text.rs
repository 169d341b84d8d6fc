// SPDX-License-Identifier: Apache-2.0
//! Assembly language as people and compilers write it: what GNU as takes is the same here, or an error, and never
//! something else. Words are those of `llvm-mc -triple=riscv32 -mattr=+m`, which agrees with GNU as.
#![allow(clippy::unwrap_used)]

use golden::asm::{assemble, program};

fn words(source: &str) -> Vec<u32> {
    assemble("p.s", source, 0).unwrap_or_else(|errors| panic!("{source}:\n{errors}"))
}

fn error(source: &str) -> String {
    assemble("p.s", source, 0).unwrap_err().to_string()
}

/// The same program, written twice.
fn same(source: &str, plain: &str) {
    assert_eq!(words(source), words(plain), "{source}");
}

#[test]
fn labels_separators_and_comments() {
    same("loop:addi x1,x1,1;j loop", "loop:\naddi x1, x1, 1\nj loop");
    same("a:b: c : nop\nj a;j b;j c", "nop\nj -4\nj -8\nj -12");
    same("\u{feff}nop\r\nnop;\r\n", "nop\nnop");
    same("li x1, 1 /* a comment; of\ntwo lines # */ ; nop // x; nop", "li x1, 1\nnop");
    same(".byte ';', '#', ':', 'a', ' , '\\n", ".byte 59, 35, 58, 97, 32, 10");
    // A comment of the drafts.
    let expected =
        "p.s:1:22: unknown instruction `condition` (`;` ends an instruction; a comment begins with `#` or `//`)";
    assert!(error("tl.mload tl1, 0(x1); condition").starts_with(expected), "{}", error("nop; condition"));
    assert_eq!(error("nop /* x"), "p.s:1:5: `/*` without `*/`");
    assert_eq!(error(".string \"x\nnop"), "p.s:1:9: `\"` without its end in the same line");
}

#[test]
fn numbers_and_labels_that_are_numbers() {
    same("li x1, 010\n.word 0X1f, 0B11, -017", "li x1, 8\n.word 31, 3, -15");
    assert_eq!(
        error("addi x1, x1, 08"),
        "p.s:1:14: expected imm12, -2048 to 2047 (decimal, 0x, 0b or octal), found `08`"
    );
    same("1: nop\nbeqz x1, 1f\nj 1b\n1: j 1b\n0: j 0b\nj .", "nop\nbeqz x1, 8\nj -8\nj 0\nj 0\nj 0");
    same("1: nop\n.word 1b, 1b+4, 1f-1b\n1:", "nop\n.word 0, 4, 16");
    let message = "p.s:1:3: expected a number, a constant or a label, found `1f`; nothing before or after defines `1f`";
    assert_eq!(error("j 1f\n2: nop"), message);
    assert!(error("nop\nj 1b\n1: nop").contains("`1b`; nothing before or after defines `1b`"));
}

#[test]
fn jumps_to_registers() {
    for (text, word) in [
        ("jr x10", 0x0005_0067),
        ("jr 8(a0)", 0x0085_0067),
        ("jr a0, 8", 0x0085_0067),
        ("jr (a0)", 0x0005_0067),
        ("jalr a0", 0x0005_00E7),
        ("jalr 8(a0)", 0x0085_00E7),
        ("jalr a0, 8", 0x0085_00E7),
        ("jalr x0, x1", 0x0000_8067),
        ("jalr x0, x1, 0", 0x0000_8067),
        ("jalr x5, x10, -4", 0xFFC5_02E7),
        ("jalr x5, -4(x10)", 0xFFC5_02E7),
        ("jalr x5, (x10)", 0x0005_02E7),
    ] {
        assert_eq!(words(text), [word], "{text}");
    }
    assert_eq!(error("jr 8"), "p.s:1:5: expected `(`, found the end of the line");
    assert!(error("jalr x1, x2, x3").contains("expected imm12"));
}

/// Zeros in code would trap.
#[test]
fn alignment_of_code_is_filled_with_nops() {
    same("nop\n.align 4\nnop", "nop\nnop\nnop\nnop\nnop");
    same(".byte 1\n.balign 8\nnop", ".byte 1, 0, 0, 0\nnop\nnop");
    same("nop\n.p2align 3, 0xff", "nop\n.word -1");
    same(".data\n.word 1\n.align 4\n.word 2", ".word 1, 0, 0, 0, 2");
    assert_eq!(error(".balign 6"), "p.s:1:9: expected a number of bytes, a power of two up to 4096, found `6`");
}

/// As `clang --target=riscv32 -march=rv32im -S` writes them.
#[test]
fn sections_are_put_together_in_the_order_of_their_names() {
    let source = include_str!("compiled.s");
    let plain = "nop\nlui a0, %hi(count)\nlw a1, %lo(count)(a0)\nla a2, str\naddi a3, a0, 44\nret\n\
        str: .byte 104, 105, 10, 0\ncount: .word 7\n.word 0, 0, 0, 0";
    same(source, plain);
    // The program ends behind its instructions, not behind its data.
    let program = program("p.s", source, 0).unwrap();
    assert_eq!((program.entry, program.end), (4, Some(28)));
    assert_eq!(
        error(".section .l1m"),
        "p.s:1:1: the section `.l1m` is not known; allowed are .text, .rodata, .srodata, .data, .sdata, .bss, .sbss, \
         .comment, .note, .debug, and these with `.NAME` behind"
    );
    assert!(error("lui a0, %hi(none)").ends_with(
        "p.s:1:13: expected a number, a constant or a label, found `none`; nothing before or after defines `none`"
    ));
    assert!(error(".option rvc").contains("expected push or pop or pic"));
}

/// Of GCC and Clang: an anchor of a section, names for linkers alone, numbers of 64 bits, what debuggers read.
#[test]
fn what_compilers_write_beside_instructions_is_read() {
    same("lui a0, %hi(.A)\naddi a0, a0, %lo(.A + 4)\n.data\nnop\n.set\t.A,. + 0", "lui a0, 0\naddi a0, a0, 16\nnop");
    same("li a0, N + 1 - 2\nnop\n.equ N, 9", "lui a0, 0\naddi a0, a0, 8\nnop");
    same(".hidden f\n.protected f\nf: .cfi_sections .debug_frame\n.cfi_remember_state\nret", "ret");
    same(".data\n.quad -2, 0x123456789abcdef", ".word -2, -1, 0x89abcdef, 0x1234567");
    same("nop\n.section .debug_info,\"\",@progbits\n.uleb128 0x1\n.text\nnop", "nop\nnop");
    assert_eq!(error("li a0, 1 +"), "p.s:1:10: expected the end of the line, found `+`");
}

/// What is allowed stands at the first error alone, and a hint names what there is.
#[test]
fn messages_are_short() {
    let errors = assemble("p.s", &"nope\ncsrr x1, none\n".repeat(100), 0).unwrap_err();
    assert_eq!(errors.0.len(), 200);
    assert!(errors.0[0].message.contains("known are tl.load, ") && errors.0[1].message.contains("known are ttype, "));
    assert!(errors.0[2..].iter().all(|error| error.message.len() < 80), "{}", errors.0[2]);
    assert!(error("N").starts_with("p.s:1:1: unknown instruction `N`; known are "));
    assert_eq!(error("NOP"), "p.s:1:1: unknown instruction `NOP`; mnemonics are lower case: `nop`");
    assert!(error("Tl.Xpose.01 x1").ends_with("mnemonics are lower case: `tl.xpose.01`"));
}
