// SPDX-License-Identifier: Apache-2.0
//! `tl_rename`: which physical register holds each TLReg.

use crate::modules::tl_lutram;
use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_rename",
        "Rename map: the physical register of each TLReg, whether it reads as zeros, and whether its value is still \
         to come. A result goes to a fresh register; the old one is free again when the instruction retires.",
    );
    m.clocked();
    m.group("The instruction in the dispatch stage");
    m.input("decoded_i", Ty::named("decoded_t"), "");
    m.input("take_i", Ty::bit(), "rename its results now");
    m.group("What the map says of it, from flip-flops: of the cycle before");
    m.output("map_ready_o", Ty::bit(), "this cycle: the map is as the instructions before left it");
    m.output("src1_o", Ty::named("src_t"), "");
    m.output("src2_o", Ty::named("src_t"), "");
    m.output("late_o", Ty::bits(2), "the engine has to wait for the operand");
    m.output("busy_o", Ty::bit(), "dispatch has to, or for the old result");
    m.output("results_o", Ty::named("results_t"), "as they would be renamed now");
    m.output("fresh_o", Ty::bit(), "there are fresh registers for them");
    m.group("To the engines");
    m.output("pending_o", Ty::bits("NumPhys"), "registers whose value is still to come");
    m.group("From tl_retire");
    m.input("complete_i", Ty::bits(3), "a value has come");
    m.input("complete_mark_i", Ty::named("mark_t").packed(3), "with this mark");
    m.input("restore_i", Ty::bit(), "put back the map entry of a result that is void");
    m.input("restore_rd_i", Ty::bits(5), "");
    m.input("restore_old_i", Ty::named("src_t"), "");
    m.input("release_i", Ty::bits(2), "registers that are free now");
    m.input("release_phys_i", Ty::named("phys_t").packed(2), "");
    m.text("localparam int unsigned SpareW = $clog2(NumSpare);  // bits of an index of the ring");
    map(&mut m);
    read(&mut m);
    fresh(&mut m);
    m
}

