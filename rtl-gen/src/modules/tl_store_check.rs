// SPDX-License-Identifier: Apache-2.0
//! `tl_store_check`: the first half of the store engine, which decides whether a store traps.

use crate::Config;
use crate::modules::{tl_slice_walk, tl_store_proof};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_store_check",
        "Takes a store, checks all its slices and hands it on with the verdict. The slices go into a FIFO as they \
         are walked; they are used only when the verdict is known.\n\
         The verdict comes from tl_store_proof, three cycles after the handshake, or, where that cannot tell, from \
         the walk when it has passed the last slice. While the second half moves the data of a store, the next one \
         is checked here.",
    );
    m.clocked();
    m.group("Commands");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_ready_o", Ty::bit(), "");
    m.input("cmd_i", Ty::named("store_cmd_t"), "");
    m.group("Strides");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "tstore_stride[stride_idx_o]");
    m.input("strides_i", Ty::bits(32).packed(32), "");
    m.output("strides_busy_o", Ty::bit(), "they may still be read; the proof reads them with the first slice");
    m.group("The store, with its verdict");
    m.output("op_valid_o", Ty::bit(), "");
    m.input("op_ready_i", Ty::bit(), "");
    m.output("op_o", Ty::named("store_op_t"), "");
    m.group("Its slices, oldest first; those of a later store may be behind them, those of a store that traps never");
    m.output("slice_valid_o", Ty::bit(), "");
    m.input("slice_take_i", Ty::bit(), "");
    m.output("slice_o", Ty::named("store_slice_t"), "");

    m.section(
        "A store stays here until it has been handed on and all its strides have been read. The next one may come in \
         while the last slice of the one before is still in the walk; that slice is good, and nothing can join it.",
    );
    m.signals(&["accept", "start"], Ty::bit());
    m.signal("cmd_q", Ty::named("store_cmd_t"), "");
    m.signal("valid_q", Ty::bit(), "");
    m.signal("fresh_q", Ty::bit(), "it came in the cycle before");
    m.signal("moved_q", Ty::bit(), "it has been handed on");
    m.signal("walking_q", Ty::bit(), "its slices are still to come");
    m.signal("old_q", Ty::bit(), "the last slice of the store before is still to come");
    m.signals(&["reading", "last_taken"], Ty::bit());
    m.text(
        r#"
        assign accept      = cmd_valid_i && cmd_ready_o;
        assign start       = accept && (cmd_i.mask != '0);
        assign cmd_ready_o = !valid_q || (moved_q && !reading);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q   <= 1'b0;
            fresh_q   <= 1'b0;
            moved_q   <= 1'b0;
            walking_q <= 1'b0;
            old_q     <= 1'b0;
          end else begin
            fresh_q <= accept;
            if (last_taken) begin
              old_q     <= 1'b0;
              walking_q <= walking_q && old_q;
            end
            if (op_valid_o && op_ready_i) moved_q <= 1'b1;
            if (cmd_ready_o) begin
              valid_q   <= cmd_valid_i;
              moved_q   <= 1'b0;
              walking_q <= start;
              if (walking_q && !last_taken) old_q <= 1'b1;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          if (accept) cmd_q <= cmd_i;
        end
        "#,
    );

    m.section("The walk. After a slice that fails, the others are passed over.");
    m.signals(&["walk_busy", "walk_valid", "walk_ready", "walk_last"], Ty::bit());
    m.signals(&["misaligned", "outside"], Ty::bit());
    m.signal("addr", Ty::bits(32), "");
    m.signal("pos", Ty::named("byte_idx_t"), "");
    m.signal("idx", Ty::bits(5), "");
    m.signal("fails", Ty::bit(), "this slice does");
    m.signal("trap_q", Ty::bit(), "a slice did");
    m.signal("misaligned_q", Ty::bit(), "");
    m.signal("tval_q", Ty::bits(32), "its address");
    m.signal("full", Ty::bit(), "");
    m.signal("push", Ty::bit(), "");
    m.signal("unused_busy", Ty::bit(), "");
    let align = if config.element_widths.last() > Some(&8) {
        // 32-bit elements: 2; 16: 1; 8 and 4: 0.
        "align = cmd_i.ewidth[1] ? {cmd_i.ewidth[0], !cmd_i.ewidth[0]} : 2'd0;"
    } else {
        "align = 2'd0;"
    };
    m.signal("align", Ty::bits(2), "log2(bytes of an element), 0 for 4 bits");
    m.instance(
        &tl_slice_walk::module(),
        "u_walk",
        &[("MemBytes", &config.l0m_bytes.to_string())],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("start_i", "start"),
            ("base_i", "cmd_i.base"),
            ("imm_i", "cmd_i.imm"),
            ("bytes_i", "cmd_i.bytes"),
            ("mask_i", "cmd_i.mask"),
            ("align_i", "align"),
            ("stride_idx_o", "stride_idx_o"),
            ("stride_i", "stride_i"),
            ("reading_o", "reading"),
            ("busy_o", "walk_busy"),
            ("valid_o", "walk_valid"),
            ("ready_i", "walk_ready"),
            ("addr_o", "addr"),
            ("pos_o", "pos"),
            ("idx_o", "idx"),
            ("misaligned_o", "misaligned"),
            ("outside_o", "outside"),
            ("last_o", "walk_last"),
        ],
    );
    m.text(&format!(
        r#"
        assign {align}
        assign fails          = misaligned || outside;
        assign walk_ready     = !full || fails || trap_q;
        assign last_taken     = walk_valid && walk_ready && walk_last;
        assign push           = walk_valid && walk_ready && !fails && !trap_q;
        assign strides_busy_o = reading;
        assign unused_busy    = walk_busy;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            trap_q <= 1'b0;
          end else if (accept) begin
            trap_q <= 1'b0;
          end else if (walk_valid && fails) begin
            trap_q <= 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!trap_q) begin
            misaligned_q <= misaligned;
            tval_q       <= addr;
          end
        end
        "#,
    ));

    m.section("The verdict.");
    m.signal("proven", Ty::bit(), "no slice fails");
    m.instance(
        &tl_store_proof::module(config),
        "u_proof",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("start_i", "accept"),
            ("fresh_i", "fresh_q"),
            ("cmd_i", "cmd_q"),
            ("strides_i", "strides_i"),
            ("proven_o", "proven"),
        ],
    );
    m.text(
        r#"
        assign op_valid_o = valid_q && !moved_q && (proven || !walking_q);

        always_comb begin
          op_o.tag   = cmd_q.tag;
          op_o.src   = cmd_q.src;
          op_o.bytes = cmd_q.bytes;
          op_o.none  = (cmd_q.mask == '0) || trap_q;
          op_o.cause = CauseNone;
          op_o.tval  = '0;
          if (trap_q) begin
            op_o.cause = misaligned_q ? CauseStoreMisaligned : CauseStoreFault;
            op_o.tval  = tval_q;
          end
        end
        "#,
    );

    m.section(
        "The FIFO. It holds all slices of one store: the most that is walked before a verdict. A store that traps \
         takes its slices back.",
    );
    m.signals(&["head_q", "tail_q"], Ty::bits(6));
    m.signal("start_q", Ty::bits(6), "where the slices of the store begin that is walked");
    m.signal("tail_d", Ty::bits(6), "");
    m.signal("first_q", Ty::bit(), "the next slice is its first");
    m.signal("end_q", Ty::bits("L0mW+1"), "end of the slice before, in memory");
    m.signal("next_idx_q", Ty::bits(5), "number of the slice after it");
    m.signal("slice_d", Ty::named("store_slice_t"), "");
    m.text(
        r#"
        // Bits, not the type: current Yosys takes an array of a named type for one element of it.
        logic [$bits(slice_d)-1:0] slices [32];

        assign full          = tail_q == {!head_q[5], head_q[4:0]};
        assign slice_valid_o = tail_q != head_q;
        assign slice_o       = slices[head_q[4:0]];

        always_comb begin
          slice_d.addr  = addr[L0mW-1:0];
          slice_d.pos   = pos;
          slice_d.joins = !first_q && ({1'b0, slice_d.addr} == end_q) && (idx == next_idx_q);
          slice_d.last  = walk_last;
        end

        always_comb begin
          tail_d = tail_q + 6'(push);
          if (walk_valid && fails) tail_d = start_q;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q  <= '0;
            tail_q  <= '0;
            start_q <= '0;
            first_q <= 1'b1;
          end else begin
            tail_q <= tail_d;
            if (push) first_q <= walk_last;
            if (walk_valid && fails) first_q <= 1'b1;
            if (slice_take_i) head_q <= head_q + 6'd1;
            if (push && walk_last) start_q <= tail_d;
          end
        end

        always_ff @(posedge clk_i) begin
          if (push) begin
            slices[tail_q[4:0]] <= slice_d;
            end_q               <= (L0mW + 1)'(addr[L0mW-1:0]) + (L0mW + 1)'(cmd_q.bytes);
            next_idx_q          <= idx + 5'd1;
          end
        end
        "#,
    );
    m
}
