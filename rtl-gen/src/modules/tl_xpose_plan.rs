// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose_plan`: from the sizes of a transposition to the settings of the transpose engine.

use crate::Config;
use crate::sv::{Module, Ty};

/// Widths of the transpose engine that follow from the configuration.
pub struct Geometry {
    /// Bits of a granule index within a row.
    pub lane_bits: u32,
    /// Bits of a row index within the tensor of two registers.
    pub row_bits: u32,
    /// Logarithm of the number of rows that are staged.
    pub ring_bits: u32,
    /// Pairs of counter bits that may have to trade places in the number of an input row.
    pub row_swaps: u32,
}

impl Geometry {
    /// The geometry of `config`.
    pub fn new(config: &Config) -> Geometry {
        let lane_bits = (8 * config.lanes / config.granule_bits()).ilog2();
        let row_bits = (2 * config.reg_bytes / config.lanes).ilog2();
        // At most `exchanged` lane bits come from other rows. A ring of just that many rows costs an
        // idle cycle a turn when all of them do, which is too much for a ring below 16 rows.
        let exchanged = lane_bits.min(row_bits);
        let ring_bits = exchanged.max(4).min(row_bits);
        Geometry { lane_bits, row_bits, ring_bits, row_swaps: exchanged.min(row_bits / 2) }
    }

    /// The lane bits that are compared, in order: a minimal sorting network.
    pub fn network(&self) -> &'static [(u32, u32)] {
        NETWORKS[self.lane_bits as usize]
    }

    /// `network` as two literals, digit `s` of which is a lane bit of layer `s`.
    pub fn network_digits(&self) -> (String, String) {
        let digits = |pick: fn(&(u32, u32)) -> u32| {
            let digits: String = self.network().iter().rev().map(|pair| format!("{:X}", pick(pair))).collect();
            format!("{}'h{digits}", 4 * digits.len())
        };
        (digits(|pair| pair.0), digits(|pair| pair.1))
    }
}

/// Minimal sorting networks for 0 to 7 values; a layer of (0, 0) does nothing.
const NETWORKS: [&[(u32, u32)]; 8] = [
    &[(0, 0)],
    &[(0, 0)],
    &[(0, 1)],
    &[(0, 2), (0, 1), (1, 2)],
    &[(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)],
    &[(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)],
    &[(0, 5), (1, 3), (2, 4), (1, 2), (3, 4), (0, 3), (2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4)],
    &[
        (0, 6),
        (2, 3),
        (4, 5),
        (0, 2),
        (1, 4),
        (3, 6),
        (0, 1),
        (2, 5),
        (3, 4),
        (1, 2),
        (4, 6),
        (2, 3),
        (4, 5),
        (1, 2),
        (3, 4),
        (5, 6),
    ],
];

/// The module for `config`.
pub fn module(config: &Config) -> Module {
    let geometry = Geometry::new(config);
    let mut m = Module::new(
        "tl_xpose_plan",
        "Plans a transposition: a permutation of the bits of the address {row, lane} of a granule. The address has \
         five fields, from bit 0: below (all inside dimension q), q, between, p, and above; swapping p and q with \
         p < q moves three of them.\n\
         The engine applies the permutation in three steps: it reads the input rows in an order that is a permutation \
         of a row counter (row_swap), exchanges counter bits with lane bits in the staging memory (exchange), then \
         permutes the lane bits (lane_swap) and the row bits (row_src).",
    );
    m.input("ewidth_i", Ty::named("ewidth_t"), "");
    m.input("p_i", Ty::bits(2), "dimensions to swap, in any order; p = q is the identity");
    m.input("q_i", Ty::bits(2), "");
    m.input("log2_size_i", Ty::bits(3).packed(4), "with the element, XposeW bits in all");
    m.output("plan_o", Ty::named("xpose_plan_t"), "");
    fields(&mut m);
    exchange(&mut m, &geometry);
    row_swaps(&mut m);
    lane_swaps(&mut m, &geometry);
    m.section("The plan.");
    m.text(
        r#"
        assign plan_o.exchange  = exchange;
        assign plan_o.row_swap  = row_swap;
        assign plan_o.row_src   = row_src;
        assign plan_o.lane_swap = lane_swap;
        "#,
    );
    m
}

