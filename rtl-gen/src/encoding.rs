// SPDX-License-Identifier: Apache-2.0
//! The encodings of the TensorLoad instructions: a row of [`TABLE`] is a line of the manual
//! (docs/isa.md, Encodings). The decoder is emitted from it.

/// A decoded field of an instruction word: the decoder output that carries it and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Decoder output, without its `_o`.
    pub output: &'static str,
    /// Most significant bit in the word.
    pub msb: u32,
    /// Least significant bit in the word.
    pub lsb: u32,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    /// Mnemonic as in the manual.
    pub syntax: &'static str,
    /// Enumerator of `op_e`.
    pub op: &'static str,
    /// Patterns of bits 29:0 without the opcode: `[29:12]` fields, MSB first, `?` for operands,
    /// `_` between fields. A word that matches one of them is this instruction.
    pub patterns: &'static [&'static str],
    /// Operands.
    pub fields: &'static [Field],
}

const TLRD_19: Field = Field { output: "rd", msb: 19, lsb: 15 };
const TLRD_11: Field = Field { output: "rd", msb: 11, lsb: 7 };
const TLRS1: Field = Field { output: "rs1", msb: 19, lsb: 15 };
const TLRS2: Field = Field { output: "rs2", msb: 24, lsb: 20 };
const GPR: Field = Field { output: "gpr", msb: 11, lsb: 7 };
const IMM8: Field = Field { output: "imm", msb: 27, lsb: 20 };
const DIM: Field = Field { output: "dim", msb: 26, lsb: 25 };
const P: Field = Field { output: "p", msb: 26, lsb: 25 };
const Q: Field = Field { output: "q", msb: 28, lsb: 27 };

/// Opcode custom-2.
pub const OPCODE: &str = "1011011";

/// All instructions. Patterns are bits 29:7: st/tm or funct5, imm8 or tlrs2, register, funct3, register.
pub const TABLE: &[Encoding] = &[
    Encoding {
        syntax: "tl.load tlrd, imm(rs)",
        op: "OpLoad",
        patterns: &["0_0_????????_?????_000_?????"],
        fields: &[TLRD_19, GPR, IMM8],
    },
    Encoding {
        syntax: "tl.mload tlrd, imm(rs)",
        op: "OpMload",
        patterns: &["0_1_????????_?????_000_?????"],
        fields: &[TLRD_19, GPR, IMM8],
    },
    Encoding {
        syntax: "tl.store tlrs, imm(rs)",
        op: "OpStore",
        patterns: &["1_0_????????_?????_010_?????"],
        fields: &[TLRS1, GPR, IMM8],
    },
    Encoding {
        syntax: "tl.mstore tlrs, imm(rs)",
        op: "OpMstore",
        patterns: &["1_1_????????_?????_010_?????"],
        fields: &[TLRS1, GPR, IMM8],
    },
    Encoding {
        syntax: "tl.addi tlrd, tlrs, imm",
        op: "OpAddi",
        patterns: &["0_0_????????_?????_010_?????"],
        fields: &[TLRD_11, TLRS1, IMM8],
    },
    Encoding {
        syntax: "tl.concat.d tlrd, tlrs1, tlrs2",
        op: "OpConcat",
        patterns: &["000_0?_?????_?????_001_?????", "000_10_?????_?????_001_?????"],
        fields: &[TLRD_11, TLRS1, TLRS2, DIM],
    },
    Encoding {
        syntax: "tl.merge.d tlrd, tlrs1, tlrs2",
        op: "OpMerge",
        patterns: &["001_0?_?????_?????_001_?????", "001_10_?????_?????_001_?????"],
        fields: &[TLRD_11, TLRS1, TLRS2, DIM],
    },
    Encoding {
        syntax: "tl.xpose.pq tlrs1, tlrs2, rs",
        op: "OpXpose",
        patterns: &["0_??_??_?????_?????_011_?????"],
        fields: &[TLRS1, TLRS2, GPR, P, Q],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(pattern: &str) -> Vec<char> {
        pattern.chars().filter(|c| *c != '_').collect()
    }

    #[test]
    fn patterns_have_23_bits_and_never_overlap() {
        let all: Vec<_> = TABLE.iter().flat_map(|row| row.patterns).map(|p| bits(p)).collect();
        for (at, a) in all.iter().enumerate() {
            assert_eq!(a.len(), 23, "{a:?}");
            for b in &all[at + 1..] {
                let disjoint = a.iter().zip(b).any(|(x, y)| *x != '?' && *y != '?' && x != y);
                assert!(disjoint, "{a:?} and {b:?} overlap");
            }
        }
    }

    #[test]
    fn operands_are_free_bits_of_their_patterns() {
        for row in TABLE {
            for field in row.fields {
                for bit in field.lsb..=field.msb {
                    let free = row.patterns.iter().any(|p| bits(p)[(29 - bit) as usize] == '?');
                    assert!(free || field.output == "dim", "{}: bit {bit} of {}", row.syntax, field.output);
                }
            }
        }
    }
}
