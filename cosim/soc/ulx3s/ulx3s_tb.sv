// SPDX-License-Identifier: Apache-2.0

// The board: writes what comes out of the serial port, until the program has ended.
module ulx3s_tb;
  timeunit 1ns; timeprecision 1ns;

  localparam int unsigned Bit = 8680;  // ns

  logic       clk = 1'b0;
  logic       tx;
  logic       gpio0;
  logic [7:0] led;
  logic [7:0] data;

  always #20 clk = !clk;

  ulx3s_top u_top (
    .clk_25mhz  (clk),
    .btn_pwr_n  (1'b1),
    .ftdi_rxd   (tx),
    .wifi_gpio0 (gpio0),
    .led        (led)
  );

  // In the middle of each bit.
  always begin
    @(negedge tx) #(Bit / 2);
    for (int i = 0; i < 8; i++) #(Bit) data[i] = tx;
    #(Bit) if (!tx) $display("no stop bit");
    $write("%c", data);
  end

  initial begin
    fork
      begin
        wait (led != 8'h00 && led != 8'h80);
        #(12 * Bit);
      end
      begin
        repeat (25_000_000) @(posedge clk);
        $display("no end");
      end
    join_any
    $display("led %b, gpio0 %b", led, gpio0);
    $finish;
  end
endmodule
