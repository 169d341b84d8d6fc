// SPDX-License-Identifier: Apache-2.0
//! `tl_decoder`: from an instruction word to operation and operands.

use crate::Config;
use crate::encoding::{OPCODE, TABLE};
use crate::sv::{Module, Ty};

/// Decoder outputs for operands and their widths.
const OPERANDS: [(&str, u32, &str); 8] = [
    ("rd", 5, "TLReg written"),
    ("rs1", 5, "first TLReg read"),
    ("rs2", 5, "second TLReg read"),
    ("gpr", 5, "GPR named by bits 11:7"),
    ("imm", 8, "signed immediate"),
    ("dim", 2, "dimension of concat and merge"),
    ("p", 2, "dim0 of xpose"),
    ("q", 2, "dim1 of xpose"),
];

/// The decoder of `config`, emitted from the table of encodings.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_decoder",
        "Decodes one instruction word. Purely combinational. Operands that an instruction does not have are 0.",
    );
    m.input("instr_i", Ty::bits(32), "");
    m.output("ours_o", Ty::bit(), "opcode custom-2 and our EngineID");
    m.output("illegal_o", Ty::bit(), "ours, but no instruction");
    m.output("op_o", Ty::named("op_e"), "");
    for (name, width, doc) in OPERANDS {
        m.output(&format!("{name}_o"), Ty::bits(width), doc);
    }
    let mut arms = String::new();
    for row in TABLE {
        let patterns: Vec<_> =
            row.patterns.iter().map(|p| format!("32'b{:02b}_{p}_{OPCODE}", config.engine_id)).collect();
        arms.push_str(&format!("    // {}\n    {}: begin\n", row.syntax, patterns.join(",\n    ")));
        let width = row.fields.iter().map(|f| f.output.len() + 2).max().unwrap_or(0).max(4);
        arms.push_str(&format!("      {:<width$} = {};\n", "op_o", row.op));
        for field in row.fields {
            arms.push_str(&format!(
                "      {:<width$} = instr_i[{}:{}];\n",
                format!("{}_o", field.output),
                field.msb,
                field.lsb
            ));
        }
        arms.push_str("    end\n");
    }
    let defaults: String =
        OPERANDS.iter().map(|(name, _, _)| format!("  {:<5} = '0;\n", format!("{name}_o"))).collect();
    m.text(&format!(
        "assign ours_o    = (instr_i[6:0] == 7'b{OPCODE}) && (instr_i[31:30] == 2'd{});\n\
         assign illegal_o = ours_o && (op_o == OpNone);\n\n\
         always_comb begin\n  {:<5} = OpNone;\n{defaults}  unique casez (instr_i)\n{arms}    default: ;\n  endcase\nend\n",
        config.engine_id, "op_o",
    ));
    m
}
