// SPDX-License-Identifier: Apache-2.0
//! `tl_move_out`: the rows of results on their way to the register file.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_move_out",
        "Rows of results, a memory for each granule, so that a row may be written in two passes. A row has its place \
         before it is made: nothing behind that has to wait.",
    );
    m.clocked();
    m.group("Rows.");
    m.output("room_o", Ty::bit(), "for a row that is begun in this cycle");
    m.input("begin_i", Ty::bit(), "a row is begun");
    m.input("lane_we_i", Ty::named("lane_mask_t"), "");
    m.input("lane_row_i", Ty::bits("Gran").packed("GranLanes"), "");
    m.input("end_i", Ty::bit(), "the row is complete with this write");
    m.input("dest_i", Ty::named("row_dest_t"), "with each write");
    m.group("Register file.");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.input("rf_write_gnt_i", Ty::bit(), "");
    m.output("done_o", Ty::named("done_t"), "");
    m.text("localparam int unsigned PlaceW = 4;");
    m.signals(&["head_q", "tail_q", "begun_q", "behind"], Ty::bits("PlaceW+1"));
    m.signal("dest_q", Ty::named("row_dest_t"), "of the oldest row");
    m.signal("dest", Ty::named("row_dest_t"), "of the row behind it");
    m.signal("row", Ty::bits("RowBits"), "");
    m.signal("valid_q", Ty::bit(), "there is a complete row");
    m.signal("write_q", Ty::bits(2), "the bank that it goes to");
    m.signals(&["another", "pop"], Ty::bit());
    m.text(
        r#"
        logic [$bits(dest)-1:0] dests [1<<PlaceW];

        // The grant is late, so the request comes from flip-flops.
        assign behind  = head_q + 1'b1;
        assign another = valid_q && (behind != tail_q);
        assign dest    = another ? dests[behind[PlaceW-1:0]] : dest_i;

        always_ff @(posedge clk_i) begin
          if (end_i) dests[tail_q[PlaceW-1:0]] <= dest_i;
          if (pop || !valid_q) dest_q <= dest;
        end

        for (genvar l = 0; l < GranLanes; l++) begin : gen_lane
          logic [Gran-1:0] words [1<<PlaceW];

          always_ff @(posedge clk_i) begin
            if (lane_we_i[l]) words[tail_q[PlaceW-1:0]] <= lane_row_i[l];
          end

          assign row[l*Gran+:Gran] = words[head_q[PlaceW-1:0]];
        end

        assign pop = valid_q && (dest_q.dst.drop || rf_write_gnt_i);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q  <= '0;
            tail_q  <= '0;
            begun_q <= '0;
            valid_q <= 1'b0;
          end else begin
            valid_q <= (valid_q && !pop) || another || end_i;
            if (pop) head_q <= head_q + 1'b1;
            if (end_i) tail_q <= tail_q + 1'b1;
            if (begin_i) begun_q <= begun_q + 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (pop || !valid_q) begin
            write_q <= {2{(another || end_i) && !dest.dst.drop}} & {dest.row[0], !dest.row[0]};
          end
          // A row that is begun now does not count yet.
          room_o <= (begun_q - head_q) < (PlaceW + 1)'((1 << PlaceW) - 1);
        end

        always_comb begin
          rf_write_o.valid = write_q;
          rf_write_o.addr  = {2{bank_addr(dest_q.dst.phys, dest_q.row[RowW-1:1])}};
          rf_write_o.data  = {2{row}};
        end

        always_ff @(posedge clk_i) begin
          done_o.valid <= pop && dest_q.last;
          done_o.tag   <= dest_q.tag;
        end
        "#,
    );
    m
}
