// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_lines`: checks a matrix access and walks its memory lines.

use crate::Config;
use crate::modules::tl_fifo;
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_mx_lines",
        "Checks an access as a whole, before anything is requested, and then gives its beats: for each memory line one \
         for each memory word that holds some of it. One beat per cycle, without a gap between accesses.",
    );
    m.clocked();
    m.group("Commands: there is room for all that are in flight");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.input("cmd_i", Ty::named("mx_cmd_t"), "");
    m.group("Beats");
    m.output("beat_valid_o", Ty::bit(), "");
    m.output("beat_store_o", Ty::bit(), "");
    m.input("beat_taken_i", Ty::bit(), "there is one, and it is taken");
    m.output("beat_o", Ty::named("mx_beat_t"), "");
    m.group("Accesses that trap");
    m.input(
        "give_up_i",
        Ty::bit(),
        "from the next cycle on, accesses that have not begun are void: they end as if they trapped",
    );
    m.output("trap_o", Ty::named("ls_done_t"), "holds until it is taken");
    m.output("trap_store_o", Ty::bit(), "");
    m.input("trap_ready_i", Ty::bit(), "");
    check(&mut m, config);
    walk(&mut m);
    m
}

fn check(m: &mut Module, config: &Config) {
    m.section(
        "The check of an access, in two cycles, and the accesses that wait in between. Addresses of lines rise or fall evenly and by \
         less than the memory has, if the second line is inside: so all lines are inside when the first and the last are, counted \
         without wrapping around.",
    );
    m.text(&format!(
        r#"
        localparam int unsigned L1mBytes = {};
        localparam int unsigned L0mBytes = {};
        localparam int unsigned CmdW = TagW + 7 + 2 * (MxByteW + 1) + 64;
        localparam int unsigned LenW = (PortW > MxByteW ? PortW : MxByteW) + 1;
        localparam int unsigned SpanW = MxMemW + MxByteW + 1;  // signed: how far the last line is
        localparam int unsigned CheckW = CmdW + MxByteW + 6;
        "#,
        config.l1m_bytes, config.l0m_bytes
    ));
    m.signal("next_valid_q", Ty::bit(), "");
    m.signal("next_q", Ty::named("mx_cmd_t"), "");
    m.signal("several", Ty::bit(), "more than one line");
    m.signal("align", Ty::bits(2), "address bits that must be 0");
    m.signals(&["base_misaligned", "stride_misaligned"], Ty::bit());
    m.signal("size", Ty::bits(32), "bytes of the memory");
    m.signal("near", Ty::bit(), "the second line is less than a memory away");
    m.signal("distance", Ty::bits("MxMemW+1"), "from line to line, signed: the lowest bits of the stride");
    m.signal("before_last_q", Ty::named("mx_idx_t"), "lines before the last one");
    m.signal("to_last_q", Ty::named("mx_idx_t"), "bytes before the last one of a line");
    m.signal("span", Ty::bits("SpanW"), "of all lines but the last, signed");
    m.signal("first_last", Ty::bits(33), "the last byte of the first line");
    m.signal("first_inside", Ty::bit(), "the first line is inside");
    m.signal("first_room", Ty::bits("LenW"), "bytes of the memory word from the first line on");
    m.signal("first_over", Ty::bit(), "the first line ends in that word");
    m.signal("first_stop", Ty::named("mx_len_t"), "behind the last byte of the first beat");
    m.signals(&["check", "checked_bits"], Ty::bits("CheckW"));
    m.signals(&["unused_room", "checked_valid", "checked_ready"], Ty::bit());
    m.signal("checked", Ty::named("mx_cmd_t"), "");
    m.signal("checked_base", Ty::bit(), "its base is misaligned");
    m.signal("checked_stride", Ty::bit(), "its stride is misaligned");
    m.signals(&["checked_several", "checked_inside", "checked_over"], Ty::bit());
    m.signal("checked_stop", Ty::named("mx_len_t"), "");
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) next_valid_q <= 1'b0;
          else next_valid_q <= cmd_valid_i;
        end

        always_ff @(posedge clk_i) begin
          next_q        <= cmd_i;
          before_last_q <= MxByteW'(cmd_i.lines - 1'b1);
          to_last_q     <= MxByteW'(cmd_i.bytes - 1'b1);
        end

        assign several           = next_q.lines != (MxByteW + 1)'(1);
        assign align             = {next_q.d_size[1], |next_q.d_size};
        assign base_misaligned   = (next_q.base[1:0] & align) != 2'b00;
        assign stride_misaligned = several && ((next_q.stride[1:0] & align) != 2'b00);
        assign size              = next_q.store ? L0mBytes : L1mBytes;
        assign near              = (next_q.stride[31:MxMemW] == '0) || (next_q.stride[31:MxMemW] == '1);

        assign distance = next_q.stride[MxMemW:0];

        // Of a negative stride the top bit counts the other way round.
        assign span = SpanW'(distance[MxMemW-1:0]) * SpanW'(before_last_q) -
            (distance[MxMemW] ? SpanW'(before_last_q) << MxMemW : '0);

        assign first_last   = 33'(next_q.base) + 33'(to_last_q);
        assign first_inside = first_last < 33'(size);
        assign first_room   = LenW'(PortBytes) - LenW'(next_q.base[PortW-1:0]);
        assign first_over   = LenW'(next_q.bytes) <= first_room;
        assign first_stop   = first_over ? next_q.bytes : (MxByteW + 1)'(first_room);

        assign check = {next_q, first_stop, first_inside, first_over, several,
            base_misaligned, stride_misaligned};
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_checked",
        &[("Width", "CheckW"), ("Depth", "2 ** TagW"), ("Refuses", "0")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "next_valid_q"),
            ("ready_o", "unused_room"),
            ("data_i", "check"),
            ("valid_o", "checked_valid"),
            ("ready_i", "checked_ready"),
            ("data_o", "checked_bits"),
        ],
    );
    m.text(
        r#"
        assign {checked, checked_stop, checked_inside, checked_over, checked_several,
            checked_base, checked_stride} = checked_bits;
        "#,
    );
    m.section(
        "The second cycle of the check: it ends in the first one in which the access can be the next that is walked.",
    );
    m.signals(&["second_valid_q", "several_q"], Ty::bit());
    m.signal("near_q", Ty::bit(), "");
    m.signal("first_inside_q", Ty::bit(), "");
    m.signal("store_q", Ty::bit(), "");
    m.signal("start_q", Ty::bits("MxMemW"), "first byte of its first line, if that is inside");
    m.signal("first_last_q", Ty::bits("MxMemW"), "last byte of it");
    m.signal("span_q", Ty::bits("SpanW"), "");
    m.signal("second_size", Ty::bits("SpanW"), "bytes of its memory");
    m.signal("last_start", Ty::bits("SpanW"), "first byte of its last line, signed");
    m.signal("last_byte", Ty::bits("SpanW"), "last byte of that");
    m.signal("second_inside", Ty::bit(), "all of its lines are inside");
    m.signal("inside_tail_q", Ty::named("tag_t"), "the place of that");
    m.signal("inside_head_q", Ty::named("tag_t"), "the place of the next one that is walked");
    m.signal("in_memory", Ty::bit(), "all lines of that are inside");
    m.text(
        r#"
        logic all_inside [2 ** TagW];  // of the accesses that wait

        always_ff @(posedge clk_i) begin
          several_q      <= several;
          near_q         <= near;
          first_inside_q <= first_inside;
          store_q        <= next_q.store;
          start_q        <= next_q.base[MxMemW-1:0];
          first_last_q   <= first_last[MxMemW-1:0];
          span_q         <= span;
        end

        assign second_size   = store_q ? SpanW'(L0mBytes) : SpanW'(L1mBytes);
        assign last_start    = SpanW'(start_q) + span_q;
        assign last_byte     = SpanW'(first_last_q) + span_q;
        assign second_inside = first_inside_q && (!several_q ||
            (near_q && !last_start[SpanW-1] && (last_byte < second_size)));

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            second_valid_q <= 1'b0;
            inside_tail_q  <= '0;
            inside_head_q  <= '0;
          end else begin
            second_valid_q <= next_valid_q;
            if (second_valid_q) inside_tail_q <= inside_tail_q + 1'b1;
            if (checked_valid && checked_ready) inside_head_q <= inside_head_q + 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (second_valid_q) all_inside[inside_tail_q] <= second_inside;
        end

        assign in_memory = (second_valid_q && (inside_tail_q == inside_head_q)) ?
            second_inside : all_inside[inside_head_q];
        "#,
    );
}

