// SPDX-License-Identifier: Apache-2.0

// Takes the oldest instruction, decides whether it is legal, waits for what it needs and sends it
// to its engine. CSR instructions are executed here.
// A tensor instruction needs two cycles or more. In the first one it reads the rename map, the
// meaning of the CSRs and what it waits for; in the next one or later it is dispatched, from
// flip-flops. So does a CSR instruction that accesses a stride or needs the old value. All others
// skip the first cycle.
module tl_dispatch (
  input  logic                       clk_i,

  // The instruction
  input  logic                       valid_i,
  // the instruction is dispatched in this cycle
  output logic                       ready_o,
  input  tl_pkg::issue_t             entry_i,               // the instruction with its operands
  input  tl_pkg::decoded_t           decoded_i,
  input  tl_pkg::csr_instr_t         csr_i,

  // CSR file and what the CSRs mean
  output logic                       csr_exec_o,            // execute csr_i now
  output logic                       csr_change_o,          // a CSR that tl_shape uses changes
  input  tl_pkg::meaning_t           meaning_i,             // what is legal
  input  tl_pkg::ls_shape_t          ls_i,                  // sizes of slices, for loads and stores
  input  tl_pkg::dim_shape_t         dims_i,                // sizes of slices, for concat and merge
  input  logic [tl_pkg::GranW+1-1:0] block_i,               // granules of the block
  input  logic [31:0]                tmask_concat_1_i,
  input  logic [31:0]                tmask_concat_2_i,
  input  logic [5:0]                 store_dense_i,         // as in tl_csr

  // Rename map
  output logic                       take_o,                // rename the results now
  // the map has the changes of all instructions before
  input  logic                       map_ready_i,
  // operands, from the second cycle of the instruction on
  input  tl_pkg::src_t               src1_i,
  input  tl_pkg::src_t               src2_i,
  // the instruction has to wait for an operand or an old result
  input  logic                       busy_i,
  input  tl_pkg::results_t           results_i,             // physical registers of its results
  input  logic                       fresh_i,               // there are fresh registers for them

  // Recovery from a trap
  input  logic                       open_i,                // instructions are executed
  // instructions are answered as killed, and change nothing
  input  logic                       kill_i,

  // Instructions in flight
  input  logic                       room_i,                // there is a free tag
  input  tl_pkg::tag_t               tag_i,                 // the free tag
  // the instruction is complete when it enters
  output logic                       enter_done_o,
  output tl_pkg::flight_t            flight_o,              // what tl_retire keeps of it
  // of an illegal instruction, else CauseNone
  output tl_pkg::cause_e             cause_o,
  // the instruction enters, and is illegal
  output logic                       trap_o,

  // Engines. *_soon_i: the engine can take a command in the next cycle, unless one is sent in this
  // cycle
  input  logic                       load_strides_busy_i,
  input  logic                       store_strides_busy_i,  // an instruction may still read strides
  // a command is sent; the engine has to take it
  output logic                       load_valid_o,
  input  logic                       load_soon_i,
  output tl_pkg::load_cmd_t          load_cmd_o,            // valid with load_valid_o
  output logic                       store_valid_o,
  input  logic                       store_soon_i,
  output tl_pkg::store_cmd_t         store_cmd_o,
  output logic                       move_valid_o,
  input  logic                       move_soon_i,
  output tl_pkg::move_cmd_t          move_cmd_o,
  output logic                       xpose_valid_o,
  input  logic                       xpose_soon_i,
  output tl_pkg::xpose_cmd_t         xpose_cmd_o,

  // Matrix instructions
  input  logic                       mx_ours_i,
  input  logic                       mx_legal_i,            // the instruction is legal
  // the port that it names, even if it is illegal: L1M [0], L0M [1]
  input  logic [1:0]                 mx_uses_i,
  input  logic                       mx_load_i,             // legal and not empty: accesses L1M
  input  logic                       mx_store_i,            // legal and not empty: accesses L0M
  // a command is sent; the engine has to take it
  output logic                       mx_valid_o,
  // the instruction is dispatched and legal
  output logic                       mx_exec_o,

  // Owner of each memory port: [0] L1M, [1] L0M
  input  logic [1:0]                 tensor_ok_i,           // the tensor engine may use the port
  input  logic [1:0]                 matrix_ok_i,           // the same for the matrix engine
  // an instruction that uses the port is dispatched
  output logic [1:0]                 tensor_o,
  output logic [1:0]                 matrix_o               // the same for the matrix engine
);

  // the code of the narrowest element
  localparam tl_pkg::ewidth_t Narrowest = 2'($clog2(tl_pkg::Gran / 4));

  // First cycle: is a tensor instruction legal?
  logic               legal;
  logic               calm;
  logic               stays;          // it will be here in the next cycle, too
  // a legal tensor instruction that was here in the previous cycle
  logic               fit_q;
  // an illegal tensor instruction that was here in the previous cycle
  logic               unfit_q;
  logic [5:0]         size;
  logic [5:0]         size_q;
  logic [tl_pkg::GranW+1-1:0] inner;          // elements
  logic [tl_pkg::GranW+1-1:0] inner_q;        // granules
  logic [1:0][5:0]    counts;
  logic [1:0][5:0]    counts_q;
  logic               unused_fields;

  assign unused_fields = ^{entry_i, decoded_i, csr_i, ls_i, dims_i};

  assign stays = valid_i && !ready_o;

  // The meaning of the CSRs and the map have the changes of all instructions before.
  assign calm = meaning_i.settled && map_ready_i;

  tl_legal u_legal (
    .op_i       (decoded_i.op),
    .dim_i      (decoded_i.dim),
    .powers_i   (decoded_i.powers),
    .log2_sum_i (decoded_i.log2_sum),
    .meaning_i  (meaning_i),
    .legal_o    (legal)
  );

  always_comb begin
    unique case (decoded_i.dim)
      2'd0:    {size, inner, counts} = {dims_i.size[0], dims_i.inner[0], dims_i.counts[0]};
      2'd1:    {size, inner, counts} = {dims_i.size[1], dims_i.inner[1], dims_i.counts[1]};
      default: {size, inner, counts} = {dims_i.size[2], dims_i.inner[2], dims_i.counts[2]};
    endcase
  end

  always_ff @(posedge clk_i) begin
    fit_q    <= stays && calm && legal;
    unfit_q  <= stays && calm && decoded_i.is_tensor && !legal;
    size_q   <= size;
    inner_q  <= inner << (meaning_i.ewidth - Narrowest);
    counts_q <= counts;
  end

  // Second cycle. An instruction waits for the meaning of the CSRs, for fresh registers and for its
  // engine. Unless traps are precise, it also waits for its operands and for the results that it
  // replaces. A stride is neither read nor written while an engine may still read it.
  logic able;
  logic strides_free;
  logic csr_able;
  logic tensor_able;
  logic go;
  // the CSR instruction was here in the previous cycle, strides were free, and its stride was read
  logic strides_seen_q;
  logic ready_q;         // its engine and ports were ready in the previous cycle, and still are
  logic is_tensor;
  logic good;            // the instruction is legal

  assign strides_free = !(csr_i.load_stride && load_strides_busy_i) &&
      !(csr_i.store_stride && store_strides_busy_i);

  always_ff @(posedge clk_i) begin
    strides_seen_q <= stays && strides_free && open_i;
    ready_q        <= (decoded_i.is_load && load_soon_i && tensor_ok_i[0]) ||
        (decoded_i.is_store && store_soon_i &&
        tensor_ok_i[1] && tl_pkg::unless_precise(tensor_ok_i[0])) ||
        (decoded_i.is_move && move_soon_i) || (decoded_i.is_xpose && xpose_soon_i);
  end

  assign able        = valid_i && room_i && open_i;
  assign is_tensor   = decoded_i.is_tensor;
  assign csr_able    = csr_i.ours && (decoded_i.at_once || strides_seen_q);
  assign tensor_able = fit_q && !busy_i && fresh_i && ready_q;

  assign load_valid_o  = able && tensor_able && decoded_i.is_load;
  assign store_valid_o = able && tensor_able && decoded_i.is_store;
  assign move_valid_o  = able && tensor_able && decoded_i.is_move;
  assign xpose_valid_o = able && tensor_able && decoded_i.is_xpose;

  logic       mx_go;
  logic       ports_ok;
  logic [1:0] ports;     // ports that the matrix engine has to own

  assign mx_go      = mx_ours_i && (decoded_i.at_once || ports_ok);
  assign ports      = mx_uses_i | {2{!tl_pkg::unless_precise(1'b0)}};
  assign ports_ok   = (matrix_ok_i | ~ports) == 2'b11;
  assign mx_valid_o = able && mx_go && (mx_load_i || mx_store_i);
  assign mx_exec_o  = able && mx_go && mx_legal_i;
  assign matrix_o   = {mx_store_i, mx_load_i} & {2{mx_valid_o}};
  assign tensor_o   = {store_valid_o, load_valid_o};

  assign go   = decoded_i.at_once || csr_able || unfit_q || tensor_able || mx_go;
  assign good = (csr_i.ours && csr_i.legal) || fit_q || (mx_ours_i && mx_legal_i);

  assign ready_o      = (able && go) || (valid_i && room_i && kill_i);
  assign trap_o       = able && go && !good;
  assign csr_exec_o   = able && csr_able && csr_i.legal;
  assign csr_change_o = csr_exec_o && csr_i.write && !csr_i.load_stride && !csr_i.store_stride;
  assign take_o       = able && tensor_able && !decoded_i.is_store;

  // The entry of the instruction in flight.
  always_comb begin
    enter_done_o      = kill_i || !good || (!is_tensor && !mx_load_i && !mx_store_i);
    cause_o           = kill_i || good ? tl_pkg::CauseNone : tl_pkg::CauseIllegal;
    flight_o.id       = entry_i.id;
    flight_o.gpr_we   = good && csr_i.ours && (entry_i.instr[11:7] != 5'd0);
    flight_o.gpr      = entry_i.instr[11:7];
    flight_o.by_load  = !enter_done_o && (decoded_i.is_load || mx_load_i);
    flight_o.by_store = !enter_done_o && (decoded_i.is_store || mx_store_i);
    flight_o.results  = results_i;
    if (kill_i || !fit_q) flight_o.results.valid = '0;
  end

  // Commands.
  always_comb begin
    load_cmd_o.tag      = tag_i;
    load_cmd_o.dst.drop = !results_i.valid[0];
    load_cmd_o.dst.phys = results_i.fresh[0];
    load_cmd_o.ewidth   = meaning_i.ewidth;
    load_cmd_o.base     = entry_i.rs;
    load_cmd_o.imm      = decoded_i.imm;
    load_cmd_o.block    = ls_i.block[0];
    load_cmd_o.all      = (!decoded_i.masked || ls_i.mask_all[0]) && !ls_i.sparse;
    load_cmd_o.none     = decoded_i.masked && ls_i.mask_none[0];
    load_cmd_o.bytes    = ls_i.bytes[0];
    load_cmd_o.pitch    = ls_i.pitch[0];
    load_cmd_o.whole    = ls_i.whole[0];
    load_cmd_o.mask     = decoded_i.masked ? ls_i.mask[0] : ls_i.all;
  end

  always_comb begin
    store_cmd_o.tag    = tag_i;
    store_cmd_o.src    = src1_i;
    store_cmd_o.ewidth = meaning_i.ewidth;
    store_cmd_o.base   = entry_i.rs;
    store_cmd_o.imm    = decoded_i.imm;
    store_cmd_o.bytes  = ls_i.bytes[1];
    store_cmd_o.block  = ls_i.block[1];
    store_cmd_o.pitch  = ls_i.pitch[1];
    store_cmd_o.whole  = ls_i.whole[1];
    store_cmd_o.mask   = decoded_i.masked ? ls_i.mask[1] : ls_i.all;
    store_cmd_o.none   = decoded_i.masked && ls_i.mask_none[1];
    store_cmd_o.dense  = (!decoded_i.masked || ls_i.mask_all[1]) && !ls_i.pitched &&
        (dims_i.size[0] <= store_dense_i);
  end

  always_comb begin
    unique case (decoded_i.op)
      tl_pkg::OpConcat: move_cmd_o.op = tl_pkg::MoveConcat;
      tl_pkg::OpMerge:  move_cmd_o.op = tl_pkg::MoveMerge;
      default:  move_cmd_o.op = tl_pkg::MoveAddi;
    endcase
    move_cmd_o.tag      = tag_i;
    move_cmd_o.dst.drop = !results_i.valid[0];
    move_cmd_o.dst.phys = results_i.fresh[0];
    move_cmd_o.src1     = src1_i;
    move_cmd_o.src2     = src2_i;
    move_cmd_o.ewidth   = meaning_i.ewidth;
    move_cmd_o.addend   = decoded_i.imm;
    move_cmd_o.block    = block_i;
    move_cmd_o.dim      = size_q;
    move_cmd_o.inner    = inner_q;
    move_cmd_o.counts   = counts_q;
    move_cmd_o.mask1    = tmask_concat_1_i;
    move_cmd_o.mask2    = tmask_concat_2_i;
  end

  always_comb begin
    xpose_cmd_o.tag       = tag_i;
    xpose_cmd_o.dst1.drop = !results_i.valid[0];
    xpose_cmd_o.dst1.phys = results_i.fresh[0];
    xpose_cmd_o.dst2.drop = !results_i.valid[1];
    xpose_cmd_o.dst2.phys = results_i.fresh[1];
    xpose_cmd_o.src1      = src1_i;
    xpose_cmd_o.src2      = src2_i;
    xpose_cmd_o.ewidth    = meaning_i.ewidth;
    xpose_cmd_o.p         = decoded_i.p;
    xpose_cmd_o.q         = decoded_i.q;
    xpose_cmd_o.log2_size = decoded_i.log2_size;
  end

endmodule
