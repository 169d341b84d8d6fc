// SPDX-License-Identifier: Apache-2.0
//! `tl_recover`: precise traps.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_recover",
        "Precise traps. From the cycle in which a trap is known on, nothing is dispatched. When its result has been \
         taken, what is younger and in flight runs to its end, stores that have not begun give up, and the rename map \
         and the CSRs are put back, youngest first and that of the trap last. Then all that the host has issued, and issues, is answered as \
         killed, until the host resumes.",
    );
    m.clocked();
    m.group("From the host");
    m.input("resume_i", Ty::bit(), "");
    m.output("refuse_o", Ty::bit(), "the host has resumed: nothing is accepted before all are answered");
    m.group("Instructions");
    m.input("csr_ready_i", Ty::bit(), "the CSRs have their values after reset");
    m.input("waiting_i", Ty::bit(), "one is in front of dispatch");
    m.output("open_o", Ty::bit(), "dispatch may execute instructions");
    m.output("kill_o", Ty::bit(), "dispatch answers instructions");
    m.group("Engines");
    m.output("give_up_o", Ty::bit(), "accesses that have not begun are void");
    m.group("Instructions in flight: tl_retire");
    m.input("empty_i", Ty::bit(), "");
    m.input("head_i", Ty::named("tag_t"), "");
    m.input("tail_i", Ty::named("tag_t"), "slot of the next one");
    m.input("trap_seen_i", Ty::bit(), "");
    m.input("trap_retires_i", Ty::bit(), "");
    m.input("all_done_i", Ty::bit(), "");
    m.output("hold_o", Ty::bit(), "no results now");
    m.output("killed_o", Ty::bit(), "results are of killed instructions");
    m.output("walk_o", Ty::bit(), "");
    m.output("walk_second_o", Ty::bit(), "");
    m.output("walk_soon_o", Ty::bit(), "walk_o of the next cycle");
    m.output("walk_tag_o", Ty::named("tag_t"), "slot that is undone then");
    m.text(
        r#"
        typedef enum logic [1:0] {
          StateRun,     // instructions are executed
          StateDrain,   // a trap was taken: those in flight run to their end
          StateWalk,    // and are undone, and at last what trapped
          StateAnswer   // and answered
        } state_e;
        "#,
    );
    m.signals(&["state_q", "state_d"], Ty::named("state_e"));
    m.signal("open_q", Ty::bit(), "");
    m.signal("seen_q", Ty::bit(), "a trap is known");
    m.signal("resume_q", Ty::bit(), "the host has resumed");
    m.signal("second_q", Ty::bit(), "");
    m.signals(&["walk_q", "walk_d"], Ty::named("tag_t"));
    m.signal("behind", Ty::named("tag_t"), "the slot behind the next one to be undone");
    m.text(
        r#"
        always_comb begin
          state_d = state_q;
          unique case (state_q)
            StateRun:   if (trap_retires_i) state_d = StateDrain;
            StateDrain: if (all_done_i) state_d = StateWalk;
            StateWalk:  if (second_q && (next_tag(walk_q) == head_i)) state_d = StateAnswer;
            default:    if (resume_q && empty_i && !waiting_i) state_d = StateRun;
          endcase
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            state_q  <= StateRun;
            open_q   <= 1'b0;
            seen_q   <= 1'b0;
            resume_q <= 1'b0;
            second_q <= 1'b0;
          end else begin
            state_q  <= state_d;
            open_q   <= csr_ready_i && (state_d == StateRun) && !(seen_q && (state_q == StateRun)) &&
                        !trap_seen_i;
            seen_q   <= (seen_q || trap_seen_i) && (state_q == StateRun);
            resume_q <= (resume_q || resume_i) && (state_d != StateRun);
            second_q <= walk_o && !second_q;
          end
        end

        assign behind = walk_o ? walk_q : tail_i;

        always_comb begin
          walk_d = walk_q;
          if (!walk_o || second_q) begin
            walk_d = behind == '0 ? TagW'(QueueEntries - 1) : behind - 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          walk_q <= walk_d;
        end

        assign refuse_o      = resume_q;
        assign open_o        = open_q;
        assign kill_o        = state_q == StateAnswer;
        assign give_up_o     = state_q == StateDrain;
        assign hold_o        = (state_q == StateDrain) || (state_q == StateWalk);
        assign killed_o      = state_q == StateAnswer;
        assign walk_o        = state_q == StateWalk;
        assign walk_second_o = second_q;
        assign walk_tag_o    = walk_d;
        assign walk_soon_o   = state_d == StateWalk;
        "#,
    );
    m
}
