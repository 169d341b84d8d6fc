// SPDX-License-Identifier: Apache-2.0
//! Each intrinsic of tensorload.h is the instruction that its name says, held against the disassembler of the model.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use golden::csr::ADAPTER_CSRS;
use golden::decode::{Decoded, Isa, OperandKind, decode, instructions};
use golden::hart::HartCsr;
use golden::{Csr, MatrixCsr, Program, asm};

/// Words of a function whose two arguments are in x10 and x11 and stay there.
fn words(body: &[String], isa: Isa) -> Vec<u32> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let text = format!(
        "#include \"tensorload.h\"\nvoid f(uint32_t a, uint32_t b) {{\n{}\n(void)a; (void)b;\n}}\nint main(void) {{ return 0; }}\n",
        body.join("\n")
    );
    std::fs::write(file("f.c"), text).unwrap();
    compile(&file("f.c"), isa, &file("f.elf")).unwrap_or_else(|error| panic!("{error}"));
    let program = Program::from_elf(&std::fs::read(file("f.elf")).unwrap()).unwrap();
    let bytes = program.segments.iter().flat_map(|segment| segment.bytes.chunks_exact(4));
    bytes.map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn compile(source: &Path, isa: Isa, elf: &Path) -> Result<(), kernels::CompileError> {
    let Isa { engine_id, csr_base, csr_op, gpr_rs1, .. } = isa;
    let mut flags = vec![format!("-DTL_ENGINE_ID={engine_id}"), format!("-DTL_CSR_BASE={csr_base:#x}")];
    flags.extend(csr_op.then(|| "-DTL_CSR_OP".to_string()));
    flags.extend(gpr_rs1.then(|| "-DTL_GPR_RS1".to_string()));
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    kernels::compile(&[source], &flags, elf)
}

/// The unit of the draft, and one with all options, both with matrix instructions.
fn isas() -> [Isa; 3] {
    [Isa { matrix: true, ..Isa::DRAFT }, Isa { engine_id: 2, ..Isa::ALL }, Isa { csr_base: 0x880, ..Isa::ALL }]
}

/// The C call for an instruction that is written `text`, which has x10 and x11 for host registers.
fn call(text: &str) -> String {
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    let parts: Vec<&str> = operands.split([',', '(', ')', ' ']).filter(|part| !part.is_empty()).collect();
    let arguments: Vec<String> = parts
        .iter()
        .map(|part| match *part {
            "x10" => "a".to_string(),
            "x11" => "b".to_string(),
            number => number.trim_start_matches(|c: char| c.is_ascii_lowercase()).to_string(),
        })
        .collect();
    let (name, dimensions) = match mnemonic.rsplit_once('.') {
        Some((name, digits)) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            (name, digits.chars().map(|digit| digit.to_string()).collect())
        }
        _ => (mnemonic, Vec::new()),
    };
    format!("{}({});", name.replace('.', "_"), [dimensions, arguments].concat().join(", "))
}

/// Each instruction of TensorLoad with several values of each operand.
fn tensor() -> Vec<String> {
    let mut all = Vec::new();
    for (n, instruction) in instructions(0).filter(|i| matches!(i, Decoded::Tensor(_))).enumerate() {
        for round in 0..5usize {
            let mut next = n + round;
            let word = instruction.with_operands(|operand| {
                next += 1;
                match operand.kind {
                    OperandKind::X(_) => [10, 11][next % 2],
                    OperandKind::Immediate => [-128, 127, -33, 64, 10][next % 5],
                    OperandKind::Dimension => (next % 3) as i32,
                    _ => [31, 0, 16, 1, 13][next % 5],
                }
            });
            all.push(asm::disassemble(word.encode(0).unwrap(), 0));
        }
    }
    all
}

/// Every load and store of tiles, and the rest of that set.
fn matrix() -> Vec<String> {
    let mut all = Vec::new();
    for direction in ["l", "s"] {
        for (form, register) in [("a", "tr"), ("b", "tr"), ("c", "acc"), ("at", "tr"), ("bt", "tr"), ("ct", "acc")] {
            for width in [8, 16, 32] {
                let number = all.len() % 4;
                all.push(format!("m{direction}{form}e{width} {register}{number}, (x10), x11"));
            }
        }
    }
    let rest = [
        "msettileki 1023",
        "msettilemi 0",
        "msettileni 33",
        "msettilek x10",
        "msettilem x11",
        "msettilen x10",
        "mrelease",
    ];
    all.extend(rest.map(String::from));
    all
}

