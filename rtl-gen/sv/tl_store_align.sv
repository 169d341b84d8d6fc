// SPDX-License-Identifier: Apache-2.0

// Builds the write data of a beat: it selects the row of each lane, then rotates the lanes so that
// the first byte of the beat comes to its place in the memory word. While the matrix engine owns
// the port, its lines are rotated here instead.
module tl_store_align (
  input  logic                            clk_i,
  input  logic [1:0][tl_pkg::RowBits-1:0] rows_i,     // of the two banks
  // lanes that each bank gives; lanes that no bank gives are 0
  input  logic [1:0][tl_pkg::Lanes-1:0]   pick_i,
  input  tl_pkg::lane_t                   shift_i,    // lanes to rotate to the right
  input  tl_pkg::port_off_t               offset_i,   // of the first byte in the memory word
  input  logic [tl_pkg::PortW+1-1:0]      stop_i,     // behind the last byte in the memory word

  // Line of the matrix engine
  // the matrix engine owns the port: no beat comes
  input  logic                            mx_owns_i,
  input  logic                            mx_take_i,  // a line may come; at 0 the outputs hold
  input  logic [8*tl_pkg::PortBytes-1:0]  mx_line_i,  // not rotated
  input  tl_pkg::port_off_t               mx_turn_i,  // lanes to rotate to the left
  input  logic [tl_pkg::PortBytes-1:0]    mx_be_i,    // byte enables, already rotated

  // Memory word
  output logic [tl_pkg::PortBytes-1:0]    be_o,
  output logic [8*tl_pkg::PortBytes-1:0]  wdata_o     // bytes that be_o leaves out have any value
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned RowBits   = tl_pkg::RowBits;

  logic [RowBits-1:0]   line_q;
  tl_pkg::lane_t        turn_q;
  logic [PortBytes-1:0] be_q;
  tl_pkg::lane_t        shift;
  logic [RowBits-1:0]   rotated;

  always_ff @(posedge clk_i) begin
    if (mx_take_i) begin
      line_q <= {(tl_pkg::Lanes / PortBytes){mx_line_i}};
      turn_q <= '0 - tl_pkg::LaneW'(mx_turn_i);
      be_q   <= mx_be_i;
    end
  end

  assign shift = mx_owns_i ? turn_q : shift_i;
  assign be_o  = mx_owns_i ? be_q :
      ({PortBytes{1'b1}} << offset_i) & ~({PortBytes{1'b1}} << stop_i);

  always_comb begin
    // Lanes from the first byte on are of one row, lanes below it of the next row.
    for (int unsigned l = 0; l < tl_pkg::Lanes; l++) begin
      rotated[8*l+:8] = (rows_i[0][8*l+:8] & {8{pick_i[0][l]}}) |
          (rows_i[1][8*l+:8] & {8{pick_i[1][l]}});
    end
    if (mx_owns_i) rotated = line_q;
    for (int unsigned s = 0; s < tl_pkg::LaneW; s++) begin
      if (shift[s]) rotated = (rotated >> (8 << s)) | (rotated << (RowBits - (8 << s)));
    end
  end

  assign wdata_o = rotated[8*PortBytes-1:0];

endmodule
