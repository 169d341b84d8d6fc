// SPDX-License-Identifier: Apache-2.0
//! The encodings of the matrix instructions: a row of [`TABLE`] is a line of the manual (docs/isa.md, Matrix
//! encodings). The decoder is emitted from it.

/// One instruction, or several that differ in their operands only.
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    /// Mnemonics as in the manual.
    pub syntax: &'static str,
    /// Bits 31:7, MSB first, `?` for operands, `ss` for one of [`SIZES`], `_` between fields: func4, uop, ls, rs2, rs1,
    /// funct3, d_size, md.
    pub pattern: &'static str,
    /// Decoder outputs, without their `_o`, that it has, and their values.
    pub outputs: &'static [(&'static str, &'static str)],
}

/// Opcode custom-1.
pub const OPCODE: &str = "0101011";

/// What `ss` in a pattern stands for: 8, 16 and 32 bits, but not 64.
pub const SIZES: [&str; 2] = ["0?", "10"];

/// Where the size of an element is.
pub const D_SIZE: (&str, &str) = ("d_size", "instr_i[11:10]");
/// Where the register is.
pub const MD: (&str, &str) = ("md", "instr_i[9:7]");
const LOAD: (&str, &str) = ("op", "MxLoad");
const STORE: (&str, &str) = ("op", "MxStore");
const A: (&str, &str) = ("form", "MxA");
const B: (&str, &str) = ("form", "MxB");
const C: (&str, &str) = ("form", "MxC");
const TRANS: (&str, &str) = ("trans", "1'b1");
const USE_IMM: (&str, &str) = ("use_imm", "1'b1");
/// Where the immediate is.
pub const IMM: (&str, &str) = ("imm", "instr_i[24:15]");

const fn row(
    syntax: &'static str,
    pattern: &'static str,
    outputs: &'static [(&'static str, &'static str)],
) -> Encoding {
    Encoding { syntax, pattern, outputs }
}

/// All instructions. `tr` registers have md 0 to 3, `acc` registers 4 to 7.
pub const TABLE: &[Encoding] = &[
    row("mlae8/16/32 tr, (rs1), rs2", "0000_01_0_?????_?????_000_ss_0??", &[LOAD, A, D_SIZE, MD]),
    row("mlbe8/16/32 tr, (rs1), rs2", "0001_01_0_?????_?????_000_ss_0??", &[LOAD, B, D_SIZE, MD]),
    row("mlce8/16/32 acc, (rs1), rs2", "0010_01_0_?????_?????_000_ss_1??", &[LOAD, C, D_SIZE, MD]),
    row("mlate8/16/32 tr, (rs1), rs2", "0100_01_0_?????_?????_000_ss_0??", &[LOAD, A, TRANS, D_SIZE, MD]),
    row("mlbte8/16/32 tr, (rs1), rs2", "0101_01_0_?????_?????_000_ss_0??", &[LOAD, B, TRANS, D_SIZE, MD]),
    row("mlcte8/16/32 acc, (rs1), rs2", "0110_01_0_?????_?????_000_ss_1??", &[LOAD, C, TRANS, D_SIZE, MD]),
    row("msae8/16/32 tr, (rs1), rs2", "0000_01_1_?????_?????_000_ss_0??", &[STORE, A, D_SIZE, MD]),
    row("msbe8/16/32 tr, (rs1), rs2", "0001_01_1_?????_?????_000_ss_0??", &[STORE, B, D_SIZE, MD]),
    row("msce8/16/32 acc, (rs1), rs2", "0010_01_1_?????_?????_000_ss_1??", &[STORE, C, D_SIZE, MD]),
    row("msate8/16/32 tr, (rs1), rs2", "0100_01_1_?????_?????_000_ss_0??", &[STORE, A, TRANS, D_SIZE, MD]),
    row("msbte8/16/32 tr, (rs1), rs2", "0101_01_1_?????_?????_000_ss_0??", &[STORE, B, TRANS, D_SIZE, MD]),
    row("mscte8/16/32 acc, (rs1), rs2", "0110_01_1_?????_?????_000_ss_1??", &[STORE, C, TRANS, D_SIZE, MD]),
    row("msettileki imm10", "0001_00_0_?????_?????_000_00_000", &[("op", "MxSetK"), USE_IMM, IMM]),
    row("msettilemi imm10", "0010_00_0_?????_?????_000_00_000", &[("op", "MxSetM"), USE_IMM, IMM]),
    row("msettileni imm10", "0011_00_0_?????_?????_000_00_000", &[("op", "MxSetN"), USE_IMM, IMM]),
    row("msettilek rs1", "0001_00_1_00000_?????_000_00_000", &[("op", "MxSetK")]),
    row("msettilem rs1", "0010_00_1_00000_?????_000_00_000", &[("op", "MxSetM")]),
    row("msettilen rs1", "0011_00_1_00000_?????_000_00_000", &[("op", "MxSetN")]),
    row("mrelease", "0000_00_0_00000_00000_000_00_000", &[("op", "MxRelease")]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(pattern: &str) -> Vec<char> {
        pattern.chars().filter(|c| *c != '_').collect()
    }

    fn fixed(bit: char) -> bool {
        bit == '0' || bit == '1'
    }

    #[test]
    fn patterns_have_25_bits_and_never_overlap() {
        for (at, a) in TABLE.iter().enumerate() {
            assert_eq!(bits(a.pattern).len(), 25, "{}", a.syntax);
            for b in &TABLE[at + 1..] {
                let disjoint =
                    bits(a.pattern).iter().zip(bits(b.pattern)).any(|(x, y)| fixed(*x) && fixed(y) && *x != y);
                assert!(disjoint, "{} and {} overlap", a.syntax, b.syntax);
            }
        }
    }
}
