// SPDX-License-Identifier: Apache-2.0
//! `tl_slice_walk`: the selected slices of a load or store, with their addresses and checks.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_slice_walk",
        "Walks the selected slices of a load or store in ascending order, one per cycle, and checks each.\n\
         Slice i is at base + (stride[i] + imm) * bytes, modulo 2^32. The first slice is at the output three cycles \
         after start_i.",
    );
    m.param("MemBytes", "262144", "size of the memory, at least RegBytes");
    m.clocked();
    m.group("Command; the walker keeps a copy. A command without slices gives no output");
    m.input("start_i", Ty::bit(), "only while reading_o is 0");
    m.input("base_i", Ty::bits(32), "");
    m.input("imm_i", Ty::bits(8), "signed, in slices");
    m.input("bytes_i", Ty::bits("ByteW+1"), "of a slice");
    m.input("mask_i", Ty::bits(32), "selected slices");
    m.input("align_i", Ty::bits(2), "log2 of the alignment in bytes: 0, 1, 2");
    m.output("reading_o", Ty::bit(), "strides are still to be read");
    m.output("busy_o", Ty::bit(), "slices are still to be taken");
    m.group("Stride CSR, read in the same cycle");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "");
    m.group("Slices");
    m.output("valid_o", Ty::bit(), "");
    m.input("ready_i", Ty::bit(), "");
    m.output("addr_o", Ty::bits(32), "");
    m.output("pos_o", Ty::named("byte_idx_t"), "first byte in the register");
    m.output("idx_o", Ty::bits(5), "");
    m.output("misaligned_o", Ty::bit(), "addr_o is not aligned");
    m.output("outside_o", Ty::bit(), "a byte of the slice is outside the memory");
    m.output("last_o", Ty::bit(), "no selected slice follows");

    m.section("Command, and the lowest slice that remains.");
    m.signals(&["mask_q", "mask_rest"], Ty::bits(32));
    m.signal("base_q", Ty::bits(32), "");
    m.signal("imm_q", Ty::bits(8), "");
    m.signal("bytes_q", Ty::bits("ByteW+1"), "");
    m.signal("align_q", Ty::bits(2), "");
    m.signals(&["sum_ready", "addr_ready"], Ty::bit());
    m.text(
        r#"
        assign reading_o = mask_q != '0;
        assign mask_rest = mask_q & (mask_q - 32'd1);

        always_comb begin
          stride_idx_o = '0;
          for (int unsigned i = 0; i < 32; i++) begin
            if (mask_q[31-i]) stride_idx_o = 5'(31 - i);
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            mask_q <= '0;
          end else if (start_i) begin
            mask_q <= mask_i;
          end else if (sum_ready) begin
            mask_q <= mask_rest;
          end
        end

        always_ff @(posedge clk_i) begin
          if (start_i) begin
            base_q  <= base_i;
            imm_q   <= imm_i;
            bytes_q <= bytes_i;
            align_q <= align_i;
          end
        end
        "#,
    );

    m.section("First stage: the slot of the slice. It has a copy of the command, for the next one may start.");
    m.signals(&["sum_valid_q", "sum_last_q"], Ty::bit());
    m.signal("sum_q", Ty::bits(32), "stride + imm");
    m.signal("sum_base_q", Ty::bits(32), "");
    m.signal("sum_bytes_q", Ty::bits("ByteW+1"), "");
    m.signal("sum_idx_q", Ty::bits(5), "");
    m.signal("sum_align_q", Ty::bits(2), "");
    m.text(
        r#"
        assign sum_ready = !sum_valid_q || addr_ready;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            sum_valid_q <= 1'b0;
          end else if (sum_ready) begin
            sum_valid_q <= reading_o;
          end
        end

        always_ff @(posedge clk_i) begin
          if (sum_ready && reading_o) begin
            sum_q       <= stride_i + {{24{imm_q[7]}}, imm_q};
            sum_base_q  <= base_q;
            sum_bytes_q <= bytes_q;
            sum_idx_q   <= stride_idx_o;
            sum_align_q <= align_q;
            sum_last_q  <= mask_rest == '0;
          end
        end
        "#,
    );

    m.section("Second stage: the address. A slice fits up to, and including, the address of limit_q.");
    m.signal("limit_q", Ty::bits(32), "");
    m.signal("align_mask_q", Ty::bits(2), "bits of the address that are to be 0");
    m.text(
        r#"
        assign addr_ready = !valid_o || ready_i;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_o <= 1'b0;
          end else if (addr_ready) begin
            valid_o <= sum_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          if (addr_ready && sum_valid_q) begin
            addr_o       <= sum_base_q + sum_q * 32'(sum_bytes_q);
            pos_o        <= ByteW'(sum_idx_q) * ByteW'(sum_bytes_q);
            idx_o        <= sum_idx_q;
            last_o       <= sum_last_q;
            limit_q      <= MemBytes - 32'(sum_bytes_q);
            align_mask_q <= {sum_align_q[1], sum_align_q != 2'd0};
          end
        end

        assign misaligned_o = (addr_o[1:0] & align_mask_q) != 2'b00;
        assign outside_o    = addr_o > limit_q;
        assign busy_o       = reading_o || sum_valid_q || valid_o;
        "#,
    );
    m
}
