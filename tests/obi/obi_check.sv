// SPDX-License-Identifier: Apache-2.0

// What OBI 1.6 asks of a manager, and what docs/integration.md promises beyond: for simulation.
module obi_check #(
  parameter int unsigned Bytes       = 4,
  parameter int unsigned Size        = 4096,  // bytes of the memory
  parameter int unsigned Outstanding = 16     // requests without a response at most
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               req_i,
  input logic               gnt_i,
  input logic [31:0]        addr_i,
  input logic               we_i,
  input logic [Bytes-1:0]   be_i,
  input logic [8*Bytes-1:0] wdata_i,
  input logic               rvalid_i
);

  logic               waits_q;  // a request was not granted
  logic [31:0]        addr_q;
  logic               we_q;
  logic [Bytes-1:0]   be_q;
  logic [8*Bytes-1:0] wdata_q;
  int unsigned        count_q;  // granted requests without a response
  logic [Bytes-1:0]   low;      // the lowest byte that is enabled

  assign low = be_i & -be_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      count_q <= 0;
    end else begin
      waits_q <= req_i && !gnt_i;
      addr_q  <= addr_i;
      we_q    <= we_i;
      be_q    <= be_i;
      wdata_q <= wdata_i;
      count_q <= count_q + 32'(req_i && gnt_i) - 32'(rvalid_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_low_in_reset : assert (!req_i);
    end else begin
      if (waits_q) begin
        req_held    : assert (req_i);
        addr_stable : assert (addr_i == addr_q && we_i == we_q && be_i == be_q);
        data_stable : assert (!we_i || wdata_i == wdata_q);
      end
      if (req_i) begin
        addr_aligned   : assert (addr_i % Bytes == 0 && addr_i < Size);
        be_one_run     : assert (be_i != '0 && ((be_i + low) & be_i) == '0);
        not_many       : assert (count_q < Outstanding);
      end
      // The memory's side: a response belongs to a request of an earlier cycle.
      if (rvalid_i) response_asked : assert (count_q != 0);
    end
  end

endmodule
