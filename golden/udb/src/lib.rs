// SPDX-License-Identifier: Apache-2.0
//! Instructions and CSRs of a configuration as files of riscv-unified-db (`spec/custom/isa/tensorload` there). All that
//! they say is asked of `golden`.

use std::fmt::Write;

use golden::decode::{CsrEncoding, Decoded, Isa, Operand, OperandKind, decode, instructions};
use golden::{Config, Csr, Machine, MatrixCsr, TileSize, asm};

const HEAD: &str = "# SPDX-License-Identifier: Apache-2.0\n# Made of the model by `make udb`\n\n";

/// The extensions: TensorLoad, and the matrix instruction set.
const TENSOR: &str = "Xtensorload";
const MATRIX: &str = "Xtensorloadmx";

/// Paths and contents of the files for a configuration, in the order of the model's tables.
pub fn files(config: &Config) -> Vec<(String, String)> {
    let isa = Isa::from(config);
    let mut files = vec![extension(TENSOR, "Loads, stores and reorganisation of tensor blocks")];
    files.extend(isa.matrix.then(|| extension(MATRIX, "Loads and stores of matrix tiles")));
    files.extend(words(isa).into_iter().map(|(instruction, word)| instruction_file(instruction, word, isa)));
    let reset = Machine::new(config).csr;
    let csrs = Csr::all().chain(MatrixCsr::all().map(Csr::Matrix)).filter(|&csr| isa.has(csr));
    files.extend(csrs.map(|csr| {
        let mut written = reset.clone();
        // The bits that a write of ones leaves; of one that is read only all count.
        let kept = written.write(csr, u32::MAX).unwrap_or(u32::MAX);
        csr_file(csr, isa.address(csr.address()), reset.read(csr), kept)
    }));
    files
}

/// The unit's instructions with operands that are 0, one for each mnemonic: with every legal dimension in it.
fn words(isa: Isa) -> Vec<(Decoded, u32)> {
    let mut words = Vec::new();
    let of_unit = |instruction: &Decoded| match instruction {
        Decoded::Csr(csr) => csr.encoding == CsrEncoding::Unit,
        Decoded::Tensor(_) | Decoded::Matrix(_) => true,
        Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => false,
    };
    for instruction in instructions(isa).filter(of_unit) {
        let dimensions = operands(instruction, true).len() as u32;
        for number in 0..1 << (2 * dimensions) {
            let mut left = 2 * dimensions;
            let instruction = instruction.with_operands(|operand| match operand.kind {
                OperandKind::Dimension => {
                    left -= 2;
                    number >> left & 3
                }
                _ => operand.value,
            });
            let word = instruction.encode(isa).filter(|&word| decode(word, isa) == instruction);
            words.extend(word.map(|word| (instruction, word)));
        }
    }
    words
}

/// The dimensions in the mnemonic, or the other operands.
fn operands(instruction: Decoded, dimensions: bool) -> Vec<Operand> {
    let wanted = |operand: &Operand| (operand.kind == OperandKind::Dimension) == dimensions;
    instruction.operands().iter().filter(wanted).collect()
}

/// The field of a CSR in the unit's own encoding, which is no operand: bits 27:20.
const CSR_FIELD: (u32, u32) = (20, 8);

