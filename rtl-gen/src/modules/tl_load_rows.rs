// SPDX-License-Identifier: Apache-2.0
//! `tl_load_rows`: puts the bytes of the beats into rows and writes them.

use crate::modules::tl_load_bank;
use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_load_rows",
        "Collects the bytes of the beats of a load in one row per bank, and writes rows that are finished. A beat \
         touches at most two rows, which are in different banks; beats come in the order of the register's bytes. \
         Rows that no beat touches are written by a sweep of zeros, in the banks that are free in a cycle. Where the \
         sweep also passes rows with data it does so first: a row waits until it is past.",
    );
    ports(&mut m);
    turn(&mut m);
    collect(&mut m);
    write(&mut m);
    m
}

fn ports(m: &mut Module) {
    m.clocked();
    m.group("Beat, and the word that it is taken from");
    m.input("beat_valid_i", Ty::bit(), "");
    m.output("beat_ready_o", Ty::bit(), "");
    m.input("beat_write_i", Ty::bit(), "its bytes are to be written");
    m.input("beat_last_i", Ty::bit(), "of its command");
    m.input("beat_turn_i", Ty::named("lane_t"), "lanes from the first byte in the word to that in the row");
    m.input("beat_bytes_i", Ty::bits("PortW+1"), "");
    m.input("beat_pos_i", Ty::named("byte_idx_t"), "first byte in the register");
    m.input("beat_slot_i", Ty::named("load_slot_t"), "slot of its command");
    m.input("beat_phys_i", Ty::named("phys_t"), "where its bytes go");
    m.input("word_i", Ty::bits("8*PortBytes"), "");
    m.output("writing_o", Ty::bits("LoadSlots"), "the oldest slot that has rows to be written, and others");
    m.output("ended_o", Ty::bit(), "a beat is here that is the last of its command");
    m.output(
        "ended_slot_o",
        Ty::named("load_slot_t"),
        "its slot; writing_o has it in the next cycle, if it is still here",
    );
    m.group("Sweep: rows from zero_row_i on of a register");
    m.input("zero_todo_i", Ty::bits("LoadSlots"), "slots whose sweep is not over");
    m.input("zero_valid_i", Ty::bit(), "one is on");
    m.input("zero_slot_i", Ty::named("load_slot_t"), "");
    m.input("zero_phys_i", Ty::named("phys_t"), "");
    m.input("zero_row_i", Ty::bits("RowW+1"), "Rows: none is left");
    m.output("zero_count_o", Ty::bits(2), "rows by which it goes on");
    m.group("Register file");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.output("rf_blank_o", Ty::bits(2), "banks to which zeros are written, whatever the data");
    m.input("rf_write_gnt_i", Ty::bits(2), "banks");
}

