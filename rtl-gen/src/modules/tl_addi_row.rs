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
        "Adds a signed immediate to every element of a row: clamp(unsigned(element) + imm, 0, 2^e - 1).",
    );
    m.input("row_i", Ty::bits("RowBits"), "");
    m.input("ewidth_i", Ty::named("ewidth_t"), "");
    m.input("imm_i", Ty::bits(8), "signed");
    m.output("row_o", Ty::bits("RowBits"), "");
    m.text(&format!(
        "
        localparam int unsigned WordBits = {word};  // the widest element
        localparam int unsigned Cells    = {cells};  // granules of a word
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
    m.text(
        r#"
        // A guard bit behind each granule passes the carry on, or shows it at the top of an element.
        for (genvar w = 0; w < RowBits / WordBits; w++) begin : gen_word
          logic [Cells-1:0][Gran:0]   augend;
          logic [Cells-1:0][Gran:0]   summand;
          logic [Cells-1:0][Gran:0]   sum;
          logic [Cells-1:0]           clip;     // the element leaves its range
          logic [Cells-1:0][Gran-1:0] result;

          always_comb begin
            for (int unsigned c = 0; c < Cells; c++) begin
              augend[c]  = {!top[c], row_i[w*WordBits+c*Gran+:Gran]};
              summand[c] = {1'b0, addend[c*Gran+:Gran]};
            end
          end

          assign sum = augend + summand;

          // Without a carry a negative immediate went below zero, with one a positive too far.
          always_comb begin
            clip = '0;
            for (int unsigned c = Cells; c > 0; c--) begin
              clip[c-1] = beyond || (sum[c-1][Gran] ^ imm_i[7]);
              if (c < Cells) begin
                if (!top[c-1]) clip[c-1] = clip[c%Cells];
              end
              result[c-1] = clip[c-1] ? {Gran{!imm_i[7]}} : sum[c-1][Gran-1:0];
            end
          end

          assign row_o[w*WordBits+:WordBits] = result;
        end
        "#,
    );
    m
}
