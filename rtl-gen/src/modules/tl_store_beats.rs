// SPDX-License-Identifier: Apache-2.0
//! `tl_store_beats`: cuts the slices of stores into memory words.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_store_beats",
        "Joins slices that follow each other in the register and in memory to runs, and cuts the runs into beats: \
         what one memory word takes of a run. A beat is offered when its word is complete or its run has ended. One \
         beat and one slice per cycle.",
    );
    m.clocked();
    m.group("The store whose slices come");
    m.input("op_valid_i", Ty::bit(), "");
    m.input("tag_i", Ty::named("tag_t"), "");
    m.input("src_i", Ty::named("src_t"), "");
    m.input("bytes_i", Ty::bits("ByteW+1"), "of a slice");
    m.output("op_taken_o", Ty::bit(), "its last slice is taken");
    m.group("Slices");
    m.input("slice_valid_i", Ty::bit(), "");
    m.output("slice_take_o", Ty::bit(), "");
    m.input("slice_i", Ty::named("store_slice_t"), "");
    m.group("Beats");
    m.output("beat_valid_o", Ty::bit(), "");
    m.input("beat_ready_i", Ty::bit(), "");
    m.output("beat_o", Ty::named("store_beat_t"), "");
    m.output("busy_o", Ty::bit(), "there are bytes of which no beat was offered yet");

    m.section(
        "The run: its bytes that are known and not yet sent. Only a run without a complete word is made longer, so \
         that the bytes behind the first word are of the slice taken last.",
    );
    m.signal("valid_q", Ty::bit(), "");
    m.signal("last_q", Ty::bit(), "the last slice of the store is in it");
    m.signal("tag_q", Ty::named("tag_t"), "");
    m.signal("src_q", Ty::named("src_t"), "");
    m.signal("addr_q", Ty::bits("L0mW"), "of its first byte");
    m.signal("pos_q", Ty::named("byte_idx_t"), "of its first byte in the register");
    m.signal("slice_q", Ty::bits("L0mW"), "address of the slice of its first byte");
    m.signal("rem_q", Ty::bits("ByteW+1"), "bytes of the run");
    m.signal("newest_q", Ty::bits("L0mW"), "address of the slice taken last");
    m.signal("offered", Ty::bit(), "a slice");
    m.signal("room", Ty::bits("PortW+1"), "bytes from the address to the end of its word");
    m.signal("full", Ty::bit(), "the word is complete");
    m.signal("step", Ty::bits("PortW+1"), "bytes of the beat");
    m.signal("fire", Ty::bit(), "");
    m.signal("spent", Ty::bit(), "no byte is left");
    m.signal("left", Ty::bits("ByteW+1"), "bytes that are left");
    m.signal("extend", Ty::bit(), "the slice makes the run longer");
    m.signal("begin_run", Ty::bit(), "the slice begins a run");
    m.text(
        r#"
        assign offered      = slice_valid_i && op_valid_i;
        assign room         = (PortW + 1)'(PortBytes) - (PortW + 1)'(addr_q[PortW-1:0]);
        assign full         = rem_q >= (ByteW + 1)'(room);
        assign step         = full ? room : rem_q[PortW:0];
        assign beat_valid_o = valid_q && (full || last_q || (offered && !slice_i.joins));
        assign fire         = beat_valid_o && beat_ready_i;
        assign spent        = !valid_q || (fire && (rem_q <= (ByteW + 1)'(room)));
        assign left         = fire ? rem_q - (ByteW + 1)'(step) : rem_q;
        assign begin_run    = offered && spent;
        assign extend       = offered && !spent && slice_i.joins &&
            (fire ? left < (ByteW + 1)'(PortBytes) : !full);
        assign slice_take_o = begin_run || extend;
        assign op_taken_o   = slice_take_o && slice_i.last;
        assign busy_o       = valid_q;

        always_comb begin
          beat_o.tag   = tag_q;
          beat_o.src   = src_q;
          beat_o.addr  = addr_q;
          beat_o.pos   = pos_q;
          beat_o.slice = slice_q;
          beat_o.bytes = step;
          beat_o.last  = last_q && (rem_q <= (ByteW + 1)'(room));
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q <= 1'b0;
          end else begin
            valid_q <= !spent || begin_run;
          end
        end

        always_ff @(posedge clk_i) begin
          rem_q <= left;
          if (fire) begin
            addr_q  <= addr_q + L0mW'(step);
            pos_q   <= pos_q + ByteW'(step);
            slice_q <= newest_q;
          end
          if (begin_run) begin
            tag_q   <= tag_i;
            src_q   <= src_i;
            addr_q  <= slice_i.addr;
            pos_q   <= slice_i.pos;
            slice_q <= slice_i.addr;
            rem_q   <= bytes_i;
          end
          if (extend) rem_q <= left + bytes_i;
          if (slice_take_o) begin
            last_q   <= slice_i.last;
            newest_q <= slice_i.addr;
          end
        end
        "#,
    );
    m
}
