// SPDX-License-Identifier: Apache-2.0

// Reads the rows of both operands ahead of their use and says which granules are selected.
// Each operand has its own walker and buffer; the two may work on different operations. Both read
// in the same cycle if their rows are in different banks. The operands of a merge clash once, and
// are then one row apart. Concat reads one row per cycle, because one unit makes the lane masks;
// merge needs masks for operand 0 only.
module tl_move_fetch (
  input  logic                            clk_i,
  // asynchronous assert, synchronous release
  input  logic                            rst_ni,

  // The next operation, for each operand.
  input  logic [1:0]                      next_valid_i,
  input  logic                            next_concat_i,    // the operation is concat
  input  logic                            next_by_slice_i,  // concat, with slices of a row or more
  input  logic [1:0]                      next_zero_i,      // the operand is all zeros
  input  tl_pkg::phys_t [1:0]             next_phys_i,      // its register
  input  logic [1:0][31:0]                next_mask_i,      // its selected slices
  // last row to read, if the operand is not read by slice
  input  tl_pkg::row_t [1:0]              next_last_i,
  input  tl_pkg::slicing_t                next_i,           // sizes of slices and rows
  input  tl_pkg::slot_mask_t              next_slots_i,     // selected slices, repeated
  // slots after which next_slots_i repeats
  input  tl_pkg::slot_cnt_t               next_period_i,
  input  tl_pkg::slot_cnt_t               next_turn_i,      // GranLanes / inner modulo the period
  input  tl_pkg::lane_cnt_t               next_rem_i,       // GranLanes modulo inner
  // next_last_i is a better (lower) last row for the operation that the operand has already taken
  input  logic [1:0]                      trim_i,
  // the operation is taken for the operand
  output logic [1:0]                      next_take_o,
  output logic [1:0]                      next_early_o,     // early version of next_take_o

  // Register file.
  output tl_pkg::rf_read_t                rf_read_o,
  input  logic                            rf_read_gnt_i,    // the whole request is granted
  // rows of the two banks; for timing see tl_pkg::rf_read_t
  input  logic [1:0][tl_pkg::RowBits-1:0] rf_rdata_i,

  // The oldest row of each operand.
  // the row is here, is for concat, and concat has room for it
  output logic [1:0]                      head_concat_o,
  // the row is here, and is for addi or merge
  output logic [1:0]                      head_direct_o,
  // concat has room for the next row, if no row is taken in this cycle
  input  logic [1:0]                      head_room_i,
  // concat has room for the next row, even if one is taken in this cycle
  input  logic [1:0]                      head_more_i,
  input  logic [1:0]                      head_take_i,      // the row is taken
  input  logic [1:0]                      head_wanted_i,    // operands whose rows have priority
  // operand 0 has priority if head_wanted_i is 0
  input  logic                            lead_0_i,
  // selected granules; undefined for operand 1 of merge
  output tl_pkg::lane_mask_t [1:0]        head_mask_o,
  // data of the row that was the oldest in the previous cycle
  output logic [1:0][tl_pkg::RowBits-1:0] head_row_o,
  // operand 1 of merge: granules in the block
  output tl_pkg::lane_mask_t              merge_block_o
);

  localparam int unsigned RowBits   = tl_pkg::RowBits;
  localparam int unsigned GranLanes = tl_pkg::GranLanes;

  localparam int unsigned IndexW = 3;  // bits of the index of a row in a buffer

  // Of an operand, in its buffer or on their way. The rows of merge are then an odd number of
  // rows apart and do not clash; with all places in use they would.
  localparam int unsigned MostRows = (1 << IndexW) - 1;

  // Walkers. The lane masks take one new operation at a time.
  logic [1:0]               walk_valid;
  logic [1:0]               mask_load;
  logic [1:0]               mask_begin;
  logic [1:0]               row_valid;
  logic [1:0]               row_take;
  logic [1:0]               row_concat;
  logic [1:0]               row_by_slice;
  logic [1:0]               row_zero;
  logic [1:0]               row_none;
  tl_pkg::row_t [1:0]       row;
  tl_pkg::phys_t [1:0]      row_phys;
  tl_pkg::gran_lane_t [1:0] row_top;
  tl_pkg::gran_lane_t [1:0] row_before;
  logic [1:0][1:0]          row_sel;

  assign walk_valid[0] = next_valid_i[0];
  assign walk_valid[1] = next_valid_i[1] && !(next_valid_i[0] && next_concat_i);

  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      mask_load[s] = next_take_o[s] && !next_by_slice_i && (s == 0 || next_concat_i);
    end
  end

  for (genvar s = 0; s < 2; s++) begin : gen_walk
    tl_move_walk u_walk (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .next_valid_i    (walk_valid[s]),
      .next_by_slice_i (next_by_slice_i),
      .next_concat_i   (next_concat_i),
      .next_src_i      ({next_zero_i[s], next_phys_i[s]}),
      .next_mask_i     (next_mask_i[s]),
      .next_last_i     (next_last_i[s]),
      .next_i          (next_i),
      .trim_i          (trim_i[s]),
      .next_take_o     (next_take_o[s]),
      .next_early_o    (next_early_o[s]),
      .begin_o         (mask_begin[s]),
      .row_valid_o     (row_valid[s]),
      .row_take_i      (row_take[s]),
      .row_o           (row[s]),
      .row_zero_o      (row_zero[s]),
      .row_phys_o      (row_phys[s]),
      .row_concat_o    (row_concat[s]),
      .row_top_o       (row_top[s]),
      .row_none_o      (row_none[s]),
      .row_by_slice_o  (row_by_slice[s]),
      .row_before_o    (row_before[s]),
      .row_sel_o       (row_sel[s])
    );
  end

  // Rows to read. If two rows clash, the operand with priority reads; without a priority the
  // operands alternate.
  logic [1:0][IndexW+1-1:0] used_q;   // rows in the buffer or on their way
  logic [1:0]               room_q;   // room for one more row
  logic [1:0]               want;
  logic                     clash;
  logic                     first_q;  // the operand with priority
  logic                     last_q;   // the operand that was asked for last

  typedef struct packed {
    logic [1:0] zero;   // the row of each operand is zeros
    logic [1:0] bank;   // bank that the row of each operand comes from
    tl_pkg::gran_lane_t top;    // last granule in the block, of operand 1
    logic       none;
  } coming_t;

  typedef struct packed {
    tl_pkg::rf_read_t   read;
    logic [1:0] rows;   // operands with a row in this request
    coming_t    row;
  } request_t;

  request_t ask;
  request_t request;

  logic request_valid;
  logic request_take;
  logic ask_valid;
  logic ask_ready;

  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      want[s] = row_valid[s] && room_q[s] && ask_ready;
    end
  end

  assign clash    = row_concat[1] ||
      (!row_zero[0] && !row_zero[1] && (row[0][0] == row[1][0]));
  assign ask_valid = row_take != 2'b00;
  assign row_take  = want & ((clash && want == 2'b11) ? {first_q, !first_q} : 2'b11);

  always_comb begin
    ask.read.valid = '0;
    for (int unsigned b = 0; b < 2; b++) begin
      ask.read.addr[b] = (row_take[1] && !row_zero[1] && row[1][0] == 1'(b)) ?
          tl_pkg::bank_addr(row_phys[1], row[1][tl_pkg::RowW-1:1]) :
          tl_pkg::bank_addr(row_phys[0], row[0][tl_pkg::RowW-1:1]);
      for (int unsigned s = 0; s < 2; s++) begin
        if (row_take[s] && !row_zero[s] && row[s][0] == 1'(b)) ask.read.valid[b] = 1'b1;
      end
    end
    ask.rows      = row_take;
    ask.row.zero  = row_zero;
    ask.row.bank  = {row[1][0], row[0][0]};
    ask.row.top   = row_top[1];
    ask.row.none  = row_none[1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      last_q <= 1'b1;
    end else begin
      if (ask_valid) last_q <= row_take[1];
      for (int unsigned s = 0; s < 2; s++) begin
        // Up or down by one.
        if (row_take[s] != head_take_i[s]) begin
          used_q[s] <= used_q[s] + {{IndexW{head_take_i[s]}}, 1'b1};
        end
      end
    end
  end

  // Timing: head_take_i arrives late; the priority does not depend on it.
  always_ff @(posedge clk_i) begin
    if (head_wanted_i[0] != head_wanted_i[1]) begin
      first_q <= head_wanted_i[1];
    end else if (lead_0_i && head_wanted_i == 2'b00) begin
      first_q <= 1'b0;
    end else begin
      first_q <= ask_valid ? !row_take[1] : !last_q;
    end
    for (int unsigned s = 0; s < 2; s++) begin
      room_q[s] <= (used_q[s] < (IndexW + 1)'(MostRows - 1)) ||
          (head_take_i[s] ? (used_q[s] < (IndexW + 1)'(MostRows)) || !row_take[s]
                          : (used_q[s] < (IndexW + 1)'(MostRows)) && !row_take[s]);
    end
  end

  tl_fifo #(
    .Width ($bits(ask)),
    .Depth (4)
  ) u_requests (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (ask_valid),
    .ready_o (ask_ready),
    .data_i  (ask),
    .valid_o (request_valid),
    .ready_i (request_take),
    .data_o  (request)
  );

  assign rf_read_o.valid = request_valid ? request.read.valid : '0;
  assign rf_read_o.addr  = request.read.addr;
  assign request_take    = (request.read.valid == '0) || rf_read_gnt_i;

  // Selected granules of the row that was requested.
  logic               mask_s;     // operand that the row belongs to
  logic [1:0]         mask_take;
  tl_pkg::lane_mask_t mask;

  assign mask_take[0] = row_take[0];
  assign mask_take[1] = row_take[1] && row_concat[1];
  assign mask_s       = mask_take[1];

  tl_move_mask u_mask (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .load_i     (mask_load),
    .inner_i    (next_i.inner),
    .slots_i    (next_slots_i),
    .period_i   (next_period_i),
    .turn_i     (next_turn_i),
    .rem_i      (next_rem_i),
    .begin_i    (mask_begin),
    .take_i     (mask_take),
    .by_slice_i (row_by_slice[mask_s]),
    .before_i   (row_before[mask_s]),
    .sel_i      (row_sel[mask_s]),
    .top_i      (row_top[mask_s]),
    .none_i     (row_none[mask_s]),
    .mask_o     (mask)
  );

  // Buffers, one for each operand.
  logic [1:0]               read_q;
  logic [1:0]               come_q;
  logic [1:0]               came_q;
  coming_t                  read_row_q;
  logic                     come_none_q;   // the row is behind the block, in operand 1 of merge
  tl_pkg::gran_lane_t       come_top_q;    // last granule of the block in it
  logic [1:0][1:0]          pick_q;        // bank that a row comes from; none: zeros
  logic [1:0][RowBits-1:0]  come_row;
  logic [1:0]               head_here;     // in the next cycle
  logic [1:0]               head_concat;
  logic [1:0]               head_room;
  logic [1:0][IndexW+1-1:0] ready_q;       // rows in the buffer, with their masks
  logic [1:0][IndexW-1:0]   head_q;
  logic [1:0][IndexW-1:0]   tail_q;
  logic [1:0][IndexW-1:0]   asked_q;
  logic [3:0][IndexW+1-1:0] mask_at_q;     // buffer place of each mask under way
  logic [1:0][IndexW-1:0]   behind;        // the place behind the oldest row
  logic [3:0]               mask_valid_q;
  logic                     head_none;
  tl_pkg::gran_lane_t       head_top;

  logic [GranLanes-1:0] masks_0      [1<<IndexW];
  logic [GranLanes-1:0] masks_1      [1<<IndexW];
  // Row of operand 1 of merge: behind the block, and its last granule in it.
  logic [tl_pkg::GranLaneW:0] merge_tops [1<<IndexW];
  logic                 concat_0     [1<<IndexW];
  logic                 concat_1     [1<<IndexW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q       <= '0;
      come_q       <= '0;
      came_q       <= '0;
    end else begin
      read_q       <= (request_valid && request_take) ? request.rows : '0;
      come_q       <= read_q;
      came_q       <= come_q;
    end
  end

  always_ff @(posedge clk_i) begin
    read_row_q   <= request.row;
    come_none_q  <= read_row_q.none;
    come_top_q   <= read_row_q.top;
    for (int unsigned s = 0; s < 2; s++) begin
      for (int unsigned b = 0; b < 2; b++) begin
        pick_q[s][b] <= !read_row_q.zero[s] && (read_row_q.bank[s] == 1'(b));
      end
    end
    mask_valid_q <= {mask_valid_q[2:0], mask_take != 2'b00};
    mask_at_q    <= {mask_at_q[2:0], mask_s, asked_q[mask_s]};
  end

  always_comb begin
    for (int unsigned r = 0; r < 2; r++) begin
      come_row[r] = ({RowBits{pick_q[r][0]}} & rf_rdata_i[0]) |
          ({RowBits{pick_q[r][1]}} & rf_rdata_i[1]);
    end
  end

  always_ff @(posedge clk_i) begin
    head_direct_o <= head_here & ~head_concat;
    if (row_take[0]) concat_0[asked_q[0]] <= row_concat[0];
    if (row_take[1]) concat_1[asked_q[1]] <= row_concat[1];
    if (come_q[1]) merge_tops[tail_q[1]] <= {come_none_q, come_top_q};
    if (mask_valid_q[3] && !mask_at_q[3][IndexW]) masks_0[mask_at_q[3][IndexW-1:0]] <= mask;
    if (mask_valid_q[3] && mask_at_q[3][IndexW]) masks_1[mask_at_q[3][IndexW-1:0]] <= mask;
  end

  assign head_mask_o   = {masks_1[head_q[1]], masks_0[head_q[0]]};
  assign {head_none, head_top} = merge_tops[head_q[1]];
  assign merge_block_o         = head_none ? '0 : tl_pkg::up_to(head_top);

  for (genvar s = 0; s < 2; s++) begin : gen_rows
    tl_ram_1r1w #(
      .Width (RowBits),
      .Depth (1 << IndexW)
    ) u_rows (
      .clk_i   (clk_i),
      .we_i    (come_q[s]),
      .waddr_i (tail_q[s]),
      .wdata_i (come_row[s]),
      .re_i    (head_concat_o[s] || head_direct_o[s]),
      .raddr_i (head_q[s]),
      .rdata_o (head_row_o[s])
    );
  end

  // The oldest row of the next cycle. It was requested long before.
  assign behind = {head_q[1] + 1'b1, head_q[0] + 1'b1};

  always_comb begin
    head_concat[0] = head_take_i[0] ? concat_0[behind[0]] : concat_0[head_q[0]];
    head_concat[1] = head_take_i[1] ? concat_1[behind[1]] : concat_1[head_q[1]];
    for (int unsigned s = 0; s < 2; s++) begin
      head_here[s] = came_q[s] || (ready_q[s] > (IndexW + 1)'(head_take_i[s]));
      head_room[s] = head_take_i[s] ? head_more_i[s] : head_room_i[s];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_concat_o <= '0;
      ready_q       <= '0;
      head_q        <= '0;
      tail_q        <= '0;
      asked_q       <= '0;
    end else begin
      head_concat_o <= head_here & head_concat & head_room;
      for (int unsigned s = 0; s < 2; s++) begin
        if (came_q[s] != head_take_i[s]) begin
          ready_q[s] <= ready_q[s] + {{IndexW{head_take_i[s]}}, 1'b1};
        end
        if (head_take_i[s]) head_q[s] <= head_q[s] + 1'b1;
        if (come_q[s]) tail_q[s] <= tail_q[s] + 1'b1;
        if (row_take[s]) asked_q[s] <= asked_q[s] + 1'b1;
      end
    end
  end

endmodule
