// SPDX-License-Identifier: Apache-2.0

// Matrix engine: loads and stores of the matrix registers, one beat per cycle. A memory line is a
// row or a column of the tile; it takes one beat for each memory word that it touches. Accesses
// start in program order. Loads complete in order among themselves, and so do stores.
module tl_matrix (
  input  logic                           clk_i,
  input  logic                           rst_ni,        // asynchronous assert, synchronous release

  // Commands
  input  logic                           cmd_valid_i,
  input  tl_pkg::mx_cmd_t                cmd_i,         // loads and stores of tiles

  // L1M
  output logic                           l1m_req_o,
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i,

  // L0M
  output logic                           l0m_req_o,
  input  logic                           l0m_gnt_i,
  output logic [31:0]                    l0m_addr_o,
  input  logic                           l0m_rvalid_i,
  input  logic                           l0m_err_i,
  output tl_pkg::tag_t                   l0m_tag_o,     // instruction of the request

  // The write data go through tl_store, which rotates and holds them
  // a new word may come; at 0 tl_store holds the previous word
  output logic                           word_take_o,
  output logic [8*tl_pkg::PortBytes-1:0] word_line_o,   // the line, not rotated
  output tl_pkg::port_off_t              word_turn_o,   // lanes to rotate the line to the left
  output logic [tl_pkg::PortBytes-1:0]   word_be_o,     // byte enables, already rotated

  // Precise traps
  // accesses that have not begun have no effect
  input  logic                           give_up_i,

  // Completion
  output tl_pkg::ls_done_t               load_done_o,
  output tl_pkg::ls_done_t               store_done_o,
  // a store without a trap; earlier in the cycle than store_done_o
  output tl_pkg::done_t                  store_ok_o,

  // For the trace
  // the load that completes writes its register
  output logic                           write_o,
  output logic [2:0]                     write_md_o     // number of that register
);

  localparam int unsigned MxRows     = tl_pkg::MxRows;
  localparam int unsigned MxRowBytes = tl_pkg::MxRowBytes;

  // Beats.
  // the request of a load waits for its grant: it must not be withdrawn
  logic             shown_q;
  logic             give_up_q;
  logic             load_valid;
  logic             load_ready;
  logic             store_valid;
  logic             store_ready;
  logic             beat_valid;
  logic             beat_store;
  logic             beat_taken;
  logic             trap_store;
  logic             trap_ready;
  tl_pkg::mx_beat_t beat;
  tl_pkg::ls_done_t trap;

  tl_mx_lines u_lines (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .cmd_valid_i  (cmd_valid_i),
    .cmd_i        (cmd_i),
    .beat_valid_o (beat_valid),
    .beat_store_o (beat_store),
    .beat_taken_i (beat_taken),
    .beat_o       (beat),
    .give_up_i    (give_up_i && (!load_valid || load_ready)),
    .trap_o       (trap),
    .trap_store_o (trap_store),
    .trap_ready_i (trap_ready)
  );

  // A store reads its register when all loads before it are complete. If traps are precise: the
  // last word of a load is requested when all stores before it are complete; no access starts after
  // one that trapped; and a load that started before an older trap was known writes nothing.
  logic             load_idle;
  logic             store_idle;
  logic             load_ok;
  logic             store_first_ok;
  logic             stopped_q;       // an access has trapped
  // an access trapped after it had started: accesses that started after it have no effect
  logic             void_q;
  logic             fails;
  logic             trap_reported;
  logic             write;
  tl_pkg::ls_done_t load_done;
  tl_pkg::ls_done_t store_done;

  assign load_ok        = tl_pkg::unless_precise(shown_q ||
      ((!beat.first || !stopped_q) && (!beat.last || store_idle)));
  assign store_first_ok = load_idle && tl_pkg::unless_precise(!stopped_q);

  assign load_valid  = beat_valid && !beat_store && load_ok;
  assign store_valid = beat_valid && beat_store && (store_first_ok || !beat.first);
  assign beat_taken  = (load_valid && load_ready) || (store_valid && store_ready);

  assign trap_reported = (load_done.valid && (load_done.cause != tl_pkg::CauseNone)) ||
      (store_done.valid && (store_done.cause != tl_pkg::CauseNone));
  assign fails   = (load_done_o.valid && (load_done_o.cause != tl_pkg::CauseNone)) ||
      (store_done_o.valid && (store_done_o.cause != tl_pkg::CauseNone));
  assign write_o = write && tl_pkg::unless_precise(!void_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stopped_q <= 1'b0;
      void_q    <= 1'b0;
    end else begin
      if (give_up_q && !give_up_i) begin
        stopped_q <= 1'b0;
        void_q    <= 1'b0;
      end else begin
        if (fails) stopped_q <= 1'b1;
        if (trap_reported) void_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    shown_q   <= load_valid && !load_ready;
    give_up_q <= give_up_i;
  end

  logic [MxRows-1:0][MxRowBytes-1:0]   write_be;
  logic [MxRows-1:0][8*MxRowBytes-1:0] write_data;
  logic [MxRows-1:0][8*MxRowBytes-1:0] tile;
  logic                                read;
  logic [2:0]                          read_md;

  tl_mx_load u_load (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .beat_valid_i (load_valid),
    .beat_ready_o (load_ready),
    .beat_i       (beat),
    .l1m_req_o    (l1m_req_o),
    .l1m_gnt_i    (l1m_gnt_i),
    .l1m_addr_o   (l1m_addr_o),
    .l1m_rvalid_i (l1m_rvalid_i),
    .l1m_rdata_i  (l1m_rdata_i),
    .l1m_err_i    (l1m_err_i),
    .write_o      (write),
    .write_md_o   (write_md_o),
    .write_be_o   (write_be),
    .write_data_o (write_data),
    .idle_o       (load_idle),
    .done_o       (load_done)
  );

  tl_mx_store u_store (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .beat_valid_i (store_valid),
    .beat_ready_o (store_ready),
    .beat_i       (beat),
    .read_o       (read),
    .read_md_o    (read_md),
    .tile_i       (tile),
    .l0m_req_o    (l0m_req_o),
    .l0m_gnt_i    (l0m_gnt_i),
    .l0m_addr_o   (l0m_addr_o),
    .l0m_rvalid_i (l0m_rvalid_i),
    .l0m_err_i    (l0m_err_i),
    .l0m_tag_o    (l0m_tag_o),
    .word_take_o  (word_take_o),
    .word_line_o  (word_line_o),
    .word_turn_o  (word_turn_o),
    .word_be_o    (word_be_o),
    .idle_o       (store_idle),
    .done_o       (store_done)
  );

  tl_mx_regs u_regs (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .write_i      (write_o),
    .write_md_i   (write_md_o),
    .write_be_i   (write_be),
    .write_data_i (write_data),
    .read_i       (read),
    .read_md_i    (read_md),
    .data_o       (tile)
  );

  // An access that traps in its check completes in a cycle in which the engine completes no other
  // of its kind.
  assign trap_ready = trap_store ? !store_done.valid : !load_done.valid;
  assign store_ok_o = {store_done.valid && (store_done.cause == tl_pkg::CauseNone), store_done.tag};

  always_comb begin
    load_done_o  = load_done;
    store_done_o = store_done;
    if (!load_done.valid && !trap_store) load_done_o = trap;
    if (!store_done.valid && trap_store) store_done_o = trap;
  end

endmodule
