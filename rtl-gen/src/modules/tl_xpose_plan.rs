// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose_plan`: from the sizes of a transposition to the settings of the transpose engine.

mod geometry;

pub use geometry::Geometry;
use geometry::digits;

use crate::Config;
use crate::sv::{Module, Ty};

/// The module for `config`.
pub fn module(config: &Config) -> Module {
    let geometry = Geometry::new(config);
    let mut m = Module::new(
        "tl_xpose_plan",
        "Plans a transposition: a permutation of the bits of the address {row, lane} of a granule. The address has \
         five fields, from bit 0: below (all inside dimension q), q, between, p, and above; swapping p and q with \
         p < q moves three of them.\n\
         The engine applies the permutation in three steps: it reads the input rows in an order that is a permutation \
         of the bits of a counter, exchanges counter bits with lane bits, then permutes the lane bits and writes the \
         rows in an order that is another permutation of the counter bits. The plan gives a counter bit per cycle, \
         from bit 0 on, so the rows can be read while it is made.",
    );
    m.clocked();
    m.input("go_i", Ty::bit(), "plan what is at the inputs in this cycle");
    m.input("ewidth_i", Ty::named("ewidth_t"), "");
    m.input("p_i", Ty::bits(2), "dimensions to swap, in any order; p = q is the identity");
    m.input("q_i", Ty::bits(2), "");
    m.input("log2_size_i", Ty::bits(3).packed(4), "with the element, GranW + 1 bits in all");
    m.group("Count bits that are exchanged. Valid until the next plan.");
    m.output("begin_o", Ty::bit(), "the first count bit is planned: exchange_o is valid");
    m.output("exchange_o", Ty::bits("GranLaneW").packed("XposeExchW"), "[j]: the lane bit of count bit j, or none");
    m.group("Bits of the row index that count bits 0 to in_bit_o or out_bit_o are.");
    m.output("in_valid_o", Ty::bit(), "");
    m.output("in_bit_o", Ty::named("xpose_step_t"), "");
    m.output("in_mask_o", Ty::bits("XposeRowW"), "of the input row");
    m.output("out_valid_o", Ty::bit(), "");
    m.output("out_bit_o", Ty::named("xpose_step_t"), "");
    m.output("out_mask_o", Ty::bits("XposeRowW"), "of the output row");
    m.group("The layers of the sorting network of lane bits that swap.");
    m.output("swap_valid_o", Ty::bit(), "the plan is complete");
    m.output("lane_swap_o", Ty::named("xpose_swaps_t"), "");
    fields(&mut m);
    targets(&mut m);
    exchange(&mut m, &geometry);
    input_rows(&mut m);
    output_rows(&mut m);
    lane_swaps(&mut m, &geometry);
    m
}

