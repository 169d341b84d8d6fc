// SPDX-License-Identifier: Apache-2.0

// The system on the board ULX3S: what the program prints goes to the USB serial port with 115,200 baud.
module ulx3s_top (
  input  logic       clk_25mhz,
  input  logic       btn_pwr_n,   // starts again
  output logic       ftdi_rxd,
  output logic       wifi_gpio0,  // 1 keeps the board from starting its other firmware
  output logic [7:0] led
);

  // Flip-flops are 0 after configuration.
  logic [1:0]  button_q = '0;
  logic [5:0]  start_q  = '0;
  logic        rst_n;
  logic        exit_valid;
  logic [31:0] exit_code;
  logic        print_valid;
  logic        print_ready;
  logic [7:0]  print;
  logic        fault;
  logic        stopped;

  assign wifi_gpio0 = 1'b1;
  assign rst_n      = start_q[5];

  always_ff @(posedge clk_25mhz) begin
    button_q <= {button_q[0], btn_pwr_n};
    if (!button_q[1]) start_q <= '0;
    else if (!rst_n) start_q <= start_q + 6'd1;
  end

  tl_soc #(
    .RamBytes(65536),
    .L1mBytes(65536),
    .L0mBytes(65536),
    .RamInit ("program.hex")
  ) u_soc (
    .clk_i          (clk_25mhz),
    .rst_ni         (rst_n),
    .exit_valid_o   (exit_valid),
    .exit_code_o    (exit_code),
    .print_valid_o  (print_valid),
    .print_ready_i  (print_ready),
    .print_o        (print),
    .fault_o        (fault),
    .stopped_o      (stopped),
    .retire_valid_o (),
    .retire_pc_o    (),
    .retire_instr_o (),
    .retire_rd_o    (),
    .retire_data_o  ()
  );

  uart_tx #(
    .Divider(25_000_000 / 115_200)
  ) u_uart (
    .clk_i   (clk_25mhz),
    .rst_ni  (rst_n),
    .valid_i (print_valid),
    .ready_o (print_ready),
    .data_i  (print),
    .tx_o    (ftdi_rxd)
  );

  // led[7] is off once a program has ended with a code other than 0: led[6:0] have this code, 127 also for more. Else
  // led[0]: ended with 0; led[2]: an access to nothing; led[3]: the core has given up.
  logic [6:0] code_q;
  logic [3:0] led_q;

  assign led = (code_q == '0) ? {rst_n, 3'b000, led_q} : {1'b0, code_q};

  always_ff @(posedge clk_25mhz or negedge rst_n) begin
    if (!rst_n) begin
      code_q <= '0;
      led_q  <= '0;
    end else begin
      led_q[3] <= stopped;
      if (fault) led_q[2] <= 1'b1;
      if (exit_valid) begin
        led_q[0] <= exit_code == '0;
        code_q   <= (exit_code > 32'd127) ? 7'd127 : exit_code[6:0];
      end
    end
  end

endmodule
