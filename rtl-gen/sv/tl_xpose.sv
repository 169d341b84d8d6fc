// SPDX-License-Identifier: Apache-2.0

// Transpose engine: one row in and one row out per cycle.
// Input rows are read in the order of the plan. They pass one stage for each lane bit, which
// exchanges the lane bit with a count bit or only delays the row. Then the lane bits are permuted,
// and the rows are written in the order of the plan. The write port takes each row at once.
// The stages advance in steps. A step brings a row, or nothing, if no row is left to be read but
// some are still in the stages. A row that was read never waits.
// The delay of a stage changes only when no row is in the stages. A stage that the next operation
// does not use keeps its delay as long as rows follow each other.
module tl_xpose (
  input  logic                            clk_i,
  // asynchronous assert, synchronous release
  input  logic                            rst_ni,

  // Commands.
  input  logic                            cmd_valid_i,
  // a command may come in the next cycle, unless one comes in this cycle
  output logic                            cmd_soon_o,
  input  tl_pkg::xpose_cmd_t              cmd_i,      // tl.xpose
  // the value of the operand is still to come
  input  logic [1:0]                      awaited_i,
  input  logic [tl_pkg::NumPhys-1:0]      pending_i,  // registers whose value is still to come

  // Register file.
  output tl_pkg::rf_read_t                rf_read_o,
  input  logic                            rf_read_gnt_i, // the whole request is granted
  // rows of the two banks; for timing see tl_pkg::rf_read_t
  input  logic [1:0][tl_pkg::RowBits-1:0] rf_rdata_i,
  output tl_pkg::rf_write_t               rf_write_o,  // granted at once

  // Completion.
  output tl_pkg::done_t                   done_o       // a result is complete
);

  localparam int unsigned Gran       = tl_pkg::Gran;
  localparam int unsigned RowBits    = tl_pkg::RowBits;
  localparam int unsigned GranLanes  = tl_pkg::GranLanes;
  localparam int unsigned GranLaneW  = tl_pkg::GranLaneW;
  localparam int unsigned XposeRowW  = tl_pkg::XposeRowW;
  localparam int unsigned XposeExchW = tl_pkg::XposeExchW;
  localparam int unsigned XposeSlotW = tl_pkg::XposeSlotW;

  // The next command, and the command that is planned. The plan of each operation has a slot.
  logic                                 cmd_valid_q;
  tl_pkg::xpose_cmd_t                   cmd_q;
  logic [1:0]                           awaited_q;  // the value of the operand is still to come
  logic                                 go;
  logic                                 begins;
  logic                                 swap_valid;
  logic                                 start;
  logic                                 leave;
  // parts of the plan that are not complete: [0] the order of the rows, [1] the permutation of lane
  // bits
  logic [1:0]                           planning_q;
  // the operation that is planned has not started
  logic                                 waiting_q;
  // its plan has begun: it may start when its operands have come
  logic                                 startable_q;
  tl_pkg::src_t                         plan_src1_q;
  tl_pkg::src_t                         plan_src2_q;
  logic [1:0]                           plan_awaited_q;
  tl_pkg::dst_t                         plan_dst1_q;
  tl_pkg::dst_t                         plan_dst2_q;
  tl_pkg::tag_t                         plan_tag_q;
  tl_pkg::xpose_slot_t                  plan_slot_q;
  logic [XposeSlotW+1-1:0]              ops_q;  // slots in use; top bit set: all
  logic [XposeExchW-1:0][GranLaneW-1:0] exchange;
  logic                                 in_valid;
  logic                                 out_valid;
  logic                                 out_over;
  tl_pkg::xpose_step_t                  in_bit;
  tl_pkg::xpose_step_t                  out_bit;
  logic [XposeRowW-1:0]                 in_mask;
  logic [XposeRowW-1:0]                 out_mask;
  tl_pkg::xpose_swaps_t                 plan_swap;

  assign cmd_soon_o  = !cmd_valid_q || go;
  assign out_over    = out_valid && (out_bit == tl_pkg::XposeStepW'(XposeRowW - 1));
  assign go          = cmd_valid_q && (planning_q == '0) && !waiting_q && !ops_q[XposeSlotW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cmd_valid_q <= 1'b0;
      planning_q  <= '0;
      waiting_q   <= 1'b0;
      startable_q <= 1'b0;
      plan_slot_q <= '0;
      ops_q       <= '0;
    end else begin
      cmd_valid_q <= cmd_valid_q ? !go : cmd_valid_i;
      planning_q  <= {2{go}} | (planning_q & ~{swap_valid, out_over});
      waiting_q   <= go || (waiting_q && !start);
      startable_q <= (startable_q || begins) && !start;
      if (go && !leave) ops_q <= ops_q + 1'b1;
      if (!go && leave) ops_q <= ops_q - 1'b1;
      if (out_over) plan_slot_q <= plan_slot_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!cmd_valid_q) cmd_q <= cmd_i;
    if (!cmd_valid_q) awaited_q <= awaited_i;
    // Unless traps are precise, dispatch has already waited for the operands.
    plan_awaited_q <= {2{tl_pkg::Precise != 0}} & (go ? awaited_q :
        plan_awaited_q & {pending_i[plan_src2_q.phys], pending_i[plan_src1_q.phys]});
    if (go) begin
      plan_src1_q <= cmd_q.src1;
      plan_src2_q <= cmd_q.src2;
      plan_dst1_q <= cmd_q.dst1;
      plan_dst2_q <= cmd_q.dst2;
      plan_tag_q  <= cmd_q.tag;
    end
  end

  tl_xpose_plan u_plan (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .go_i         (go),
    .ewidth_i     (cmd_q.ewidth),
    .p_i          (cmd_q.p),
    .q_i          (cmd_q.q),
    .log2_size_i  (cmd_q.log2_size),
    .begin_o      (begins),
    .exchange_o   (exchange),
    .in_valid_o   (in_valid),
    .in_bit_o     (in_bit),
    .in_mask_o    (in_mask),
    .out_valid_o  (out_valid),
    .out_bit_o    (out_bit),
    .out_mask_o   (out_mask),
    .swap_valid_o (swap_valid),
    .lane_swap_o  (plan_swap)
  );

  // The operation whose rows are read, and the delays of the stages.
  logic                                 fill_valid_q;     // rows are left to read
  logic [XposeExchW-1:0][GranLaneW-1:0] fill_exchange_q;
  // exchanges that the delays of the stages are set for
  logic [XposeExchW-1:0][GranLaneW-1:0] open_q;
  tl_pkg::src_t                         fill_src1_q;
  tl_pkg::src_t                         fill_src2_q;
  tl_pkg::src_t                         fill_src;
  logic [XposeRowW-1:0]                 fill_count;
  logic [XposeRowW-1:0]                 fill_row;
  logic [GranLaneW-1:0]                 fill_swap;        // exchanges of this row
  logic                                 fill_room;
  logic                                 take;
  logic                                 flush;
  logic                                 empty;
  // rows between the count and the end of the stages
  logic [XposeExchW+5-1:0]              live_q;

  tl_xpose_rows u_in_rows (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .we_i    (in_valid),
    .wslot_i (plan_slot_q),
    .wbit_i  (in_bit),
    .wmask_i (in_mask),
    .step_i  (take),
    .count_o (fill_count),
    .row_o   (fill_row)
  );

  assign fill_src = fill_row[XposeRowW-1] ? fill_src2_q : fill_src1_q;
  assign empty    = live_q == '0;
  assign start    = (startable_q || begins) && (plan_awaited_q == '0) &&
                    (!fill_valid_q || (take && (&fill_count))) &&
                    ((exchange & ~open_q) == '0 || empty);
  assign take     = fill_valid_q && fill_room;
  assign flush    = !fill_valid_q && fill_room && !empty;

  always_comb begin
    fill_swap = '0;
    for (int unsigned j = 0; j < XposeExchW; j++) begin
      if (fill_count[j]) fill_swap = fill_swap | fill_exchange_q[j];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_valid_q <= 1'b0;
      open_q       <= '0;
    end else begin
      fill_valid_q <= start || (fill_valid_q && !(take && (&fill_count)));
      if (start && empty) open_q <= exchange;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      fill_exchange_q <= exchange;
      fill_src1_q     <= plan_src1_q;
      fill_src2_q     <= plan_src2_q;
    end
  end

  // Steps on their way to the register file: the request, and a spare one behind it. The spare one
  // limits the path of the grant to these registers.
  typedef struct packed {
    logic                 row;   // the step has a row
    logic                 zero;  // a row of zeros, which is not read
    logic                 bank;
    tl_pkg::bank_addr_t           addr;
    logic [GranLaneW-1:0] swap;
  } step_t;

  step_t      step;
  step_t      spare_q;
  step_t      request_q;
  logic       spare_valid_q;
  logic       request_valid_q;
  logic       wait_q;
  logic       request_free;
  logic [1:0] read_q;           // banks
  step_t      asked_q;          // step whose row is read in this cycle
  logic       asked_valid_q;
  step_t      arrive_q;         // step whose row is at rf_rdata_i
  logic       arrive_valid_q;
  logic       unused_arrive;

  assign step.row  = fill_valid_q;
  assign step.zero = fill_src.zero;
  assign step.bank = fill_row[0];
  assign step.addr = tl_pkg::bank_addr(fill_src.phys, fill_row[tl_pkg::RowW-1:1]);
  assign step.swap = fill_valid_q ? fill_swap : '0;

  // wait_q: the request needs a grant.
  assign fill_room    = !spare_valid_q;
  assign request_free = !wait_q || rf_read_gnt_i;

  assign rf_read_o.valid = read_q;
  assign rf_read_o.addr  = {request_q.addr, request_q.addr};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spare_valid_q   <= 1'b0;
      request_valid_q <= 1'b0;
      wait_q          <= 1'b0;
      asked_valid_q   <= 1'b0;
      arrive_valid_q  <= 1'b0;
    end else begin
      asked_valid_q  <= request_valid_q && request_free;
      arrive_valid_q <= asked_valid_q;
      if (request_free) begin
        request_valid_q <= spare_valid_q || take || flush;
        spare_valid_q   <= 1'b0;
        if (spare_valid_q) begin
          wait_q <= spare_q.row && !spare_q.zero;
        end else begin
          wait_q <= take && !step.zero;
        end
      end else if (take || flush) begin
        spare_valid_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_free && spare_valid_q) begin
      read_q <= {2{spare_q.row && !spare_q.zero}} & {spare_q.bank, !spare_q.bank};
    end else if (request_free) begin
      read_q <= {2{take && !step.zero}} & {step.bank, !step.bank};
    end
    if (fill_room) spare_q <= step;
    if (request_free) request_q <= spare_valid_q ? spare_q : step;
    asked_q  <= request_q;
    arrive_q <= asked_q;
  end

  assign unused_arrive = ^arrive_q.addr;

  // The row arrives.
  logic                                    in_step_q;
  logic                                    in_valid_q;
  logic [GranLaneW-1:0]                    in_swap_q;
  logic [GranLanes-1:0][Gran-1:0]          in_row_q;
  // The delay of a stage that exchanges nothing. If each lane bit has its own count bit, a stage
  // with two possible delays does not have the delay 1.
  localparam int unsigned                  Least = tl_pkg::XposeAssigns != 0 ? 1 : 2;
  tl_pkg::xpose_exchange_t [GranLaneW-1:0] delay;       // of each stage, in steps

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_step_q <= 1'b0;
    end else begin
      in_step_q <= arrive_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    in_valid_q <= arrive_valid_q && arrive_q.row;
    if (arrive_valid_q) begin
      in_swap_q <= arrive_q.swap;
      in_row_q  <= arrive_q.zero ? '0 : rf_rdata_i[arrive_q.bank];
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < GranLaneW; i++) begin
      delay[i] = XposeExchW'(Least);
      for (int unsigned j = 0; j < XposeExchW; j++) begin
        if (open_q[j][i]) delay[i] = XposeExchW'(1 << j);
      end
    end
  end

  // A stage for each lane bit, with flip-flops behind half of them and at the end. tl_xpose_plan
  // decides which count bit each lane bit is exchanged with.
  localparam int unsigned HalfStages = (GranLaneW + 1) / 2;

  logic                           stage_valid_q;
  logic [GranLanes-1:0][Gran-1:0] stage_row_q;
  logic                           unused_last;

  for (genvar i = 0; i < GranLaneW; i++) begin : gen_stage
    // The greatest delay: that of its own count bit, or that of the highest count bit. A stage of
    // depth 2 has no other delay.
    localparam int unsigned Slowest = XposeExchW == 2 ? 4 : 2 ** (XposeExchW - 1);
    localparam int unsigned Depth   = i + XposeExchW >= GranLaneW ? 2 ** (GranLaneW - 1 - i) :
        Slowest;

    logic                 step_in;
    logic                 valid_in;
    logic [GranLaneW-1:0] swap_in;
    logic [RowBits-1:0]   row_in;
    logic                 step_next;
    logic                 valid_next;
    logic [GranLaneW-1:0] swap_next;
    logic [RowBits-1:0]   row_next;
    logic                 valid_out;
    logic [GranLaneW-1:0] swap_out;
    logic [RowBits-1:0]   row_out;

    if (i == 0) begin : gen_first
      assign step_in  = in_step_q;
      assign valid_in = in_valid_q;
      assign swap_in  = in_swap_q;
      assign row_in   = in_row_q;
    end else begin : gen_behind
      assign step_in  = gen_stage[i-1].step_next;
      assign valid_in = gen_stage[i-1].valid_next;
      assign swap_in  = gen_stage[i-1].swap_next;
      assign row_in   = gen_stage[i-1].row_next;
    end

    tl_xpose_stage #(
      .Bit   (i),
      .Depth (Depth),
      .Least (Least)
    ) u_stage (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .delay_i (delay[i]),
      .clear_i (empty),
      .step_i  (step_in),
      .valid_i (valid_in),
      .swap_i  (swap_in),
      .row_i   (row_in),
      .valid_o (valid_out),
      .swap_o  (swap_out),
      .row_o   (row_out)
    );

    if (i + 1 == HalfStages || i + 1 == GranLaneW) begin : gen_registers
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) step_next <= 1'b0;
        else step_next <= step_in;
      end

      always_ff @(posedge clk_i) begin
        valid_next <= step_in && valid_out;
        if (step_in) begin
          swap_next <= swap_out;
          row_next  <= row_out;
        end
      end
    end else begin : gen_wires
      assign step_next  = step_in;
      assign valid_next = valid_out;
      assign swap_next  = swap_out;
      assign row_next   = row_out;
    end
  end

  assign stage_valid_q = gen_stage[GranLaneW-1].valid_next;
  assign stage_row_q   = gen_stage[GranLaneW-1].row_next;
  assign unused_last   = ^{gen_stage[GranLaneW-1].step_next, gen_stage[GranLaneW-1].swap_next};

  // Rows in the stages, and in front of them.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q <= '0;
    end else begin
      if (take && !stage_valid_q) live_q <= live_q + 1'b1;
      if (!take && stage_valid_q) live_q <= live_q - 1'b1;
    end
  end

  // The operation whose rows leave the stages: it decides the permutation of the lane bits and the
  // destination of the rows.
  tl_pkg::xpose_swaps_t lane_swap;
  tl_pkg::dst_t         out_dst1;
  tl_pkg::dst_t         out_dst2;
  tl_pkg::dst_t         out_dst;
  tl_pkg::tag_t         out_tag;
  logic [XposeRowW-1:0] out_count;
  logic [XposeRowW-1:0] out_row;
  logic                 op_ready;
  logic                 op_valid;
  logic                 unused_op;

  logic [GranLanes-1:0][Gran-1:0] lane_row;
  logic [1:0]                     write_q;   // banks
  tl_pkg::bank_addr_t             addr_q;
  logic                           last_q;    // the row is the last one of its operation
  tl_pkg::tag_t                   tag_q;
  logic                           done_valid_q;
  tl_pkg::tag_t                   done_tag_q;

  tl_fifo #(
    .Width ($bits({plan_swap, plan_dst1_q, plan_dst2_q, plan_tag_q})),
    .Depth (2 ** XposeSlotW)
  ) u_ops (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (swap_valid),
    .ready_o (op_ready),
    .data_i  ({plan_swap, plan_dst1_q, plan_dst2_q, plan_tag_q}),
    .valid_o (op_valid),
    .ready_i (leave),
    .data_o  ({lane_swap, out_dst1, out_dst2, out_tag})
  );

  tl_xpose_rows u_out_rows (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .we_i    (out_valid),
    .wslot_i (plan_slot_q),
    .wbit_i  (out_bit),
    .wmask_i (out_mask),
    .step_i  (stage_valid_q),
    .count_o (out_count),
    .row_o   (out_row)
  );

  tl_lane_swap u_lane_swap (
    .clk_i   (clk_i),
    .valid_i (stage_valid_q),
    .swap_i  (lane_swap),
    .row_i   (stage_row_q),
    .row_o   (lane_row)
  );

  // The plan of an operation is complete before its first row arrives here, and has a slot until
  // its last row leaves.
  assign unused_op = op_ready ^ op_valid;
  assign leave     = stage_valid_q && (&out_count);
  assign out_dst   = out_row[XposeRowW-1] ? out_dst2 : out_dst1;

  assign rf_write_o.valid = write_q;
  assign rf_write_o.addr  = {addr_q, addr_q};
  assign rf_write_o.data  = {lane_row, lane_row};
  assign done_o.valid     = done_valid_q;
  assign done_o.tag       = done_tag_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q      <= '0;
      last_q       <= 1'b0;
      done_valid_q <= 1'b0;
    end else begin
      write_q      <= {2{stage_valid_q && !out_dst.drop}} & {out_row[0], !out_row[0]};
      last_q       <= leave;
      done_valid_q <= last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    addr_q     <= tl_pkg::bank_addr(out_dst.phys, out_row[tl_pkg::RowW-1:1]);
    tag_q      <= out_tag;
    done_tag_q <= tag_q;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!cmd_valid_i || $past(cmd_soon_o && !cmd_valid_i))
      else $error("tl_xpose: a command came that it was not ready for");
      assert (!stage_valid_q || op_valid)
      else $error("tl_xpose: a row came before its plan was complete");
    end
  end
`endif

endmodule