/// Fields of the address.
fn fields(m: &mut Module) {
    m.section("Fields of the input address: their sizes, and the bits at which they begin and end.");
    m.text("localparam int unsigned IdxW = $clog2(GranW + 2);  // a bit position, up to one past the last");
    m.signal("outer", Ty::bits(2), "p and q in order");
    m.signal("inner", Ty::bits(2), "");
    m.signals(&["sum_low", "sum_m"], Ty::bits("IdxW"));
    for (name, doc) in [
        ("size_q_q", "bits of the inner dimension; where p = q, how far its bits move is 0"),
        ("size_m_q", "bits of what is between"),
        ("size_p_q", "bits of the outer dimension"),
        ("start_q", "first bit of q"),
        ("q_low_q", "first bit of q, a cycle later"),
        ("m_low_q", "first bit of what is between"),
        ("p_low_q", "first bit of p"),
        ("p_end_q", "first bit above"),
        ("q_up_q", "how far the bits move: q up, what is between up or down, p down"),
        ("m_up_q", ""),
        ("p_down_q", ""),
    ] {
        m.signal(name, Ty::bits("IdxW"), doc);
    }
    m.signals(&["sized_q", "placed_q", "aimed_q"], Ty::bit());
    m.text(
        r#"
        assign outer = (p_i < q_i) ? p_i : q_i;
        assign inner = (p_i < q_i) ? q_i : p_i;

        always_comb begin
          sum_low = IdxW'(ewidth_i) - IdxW'($clog2(Gran / 4));
          sum_m   = '0;
          for (int unsigned d = 1; d < 4; d++) begin
            if (2'(d) > inner) sum_low = sum_low + IdxW'(log2_size_i[d]);
            if (2'(d) > outer && 2'(d) < inner) sum_m = sum_m + IdxW'(log2_size_i[d]);
          end
        end

        always_ff @(posedge clk_i) begin
          if (go_i) begin
            size_q_q <= IdxW'(log2_size_i[inner]);
            size_m_q <= sum_m;
            size_p_q <= (p_i == q_i) ? '0 : IdxW'(log2_size_i[outer]);
            start_q  <= sum_low;
          end
          // The sizes stay until the next plan, and so does what follows from them.
          q_low_q  <= start_q;
          m_low_q  <= start_q + size_q_q;
          p_low_q  <= start_q + size_q_q + size_m_q;
          p_end_q  <= start_q + size_q_q + size_m_q + size_p_q;
          q_up_q   <= size_p_q + size_m_q;
          m_up_q   <= size_p_q - size_q_q;
          p_down_q <= size_q_q + size_m_q;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            sized_q  <= 1'b0;
            placed_q <= 1'b0;
            aimed_q  <= 1'b0;
          end else begin
            sized_q  <= go_i;
            placed_q <= sized_q;
            aimed_q  <= placed_q;
          end
        end
        "#,
    );
}

/// Where the bits of the address go.
fn targets(m: &mut Module) {
    m.section("Where each lane bit goes, and the row bits that go to the lanes.");
    m.signal("target", Ty::bits("IdxW").packed("GranLaneW"), "");
    m.signal("target_q", Ty::bits("IdxW").packed("GranLaneW"), "");
    m.signal("enters", Ty::bits("XposeRowW"), "");
    m.signal("enters_q", Ty::bits("XposeRowW"), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            target[i] = IdxW'(i);
            if (IdxW'(i) >= q_low_q && IdxW'(i) < p_end_q) begin
              if (IdxW'(i) < m_low_q) target[i] = IdxW'(i) + q_up_q;
              else if (IdxW'(i) < p_low_q) target[i] = IdxW'(i) + m_up_q;
              else target[i] = IdxW'(i) - p_down_q;
            end
          end
          // q moves up: its bits stay where they are or leave the lanes.
          for (int unsigned i = 0; i < XposeRowW; i++) begin
            enters[i] = 1'b0;
            if (IdxW'(i + GranLaneW) >= m_low_q && IdxW'(i + GranLaneW) < p_end_q) begin
              if (IdxW'(i + GranLaneW) < p_low_q) begin
                enters[i] = (IdxW'(i + GranLaneW) + m_up_q) < IdxW'(GranLaneW);
              end else begin
                enters[i] = IdxW'(i) < p_down_q;
              end
            end
          end
        end

        always_ff @(posedge clk_i) begin
          target_q <= target;
          enters_q <= enters;
        end
        "#,
    );
}

/// The pairs of lane bits and counter bits that are exchanged.
fn exchange(m: &mut Module, geometry: &Geometry) {
    m.section(
        "A lane bit that leaves the lanes is exchanged with a counter bit. The highest lane bit has the fastest counter \
         bit, as high lane bits leave most often.",
    );
    m.signal("leaves", Ty::bits("GranLaneW"), "lane bits that go to the row number");
    m.signal("exchange", Ty::bits("GranLaneW").packed("XposeExchW"), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            leaves[i] = target_q[i] >= IdxW'(GranLaneW);
          end
        end

        always_ff @(posedge clk_i) begin
          exchange_o <= exchange;
        end
        "#,
    );
    if !geometry.assigns() {
        m.text(
            r#"
            always_comb begin
              exchange = '0;
              for (int unsigned j = 0; j < GranLaneW; j++) begin
                exchange[j][GranLaneW-1-j] = leaves[GranLaneW-1-j];
              end
            end
            "#,
        );
        return;
    }
    m.signal("taken", Ty::named("xpose_exchange_t"), "counter bits that are exchanged");
    m.signal("served", Ty::bit(), "");
    m.text(
        r#"
        // The two highest lane bits have a counter bit of their own, since their stages have one
        // delay. Each one below takes the lowest that is left: the rows wait the shorter. Never more
        // leave than there are counter bits.
        always_comb begin
          exchange = '0;
          taken    = '0;
          served   = 1'b0;
          for (int unsigned j = 0; j < 2 && j < XposeExchW; j++) begin
            exchange[j][GranLaneW-1-j] = leaves[GranLaneW-1-j];
            taken[j]                   = leaves[GranLaneW-1-j];
          end
          for (int unsigned i = 2; i < GranLaneW; i++) begin
            served = !leaves[GranLaneW-1-i];
            for (int unsigned j = 0; j < XposeExchW; j++) begin
              if (!served && !taken[j]) begin
                exchange[j][GranLaneW-1-i] = 1'b1;
                taken[j]                   = 1'b1;
                served                     = 1'b1;
              end
            end
          end
        end
        "#,
    );
}

/// The order of the input rows.
fn input_rows(m: &mut Module) {
    m.section(
        "A counter bit per cycle. One that is exchanged counts a row bit that enters the lanes, one that is not a row \
         bit that stays in the row number: the lowest one that is left.",
    );
    m.signal("step_q", Ty::bit(), "");
    m.signal("bit_q", Ty::named("xpose_step_t"), "counter bit");
    m.signal("left_q", Ty::bits("XposeRowW"), "row bits without a counter bit");
    m.signal("lane", Ty::bits("GranLaneW"), "lane bit that is exchanged with this counter bit, or none");
    m.signals(&["wanted", "pick"], Ty::bits("XposeRowW"));
    m.signal("picked", Ty::bits("IdxW"), "");
    m.text(
        r#"
        always_comb begin
          lane = '0;
          for (int unsigned j = 0; j < XposeExchW; j++) begin
            if (bit_q == XposeStepW'(j)) lane = lane | exchange_o[j];
          end
        end

        always_comb begin
          wanted = left_q & ((lane != '0) ? enters_q : ~enters_q);
          pick   = wanted & (~wanted + 1'b1);
          picked = '0;
          for (int unsigned i = 0; i < XposeRowW; i++) begin
            if (pick[i]) picked = picked | IdxW'(i + GranLaneW);
          end
        end

        assign begin_o    = step_q && (bit_q == '0);
        assign in_valid_o = step_q;
        assign in_bit_o   = bit_q;
        assign in_mask_o  = ~left_q | pick;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) step_q <= 1'b0;
          else step_q <= aimed_q || (step_q && bit_q != XposeStepW'(XposeRowW - 1));
        end

        always_ff @(posedge clk_i) begin
          if (step_q) begin
            bit_q  <= bit_q + 1'b1;
            left_q <= left_q & ~pick;
          end else begin
            bit_q  <= '0;
            left_q <= '1;
          end
        end
        "#,
    );
}

/// The order of the output rows.
fn output_rows(m: &mut Module) {
    m.section(
        "Two cycles later: where the row bit goes, and where the lane bit goes. The one that goes to the row number is \
         there what the counter bit counts.",
    );
    m.signals(&["picked_valid_q", "moved_valid_q"], Ty::bit());
    m.signals(&["picked_bit_q", "moved_bit_q"], Ty::named("xpose_step_t"));
    m.signals(&["picked_lane_q", "moved_lane_q"], Ty::bits("GranLaneW"));
    m.signal("picked_q", Ty::bits("IdxW"), "row bit of the input");
    m.signals(&["lane_target", "row_target_q", "out_target_q"], Ty::bits("IdxW"));
    m.signal("moved", Ty::bits("IdxW"), "where the row bit goes");
    m.signal("out_mask_q", Ty::bits("XposeRowW"), "");
    m.text(
        r#"
        always_comb begin
          lane_target = '0;
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            if (picked_lane_q[i]) lane_target = lane_target | target_q[i];
          end
          moved = picked_q;
          if (picked_q >= q_low_q && picked_q < p_end_q) begin
            if (picked_q < m_low_q) moved = picked_q + q_up_q;
            else if (picked_q < p_low_q) moved = picked_q + m_up_q;
            else moved = picked_q - p_down_q;
          end
        end

        assign out_valid_o = moved_valid_q;
        assign out_bit_o   = moved_bit_q;

        always_comb begin
          out_mask_o = out_mask_q;
          for (int unsigned i = 0; i < XposeRowW; i++) begin
            if (out_target_q == IdxW'(i + GranLaneW)) out_mask_o[i] = 1'b1;
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            picked_valid_q <= 1'b0;
            moved_valid_q  <= 1'b0;
          end else begin
            picked_valid_q <= step_q;
            moved_valid_q  <= picked_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          picked_bit_q  <= bit_q;
          picked_lane_q <= lane;
          picked_q      <= picked;
          moved_bit_q   <= picked_bit_q;
          moved_lane_q  <= picked_lane_q;
          row_target_q  <= moved;
          out_target_q  <= (picked_lane_q != '0) ? lane_target : moved;
          out_mask_q    <= moved_valid_q ? out_mask_o : '0;
        end
        "#,
    );
}

/// The permutation of the lane bits, by sorting.
fn lane_swaps(m: &mut Module, geometry: &Geometry) {
    let label_bits = geometry.lane_bits.next_power_of_two().ilog2().max(1);
    let (low, high) = geometry.network_digits();
    let cycles = geometry.sort_cycles();
    let last = cycles.iter().max().copied().unwrap_or(0);
    m.section(
        "What each lane bit holds after the exchange is labelled with the lane bit that it has to become. Sorting the \
         labels gives the swaps: digit s of the constants names the bits of layer s, and the cycle in which it is \
         sorted.",
    );
    m.text(&format!(
        "
        localparam int unsigned LabelW = {label_bits};
        localparam logic [4*XposeLaneSwaps-1:0] LowBit  = {low};
        localparam logic [4*XposeLaneSwaps-1:0] HighBit = {high};
        localparam logic [4*XposeLaneSwaps-1:0] Cycle   = {};
        localparam int unsigned LastCycle = {last};
        ",
        digits(cycles.iter().copied())
    ));
    m.signal("label_q", Ty::bits("LabelW").packed("GranLaneW"), "of the lane bits");
    m.signal("sort_q", Ty::bits("LastCycle+1"), "[n]: cycle n of the sort");
    m.signal("given_q", Ty::bits("LabelW").packed("GranLaneW").packed("LastCycle+1"), "labels behind cycle n - 1");
    m.signal("sorted", Ty::bits("LabelW").packed("GranLaneW").packed("LastCycle+1"), "labels behind cycle n");
    m.signal("held", Ty::bits("LabelW"), "a label on its way to another lane bit");
    m.signal("unused_sorted", Ty::bit(), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            if (aimed_q) label_q[i] <= target_q[i][LabelW-1:0];
            else if (moved_valid_q && moved_lane_q[i]) label_q[i] <= row_target_q[LabelW-1:0];
          end
        end

        // Nothing changes behind a cycle until the next plan, so all swaps are there at the end.
        always_comb begin
          held        = '0;
          lane_swap_o = '0;
          for (int unsigned n = 0; n <= LastCycle; n++) begin
            sorted[n] = (n == 0) ? label_q : given_q[n];
            for (int unsigned s = 0; s < XposeLaneSwaps; s++) begin
              if (32'(Cycle[4*s+:4]) == n) begin
                lane_swap_o[s] = sorted[n][LowBit[4*s+:4]] > sorted[n][HighBit[4*s+:4]];
                if (lane_swap_o[s]) begin
                  held                       = sorted[n][LowBit[4*s+:4]];
                  sorted[n][LowBit[4*s+:4]]  = sorted[n][HighBit[4*s+:4]];
                  sorted[n][HighBit[4*s+:4]] = held;
                end
              end
            end
          end
        end

        assign swap_valid_o  = sort_q[LastCycle];
        assign unused_sorted = ^{sorted[LastCycle], given_q[0], row_target_q};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) sort_q <= '0;
          else begin
            for (int unsigned n = 1; n <= LastCycle; n++) sort_q[n] <= sort_q[n-1];
            sort_q[0] <= moved_valid_q && (moved_bit_q == XposeStepW'(XposeExchW - 1));
          end
        end

        always_ff @(posedge clk_i) begin
          given_q[0] <= '0;
          for (int unsigned n = 1; n <= LastCycle; n++) given_q[n] <= sorted[n-1];
        end
        "#,
    );
}

#[cfg(test)]
mod tests {
    use super::geometry::NETWORKS;
    use super::*;

    #[test]
    fn the_networks_sort_every_sequence_of_zeros_and_ones() {
        for (bits, network) in NETWORKS.iter().enumerate() {
            for word in 0..1u32 << bits {
                let mut word = word;
                for &(low, high) in *network {
                    if word >> low & 1 > word >> high & 1 {
                        word ^= 1 << low | 1 << high;
                    }
                }
                let ones = word.count_ones();
                assert_eq!(word, ((1 << ones) - 1) << (bits as u32 - ones), "{bits} values");
            }
        }
    }

    #[test]
    fn a_plan_is_complete_when_the_first_row_needs_its_swaps() {
        for lane_bits in 1..=7 {
            for row_bits in 3..=8 {
                let exchanges = u32::min(lane_bits, row_bits);
                let geometry = Geometry { lane_bits, row_bits, exchanges, slot_bits: 1 };
                let sorts = geometry.sort_cycles().into_iter().max().expect("a network has a layer") + 1;
                // Cycles after the one in which the first counter bit is planned: the last exchanged bit, its target,
                // its label, the sort, the memory that the swaps go to. The row: start, request, grant, data, two
                // halves of the exchanges, and at least a step in each of them.
                assert!((exchanges - 1) + 2 + 1 + sorts < 6 + lane_bits, "{lane_bits} lane bits, {row_bits} row bits");
            }
        }
    }
}