/// Fields of the address, and where each of its bits goes.
fn fields(m: &mut Module) {
    m.section("Fields of the input address: their sizes, and the bits at which they begin and end.");
    m.text("localparam int unsigned IdxW = $clog2(XposeW + 1);  // a bit position, up to one past the last");
    m.signal("outer", Ty::bits(2), "p and q in order");
    m.signal("inner", Ty::bits(2), "");
    for (name, doc) in [
        ("size_q", "bits of the inner dimension"),
        ("size_m", "bits of what is between"),
        ("size_p", "bits of the outer dimension"),
        ("q_low", "first bit of q"),
        ("m_low", "first bit of what is between"),
        ("p_low", "first bit of p"),
        ("p_end", "first bit above"),
        ("out_m_low", "first bit of what is between, in the output"),
        ("out_q_low", "first bit of q, in the output"),
        ("q_up", "how far the bits move: q up, what is between up or down, p down"),
        ("m_up", ""),
        ("p_down", ""),
    ] {
        m.signal(name, Ty::bits("IdxW"), doc);
    }
    m.text(
        r#"
        assign outer = (p_i < q_i) ? p_i : q_i;
        assign inner = (p_i < q_i) ? q_i : p_i;

        always_comb begin
          size_q = '0;
          size_p = '0;
          size_m = '0;
          q_low  = IdxW'(ewidth_i) - IdxW'($clog2(Gran / 4));
          for (int unsigned d = 0; d < 4; d++) begin
            if (2'(d) > inner) q_low = q_low + IdxW'(log2_size_i[d]);
            if (2'(d) > outer && 2'(d) < inner) size_m = size_m + IdxW'(log2_size_i[d]);
          end
          if (p_i != q_i) begin
            size_q = IdxW'(log2_size_i[inner]);
            size_p = IdxW'(log2_size_i[outer]);
          end
        end

        assign m_low     = q_low + size_q;
        assign p_low     = m_low + size_m;
        assign p_end     = p_low + size_p;
        assign out_m_low = q_low + size_p;
        assign out_q_low = out_m_low + size_m;
        assign q_up      = size_p + size_m;
        assign m_up      = size_p - size_q;
        assign p_down    = size_q + size_m;
        "#,
    );
    m.section("Where each input bit goes, and where each row bit of the output comes from.");
    m.signal("target", Ty::bits("IdxW").packed("XposeW"), "");
    m.signal("row_src", Ty::bits("XposeBitW").packed("XposeRowW"), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < XposeW; i++) begin
            target[i] = IdxW'(i);
            if (IdxW'(i) >= q_low && IdxW'(i) < p_end) begin
              if (IdxW'(i) < m_low) target[i] = IdxW'(i) + q_up;
              else if (IdxW'(i) < p_low) target[i] = IdxW'(i) + m_up;
              else target[i] = IdxW'(i) - p_down;
            end
          end
          for (int unsigned i = 0; i < XposeRowW; i++) begin
            row_src[i] = XposeBitW'(i + GranLaneW);
            if (IdxW'(i + GranLaneW) >= q_low && IdxW'(i + GranLaneW) < p_end) begin
              if (IdxW'(i + GranLaneW) < out_m_low) begin
                row_src[i] = XposeBitW'(IdxW'(i + GranLaneW) + p_down);
              end else if (IdxW'(i + GranLaneW) < out_q_low) begin
                row_src[i] = XposeBitW'(IdxW'(i + GranLaneW) - m_up);
              end else begin
                row_src[i] = XposeBitW'(IdxW'(i + GranLaneW) - q_up);
              end
            end
          end
        end
        "#,
    );
}

/// The pairs of lane bits and counter bits that the staging memory exchanges.
fn exchange(m: &mut Module, geometry: &Geometry) {
    m.section(
        "A lane bit that leaves the lanes is exchanged with a counter bit that row_swap has made a row bit which \
         enters the lanes. The highest lane bit has the fastest counter bit, as high lane bits leave most often.",
    );
    m.signal("leaves", Ty::bits("GranLaneW"), "lane bits that go to the row number");
    m.signal("enters", Ty::bits("XposeRowW"), "row bits that go to the lanes");
    m.signal("taken", Ty::bits("XposeRowW"), "counter bits that are exchanged");
    m.signal("exchange", Ty::bits("GranLaneW").packed("XposeRingW"), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            leaves[i] = target[i] >= IdxW'(GranLaneW);
          end
          for (int unsigned i = 0; i < XposeRowW; i++) begin
            enters[i] = target[i+GranLaneW] < IdxW'(GranLaneW);
          end
        end
        "#,
    );
    if geometry.lane_bits <= geometry.ring_bits {
        m.text(
            r#"
            always_comb begin
              exchange = '0;
              taken    = '0;
              for (int unsigned j = 0; j < GranLaneW; j++) begin
                exchange[j][GranLaneW-1-j] = leaves[GranLaneW-1-j];
                taken[j]                   = leaves[GranLaneW-1-j];
              end
            end
            "#,
        );
        return;
    }
    m.signal("placed", Ty::bit(), "");
    m.text(
        r#"
        // There are more lane bits than counter bits, but never more that leave: a low lane bit
        // takes a counter bit that its own lane bit leaves free.
        always_comb begin
          exchange = '0;
          taken    = '0;
          placed   = 1'b0;
          for (int unsigned j = 0; j < XposeRingW; j++) begin
            exchange[j][GranLaneW-1-j] = leaves[GranLaneW-1-j];
            taken[j]                   = leaves[GranLaneW-1-j];
          end
          for (int unsigned i = 0; i < GranLaneW - XposeRingW; i++) begin
            placed = !leaves[i];
            for (int unsigned j = 0; j < XposeRingW; j++) begin
              if (!placed && !taken[j]) begin
                exchange[j][i] = 1'b1;
                taken[j]       = 1'b1;
                placed         = 1'b1;
              end
            end
          end
        end
        "#,
    );
}

/// The order of the input rows.
fn row_swaps(m: &mut Module) {
    m.section(
        "Row bits that enter must be exchanged counter bits. Where one is not, it trades places with a counter bit \
         that is exchanged but does not enter: the lowest pair, then the next one, and so on.",
    );
    m.signal("entering", Ty::bits("XposeRowW"), "enter, and are not exchanged yet");
    m.signal("vacant", Ty::bits("XposeRowW"), "exchanged, and do not enter yet");
    m.signal("seen_entering", Ty::bit(), "");
    m.signal("seen_vacant", Ty::bit(), "");
    m.signal("take", Ty::bits("XposeRowW").packed("XposeRowSwaps"), "the entering bit of each pair");
    m.signal("give", Ty::bits("XposeRowW").packed("XposeRowSwaps"), "the vacant bit of each pair");
    m.signal("row_swap", Ty::bits("XposeRowW").packed("XposeRowSwaps"), "");
    m.text(
        r#"
        always_comb begin
          entering      = enters & ~taken;
          vacant        = taken & ~enters;
          seen_entering = 1'b0;
          seen_vacant   = 1'b0;
          take          = '0;
          give          = '0;
          for (int unsigned s = 0; s < XposeRowSwaps; s++) begin
            seen_entering = 1'b0;
            seen_vacant   = 1'b0;
            for (int unsigned i = 0; i < XposeRowW; i++) begin
              take[s][i]    = entering[i] && !seen_entering;
              give[s][i]    = vacant[i] && !seen_vacant;
              seen_entering = seen_entering || entering[i];
              seen_vacant   = seen_vacant || vacant[i];
            end
            entering = entering & ~take[s];
            vacant   = vacant & ~give[s];
          end
        end

        assign row_swap = take | give;
        "#,
    );
}

/// The permutation of the lane bits, by sorting.
fn lane_swaps(m: &mut Module, geometry: &Geometry) {
    let label_bits = geometry.lane_bits.next_power_of_two().ilog2().max(1);
    let (low, high) = geometry.network_digits();
    m.section(
        "What each lane bit holds after the exchange is labelled with the lane bit that it has to become. Sorting the \
         labels gives the swaps: digit s of the two constants names the bits of layer s.",
    );
    m.text(&format!(
        "
        localparam int unsigned LabelW = {label_bits};
        localparam logic [4*XposeLaneSwaps-1:0] LowBit  = {low};
        localparam logic [4*XposeLaneSwaps-1:0] HighBit = {high};
        "
    ));
    m.signal("traded", Ty::bits("LabelW").packed("XposeRowSwaps"), "labels of the entering bits that trade");
    m.signal("entered", Ty::bits("LabelW").packed("XposeRingW"), "labels of exchanged counter bits, else 0");
    m.signal("label", Ty::bits("LabelW").packed("GranLaneW"), "of the lane bits");
    m.signal("held", Ty::bits("LabelW"), "a label on its way to another lane bit");
    m.signal("lane_swap", Ty::bits("XposeLaneSwaps"), "");
    m.text(
        r#"
        always_comb begin
          traded  = '0;
          entered = '0;
          for (int unsigned s = 0; s < XposeRowSwaps; s++) begin
            for (int unsigned i = 0; i < XposeRowW; i++) begin
              if (take[s][i]) traded[s] = traded[s] | target[i+GranLaneW][LabelW-1:0];
            end
          end
          for (int unsigned j = 0; j < XposeRingW; j++) begin
            if (enters[j]) entered[j] = target[j+GranLaneW][LabelW-1:0];
            for (int unsigned s = 0; s < XposeRowSwaps; s++) begin
              if (give[s][j]) entered[j] = entered[j] | traded[s];
            end
          end
        end

        always_comb begin
          lane_swap = '0;
          held      = '0;
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            label[i] = leaves[i] ? '0 : target[i][LabelW-1:0];
            for (int unsigned j = 0; j < XposeRingW; j++) begin
              if (exchange[j][i]) label[i] = label[i] | entered[j];
            end
          end
          for (int unsigned s = 0; s < XposeLaneSwaps; s++) begin
            lane_swap[s] = label[LowBit[4*s+:4]] > label[HighBit[4*s+:4]];
            if (lane_swap[s]) begin
              held                   = label[LowBit[4*s+:4]];
              label[LowBit[4*s+:4]]  = label[HighBit[4*s+:4]];
              label[HighBit[4*s+:4]] = held;
            end
          end
        end
        "#,
    );
}

#[cfg(test)]
mod tests {
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
    fn the_ring_holds_whatever_an_exchange_needs() {
        for name in Config::names() {
            let geometry = Geometry::new(&Config::named(name).expect("named"));
            assert!(geometry.ring_bits >= geometry.lane_bits.min(geometry.row_bits), "{name}");
            assert!(geometry.ring_bits <= geometry.row_bits, "{name}");
        }
    }
}
