// SPDX-License-Identifier: Apache-2.0
//! `tl_store_bank`: rows that stores read from one bank.

use crate::modules::tl_fifo;
use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_store_bank",
        "Rows of one bank that stores need, in order, read ahead. No more than BankQueue are asked for before they are \
         taken, so there is room for them.",
    );
    m.clocked();
    m.group("Rows that are needed");
    m.input("push_i", Ty::bit(), "");
    m.input("addr_i", Ty::named("bank_addr_t"), "");
    m.output("room_o", Ty::bit(), "one more may be asked for");
    m.group("Register file");
    m.output("read_valid_o", Ty::bit(), "");
    m.output("read_addr_o", Ty::named("bank_addr_t"), "");
    m.input("read_gnt_i", Ty::bit(), "");
    m.input("rdata_i", Ty::bits("RowBits"), "two cycles behind the grant");
    m.group("The oldest row");
    m.output("valid_o", Ty::bit(), "");
    m.input("take_i", Ty::bit(), "");
    m.output("row_o", Ty::bits("RowBits"), "");
    m.signals(&["addr_room", "row_room", "unused_room", "asked_q", "comes_q"], Ty::bit());
    m.signal("used_q", Ty::bits("$clog2(BankQueue)+1"), "rows that are asked for and not taken");
    m.instance(
        &tl_fifo::module(),
        "u_addrs",
        &[("Width", "BankAddrW"), ("Depth", "BankQueue"), ("Refuses", "0")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "push_i"),
            ("ready_o", "addr_room"),
            ("data_i", "addr_i"),
            ("valid_o", "read_valid_o"),
            ("ready_i", "read_gnt_i"),
            ("data_o", "read_addr_o"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_rows",
        &[("Width", "RowBits"), ("Depth", "BankQueue"), ("Refuses", "0")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "comes_q"),
            ("ready_o", "row_room"),
            ("data_i", "rdata_i"),
            ("valid_o", "valid_o"),
            ("ready_i", "take_i"),
            ("data_o", "row_o"),
        ],
    );
    m.text(
        r#"
        assign unused_room = addr_room ^ row_room;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            asked_q <= 1'b0;
            comes_q <= 1'b0;
            used_q  <= '0;
            room_o  <= 1'b1;
          end else begin
            asked_q <= read_gnt_i;
            comes_q <= asked_q;
            if (push_i && !take_i) begin
              used_q <= used_q + 1'b1;
              room_o <= used_q < ($clog2(BankQueue) + 1)'(BankQueue - 1);
            end else if (take_i && !push_i) begin
              used_q <= used_q - 1'b1;
              room_o <= 1'b1;
            end
          end
        end
        "#,
    );
    m
}
