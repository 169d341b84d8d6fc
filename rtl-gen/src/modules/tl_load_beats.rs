// SPDX-License-Identifier: Apache-2.0
//! `tl_load_beats`: from slices to the words of memory that hold them.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_load_beats",
        "Splits the slices of a load into beats: the bytes that are taken from one word of memory. Slices that follow \
         each other in memory and in the register form one run, whose words are read once. Takes a slice and gives a \
         beat per cycle.\n\
         Every command ends in a beat that is marked as the last. It is not an access when the command has no slices, \
         or when a slice fails its checks: then it stands for the fault, the slice stays at slice_*_i until \
         fault_taken_i, and the slices behind it are dropped.",
    );
    m.param("AddrW", "18", "bits of a memory address");
    m.clocked();
    m.group("Command");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.input("cmd_empty_i", Ty::bit(), "it has no slices");
    m.input("cmd_bytes_i", Ty::bits("ByteW+1"), "of a slice");
    m.output("cmd_done_o", Ty::bit(), "it needs nothing more from here");
    m.input("next_valid_i", Ty::bit(), "a command with slices follows it");
    m.input("next_bytes_i", Ty::bits("ByteW+1"), "");
    m.group("Slices");
    m.input("slice_valid_i", Ty::bit(), "");
    m.output("slice_ready_o", Ty::bit(), "");
    m.input("slice_addr_i", Ty::bits(32), "");
    m.input("slice_pos_i", Ty::named("byte_idx_t"), "");
    m.input("slice_idx_i", Ty::bits(5), "");
    m.input("slice_fault_i", Ty::bit(), "it fails its checks");
    m.input("slice_last_i", Ty::bit(), "");
    m.group("Beats");
    m.output("beat_valid_o", Ty::bit(), "");
    m.input("beat_ready_i", Ty::bit(), "");
    m.output("beat_mem_o", Ty::bit(), "an access; the fields below do not count otherwise");
    m.output("beat_fault_o", Ty::bit(), "the slice at slice_*_i fails");
    m.output("beat_last_o", Ty::bit(), "");
    m.output("beat_addr_o", Ty::bits("AddrW"), "of the first byte");
    m.output("beat_count_o", Ty::bits("PortW+1"), "bytes");
    m.output("beat_pos_o", Ty::named("byte_idx_t"), "of the first byte, in the register");
    m.output("beat_slice_o", Ty::bits("AddrW"), "address of the slice of the first byte");
    m.group("Fault");
    m.input("fault_taken_i", Ty::bit(), "");
    m.output("dropping_o", Ty::bit(), "slices behind a fault are dropped");

    m.section(
        "The run: what is left of the slices taken so far. A slice is joined only when it is needed to fill the word \
         at hand, so what reaches beyond that word is of the newest slice.",
    );
    m.signal("run_q", Ty::bit(), "there is a run");
    m.signal("final_q", Ty::bit(), "no slice follows");
    m.signal("addr_q", Ty::bits("AddrW"), "of its first byte");
    m.signal("end_q", Ty::bits("AddrW+1"), "behind its last byte");
    m.signal("pos_q", Ty::named("byte_idx_t"), "of its first byte, in the register");
    m.signal("left_q", Ty::bits("ByteW+1"), "bytes");
    m.signal("next_q", Ty::bits(5), "slice that may join");
    m.signal("first_q", Ty::bits("AddrW"), "address of the slice of the first byte");
    m.signal("newest_q", Ty::bits("AddrW"), "address of the newest slice");
    m.signal("room", Ty::bits("PortW+1"), "bytes up to the end of the word");
    m.signal("follows", Ty::bit(), "the slice at the input may join");
    m.signal("joins", Ty::bit(), "and is needed");
    m.signal("filled", Ty::bit(), "the run reaches the end of the word");
    m.signals(&["total", "rest"], Ty::bits("ByteW+1"));
    m.signal("access", Ty::bit(), "a beat of the run");
    m.text(
        r#"
        assign room    = (PortW + 1)'(PortBytes) - (PortW + 1)'(addr_q[PortW-1:0]);
        assign follows = !slice_fault_i && (slice_idx_i == next_q) && (slice_addr_i == 32'(end_q));
        assign joins   = run_q && !final_q && slice_valid_i && follows && (left_q < (ByteW + 1)'(room));
        assign total   = joins ? left_q + cmd_bytes_i : left_q;
        assign filled  = total >= (ByteW + 1)'(room);
        assign rest    = total - (ByteW + 1)'(beat_count_o);
        assign access  = run_q && (filled || final_q || (slice_valid_i && !follows));
        "#,
    );

    m.section("Beats.");
    m.signal("state_q", Ty::bits(2), "");
    m.signal("idle", Ty::bit(), "no run, a command");
    m.signal("send", Ty::bit(), "");
    m.text(
        r#"
        localparam logic [1:0] Walk = 2'd0;   // no fault
        localparam logic [1:0] Fault = 2'd1;  // its beat is on the way
        localparam logic [1:0] Drop = 2'd2;   // the slices behind it are dropped

        assign idle         = !run_q && cmd_valid_i && (state_q == Walk);
        assign beat_mem_o   = run_q;
        assign beat_fault_o = !run_q && !cmd_empty_i;
        assign beat_valid_o = access || (idle && (cmd_empty_i || (slice_valid_i && slice_fault_i)));
        assign beat_last_o  = !run_q || ((final_q || (joins && slice_last_i)) && (rest == '0));
        assign beat_addr_o  = addr_q;
        assign beat_count_o = filled ? room : total[PortW:0];
        assign beat_pos_o   = pos_q;
        assign beat_slice_o = first_q;
        assign send         = beat_valid_o && beat_ready_i;
        "#,
    );

    m.section(
        "Slices. One that does not join starts a run in the cycle of the last beat of the run before it, so that no \
         cycle is lost, not even between two commands.",
    );
    m.signal("extend", Ty::bit(), "");
    m.signal("start", Ty::bit(), "");
    m.signal("ends", Ty::bit(), "the run, with this beat");
    m.signal("bytes", Ty::bits("ByteW+1"), "of the slice at the input");
    m.text(
        r#"
        assign extend        = joins && (!filled || send);
        assign ends          = run_q && send && !joins && (rest == '0) && (!final_q || next_valid_i);
        assign start         = ((idle && !cmd_empty_i) || ends) && slice_valid_i && !slice_fault_i;
        assign bytes         = run_q && final_q ? next_bytes_i : cmd_bytes_i;
        assign dropping_o    = state_q == Drop;
        assign slice_ready_o = extend || start || dropping_o;
        assign cmd_done_o    = (send && beat_last_o && !beat_fault_o) ||
            (dropping_o && slice_valid_i && slice_last_i);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            run_q   <= 1'b0;
            state_q <= Walk;
          end else begin
            if (start) begin
              run_q <= 1'b1;
            end else if (send && (rest == '0)) begin
              run_q <= 1'b0;
            end
            unique case (state_q)
              Walk:    if (send && beat_fault_o) state_q <= Fault;
              Fault:   if (fault_taken_i) state_q <= Drop;
              default: if (slice_valid_i && slice_last_i) state_q <= Walk;
            endcase
          end
        end

        always_ff @(posedge clk_i) begin
          if (start || extend) begin
            final_q  <= slice_last_i;
            end_q    <= slice_addr_i[AddrW:0] + (AddrW + 1)'(bytes);
            next_q   <= slice_idx_i + 5'd1;
            newest_q <= slice_addr_i[AddrW-1:0];
          end
          if (start) begin
            addr_q  <= slice_addr_i[AddrW-1:0];
            pos_q   <= slice_pos_i;
            left_q  <= bytes;
            first_q <= slice_addr_i[AddrW-1:0];
          end else if (send) begin
            addr_q  <= addr_q + AddrW'(beat_count_o);
            pos_q   <= pos_q + ByteW'(beat_count_o);
            left_q  <= rest;
            first_q <= joins ? slice_addr_i[AddrW-1:0] : newest_q;
          end else if (extend) begin
            left_q <= total;
          end
        end
        "#,
    );
    m
}
