// SPDX-License-Identifier: Apache-2.0
//! `tl_decoder`: from an instruction word to operation and operands.

use std::collections::BTreeSet;

use crate::Config;
use crate::encoding::{OPCODE, TABLE};
use crate::sv::{Module, Ty};

/// Decoder outputs for operands and their widths. The number of a register is 0 where an instruction has none; other
/// operands are the bits at their only place, whatever the instruction.
const OPERANDS: [(&str, u32, &str); 8] = [
    ("rd", 5, "TLReg written"),
    ("rs1", 5, "first TLReg read"),
    ("rs2", 5, "second TLReg read"),
    ("gpr", 5, "GPR named by bits 11:7"),
    ("imm", 8, "signed immediate, of any instruction"),
    ("dim", 2, "dimension of concat and merge, of any instruction"),
    ("p", 2, "dim0 of xpose, of any instruction"),
    ("q", 2, "dim1 of xpose, of any instruction"),
];

/// Where operand `name` is when the instruction does not have it.
fn default_of(name: &str) -> String {
    if matches!(name, "rd" | "rs1" | "rs2" | "gpr") {
        return "'0".into();
    }
    let fields = TABLE.iter().flat_map(|row| row.fields).filter(|field| field.output == name);
    let places: BTreeSet<_> = fields.map(|field| (field.msb, field.lsb)).collect();
    assert_eq!(places.len(), 1, "{name} is in one place");
    places.iter().map(|(msb, lsb)| format!("instr_i[{msb}:{lsb}]")).collect()
}

/// The decoder of `config`, emitted from the table of encodings.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_decoder",
        "Decodes one instruction word. Purely combinational. Registers that an instruction does not have are 0.",
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
        OPERANDS.iter().map(|(name, _, _)| format!("  {:<5} = {};\n", format!("{name}_o"), default_of(name))).collect();
    m.text(&format!(
        "assign ours_o    = (instr_i[6:0] == 7'b{OPCODE}) && (instr_i[31:30] == 2'd{});\n\
         assign illegal_o = ours_o && (op_o == OpNone);\n\n\
         always_comb begin\n  {:<5} = OpNone;\n{defaults}  unique casez (instr_i)\n{arms}    default: ;\n  endcase\nend\n",
        config.engine_id, "op_o",
    ));
    m
}
