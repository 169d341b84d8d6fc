// SPDX-License-Identifier: Apache-2.0

// Requests the words of a matrix load and collects them. The register is written in one cycle, when
// all words are there and none had an error, so a load that traps changes nothing. The words of the
// next load are collected meanwhile.
module tl_mx_load (
  input  logic                                                clk_i,
  // asynchronous assert, synchronous release
  input  logic                                                rst_ni,

  // Beats
  input  logic                                                beat_valid_i,
  // a beat is taken in this cycle, if there is one
  output logic                                                beat_ready_o,
  input  tl_pkg::mx_beat_t                                    beat_i,

  // L1M
  output logic                                                l1m_req_o,
  input  logic                                                l1m_gnt_i,
  output logic [31:0]                                         l1m_addr_o,
  input  logic                                                l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0]                      l1m_rdata_i,
  input  logic                                                l1m_err_i, // the word has an error

  // Register
  output logic                                                write_o,
  output logic [2:0]                                          write_md_o, // number of the register
  // bytes to be written, of each row
  output logic [tl_pkg::MxRows-1:0][tl_pkg::MxRowBytes-1:0]   write_be_o,
  // 0 until the first load writes
  output logic [tl_pkg::MxRows-1:0][8*tl_pkg::MxRowBytes-1:0] write_data_o,

  // Completion
  // no load is under way
  output logic                                                idle_o,
  // a load has written its register, or trapped
  output tl_pkg::ls_done_t                                    done_o
);

  localparam int unsigned PortBytes  = tl_pkg::PortBytes;
  localparam int unsigned MxRows     = tl_pkg::MxRows;
  localparam int unsigned MxAccBytes = tl_pkg::MxAccBytes;
  localparam int unsigned MxRowBytes = tl_pkg::MxRowBytes;

  // Requests. Each is noted until its word arrives. The oldest note is in flip-flops, because its
  // word is rotated in the cycle in which it arrives.
  localparam int unsigned NoteW = $bits(beat_i);

  logic             note_room;
  logic             note_valid_q;
  logic             note_free;
  logic             behind_valid;
  logic             requested;
  logic [NoteW-1:0] behind_bits;   // the note behind note_q
  tl_pkg::mx_beat_t note_q;        // the beat whose word is due next

  tl_fifo #(
    .Width (NoteW),
    .Depth (4)
  ) u_notes (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (requested && (behind_valid || !note_free)),
    .ready_o (note_room),
    .data_i  (beat_i),
    .valid_o (behind_valid),
    .ready_i (note_free),
    .data_o  (behind_bits)
  );

  logic unused_first;

  assign note_free    = !note_valid_q || l1m_rvalid_i;
  assign l1m_req_o    = beat_valid_i && note_room;
  assign l1m_addr_o   = 32'({beat_i.addr[tl_pkg::MxMemW-1:tl_pkg::PortW], tl_pkg::PortW'(0)});
  assign beat_ready_o = note_room && l1m_gnt_i;
  assign requested    = beat_valid_i && beat_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      note_valid_q <= 1'b0;
    end else begin
      note_valid_q <= !note_free || behind_valid || requested;
    end
  end

  always_ff @(posedge clk_i) begin
    if (note_free) note_q <= behind_valid ? behind_bits : beat_i;
  end

  // Byte i of the line comes from lane (i + offset - pos) mod PortBytes of the word. A line is a
  // row, or, if the access is transposed, a column of elements. For a column, row r gets element r,
  // repeated over the row. So a byte of the register has only two sources, for any element size.
  localparam int unsigned SpreadBytes = PortBytes > MxAccBytes ? PortBytes : MxAccBytes;

  logic [8*PortBytes-1:0]   turned;        // byte i of the line is in lane i mod PortBytes
  logic [8*SpreadBytes-1:0] spread;        // for a column: four bytes for each row
  tl_pkg::mx_mask_t         window;        // bytes of the line that are in the word
  logic [MxRows-1:0]        row_in;        // rows that get bytes
  tl_pkg::mx_mask_t         byte_in;       // bytes of these rows that get a new value
  logic                     word_valid_q;
  logic                     word_err_q;
  logic [8*SpreadBytes-1:0] spread_q;
  logic [MxRows-1:0]        row_in_q;      // 0: there is no word
  tl_pkg::mx_mask_t         byte_in_q;
  tl_pkg::mx_beat_t         word_beat_q;   // the beat of the word

  assign turned = (8 * PortBytes)'({l1m_rdata_i, l1m_rdata_i} >> {note_q.turn, 3'b000});
  assign window = tl_pkg::mx_window(note_q.pos, note_q.stop);

  always_comb begin
    for (int unsigned i = 0; i < SpreadBytes; i++) begin
      spread[8*i+:8] = turned[8*(i%PortBytes)+:8];
      if (note_q.trans && note_q.d_size == 2'd0) spread[8*i+:8] = turned[8*(i/4%PortBytes)+:8];
      if (note_q.trans && note_q.d_size == 2'd1) begin
        spread[8*i+:8] = turned[8*((2*(i/4)+i%2)%PortBytes)+:8];
      end
    end
    for (int unsigned r = 0; r < MxRows; r++) begin
      row_in[r] = note_q.trans ? window[tl_pkg::MxByteW'(r<<note_q.d_size)] : 32'(note_q.line) == r;
    end
    for (int unsigned c = 0; c < MxRowBytes; c++) begin
      byte_in[c] = note_q.trans ? 32'(note_q.line) == c >> note_q.d_size : window[c];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_valid_q <= 1'b0;
      row_in_q     <= '0;
    end else begin
      word_valid_q <= l1m_rvalid_i;
      row_in_q     <= row_in & {MxRows{l1m_rvalid_i}};
    end
  end

  always_ff @(posedge clk_i) begin
    spread_q    <= spread;
    byte_in_q   <= byte_in;
    word_err_q  <= l1m_err_i;
    word_beat_q <= note_q;
  end

  assign unused_first = ^word_beat_q;

  // The register that is collected. It is 0 after reset, because the sweep over the registers
  // writes it.
  logic [MxRows-1:0][MxRowBytes-1:0]   staged_q;
  logic [MxRows-1:0][MxRowBytes-1:0]   bytes_in;
  logic [MxRows-1:0][8*MxRowBytes-1:0] data_q;

  always_comb begin
    for (int unsigned r = 0; r < MxRows; r++) begin
      bytes_in[r] = byte_in_q & {MxRowBytes{row_in_q[r]}};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      data_q <= '0;
    end else begin
      for (int unsigned r = 0; r < MxRows; r++) begin
        for (int unsigned c = 0; c < MxRowBytes; c++) begin
          if (bytes_in[r][c]) begin
            data_q[r][8*c+:8] <= word_beat_q.trans ? spread_q[8*(4*r+c%4)+:8]
                                                   : spread_q[8*(c%PortBytes)+:8];
          end
        end
      end
    end
  end

  // Completion, in the cycle after the last word is collected. The first error gives the address of
  // the trap.
  logic              over;
  logic              over_q;
  logic              failed_q;
  logic [tl_pkg::MxMemW-1:0] tval_q;    // first byte of the first beat with an error
  tl_pkg::tag_t      tag_q;

  assign over         = word_valid_q && word_beat_q.last;
  assign write_o      = over_q && !failed_q;
  assign write_be_o   = staged_q;
  assign write_data_o = data_q;

  always_comb begin
    done_o.valid = over_q;
    done_o.tag   = tag_q;
    done_o.cause = failed_q ? tl_pkg::CauseLoadFault : tl_pkg::CauseNone;
    done_o.tval  = tl_pkg::Xlen'(tval_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      over_q   <= 1'b0;
      failed_q <= 1'b0;
      staged_q <= '0;
      idle_o   <= 1'b1;
    end else begin
      over_q   <= over;
      // Registered because much logic follows.
      idle_o   <= note_free && !behind_valid && !requested && !l1m_rvalid_i && !over;
      failed_q <= (failed_q && !over_q) || (word_valid_q && word_err_q);
      staged_q <= (over_q ? '0 : staged_q) | bytes_in;
    end
  end

  always_ff @(posedge clk_i) begin
    // These are used only in the cycle after the last word.
    tag_q      <= word_beat_q.tag;
    write_md_o <= word_beat_q.md;
    if (!failed_q || over_q) tval_q <= word_beat_q.addr;
  end

endmodule
