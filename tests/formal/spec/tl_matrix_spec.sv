// SPDX-License-Identifier: Apache-2.0
// Matrix instructions, by docs/isa.md: three that set tile sizes, and one more, from the words at the issue queue to
// the matrix register, L0M and the trap. A case has
// - any instructions that set sizes, and any word that is no load or store (ACCESS = 0),
// - or msettilem, msettilen and msettilek of registers, and any load or store with these STORE, TRANS and D_SIZE.
// With BEHIND = 1 there is any one instruction in front of the last one, but a tensor load or store, or a matrix load or
// store with another D_SIZE.
// x registers, the contents of registers and of L1M, and the words with an error have any values. Of a load any byte of
// the registers is followed, of a store any byte of L0M. Bound into tl_top, where decoding, dispatch, tl_mx_size,
// tl_matrix and tl_store are real. The other modules are free; what is assumed of them is in tl_environment_spec, and:
// tl_load asks for nothing, and the matrix registers hold what was written (mx-registers).
`ifndef BEHIND
`define BEHIND 0
`endif

module tl_matrix_spec
  import tl_spec_pkg::*;
(
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           queued_valid,
  input logic                           queued_ready,
  input tl_pkg::issue_t                 queued,
  input logic                           entry_valid,
  input logic                           entry_ready,
  input logic                           enter_trap,
  input logic                           enter_done,
  input tl_pkg::cause_e                 cause,
  input logic                           csr_ready,
  input logic                           csr_change,
  input logic                           settled,
  input logic                           type_ok,
  input logic                           int_type,
  input tl_pkg::ewidth_t                ewidth,
  input logic                           map_ready,
  input logic                           busy,
  input logic                           fresh,
  input logic [1:0]                     awaited,
  input logic [tl_pkg::NumPhys-1:0]     pending,
  input logic                           room,
  input logic                           undo,
  input tl_pkg::tag_t                   tag,
  input logic [31:0]                    mtilem,
  input logic [31:0]                    mtilen,
  input logic [31:0]                    mtilek,
  input logic                           csr_exec,
  input logic                           load_valid,
  input logic                           store_valid,
  input logic                           load_strides_busy,
  input logic                           move_valid,
  input logic                           move_soon,
  input logic                           xpose_valid,
  input logic                           xpose_soon,
  input logic                           tensor_l1m_req,
  input tl_pkg::ls_done_t               tensor_load_done,
  input tl_pkg::ls_done_t               load_done,
  input tl_pkg::ls_done_t               store_done,
  input logic                           l1m_req_o,
  input logic                           l1m_gnt_i,
  input logic [31:0]                    l1m_addr_o,
  input logic                           l1m_rvalid_i,
  input logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input logic                           l1m_err_i,
  input logic                           l0m_req_o,
  input logic                           l0m_gnt_i,
  input logic [31:0]                    l0m_addr_o,
  input logic [tl_pkg::PortBytes-1:0]   l0m_be_o,
  input logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input logic                           l0m_rvalid_i,
  input logic                           l0m_err_i
);

  localparam int unsigned Rows     = tl_pkg::MxRows;
  localparam int unsigned RowBytes = tl_pkg::MxRowBytes;
  localparam int unsigned PortW    = tl_pkg::PortW;
  localparam int unsigned L1mW     = $clog2(tl_pkg::L1mBytes);
  localparam int unsigned L0mW     = tl_pkg::L0mW;
  // Most lines of an access, and most elements of a line.
  localparam int unsigned Lines    = `TRANS ? RowBytes >> `D_SIZE : Rows;
  localparam int unsigned Elements = `TRANS ? Rows : RowBytes >> `D_SIZE;
  localparam int unsigned LineW    = $clog2(Lines);
  // Instructions that set a size, those in front of the last one, and the cycles from reset in which all is done.
  localparam int unsigned Sets     = 3;
  localparam int unsigned Last     = Sets + `BEHIND;
  localparam int unsigned Cycles   = `CYCLES;

  // Free, and the same from reset on.
  typedef struct packed {
    tl_pkg::issue_t [Last:0]                       issues;
    logic [11:0]                                   ttype;
    tl_pkg::tag_t                                  tag;
    tl_pkg::tag_t                                  prior_tag;
    logic [tl_pkg::L1mBytes/tl_pkg::PortBytes-1:0] l1m_errors;
    logic [tl_pkg::L0mBytes/tl_pkg::PortBytes-1:0] l0m_errors;
    logic [2:0]                                    md;     // the byte of a register that is followed
    logic [$clog2(Rows)-1:0]                       row;
    logic [$clog2(RowBytes)-1:0]                   column;
    logic [L0mW-1:0]                               place;  // of a store the byte of L0M that is followed
    logic [7:0]                                    value;  // of a load what L1M holds, of a store the register
  } any_t;

  any_t                        any;
  any_t                        any_q;
  tl_pkg::issue_t [Last:0]     issues;
  logic [7:0]                  time_q;
  logic [2:0]                  entered;
  type_t                       kind;
  logic [2:0][31:0]            sizes_q;   // mtilem, mtilen, mtilek
  matrix_t                     does;      // the last word
  matrix_t                     prior;     // the word in front of it
  logic                        prior_q;   // an access of this word is in work
  logic                        prior_done;
  logic                        prior_read_q;
  logic                        asked_q;   // the last word has asked L0M
  logic                        asks;
  logic [2:0]                  md;
  tl_pkg::host_t               base;
  tl_pkg::host_t               stride;
  logic [31:0]                 rows;
  logic [31:0]                 columns;
  logic                        legal;
  logic                        works;     // it is a load or store that is legal and not empty
  logic                        misaligned;
  logic                        outside;   // an element is, the first of them at outside_at
  logic                        broken;    // an element is in a word with an error
  logic                        traps;
  tl_pkg::host_t               outside_at;
  tl_pkg::host_t               broken_at;
  tl_pkg::host_t               tval;
  logic                        covered;   // a store writes the byte
  logic [$clog2(Rows)-1:0]     from_row;  // from here
  logic [$clog2(RowBytes)-1:0] from_column;
  logic                        active;    // a load writes the byte
  tl_pkg::host_t               source;    // from here
  logic [L1mW-1:0]             l1m_answer;
  logic [L0mW-1:0]             l0m_answer;
  logic                        read_q;    // the register with the byte was read
  logic                        wrote_q;
  logic [7:0]                  value_q;   // that was written last
  logic                        done_q;
  logic                        here;      // the request has the byte
  tl_pkg::ls_done_t            done;
  tl_pkg::host_t [Lines-1:0]   line;      // address of each

  always_comb begin
    issues = any_q.issues;
    for (int unsigned n = 0; n <= Last; n++) begin
      if (!`BEHIND || (n != Sets)) issues[n].instr[6:0] = 7'b0101011;
    end
    if (`ACCESS) begin
      for (int unsigned n = 0; n < Sets; n++) begin
        issues[n].instr[31:20] = {n == 0 ? 4'd2 : n == 1 ? 4'd3 : 4'd1, 3'b001, 5'd0};
        issues[n].instr[14:7]  = '0;
      end
      {issues[Last].instr[31:30], issues[Last].instr[27:25]} = {1'b0, 1'(`TRANS), 2'b01, 1'(`STORE)};
      issues[Last].instr[14:10] = {3'd0, 2'(`D_SIZE)};
    end
  end

  assign does    = matrix_of(issues[Last].instr);
  assign prior   = `BEHIND ? matrix_of(issues[Sets].instr) : '0;
  assign md      = issues[Last].instr[9:7];
  assign base    = issues[Last].rs;
  assign stride  = issues[Last].rs2;
  assign rows    = does.form == 2'd1 ? sizes_q[1] : sizes_q[0];
  assign columns = does.form == 2'd2 ? sizes_q[1] : sizes_q[2];
  assign legal   = does.sets || does.release_op || (does.access && (rows <= Rows) && ((34'(columns) << `D_SIZE) <=
      (does.form == 2'd2 ? 34'(4 * Rows) : 34'(tl_pkg::MxTrBytes))));
  assign works   = legal && does.access && (rows != '0) && (columns != '0);
  assign done    = does.store ? store_done : load_done;
  assign prior_done = prior_q && (prior.store ? store_done.valid && (store_done.tag == any_q.prior_tag) :
      load_done.valid && (load_done.tag == any_q.prior_tag));
  assign active  = works && (any_q.md == md) && (32'(any_q.row) < rows) && (32'(any_q.column) >> `D_SIZE < columns);
  assign source  = line[`TRANS ? LineW'(any_q.column >> `D_SIZE) : LineW'(any_q.row)] +
      tl_pkg::host_t'(`TRANS ? (32'(any_q.row) << `D_SIZE) + 32'(any_q.column & ~({$bits(any_q.column){1'b1}} <<
      `D_SIZE)) : 32'(any_q.column));
  assign asks    = l0m_req_o && (tl_top.gen_matrix.matrix_store_tag == any_q.tag);
  assign here    = asks && l0m_be_o[any_q.place[PortW-1:0]] && (l0m_addr_o == 32'(any_q.place >> PortW << PortW));

  always_comb begin
    logic [31:0]   i;
    logic [31:0]   j;
    tl_pkg::host_t addr;
    logic          store_error;
    misaligned  = ((base & ~('1 << `D_SIZE)) != '0) || (((`TRANS ? columns : rows) > 32'd1) &&
        ((stride & ~('1 << `D_SIZE)) != '0));
    outside     = 1'b0;
    outside_at  = '0;
    broken      = 1'b0;
    broken_at   = '0;
    covered     = 1'b0;
    from_row    = '0;
    from_column = '0;
    // Lines ascending, and within a line elements ascending.
    for (int unsigned l = 0; l < Lines; l++) begin
      line[l] = l == 0 ? base : line[l-1] + stride;
      for (int unsigned e = 0; e < Elements; e++) begin
        i           = `TRANS ? e : l;
        j           = `TRANS ? l : e;
        addr        = line[l] + (tl_pkg::host_t'(e) << `D_SIZE);
        store_error = any_q.l0m_errors[addr[L0mW-1:PortW]];
        if ((i < rows) && (j < columns)) begin
          if (!outside && (addr >= tl_pkg::host_t'(does.store ? tl_pkg::L0mBytes : tl_pkg::L1mBytes))) begin
            outside    = 1'b1;
            outside_at = addr;
          end
          if (!broken && (does.store ? store_error : any_q.l1m_errors[addr[L1mW-1:PortW]])) begin
            broken    = 1'b1;
            broken_at = addr;
          end
          if (addr[L0mW-1:0] >> `D_SIZE == any_q.place >> `D_SIZE) begin
            covered     = 1'b1;
            from_row    = $clog2(Rows)'(i);
            from_column = $clog2(RowBytes)'(j << `D_SIZE) + $clog2(RowBytes)'(any_q.place - addr[L0mW-1:0]);
          end
        end
      end
    end
    traps = misaligned || outside || broken;
    tval  = (base & ~('1 << `D_SIZE)) != '0 ? base : misaligned ? base + stride : outside ? outside_at : broken_at;
  end

  tl_issue_spec #(
    .Count (Last + 1)
  ) u_issue (
    .issues_i  (issues),
    .ttype_i   (any_q.ttype),
    .keeps_i   (1'b0),
    .entered_o (entered),
    .kind_o    (kind),
    .*
  );

  tl_memory_spec #(
    .Bytes (tl_pkg::L1mBytes)
  ) u_l1m (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .errors_i (any_q.l1m_errors),
    .req_i    (l1m_req_o),
    .gnt_i    (l1m_gnt_i),
    .addr_i   (l1m_addr_o),
    .rvalid_i (l1m_rvalid_i),
    .err_i    (l1m_err_i),
    .answer_o (l1m_answer)
  );

  tl_memory_spec #(
    .Bytes (tl_pkg::L0mBytes)
  ) u_l0m (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .errors_i (any_q.l0m_errors),
    .req_i    (l0m_req_o),
    .gnt_i    (l0m_gnt_i),
    .addr_i   (l0m_addr_o),
    .rvalid_i (l0m_rvalid_i),
    .err_i    (l0m_err_i),
    .answer_o (l0m_answer)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q   <= any;
      time_q  <= '0;
      sizes_q <= '0;
      read_q  <= 1'b0;
      wrote_q <= 1'b0;
      done_q  <= 1'b0;
      asked_q <= 1'b0;
      prior_q      <= 1'b0;
      prior_read_q <= 1'b0;
    end else begin
      time_q <= time_q + 8'd1;
      for (int unsigned n = 0; n < Sets; n++) assume (matrix_of(issues[n].instr).sets);
      assume (does.access == `ACCESS);
      if (entered == 3'(Last)) assume (tag == any_q.tag);
      if (`BEHIND) begin
        assume (any_q.tag != any_q.prior_tag);
        if (entered == 3'(Sets)) assume (tag == any_q.prior_tag);
        assume (is_matrix(issues[Sets].instr) || csr_op(issues[Sets].instr, '0).ours ||
            (ours(issues[Sets].instr) && !(tensor_of(issues[Sets].instr).op inside {Load, Store})));
        assume (!prior.access || (issues[Sets].instr[11:10] == 2'(`D_SIZE)));
        assume (move_soon && xpose_soon && !load_strides_busy);
      end
      assume (!tensor_l1m_req && !tensor_load_done.valid);
      // Which registers were read, and what they hold.
      if (tl_top.gen_matrix.u_matrix.read) read_q <= tl_top.gen_matrix.u_matrix.read_md == any_q.md;
      if (read_q && does.store) assume (tl_top.gen_matrix.u_matrix.tile[any_q.row][8*any_q.column+:8] == any_q.value);
      if (does.store && works && covered && !traps) begin
        assume ((any_q.md == md) && (any_q.row == from_row) && (any_q.column == from_column));
      end
      if (prior_done) prior_q <= 1'b0;
      if (tl_top.gen_matrix.u_matrix.read) begin
        // A load in front of a store has changed the register.
        assert (!prior_q || prior.store || prior_done);
        prior_read_q <= 1'b1;
      end
      // L1M.
      if (l1m_rvalid_i && (l1m_answer[L1mW-1:PortW] == source[L1mW-1:PortW])) begin
        assume (l1m_rdata_i[8*source[PortW-1:0]+:8] == any_q.value);
      end

      // It goes to no other engine.
      if (entered != 3'(Sets) || !`BEHIND) assert (!csr_exec && !load_valid && !store_valid && !move_valid && !xpose_valid);
      // Tile sizes.
      assert ({mtilek, mtilen, mtilem} == sizes_q);
      if (entry_valid && entry_ready) begin
        for (int unsigned n = 0; n <= Last; n++) begin
          if ((entered == 3'(n)) && matrix_of(issues[n].instr).sets) begin
            sizes_q[matrix_of(issues[n].instr).size] <= matrix_size(issues[n].instr, issues[n].rs[31:0]);
          end
        end
        if (`BEHIND && (entered == 3'(Sets))) begin
          prior_q <= prior.access && !enter_trap && !enter_done;
        end else begin
          assert (enter_trap == ((entered == 3'(Last)) && !legal));
          assert (enter_done == !((entered == 3'(Last)) && works));
          if (enter_trap) assert (cause == tl_pkg::CauseIllegal);
        end
      end
      // A load changes its register once, when it does not trap.
      if (tl_top.gen_matrix.u_matrix.write_o && !(prior_done && !prior.store)) begin
        assert ((entered == 3'(Last + 1)) && works && !does.store && !traps && !wrote_q && !done_q);
        assert (tl_top.gen_matrix.u_matrix.write_md_o == md);
        if (any_q.md == md) assert (tl_top.gen_matrix.u_matrix.write_be[any_q.row][any_q.column] == active);
        if (active) assert (tl_top.gen_matrix.u_matrix.write_data[any_q.row][8*any_q.column+:8] == any_q.value);
        wrote_q <= 1'b1;
        // A store in front of it has read the register.
        assert (!prior_q || !prior.store || prior_read_q);
      end
      // A store writes active elements only, and none before all of them are known to be inside.
      if (l1m_req_o && (!prior_q || prior.store)) assert (works && !does.store && !misaligned && !outside);
      if (asks) assert (works && does.store && !misaligned && !outside);
      if (asks) asked_q <= 1'b1;
      if (l0m_req_o && !asks) assert (prior_q && prior.store && !asked_q);
      if (here) begin
        assert (covered);
        wrote_q <= 1'b1;
        value_q <= l0m_wdata_o[8*any_q.place[PortW-1:0]+:8];
      end
      // Its result.
      assert (!(does.store ? load_done.valid : store_done.valid) || (prior_done && (prior.store != does.store)));
      if (done.valid && !(prior_done && (prior.store == does.store))) begin
        assert ((entered == 3'(Last + 1)) && works && !done_q && (done.tag == any_q.tag));
        if (traps) begin
          assert ((done.tval == tval) && (done.cause == (misaligned ?
              (does.store ? tl_pkg::CauseStoreMisaligned : tl_pkg::CauseLoadMisaligned) :
              (does.store ? tl_pkg::CauseStoreFault : tl_pkg::CauseLoadFault))));
        end else begin
          assert (done.cause == tl_pkg::CauseNone);
          if (does.store && covered) assert (wrote_q && (value_q == any_q.value));
          if (!does.store) assert (wrote_q || tl_top.gen_matrix.u_matrix.write_o);
        end
        done_q <= 1'b1;
      end
      if (time_q == 8'(Cycles)) assert ((entered == 3'(Last + 1)) && (done_q == works) && !prior_q);
    end
  end

endmodule

bind tl_top tl_reset_spec u_reset (.*);
bind tl_top tl_matrix_spec u_matrix_spec (.*);
