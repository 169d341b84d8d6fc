// SPDX-License-Identifier: Apache-2.0
// Dispatch waits for nothing but what it names: when all of that has been there for two cycles, the instruction enters. Assumed: what
// tl_decode and tl_mx_size guarantee.
module tl_dispatch_progress (
  input logic               clk_i,
  input logic               valid_i,
  input logic               ready_o,
  input tl_pkg::decoded_t   decoded_i,
  input tl_pkg::csr_instr_t csr_i,
  input tl_pkg::meaning_t   meaning_i,
  input logic               map_ready_i,
  input logic               busy_i,
  input logic               fresh_i,
  input logic               open_i,
  input logic               kill_i,
  input logic               room_i,
  input logic               load_strides_busy_i,
  input logic               store_strides_busy_i,
  input logic               load_soon_i,
  input logic               store_soon_i,
  input logic               move_soon_i,
  input logic               xpose_soon_i,
  input logic               mx_ours_i,
  input logic               mx_legal_i,
  input logic [1:0]         mx_uses_i,
  input logic               mx_load_i,
  input logic               mx_store_i,
  input logic [1:0]         tensor_ok_i,
  input logic [1:0]         matrix_ok_i
);

  // Of engines, ports and strides those that the instruction uses.
  logic               ready;
  logic               calm;      // all that it waits for is there
  logic               calm_q;
  logic               waits_q;
  logic [3:0]         kinds;
  tl_pkg::decoded_t   decoded_q;
  tl_pkg::csr_instr_t csr_q;

  assign kinds = {decoded_i.is_xpose, decoded_i.is_move, decoded_i.is_store, decoded_i.is_load};

  always_comb begin
    ready = 1'b1;
    if (decoded_i.is_load) ready = load_soon_i && tensor_ok_i[0];
    if (decoded_i.is_store) ready = store_soon_i && (tensor_ok_i == 2'b11);
    if (decoded_i.is_move) ready = move_soon_i;
    if (decoded_i.is_xpose) ready = xpose_soon_i;
    if (mx_uses_i != '0) ready = matrix_ok_i == 2'b11;
    if (csr_i.ours && csr_i.load_stride && load_strides_busy_i) ready = 1'b0;
    if (csr_i.ours && csr_i.store_stride && store_strides_busy_i) ready = 1'b0;
  end

  assign calm = valid_i && room_i && (open_i || kill_i) && meaning_i.settled && map_ready_i && fresh_i && !busy_i && ready;

  initial waits_q = 1'b0;

  always_ff @(posedge clk_i) begin
    waits_q   <= valid_i && !ready_o;
    calm_q    <= calm;
    decoded_q <= decoded_i;
    csr_q     <= csr_i;
    // tl_decode, tl_mx_size.
    if (valid_i) begin
      assume ($onehot0(kinds) && (decoded_i.is_tensor == (kinds != '0)) && !(decoded_i.is_tensor && csr_i.ours));
      assume (!(mx_ours_i && (decoded_i.is_tensor || csr_i.ours)));
      if (mx_load_i || mx_store_i || mx_legal_i || (mx_uses_i != '0)) assume (mx_ours_i);
      assume (decoded_i.at_once == (!decoded_i.is_tensor && (mx_uses_i == '0) &&
          !(csr_i.ours && (csr_i.modifies || csr_i.load_stride || csr_i.store_stride))));
    end
    if (waits_q) assume (valid_i && (decoded_i == decoded_q) && (csr_i == csr_q));
    if (waits_q && calm_q && calm) assert (ready_o);
  end

endmodule

bind tl_dispatch tl_dispatch_progress u_progress (.*);
