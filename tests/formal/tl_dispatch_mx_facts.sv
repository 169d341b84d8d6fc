// SPDX-License-Identifier: Apache-2.0
// The same of matrix instructions. Assumed: what tl_decode and tl_mx_size guarantee.
module tl_dispatch_mx_facts (
  input logic               clk_i,
  input logic               valid_i,
  input logic               ready_o,
  input logic               open_i,
  input logic               kill_i,
  input tl_pkg::decoded_t   decoded_i,
  input tl_pkg::csr_instr_t csr_i,
  input logic               trap_o,
  input logic               enter_done_o,
  input logic               mx_ours_i,
  input logic               mx_legal_i,
  input logic [1:0]         mx_uses_i,
  input logic               mx_load_i,
  input logic               mx_store_i,
  input logic               mx_valid_o,
  input logic               mx_exec_o,
  input logic [1:0]         tensor_ok_i,
  input logic [1:0]         matrix_ok_i,
  input logic [1:0]         tensor_o,
  input logic [1:0]         matrix_o
);

  logic [1:0] tensor_ok_q;

  initial tensor_ok_q = '0;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      assume (!(mx_ours_i && (decoded_i.is_tensor || csr_i.ours)));
      if (mx_load_i || mx_store_i) assume (mx_ours_i && mx_legal_i);
      if (mx_legal_i || (mx_uses_i != '0)) assume (mx_ours_i);
      if (mx_ours_i) assume (decoded_i.at_once == (mx_uses_i == '0));
      assume (({mx_store_i, mx_load_i} & ~mx_uses_i) == '0);
    end
    if (mx_valid_o || mx_exec_o) assert (ready_o && open_i && mx_legal_i && !trap_o && !kill_i);
    if (ready_o && mx_ours_i) assert (enter_done_o == !mx_valid_o);
    // tl_port_owner: the tensor engine may have a port until a matrix instruction takes it.
    tensor_ok_q <= tensor_ok_i & ~matrix_o;
    assume ((tensor_ok_q & ~tensor_ok_i) == '0);
    // A port is taken by its owner only, and by an instruction that enters.
    assert ((tensor_o & ~tensor_ok_i) == '0);
    assert ((matrix_o & ~matrix_ok_i) == '0);
    assert ((tensor_o == '0) || (matrix_o == '0));
  end

endmodule

bind tl_dispatch tl_dispatch_mx_facts u_mx_facts (.*);