/// Whether `expected` are among the words, in this order and one behind the other.
#[track_caller]
fn assert_in_order(words: &[u32], expected: &[String], isa: Isa) {
    let text: Vec<String> = words.iter().map(|&word| asm::disassemble(word, isa)).collect();
    let found = text.windows(expected.len()).any(|window| window == expected);
    assert!(found, "not there: {expected:#?}\nin: {text:#?}");
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn every_instruction_of_both_sets_has_an_intrinsic() {
    let expected: Vec<String> = tensor().into_iter().chain(matrix()).collect();
    for isa in isas() {
        let calls: Vec<String> = expected.iter().map(|text| call(text)).collect();
        assert_in_order(&words(&calls, isa), &expected, isa);
        // The header has one form of each, the second one where there is one.
        let chosen = |decoded| match decoded {
            Decoded::Tensor(tensor) => !isa.gpr_rs1 || tensor.is_second_form() || tensor.second_form().is_none(),
            Decoded::Matrix(_) => true,
            Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => false,
        };
        let named = |decoded: Decoded| chosen(decoded).then(|| decoded.mnemonic());
        let all: BTreeSet<_> = instructions(isa).filter_map(named).collect();
        let word = |text: &String| asm::assemble("p", text, isa).unwrap()[0];
        let tried: BTreeSet<_> = expected.iter().filter_map(|text| named(decode(word(text), isa))).collect();
        assert_eq!(tried, all);
    }
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn csrs_are_read_and_written_under_their_names() {
    isas().into_iter().for_each(csrs_of);
}

fn csrs_of(isa: Isa) {
    let single = Csr::all().filter(|&csr| isa.has(csr) && !matches!(csr, Csr::TloadStride(_) | Csr::TstoreStride(_)));
    let adapter = ADAPTER_CSRS.map(|csr| (csr.1.to_string(), false));
    // Their names are not text of a word of the unit, which does not have them.
    let adapter = adapter.into_iter().filter(|_| !isa.csr_op);
    let unit = single.chain(MatrixCsr::all().map(Csr::Matrix)).map(|csr| (csr.name(), csr.read_only()));
    let host = HartCsr::all().map(|csr| (csr.name().to_string(), csr.read_only()));
    let (read_only, writable): (Vec<_>, Vec<_>) =
        unit.chain(adapter).chain(host).partition(|(_, read_only)| *read_only);
    let macro_name = |(name, _): &(String, bool)| format!("TL_{}", name.to_uppercase());
    let mut calls: Vec<String> = writable.iter().map(|csr| format!("tl_csr_write({}, a);", macro_name(csr))).collect();
    let text = |text: &str| {
        let csr = text.split(", ").nth(1).unwrap();
        if isa.csr_op && HartCsr::from_name(csr).is_none() { format!("tl.{text}") } else { text.to_string() }
    };
    let mut expected: Vec<String> = writable.iter().map(|(name, _)| text(&format!("csrrw x0, {name}, x10"))).collect();
    for (call, plain) in [
        ("tl_csr_write(TL_TLOAD_STRIDE(31), b);", "csrrw x0, tload_stride31, x11"),
        ("tl_csr_write(TL_TSTORE_STRIDE(7), b);", "csrrw x0, tstore_stride7, x11"),
        ("tl_csr_writei(TL_TTYPE, 4);", "csrrwi x0, ttype, 4"),
        ("tl_csr_seti(TL_TMASK_STORE, 31);", "csrrsi x0, tmask_store, 31"),
        ("tl_csr_cleari(TL_MSCRATCH, 0);", "csrrci x0, mscratch, 0"),
    ] {
        calls.push(call.to_string());
        expected.push(text(plain));
    }
    let mut reads: Vec<(String, String)> = read_only
        .iter()
        .map(|csr| (format!("tl_csr_read({})", macro_name(csr)), text(&format!("csrrs x, {}, x0", csr.0))))
        .collect();
    for (call, plain) in [
        ("tl_csr_swap(TL_TSHAPE, b)", "csrrw x, tshape, x11"),
        ("tl_csr_set(TL_TTYPE, b)", "csrrs x, ttype, x11"),
        ("tl_csr_clear(TL_MCAUSE, b)", "csrrc x, mcause, x11"),
    ] {
        reads.push((call.to_string(), text(plain)));
    }
    // The values are used, in an expression that the compiler cannot shorten.
    calls.extend(reads.iter().map(|(call, _)| format!("a = (a ^ {call}) * 3;")));
    calls.push("*TL_EXIT = a;".into());
    let found = words(&calls, isa);
    assert_in_order(&found, &expected, isa);
    // The compiler picks the register that receives the old value.
    let without_rd = |text: String| match text.split_once(' ') {
        Some((mnemonic, operands)) if mnemonic.trim_start_matches("tl.").starts_with("csr") => {
            format!("{mnemonic} x,{}", operands.split_once(',').unwrap_or_default().1)
        }
        _ => text,
    };
    let found: Vec<String> = found.iter().map(|&word| without_rd(asm::disassemble(word, isa))).collect();
    let found: Vec<&String> = found.iter().filter(|text| reads.iter().any(|(_, read)| read == *text)).collect();
    assert_eq!(found, reads.iter().map(|(_, text)| text).collect::<Vec<_>>());
}

/// A host of 64 bits: the words are the same, no value loses its upper half, and windows may be above 4 GiB.
#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn the_header_compiles_without_a_warning_for_64_bits() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let calls: Vec<String> = tensor().into_iter().chain(matrix()).map(|text| call(&text)).collect();
    let text = format!(
        "#define TL_L1M ((volatile uint8_t *)0x400000000)\n#include \"tensorload.h\"\n\
         void f(tl_word a, tl_word b) {{\n{}\n}}\n\
         tl_word mtval(void) {{ return tl_csr_read(TL_MTVAL); }}\n\
         void base(tl_word a) {{ tl_load(1, 0, a); }}\n\
         tl_word byte(void) {{ tl_csr_write(TL_TTYPE, 4); return tl_address_of(TL_L1M + 5) + TL_L0M[0]; }}\n",
        calls.join("\n")
    );
    std::fs::write(file("f.c"), text).unwrap();
    let mut compiler = std::process::Command::new(kernels::COMPILER);
    compiler.args(["-march=rv64im", "-mabi=lp64", "-mcmodel=medany", "-ffreestanding", "-O2", "-S", "-o", "-"]);
    compiler.args(["-Wall", "-Wextra", "-Wconversion", "-Werror", "-I"]).arg(kernels::folder().join("include"));
    let output = compiler.arg(file("f.c")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // No instruction between the argument or result and the unit: nothing is cut to 32 bits.
    let body = |name: &str| {
        let code = text.split(&format!("\n{name}:\n")).nth(1).unwrap().split("\tret").next().unwrap();
        code.lines()
            .map(|line| line.trim().replace('\t', " "))
            .filter(|line| !line.starts_with('#'))
            .collect::<Vec<_>>()
    };
    for (name, instruction) in [("mtval", ".insn i 115, 2, a0, x0, 835"), ("base", ".insn r 0x5b, 0, 0, a0, x1, x0")] {
        assert_eq!(body(name), [instruction], "{name}");
    }
}

#[test]
#[ignore = "needs a RISC-V compiler: make test-all"]
fn constants_out_of_range_do_not_compile() {
    let folder = tempfile::tempdir().unwrap();
    for (call, message) in [
        ("tl_load(32, 0, 0)", "tensor registers are 0 to 31"),
        ("tl_store(1, 128, 0)", "imm8 is -128 to 127"),
        ("tl_addi(1, 2, -129)", "imm8 is -128 to 127"),
        ("tl_concat(3, 1, 2, 3)", "no such dimension"),
        ("tl_xpose(0, 4, 1, 2, 0)", "no such dimension"),
        ("mlae8(4, 0, 0)", "matrix registers are 0 to 3"),
        ("msettileki(1024)", "imm10 is 0 to 1023"),
        ("tl_csr_writei(TL_TTYPE, 32)", "the immediate of a CSR instruction is 0 to 31"),
    ] {
        let source = folder.path().join("f.c");
        std::fs::write(&source, format!("#include \"tensorload.h\"\nint main(void) {{ {call}; return 0; }}\n"))
            .unwrap();
        let error = compile(&source, Isa::DRAFT, &folder.path().join("f.elf")).unwrap_err().to_string();
        assert!(error.contains(message), "{call}: {error}");
    }
}
