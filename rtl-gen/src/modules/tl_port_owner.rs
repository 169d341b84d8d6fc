// SPDX-License-Identifier: Apache-2.0
//! `tl_port_owner`: which engine a memory port belongs to.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_port_owner",
        "A memory port has one owner at a time: the tensor engine or the matrix engine. It changes only when nothing \
         that uses the port is in flight, so accesses of both keep their program order, and responses need no name.",
    );
    m.clocked();
    m.output("tensor_ok_o", Ty::bit(), "an instruction of the tensor engine may go: from a flip-flop, as the next one");
    m.output("matrix_ok_o", Ty::bit(), "an instruction of the matrix engine may go");
    m.input("tensor_i", Ty::bit(), "one goes");
    m.input("matrix_i", Ty::bit(), "one goes");
    m.input("done_i", Ty::bit(), "one is complete");
    m.output("matrix_o", Ty::bit(), "the matrix engine owns the port");
    m.signal("count_q", Ty::bits("TagW+1"), "instructions in flight that use the port: 0 to QueueEntries");
    m.signal("free", Ty::bit(), "there are none in the next cycle, unless one goes now");
    m.text(
        r#"
        assign free = (count_q == '0) || ((count_q == (TagW + 1)'(1)) && done_i);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            count_q     <= '0;
            tensor_ok_o <= 1'b1;
            matrix_ok_o <= 1'b1;
          end else begin
            tensor_ok_o <= tensor_i || (!matrix_i && (!matrix_o || free));
            matrix_ok_o <= matrix_i || (!tensor_i && (matrix_o || free));
            count_q     <= count_q + (TagW + 1)'(tensor_i || matrix_i) - (TagW + 1)'(done_i);
          end
        end

        // Who goes first owns the port.
        always_ff @(posedge clk_i) begin
          if (tensor_i) matrix_o <= 1'b0;
          if (matrix_i) matrix_o <= 1'b1;
        end
        "#,
    );
    m
}
