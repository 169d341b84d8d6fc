// SPDX-License-Identifier: Apache-2.0
// The write port of tensor stores: requests are stable until they are granted, at most Outstanding are without a
// response, and there is room for each row that is read. Assumed: a response of the memory comes for a request only,
// in a later cycle; a bank is granted to who asks for it; the matrix engine has the port while no request is there.
module tl_store_facts #(
  parameter int unsigned Outstanding = 16
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           l0m_req_o,
  input logic                           l0m_gnt_i,
  input logic [31:0]                    l0m_addr_o,
  input logic [tl_pkg::PortBytes-1:0]   l0m_be_o,
  input logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input logic                           l0m_rvalid_i,
  input logic                           mx_owns_i,
  input tl_pkg::rf_read_t               rf_read_o,
  input logic [1:0]                     rf_read_gnt_i
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned OwedW     = $clog2(Outstanding) + 1;  // bits of a number of requests

  logic                    running_q;
  logic                    asked_q;    // there was a request, which was not granted
  logic [31+9*PortBytes:0] shown_q;    // what was on the port
  logic [31+9*PortBytes:0] shown;
  logic [OwedW-1:0]        pending_q;  // requests without a response

  // The beats that wait for their rows, with the banks whose row they need, and the rows that they take. A row that a beat needs
  // and does not take, the next one needs too.
  localparam int unsigned Beats  = 2 * tl_pkg::BankQueue;
  localparam int unsigned CountW = $clog2(Beats) + 2;

  logic [Beats-1:0]           here;     // places in use
  logic [Beats-1:0][1:0]      banks;
  logic [Beats-1:0][1:0]      takes;
  logic [1:0][CountW-1:0]     needed;
  logic                       linked;
  logic [$clog2(Beats)-1:0]   behind;

  // Rows that beats have taken since reset, modulo 2^CountW: those of all that came, of all that left, and in front of each that
  // waits. With these an induction needs no sum over the beats.
  logic [1:0][CountW-1:0] came_q;
  logic [1:0][CountW-1:0] left_q;
  logic [1:0][CountW-1:0] front_q [Beats];
  logic [Beats-1:0]       chained;
  logic                   headed;

  always_comb begin
    linked  = 1'b1;
    behind  = '0;
    chained = '1;
    for (int unsigned b = 0; b < 2; b++) needed[b] = CountW'(tl_store.kept_q[b]) + came_q[b] - left_q[b];
    for (int unsigned i = 0; i < Beats; i++) begin
      here[i]  = CountW'($clog2(Beats)'($clog2(Beats)'(i) - tl_store.u_reads.head_q)) < CountW'(tl_store.u_reads.u_state.count);
      banks[i] = tl_store.u_reads.words[i][0+:2];
      takes[i] = tl_store.u_reads.words[i][2+:2];
    end
    headed = left_q == (tl_store.u_reads.valid_o ? front_q[tl_store.u_reads.head_q] : came_q);
    for (int unsigned i = 0; i < Beats; i++) begin
      behind = $clog2(Beats)'(i + 1);
      if (here[i] && ((takes[i] & ~banks[i]) != '0)) linked = 1'b0;
      if (here[i] && ((banks[i] & ~takes[i] & ~((behind == tl_store.u_reads.tail_q) ? tl_store.kept_q : banks[behind])) != '0)) begin
        linked = 1'b0;
      end
      for (int unsigned b = 0; b < 2; b++) begin
        if (here[i] && (((behind == tl_store.u_reads.tail_q) ? came_q[b] : front_q[behind][b]) != front_q[i][b] + CountW'(takes[i][b]))) begin
          chained[i] = 1'b0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 2; b++) begin
      if (!rst_ni) begin
        came_q[b] <= '0;
        left_q[b] <= '0;
      end else begin
        if (tl_store.u_reads.push) begin
          came_q[b] <= came_q[b] + CountW'(tl_store.u_reads.data_i[tl_store.BeatW+2+b]);
        end
        if (tl_store.u_reads.pop) left_q[b] <= left_q[b] + CountW'(tl_store.u_reads.data_o[tl_store.BeatW+2+b]);
      end
    end
    if (tl_store.u_reads.push) front_q[tl_store.u_reads.tail_q] <= came_q;
  end

  assign shown = {l0m_addr_o, l0m_be_o, l0m_wdata_o};

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q   <= rst_ni && l0m_req_o && !l0m_gnt_i;
    shown_q   <= shown;
    pending_q <= rst_ni ? pending_q + OwedW'(l0m_req_o && l0m_gnt_i) - OwedW'(l0m_rvalid_i) : '0;
    if (rst_ni) begin
      if (l0m_rvalid_i) assume (pending_q != '0);
      // tl_port_owner.
      if (mx_owns_i) assume (!l0m_req_o);
      assume ((rf_read_gnt_i & ~rf_read_o.valid) == '0);
      if (asked_q) assert (l0m_req_o && (shown == shown_q));
      assert (l0m_addr_o % PortBytes == '0);
      assert (pending_q <= OwedW'(Outstanding));
      // Why: a row that is needed waits for its grant, is on its way, or is here.
      assert (tl_store.u_waiting.u_state.count == pending_q);
      assert (needed[0] == CountW'(tl_store.gen_bank[0].u_bank.u_addrs.u_state.count) + CountW'(tl_store.gen_bank[0].u_bank.asked_q)
              + CountW'(tl_store.gen_bank[0].u_bank.comes_q) + CountW'(tl_store.gen_bank[0].u_bank.here_q));
      assert (needed[1] == CountW'(tl_store.gen_bank[1].u_bank.u_addrs.u_state.count) + CountW'(tl_store.gen_bank[1].u_bank.asked_q)
              + CountW'(tl_store.gen_bank[1].u_bank.comes_q) + CountW'(tl_store.gen_bank[1].u_bank.here_q));
      assert (tl_store.rows_valid == {tl_store.gen_bank[1].u_bank.here_q != '0, tl_store.gen_bank[0].u_bank.here_q != '0});
      assert ((needed[0] == CountW'(tl_store.gen_bank[0].u_bank.used_q)) && (needed[1] == CountW'(tl_store.gen_bank[1].u_bank.used_q)));
      assert (linked);
      assert (headed && (chained == '1));
      if (tl_store.kept_q != '0) begin
        assert (tl_store.u_beats.valid_q && tl_store.op_valid && !tl_store.op.none && tl_store.begun_q && !tl_store.op.src.zero);
        assert (tl_store.kept_q == {tl_store.row[0], !tl_store.row[0]});
      end
      if (tl_store.u_beats.valid_q) begin
        assert (tl_store.u_beats.single_q == (tl_store.u_beats.behind_q == '0));
        assert (tl_store.u_beats.shift_q == {1'b0, tl_store.u_beats.pos_q[tl_pkg::LaneW-1:0]} -
                (tl_pkg::LaneW + 1)'(tl_store.u_beats.addr_q[tl_pkg::PortW-1:0]));
      end
      for (int unsigned b = 0; b < 2; b++) begin
        assert (needed[b] <= CountW'(tl_pkg::BankQueue));
        assert (tl_store.bank_room[b] == (needed[b] != CountW'(tl_pkg::BankQueue)));
      end
      if (asked_q) assert (tl_store.word_valid_q);
      if (asked_q) assert (tl_store.u_waiting.ready_o);
    end
  end

endmodule

bind tl_store tl_store_facts #(.Outstanding (tl_pkg::Outstanding)) u_facts (.*);