fn instruction_file(instruction: Decoded, word: u32, isa: Isa) -> (String, String) {
    let name = asm::disassemble(word, isa).split(' ').next().unwrap_or_default().to_owned();
    let operands = operands(instruction, false);
    let csr = matches!(instruction, Decoded::Csr(_)).then_some(("csr", CSR_FIELD, false));
    let fields: Vec<(&str, (u32, u32), bool)> =
        operands.iter().map(|o| (o.name, (o.low, o.width), o.signed)).chain(csr).collect();
    let free = fields.iter().fold(0, |free, &(_, (low, width), _)| free | (u32::MAX >> (32 - width)) << low);
    let bit = |bit: u32| if free >> bit & 1 == 1 { '-' } else { char::from(b'0' + (word >> bit & 1) as u8) };
    let pattern: String = (0..32).rev().map(bit).collect();
    let (extension, what) = match instruction {
        Decoded::Matrix(_) => (MATRIX, "matrix tiles"),
        _ => (TENSOR, "tensor blocks"),
    };
    let mut text = format!(
        "{HEAD}$schema: inst_schema.json#\nkind: instruction\nname: {name}\nlong_name: Instruction {name} on {what}\n\
         description: |\n  See docs/isa.md of TensorLoad.\ndefinedBy:\n  extension:\n    name: {extension}\n\
         encoding:\n  match: \"{pattern}\"\n"
    );
    // Writing to a string cannot fail.
    if !fields.is_empty() {
        text += "  variables:\n";
    }
    for (name, (low, width), signed) in &fields {
        let _ = writeln!(text, "    - name: {name}\n      location: {}-{low}", low + width - 1);
        text += if *signed { "      sign_extend: true\n" } else { "" };
    }
    let assembly = assembly(instruction, isa);
    let _ = writeln!(text, "assembly: \"{assembly}\"\naccess:\n  s: always\n  u: always\n  vs: always\n  vu: always");
    (format!("inst/{extension}/{name}.yaml"), text)
}

/// What the disassembler writes behind the mnemonic, with the names of operands in place of their numbers.
fn assembly(instruction: Decoded, isa: Isa) -> String {
    let mut names = Vec::new();
    let numbered = instruction.with_operands(|operand| {
        if operand.kind == OperandKind::Dimension {
            return operand.value;
        }
        names.push(operand.name);
        names.len() as i32
    });
    let text = numbered.encode(isa).map(|word| asm::disassemble(word, isa)).unwrap_or_default();
    let operands = text.split_once(' ').map_or("", |(_, operands)| operands);
    let named = |token: &str| {
        let number = token.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse::<usize>();
        // A CSR has a name.
        number.ok().and_then(|n| names.get(n.wrapping_sub(1))).map_or("csr".to_owned(), ToString::to_string)
    };
    let separators = |c: char| !c.is_ascii_alphanumeric();
    let mut result = String::new();
    for token in operands.split_inclusive(separators) {
        let plain = token.trim_end_matches(separators);
        result += &if plain.is_empty() { token.to_owned() } else { named(plain) + &token[plain.len()..] };
    }
    result
}

fn csr_file(csr: Csr, address: u16, reset: u32, kept: u32) -> (String, String) {
    let (name, high) = (csr.name(), 31 - kept.leading_zeros());
    let size = [TileSize::M, TileSize::N, TileSize::K].iter().any(|size| Csr::Matrix(size.csr()) == csr);
    let (kind, extension) = (
        if size {
            "RO-H"
        } else if csr.read_only() {
            "RO"
        } else {
            "RW"
        },
        if matches!(csr, Csr::Matrix(_)) { MATRIX } else { TENSOR },
    );
    let text = format!(
        "{HEAD}$schema: csr_schema.json#\nkind: csr\nname: {name}\nlong_name: CSR {name} of the unit\n\
         address: {address:#x}\nwritable: {}\npriv_mode: U\nlength: 32\ndefinedBy:\n  extension:\n    name: {extension}\n\
         description: |\n  See docs/isa.md of TensorLoad.\nfields:\n  VALUE:\n    location: {high}-0\n    type: {kind}\n    \
         reset_value: {reset}\n    description: |\n      The bits that it keeps.\n",
        !csr.read_only()
    );
    (format!("csr/{extension}/{name}.yaml"), text)
}

fn extension(name: &str, what: &str) -> (String, String) {
    let text = format!(
        "{HEAD}$schema: ext_schema.json#\nkind: extension\nname: {name}\nlong_name: {what}\ntype: unprivileged\nversions:\n  \
         - version: \"{}\"\n    ratification_date: null\n    state: development\ndescription: |\n  {what}. See docs/isa.md of \
         TensorLoad.\n",
        env!("CARGO_PKG_VERSION")
    );
    (format!("ext/{name}.yaml"), text)
}
