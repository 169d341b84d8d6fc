// SPDX-License-Identifier: Apache-2.0

// Sends bytes: a start bit, eight bits, a stop bit.
module uart_tx #(
  parameter int unsigned Divider = 217  // clock cycles of a bit
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o
);

  localparam int unsigned TimeW = $clog2(Divider);

  logic [8:0]       shift_q;
  logic [3:0]       bits_q;  // still to be sent
  logic [TimeW-1:0] time_q;  // cycles until the next one

  assign ready_o = bits_q == '0;
  assign tx_o    = shift_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= '1;
      bits_q  <= '0;
      time_q  <= '0;
    end else if (ready_o) begin
      if (valid_i) begin
        shift_q <= {data_i, 1'b0};
        bits_q  <= 4'd10;
        time_q  <= TimeW'(Divider - 1);
      end
    end else if (time_q != '0) begin
      time_q <= time_q - 1'b1;
    end else begin
      shift_q <= {1'b1, shift_q[8:1]};
      bits_q  <= bits_q - 4'd1;
      time_q  <= TimeW'(Divider - 1);
    end
  end

endmodule
