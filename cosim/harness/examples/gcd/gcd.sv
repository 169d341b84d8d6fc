// SPDX-License-Identifier: Apache-2.0
// Greatest common divisor of two numbers by Stein's algorithm: at most 2 * Width + 1 cycles from operands to result.
// The divisor of 0 and x is x.
module gcd #(
  parameter int unsigned Width = 16
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Operands; taken when both are 1.
  input  logic             operands_valid_i,
  output logic             operands_ready_o,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,

  // Result; it stays until it is taken.
  output logic             result_valid_o,
  input  logic             result_ready_i,
  output logic [Width-1:0] result_o
);

  typedef enum logic [1:0] {
    Idle,
    Busy,
    Done
  } state_e;

  state_e                   state_q;
  logic [Width-1:0]         a_q, b_q;
  // Factors of two that both operands have.
  logic [$clog2(Width)-1:0] shift_q;

  assign operands_ready_o = state_q == Idle;
  assign result_valid_o   = state_q == Done;
  assign result_o         = a_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      unique case (state_q)
        Idle: begin
          a_q     <= a_i;
          b_q     <= b_i;
          shift_q <= '0;
          if (operands_valid_i) state_q <= Busy;
        end
        Busy: begin
          if (a_q == '0 || b_q == '0) begin
            a_q     <= (a_q | b_q) << shift_q;
            state_q <= Done;
          end else if (!a_q[0] && !b_q[0]) begin
            a_q     <= a_q >> 1;
            b_q     <= b_q >> 1;
            shift_q <= shift_q + 1'b1;
          end else if (!a_q[0]) begin
            a_q <= a_q >> 1;
          end else if (!b_q[0]) begin
            b_q <= b_q >> 1;
          end else if (a_q >= b_q) begin
            a_q <= (a_q - b_q) >> 1;
          end else begin
            b_q <= (b_q - a_q) >> 1;
          end
        end
        Done:    if (result_ready_i) state_q <= Idle;
        default: state_q <= Idle;
      endcase
    end
  end

endmodule