fn map(m: &mut Module) {
    m.section(
        "The map: a memory of physical registers, with a flag: it reads as zeros. After reset every TLReg does, and TLReg i has \
         physical register i - 1; this is written in the 32 cycles after reset, before the map is ready. Entries that change \
         wait, for the memory has one write port. What is still to come is marked for each physical register. Where traps are not \
         precise a result waits for the one that it replaces: no TLReg has two values to come, and is marked itself.",
    );
    m.signal("sweeps", Ty::bit(), "the map is written after reset");
    m.signal(
        "fill_q",
        Ty::named("phys_t"),
        "first the TLReg, then the fresh register that comes after reset; NumPhys: all have come",
    );
    m.signal("fill_last_q", Ty::named("phys_t"), "of the cycle before");
    m.signal("pending_q", Ty::bits("NumMarks"), "marks of values that are still to come");
    m.signal("wait_q", Ty::bits(2), "results that wait to be written to the map");
    m.signal("wait_rd_q", Ty::bits(5).packed(2), "");
    m.signal("wait_phys_q", Ty::named("phys_t").packed(2), "");
    m.signal("we", Ty::bit(), "");
    m.signal("waddr", Ty::bits(5), "");
    m.signal("wdata", Ty::named("phys_t"), "");
    m.signal("wzero", Ty::bit(), "");
    m.signal("mark", Ty::named("mark_t"), "of a result");
    m.signal("given", Ty::bits("NumMarks"), "one-hot: the mark of a result");
    m.signal("came", Ty::bits("NumMarks"), "marks of values that have come");
    m.signals(&["given_low", "given_high"], Ty::bits(8));
    m.signals(&["came_low", "came_high"], Ty::bits(8).packed(3));
    m.text(
        r#"
        assign sweeps      = fill_q < PhysW'(32);
        assign we          = sweeps || restore_i || (wait_q != '0);
        assign wzero       = sweeps || (restore_i && restore_old_i.zero);
        assign map_ready_o = !we;
        assign pending_o   = (Precise != 0) ? NumPhys'(pending_q) : '0;

        // Halves of a number are decoded once.
        assign mark = mark_of(wdata, waddr);

        always_comb begin
          for (int unsigned h = 0; h < 8; h++) begin
            given_low[h]  = (wait_q != '0) && !restore_i && (mark[2:0] == 3'(h));
            given_high[h] = mark[MarkW-1:3] == (MarkW - 3)'(h);
            for (int unsigned c = 0; c < 3; c++) begin
              came_low[c][h]  = complete_i[c] && (complete_mark_i[c][2:0] == 3'(h));
              came_high[c][h] = complete_mark_i[c][MarkW-1:3] == (MarkW - 3)'(h);
            end
          end
          for (int unsigned i = 0; i < NumMarks; i++) begin
            given[i] = given_low[i%8] && given_high[i/8];
            came[i]  = (came_low[0][i%8] && came_high[0][i/8]) ||
                (came_low[1][i%8] && came_high[1][i/8]) || (came_low[2][i%8] && came_high[2][i/8]);
          end
        end

        always_comb begin
          if (restore_i) begin
            waddr = restore_rd_i;
            wdata = restore_old_i.phys;
          end else if (wait_q[0]) begin
            waddr = wait_rd_q[0];
            wdata = wait_phys_q[0];
          end else if (sweeps) begin
            waddr = fill_q[4:0];
            wdata = fill_last_q;
          end else begin
            waddr = wait_rd_q[1];
            wdata = wait_phys_q[1];
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            wait_q <= '0;
          end else begin
            if (take_i) begin
              wait_q <= results_o.valid;
            end else if (!restore_i) begin
              wait_q <= {wait_q[1] && wait_q[0], 1'b0};
            end
          end
        end

        // No reset: nothing asks for a register that was never given.
        always_ff @(posedge clk_i) begin
          pending_q <= (pending_q & ~came) | given;
        end

        always_ff @(posedge clk_i) begin
          if (take_i) begin
            wait_rd_q   <= results_o.rd;
            wait_phys_q <= results_o.fresh;
          end
        end
        "#,
    );
}

fn read(m: &mut Module) {
    m.section(
        "What the instruction asks for: two operands and the first result. The second result is its operand too. Where \
         traps are precise, the map is put back as a whole, and an instruction waits for its operands in the engine. \
         Else it waits here, and for the result that it replaces: when a load traps, what follows reads the old one.",
    );
    m.signals(&["phys1", "phys2", "phys_rd"], Ty::named("phys_t"));
    m.signals(&["zero1", "zero2", "zero_rd"], Ty::bit());
    m.signal("late", Ty::bits(3), "still to come: operands [1:0], the old result [2]");
    m.signal("marks", Ty::named("mark_t").packed(3), "of operands and old result");
    m.signals(&["second", "need_two"], Ty::bit());
    m.signals(&["first_fresh", "second_fresh"], Ty::named("phys_t"));
    m.signal("free_q", Ty::bits("SpareW+1"), "fresh registers that are left");
    for (label, register, output) in [
        ("u_map_rs1", "rs1", "{zero1, phys1}"),
        ("u_map_rs2", "rs2", "{zero2, phys2}"),
        ("u_map_rd", "rd", "{zero_rd, phys_rd}"),
    ] {
        m.instance(
            &tl_lutram::module(),
            label,
            &[("Width", "PhysW + 1"), ("Depth", "32")],
            &[
                ("clk_i", "clk_i"),
                ("we_i", "we"),
                ("waddr_i", "waddr"),
                ("wdata_i", "{wzero, wdata}"),
                ("raddr_i", &format!("decoded_i.{register}")),
                ("rdata_o", output),
            ],
        );
    }
    m.signal("unused_decoded", Ty::bit(), "");
    m.text(
        r#"
        assign second         = decoded_i.is_xpose && (decoded_i.rs2 != 5'd0);
        assign need_two       = second && (decoded_i.rd != 5'd0);
        assign unused_decoded = ^decoded_i;

        assign marks[0] = mark_of(phys1, decoded_i.rs1);
        assign marks[1] = mark_of(phys2, decoded_i.rs2);
        assign marks[2] = mark_of(phys_rd, decoded_i.rd);

        assign late[0] = pending_q[marks[0]] && !zero1;
        assign late[1] = pending_q[marks[1]] && !zero2;
        assign late[2] = pending_q[marks[2]] && !zero_rd;

        always_ff @(posedge clk_i) begin
          src1_o.zero           <= zero1;
          src1_o.phys           <= phys1;
          src2_o.zero           <= zero2;
          src2_o.phys           <= phys2;
          results_o.valid       <= {second, decoded_i.rd != 5'd0};
          results_o.rd          <= {decoded_i.rs2, decoded_i.rd};
          results_o.old_zero    <= {zero2, zero_rd};
          results_o.old_phys    <= {phys2, phys_rd};
          // The second result of a pair whose first one is tl0 takes the head.
          results_o.fresh[0]    <= first_fresh;
          results_o.fresh[1]    <= decoded_i.rd == 5'd0 ? first_fresh : second_fresh;
          late_o  <= late[1:0] & {2{Precise != 0}};
          busy_o  <= (late != '0) && (Precise == 0);
          fresh_o <= free_q >= (SpareW + 1)'(1) + (SpareW + 1)'(need_two);
        end
        "#,
    );
}

fn fresh(m: &mut Module) {
    m.section(
        "Fresh registers: a ring of the spares. What is taken was mapped or released before, so it never overflows. Slots \
         with an even number are in one memory, the others in a second one: two that follow each other can be read, and \
         written. After reset the registers behind those of TLRegs come, one in each cycle in which none is released.",
    );
    m.signal("release_q", Ty::bits(2), "");
    m.signal("release_phys_q", Ty::named("phys_t").packed(2), "");
    m.signal("filled_q", Ty::bit(), "the register that is put back first is one that comes after reset");
    m.signal("back_phys", Ty::named("phys_t").packed(2), "the registers that are put back");
    m.signal("head_q", Ty::bits("SpareW"), "");
    m.signal("head2", Ty::bits("SpareW"), "slot behind the head");
    m.signal("tail_q", Ty::bits("SpareW"), "first free slot");
    m.signal("tail2", Ty::bits("SpareW"), "slot of the second register released");
    m.signal("wanted", Ty::bits(2), "registers that the instruction takes when it is renamed");
    m.signal("released", Ty::bits(2), "");
    m.signal("free_later", Ty::bits("SpareW+1"), "fresh registers that are left in the next cycle, if none is taken");
    m.signals(&["fills", "comes"], Ty::bit());
    m.signal("slot_we", Ty::bits(2), "");
    m.signal("slot_first", Ty::bits(2), "memory of the first register released, one-hot");
    m.signals(&["slot_waddr", "slot_raddr"], Ty::bits("SpareW-1").packed(2));
    m.signals(&["slot_wdata", "slot"], Ty::named("phys_t").packed(2));
    for bank in ["0", "1"] {
        m.instance(
            &tl_lutram::module(),
            &format!("u_slots_{bank}"),
            &[("Width", "PhysW"), ("Depth", "NumSpare / 2")],
            &[
                ("clk_i", "clk_i"),
                ("we_i", &format!("slot_we[{bank}]")),
                ("waddr_i", &format!("slot_waddr[{bank}]")),
                ("wdata_i", &format!("slot_wdata[{bank}]")),
                ("raddr_i", &format!("slot_raddr[{bank}]")),
                ("rdata_o", &format!("slot[{bank}]")),
            ],
        );
    }
    m.text(
        r#"
        assign head2      = head_q + SpareW'(1);
        assign tail2      = tail_q + SpareW'(release_q[0]);
        assign wanted     = 2'(results_o.valid[0]) + 2'(results_o.valid[1]);
        assign released   = 2'(release_q[0]) + 2'(release_q[1]);
        assign free_later = free_q + (SpareW + 1)'(released);
        assign slot_first = {release_q[0] && tail_q[0], release_q[0] && !tail_q[0]};
        assign slot_we    = slot_first | {release_q[1] && tail2[0], release_q[1] && !tail2[0]};

        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            slot_waddr[b] = slot_first[b] ? tail_q[SpareW-1:1] : tail2[SpareW-1:1];
            slot_wdata[b] = slot_first[b] ? back_phys[0] : back_phys[1];
            slot_raddr[b] = head_q[0] == 1'(b) ? head_q[SpareW-1:1] : head2[SpareW-1:1];
          end
        end

        assign first_fresh  = slot[head_q[0]];
        assign second_fresh = slot[head2[0]];
        assign back_phys    = {release_phys_q[1], filled_q ? fill_last_q : release_phys_q[0]};
        assign fills        = (fill_q != PhysW'(NumPhys)) && (release_i == '0);
        assign comes        = fills && (fill_q >= PhysW'(31));

        always_ff @(posedge clk_i) begin
          release_phys_q <= release_phys_i;
          filled_q       <= fills;
          fill_last_q    <= fill_q;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            release_q <= '0;
            head_q    <= '0;
            tail_q    <= '0;
            free_q    <= '0;
            fill_q    <= '0;
          end else begin
            release_q <= {release_i[1], release_i[0] || comes};
            if (take_i) head_q <= head_q + SpareW'(wanted);
            tail_q    <= tail_q + SpareW'(released);
            free_q    <= take_i ? free_later - (SpareW + 1)'(wanted) : free_later;
            if (fills) fill_q <= fill_q + 1'b1;
          end
        end
        "#,
    );
}
