// SPDX-License-Identifier: Apache-2.0
// What a memory compiler gives, as a behavioural model: a read port and a write port on one clock, enables that are active
// low, a write mask for each bit, and a second set of inputs for a self-test, behind a multiplexer. A read of the word that
// is written gives the complement of the word, so that nothing can count on either value.
module sram_1r1w #(
  parameter int unsigned Words = 16,
  parameter int unsigned Bits  = 32
) (
  input  logic                     CLK,
  input  logic                     WCEN,   // write, active low
  input  logic [Bits-1:0]          WEN,    // bits to be written, active low
  input  logic [$clog2(Words)-1:0] WA,
  input  logic [Bits-1:0]          D,
  input  logic                     RCEN,   // read, active low
  input  logic [$clog2(Words)-1:0] RA,
  output logic [Bits-1:0]          Q,

  // Self-test: in place of the above while BISTE is 1
  input  logic                     BISTE,
  input  logic                     TWCEN,
  input  logic [Bits-1:0]          TWEN,
  input  logic [$clog2(Words)-1:0] TWA,
  input  logic [Bits-1:0]          TD,
  input  logic                     TRCEN,
  input  logic [$clog2(Words)-1:0] TRA
);

  logic                     write, read;
  logic [Bits-1:0]          mask, data;
  logic [$clog2(Words)-1:0] waddr, raddr;
  logic [Bits-1:0]          words [Words];

  assign {write, read} = BISTE ? {!TWCEN, !TRCEN} : {!WCEN, !RCEN};
  assign mask          = BISTE ? ~TWEN : ~WEN;
  assign data          = BISTE ? TD : D;
  assign waddr         = BISTE ? TWA : WA;
  assign raddr         = BISTE ? TRA : RA;

  always_ff @(posedge CLK) begin
    if (write) words[waddr] <= (words[waddr] & ~mask) | (data & mask);
    if (read) Q <= write && (raddr == waddr) ? ~words[raddr] : words[raddr];
  end

endmodule
