// SPDX-License-Identifier: Apache-2.0
//! `tl_matrix`: the matrix engine.

use crate::Config;
use crate::modules::{tl_mx_lines, tl_mx_load, tl_mx_regs, tl_mx_store};
use crate::sv::{Module, Ty};

const CLOCKED: [(&str, &str); 2] = [("clk_i", "clk_i"), ("rst_ni", "rst_ni")];

fn connect<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    CLOCKED.iter().chain(pairs).copied().collect()
}

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_matrix",
        "Matrix engine: loads and stores of the matrix registers, one beat per cycle, each memory line in as many \
         beats as memory words hold it, whether it is a row or a column of the tile. Accesses start in program order; \
         loads and stores complete each in order.",
    );
    m.clocked();
    m.group("Commands");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.input("cmd_i", Ty::named("mx_cmd_t"), "");
    m.group("L1M");
    m.output("l1m_req_o", Ty::bit(), "");
    m.input("l1m_gnt_i", Ty::bit(), "");
    m.output("l1m_addr_o", Ty::bits(32), "");
    m.input("l1m_rvalid_i", Ty::bit(), "");
    m.input("l1m_rdata_i", Ty::bits("8*PortBytes"), "");
    m.input("l1m_err_i", Ty::bit(), "");
    m.group("L0M");
    m.output("l0m_req_o", Ty::bit(), "");
    m.input("l0m_gnt_i", Ty::bit(), "");
    m.output("l0m_addr_o", Ty::bits(32), "");
    m.input("l0m_rvalid_i", Ty::bit(), "");
    m.input("l0m_err_i", Ty::bit(), "");
    m.output("l0m_tag_o", Ty::named("tag_t"), "instruction of the request");
    m.group("The data of the request go through tl_store, which rotates them and keeps them");
    m.output("word_take_o", Ty::bit(), "a word may come; else the one before stays");
    m.output("word_line_o", Ty::bits("8*PortBytes"), "");
    m.output("word_turn_o", Ty::named("port_off_t"), "lanes to rotate it to the left");
    m.output("word_be_o", Ty::bits("PortBytes"), "rotated already");
    m.group("Precise traps");
    m.input("give_up_i", Ty::bit(), "accesses that have not begun are void");
    m.group("Completion");
    m.output("load_done_o", Ty::named("ls_done_t"), "");
    m.output("store_done_o", Ty::named("ls_done_t"), "");
    m.output("store_ok_o", Ty::named("done_t"), "one without a trap: earlier in the cycle");
    m.group("For the trace");
    m.output("write_o", Ty::bit(), "the load that completes writes its register");
    m.output("write_md_o", Ty::bits(3), "");

    m.section("Beats.");
    m.signal("shown_q", Ty::bit(), "the request of a load waits for its grant: it has to go on");
    m.signal("give_up_q", Ty::bit(), "");
    m.signals(&["load_valid", "load_ready", "store_valid", "store_ready"], Ty::bit());
    m.signals(&["beat_valid", "beat_store", "beat_taken", "trap_store", "trap_ready"], Ty::bit());
    m.signal("beat", Ty::named("mx_beat_t"), "");
    m.signal("trap", Ty::named("ls_done_t"), "");
    m.instance(
        &tl_mx_lines::module(config),
        "u_lines",
        &[],
        &connect(&[
            ("cmd_valid_i", "cmd_valid_i"),
            ("cmd_i", "cmd_i"),
            ("beat_valid_o", "beat_valid"),
            ("beat_store_o", "beat_store"),
            ("beat_taken_i", "beat_taken"),
            ("beat_o", "beat"),
            ("give_up_i", "give_up_i && (!load_valid || load_ready)"),
            ("trap_o", "trap"),
            ("trap_store_o", "trap_store"),
            ("trap_ready_i", "trap_ready"),
        ]),
    );

    m.section(
        "A store reads its register when the loads before it are complete. Where traps are precise the last word of a \
         load is requested when the stores before it are complete; nothing starts behind an access that trapped, and a \
         load that started before its trap was known writes nothing.",
    );
    m.signals(&["load_idle", "store_idle", "load_ok", "store_first_ok"], Ty::bit());
    m.signal("stopped_q", Ty::bit(), "an access has trapped");
    m.signal("late_q", Ty::bit(), "an access has trapped that had started: what started behind it is void");
    m.signals(&["fails", "late", "write"], Ty::bit());
    m.signals(&["load_done", "store_done"], Ty::named("ls_done_t"));
    m.text(
        r#"
        assign load_ok        = unless_precise(shown_q ||
            ((!beat.first || !stopped_q) && (!beat.last || store_idle)));
        assign store_first_ok = load_idle && unless_precise(!stopped_q);

        assign load_valid  = beat_valid && !beat_store && load_ok;
        assign store_valid = beat_valid && beat_store && (store_first_ok || !beat.first);
        assign beat_taken  = (load_valid && load_ready) || (store_valid && store_ready);

        assign late    = (load_done.valid && (load_done.cause != CauseNone)) ||
            (store_done.valid && (store_done.cause != CauseNone));
        assign fails   = (load_done_o.valid && (load_done_o.cause != CauseNone)) ||
            (store_done_o.valid && (store_done_o.cause != CauseNone));
        assign write_o = write && unless_precise(!late_q);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            stopped_q <= 1'b0;
            late_q    <= 1'b0;
          end else begin
            if (give_up_q && !give_up_i) begin
              stopped_q <= 1'b0;
              late_q    <= 1'b0;
            end else begin
              if (fails) stopped_q <= 1'b1;
              if (late) late_q <= 1'b1;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          shown_q   <= load_valid && !load_ready;
          give_up_q <= give_up_i;
        end
        "#,
    );
    m.signal("write_be", Ty::bits("MxRowBytes").packed("MxRows"), "");
    m.signals(&["write_data", "tile"], Ty::bits("8*MxRowBytes").packed("MxRows"));
    m.signal("read", Ty::bit(), "");
    m.signal("read_md", Ty::bits(3), "");
    m.instance(
        &tl_mx_load::module(),
        "u_load",
        &[],
        &connect(&[
            ("beat_valid_i", "load_valid"),
            ("beat_ready_o", "load_ready"),
            ("beat_i", "beat"),
            ("l1m_req_o", "l1m_req_o"),
            ("l1m_gnt_i", "l1m_gnt_i"),
            ("l1m_addr_o", "l1m_addr_o"),
            ("l1m_rvalid_i", "l1m_rvalid_i"),
            ("l1m_rdata_i", "l1m_rdata_i"),
            ("l1m_err_i", "l1m_err_i"),
            ("write_o", "write"),
            ("write_md_o", "write_md_o"),
            ("write_be_o", "write_be"),
            ("write_data_o", "write_data"),
            ("idle_o", "load_idle"),
            ("done_o", "load_done"),
        ]),
    );
    m.instance(
        &tl_mx_store::module(),
        "u_store",
        &[],
        &connect(&[
            ("beat_valid_i", "store_valid"),
            ("beat_ready_o", "store_ready"),
            ("beat_i", "beat"),
            ("read_o", "read"),
            ("read_md_o", "read_md"),
            ("tile_i", "tile"),
            ("l0m_req_o", "l0m_req_o"),
            ("l0m_gnt_i", "l0m_gnt_i"),
            ("l0m_addr_o", "l0m_addr_o"),
            ("word_take_o", "word_take_o"),
            ("word_line_o", "word_line_o"),
            ("word_turn_o", "word_turn_o"),
            ("word_be_o", "word_be_o"),
            ("l0m_rvalid_i", "l0m_rvalid_i"),
            ("l0m_err_i", "l0m_err_i"),
            ("l0m_tag_o", "l0m_tag_o"),
            ("idle_o", "store_idle"),
            ("done_o", "store_done"),
        ]),
    );
    m.instance(
        &tl_mx_regs::module(),
        "u_regs",
        &[],
        &connect(&[
            ("write_i", "write_o"),
            ("write_md_i", "write_md_o"),
            ("write_be_i", "write_be"),
            ("write_data_i", "write_data"),
            ("read_i", "read"),
            ("read_md_i", "read_md"),
            ("data_o", "tile"),
        ]),
    );

    m.section("An access that traps in its check is complete when none of its kind is in the same cycle.");
    m.text(
        r#"
        assign trap_ready = trap_store ? !store_done.valid : !load_done.valid;
        assign store_ok_o = {store_done.valid && (store_done.cause == CauseNone), store_done.tag};

        always_comb begin
          load_done_o  = load_done;
          store_done_o = store_done;
          if (!load_done.valid && !trap_store) load_done_o = trap;
          if (!store_done.valid && trap_store) store_done_o = trap;
        end
        "#,
    );
    m
}
