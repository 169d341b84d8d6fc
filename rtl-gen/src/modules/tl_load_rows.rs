// SPDX-License-Identifier: Apache-2.0
//! `tl_load_rows`: puts the bytes of the beats into rows and writes them.

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
    m.clocked();
    m.group("Beat, and the word that it is taken from");
    m.input("beat_valid_i", Ty::bit(), "");
    m.output("beat_ready_o", Ty::bit(), "only with beat_valid_i");
    m.input("beat_write_i", Ty::bit(), "its bytes are to be written");
    m.input("beat_last_i", Ty::bit(), "of its command");
    m.input("beat_offset_i", Ty::named("port_off_t"), "first byte in the word");
    m.input("beat_count_i", Ty::bits("PortW+1"), "bytes");
    m.input("beat_pos_i", Ty::named("byte_idx_t"), "first byte in the register");
    m.input("beat_slot_i", Ty::bit(), "slot of its command");
    m.input("word_valid_i", Ty::bit(), "the word is there, or none is needed");
    m.input("word_i", Ty::bits("8*PortBytes"), "");
    m.group("Destinations of the commands of the two slots");
    m.input("phys_i", Ty::named("phys_t").packed(2), "");
    m.output("writing_o", Ty::bits(2), "slots with rows to be written behind this cycle");
    m.group("Sweep: rows from zero_row_i on of the register of a slot");
    m.input("zero_todo_i", Ty::bits(2), "slots whose sweep is not over");
    m.input("zero_valid_i", Ty::bit(), "one is on");
    m.input("zero_slot_i", Ty::bit(), "");
    m.input("zero_row_i", Ty::bits("RowW+1"), "");
    m.output("zero_count_o", Ty::bits(2), "rows written in this cycle");
    m.group("Register file");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.input("rf_write_gnt_i", Ty::bit(), "");

    m.section("Byte o of the word goes to lane pos % Lanes: rotate by the difference.");
    m.signal("turn", Ty::named("lane_t"), "lanes");
    m.signal("rotated", Ty::bits("RowBits"), "");
    m.text(
        r#"
        assign turn = beat_pos_i[LaneW-1:0] - LaneW'(beat_offset_i);

        always_comb begin
          rotated = RowBits'(word_i);
          for (int unsigned s = 0; s < LaneW; s++) begin
            if (turn[s]) rotated = (rotated << (8 << s)) | (rotated >> (RowBits - (8 << s)));
          end
        end
        "#,
    );

    m.section("Which rows, and which bytes of them.");
    m.signal("row", Ty::named("row_t"), "of the first byte");
    m.signal("stop", Ty::bits("LaneW+1"), "lane behind the last byte; from Lanes on in the next row");
    m.signal("pair", Ty::bits("RowW-1").packed(2), "row pair touched in each bank");
    m.signal("touched", Ty::bits(2), "banks");
    m.signal("bytes", Ty::bits("Lanes").packed(2), "bytes touched in each bank");
    m.text(
        r#"
        assign row     = beat_pos_i[ByteW-1:LaneW];
        assign stop    = (LaneW + 1)'(beat_pos_i[LaneW-1:0]) + (LaneW + 1)'(beat_count_i);
        assign pair[1] = row[RowW-1:1];
        assign pair[0] = row[RowW-1:1] + (RowW - 1)'(row[0]);

        always_comb begin
          bytes = '0;
          for (int unsigned l = 0; l < Lanes; l++) begin
            bytes[row[0]][l]  = (l >= 32'(beat_pos_i[LaneW-1:0])) && (l < 32'(stop));
            bytes[!row[0]][l] = l + Lanes < 32'(stop);
          end
          touched          = '0;
          touched[row[0]]  = beat_write_i;
          touched[!row[0]] = beat_write_i && (stop > (LaneW + 1)'(Lanes));
        end
        "#,
    );

    m.section("The row that each bank collects, or has finished and not yet written.");
    m.signal("full_q", Ty::bits(2), "there is one");
    m.signal("finished_q", Ty::bits(2), "no more bytes come");
    m.signal("slot_q", Ty::bits(2), "slot of the command of each");
    m.signal("pair_q", Ty::bits("RowW-1").packed(2), "");
    m.signal("data_q", Ty::bits(8).packed("Lanes").packed(2), "");
    m.signal("left_behind", Ty::bits(2), "the beat is in a later row");
    m.signal("grows", Ty::bits(2), "the beat adds to the row");
    m.signal("space", Ty::bits(2), "the bank can take the beat");
    m.signal("swept", Ty::bits(2), "no zeros will be written to the row");
    m.signal("ready", Ty::bits(2), "the row is to be written");
    m.signal("written", Ty::bits(2), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            left_behind[b] = beat_valid_i && ({pair_q[b], 1'(b)} != row);
            grows[b]       = full_q[b] && !finished_q[b] && (pair_q[b] == pair[b]);
            swept[b]       = !zero_todo_i[slot_q[b]] || (zero_valid_i && (zero_slot_i == slot_q[b]) &&
                ({1'b0, pair_q[b], 1'(b)} < zero_row_i));
            ready[b]       = full_q[b] && swept[b] && (finished_q[b] || left_behind[b]);
          end
        end

        // Apart from the above: the grant depends on a request, and no request on it.
        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            written[b] = ready[b] && rf_write_gnt_i;
            space[b]   = !touched[b] || !full_q[b] || grows[b] || written[b];
          end
          for (int unsigned s = 0; s < 2; s++) begin
            writing_o[s] = (full_q[0] && !written[0] && (slot_q[0] == 1'(s))) ||
                (full_q[1] && !written[1] && (slot_q[1] == 1'(s)));
          end
        end

        assign beat_ready_o = beat_valid_i && word_valid_i && (space == '1);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            full_q     <= '0;
            finished_q <= '0;
          end else begin
            for (int unsigned b = 0; b < 2; b++) begin
              if (beat_ready_o && touched[b]) begin
                full_q[b]     <= 1'b1;
                finished_q[b] <= beat_last_i || ((row[0] == 1'(b)) && stop[LaneW]);
              end else begin
                if (written[b]) full_q[b] <= 1'b0;
                if (left_behind[b] || (beat_ready_o && beat_last_i)) finished_q[b] <= 1'b1;
              end
            end
          end
        end

        always_ff @(posedge clk_i) begin
          for (int unsigned b = 0; b < 2; b++) begin
            if (beat_ready_o && touched[b]) begin
              slot_q[b] <= beat_slot_i;
              pair_q[b] <= pair[b];
              for (int unsigned l = 0; l < Lanes; l++) begin
                if (bytes[b][l]) begin
                  data_q[b][l] <= rotated[8*l+:8];
                end else if (!grows[b]) begin
                  data_q[b][l] <= '0;
                end
              end
            end
          end
        end
        "#,
    );

    m.section("Zeros where there are no data: the row of the sweep, and the one behind it.");
    m.signal("zero", Ty::bits(2), "banks");
    m.signal("zero_first", Ty::bit(), "bank of the row of the sweep");
    m.signal("zero_now", Ty::bit(), "it is free");
    m.text(
        r#"
        assign zero_first   = zero_row_i[0];

        assign zero_now     = zero_valid_i && !ready[zero_first];

        // Two rows only as a pair: the sweep is aligned again after a single one.
        always_comb begin
          zero              = '0;
          zero[zero_first]  = zero_now;
          zero[!zero_first] = zero_now && !ready[!zero_first] && !zero_first;
        end

        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            rf_write_o.valid[b] = ready[b] || zero[b];
            if (ready[b]) begin
              rf_write_o.addr[b] = bank_addr(phys_i[slot_q[b]], pair_q[b]);
              rf_write_o.data[b] = data_q[b];
            end else begin
              rf_write_o.addr[b] = bank_addr(phys_i[zero_slot_i], zero_row_i[RowW-1:1]);
              rf_write_o.data[b] = '0;
            end
          end
        end

        assign zero_count_o = rf_write_gnt_i ? 2'(zero[0]) + 2'(zero[1]) : 2'd0;
        "#,
    );
    m
}
