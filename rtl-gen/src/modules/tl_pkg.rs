// SPDX-License-Identifier: Apache-2.0
//! `tl_pkg`: the constants of the configuration and the types that modules exchange.

mod bits;
mod matrix;

use bits::bits;
use matrix::matrix;

use super::tl_xpose_plan::Geometry;
use crate::Config;
use crate::modules::tl_csr;
use crate::sv::Package;

/// The package of `config`.
pub fn package(config: &Config) -> Package {
    let mut p = Package::new("tl_pkg", "Constants and types of the TensorLoad unit.");
    p.constants(
        "Configuration.",
        &[
            ("Lanes", config.lanes.to_string(), "W: datapath bytes per cycle"),
            ("PortBytes", config.port_bytes().to_string(), "P: bytes per beat of the memory ports"),
            ("RegBytes", config.reg_bytes.to_string(), "bytes of a TLReg"),
            ("Gran", config.granule_bits().to_string(), "bits of a granule: the narrowest element"),
            ("QueueEntries", config.queue_entries.to_string(), "issue queue; instructions in flight"),
            ("Precise", u32::from(config.precise).to_string(), "1: traps are precise"),
            ("NumSpare", config.spare_registers.to_string(), "physical registers for results in flight"),
        ],
    );
    p.constants(
        "Derived sizes.",
        &[
            ("NumPhys", "31 + NumSpare".into(), "physical registers; tl0 has none"),
            ("RowBits", "8 * Lanes".into(), "bits of a row, the width of a bank"),
            ("Rows", "RegBytes / Lanes".into(), "rows of a register"),
            ("BankDepth", "NumPhys * Rows / 2".into(), "rows of one of the two banks"),
            ("GranLanes", "RowBits / Gran".into(), "granules of a row"),
            ("RowW", "$clog2(Rows)".into(), "bits of a row index"),
            ("PhysW", "$clog2(NumPhys)".into(), "bits of a physical register number"),
            ("NumMarks", "Precise != 0 ? NumPhys : 32".into(), "marks of values that are still to come"),
            ("MarkW", "$clog2(NumMarks)".into(), "bits of the number of one"),
            ("BankAddrW", "$clog2(BankDepth)".into(), "bits of a bank address"),
            ("LaneW", "$clog2(Lanes)".into(), "bits of a byte index within a row"),
            ("ByteW", "$clog2(RegBytes)".into(), "bits of a byte index within a register"),
            ("GranLaneW", "$clog2(GranLanes)".into(), "bits of a granule index within a row"),
            ("GranW", "RowW + GranLaneW".into(), "bits of a granule index within a register"),
            ("PortW", "$clog2(PortBytes)".into(), "bits of a byte index within a memory word"),
            ("L0mW", config.l0m_bytes.ilog2().to_string(), "bits of a byte address in L0M"),
            ("TagW", "$clog2(QueueEntries)".into(), "bits of an instruction tag"),
            ("IssueW", if config.matrix { "104" } else { "72" }.into(), "bits of an instruction in the issue queue"),
            ("NumCsrs", tl_csr::count(config).to_string(), "CSRs that are not strides"),
        ],
    );
    p.constants(
        "Move engine.",
        &[
            ("MoveSlots", "GranLanes > 32 ? GranLanes : 32".into(), "slices of a row, and of a mask"),
            ("MoveSlotW", "$clog2(MoveSlots)".into(), "bits of the index of one of them"),
        ],
    );
    let xpose = Geometry::new(config);
    p.constants(
        "Transpose engine. An address of the tensor of two registers is {row, lane}, in granules.",
        &[
            ("XposeRowW", "RowW + 1".into(), "bits of its row index"),
            ("XposeStepW", "$clog2(XposeRowW)".into(), "bits of the position of a bit in that"),
            ("XposeExchW", xpose.exchanges.to_string(), "count bits that may be exchanged with lane bits"),
            ("XposeSlotW", xpose.slot_bits.to_string(), "log2 of the operations whose plan is kept"),
            ("XposeLaneSwaps", xpose.network().len().to_string(), "layers of the permutation of lane bits"),
        ],
    );
    p.text(
        &[
            "tag_t",
            "phys_t",
            "mark_t",
            "row_t",
            "byte_idx_t",
            "lane_t",
            "gran_lane_t",
            "port_off_t",
            "ewidth_t",
            "l0m_addr_t",
            "xpose_step_t",
            "xpose_exchange_t",
            "xpose_slot_t",
            "xpose_swaps_t",
        ],
        r#"
        typedef logic [TagW-1:0]      tag_t;        // an instruction in flight
        typedef logic [PhysW-1:0]     phys_t;       // physical register
        typedef logic [MarkW-1:0]     mark_t;       // of a value that is still to come: see tl_rename
        typedef logic [RowW-1:0]      row_t;        // row of a register
        typedef logic [ByteW-1:0]     byte_idx_t;   // byte of a register
        typedef logic [LaneW-1:0]     lane_t;       // byte of a row
        typedef logic [GranLaneW-1:0] gran_lane_t;  // granule of a row
        typedef logic [PortW-1:0]     port_off_t;   // byte of a memory word
        typedef logic [1:0]           ewidth_t;     // element width: 4 << code bits
        typedef logic [L0mW-1:0]      l0m_addr_t;   // byte of L0M
        typedef logic [XposeStepW-1:0] xpose_step_t;        // a bit of its row index
        typedef logic [XposeExchW-1:0] xpose_exchange_t;    // count bits exchanged with lane bits
        typedef logic [XposeSlotW-1:0] xpose_slot_t;        // an operation whose plan is kept
        typedef logic [XposeLaneSwaps-1:0] xpose_swaps_t;   // layers of the permutation that swap
        "#,
    );
    p.text(
        &["src_t", "dst_t", "bank_addr_t", "bank_addr", "rf_read_t", "rf_write_t"],
        r#"
        // An operand: a physical register, or zeros (tl0, and any register since reset).
        typedef struct packed {
          logic  zero;
          phys_t phys;
        } src_t;

        // A result: a physical register, or nowhere (tl0).
        typedef struct packed {
          logic  drop;
          phys_t phys;
        } dst_t;

        // The bank of a row is row[0]; this is its address there.
        typedef logic [BankAddrW-1:0] bank_addr_t;

        function automatic bank_addr_t bank_addr(phys_t phys, logic [RowW-2:0] row_pair);
          bank_addr = BankAddrW'({phys, row_pair});
        endfunction

        // Read request of an engine: at most one row of each bank, granted all or none. The rows
        // are valid in the cycle after the grant, and in that cycle only.
        typedef struct packed {
          logic       [1:0] valid;
          bank_addr_t [1:0] addr;
        } rf_read_t;

        // Write request of an engine: at most one row to each bank, granted all or none.
        typedef struct packed {
          logic       [1:0]              valid;
          bank_addr_t [1:0]              addr;
          logic       [1:0][RowBits-1:0] data;
        } rf_write_t;
        "#,
    );
    p.enumeration(
        "Exception codes.",
        "cause_e",
        3,
        &[
            ("CauseNone", 0, ""),
            ("CauseIllegal", 2, "illegal instruction"),
            ("CauseLoadMisaligned", 4, "load address misaligned"),
            ("CauseLoadFault", 5, "load access fault"),
            ("CauseStoreMisaligned", 6, "store address misaligned"),
            ("CauseStoreFault", 7, "store access fault"),
        ],
    );
    p.text(
        &["done_t", "ls_done_t"],
        r#"
        // Completion by an engine that cannot trap: one pulse, always accepted.
        typedef struct packed {
          logic valid;
          tag_t tag;
        } done_t;

        // Completion by a load or store engine; CauseNone means no trap.
        typedef struct packed {
          logic        valid;
          tag_t        tag;
          cause_e      cause;
          logic [31:0] tval;
        } ls_done_t;
        "#,
    );
    p.enumeration(
        "Operations.",
        "op_e",
        4,
        &[
            ("OpNone", 0, ""),
            ("OpLoad", 1, ""),
            ("OpMload", 2, ""),
            ("OpStore", 3, ""),
            ("OpMstore", 4, ""),
            ("OpAddi", 5, ""),
            ("OpConcat", 6, ""),
            ("OpMerge", 7, ""),
            ("OpXpose", 8, ""),
        ],
    );
    let (meaning_bits, mx_meaning) = if config.matrix { (23, MX_MEANING) } else { (15, "") };
    // A matrix instruction names two GPRs.
    let rs2 =
        if config.matrix { "\n          logic [31:0] rs2;    // x[24:20]: stride of a matrix access" } else { "" };
    p.text(
        &[
            "issue_t",
            "issue_bits_t",
            "unless_precise",
            "next_tag",
            "mark_of",
            "decoded_t",
            "csr_instr_t",
            "csr_undo_t",
            "results_t",
            "flight_t",
            "ls_shape_t",
            "dim_shape_t",
            "MeaningW",
            "meaning_bits_t",
            "meaning_t",
        ],
        &format!(
            r#"
        // An instruction as the host issues it.
        typedef struct packed {{
          logic [31:0] instr;
          logic [31:0] rs;     // value of the GPR that the instruction names{rs2}
          logic  [7:0] id;     // echoed with the result
        }} issue_t;

        // The same as plain bits: arrays of structs are not portable.
        typedef logic [IssueW-1:0] issue_bits_t;

        // What an instruction that cannot be undone waits for, where traps are precise.
        function automatic logic unless_precise(logic ok);
          unless_precise = (Precise == 0) || ok;
        endfunction

        // The tag after `tag`, in a ring of QueueEntries.
        function automatic tag_t next_tag(tag_t tag);
          next_tag = 32'(tag) == QueueEntries - 1 ? '0 : tag + 1'b1;
        endfunction

        // The mark of a value that is still to come: of its physical register, or of its TLReg.
        function automatic mark_t mark_of(phys_t phys, logic [4:0] tl);
          mark_of = MarkW'((Precise != 0) ? phys : PhysW'(tl));
        endfunction

        // A tensor instruction, decoded.
        typedef struct packed {{
          op_e             op;         // OpNone: not a tensor instruction, or not a legal one
          logic            is_load;
          logic            is_store;
          logic            is_xpose;
          logic            is_move;    // addi, merge or concat
          logic            is_tensor;  // any of these
          logic            at_once;    // no operand, no stride, no old value: it waits for room only
          logic            masked;
          logic      [4:0] rs1;
          logic      [4:0] rs2;
          logic      [4:0] rd;         // the first result; that of tl.xpose is rs1, the second rs2
          logic      [7:0] imm;
          logic      [1:0] dim;        // of concat and merge
          logic      [1:0] p;          // dimensions of tl.xpose
          logic      [1:0] q;
          logic            powers;     // tl.xpose: two registers; powers of two, the first not 1
          logic [3:0][2:0] log2_size;  // [i] = log2(D_i)
          logic [1:0][3:0] log2_sum;   // of dimensions 0 and 1, of 2 and 3
        }} decoded_t;

        // A CSR instruction, decoded.
        typedef struct packed {{
          logic        ours;
          logic        legal;
          logic        modifies;      // the new value depends on the old one
          logic        write;         // it writes: not csrrs or csrrc with x0 or 0
          logic        sets;          // csrrs
          logic        clears;        // csrrc
          logic        load_stride;   // a tload_stride
          logic        store_stride;  // a tstore_stride
          logic  [4:0] index;         // of the stride
          logic [31:0] operand;
          logic [NumCsrs-1:0] select;  // the CSR that is no stride, one-hot
        }} csr_instr_t;

        // What an instruction changed in the CSR file.
        typedef struct packed {{
          logic               load_stride;
          logic               store_stride;
          logic [NumCsrs-1:0] select;    // one-hot
          logic [4:0]         index;     // of a stride
          logic               was_init;  // of a mask: it had been written before
        }} csr_undo_t;

        // The results of an instruction; only tl.xpose has two.
        typedef struct packed {{
          logic  [1:0]      valid;     // not tl0
          logic  [1:0][4:0] rd;        // TLReg
          phys_t [1:0]      fresh;     // where the result goes
          logic  [1:0]      old_zero;  // the TLReg read as zeros before
          phys_t [1:0]      old_phys;
        }} results_t;

        // An instruction in flight.
        typedef struct packed {{
          logic     [7:0] id;
          logic           gpr_we;
          logic     [4:0] gpr;
          logic           by_load;   // a load completes it
          logic           by_store;  // a store does
          results_t       results;
        }} flight_t;

        // What the CSRs mean for loads [0] and stores [1].
        typedef struct packed {{
          logic [1:0]          ok;         // type, shape and width are legal
          logic [1:0]          mask_init;  // the mask was written since reset
          logic [31:0]         all;        // the slices 0 .. D0-1
          logic [1:0][31:0]    mask;       // those of them that the mask selects
          logic [1:0][ByteW:0] bytes;      // of a slice
          logic [1:0][ByteW:0] block;      // of D0 slices
          logic [1:0]          mask_all;   // the mask selects all of them
          logic [1:0]          mask_none;  // the mask selects none of them
        }} ls_shape_t;

        // What the CSRs mean for concat and merge along each dimension.
        typedef struct packed {{
          logic [2:0]          merge_ok;
          logic [2:0]          concat_ok;
          logic [2:0][5:0]     size;       // D_d, 1 to 32 when legal
          logic [2:0][GranW:0] inner;      // elements of a slice
          logic [2:0][1:0][5:0] counts;    // slices that concat selects of operand 0, and of both
        }} dim_shape_t;

        // What the CSRs mean for whether an instruction is legal, for an adapter that has to know.
        parameter int unsigned MeaningW = {meaning_bits};

        typedef logic [MeaningW-1:0] meaning_bits_t;  // as plain bits, for ports

        typedef struct packed {{
          logic       settled;     // the rest is up to date
          logic       type_ok;
          logic       int_type;
          ewidth_t    ewidth;
          logic [1:0] ls_ok;       // of loads [0] and stores [1], as in ls_shape_t
          logic [1:0] mask_init;
          logic [2:0] merge_ok;    // along each dimension
          logic [2:0] concat_ok;{mx_meaning}
        }} meaning_t;
        "#
        ),
    );
    bits(&mut p);
    p.enumeration(
        "Operations of the move engine.",
        "move_op_e",
        2,
        &[("MoveAddi", 0, ""), ("MoveMerge", 1, ""), ("MoveConcat", 2, "")],
    );
    p.text(
        &["move_cmd_t", "load_cmd_t", "store_cmd_t", "xpose_cmd_t"],
        r#"
        // tl.addi, tl.merge.d, tl.concat.d. The block is outer x dim x inner; lengths in granules.
        // dim, inner, block and the masks count for merge and concat, imm and ewidth for addi.
        typedef struct packed {
          move_op_e         op;
          tag_t             tag;
          dst_t             dst;
          src_t             src1;
          src_t             src2;
          ewidth_t          ewidth;
          logic       [7:0] imm;
          logic       [5:0] dim;    // D_d: 1 to 32
          logic   [GranW:0] inner;  // granules of one slice along d
          logic   [GranW:0] block;  // granules of the whole block
          logic      [31:0] mask1;  // tmask_concat_1; bits from dim on are of no account
          logic      [31:0] mask2;  // tmask_concat_2
          logic  [1:0][5:0] counts; // of concat: slices that mask1 selects, and both masks
        } move_cmd_t;

        // tl.load, tl.mload: slice i is at base + (tload_stride_i + imm) * bytes.
        typedef struct packed {
          tag_t             tag;
          dst_t             dst;
          ewidth_t          ewidth;
          logic      [31:0] base;    // x[rs]
          logic       [7:0] imm;     // signed
          logic   [ByteW:0] bytes;   // of a slice: 1 to RegBytes
          logic   [ByteW:0] block;   // of D0 slices
          logic      [31:0] mask;    // selected slices; bits from D0 on are 0
          logic             all;     // it selects all of them
          logic             none;    // it selects none of them
        } load_cmd_t;

        // tl.store, tl.mstore: slice i goes to base + (tstore_stride_i + imm) * bytes.
        typedef struct packed {
          tag_t             tag;
          src_t             src;
          ewidth_t          ewidth;
          logic      [31:0] base;    // x[rs]
          logic       [7:0] imm;     // signed
          logic   [ByteW:0] bytes;   // of a slice: 1 to RegBytes
          logic      [31:0] mask;    // selected slices; bits from D0 on are 0
          logic             none;    // it selects none of them
        } store_cmd_t;

        // tl.xpose.pq: the tensor is src1 followed by src2, the result dst1 followed by dst2.
        typedef struct packed {
          tag_t            tag;
          dst_t            dst1;
          dst_t            dst2;
          src_t            src1;
          src_t            src2;
          ewidth_t         ewidth;
          logic      [1:0] p;
          logic      [1:0] q;
          logic [3:0][2:0] log2_size;  // [i] = log2(D_i); dimension 0 is the outermost
        } xpose_cmd_t;
        "#,
    );
    p.text(
        &["gran_len_t", "lane_cnt_t", "lane_mask_t", "up_to", "slicing_t", "slot_mask_t", "slot_cnt_t", "row_dest_t"],
        r#"
        typedef logic           [GranW:0] gran_len_t;   // granules: 0 to all of a register
        typedef logic       [GranLaneW:0] lane_cnt_t;   // granules: 0 to all of a row
        typedef logic     [GranLanes-1:0] lane_mask_t;  // a bit for each granule of a row

        // The granules from 0 to `top`. Shifts, as in `below`, for comparisons become carry chains.
        function automatic lane_mask_t up_to(gran_lane_t top);
          up_to = ~({GranLanes{1'b1}} << 1 << top);
        endfunction

        // The shape of a merge or concat; lengths in granules.
        typedef struct packed {
          logic [5:0] dim;        // slices
          gran_len_t  inner;      // of one slice
          gran_len_t  block;
        } slicing_t;

        // A period of slices, repeated until it fills more than half of MoveSlots; and its length.
        typedef logic [MoveSlots-1:0] slot_mask_t;
        typedef logic   [MoveSlotW:0] slot_cnt_t;

        // Where a row of a result goes.
        typedef struct packed {
          logic last;             // row of the operation
          tag_t tag;
          dst_t dst;
          row_t row;
        } row_dest_t;
        "#,
    );
    if config.matrix {
        matrix(&mut p, config);
    }
    p.constants(
        "Load and store engines.",
        &[(
            "BankQueue",
            "Rows >= 32 ? 16 : Rows >= 8 ? Rows / 2 : 4".into(),
            "rows of each bank that wait while others use it",
        )],
    );
    p.text(&["bank_place_t"], "typedef logic [$clog2(BankQueue)-1:0] bank_place_t;  // of one of them");
    p.constants(
        "Load engine.",
        &[("LoadSlots", "4".into(), "commands in work; a power of two"), ("SlotW", "$clog2(LoadSlots)".into(), "")],
    );
    p.text(
        &["load_slot_t", "store_op_t"],
        r#"
        typedef logic [SlotW-1:0] load_slot_t;  // a command in the load engine

        // A store that has been checked.
        typedef struct packed {
          tag_t        tag;
          src_t        src;
          logic        none;   // nothing is stored: it traps, or no slice is selected
          cause_e      cause;
          logic [31:0] tval;
        } store_op_t;
        "#,
    );
    p
}

/// What `meaning_t` has of tile sizes.
const MX_MEANING: &str = "
          logic [1:0] mx_rows_ok;  // mtilem [0], mtilen [1]
          logic [2:0] mx_k_ok;     // columns of a tile register: elements of 8, 16, 32 bits
          logic [2:0] mx_n_ok;     // of an accumulation register";
