// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_decoder`: from a matrix instruction word to operation and operands.

use crate::matrix_encoding::{D_SIZE, IMM, MD, OPCODE, SIZES, TABLE};
use crate::sv::{Module, Ty};

/// Decoder outputs and their values for instructions that do not have them: of a number the bits at its only place.
const OUTPUTS: [(&str, &str); 7] =
    [("op", "MxNone"), ("form", "MxA"), ("trans", "1'b0"), D_SIZE, MD, ("use_imm", "1'b0"), IMM];

/// The decoder, emitted from the table of encodings.
pub fn module() -> Module {
    let mut m = Module::new("tl_mx_decoder", "Decodes one matrix instruction word. Purely combinational.");
    m.input("instr_i", Ty::bits(32), "");
    m.output("ours_o", Ty::bit(), "opcode custom-1");
    m.output("illegal_o", Ty::bit(), "ours, but no instruction");
    m.output("op_o", Ty::named("mx_op_e"), "");
    m.output("form_o", Ty::named("mx_form_e"), "");
    m.output("trans_o", Ty::bit(), "the lines in memory are the columns of the tile");
    m.output("d_size_o", Ty::bits(2), "log2 of the bytes of an element, of any instruction");
    m.output("md_o", Ty::bits(3), "tr0 to tr3, acc0 to acc3, of any instruction");
    m.output("use_imm_o", Ty::bit(), "the tile size is imm_o, not x[rs1]");
    m.output("imm_o", Ty::bits(10), "of any instruction");
    let assign = |(name, value): (&str, &str)| format!("{:<9} = {value};\n", format!("{name}_o"));
    let mut arms = String::new();
    for row in TABLE {
        let sizes: &[&str] = if row.pattern.contains("ss") { &SIZES } else { &[""] };
        let patterns: Vec<_> =
            sizes.iter().map(|size| format!("32'b{}_{OPCODE}", row.pattern.replace("ss", size))).collect();
        arms.push_str(&format!("    // {}\n    {}: begin\n", row.syntax, patterns.join(",\n    ")));
        for output in row.outputs {
            arms.push_str(&format!("      {}", assign(*output)));
        }
        arms.push_str("    end\n");
    }
    let defaults: String = OUTPUTS.iter().map(|output| format!("  {}", assign(*output))).collect();
    m.text(&format!(
        "assign ours_o    = instr_i[6:0] == 7'b{OPCODE};\n\
         assign illegal_o = ours_o && (op_o == MxNone);\n\n\
         always_comb begin\n{defaults}  unique casez (instr_i)\n{arms}    default: ;\n  endcase\nend\n",
    ));
    m
}
