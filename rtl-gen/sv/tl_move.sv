// SPDX-License-Identifier: Apache-2.0

// Move engine: one row per cycle for addi and merge. Concat makes one row per cycle, too, unless
// both operands have granules in most rows; then a row takes at most two cycles.
// The front end (tl_move_fetch) reads operand rows, the back end makes result rows from them: addi
// and merge here, concat in tl_concat. Each end takes the next command of tl_move_setup when it has
// finished the previous one. Result rows leave through tl_move_out.
module tl_move (
  input  logic                            clk_i,
  // asynchronous assert, synchronous release
  input  logic                            rst_ni,

  // Commands.
  input  logic                            cmd_valid_i,
  // a command may come in the next cycle, unless one comes in this cycle
  output logic                            cmd_soon_o,
  input  tl_pkg::move_cmd_t               cmd_i,      // addi, concat or merge
  // the value of the operand is still to come
  input  logic [1:0]                      awaited_i,
  input  logic [tl_pkg::NumPhys-1:0]      pending_i,  // registers whose value is still to come

  // Register file.
  output tl_pkg::rf_read_t                rf_read_o,
  input  logic                            rf_read_gnt_i, // the whole request is granted
  // rows of the two banks; for timing see tl_pkg::rf_read_t
  input  logic [1:0][tl_pkg::RowBits-1:0] rf_rdata_i,
  output tl_pkg::rf_write_t               rf_write_o,
  input  logic                            rf_write_gnt_i, // the row is granted

  // Completion.
  output tl_pkg::done_t                   done_o          // a result is complete
);

  localparam int unsigned Gran      = tl_pkg::Gran;
  localparam int unsigned RowBits   = tl_pkg::RowBits;
  localparam int unsigned GranLanes = tl_pkg::GranLanes;

  // Commands.
  tl_pkg::move_cmd_t       cmd;
  logic [1:0]              walk_valid;
  logic [1:0]              walk_take;
  logic [1:0]              walk_early;
  logic [1:0]              trim;
  logic [1:0]              copies;
  logic                    is_concat;
  logic                    by_slice;
  logic                    many_0;
  logic                    direct_valid;
  logic                    plan_valid;
  logic                    d_take;
  logic                    plan_take;
  logic                    plan_early;
  tl_pkg::slot_mask_t      slots;
  tl_pkg::slot_cnt_t       period;
  tl_pkg::slot_cnt_t       turn;
  tl_pkg::lane_cnt_t       rem;
  tl_pkg::row_t [1:0]      last_row;
  tl_pkg::gran_len_t [1:0] plan_edge;
  tl_pkg::gran_len_t       plan_span;

  tl_move_setup u_setup (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cmd_valid_i    (cmd_valid_i),
    .cmd_soon_o     (cmd_soon_o),
    .cmd_i          (cmd_i),
    .awaited_i      (awaited_i),
    .pending_i      (pending_i),
    .cmd_o          (cmd),
    .walk_valid_o   (walk_valid),
    .walk_take_i    (walk_take),
    .walk_early_i   (walk_early),
    .by_slice_o     (by_slice),
    .slots_o        (slots),
    .period_o       (period),
    .turn_o         (turn),
    .rem_o          (rem),
    .last_o         (last_row),
    .trim_o         (trim),
    .direct_valid_o (direct_valid),
    .plan_valid_o   (plan_valid),
    .back_take_i    (d_take || plan_take),
    .back_early_i   (d_take || plan_early),
    .copies_o       (copies),
    .edge_o         (plan_edge),
    .span_o         (plan_span),
    .many_0_o       (many_0)
  );

  // Operand rows.
  logic                     lead_0;
  tl_pkg::slicing_t         shape;
  logic                     unused_counts;
  logic [1:0]               head_concat;
  logic [1:0]               head_direct;
  logic [1:0]               head_room;
  logic [1:0]               head_more;
  logic [1:0]               head_take;
  logic [1:0]               head_wanted;
  tl_pkg::lane_mask_t [1:0] head_mask;
  tl_pkg::lane_mask_t       merge_block;
  logic [1:0][RowBits-1:0]  head_row;

  assign is_concat     = cmd.op == tl_pkg::MoveConcat;
  assign shape.dim     = cmd.dim;
  assign shape.inner   = cmd.inner;
  assign shape.block   = cmd.block;
  assign unused_counts = ^cmd.counts;

  tl_move_fetch u_fetch (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .next_valid_i    (walk_valid),
    .next_concat_i   (is_concat),
    .next_by_slice_i (by_slice),
    .next_zero_i     ({cmd.src2.zero, cmd.src1.zero}),
    .next_phys_i     ({cmd.src2.phys, cmd.src1.phys}),
    .next_mask_i     ({cmd.mask2, cmd.mask1}),
    .next_last_i     (last_row),
    .next_i          (shape),
    .next_slots_i    (slots),
    .next_period_i   (period),
    .next_turn_i     (turn),
    .next_rem_i      (rem),
    .trim_i          (trim),
    .next_take_o     (walk_take),
    .next_early_o    (walk_early),
    .rf_read_o       (rf_read_o),
    .rf_read_gnt_i   (rf_read_gnt_i),
    .rf_rdata_i      (rf_rdata_i),
    .head_concat_o   (head_concat),
    .head_direct_o   (head_direct),
    .head_room_i     (head_room),
    .head_more_i     (head_more),
    .head_take_i     (head_take),
    .head_wanted_i   (head_wanted),
    .lead_0_i        (lead_0),
    .head_mask_o     (head_mask),
    .head_row_o      (head_row),
    .merge_block_o   (merge_block)
  );

  // Concat. It takes rows from the buffer while addi and merge have none there.
  logic                           plan_next;
  logic                           plan_busy;
  // the back end had no other work when operand 0 was taken
  logic                           alone_q;
  logic [1:0]                     plan_all;
  logic                           pass_valid;
  logic                           pass_take;
  logic                           pass_src;
  logic                           pass_begin;
  logic                           pass_end;
  tl_pkg::lane_mask_t             pass_mask;
  tl_pkg::row_dest_t              pass_dest;
  logic [1:0]                     concat_take;
  logic                           concat_pick;
  logic                           concat_begin;
  logic                           concat_end;
  logic                           concat_valid;
  logic [GranLanes-1:0][Gran-1:0] concat_row;
  tl_pkg::row_dest_t              concat_dest;
  logic                           d_valid_q;
  logic                           d_ready;       // addi or merge has a row
  logic                           rows_0_only;   // addi takes rows of operand 0
  logic                           out_room;
  logic [RowBits-1:0]             picked;        // the row that was taken, or the merge of two rows

  // Rows are requested before the first passes say which of them are wanted.
  assign lead_0 = alone_q && many_0;

  always_ff @(posedge clk_i) begin
    if (walk_take[0]) alone_q <= !plan_busy;
  end

  assign plan_all[0] = plan_edge[0] == plan_span;
  assign plan_all[1] = (plan_edge[1] == plan_span) && (plan_edge[0] == '0);

  tl_concat_plan u_concat_plan (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .next_valid_i (plan_next),
    .next_take_o  (plan_take),
    .next_early_o (plan_early),
    .next_tag_i   (cmd.tag),
    .next_dst_i   (cmd.dst),
    .next_any_i   (copies),
    .next_all_i   (plan_all),
    .next_edge_i  (plan_edge),
    .next_span_i  (plan_span),
    .next_block_i (cmd.block),
    .pass_valid_o (pass_valid),
    .pass_take_i  (pass_take),
    .pass_mask_o  (pass_mask),
    .pass_src_o   (pass_src),
    .pass_begin_o (pass_begin),
    .pass_end_o   (pass_end),
    .pass_dest_o  (pass_dest),
    .busy_o       (plan_busy)
  );

  tl_concat u_concat (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .head_valid_i  (head_concat),
    .head_hold_i   (rows_0_only),
    .head_take_o   (concat_take),
    .head_room_o   (head_room),
    .head_more_o   (head_more),
    .head_wanted_o (head_wanted),
    .head_pick_o   (concat_pick),
    .head_mask_i   (head_mask),
    .picked_row_i  (picked),
    .pass_valid_i  (pass_valid),
    .pass_take_o   (pass_take),
    .pass_mask_i   (pass_mask),
    .pass_src_i    (pass_src),
    .pass_begin_i  (pass_begin),
    .pass_end_i    (pass_end),
    .pass_dest_i   (pass_dest),
    .out_room_i    (out_room),
    .out_begin_o   (concat_begin),
    .out_valid_o   (concat_valid),
    .out_row_o     (concat_row),
    .out_end_o     (concat_end),
    .out_dest_o    (concat_dest)
  );

  // Addi and merge. They may follow a concat as soon as its last row is under way. Merge adds 0.
  // The next operation waits here, so that the set-up of the one after it can begin.
  typedef struct packed {
    logic       merge;
    tl_pkg::ewidth_t    ewidth;
    tl_pkg::addend_t    addend;
    tl_pkg::tag_t       tag;
    tl_pkg::dst_t       dst;
  } direct_t;

  direct_t                  direct;
  direct_t                  wait_q;
  direct_t                  d_q;
  logic                     wait_valid_q;
  tl_pkg::row_t             d_row_q;
  logic                     d_step;
  logic                     d_free;
  logic [RowBits-1:0]       sum;
  logic                     all_0;
  logic                     all_1;
  logic                     mixed;
  tl_pkg::lane_mask_t [1:0] pick;          // granules of each operand
  tl_pkg::lane_mask_t [1:0] pick_q;
  logic                     row_valid_q;
  logic                     sum_valid_q;
  tl_pkg::row_dest_t        row_dest_q;
  tl_pkg::row_dest_t        sum_dest_q;
  tl_pkg::ewidth_t          row_ewidth_q;
  tl_pkg::addend_t          row_addend_q;

  // All operations share this selection, because they have rows in different cycles.
  assign mixed   = d_valid_q && d_q.merge;
  assign all_0   = d_valid_q ? !d_q.merge : !concat_pick;
  assign all_1   = !d_valid_q && concat_pick;
  assign pick[0] = {GranLanes{all_0}} | ({GranLanes{mixed}} & head_mask[0]);
  assign pick[1] = {GranLanes{all_1}} | ({GranLanes{mixed}} & ~head_mask[0] & merge_block);

  always_ff @(posedge clk_i) begin
    pick_q <= pick;
  end

  always_comb begin
    for (int unsigned l = 0; l < GranLanes; l++) begin
      picked[l*Gran+:Gran] = ({Gran{pick_q[0][l]}} & head_row[0][l*Gran+:Gran]) |
          ({Gran{pick_q[1][l]}} & head_row[1][l*Gran+:Gran]);
    end
  end

  tl_addi_row u_addi_row (
    .clk_i    (clk_i),
    .valid_i  (row_valid_q),
    .row_i    (picked),
    .ewidth_i (row_ewidth_q),
    .imm_i    (row_addend_q),
    .row_o    (sum)
  );

  // Rows of a concat may be in front of the rows of addi and merge: they were requested before the
  // last row of the concat was known. They have no selected granules and no pass waits for them;
  // tl_concat takes them. Rows of the next concat are behind those of addi and merge. The exception
  // is operand 1 behind an addi, which has no rows of operand 1.
  assign rows_0_only = d_valid_q && !d_q.merge;

  assign d_ready = d_valid_q && head_direct[0] && (!d_q.merge || head_direct[1]);
  assign d_step  = d_ready && out_room;
  assign d_free  = !d_valid_q || (d_step && (&d_row_q));
  assign d_take  = direct_valid && (d_free || !wait_valid_q) && !plan_busy;

  assign direct.merge  = cmd.op != tl_pkg::MoveAddi;
  assign direct.ewidth = cmd.ewidth;
  assign direct.addend = cmd.addend;
  assign direct.tag    = cmd.tag;
  assign direct.dst    = cmd.dst;

  assign plan_next = plan_valid && !d_valid_q && !row_valid_q;
  assign head_take = concat_take | {d_step && d_q.merge, d_step};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      d_valid_q    <= 1'b0;
      wait_valid_q <= 1'b0;
      d_row_q      <= '0;
      row_valid_q  <= 1'b0;
      sum_valid_q  <= 1'b0;
    end else begin
      d_valid_q    <= d_take || wait_valid_q || !d_free;
      wait_valid_q <= d_free ? wait_valid_q && d_take : wait_valid_q || d_take;
      if (d_step) d_row_q <= d_row_q + 1'b1;
      row_valid_q  <= d_step;
      sum_valid_q  <= row_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (d_take) wait_q <= direct;
    if (d_free) d_q <= wait_valid_q ? wait_q : direct;
    row_ewidth_q <= d_q.ewidth;
    row_addend_q <= d_q.merge ? '0 : d_q.addend;
    row_dest_q   <= {(&d_row_q), d_q.tag, d_q.dst, d_row_q};
    sum_dest_q   <= row_dest_q;
  end

  // Result rows. The row of addi and merge is zeros in a cycle without one, and so is that of
  // concat.
  logic [GranLanes-1:0][Gran-1:0] out_row;

  assign out_row = concat_row | sum;

  tl_move_out u_out (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .room_o         (out_room),
    .begin_i        (d_step || concat_begin),
    .valid_i        (concat_valid || sum_valid_q),
    .row_i          (out_row),
    .end_i          (concat_end || sum_valid_q),
    .dest_i         (sum_valid_q ? sum_dest_q : concat_dest),
    .rf_write_o     (rf_write_o),
    .rf_write_gnt_i (rf_write_gnt_i),
    .done_o         (done_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!cmd_valid_i || $past(cmd_soon_o && !cmd_valid_i))
      else $error("tl_move: a command came that it was not ready for");
    end
  end
`endif

endmodule
