// SPDX-License-Identifier: Apache-2.0
// Any byte of the matrix registers: 0 after reset, then what was written last. A read gives it from the next cycle on,
// until the next read. Assumed: nothing is written or read during the sweep after reset, and write_data_i is 0 then; the
// register that is read is not written in the same cycle.
module tl_mx_regs_spec (
  input logic                                                clk_i,
  input logic                                                rst_ni,
  input logic                                                write_i,
  input logic [2:0]                                          write_md_i,
  input logic [tl_pkg::MxRows-1:0][tl_pkg::MxRowBytes-1:0]   write_be_i,
  input logic [tl_pkg::MxRows-1:0][8*tl_pkg::MxRowBytes-1:0] write_data_i,
  input logic                                                read_i,
  input logic [2:0]                                          read_md_i,
  input logic [tl_pkg::MxRows-1:0][8*tl_pkg::MxRowBytes-1:0] data_o
);

  // Free, and the same from reset on: the byte.
  typedef struct packed {
    logic [2:0]                            md;
    logic [$clog2(tl_pkg::MxRows)-1:0]     row;
    logic [$clog2(tl_pkg::MxRowBytes)-1:0] column;
  } any_t;

  any_t       any;
  any_t       any_q;
  logic [7:0] value_q;   // as last written
  logic       read_q;    // the register was read, and no other since
  logic [7:0] expected_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q   <= any;
      value_q <= '0;
      read_q  <= 1'b0;
    end else begin
      if (!tl_mx_regs.cleared) assume (!write_i && !read_i && (write_data_i == '0));
      assume (!(write_i && read_i && (write_md_i == read_md_i)));
      if (write_i && (write_md_i == any_q.md) && write_be_i[any_q.row][any_q.column]) begin
        value_q <= write_data_i[any_q.row][8*any_q.column+:8];
      end
      if (read_i) begin
        read_q     <= read_md_i == any_q.md;
        expected_q <= value_q;
      end
      if (read_q) assert (data_o[any_q.row][8*any_q.column+:8] == expected_q);
      // Why.
      assert (tl_mx_regs.clear_q <= 4'd8);
      if (!tl_mx_regs.cleared) assert ((value_q == '0) && !read_q);
    end
  end

  for (genvar r = 0; r < tl_pkg::MxRows; r++) begin : gen_row
    always_ff @(posedge clk_i) begin
      if (rst_ni && (32'(any_q.row) == r) && (tl_mx_regs.cleared || (tl_mx_regs.clear_q[2:0] > any_q.md))) begin
        assert (tl_mx_regs.gen_row[r].u_ram.mem[any_q.md][8*any_q.column+:8] == value_q);
      end
    end
  end

endmodule

bind tl_mx_regs tl_reset_spec u_reset (.*);
bind tl_mx_regs tl_mx_regs_spec u_spec (.*);
