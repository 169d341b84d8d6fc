// SPDX-License-Identifier: Apache-2.0
//! A planted fault of every instruction of the unit: one that changes this instruction and no other. They are where the
//! decoders, and the CSRs, tell the instructions apart. A test demands that no instruction is without.

use super::Fault;

/// A fault of the instruction `of`, at `place`: the text in front of the expression, the expression, the text behind it.
const fn own(
    id: u32,
    of: &'static str,
    file: &'static str,
    description: &'static str,
    place: [&'static str; 3],
    replacement: &'static str,
) -> Fault {
    let [before, original, after] = place;
    Fault { id, file, description, before, original, after, replacement, of: Some(of) }
}

/// The operand of a CSR instruction.
const OPERAND: [&str; 3] = ["assign csr_o.operand      = ", "instr_i[14] ? 32'(instr_i[19:15]) : rs_i", ";"];

/// All of them, by number. That of `msettilen` is fault 42.
#[rustfmt::skip] // A line each.
pub(super) const FAULTS: &[Fault] = &[
    own(101, "tl.load", "tl_decoder.sv", "tl.load of a register above tl15 loads the one 16 below", ["op_o  = tl_pkg::OpLoad;\n        rd_o  = ", "instr_i[19:15]", ";"], "instr_i[19:15] & 5'd15"),
    own(102, "tl.mload", "tl_decoder.sv", "tl.mload of a register above tl15 loads the one 16 below", ["op_o  = tl_pkg::OpMload;\n        rd_o  = ", "instr_i[19:15]", ";"], "instr_i[19:15] & 5'd15"),
    own(103, "tl.store", "tl_decoder.sv", "tl.store of a register above tl15 stores the one 16 below", ["op_o  = tl_pkg::OpStore;\n        rs1_o = ", "instr_i[19:15]", ";"], "instr_i[19:15] & 5'd15"),
    own(104, "tl.mstore", "tl_decoder.sv", "tl.mstore of a register above tl15 stores the one 16 below", [";\n        rs1_o = ", "instr_i[19:15]", ";\n        gpr_o = instr_i[11:7];\n        imm_o = instr_i[27:20];\n      end\n      // tl.addi tlrd, tlrs, imm"], "instr_i[19:15] & 5'd15"),
    own(105, "tl.addi", "tl_decoder.sv", "tl.addi with an odd immediate takes the even one below", ["op_o  = tl_pkg::OpAddi;\n        rd_o  = instr_i[11:7];\n        rs1_o = instr_i[19:15];\n        imm_o = ", "instr_i[27:20]", ";"], "instr_i[27:20] & 8'hfe"),
    own(106, "tl.concat.d", "tl_decoder.sv", "tl.concat.2 counts along dimension 0", ["op_o  = tl_pkg::OpConcat;\n        rd_o  = instr_i[11:7];\n        rs1_o = instr_i[19:15];\n        rs2_o = instr_i[24:20];\n        dim_o = ", "instr_i[26:25]", ";"], "instr_i[26:25] & 2'd1"),
    own(107, "tl.merge.d", "tl_decoder.sv", "tl.merge.2 counts along dimension 0", ["op_o  = tl_pkg::OpMerge;\n        rd_o  = instr_i[11:7];\n        rs1_o = instr_i[19:15];\n        rs2_o = instr_i[24:20];\n        dim_o = ", "instr_i[26:25]", ";"], "instr_i[26:25] & 2'd1"),
    own(108, "tl.xpose.pq", "tl_decoder.sv", "tl.xpose with q = 3 takes q = 2", ["p_o   = instr_i[26:25];\n        q_o   = ", "instr_i[28:27]", ";"], "instr_i[28:27] & 2'd2"),
    own(109, "csrrw", "tl_csr_decoder.sv", "csrrw takes bit 0 of its operand for its opposite", OPERAND, "(instr_i[14] ? 32'(instr_i[19:15]) : rs_i) ^ 32'(instr_i[14:12] == 3'd1)"),
    own(110, "csrrs", "tl_csr_decoder.sv", "csrrs takes bit 0 of its operand for its opposite", OPERAND, "(instr_i[14] ? 32'(instr_i[19:15]) : rs_i) ^ 32'(instr_i[14:12] == 3'd2)"),
    own(111, "csrrc", "tl_csr_decoder.sv", "csrrc takes bit 0 of its operand for its opposite", OPERAND, "(instr_i[14] ? 32'(instr_i[19:15]) : rs_i) ^ 32'(instr_i[14:12] == 3'd3)"),
    own(112, "csrrwi", "tl_csr_decoder.sv", "csrrwi takes bit 0 of the immediate for its opposite", OPERAND, "(instr_i[14] ? 32'(instr_i[19:15]) : rs_i) ^ 32'(instr_i[14:12] == 3'd5)"),
    own(113, "csrrsi", "tl_csr_decoder.sv", "csrrsi takes bit 0 of the immediate for its opposite", OPERAND, "(instr_i[14] ? 32'(instr_i[19:15]) : rs_i) ^ 32'(instr_i[14:12] == 3'd6)"),
    own(114, "csrrci", "tl_csr_decoder.sv", "csrrci takes bit 0 of the immediate for its opposite", OPERAND, "(instr_i[14] ? 32'(instr_i[19:15]) : rs_i) ^ 32'(instr_i[14:12] == 3'd7)"),
    own(115, "mlae8", "tl_mx_decoder.sv", "mlae8 has elements of 16 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxA;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(116, "mlae16", "tl_mx_decoder.sv", "mlae16 has elements of 32 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxA;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(117, "mlae32", "tl_mx_decoder.sv", "mlae32 has elements of 8 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxA;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(118, "mlbe8", "tl_mx_decoder.sv", "mlbe8 has elements of 16 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxB;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(119, "mlbe16", "tl_mx_decoder.sv", "mlbe16 has elements of 32 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxB;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(120, "mlbe32", "tl_mx_decoder.sv", "mlbe32 has elements of 8 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxB;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(121, "mlce8", "tl_mx_decoder.sv", "mlce8 has elements of 16 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxC;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(122, "mlce16", "tl_mx_decoder.sv", "mlce16 has elements of 32 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxC;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(123, "mlce32", "tl_mx_decoder.sv", "mlce32 has elements of 8 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxC;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(124, "mlate8", "tl_mx_decoder.sv", "mlate8 has elements of 16 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxA;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(125, "mlate16", "tl_mx_decoder.sv", "mlate16 has elements of 32 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxA;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(126, "mlate32", "tl_mx_decoder.sv", "mlate32 has elements of 8 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxA;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(127, "mlbte8", "tl_mx_decoder.sv", "mlbte8 has elements of 16 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxB;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(128, "mlbte16", "tl_mx_decoder.sv", "mlbte16 has elements of 32 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxB;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(129, "mlbte32", "tl_mx_decoder.sv", "mlbte32 has elements of 8 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxB;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(130, "mlcte8", "tl_mx_decoder.sv", "mlcte8 has elements of 16 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxC;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(131, "mlcte16", "tl_mx_decoder.sv", "mlcte16 has elements of 32 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxC;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(132, "mlcte32", "tl_mx_decoder.sv", "mlcte32 has elements of 8 bits", ["op_o      = tl_pkg::MxLoad;\n        form_o    = tl_pkg::MxC;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(133, "msae8", "tl_mx_decoder.sv", "msae8 has elements of 16 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxA;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(134, "msae16", "tl_mx_decoder.sv", "msae16 has elements of 32 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxA;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(135, "msae32", "tl_mx_decoder.sv", "msae32 has elements of 8 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxA;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(136, "msbe8", "tl_mx_decoder.sv", "msbe8 has elements of 16 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxB;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(137, "msbe16", "tl_mx_decoder.sv", "msbe16 has elements of 32 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxB;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(138, "msbe32", "tl_mx_decoder.sv", "msbe32 has elements of 8 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxB;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(139, "msce8", "tl_mx_decoder.sv", "msce8 has elements of 16 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxC;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(140, "msce16", "tl_mx_decoder.sv", "msce16 has elements of 32 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxC;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(141, "msce32", "tl_mx_decoder.sv", "msce32 has elements of 8 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxC;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(142, "msate8", "tl_mx_decoder.sv", "msate8 has elements of 16 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxA;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(143, "msate16", "tl_mx_decoder.sv", "msate16 has elements of 32 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxA;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(144, "msate32", "tl_mx_decoder.sv", "msate32 has elements of 8 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxA;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(145, "msbte8", "tl_mx_decoder.sv", "msbte8 has elements of 16 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxB;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(146, "msbte16", "tl_mx_decoder.sv", "msbte16 has elements of 32 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxB;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(147, "msbte32", "tl_mx_decoder.sv", "msbte32 has elements of 8 bits", ["op_o      = tl_pkg::MxStore;\n        form_o    = tl_pkg::MxB;\n        trans_o   = 1'b1;\n        d_size_o  = ", "instr_i[11:10]", ";"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(148, "mscte8", "tl_mx_decoder.sv", "mscte8 has elements of 16 bits", ["d_size_o  = ", "instr_i[11:10]", ";\n        md_o      = instr_i[9:7];\n      end\n      // msettileki imm10"], "instr_i[11:10] == 2'd0 ? 2'd1 : instr_i[11:10]"),
    own(149, "mscte16", "tl_mx_decoder.sv", "mscte16 has elements of 32 bits", ["d_size_o  = ", "instr_i[11:10]", ";\n        md_o      = instr_i[9:7];\n      end\n      // msettileki imm10"], "instr_i[11:10] == 2'd1 ? 2'd2 : instr_i[11:10]"),
    own(150, "mscte32", "tl_mx_decoder.sv", "mscte32 has elements of 8 bits", ["d_size_o  = ", "instr_i[11:10]", ";\n        md_o      = instr_i[9:7];\n      end\n      // msettileki imm10"], "instr_i[11:10] == 2'd2 ? 2'd0 : instr_i[11:10]"),
    own(151, "msettilemi", "tl_mx_decoder.sv", "msettilemi takes an odd immediate for the even one below", ["op_o      = tl_pkg::MxSetM;\n        use_imm_o = 1'b1;\n        imm_o     = ", "instr_i[24:15]", ";"], "instr_i[24:15] & 10'h3fe"),
    own(152, "msettileni", "tl_mx_decoder.sv", "msettileni takes an odd immediate for the even one below", ["op_o      = tl_pkg::MxSetN;\n        use_imm_o = 1'b1;\n        imm_o     = ", "instr_i[24:15]", ";"], "instr_i[24:15] & 10'h3fe"),
    own(153, "msettileki", "tl_mx_decoder.sv", "msettileki takes an odd immediate for the even one below", ["op_o      = tl_pkg::MxSetK;\n        use_imm_o = 1'b1;\n        imm_o     = ", "instr_i[24:15]", ";"], "instr_i[24:15] & 10'h3fe"),
    own(154, "msettilem", "tl_mx_decoder.sv", "msettilem sets mtilen", ["32'b0010_00_1_00000_?????_000_00_000_0101011: begin\n        op_o      = ", "tl_pkg::MxSetM", ";"], "tl_pkg::MxSetN"),
    own(155, "msettilek", "tl_mx_decoder.sv", "msettilek sets mtilem", ["32'b0001_00_1_00000_?????_000_00_000_0101011: begin\n        op_o      = ", "tl_pkg::MxSetK", ";"], "tl_pkg::MxSetM"),
    own(156, "mrelease", "tl_mx_decoder.sv", "mrelease is no instruction", ["op_o      = ", "tl_pkg::MxRelease", ";"], "tl_pkg::MxNone"),
];
