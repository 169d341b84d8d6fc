// SPDX-License-Identifier: Apache-2.0
//! `tl_store_align`: write data of a beat.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_store_align",
        "Builds the write data of a beat in two steps: picks the row of every lane; rotates the lanes so that the \
         first byte of the beat comes to its place in the memory word. The data are at the output in the cycle after \
         the rows. While the port is the matrix engine's, its lines are rotated here.",
    );
    m.input("clk_i", Ty::bit(), "");
    m.input("take_i", Ty::bit(), "a beat may come; else the data stay");
    m.input("rows_i", Ty::bits("RowBits").packed(2), "of the two banks");
    m.input("pick_i", Ty::bits("Lanes").packed(2), "lanes of each bank; those of none are zero");
    m.input("shift_i", Ty::named("lane_t"), "lanes to rotate to the right");
    m.input("offset_i", Ty::named("port_off_t"), "of the first byte in the memory word");
    m.input("stop_i", Ty::bits("PortW+1"), "behind the last byte in the memory word");
    m.group("Line of the matrix engine");
    m.input("mx_owns_i", Ty::bit(), "the port is its own: no beat comes");
    m.input("mx_take_i", Ty::bit(), "a line may come; else the data stay");
    m.input("mx_line_i", Ty::bits("8*PortBytes"), "");
    m.input("mx_turn_i", Ty::named("port_off_t"), "lanes to rotate to the left");
    m.input("mx_be_i", Ty::bits("PortBytes"), "rotated already");
    m.group("Memory word");
    m.output("be_o", Ty::bits("PortBytes"), "");
    m.output("wdata_o", Ty::bits("8*PortBytes"), "");
    m.signal("picked_q", Ty::bits("RowBits"), "from the first byte on of one row, below of the next one");
    m.signal("shift_q", Ty::named("lane_t"), "");
    m.signal("rotated", Ty::bits("RowBits"), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          if (mx_owns_i) begin
            if (mx_take_i) begin
              picked_q <= {(Lanes / PortBytes){mx_line_i}};
              shift_q  <= '0 - LaneW'(mx_turn_i);
              be_o     <= mx_be_i;
            end
          end else if (take_i) begin
            for (int unsigned l = 0; l < Lanes; l++) begin
              picked_q[8*l+:8] <= (rows_i[0][8*l+:8] & {8{pick_i[0][l]}}) |
                  (rows_i[1][8*l+:8] & {8{pick_i[1][l]}});
            end
            shift_q <= shift_i;
            be_o    <= ({PortBytes{1'b1}} << offset_i) & ~({PortBytes{1'b1}} << stop_i);
          end
        end

        always_comb begin
          rotated = picked_q;
          for (int unsigned s = 0; s < LaneW; s++) begin
            if (shift_q[s]) rotated = (rotated >> (8 << s)) | (rotated << (RowBits - (8 << s)));
          end
        end

        assign wdata_o = rotated[8*PortBytes-1:0];
        "#,
    );
    m
}
