// SPDX-License-Identifier: Apache-2.0

// Reads the register of a matrix store once, and writes its lines to L0M, one beat per cycle: it
// selects the line of the beat, then sends the beat. In between, tl_store rotates the line, as it
// does for its own beats.
module tl_mx_store (
  input  logic                                                clk_i,
  // asynchronous assert, synchronous release
  input  logic                                                rst_ni,

  // Beats
  input  logic                                                beat_valid_i,
  // a beat is taken in this cycle, if there is one
  output logic                                                beat_ready_o,
  input  tl_pkg::mx_beat_t                                    beat_i,

  // Register
  output logic                                                read_o,
  // number of the register
  output logic [2:0]                                          read_md_o,
  // the register, from the cycle after read_o until the next read
  input  logic [tl_pkg::MxRows-1:0][8*tl_pkg::MxRowBytes-1:0] tile_i,

  // L0M
  output logic                                                l0m_req_o,
  input  logic                                                l0m_gnt_i,
  output logic [31:0]                                         l0m_addr_o,
  input  logic                                                l0m_rvalid_i,
  input  logic                                                l0m_err_i,
  // instruction of the request
  output tl_pkg::tag_t                                        l0m_tag_o,

  // Its data, which tl_store rotates and holds
  // a new word may come; at 0 tl_store holds the previous word
  output logic                                                word_take_o,
  // the line, not rotated
  output logic [8*tl_pkg::PortBytes-1:0]                      word_line_o,
  // lanes to rotate it to the left
  output tl_pkg::port_off_t                                   word_turn_o,
  // byte enables, already rotated
  output logic [tl_pkg::PortBytes-1:0]                        word_be_o,

  // Completion
  // no store is under way
  output logic                                                idle_o,
  // a store has all its responses; its cause says whether it trapped
  output tl_pkg::ls_done_t                                    done_o
);

  localparam int unsigned PortBytes  = tl_pkg::PortBytes;
  localparam int unsigned MxRows     = tl_pkg::MxRows;
  localparam int unsigned MxRowBytes = tl_pkg::MxRowBytes;
  localparam int unsigned MxMemW     = tl_pkg::MxMemW;

  // The beat whose line is selected. The register is read with the first beat of its store.
  logic             beat_valid_q;
  logic             line_free;
  logic             request_free;
  tl_pkg::mx_beat_t beat_q;

  assign beat_ready_o = !beat_valid_q || line_free;
  assign read_o       = beat_valid_i && beat_ready_o && beat_i.first;
  assign read_md_o    = beat_i.md;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_valid_q <= 1'b0;
    end else if (beat_ready_o) begin
      beat_valid_q <= beat_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_ready_o) beat_q <= beat_i;
  end

  // The line is a row, or, if the access is transposed, a column of elements. An element lies at a
  // multiple of its size, so a word of each row is selected, then a half or a byte of the word. The
  // selects are known with the beat: one-hot, from flip-flops.
  localparam int unsigned RowWords = MxRowBytes / 4;

  tl_pkg::mx_idx_t         shift;    // first byte of the column in its rows
  logic [MxRows-1:0]       row_q;    // selected row; 0 for a column
  logic [RowWords-1:0]     word_q;   // selected word for a column; 0 for a row
  logic                    whole_q;  // the element is a word
  logic [1:0]              half_q;   // selected half of a word; 0 unless elements are halves
  logic [3:0]              byte_q;   // selected byte of a word; 0 unless elements are bytes
  logic [MxRows-1:0][31:0] words;    // element of each row, or what has it; 0 of a row
  tl_pkg::mx_row_t         line;

  assign shift = beat_i.line << beat_i.d_size;

  always_ff @(posedge clk_i) begin
    if (beat_ready_o) begin
      for (int unsigned r = 0; r < MxRows; r++) begin
        row_q[r] <= !beat_i.trans && (32'(beat_i.line) == r);
      end
      for (int unsigned w = 0; w < RowWords; w++) begin
        word_q[w] <= beat_i.trans && ((32'(shift) >> 2) == w);
      end
      whole_q <= beat_i.d_size == 2'd2;
      for (int unsigned h = 0; h < 2; h++) begin
        half_q[h] <= (beat_i.d_size == 2'd1) && (shift[1] == 1'(h));
      end
      for (int unsigned b = 0; b < 4; b++) begin
        byte_q[b] <= (beat_i.d_size == 2'd0) && (shift[1:0] == 2'(b));
      end
    end
  end

  always_comb begin
    line  = '0;
    words = '0;
    for (int unsigned r = 0; r < MxRows; r++) begin
      line = line | (tile_i[r] & {(8 * MxRowBytes){row_q[r]}});
      for (int unsigned w = 0; w < RowWords; w++) begin
        words[r] = words[r] | (tile_i[r][32*w+:32] & {32{word_q[w]}});
      end
      line[32*r+:32] = line[32*r+:32] | (words[r] & {32{whole_q}});
      for (int unsigned h = 0; h < 2; h++) begin
        line[16*r+:16] = line[16*r+:16] | (words[r][16*h+:16] & {16{half_q[h]}});
      end
      for (int unsigned b = 0; b < 4; b++) begin
        line[8*r+:8] = line[8*r+:8] | (words[r][8*b+:8] & {8{byte_q[b]}});
      end
    end
  end

  // The part of the line that is kept. Byte i of the line goes to lane (i + offset - pos) mod
  // PortBytes, so bytes with the same lane are merged into one. The byte enables are rotated before
  // they wait: the grant of the memory, which selects what is sent next, arrives late.
  localparam int unsigned KeptBytes = MxRowBytes < PortBytes ? MxRowBytes : PortBytes;

  tl_pkg::mx_mask_t       window_q;    // bytes of the line that are in the beat
  logic [8*KeptBytes-1:0] folded;
  logic [PortBytes-1:0]   enabled;
  logic [PortBytes-1:0]   be;
  logic                   line_valid;
  logic                   line_taken;
  logic [8*KeptBytes-1:0] out_line;    // the line whose beat is sent next
  tl_pkg::tag_t           out_tag;
  logic [MxMemW-1:0]      out_addr;
  logic                   out_last;

  always_ff @(posedge clk_i) begin
    if (beat_ready_o) window_q <= tl_pkg::mx_window(beat_i.pos, beat_i.stop);
  end

  always_comb begin
    folded  = '0;
    enabled = '0;
    for (int unsigned i = 0; i < MxRowBytes; i++) begin
      if (window_q[i]) enabled[i%PortBytes] = 1'b1;
      // Of all bytes with the same lane, at most one is in the beat.
      if (MxRowBytes <= PortBytes || window_q[i]) begin
        folded[8*(i%PortBytes)+:8] = line[8*i+:8];
      end
    end
  end

  assign be = PortBytes'(({enabled, enabled} << beat_q.turn) >> PortBytes);

  tl_fifo #(
    .Width ($bits({folded, be, beat_q.turn, beat_q.tag, beat_q.addr, beat_q.last})),
    .Depth (2)
  ) u_line (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (beat_valid_q),
    .ready_o (line_free),
    .data_i  ({folded, be, beat_q.turn, beat_q.tag, beat_q.addr, beat_q.last}),
    .valid_o (line_valid),
    .ready_i (line_taken),
    .data_o  ({out_line, word_be_o, word_turn_o, out_tag, out_addr, out_last})
  );

  assign line_taken  = request_free;
  assign word_take_o = request_free;
  assign word_line_o = (8 * PortBytes)'(out_line);

  // The request, and the requests that wait for their response.

  logic              request_q;
  logic              room;
  logic              sent;
  logic              last_q;
  logic [MxMemW-1:0] addr_q;          // address of its first byte
  logic              waiting_valid;
  logic              waiting_last;
  tl_pkg::tag_t      waiting_tag;
  logic [MxMemW-1:0] waiting_addr;
  logic              unused_waiting;

  assign request_free = !request_q || sent;
  assign l0m_req_o    = request_q && room;
  assign l0m_addr_o   = 32'({addr_q[MxMemW-1:tl_pkg::PortW], tl_pkg::PortW'(0)});
  assign sent         = l0m_req_o && l0m_gnt_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= 1'b0;
    end else if (request_free) begin
      request_q <= line_valid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_free) begin
      l0m_tag_o <= out_tag;
      addr_q    <= out_addr;
      last_q    <= out_last;
    end
  end

  tl_fifo #(
    .Width ($bits({l0m_tag_o, addr_q, last_q})),
    .Depth (4)
  ) u_waiting (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (sent),
    .ready_o (room),
    .data_i  ({l0m_tag_o, addr_q, last_q}),
    .valid_o (waiting_valid),
    .ready_i (l0m_rvalid_i),
    .data_o  ({waiting_tag, waiting_addr, waiting_last})
  );

  // Responses. The first error gives the address of the trap. A store is complete in the cycle
  // after its last response.
  logic              failed_q;       // a response of this store had an error
  logic [MxMemW-1:0] tval_q;         // first byte of its beat
  logic              accept;
  // beats under way: one at the input, two lines, one request, and those that wait for their
  // response
  logic [3:0]        beats_q;
  logic              done_valid_q;
  tl_pkg::tag_t      done_tag_q;
  logic              done_failed_q;
  logic [MxMemW-1:0] done_tval_q;

  // A response comes only when one is due.
  assign unused_waiting = ^{waiting_valid, beat_q};

  // Registered because much logic follows.
  assign accept = beat_valid_i && beat_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beats_q <= '0;
      idle_o  <= 1'b1;
    end else begin
      beats_q <= beats_q + 4'(accept) - 4'(l0m_rvalid_i);
      idle_o  <= !accept && (idle_o || (l0m_rvalid_i && (beats_q == 4'd1)));
    end
  end

  always_comb begin
    done_o.valid = done_valid_q;
    done_o.tag   = done_tag_q;
    done_o.cause = done_failed_q ? tl_pkg::CauseStoreFault : tl_pkg::CauseNone;
    done_o.tval  = tl_pkg::Xlen'(done_tval_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      failed_q     <= 1'b0;
      done_valid_q <= 1'b0;
    end else begin
      done_valid_q <= l0m_rvalid_i && waiting_last;
      if (l0m_rvalid_i) failed_q <= (failed_q || l0m_err_i) && !waiting_last;
    end
  end

  always_ff @(posedge clk_i) begin
    done_tag_q    <= waiting_tag;
    done_failed_q <= failed_q || l0m_err_i;
    done_tval_q   <= failed_q ? tval_q : waiting_addr;
    if (!failed_q) tval_q <= waiting_addr;
  end

endmodule
