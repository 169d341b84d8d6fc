// SPDX-License-Identifier: Apache-2.0
//! `tl_slice_walk`: the selected slices of a load or store, with their addresses and checks.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_slice_walk",
        "Walks the selected slices of a load or store in ascending order, one per cycle, and checks each.\n\
         Slice i is at base + (stride[i] + imm) * bytes, modulo 2^32. The first slice is at the output four cycles \
         after start_i; all stages wait while the output is not taken, so ready_i comes from state.\n\
         On demand probes go before the slices: slices with the strides bound_i and, unless no slice can be below the \
         base, 0. When bound_i is no less than any stride that is selected and the probes are inside the memory, so \
         are all slices.",
    );
    m.param("MemBytes", "262144", "size of the memory, at least RegBytes");
    m.clocked();
    m.group("Command; the walker keeps a copy");
    m.input("start_i", Ty::bit(), "only with ready_o");
    m.output("ready_o", Ty::bit(), "");
    m.output("soon_o", Ty::bit(), "ready in the next cycle, unless one starts now");
    m.input("base_i", Ty::bits(32), "");
    m.input("imm_i", Ty::bits(8), "signed, in slices");
    m.input("bytes_i", Ty::bits("ByteW+1"), "of a slice");
    m.input("mask_i", Ty::bits(32), "selected slices");
    m.input("none_i", Ty::bit(), "mask_i is 0: one output marked none");
    m.input("align_i", Ty::bits(2), "bits of an address that are to be 0");
    m.input("probe_i", Ty::bit(), "probes go first");
    m.input("bound_i", Ty::bits("31-ByteW"), "");
    m.group("Stride CSR, read in the same cycle");
    m.output("reading_o", Ty::bit(), "strides may still be read");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "");
    m.group("Slices and probes");
    m.output("valid_o", Ty::bit(), "");
    m.input("ready_i", Ty::bit(), "");
    m.output("probe_o", Ty::bit(), "it is a probe");
    m.output("none_o", Ty::bit(), "the command has no slices");
    m.output("addr_o", Ty::bits(32), "");
    m.output("pos_o", Ty::named("byte_idx_t"), "first byte in the register");
    m.output("bytes_o", Ty::bits("ByteW+1"), "");
    m.output("joins_o", Ty::bit(), "it follows the slice before it, in the register and in memory");
    m.output("misaligned_o", Ty::bit(), "addr_o is not aligned");
    m.output("outside_o", Ty::bit(), "a byte of the slice is outside the memory");
    m.output("last_o", Ty::bit(), "no selected slice follows, or no probe");

    m.section("Stage 0: the probes that remain, then the lowest slice that remains.");
    m.signals(&["advance", "step", "more_q"], Ty::bit());
    m.signal("mask_q", Ty::bits(32), "");
    m.signal("rest", Ty::bits(32), "without the lowest one");
    m.signal("index", Ty::bits(5), "of the lowest one");
    m.signal("nibble_first", Ty::bits(2).packed(8), "the lowest bit that is set in each nibble");
    m.signal("last", Ty::bit(), "");
    m.signal("probes_q", Ty::bits(2), "");
    m.signal("low_q", Ty::bit(), "a slice can be below the base");
    m.signal("first_q", Ty::bit(), "no slice has gone yet");
    m.signal("none_q", Ty::bit(), "");
    m.signal("base_q", Ty::bits(32), "");
    m.signal("bound_q", Ty::bits("31-ByteW"), "");
    m.signal("imm_q", Ty::bits(8), "");
    m.signal("bytes_q", Ty::bits("ByteW+1"), "");
    m.signal("align_q", Ty::bits(2), "");
    m.text(
        r#"
        localparam int unsigned AddrW = $clog2(MemBytes);

        assign advance = !valid_o || ready_i;
        assign ready_o = !more_q;
        assign step    = more_q && advance;
        assign soon_o  = !more_q || (advance && last);
        assign rest    = mask_q & (mask_q - 32'd1);
        assign last    = (probes_q == '0) && !several(mask_q);

        // More than one slice is left. In groups of four: a carry through all of them takes long.
        function automatic logic several(logic [31:0] left);
          logic [7:0] any;
          logic [9:0] two;
          for (int unsigned g = 0; g < 8; g++) begin
            any[g] = left[4*g+:4] != '0;
            two[g] = |(ones4(left[4*g+:4]) >> 1);
          end
          two[8]  = |(ones4(any[3:0]) >> 1);
          two[9]  = |(ones4(any[7:4]) >> 1);
          several = (two != '0) || ((any[3:0] != '0) && (any[7:4] != '0));
        endfunction

        always_comb begin
          index = '0;
          for (int unsigned g = 8; g > 0; g--) begin
            if (mask_q[4*(g-1)+:4] != '0) index[4:2] = 3'(g - 1);
          end
          for (int unsigned g = 0; g < 8; g++) begin
            nibble_first[g] = {mask_q[4*g+:2] == '0 && mask_q[4*g+2+:2] != '0,
                !mask_q[4*g] && (mask_q[4*g+1] || (mask_q[4*g+3] && !mask_q[4*g+2]))};
          end
          index[1:0] = nibble_first[index[4:2]];
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            more_q <= 1'b0;
          end else if (start_i) begin
            more_q <= 1'b1;
          end else if (step && last) begin
            more_q <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!more_q) begin
            mask_q   <= mask_i;
            none_q   <= none_i;
            probes_q <= {probe_i, 1'b0};
            low_q    <= imm_i[7] || (base_i[31:AddrW] != '0);
            first_q  <= 1'b1;
            base_q   <= base_i;
            bound_q  <= bound_i;
            imm_q    <= imm_i;
            bytes_q  <= bytes_i;
            align_q  <= align_i;
          end else if (step) begin
            if (probes_q == '0) begin
              mask_q  <= rest;
              first_q <= 1'b0;
            end
            probes_q <= {1'b0, probes_q[1] && low_q};
          end
        end
        "#,
    );
    m.section(
        "Stage 1: the stride is read. From here on each stage has a copy of the command, for the next may start.",
    );
    m.signals(&["read_valid_q", "read_last_q", "read_first_q", "read_none_q"], Ty::bit());
    m.signal("read_probes_q", Ty::bits(2), "");
    m.signal("read_index_q", Ty::bits(5), "");
    m.signal("read_base_q", Ty::bits(32), "");
    m.signal("read_imm_q", Ty::bits(8), "");
    m.signal("read_bytes_q", Ty::bits("ByteW+1"), "");
    m.signal("read_end_q", Ty::bits("ByteW+1"), "bytes less 1");
    m.signal("read_align_q", Ty::bits(2), "");
    m.signal("stride", Ty::bits(32), "");
    m.text(
        r#"
        assign stride_idx_o = read_index_q;

        always_comb begin
          stride = stride_i;
          if (read_probes_q[0]) stride = '0;
          if (read_probes_q[1]) stride = 32'(bound_q);
        end

        always_ff @(posedge clk_i) begin
          if (advance) begin
            read_last_q   <= last || probes_q[0] || (probes_q[1] && !low_q);
            read_first_q  <= first_q;
            read_none_q   <= none_q && (probes_q == '0);
            read_probes_q <= probes_q;
            read_index_q  <= index;
            read_base_q   <= base_q;
            read_imm_q    <= imm_q;
            read_bytes_q  <= bytes_q;
            read_end_q    <= bytes_q - 1'b1;
            read_align_q  <= align_q;
          end
        end
        "#,
    );
    m.section(
        "Stage 2: (stride + imm), to be multiplied. A slice can join when the one before it has the index below.",
    );
    m.signals(&["sum_valid_q", "sum_last_q", "sum_next_q", "sum_none_q", "sum_probe_q"], Ty::bit());
    m.signal("sum_q", Ty::bits(32), "");
    m.signal("sum_index_q", Ty::bits(5), "");
    m.signal("sum_pos_q", Ty::named("byte_idx_t"), "bytes times the low two bits of the index");
    m.signal("read_unit", Ty::named("byte_idx_t"), "bytes, modulo the size of a register");
    m.signal("sum_base_q", Ty::bits(32), "");
    m.signal("sum_end_q", Ty::bits(32), "last byte of a slice at the base");
    m.signal("sum_bytes_q", Ty::bits("ByteW+1"), "");
    m.signal("sum_align_q", Ty::bits(2), "");
    m.text(
        r#"
        assign read_unit = read_bytes_q[ByteW-1:0];

        always_ff @(posedge clk_i) begin
          if (advance) begin
            sum_last_q  <= read_last_q;
            sum_next_q  <= !read_first_q && (read_index_q == sum_index_q + 5'd1);
            sum_none_q  <= read_none_q;
            sum_probe_q <= read_probes_q != '0;
            sum_q       <= stride + {{24{read_imm_q[7]}}, read_imm_q};
            sum_base_q  <= read_base_q;
            sum_end_q   <= read_base_q + 32'(read_end_q);
            sum_bytes_q <= read_bytes_q;
            sum_align_q <= read_align_q;
            sum_pos_q   <= (read_unit & {ByteW{read_index_q[0]}}) +
                ((read_unit & {ByteW{read_index_q[1]}}) << 1);
            if (read_valid_q) sum_index_q <= read_index_q;
          end
        end
        "#,
    );
    m.section("Stage 3: the product in two parts, of the low 18 bits and of the others.");
    m.signals(&["prod_valid_q", "prod_last_q", "prod_next_q", "prod_none_q", "prod_probe_q"], Ty::bit());
    m.signal("prod_low_q", Ty::bits("ByteW+19"), "");
    m.signal("prod_high_q", Ty::bits(14), "modulo 2^14: what counts");
    m.signal("prod_pos_low_q", Ty::named("byte_idx_t"), "index * bytes, in two parts");
    m.signal("prod_pos_high_q", Ty::named("byte_idx_t"), "");
    m.signal("prod_base_q", Ty::bits(32), "");
    m.signal("prod_end_q", Ty::bits(32), "");
    m.signal("prod_bytes_q", Ty::bits("ByteW+1"), "");
    m.signal("prod_align_q", Ty::bits(2), "");
    m.signal("unit", Ty::named("byte_idx_t"), "bytes, modulo the size of a register");
    m.text(
        r#"
        assign unit = sum_bytes_q[ByteW-1:0];

        always_ff @(posedge clk_i) begin
          if (advance) begin
            prod_last_q     <= sum_last_q;
            prod_next_q     <= sum_next_q;
            prod_none_q     <= sum_none_q;
            prod_probe_q    <= sum_probe_q;
            prod_low_q      <= (ByteW + 19)'(sum_q[17:0]) * (ByteW + 19)'(sum_bytes_q);
            prod_high_q     <= 14'(sum_q[31:18] * 14'(sum_bytes_q));
            prod_pos_low_q  <= sum_pos_q + ((unit & {ByteW{sum_index_q[2]}}) << 2);
            prod_pos_high_q <= ((unit & {ByteW{sum_index_q[3]}}) << 3) +
                ((unit & {ByteW{sum_index_q[4]}}) << 4);
            prod_base_q     <= sum_base_q;
            prod_end_q      <= sum_end_q;
            prod_bytes_q    <= sum_bytes_q;
            prod_align_q    <= sum_align_q;
          end
        end
        "#,
    );
    m.section(
        "Output: the address, and that of the last byte, of which one bit tells that it is outside when the first byte is \
         not: a slice has no more bytes than the memory.",
    );
    m.signal("high", Ty::bits(14), "of the address, without the low part of the product");
    m.signal("end_high", Ty::bits(14), "the same of the last byte");
    m.signal("end_addr", Ty::bits(32), "the last byte");
    m.signal("end_out_q", Ty::bit(), "it is outside, when the first one is not");
    m.signal("unused_end", Ty::bit(), "");
    m.signal("next_q", Ty::bit(), "");
    m.signal("align_mask_q", Ty::bits(2), "");
    m.signal("stop", Ty::bits("AddrW+1"), "behind the last byte, when the first one is inside the memory");
    m.signal("stop_q", Ty::bits("AddrW+1"), "of the slice before");
    m.text(
        r#"
        assign high       = prod_base_q[31:18] + prod_high_q;
        assign end_high   = prod_end_q[31:18] + prod_high_q;
        assign end_addr   = {end_high, prod_end_q[17:0]} + 32'(prod_low_q);
        assign unused_end = ^end_addr;

        always_ff @(posedge clk_i) begin
          if (advance) begin
            last_o       <= prod_last_q;
            none_o       <= prod_none_q;
            probe_o      <= prod_probe_q;
            addr_o       <= {high, prod_base_q[17:0]} + 32'(prod_low_q);
            pos_o        <= prod_pos_low_q + prod_pos_high_q;
            bytes_o      <= prod_bytes_q;
            end_out_q    <= end_addr[AddrW];
            next_q       <= prod_next_q;
            align_mask_q <= prod_none_q ? '0 : prod_align_q;
            if (valid_o) stop_q <= stop;
          end
        end

        assign stop         = {1'b0, addr_o[AddrW-1:0]} + (AddrW + 1)'(bytes_o);
        assign joins_o      = next_q && (addr_o[AddrW:0] == stop_q);
        assign misaligned_o = (addr_o[1:0] & align_mask_q) != 2'b00;
        assign outside_o    = !none_o && ((addr_o[31:AddrW] != '0) || end_out_q);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            read_valid_q <= 1'b0;
            sum_valid_q  <= 1'b0;
            prod_valid_q <= 1'b0;
            valid_o      <= 1'b0;
          end else if (advance) begin
            read_valid_q <= more_q;
            sum_valid_q  <= read_valid_q;
            prod_valid_q <= sum_valid_q;
            valid_o      <= prod_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          reading_o <= start_i || more_q || (read_valid_q && !advance);
        end
        "#,
    );
    m
}
