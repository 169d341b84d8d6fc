// SPDX-License-Identifier: Apache-2.0
//! `tl_beats`: from slices to the beats of a memory port.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_beats",
        "Joins slices that follow each other in the register and in memory to runs, and cuts the runs into beats: what \
         one memory word takes of a run. A beat is offered when its word is complete or its run has ended. One slice \
         and one beat per cycle.\n\
         A command without bytes has one slice that is marked none; its beat is marked so and is no access.",
    );
    m.param("AddrW", "18", "bits of a memory address");
    m.clocked();
    m.group("Slices");
    m.input("slice_valid_i", Ty::bit(), "");
    m.output("slice_take_o", Ty::bit(), "");
    m.input("slice_none_i", Ty::bit(), "");
    m.input("slice_addr_i", Ty::bits("AddrW"), "");
    m.input("slice_pos_i", Ty::named("byte_idx_t"), "first byte in the register");
    m.input("slice_bytes_i", Ty::bits("ByteW+1"), "");
    m.input("slice_joins_i", Ty::bit(), "it follows the slice before it");
    m.input("slice_last_i", Ty::bit(), "of the command");
    m.group("Beats");
    m.output("beat_valid_o", Ty::bit(), "");
    m.input("beat_ready_i", Ty::bit(), "");
    m.output("beat_none_o", Ty::bit(), "");
    m.output("beat_addr_o", Ty::bits("AddrW"), "of the first byte");
    m.output("beat_pos_o", Ty::named("byte_idx_t"), "of the first byte, in the register");
    m.output(
        "beat_shift_o",
        Ty::bits("LaneW+1"),
        "from its lane in the memory word to that in its row; may be negative",
    );
    m.output("beat_bytes_o", Ty::bits("PortW+1"), "1 to PortBytes");
    m.output("beat_stop_o", Ty::bits("PortW+1"), "behind its last byte, in the memory word");
    m.output("beat_slice_o", Ty::bits("AddrW"), "address of the slice of the first byte");
    m.output("beat_last_o", Ty::bit(), "of the command");

    m.section(
        "The run: its bytes that are known and not yet sent. Only a run without a complete word is made longer, so \
         that the bytes behind the first word are of the slice taken last.",
    );
    m.signal("valid_q", Ty::bit(), "");
    m.signal("none_q", Ty::bit(), "");
    m.signal("last_q", Ty::bit(), "the last slice of the command is in it");
    m.signal("addr_q", Ty::bits("AddrW"), "of its first byte");
    m.signal("pos_q", Ty::named("byte_idx_t"), "of its first byte in the register");
    m.signal("shift_q", Ty::bits("LaneW+1"), "from its lane in the memory word to that in its row");
    m.signal("slice_q", Ty::bits("AddrW"), "address of the slice of its first byte");
    m.signal("newest_q", Ty::bits("AddrW"), "address of the slice taken last");
    m.signal("behind_q", Ty::bits("ByteW+1-PortW"), "complete words behind the first; -1: that is not complete");
    m.signal("tail_q", Ty::named("port_off_t"), "bytes of the end of the run in the word behind those");
    m.signal("full", Ty::bit(), "the first word is complete");
    m.signal("fire", Ty::bit(), "");
    m.signal("ends", Ty::bit(), "no byte is behind the first word");
    m.signal("spent", Ty::bit(), "no byte is left");
    m.signal("begin_run", Ty::bit(), "the slice begins a run");
    m.signal("single_q", Ty::bit(), "no complete word is behind the first, which is");
    m.signal("left", Ty::bits("ByteW+1"), "behind_q and tail_q when the slice is the end of the run");
    m.text(
        r#"
        assign full         = !behind_q[ByteW-PortW];
        assign ends         = !full || (single_q && tail_q == '0);
        assign beat_valid_o = valid_q && (full || last_q || (slice_valid_i && !slice_joins_i));
        assign fire         = beat_valid_o && beat_ready_i;
        assign spent        = !valid_q || (fire && ends);
        assign begin_run    = slice_valid_i && spent;
        // It begins a run or makes it longer; what comes late is asked last.
        assign slice_take_o = slice_valid_i && (!valid_q || (full
            ? beat_ready_i && single_q && (slice_joins_i || tail_q == '0)
            : beat_ready_i || slice_joins_i));
        // A slice that makes the run longer begins where that ends: the word is that of its own address.
        assign left         = (slice_none_i ? '0 : slice_bytes_i) +
            {{(ByteW + 1 - PortW){1'b1}}, slice_addr_i[PortW-1:0]};

        assign beat_none_o  = none_q;
        assign beat_addr_o  = addr_q;
        assign beat_pos_o   = pos_q;
        assign beat_shift_o = shift_q;
        assign beat_slice_o = slice_q;
        assign beat_stop_o  = {full, full ? PortW'(0) : tail_q};
        assign beat_bytes_o = beat_stop_o - {1'b0, addr_q[PortW-1:0]};
        assign beat_last_o  = last_q && ends;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q <= 1'b0;
          end else begin
            valid_q <= !spent || begin_run;
          end
        end

        always_ff @(posedge clk_i) begin
          if (slice_take_o) begin
            {behind_q, tail_q} <= left;
            single_q           <= left[ByteW:PortW] == '0;
            last_q             <= slice_last_i;
            newest_q           <= slice_addr_i;
          end else if (fire) begin
            behind_q <= behind_q - 1'b1;
            single_q <= behind_q == (ByteW + 1 - PortW)'(1);
          end
          if (begin_run) begin
            none_q  <= slice_none_i;
            addr_q  <= slice_addr_i;
            pos_q   <= slice_pos_i;
            shift_q <= {1'b0, slice_pos_i[LaneW-1:0]} - (LaneW + 1)'(slice_addr_i[PortW-1:0]);
            slice_q <= slice_addr_i;
          end else if (fire) begin
            addr_q  <= {addr_q[AddrW-1:PortW] + 1'b1, PortW'(0)};
            pos_q   <= pos_q + ByteW'(beat_bytes_o);
            shift_q <= {1'b0, shift_q[LaneW-1:0] + LaneW'(PortBytes)};
            slice_q <= newest_q;
          end
        end
        "#,
    );
    m
}
