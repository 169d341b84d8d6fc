// SPDX-License-Identifier: Apache-2.0

// On the way from a port (OBI) of a core to soc_bus, whose answer is there in the cycle after the grant. When it is on, grants
// and answers come late at random, by a state that is any at the start, and so depends on the seed.
module soc_stall (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        on_i,
  input  logic        req_i,
  output logic        gnt_o,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        bus_req_o,
  input  logic        bus_gnt_i,
  input  logic [31:0] bus_rdata_i
);

  logic [31:0] draw_q;
  logic [31:0] draw1;
  logic [31:0] draw2;
  logic [1:0]  manner_q;  // 0 hurries, 3 waits
  logic        late;
  logic        pending_q;
  logic        fresh_q;   // the answer of the bus is there
  logic [31:0] rdata_q;

  assign draw1 = draw_q ^ (draw_q << 13);
  assign draw2 = draw1 ^ (draw1 >> 17);
  assign late  = on_i && ((draw_q[1:0] & manner_q) != '0);

  always_ff @(posedge clk_i) begin
    draw_q  <= (draw_q == '0) ? 32'd1 : draw2 ^ (draw2 << 5);
    fresh_q <= gnt_o;
    if (draw_q[7:2] == '0) manner_q <= draw_q[9:8];
    if (fresh_q) rdata_q <= bus_rdata_i;
  end

  assign bus_req_o = req_i && (!pending_q || rvalid_o) && !late;
  assign gnt_o     = bus_req_o && bus_gnt_i;
  assign rvalid_o  = pending_q && !late;
  assign rdata_o   = fresh_q ? bus_rdata_i : rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= 1'b0;
    else pending_q <= gnt_o || (pending_q && !rvalid_o);
  end

endmodule