fn turn(m: &mut Module) {
    m.section("Bytes of the word to their lanes; which bytes of which rows they are.");
    m.signal("rotated", Ty::bits("RowBits"), "");
    m.signal("lane", Ty::named("lane_t"), "of the first byte");
    m.signal("stop", Ty::bits("LaneW+1"), "lane behind the last byte; from Lanes on in the next row");
    m.signal("low", Ty::bits("Lanes"), "bytes in the row of the first byte");
    m.signal("high", Ty::bits("Lanes"), "bytes in the next row");
    m.signals(&["in_valid_q", "in_last_q"], Ty::bit());
    m.signal("in_bytes_q", Ty::bits("Lanes").packed(2), "bytes touched in each bank");
    m.signal("in_slot_q", Ty::named("load_slot_t"), "");
    m.signal("in_phys_q", Ty::named("phys_t"), "");
    m.signal("in_data_q", Ty::bits("RowBits"), "");
    m.text(
        r#"
        assign lane = beat_pos_i[LaneW-1:0];
        assign stop = (LaneW + 1)'(lane) + (LaneW + 1)'(beat_bytes_i);
        assign low  = ({Lanes{1'b1}} << lane) & (stop[LaneW] ? '1 : ~({Lanes{1'b1}} << stop[LaneW-1:0]));
        assign high = stop[LaneW] ? ~({Lanes{1'b1}} << stop[LaneW-1:0]) : '0;

        always_comb begin
          rotated = RowBits'(word_i);
          for (int unsigned s = 0; s < LaneW; s++) begin
            if (beat_turn_i[s]) rotated = (rotated << (8 << s)) | (rotated >> (RowBits - (8 << s)));
          end
        end

        assign ended_o      = in_valid_q && in_last_q;
        assign ended_slot_o = in_slot_q;

        always_ff @(posedge clk_i) begin
          if (beat_ready_o) begin
            in_valid_q <= beat_valid_i;
            in_last_q  <= beat_last_i;
            in_bytes_q <= beat_pos_i[LaneW] ? {low, high} : {high, low};
            in_slot_q  <= beat_slot_i;
            in_phys_q  <= beat_phys_i;
            in_data_q  <= rotated;
          end
        end
        "#,
    );
}

fn collect(m: &mut Module) {
    m.section("The row that each bank collects, or has finished and not yet handed on.");
    m.signal("full_q", Ty::bits(2), "there is one");
    m.signal("finished_q", Ty::bits(2), "no more bytes come");
    m.signal("slot_q", Ty::named("load_slot_t").packed(2), "slot of the command of each");
    m.signal("phys_q", Ty::named("phys_t").packed(2), "");
    m.signal("pair_q", Ty::bits("RowW-1").packed(2), "row pair");
    m.signal("data_q", Ty::bits(8).packed("Lanes").packed(2), "");
    m.signal("first", Ty::named("row_t"), "row of the first byte of the beat that comes");
    m.signal("pair", Ty::bits("RowW-1").packed(2), "row pair that it touches in each bank");
    m.signal("newest", Ty::bits("RowW-1").packed(2), "row pair of each bank when it is here");
    m.signal("in_pair_q", Ty::bits("RowW-1").packed(2), "row pair that the beat touches in each bank");
    m.signal("in_touched_q", Ty::bits(2), "banks that it touches, if there is a beat");
    m.signal("in_same_q", Ty::bits(2), "it is in the row of the bank");
    m.signal("in_ends_q", Ty::bits(2), "it fills the row of the bank to its end");
    m.signal("in_behind_q", Ty::bits(2), "it starts in another row");
    m.signal("behind", Ty::bits(2), "the beat is in a later row");
    m.signal("grows", Ty::bits(2), "the beat adds to the row");
    m.signal("out_room", Ty::bits(2), "for a row to be written");
    m.signal("hand_on", Ty::bits(2), "the row goes on to be written");
    m.signal("room", Ty::bits(2), "the bank can take its part of the beat");
    m.signal("enters", Ty::bits(2), "the part enters, and once more until the whole beat is taken");
    m.signal("space", Ty::bits(2), "the bank does not hold the beat up");
    m.signal("take", Ty::bit(), "");
    m.text(
        r#"
        assign first   = beat_pos_i[ByteW-1:LaneW];
        assign pair[1] = first[RowW-1:1];
        assign pair[0] = first[RowW-1:1] + (RowW - 1)'(first[0]);

        // A beat comes when the one before it has left: what it meets is known then.
        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            newest[b] = in_touched_q[b] ? in_pair_q[b] : pair_q[b];
          end
        end

        always_ff @(posedge clk_i) begin
          if (beat_ready_o) begin
            in_pair_q <= pair;
            for (int unsigned b = 0; b < 2; b++) begin
              in_touched_q[b] <= beat_valid_i && beat_write_i &&
                  ((first[0] == 1'(b)) || (stop > (LaneW + 1)'(Lanes)));
              in_same_q[b]    <= newest[b] == pair[b];
              in_ends_q[b]    <= stop[LaneW] && (first[0] == 1'(b));
              in_behind_q[b]  <= {newest[b], 1'(b)} != first;
            end
          end
        end

        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            behind[b]  = in_valid_q && in_behind_q[b];
            grows[b]   = full_q[b] && !finished_q[b] && in_same_q[b];
            hand_on[b] = full_q[b] && (finished_q[b] || behind[b]) && out_room[b];
            room[b]    = !full_q[b] || grows[b] || hand_on[b];
            // As room, but shorter: a part that is not in the row of the bank is behind it.
            space[b]   = !in_touched_q[b] || !full_q[b] || out_room[b] ||
                (in_same_q[b] && !finished_q[b]);
            enters[b]  = in_touched_q[b] && room[b];
          end
        end

        assign beat_ready_o = space == '1;
        assign take         = in_valid_q && beat_ready_o;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            full_q <= '0;
          end else begin
            for (int unsigned b = 0; b < 2; b++) begin
              if (beat_ready_o && in_touched_q[b]) full_q[b] <= 1'b1;
              else if (hand_on[b]) full_q[b] <= 1'b0;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          for (int unsigned b = 0; b < 2; b++) begin
            if (beat_ready_o && in_touched_q[b]) finished_q[b] <= in_last_q || in_ends_q[b];
            else if (behind[b] || (take && in_last_q)) finished_q[b] <= 1'b1;
            if (enters[b]) begin
              slot_q[b] <= in_slot_q;
              phys_q[b] <= in_phys_q;
              pair_q[b] <= in_pair_q[b];
              for (int unsigned l = 0; l < Lanes; l++) begin
                if (in_bytes_q[b][l]) begin
                  data_q[b][l] <= in_data_q[8*l+:8];
                end else if (!grows[b]) begin
                  data_q[b][l] <= '0;
                end
              end
            end
          end
        end
        "#,
    );
}

fn write(m: &mut Module) {
    m.section("Rows to be written.");
    m.signal("out_valid", Ty::bits(2), "banks with one");
    m.signal("out_slot", Ty::named("load_slot_t").packed(2), "of the oldest one");
    m.signal("here", Ty::bits(2), "banks with one that may be written");
    m.signal("blank", Ty::bits(2), "the others");
    m.signal("out_addr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("out_data", Ty::bits("RowBits").packed(2), "");
    for bank in ["0", "1"] {
        let of = |name: &str| format!("{name}[{bank}]");
        m.instance(
            &tl_load_bank::module(),
            &format!("u_bank_{bank}"),
            &[("Bank", bank)],
            &[
                ("clk_i", "clk_i"),
                ("rst_ni", "rst_ni"),
                ("push_i", &of("hand_on")),
                ("room_o", &of("out_room")),
                ("slot_i", &of("slot_q")),
                ("phys_i", &of("phys_q")),
                ("pair_i", &of("pair_q")),
                ("row_i", &of("data_q")),
                ("zero_todo_i", "zero_todo_i"),
                ("zero_valid_i", "zero_valid_i"),
                ("zero_slot_i", "zero_slot_i"),
                ("zero_row_i", "zero_row_i"),
                ("valid_o", &of("out_valid")),
                ("slot_o", &of("out_slot")),
                ("here_o", &of("here")),
                ("blank_o", &of("blank")),
                ("addr_o", &of("out_addr")),
                ("row_o", &of("out_data")),
                ("gnt_i", &of("rf_write_gnt_i")),
            ],
        );
    }
    m.text(
        r#"
        // Of the oldest slot with rows; rows behind it are of younger ones.
        always_comb begin
          for (int unsigned s = 0; s < LoadSlots; s++) begin
            writing_o[s] = 1'b0;
            for (int unsigned b = 0; b < 2; b++) begin
              if (full_q[b] && slot_q[b] == load_slot_t'(s)) writing_o[s] = 1'b1;
              if (out_valid[b] && out_slot[b] == load_slot_t'(s)) writing_o[s] = 1'b1;
            end
          end
        end
        "#,
    );
    m.section(
        "Zeros where there are no data: the row of the sweep, and the one behind it. Two rows only as a pair: the \
         sweep is aligned again after a single one. When only the second of a pair is granted, it is written again.",
    );
    m.signal("zero", Ty::bits(2), "banks to which zeros are written");
    m.signal("zero_first", Ty::bit(), "bank of the row of the sweep");
    m.signal("zero_here", Ty::bit(), "there is one");
    m.signal("zero_addr", Ty::named("bank_addr_t"), "");
    m.text(
        r#"
        assign zero_first = zero_row_i[0];
        assign zero_addr  = bank_addr(zero_phys_i, zero_row_i[RowW-1:1]);
        assign zero_here  = zero_valid_i && !zero_row_i[RowW];
        assign zero       = rf_write_o.valid & blank & rf_write_gnt_i;
        assign rf_blank_o = blank;

        always_comb begin
          rf_write_o.valid[0] = here[0] || (zero_here && !zero_first);
          rf_write_o.valid[1] = here[1] || (zero_here && (zero_first || !here[0]));
          for (int unsigned b = 0; b < 2; b++) begin
            rf_write_o.addr[b] = blank[b] ? zero_addr : out_addr[b];
            rf_write_o.data[b] = out_data[b];
          end
        end

        always_comb begin
          zero_count_o = 2'd0;
          if (zero[zero_first]) zero_count_o = (zero == 2'b11) ? 2'd2 : 2'd1;
        end
        "#,
    );
}
