// SPDX-License-Identifier: Apache-2.0
// What dispatch does with an instruction: all of it or nothing. Assumed: what tl_decode, tl_csr and tl_recover guarantee.
module tl_dispatch_facts (
  input logic               clk_i,
  input logic               valid_i,
  input logic               ready_o,
  input tl_pkg::decoded_t   decoded_i,
  input tl_pkg::csr_instr_t csr_i,
  input logic               csr_exec_o,
  input logic               csr_change_o,
  input logic               take_o,
  input logic               busy_i,
  input logic               fresh_i,
  input logic               map_ready_i,
  input logic               open_i,
  input logic               kill_i,
  input logic               room_i,
  input logic               enter_done_o,
  input tl_pkg::flight_t    flight_o,
  input tl_pkg::cause_e     cause_o,
  input logic               trap_o,
  input logic               load_valid_o,
  input logic               store_valid_o,
  input logic               load_strides_busy_i,
  input logic               store_strides_busy_i,
  input logic               move_valid_o,
  input logic               xpose_valid_o,
  input logic               mx_ours_i,
  input logic               mx_legal_i,
  input logic               mx_load_i,
  input logic               mx_store_i
);

  logic               past_q;
  logic               map_ready_q;
  logic               valid_q;
  logic               open_q;
  logic [1:0]         free_q;    // strides that no engine may still read: of loads, of stores
  tl_pkg::decoded_t   decoded_q;
  tl_pkg::csr_instr_t csr_q;
  logic [3:0]         sent;      // commands to the tensor engines
  logic [3:0]         kinds;

  assign sent  = {xpose_valid_o, move_valid_o, store_valid_o, load_valid_o};
  assign kinds = {decoded_i.is_xpose, decoded_i.is_move, decoded_i.is_store, decoded_i.is_load};

  initial past_q = 1'b0;

  always_ff @(posedge clk_i) begin
    past_q      <= 1'b1;
    map_ready_q <= map_ready_i;
    valid_q     <= valid_i && !ready_o;
    decoded_q   <= decoded_i;
    csr_q       <= csr_i;
    open_q      <= open_i;
    free_q      <= ~{store_strides_busy_i, load_strides_busy_i};
    // tl_decode, proven there: one kind of instruction, which stays while it waits.
    if (valid_i) assume ($onehot0(kinds) && (decoded_i.is_tensor == (kinds != '0)));
    if (valid_i) assume (!(decoded_i.is_tensor && csr_i.ours));
    if (past_q && valid_q) assume (valid_i && (decoded_i == decoded_q) && (csr_i == csr_q));
    if (!past_q) assume (!valid_i);  // reset
    if (valid_i) assume (!(decoded_i.at_once && decoded_i.is_tensor));
    if (valid_i && csr_i.ours) assume (decoded_i.at_once == !(csr_i.modifies || csr_i.load_stride || csr_i.store_stride));
    // The engines: what is read no more is read again when a command has come.
    if (past_q && valid_q) assume ((free_q & {store_strides_busy_i, load_strides_busy_i}) == '0);
    // tl_top, without matrix instructions.
    if (tl_pkg::Matrix == 0) assume ({mx_ours_i, mx_legal_i, mx_load_i, mx_store_i} == '0);
    // tl_recover, proven there.
    assume (!(open_i && kill_i));

    // Nothing enters without room, and nothing is done for an instruction that does not enter.
    if (ready_o) assert (valid_i && room_i && (open_i || kill_i));
    if ((sent != '0) || csr_exec_o || trap_o) assert (ready_o && open_i);
    assert ($onehot0(sent));
    // One that enters is complete, or goes to the one engine that completes it.
    if (ready_o && decoded_i.is_tensor) assert (enter_done_o == (sent == '0));
    if (ready_o && csr_i.ours) assert (enter_done_o);
    if (sent != '0) assert (sent == kinds);
    // It traps, is killed, or is executed.
    if (trap_o) assert ((cause_o == tl_pkg::CauseIllegal) && enter_done_o);
    if (trap_o || kill_i) assert ((sent == '0) && !take_o && !csr_exec_o && !csr_change_o && (flight_o.results.valid == '0));
    if (ready_o && kill_i) assert (enter_done_o && (cause_o == tl_pkg::CauseNone));
    if (ready_o && !kill_i) assert (trap_o == (cause_o == tl_pkg::CauseIllegal));
    if (trap_o || kill_i) assert (!flight_o.gpr_we || kill_i);
    // Results are renamed when the map is as the instruction before left it, and none of the registers is on its way.
    assert (take_o == (load_valid_o || move_valid_o || xpose_valid_o));
    // A stride is neither read nor written while an engine may still read it.
    if (csr_exec_o) assert (!(csr_i.load_stride && load_strides_busy_i) && !(csr_i.store_stride && store_strides_busy_i));
    // What accesses a stride was there in the cycle before, when its stride was read: with its value, since dispatch was open.
    if (csr_exec_o && (csr_i.load_stride || csr_i.store_stride)) begin
      assert (past_q && valid_q && open_q && ({csr_i.store_stride, csr_i.load_stride} & ~free_q) == '0);
    end
    if (sent != '0) assert (past_q && valid_q && map_ready_q && !busy_i && fresh_i);
  end

endmodule

bind tl_dispatch tl_dispatch_facts u_facts (.*);
