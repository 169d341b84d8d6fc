// SPDX-License-Identifier: Apache-2.0
//! `tl_store_check`: the first half of the store engine, which decides whether a store traps.

use crate::Config;
use crate::modules::{tl_fifo, tl_slice_walk};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_store_check",
        "Takes stores, checks all slices of each and hands it on with the verdict. The slices go into a FIFO as they \
         are walked; they can be seen only when the verdict is known.\n\
         The verdict comes from one or two probes that go through the walker before the slices, or, where these cannot tell, \
         from the walk when it has passed the last slice. While the second half moves the data of a store, the next \
         ones are checked here.",
    );
    m.clocked();
    m.group("Commands");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_ready_o", Ty::bit(), "");
    m.output("cmd_soon_o", Ty::bit(), "ready in the next cycle, unless a command comes now");
    m.input("cmd_i", Ty::named("store_cmd_t"), "");
    m.group("Strides");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "tstore_stride[stride_idx_o]");
    m.input("bound_i", Ty::bits(32), "not less than any of them");
    m.output("strides_busy_o", Ty::bit(), "they may still be read");
    m.group("The oldest store, with its verdict");
    m.output("op_valid_o", Ty::bit(), "");
    m.input("op_take_i", Ty::bit(), "");
    m.output("op_o", Ty::named("store_op_t"), "");
    m.group("Slices of stores with a good verdict, oldest first");
    m.output("slice_valid_o", Ty::bit(), "");
    m.input("slice_take_i", Ty::bit(), "");
    m.output("slice_addr_o", Ty::named("l0m_addr_t"), "");
    m.output("slice_pos_o", Ty::named("byte_idx_t"), "first byte in the register");
    m.output("slice_bytes_o", Ty::bits("ByteW+1"), "");
    m.output("slice_joins_o", Ty::bit(), "it follows the slice before it, in the register and in memory");
    m.output("slice_last_o", Ty::bit(), "of the store");

    m.section("Stores that are here, and the walk.");
    m.signals(
        &["accept", "accept_q", "op_room", "op_here", "walk_start", "walk_soon", "walk_valid", "walk_ready"],
        Ty::bit(),
    );
    m.signals(&["walk_probe", "walk_none", "walk_joins", "walk_misaligned", "walk_outside", "walk_last"], Ty::bit());
    m.signal("walk_addr", Ty::bits(32), "");
    m.signal("walk_pos", Ty::named("byte_idx_t"), "");
    m.signal("walk_bytes", Ty::bits("ByteW+1"), "");
    m.signal("align", Ty::bits(2), "");
    m.signal("near", Ty::bit(), "");
    m.signal("probe", Ty::bit(), "probes are worth their cycles: the walk is not what limits the rate");
    m.text(
        r#"
        assign cmd_ready_o = walk_start && op_room;
        assign cmd_soon_o  = walk_soon && op_room && !accept_q;
        assign accept      = cmd_valid_i && cmd_ready_o;
        assign align       = {&cmd_i.ewidth, cmd_i.ewidth[1]};
        // With a bound of fewer bits no address of a probe wraps around.
        assign near        = bound_i[31:31-ByteW] == '0;
        assign probe       = near && !cmd_i.none && (!op_here || (cmd_i.bytes > (ByteW + 1)'(PortBytes)));
        "#,
    );
    m.instance(
        &tl_slice_walk::module(),
        "u_walk",
        &[("MemBytes", &config.l0m_bytes.to_string())],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("start_i", "accept"),
            ("ready_o", "walk_start"),
            ("soon_o", "walk_soon"),
            ("base_i", "cmd_i.base"),
            ("imm_i", "cmd_i.imm"),
            ("bytes_i", "cmd_i.bytes"),
            ("mask_i", "cmd_i.mask"),
            ("none_i", "cmd_i.none"),
            ("align_i", "align"),
            ("probe_i", "probe"),
            ("bound_i", "bound_i[30-ByteW:0]"),
            ("reading_o", "strides_busy_o"),
            ("stride_idx_o", "stride_idx_o"),
            ("stride_i", "stride_i"),
            ("valid_o", "walk_valid"),
            ("ready_i", "walk_ready"),
            ("probe_o", "walk_probe"),
            ("none_o", "walk_none"),
            ("addr_o", "walk_addr"),
            ("pos_o", "walk_pos"),
            ("bytes_o", "walk_bytes"),
            ("joins_o", "walk_joins"),
            ("misaligned_o", "walk_misaligned"),
            ("outside_o", "walk_outside"),
            ("last_o", "walk_last"),
        ],
    );
    m.section(
        "The verdict on the store that leaves the walk: at its last probe, its first failure, or its end. Slices that \
         are void are taken back a cycle later.",
    );
    m.signal("fails", Ty::bit(), "");
    m.signal("take", Ty::bit(), "");
    m.signal("doubt_q", Ty::bit(), "a probe of this store is outside, or there is none");
    m.signal("trap_q", Ty::bit(), "a slice of this store failed");
    m.signal("proven_q", Ty::bit(), "its probes were good");
    m.signal("good", Ty::bit(), "no slice fails: known now");
    m.signal("trap", Ty::bit(), "a slice fails: known now");
    m.signal("undo_q", Ty::bit(), "the slices of a store are void");
    m.signal("verdict_q", Ty::bit(), "");
    m.signal("nothing_q", Ty::bit(), "");
    m.signal("cause_q", Ty::named("cause_e"), "");
    m.signal("addr_q", Ty::bits(32), "");
    m.signal("push", Ty::bit(), "");
    m.signal("room_q", Ty::bit(), "for a slice");
    m.signal("cause", Ty::named("cause_e"), "");
    m.text(
        r#"
        assign fails      = walk_misaligned || walk_outside;
        assign walk_ready = room_q;
        assign take       = walk_valid && walk_ready;
        assign push       = take && !walk_probe && !walk_none && !trap_q;
        assign trap       = take && !walk_probe && fails && !trap_q;
        assign good       = take && walk_last && !fails && (walk_probe ? !doubt_q : !proven_q && !trap_q);

        always_comb begin
          cause = CauseNone;
          if (fails) cause = walk_misaligned ? CauseStoreMisaligned : CauseStoreFault;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            doubt_q   <= 1'b0;
            trap_q    <= 1'b0;
            proven_q  <= 1'b0;
            verdict_q <= 1'b0;
          end else begin
            verdict_q <= good || trap;
            if (take) begin
              doubt_q  <= !walk_last && fails;
              trap_q   <= (trap_q || trap) && !walk_last;
              proven_q <= (proven_q || good) && (walk_probe || !walk_last);
            end
          end
        end

        always_ff @(posedge clk_i) begin
          undo_q    <= trap;
          nothing_q <= walk_none || fails;
          cause_q   <= cause;
          addr_q    <= walk_addr;
        end
        "#,
    );
    m.section(
        "Stores that wait for their verdict, which takes longer than the cycle that they come here later: the walk \
         does not take another command in it.",
    );
    m.signal("tag_q", Ty::named("tag_t"), "");
    m.signal("src_q", Ty::named("src_t"), "");
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            accept_q <= 1'b0;
          end else begin
            accept_q <= accept;
          end
        end

        always_ff @(posedge clk_i) begin
          tag_q <= cmd_i.tag;
          src_q <= cmd_i.src;
        end
        "#,
    );
    m.signals(&["verdict_here", "verdict_room", "op_none"], Ty::bit());
    m.signal("op_tag", Ty::named("tag_t"), "");
    m.signal("op_src", Ty::named("src_t"), "");
    m.signal("op_cause", Ty::bits(3), "");
    m.signal("op_tval", Ty::bits(32), "");
    m.signal("unused_room", Ty::bit(), "a verdict has room where its store has");
    m.instance(
        &tl_fifo::module(),
        "u_ops",
        &[("Width", "TagW + 1 + PhysW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "accept_q"),
            ("ready_o", "op_room"),
            ("data_i", "{tag_q, src_q}"),
            ("valid_o", "op_here"),
            ("ready_i", "op_take_i"),
            ("data_o", "{op_tag, op_src}"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_verdicts",
        &[("Width", "36"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "verdict_q"),
            ("ready_o", "verdict_room"),
            ("data_i", "{nothing_q, cause_q, addr_q}"),
            ("valid_o", "verdict_here"),
            ("ready_i", "op_take_i"),
            ("data_o", "{op_none, op_cause, op_tval}"),
        ],
    );
    m.text(
        r#"
        assign unused_room = verdict_room;
        assign op_valid_o  = op_here && verdict_here;

        always_comb begin
          op_o.tag   = op_tag;
          op_o.src   = op_src;
          op_o.none  = op_none;
          op_o.cause = cause_e'(op_cause);
          op_o.tval  = op_tval;
        end
        "#,
    );
    m.section(
        "The slices. The FIFO holds all slices of one store: the most that is walked before a verdict. A store that \
         traps takes its slices back.",
    );
    m.signal("head_q", Ty::bits(6), "");
    m.signal("tail_q", Ty::bits(6), "");
    m.signal("place", Ty::bits(6), "of a slice that comes");
    m.signal("tail_d", Ty::bits(6), "");
    m.signal("seen_q", Ty::bits(6), "behind the slices that can be seen; where those of a store in doubt begin");
    m.text(
        r#"
        localparam int unsigned SliceW = L0mW + 2 * ByteW + 3;

        logic [SliceW-1:0] slices [32];
        logic [SliceW-1:0] slice;

        assign place         = undo_q ? seen_q : tail_q;
        assign tail_d        = place + 6'(push);
        assign slice         = {walk_addr[L0mW-1:0], walk_pos, walk_bytes, walk_joins, walk_last};
        assign slice_valid_o = head_q != seen_q;

        assign {slice_addr_o, slice_pos_o, slice_bytes_o, slice_joins_o, slice_last_o} =
            slices[head_q[4:0]];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q <= '0;
            tail_q <= '0;
            seen_q <= '0;
            room_q <= 1'b1;
          end else begin
            tail_q <= tail_d;
            // The whole walk waits for it. That a slice leaves is late.
            room_q <= slice_take_i || (tail_d != {!head_q[5], head_q[4:0]});
            if (good || proven_q) seen_q <= tail_d;
            if (slice_take_i) head_q <= head_q + 6'd1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (push) slices[place[4:0]] <= slice;
        end
        "#,
    );
    m
}
