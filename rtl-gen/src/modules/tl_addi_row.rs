// SPDX-License-Identifier: Apache-2.0
//! `tl_addi_row`: the saturating adder of `tl.addi`, one row wide.

use crate::Config;
use crate::sv::{Module, Ty};

/// The adder for the element widths of `config`.
pub fn module(config: &Config) -> Module {
    let gran = config.granule_bits();
    let word = config.element_widths.last().copied().unwrap_or(gran);
    let cells = word / gran;
    let mut m = Module::new(
        "tl_addi_row",
        "Adds a signed immediate to every element of a row: clamp(unsigned(element) + imm, 0, 2^e - 1), one cycle \
         later. Without a row the result is zeros.",
    );
    m.input("clk_i", Ty::bit(), "");
    m.input("valid_i", Ty::bit(), "");
    m.input("row_i", Ty::bits("RowBits"), "");
    m.input("ewidth_i", Ty::named("ewidth_t"), "");
    m.input("imm_i", Ty::bits(8), "signed");
    m.output("row_o", Ty::bits("RowBits"), "");
    m.text(&format!(
        "
        localparam int unsigned WordBits = {word};  // the widest element
        localparam int unsigned Cells    = {cells};  // granules of a word
        localparam int unsigned Words    = RowBits / WordBits;
        "
    ));
    m.signal("addend", Ty::bits("WordBits"), "the immediate in every element of a word");
    m.signal("top", Ty::bits("Cells"), "granules that are the highest of their element");
    m.signal("beyond", Ty::bit(), "the immediate alone is out of the range of an element");
    let mut cases = String::new();
    for &e in &config.element_widths {
        let code = e.trailing_zeros() - 2;
        let per = e / gran;
        let copies = word / e;
        let value = match e {
            4 => "imm_i[3:0]".to_owned(),
            8 => "imm_i".to_owned(),
            _ => format!("{{{{{}{{imm_i[7]}}}}, imm_i}}", e - 8),
        };
        let mut top = String::new();
        for cell in (0..cells).rev() {
            top.push(if (cell + 1) % per == 0 { '1' } else { '0' });
        }
        let beyond = if e == 4 { "\n            beyond = imm_i[7:4] != {4{imm_i[7]}};" } else { "" };
        cases.push_str(&format!(
            "
          2'd{code}: begin
            addend = {{{copies}{{{value}}}}};
            top    = {cells}'b{top};{beyond}
          end"
        ));
    }
    m.text(&format!(
        "
        always_comb begin
          addend = '0;
          top    = '1;
          beyond = 1'b0;
          unique case (ewidth_i){cases}
          default: addend = '0;
          endcase
        end
        "
    ));
    m.signal("summand", Ty::bits("Cells*(Gran+1)"), "the addend, with a guard bit behind each granule");
    m.signals(&["augend", "sum", "sum_q"], Ty::bits("Cells*(Gran+1)").packed("Words"));
    m.signals(&["span", "span_q"], Ty::bits("$clog2(Cells)+1"));
    m.signals(&["beyond_q", "down_q"], Ty::bit());
    m.signal("clip", Ty::bits("Cells").packed("Words"), "granules whose element leaves its range");
    m.text(
        r#"
        // The guard bit of a granule passes the carry on, or keeps it at the top of an element.
        always_comb begin
          summand = '0;
          augend  = '0;
          for (int unsigned c = 0; c < Cells; c++) begin
            summand[c*(Gran+1)+:Gran] = addend[c*Gran+:Gran];
            for (int unsigned w = 0; w < Words; w++) begin
              augend[w][c*(Gran+1)+:Gran]  = row_i[w*WordBits+c*Gran+:Gran];
              augend[w][c*(Gran+1)+Gran+:1] = !top[c];
            end
          end
        end

        always_comb begin
          for (int unsigned w = 0; w < Words; w++) begin
            sum[w] = augend[w] + summand;
          end
        end

        always_ff @(posedge clk_i) begin
          if (valid_i) begin
            sum_q    <= sum;
            beyond_q <= beyond;
          end else begin
            sum_q    <= '0;
            beyond_q <= 1'b0;
          end
          // Without a row the sum is 0, and stays so: it is not clipped, or downwards.
          down_q <= imm_i[7];
          span_q <= span;
        end

        // Granules of an element, less one: from the lowest granule up to its top.
        always_comb begin
          span = '0;
          for (int unsigned c = 0; c < Cells; c++) begin
            if (top[Cells-1-c]) span = ($clog2(Cells) + 1)'(Cells - 1 - c);
          end
        end

        // A negative immediate went below zero without a carry, another one too far with it. The top
        // of the element of granule c is granule c | span_q.
        always_comb begin
          clip = '0;
          for (int unsigned w = 0; w < Words; w++) begin
            for (int unsigned c = 0; c < Cells; c++) begin
              for (int unsigned t = c; t < Cells; t++) begin
                if (t == (c | 32'(span_q))) begin
                  clip[w][c] = beyond_q || (sum_q[w][t*(Gran+1)+Gran+:1] != down_q);
                end
              end
            end
          end
        end

        always_comb begin
          for (int unsigned w = 0; w < Words; w++) begin
            for (int unsigned c = 0; c < Cells; c++) begin
              row_o[w*WordBits+c*Gran+:Gran] = clip[w][c] ?
                  {Gran{!down_q}} : sum_q[w][c*(Gran+1)+:Gran];
            end
          end
        end
        "#,
    );
    m
}
