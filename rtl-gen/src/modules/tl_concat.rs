// SPDX-License-Identifier: Apache-2.0
//! `tl_concat`: the rows of a concatenation.

use super::tl_route::settings;
use crate::sv::{Module, Ty};

/// The module, from those that it instantiates; the same text for every configuration.
pub fn module(route: &Module, butterfly: &Module, fifo: &Module) -> Module {
    let mut m = Module::new(
        "tl_concat",
        "Makes the rows of concat results. A compaction per cycle takes the selected granules of one operand row and \
         appends them to the stream of that operand. A pass per cycle takes the granules that one operand has in a \
         result row from its stream and spreads them to their lanes.\n\
         A stream is a ring of four rows, a memory for each lane; granule n of the stream is in lane n modulo \
         GranLanes. Streams run on from one operation to the next, so neither side waits for the other at the seam.",
    );
    m.clocked();
    m.group("The oldest row of each operand.");
    m.input("head_valid_i", Ty::bits(2), "");
    m.output("head_take_o", Ty::bits(2), "");
    m.input("head_mask_i", Ty::named("lane_mask_t").packed(2), "selected granules");
    m.output("head_wanted_o", Ty::bits(2), "operands whose rows passes wait for");
    m.input("head_row_i", Ty::bits("RowBits").packed(2), "");
    m.group("Passes of tl_concat_plan.");
    m.input("pass_valid_i", Ty::bit(), "");
    m.output("pass_ready_o", Ty::bit(), "");
    m.input("pass_mask_i", Ty::named("lane_mask_t"), "");
    m.input("pass_src_i", Ty::bit(), "");
    m.input("pass_begin_i", Ty::bit(), "");
    m.input("pass_end_i", Ty::bit(), "");
    m.input("pass_dest_i", Ty::named("row_dest_t"), "");
    m.group("Rows of results.");
    m.output("row_valid_o", Ty::bit(), "");
    m.input("row_ready_i", Ty::bit(), "");
    m.output("row_dest_o", Ty::named("row_dest_t"), "");
    m.output("row_o", Ty::bits("RowBits"), "");
    m.output("busy_o", Ty::bit(), "passes or a row are left");
    m.text(
        r#"
        localparam int unsigned RingW = GranLaneW + 2;  // bits of a granule number in a ring
        localparam int unsigned FillW = RingW + 1;      // bits of a number of granules in a ring

        typedef struct packed {
          logic [GranLaneW-1:0][GranLanes/2-1:0] route;
          logic [RingW-1:0] first;    // granule of the ring
          lane_cnt_t        count;
          lane_mask_t       mask;
          logic             src;
          logic             begins;
          logic             ends;
          row_dest_t        dest;
        } pass_t;

        pass_t pass_in;
        pass_t pass;
        "#,
    );
    m.signal("ahead_q", Ty::bits("FillW").packed(2), "granules in a stream or on their way into it");
    m.signal("filled_q", Ty::bits("FillW").packed(2), "granules in a stream");
    m.signal("asked_q", Ty::bits("FillW+1").packed(2), "granules that passes wait for");
    m.signals(&["tail_q", "head_q"], Ty::bits("RingW").packed(2));

    m.section(
        "Compaction, first step. Of two rows goes that of the stream that the oldest pass lacks, else of the only one \
         that passes wait for; else they take turns. A stream with room for a row never blocks the other one.",
    );
    m.signal("can", Ty::bits(2), "");
    m.signal("behind", Ty::bits(2), "passes wait for more granules than are ahead");
    m.signal("lacking", Ty::bit(), "so does the oldest one");
    m.signal("wanted", Ty::bits(2), "streams to serve first");
    m.signal("s", Ty::bit(), "the stream that is served");
    m.signal("last_s_q", Ty::bit(), "the one before");
    m.signal("c_valid", Ty::bit(), "");
    m.signal("c_route", settings(), "");
    m.signal("c_count", Ty::named("lane_cnt_t"), "");
    m.signal("pass_valid", Ty::bit(), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < 2; i++) begin
            can[i]    = head_valid_i[i] && (ahead_q[i] <= FillW'(3 * GranLanes));
            behind[i] = {1'b0, ahead_q[i]} < asked_q[i];
          end
        end

        assign lacking = pass_valid && (ahead_q[pass.src] < FillW'(pass.count));
        assign wanted  = lacking ? {pass.src, !pass.src} : behind;

        always_comb begin
          s = can[1];
          if (can == 2'b11) s = (wanted[0] != wanted[1]) ? wanted[1] : !last_s_q;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_wanted_o <= '0;
            last_s_q      <= 1'b1;
          end else begin
            head_wanted_o <= wanted;
            if (c_valid) last_s_q <= s;
          end
        end

        assign c_valid     = can != 2'b00;
        assign head_take_o = can & {s, !s};
        "#,
    );
    m.instance(
        route,
        "u_compact_route",
        &[],
        &[
            ("mask_i", "head_mask_i[s]"),
            ("first_i", "tail_q[s][GranLaneW-1:0]"),
            ("route_o", "c_route"),
            ("count_o", "c_count"),
        ],
    );

    m.section("Compaction, second step: into the ring.");
    m.signals(&["x_valid_q", "x_s_q"], Ty::bit());
    m.signal("x_route_q", settings(), "");
    m.signal("x_count_q", Ty::named("lane_cnt_t"), "");
    m.signal("x_tail_q", Ty::bits("RingW"), "");
    m.signals(&["x_row_q", "x_compact"], Ty::bits("Gran").packed("GranLanes"));
    m.signal("x_end", Ty::named("lane_cnt_t"), "lane behind the last granule, from the row of the first one");
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            x_valid_q <= 1'b0;
          end else begin
            x_valid_q <= c_valid;
          end
        end

        always_ff @(posedge clk_i) begin
          if (c_valid) begin
            x_s_q     <= s;
            x_route_q <= c_route;
            x_count_q <= c_count;
            x_tail_q  <= tail_q[s];
            x_row_q   <= head_row_i[s];
          end
        end

        assign x_end = {1'b0, x_tail_q[GranLaneW-1:0]} + x_count_q;
        "#,
    );
    m.instance(
        butterfly,
        "u_compact",
        &[("Expand", "0")],
        &[("route_i", "x_route_q"), ("row_i", "x_row_q"), ("row_o", "x_compact")],
    );

    m.section("Passes wait with their settings.");
    m.signal("e_count", Ty::named("lane_cnt_t"), "");
    m.signal("e_route", settings(), "");
    m.signal("e_take", Ty::bit(), "");
    m.signal("pass_take", Ty::bit(), "");
    m.instance(
        route,
        "u_expand_route",
        &[],
        &[
            ("mask_i", "pass_mask_i"),
            ("first_i", "head_q[pass_src_i][GranLaneW-1:0]"),
            ("route_o", "e_route"),
            ("count_o", "e_count"),
        ],
    );
    m.text(
        r#"
        assign e_take = pass_valid_i && pass_ready_o;

        always_comb begin
          pass_in.route  = e_route;
          pass_in.first  = head_q[pass_src_i];
          pass_in.count  = e_count;
          pass_in.mask   = pass_mask_i;
          pass_in.src    = pass_src_i;
          pass_in.begins = pass_begin_i;
          pass_in.ends   = pass_end_i;
          pass_in.dest   = pass_dest_i;
        end
        "#,
    );
    m.instance(
        fifo,
        "u_passes",
        &[("Width", "$bits(pass_in)"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "pass_valid_i"),
            ("ready_o", "pass_ready_o"),
            ("data_i", "pass_in"),
            ("valid_o", "pass_valid"),
            ("ready_i", "pass_take"),
            ("data_o", "pass"),
        ],
    );

    m.section("Expansion: out of the ring.");
    m.signals(&["ring", "spread"], Ty::bits("Gran").packed("GranLanes"));
    m.signal("x_below", Ty::bits("2*GranLanes"), "lanes below x_end, of both rows");
    m.signals(&["x_same", "pass_same"], Ty::named("lane_mask_t"));
    m.signal("row_q", Ty::bits("Gran").packed("GranLanes"), "");
    m.text(
        r#"
        // Lanes below the first granule are in the row of the ring behind.
        assign x_same    = {GranLanes{1'b1}} << x_tail_q[GranLaneW-1:0];
        assign x_below   = ~({(2 * GranLanes){1'b1}} << x_end);
        assign pass_same = {GranLanes{1'b1}} << pass.first[GranLaneW-1:0];

        for (genvar l = 0; l < GranLanes; l++) begin : gen_lane
          logic [Gran-1:0] words [8];  // {stream, row of the ring}
          logic            we;
          logic [2:0]      waddr;
          logic [2:0]      raddr;

          assign waddr = {x_s_q, x_tail_q[RingW-1:GranLaneW] +
              2'(!x_same[l])};
          assign raddr = {pass.src, pass.first[RingW-1:GranLaneW] +
              2'(!pass_same[l])};
          assign we    = x_valid_q && (x_same[l] ? x_below[l] : x_below[GranLanes+l]);

          always_ff @(posedge clk_i) begin
            if (we) words[waddr] <= x_compact[l];
          end

          assign ring[l] = words[raddr];
        end
        "#,
    );
    m.instance(
        butterfly,
        "u_expand",
        &[("Expand", "1")],
        &[("route_i", "pass.route"), ("row_i", "ring"), ("row_o", "spread")],
    );
    m.text(
        r#"
        assign pass_take = pass_valid && (filled_q[pass.src] >= FillW'(pass.count)) &&
            (!row_valid_o || row_ready_i);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            row_valid_o <= 1'b0;
          end else if (pass_take) begin
            row_valid_o <= pass.ends;
          end else if (row_ready_i) begin
            row_valid_o <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (pass_take) begin
            row_dest_o <= pass.dest;
            for (int unsigned l = 0; l < GranLanes; l++) begin
              if (pass.mask[l]) begin
                row_q[l] <= spread[l];
              end else if (pass.begins) begin
                row_q[l] <= '0;
              end
            end
          end
        end

        assign row_o  = row_q;
        assign busy_o = pass_valid || row_valid_o;
        "#,
    );

    m.section("The streams.");
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            ahead_q  <= '0;
            filled_q <= '0;
            asked_q  <= '0;
            tail_q   <= '0;
            head_q   <= '0;
          end else begin
            for (int unsigned i = 0; i < 2; i++) begin
              ahead_q[i] <= ahead_q[i] +
                  ((c_valid && s == 1'(i)) ? FillW'(c_count) : '0) -
                  ((pass_take && pass.src == 1'(i)) ? FillW'(pass.count) : '0);
              filled_q[i] <= filled_q[i] +
                  ((x_valid_q && x_s_q == 1'(i)) ? FillW'(x_count_q) : '0) -
                  ((pass_take && pass.src == 1'(i)) ? FillW'(pass.count) : '0);
              asked_q[i] <= asked_q[i] +
                  ((e_take && pass_src_i == 1'(i)) ? (FillW + 1)'(e_count) : '0) -
                  ((pass_take && pass.src == 1'(i)) ? (FillW + 1)'(pass.count) : '0);
              if (c_valid && s == 1'(i)) tail_q[i] <= tail_q[i] + RingW'(c_count);
              if (e_take && pass_src_i == 1'(i)) head_q[i] <= head_q[i] + RingW'(e_count);
            end
          end
        end
        "#,
    );
    m
}
