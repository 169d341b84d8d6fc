// SPDX-License-Identifier: Apache-2.0
//! `tl_store_proof`: the quick check of the slices of a store.

use crate::Config;
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_store_proof",
        "Shows, in three cycles and without a look at each slice, that no slice of a store can fail. The OR of the \
         selected strides is not less than any of them and, when it is proven to fit, less than twice the largest. \
         No proof does not mean that a slice fails.",
    );
    m.clocked();
    m.input("start_i", Ty::bit(), "cmd_i has a new command in the next cycle");
    m.input("fresh_i", Ty::bit(), "cmd_i has a new command; the strides are read now");
    m.input("cmd_i", Ty::named("store_cmd_t"), "holds until the next start_i");
    m.input("strides_i", Ty::bits(32).packed(32), "");
    m.output("proven_o", Ty::bit(), "all slices are inside the memory and aligned");
    m.signals(&["far_d", "far_q"], Ty::bit());
    m.signals(&["top_d", "top_q"], Ty::bits("L0mW"));
    m.text(
        r#"
        // A sign bit, and the sum of a product of L0mW and ByteW + 1 bits and of one of 8 and
        // ByteW + 1, for which L0mW >= 6 leaves room.
        localparam int unsigned ProofW = L0mW + ByteW + 3;
        "#,
    );
    m.signal("top_bytes_q", Ty::bits("ProofW"), "top_q * bytes");
    m.signal("imm_bytes_q", Ty::bits("ProofW"), "imm * bytes");
    m.signal("low_q", Ty::bits("ProofW"), "base + imm * bytes: no slice is below");
    m.signal("high", Ty::bits("ProofW"), "no slice ends above");
    m.signal("done_q", Ty::bits(3), "stages that have seen this command");
    m.signal("aligned", Ty::bit(), "");
    m.signal("unused_cmd", Ty::bit(), "");
    let aligned = if config.element_widths.last() > Some(&8) {
        "always_comb begin
          unique case (cmd_i.ewidth)
            2'd2:    aligned = !cmd_i.base[0];
            2'd3:    aligned = cmd_i.base[1:0] == 2'd0;
            default: aligned = 1'b1;
          endcase
        end"
    } else {
        "assign aligned = 1'b1;"
    };
    m.text(&format!(
        r#"
        // The OR of the selected strides: top is its low bits, far tells that others are set.
        always_comb begin
          far_d = 1'b0;
          top_d = '0;
          for (int unsigned i = 0; i < 32; i++) begin
            far_d = far_d | (cmd_i.mask[i] && (strides_i[i][31:L0mW] != '0));
            top_d = top_d | ({{L0mW{{cmd_i.mask[i]}}}} & strides_i[i][L0mW-1:0]);
          end
        end

        {aligned}

        assign high       = low_q + top_bytes_q + ProofW'(cmd_i.bytes);
        assign proven_o   = done_q[2] && aligned && (cmd_i.base[31:L0mW] == '0) &&
            !far_q && !low_q[ProofW-1] && (high <= ProofW'(1) << L0mW);
        assign unused_cmd = ^cmd_i;

        always_ff @(posedge clk_i) begin
          if (fresh_i) begin
            far_q <= far_d;
            top_q <= top_d;
          end
          imm_bytes_q <= ProofW'((ByteW + 8)'(cmd_i.imm[6:0]) * (ByteW + 8)'(cmd_i.bytes)) -
              (cmd_i.imm[7] ? ProofW'(cmd_i.bytes) << 7 : '0);
          low_q       <= ProofW'(cmd_i.base[L0mW-1:0]) + imm_bytes_q;
          top_bytes_q <= ProofW'(top_q) * ProofW'(cmd_i.bytes);
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            done_q <= '0;
          end else if (start_i) begin
            done_q <= 3'b001;
          end else begin
            done_q <= {{done_q[1:0], done_q[0]}};
          end
        end
        "#
    ));
    m
}