fn walk(m: &mut Module) {
    m.section(
        "The access whose lines are walked. One that traps gives no beats: when a line is outside, the walk finds the \
         first one.",
    );
    m.signal("valid_q", Ty::bit(), "");
    m.signal("moves", Ty::bit(), "what is walked goes on, or the next access comes");
    m.signal("leaves", Ty::bit(), "if it moves, the next access comes");
    m.signal("cmd_q", Ty::named("mx_cmd_t"), "its base is that of the line, its lines are those left");
    m.signals(&["base_misaligned_q", "stride_misaligned_q", "in_memory_q"], Ty::bit());
    m.signal("line_q", Ty::named("mx_idx_t"), "");
    m.signal("pos_q", Ty::named("mx_idx_t"), "bytes of the line that are done");
    m.signal("stop_q", Ty::named("mx_len_t"), "those that are when the beat is");
    m.signal("addr_q", Ty::bits("MxMemW"), "of the first byte of the beat");
    m.signal("first_q", Ty::bit(), "the beat is the first one");
    m.signal("last_line_q", Ty::bit(), "it is of the last line");
    m.signal("line_over_q", Ty::bit(), "it is the last one of its line");
    m.signal("last_q", Ty::bit(), "and that the last line");
    m.signal("checked_size", Ty::bits(32), "bytes of the memory of the next one");
    m.signal("limit_q", Ty::bits(32), "bytes of the memory");
    m.signals(&["traps_q", "misaligned"], Ty::bit());
    m.signal("start_outside_q", Ty::bit(), "the line is outside from its first byte on");
    m.signal("outside_q", Ty::bit(), "some of it is");
    m.signal("give_up_q", Ty::bit(), "");
    m.signal("dropped", Ty::bit(), "it has not begun, and is not to");
    m.signal("traps", Ty::bit(), "the access that comes traps");
    m.signal("found", Ty::bit(), "it traps, at this line");
    m.signal("found_q", Ty::bit(), "the same, a cycle later: who is told of it does much with it");
    m.signal("trap", Ty::named("ls_done_t"), "");
    m.signal("trap_q", Ty::named("ls_done_t"), "");
    m.signals(&["line_over", "word_over"], Ty::bit());
    m.signal("next_base_q", Ty::bits(32), "that of the next line");
    m.signal("line_room", Ty::bits("LenW"), "bytes of the memory word from the next line on");
    m.signal("word_stop", Ty::bits("LenW"), "behind the bytes of the line that the next memory word can hold");
    m.text(
        r#"
        assign checked_size = checked.store ? L0mBytes : L1mBytes;

        assign misaligned = base_misaligned_q || stride_misaligned_q;

        // A beat ends with its memory word or with its line. Of the next line, and the next word.
        assign line_room = LenW'(PortBytes) - LenW'(next_base_q[PortW-1:0]);
        assign line_over = LenW'(cmd_q.bytes) <= line_room;
        assign word_stop = LenW'(stop_q) + LenW'(PortBytes);
        assign word_over = LenW'(cmd_q.bytes) <= word_stop;

        always_comb begin
          beat_o.tag    = cmd_q.tag;
          beat_o.trans  = cmd_q.trans;
          beat_o.d_size = cmd_q.d_size;
          beat_o.md     = cmd_q.md;
          beat_o.line   = line_q;
          beat_o.pos    = pos_q;
          beat_o.stop   = stop_q;
          beat_o.turn   = cmd_q.base[PortW-1:0];
          beat_o.addr   = addr_q;
          beat_o.first  = first_q;
          beat_o.last   = last_q;
        end

        assign traps   = checked_base || checked_stride || !in_memory;
        assign dropped = give_up_q && !traps_q && first_q;

        assign found   = valid_q && (misaligned || (!in_memory_q && outside_q) || dropped);

        always_comb begin
          trap.valid = found;
          trap.tag   = cmd_q.tag;
          trap.tval  = cmd_q.base;
          if (misaligned) begin
            trap.cause = cmd_q.store ? CauseStoreMisaligned : CauseLoadMisaligned;
            if (!base_misaligned_q) trap.tval = next_base_q;
          end else begin
            trap.cause = cmd_q.store ? CauseStoreFault : CauseLoadFault;
            if (!start_outside_q) trap.tval = limit_q;
          end
          trap_o       = trap_q;
          trap_o.valid = found_q;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) found_q <= 1'b0;
          else found_q <= found && !(found_q && trap_ready_i);
        end

        always_ff @(posedge clk_i) begin
          trap_q <= trap;
        end

        assign trap_store_o = cmd_q.store;
        assign beat_store_o = cmd_q.store;

        // That a beat is taken is late. What would come is known before.
        assign leaves        = !valid_q || found_q || (!traps_q && last_q);
        assign moves         = beat_taken_i ||
            !valid_q || (traps_q && !found) || (found_q && trap_ready_i);
        assign checked_ready = moves && leaves;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q      <= 1'b0;
            beat_valid_o <= 1'b0;
          end else if (checked_ready) begin
            valid_q      <= checked_valid;
            beat_valid_o <= checked_valid && !traps && !give_up_i;
          end else begin
            beat_valid_o <= !traps_q && !(give_up_i && first_q && !beat_taken_i);
          end
        end

        always_ff @(posedge clk_i) begin
          give_up_q <= give_up_i;
        end

        always_ff @(posedge clk_i) begin
          if (moves) begin
            if (leaves) begin
              cmd_q               <= checked;
              next_base_q         <= checked.base + checked.stride;
              start_outside_q     <= checked.base >= checked_size;
              outside_q           <= !checked_inside;
              base_misaligned_q   <= checked_base;
              stride_misaligned_q <= checked_stride;
              in_memory_q         <= in_memory;
              traps_q             <= traps;
              limit_q             <= checked_size;
              line_q              <= '0;
              pos_q               <= '0;
              stop_q              <= checked_stop;
              addr_q              <= checked.base[MxMemW-1:0];
              first_q             <= 1'b1;
              last_line_q         <= !checked_several;
              line_over_q         <= checked_over;
              last_q              <= !checked_several && checked_over;
            end else if (traps_q || line_over_q) begin
              cmd_q.base      <= next_base_q;
              next_base_q     <= next_base_q + cmd_q.stride;
              start_outside_q <= next_base_q >= limit_q;
              outside_q       <= 33'(next_base_q) + 33'(cmd_q.bytes) > 33'(limit_q);
              cmd_q.lines     <= cmd_q.lines - 1'b1;
              line_q          <= line_q + 1'b1;
              pos_q           <= '0;
              stop_q          <= line_over ? cmd_q.bytes : (MxByteW + 1)'(line_room);
              addr_q          <= next_base_q[MxMemW-1:0];
              first_q         <= 1'b0;
              last_line_q     <= cmd_q.lines == (MxByteW + 1)'(2);
              line_over_q     <= line_over;
              last_q          <= line_over && (cmd_q.lines == (MxByteW + 1)'(2));
            end else begin
              pos_q       <= MxByteW'(stop_q);
              stop_q      <= word_over ? cmd_q.bytes : (MxByteW + 1)'(word_stop);
              addr_q      <= {addr_q[MxMemW-1:PortW] + 1'b1, PortW'(0)};
              first_q     <= 1'b0;
              line_over_q <= word_over;
              last_q      <= last_line_q && word_over;
            end
          end
        end
        "#,
    );
}
