// SPDX-License-Identifier: Apache-2.0
//! `tl_trap_csr`: the trap CSRs of a host that has none.

use crate::sv::{Module, Ty};

/// Name and address of each, and the bits that are always 0.
const CSRS: [(&str, u32, u32); 5] =
    [("mtvec", 0x305, 3), ("mscratch", 0x340, 0), ("mepc", 0x341, 3), ("mcause", 0x342, 0), ("mtval", 0x343, 0)];

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_trap_csr",
        "mtvec, mscratch, mepc, mcause and mtval, for a core that has none: csrrw, csrrs, csrrc and their immediate forms \
         on them. Cause and value of a trap are written while mtvec is not 0, as docs/isa.md says; mepc by the software \
         that the core jumps to.",
    );
    m.clocked();
    m.input("instr_i", Ty::bits(32), "");
    m.input("rs_i", Ty::bits(32), "x[19:15]");
    m.output("ours_o", Ty::bit(), "it is a CSR instruction on one of them");
    m.input("exec_i", Ty::bit(), "execute it now");
    m.output("rdata_o", Ty::bits(32), "old value");
    m.input("trap_i", Ty::bit(), "");
    m.input("cause_i", Ty::bits(5), "");
    m.input("tval_i", Ty::bits(32), "");
    m.signal("select", Ty::bits(CSRS.len()), "one-hot");
    for (name, ..) in CSRS {
        m.signal(&format!("{name}_q"), Ty::bits(32), "");
    }
    m.signals(&["operand", "value"], Ty::bits(32));
    m.signals(&["write", "unused_instr"], Ty::bit());
    m.text("assign unused_instr = ^instr_i[11:7];");
    let each = |line: &dyn Fn(usize, &str, u32, u32) -> String| -> String {
        CSRS.iter().enumerate().map(|(i, (name, address, zero))| line(i, name, *address, *zero)).collect()
    };
    m.text(&each(&|i, name, address, _| {
        format!("assign select[{i}] = instr_i[31:20] == 12'h{address:03x};  // {name}\n")
    }));
    let old = each(&|i, name, _, _| format!(" | ({{32{{select[{i}]}}}} & {name}_q)"));
    let old: Vec<&str> = old.trim_start_matches(" | ").split(" | ").collect();
    m.text(&format!(
        r#"
        assign ours_o  = (instr_i[6:0] == 7'b1110011) && (instr_i[13:12] != 2'b00) && (select != '0);
        assign operand = instr_i[14] ? {{27'd0, instr_i[19:15]}} : rs_i;
        assign write   = exec_i && ((instr_i[13:12] == 2'b01) || (instr_i[19:15] != 5'd0));
        assign rdata_o = {};

        always_comb begin
          unique case (instr_i[13:12])
            2'b10:   value = rdata_o | operand;
            2'b11:   value = rdata_o & ~operand;
            default: value = operand;
          endcase
        end
        "#,
        old.join("\n                         | ")
    ));
    let reset = each(&|_, name, _, _| format!("    {:<10} <= '0;\n", format!("{name}_q")));
    let writes = each(&|i, name, _, zero| {
        let value = if zero == 0 { "value".into() } else { format!("value & ~32'd{zero}") };
        format!("    if (write && select[{i}]) {:<10} <= {value};\n", format!("{name}_q"))
    });
    m.text(&format!(
        "always_ff @(posedge clk_i or negedge rst_ni) begin\n  if (!rst_ni) begin\n{reset}  end else begin\n{writes}    \
         if (trap_i && (mtvec_q != '0)) begin\n      mcause_q <= 32'(cause_i);\n      mtval_q  <= tval_i;\n    end\n  end\nend\n"
    ));
    m
}
