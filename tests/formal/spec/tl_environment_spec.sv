// SPDX-License-Identifier: Apache-2.0
// What the specifications beside this file assume of everything around the instruction that they are about.

// Reset: in the first cycle, and in no other. Bound as u_reset into the module under proof. prove.py connects its rst_ni
// to running_q, so it is a constant in each cycle. An assumption would not be one for the solver.
module tl_reset_spec (
  input logic clk_i
);

  (* keep *) logic running_q;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) running_q <= 1'b1;

endmodule

// A memory grants each request at once and answers in the next cycle, with an error from some words. Shown: no request
// is outside of it.
module tl_memory_spec #(
  parameter int unsigned Bytes = 64
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [Bytes/tl_pkg::PortBytes-1:0] errors_i,  // words with an error
  input  logic                               req_i,
  input  logic                               gnt_i,
  input  logic [31:0]                        addr_i,
  input  logic                               rvalid_i,
  input  logic                               err_i,
  output logic [$clog2(Bytes)-1:0]           answer_o   // address of the word of the response
);

  logic granted_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      granted_q <= 1'b0;
    end else begin
      assume ((gnt_i == req_i) && (rvalid_i == granted_q));
      if (rvalid_i) assume (err_i == errors_i[answer_o[$clog2(Bytes)-1:tl_pkg::PortW]]);
      if (req_i) assert (addr_i < Bytes);
      granted_q <= req_i;
      answer_o  <= addr_i[$clog2(Bytes)-1:0];
    end
  end

endmodule

// The register file gives the rows of a read two cycles after it.
module tl_rows_spec (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  tl_pkg::rf_read_t read_i,  // granted
  output tl_pkg::rf_read_t row_o    // of the rows that are there
);

  tl_pkg::rf_read_t read_q;

  always_ff @(posedge clk_i) begin
    read_q <= rst_ni ? read_i : '0;
    row_o  <= rst_ni ? read_q : '0;
  end

endmodule

// In tl_top: Count instructions are in the issue queue after reset, and no others come. The map of registers, and what
// else dispatch waits for, are there at once. For the last instruction, and for others while keeps_i is 1, the element
// type is ttype_i, which is any; what CSRs mean is known 6 cycles after they changed.
module tl_issue_spec
  import tl_spec_pkg::*;
#(
  parameter int unsigned Count = 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  tl_pkg::issue_t [Count-1:0] issues_i,   // [0] is the first one
  input  logic [11:0]                ttype_i,
  input  logic                       keeps_i,
  input  logic                       queued_valid,
  input  logic                       queued_ready,
  input  tl_pkg::issue_t             queued,
  input  logic                       entry_valid,
  input  logic                       entry_ready,
  input  logic                       csr_ready,
  input  logic                       csr_change,
  input  logic                       settled,
  input  logic                       type_ok,
  input  logic                       int_type,
  input  tl_pkg::ewidth_t            ewidth,
  input  logic                       map_ready,
  input  logic                       busy,
  input  logic                       fresh,
  input  logic [1:0]                 awaited,
  input  logic [tl_pkg::NumPhys-1:0] pending,
  input  logic                       room,
  input  logic                       undo,
  output logic [2:0]                 entered_o,  // instructions that have executed or trapped
  output type_t                      kind_o      // ttype
);

  logic [2:0] taken_q;     // instructions that have left the queue
  logic [5:0] settling_q;  // [i]: CSRs changed i + 1 cycles ago (shape-ends)

  assign kind_o = type_of(ttype_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q    <= '0;
      settling_q <= '0;
      entered_o  <= '0;
    end else begin
      assume (queued_valid == (taken_q != 3'(Count)));
      if (queued_valid) assume (queued == issues_i[taken_q]);
      if (queued_valid && queued_ready) taken_q <= taken_q + 3'd1;
      if (entry_valid && entry_ready) begin
        entered_o <= entered_o + 3'd1;
        assert (entered_o != 3'(Count));
      end
      settling_q <= {settling_q[4:0], csr_change};
      assume (csr_ready && (settled == (settling_q == '0)) && ((32'(ttype_i) & ~ttype_bits()) == '0));
      if (settled && (keeps_i || (entered_o + 3'd1 >= 3'(Count)))) begin
        assume ((type_ok == kind_o.legal) && (int_type == (kind_o.legal && kind_o.integer_type)));
        if (kind_o.legal) assume (ewidth == kind_o.width);
      end
      assume (map_ready && !busy && fresh && (awaited == '0) && (pending == '0) && room && !undo);
    end
  end

endmodule
