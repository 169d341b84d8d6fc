// SPDX-License-Identifier: Apache-2.0

// Constants and types of the TensorLoad unit.
package tl_pkg;

  `include "tl_config.svh"

  // Derived sizes.
  // bits of a granule: the narrowest element
  parameter int unsigned Gran      = WidthMask[0] ? 4 : WidthMask[1] ? 8 : WidthMask[2] ? 16 : 32;
  // physical registers; tl0 has none
  parameter int unsigned NumPhys   = 31 + NumSpare;
  // bits of a row, the width of a bank
  parameter int unsigned RowBits   = 8 * Lanes;
  parameter int unsigned Rows      = RegBytes / Lanes;             // rows of a register
  parameter int unsigned BankDepth = NumPhys * Rows / 2;           // rows of one of the two banks
  parameter int unsigned GranLanes = RowBits / Gran;               // granules of a row
  parameter int unsigned RowW      = $clog2(Rows);                 // bits of a row index
  // bits of a physical register number
  parameter int unsigned PhysW     = $clog2(NumPhys);
  // marks of values that are still to come
  parameter int unsigned NumMarks  = Precise != 0 ? NumPhys : 32;
  parameter int unsigned MarkW     = $clog2(NumMarks);             // bits of the number of one
  parameter int unsigned BankAddrW = $clog2(BankDepth);            // bits of a bank address
  // bits of a byte index within a row
  parameter int unsigned LaneW     = $clog2(Lanes);
  // bits of a byte index within a register
  parameter int unsigned ByteW     = $clog2(RegBytes);
  // bits of a granule index within a row
  parameter int unsigned GranLaneW = $clog2(GranLanes);
  // bits of a granule index within a register
  parameter int unsigned GranW     = RowW + GranLaneW;
  // bits of a byte index within a memory word
  parameter int unsigned PortW     = $clog2(PortBytes);
  parameter int unsigned PartW     = PortW < 4 ? PortW : 4;
  parameter int unsigned L0mW      = $clog2(L0mBytes);             // bits of a byte address in L0M
  // stores between the start of their check and their last slice. A check takes 9 cycles: with words
  // of 32 bytes four short stores are over before that
  parameter int unsigned StoreOps  = PortBytes > 16 ? 8 : 4;
  parameter int unsigned TagW      = $clog2(QueueEntries);         // bits of an instruction tag
  // CSRs that are not strides; those of `pitch` and the one of `mask_init` are the last ones
  parameter int unsigned PitchCsr  = Matrix != 0 ? 15 : 9;
  parameter int unsigned InitCsr   = PitchCsr + (Pitch != 0 ? 2 : 0);
  parameter int unsigned NumCsrs   = InitCsr + (MaskInit != 0 ? 1 : 0);
  // bits of the bytes between slots: of a pitch, or of the bytes of a slice
  parameter int unsigned PitchW    = Pitch != 0 ? 16 : ByteW + 1;

  // Move engine.
  // slices of a row, and of a mask
  parameter int unsigned MoveSlots = GranLanes > 32 ? GranLanes : 32;
  // bits of the index of one of them
  parameter int unsigned MoveSlotW = $clog2(MoveSlots);

  // Transpose engine. An address of the tensor of two registers is {row, lane}, in granules.
  parameter int unsigned XposeRowW  = RowW + 1;           // bits of its row index
  // bits of the position of a bit in that
  parameter int unsigned XposeStepW = $clog2(XposeRowW);
  // count bits that may be exchanged with lane bits
  parameter int unsigned XposeExchW = GranLaneW < XposeRowW ? GranLaneW : XposeRowW;
  // 1: a lane bit can be exchanged with any count bit; 0: only with its own
  parameter int unsigned XposeAssigns = GranLaneW > 5 || GranLaneW != XposeExchW ? 1 : 0;
  // log2 of the number of plans that are kept. An operation has left the engine when the next one
  // is half done, or when two more have begun
  parameter int unsigned XposeSlotW = XposeRowW >= GranLaneW + 2 ? 1 : 2;

  typedef logic [Xlen-1:0]      host_t;       // register of the host, address, value of a trap
  typedef logic [TagW-1:0]      tag_t;        // an instruction in flight
  typedef logic [PhysW-1:0]     phys_t;       // physical register
  // mark of a value that is still to come: see tl_rename
  typedef logic [MarkW-1:0]     mark_t;
  typedef logic [RowW-1:0]      row_t;        // row of a register
  typedef logic [ByteW-1:0]     byte_idx_t;   // byte of a register
  typedef logic [LaneW-1:0]     lane_t;       // byte of a row
  typedef logic [GranLaneW-1:0] gran_lane_t;  // granule of a row
  typedef logic [PortW-1:0]     port_off_t;   // byte of a memory word
  typedef logic [PartW-1:0]     part_t;       // bytes of a slice that is walked with others as one
  typedef logic [1:0]           ewidth_t;     // element width: 4 << code bits
  typedef logic [L0mW-1:0]      l0m_addr_t;   // byte of L0M
  typedef logic [XposeStepW-1:0] xpose_step_t;        // a bit of its row index
  typedef logic [XposeExchW-1:0] xpose_exchange_t;    // count bits exchanged with lane bits
  typedef logic [XposeSlotW-1:0] xpose_slot_t;        // an operation whose plan is kept
  typedef logic [XposeLaneSwaps-1:0] xpose_swaps_t;   // layers of the permutation that swap

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

  // Read request of an engine: at most one row of each bank. Stores are granted bank by bank; all
  // other engines get every row that they request, or none. The data of a grant in cycle t are
  // valid in cycle t + 2 only. A request may be withdrawn.
  typedef struct packed {
    logic       [1:0] valid;
    bank_addr_t [1:0] addr;
  } rf_read_t;

  // Write request of an engine: at most one row to each bank. Loads are granted bank by bank, all
  // others as a whole. The data of a grant in cycle t have to be valid in cycle t + 1, at whose end
  // they are written; tl_xpose gives its data with the request.
  typedef struct packed {
    logic       [1:0]              valid;
    bank_addr_t [1:0]              addr;
    logic       [1:0][RowBits-1:0] data;
  } rf_write_t;

  // Exception codes.
  typedef enum logic [2:0] {
    CauseNone            = 3'd0,
    CauseIllegal         = 3'd2,  // illegal instruction
    CauseLoadMisaligned  = 3'd4,  // load address misaligned
    CauseLoadFault       = 3'd5,  // load access fault
    CauseStoreMisaligned = 3'd6,  // store address misaligned
    CauseStoreFault      = 3'd7   // store access fault
  } cause_e;

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
    host_t       tval;
  } ls_done_t;

  // Operations.
  typedef enum logic [3:0] {
    OpNone   = 4'd0,
    OpLoad   = 4'd1,
    OpMload  = 4'd2,
    OpStore  = 4'd3,
    OpMstore = 4'd4,
    OpAddi   = 4'd5,
    OpConcat = 4'd6,
    OpMerge  = 4'd7,
    OpXpose  = 4'd8
  } op_e;

  // By op_e: operations that add a number to each element. They need an integer type, and nothing else.
  parameter logic [15:0] SumOps = 16'd1 << OpAddi;

  // What a sum adds, signed.
  parameter int unsigned AddendW = 8;
  typedef logic [AddendW-1:0] addend_t;

  // An instruction as the host issues it. x[n:m] is the register that bits n to m of the word name.
  typedef struct packed {
    host_t       rs2;    // x[24:20]: stride of a matrix access
    logic [31:0] instr;
    host_t       rs;     // value of the GPR that the instruction names
    logic  [7:0] id;     // echoed with the result
  } issue_t;

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
  typedef struct packed {
    op_e             op;         // OpNone: not a tensor instruction, or not a legal one
    logic            is_load;
    logic            is_store;
    logic            is_xpose;
    logic            is_move;    // addi, merge or concat
    logic            is_tensor;  // any of these
    // needs no operand, no stride and no old value: waits only for room
    logic            at_once;
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
  } decoded_t;

  // A CSR instruction, decoded.
  typedef struct packed {
    logic        ours;
    logic        legal;
    logic        modifies;      // the new value depends on the old one
    logic        write;         // it writes: all but csrrs and csrrc with x0 or 0
    logic        sets;          // csrrs
    logic        clears;        // csrrc
    logic        load_stride;   // a tload_stride
    logic        store_stride;  // a tstore_stride
    logic  [4:0] index;         // of the stride
    logic [31:0] operand;
    logic [NumCsrs-1:0] select;  // the CSR that is no stride, one-hot
  } csr_instr_t;

  // The CSR that an instruction changed.
  typedef struct packed {
    logic               load_stride;
    logic               store_stride;
    logic [NumCsrs-1:0] select;    // one-hot
    logic [4:0]         index;     // of a stride
    logic               was_init;  // for a mask: it had been written before this instruction
  } csr_undo_t;

  // The results of an instruction; only tl.xpose has two.
  typedef struct packed {
    logic  [1:0]      valid;     // not tl0
    logic  [1:0][4:0] rd;        // TLReg
    phys_t [1:0]      fresh;     // where the result goes
    logic  [1:0]      old_zero;  // the TLReg read as zeros before this instruction
    phys_t [1:0]      old_phys;
  } results_t;

  // An instruction in flight.
  typedef struct packed {
    logic     [7:0] id;
    logic           gpr_we;
    logic     [4:0] gpr;
    logic           by_load;   // a load engine completes the instruction
    logic           by_store;  // a store engine completes the instruction
    results_t       results;
  } flight_t;

  // What the CSRs mean for loads [0] and stores [1].
  typedef struct packed {
    logic [1:0]          ok;         // type, shape and width are legal
    logic [1:0]          mask_init;  // the mask was written since reset
    logic [31:0]         all;        // bits 0 to D0 - 1: the slices of the block
    logic [1:0][31:0]    mask;       // slices that the mask selects
    logic [1:0][ByteW:0] bytes;      // of a slice
    // bytes of D0 slices; if slices are moved in part, rounded down to whole rows
    logic [1:0][ByteW:0] block;
    // bytes from one slot to the next, and from one slice to the next in the register; 0 without
    // `pitch`: both are those of a slice
    logic [1:0][PitchW-1:0] pitch;
    byte_idx_t [1:0]     whole;
    // for loads: a whole row may lie between the moved bytes of two slices
    logic                sparse;
    logic                pitched;    // for stores: the pitch is not the bytes of a slice
    logic [1:0]          mask_all;   // the mask selects all of them
    logic [1:0]          mask_none;  // the mask selects none of them
  } ls_shape_t;

  // What the CSRs mean for concat and merge along each dimension.
  typedef struct packed {
    logic [2:0]          merge_ok;
    logic [2:0]          concat_ok;
    logic [2:0][5:0]     size;       // D_d, 1 to 32 when legal
    logic [2:0][GranW:0] inner;      // elements of a slice
    // slices that concat selects: [0] of operand 0, [1] of both operands
    logic [2:0][1:0][5:0] counts;
  } dim_shape_t;

  // What the CSRs mean for the legality of instructions, for an adapter that decides it. It is a
  // meaning_t; with matrix instructions an mx_meaning_t follows in the lowest bits.
  parameter int unsigned MeaningW = Matrix != 0 ? 23 : 15;

  typedef logic [MeaningW-1:0] meaning_bits_t;  // as plain bits, for ports

  typedef struct packed {
    logic       settled;    // the other fields are up to date with the CSRs
    logic       type_ok;
    logic       int_type;
    ewidth_t    ewidth;
    logic [1:0] ls_ok;      // of loads [0] and stores [1], as in ls_shape_t
    logic [1:0] mask_init;
    logic [2:0] merge_ok;   // along each dimension
    logic [2:0] concat_ok;
  } meaning_t;

  typedef struct packed {
    logic [1:0] rows_ok;    // mtilem [0], mtilen [1]
    logic [2:0] k_ok;       // columns of a tile register: elements of 8, 16, 32 bits
    logic [2:0] n_ok;       // of an accumulation register
  } mx_meaning_t;

  // Brings a CSR instruction, under the opcode SYSTEM or the unit's own (`csr_op`), to the standard
  // encoding, with the CSR number that it has for a CsrBase of 12'h800.
  function automatic logic [31:0] csr_word(logic [31:0] instr, logic csr_op);
    csr_word = instr;
    if (CsrBase != 12'h800) csr_word[31:20] = instr[31:20] ^ (instr[30] ? 12'h020 : 12'h080);
    if (csr_op && ({instr[31:29], instr[6:0]} == {EngineId, 1'b0, 7'b1011011}) &&
        instr[14] && (instr[13:12] != 2'b00)) begin
      csr_word[31:20] = {1'b1, instr[27:26] == 2'b11, 2'b00, instr[27:20]};
      csr_word[14]    = instr[28];
      csr_word[6:0]   = 7'b1110011;
    end
  endfunction

  // The CSRs of `pitch` in `select`: of loads [0], of stores [1].
  function automatic logic [1:0] pitch_csrs(logic [NumCsrs-1:0] select);
    pitch_csrs = Pitch != 0 ? 2'({2'b00, select} >> PitchCsr) : 2'b00;
  endfunction

  // The CSR of `mask_init` in `select`.
  function automatic logic init_csr(logic [NumCsrs-1:0] select);
    init_csr = 1'({1'b0, select} >> InitCsr);
  endfunction

  // The low `count` bits set, for 0 to 32.
  function automatic logic [31:0] below(logic [5:0] count);
    below = ~({32{1'b1}} << count);
  endfunction

  // The number of set bits of a nibble, in three LUTs.
  function automatic logic [2:0] ones4(logic [3:0] value);
    ones4[0] = ^value;
    ones4[1] = !(&value) && ((value[0] && value[1]) || (value[2] && value[3]) ||
        ((value[0] || value[1]) && (value[2] || value[3])));
    ones4[2] = &value;
  endfunction

  // The number of set bits of a word. An adder of two numbers also adds a single bit c, appended to
  // both of them: {a, c} + {b, c} is {a + b + c, 0}.
  function automatic logic [6:0] ones(logic [31:0] value);
    logic [2:0][3:0] nine;  // of nine bits each
    logic [4:0]      low;   // of the first two of them and bit 27
    logic [4:0]      high;  // of the others
    for (int unsigned i = 0; i < 3; i++) begin
      nine[i] = 4'(({1'b0, ones4(value[9*i+:4]), value[9*i+8]} +
          {1'b0, ones4(value[9*i+4+:4]), value[9*i+8]}) >> 1);
    end
    low  = 5'(({1'b0, nine[0], value[27]} + {1'b0, nine[1], value[27]}) >> 1);
    high = 5'(({1'b0, nine[2], value[28]} +
        {2'b00, ones4({1'b0, value[31:29]}), value[28]}) >> 1);
    ones = 7'(low) + 7'(high);
  endfunction

  // Operations of the move engine.
  typedef enum logic [1:0] {
    MoveAddi   = 2'd0,
    MoveMerge  = 2'd1,
    MoveConcat = 2'd2
  } move_op_e;

  // tl.addi, tl.merge.d, tl.concat.d. The block is outer x dim x inner; lengths in granules.
  // dim, inner, block and the masks count for merge and concat, addend and ewidth for addi.
  typedef struct packed {
    move_op_e         op;
    tag_t             tag;
    dst_t             dst;
    src_t             src1;
    src_t             src2;
    ewidth_t          ewidth;
    addend_t          addend;
    logic       [5:0] dim;    // D_d: 1 to 32
    logic   [GranW:0] inner;  // granules of one slice along d
    logic   [GranW:0] block;  // granules of the whole block
    logic      [31:0] mask1;  // tmask_concat_1; bits from dim on have no meaning
    logic      [31:0] mask2;  // tmask_concat_2
    // for concat: slices that mask1 selects [0], that both masks select [1]
    logic  [1:0][5:0] counts;
  } move_cmd_t;

  // tl.load, tl.mload: slice i is at base + (tload_stride_i + imm) * pitch, and in the register at
  // i * whole; see ls_shape_t.
  typedef struct packed {
    tag_t             tag;
    dst_t             dst;
    ewidth_t          ewidth;
    host_t            base;    // x[rs]
    logic       [7:0] imm;     // signed
    logic   [ByteW:0] bytes;   // of a slice: 1 to RegBytes
    // bytes of D0 slices; if slices are moved in part, rounded down to whole rows
    logic   [ByteW:0] block;
    logic [PitchW-1:0] pitch;  // bytes from one slot to the next
    byte_idx_t        whole;   // bytes from one slice to the next in the register
    logic      [31:0] mask;    // selected slices; bits from D0 on are 0
    // the mask selects all slices, and no whole row lies between two of them
    logic             all;
    logic             none;    // the mask selects no slice
  } load_cmd_t;

  // tl.store, tl.mstore: slice i goes to base + (tstore_stride_i + imm) * pitch. As in load_cmd_t.
  typedef struct packed {
    tag_t             tag;
    src_t             src;
    ewidth_t          ewidth;
    host_t            base;    // x[rs]
    logic       [7:0] imm;     // signed
    logic   [ByteW:0] bytes;   // of a slice: 1 to RegBytes
    logic   [ByteW:0] block;
    logic [PitchW-1:0] pitch;
    byte_idx_t        whole;
    logic      [31:0] mask;    // selected slices; bits from D0 on are 0
    logic             none;    // the mask selects no slice
    logic             dense;   // slice i goes to slot i, and each is `bytes` long and selected
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

  typedef logic           [GranW:0] gran_len_t;   // granules: 0 to all of a register
  typedef logic       [GranLaneW:0] lane_cnt_t;   // granules: 0 to all of a row
  typedef logic     [GranLanes-1:0] lane_mask_t;  // a bit for each granule of a row

  // The granules from 0 to `top`. This is a shift, as in `below`, because comparisons would become
  // carry chains.
  function automatic lane_mask_t up_to(gran_lane_t top);
    up_to = ~({GranLanes{1'b1}} << 1 << top);
  endfunction

  // The shape of a merge or concat; lengths in granules.
  typedef struct packed {
    logic [5:0] dim;        // slices
    gran_len_t  inner;      // of one slice
    gran_len_t  block;
  } slicing_t;

  // A period of slices, repeated until it fills more than half of MoveSlots, and the length of
  // that.
  typedef logic [MoveSlots-1:0] slot_mask_t;
  typedef logic   [MoveSlotW:0] slot_cnt_t;

  // Where a row of a result goes.
  typedef struct packed {
    logic last;             // last row of the operation
    tag_t tag;
    dst_t dst;
    row_t row;
  } row_dest_t;

  // Matrix registers. Element (i, j) of a register is at byte j * size of row i.
  // bytes of a row of acc0 to acc3: MxRows elements of 32 bits
  parameter int unsigned MxAccBytes = 4 * MxRows;
  parameter int unsigned MxRowBytes = MxTrBytes > MxAccBytes ? MxTrBytes : MxAccBytes;
  parameter int unsigned MxByteW    = $clog2(MxRowBytes);   // bits of a byte index within a row
  // bits of a byte address
  parameter int unsigned MxMemW     = $clog2(L1mBytes > L0mBytes ? L1mBytes : L0mBytes);

  // Matrix operations.
  typedef enum logic [2:0] {
    MxNone    = 3'd0,
    MxLoad    = 3'd1,
    MxStore   = 3'd2,
    MxSetM    = 3'd3,  // msettilem, msettilemi
    MxSetN    = 3'd4,
    MxSetK    = 3'd5,
    MxRelease = 3'd6   // changes nothing
  } mx_op_e;

  // The operand of the product C = A * B that a tile is.
  typedef enum logic [1:0] {
    MxA = 2'd0,  // M x K
    MxB = 2'd1,  // N x K
    MxC = 2'd2   // M x N
  } mx_form_e;

  // A tile fits its register: its rows and its columns do. The sizes are as in mx_meaning_t.
  function automatic logic mx_fits(logic is_b, logic is_c, logic [1:0] d_size,
                                   logic [1:0] rows_ok, logic [2:0] k_ok, logic [2:0] n_ok);
    logic       rows_fit;
    logic [3:0] columns_fit;  // with elements of each size
    rows_fit    = is_b ? rows_ok[1] : rows_ok[0];
    columns_fit = {1'b0, is_c ? n_ok : k_ok};
    mx_fits     = rows_fit && columns_fit[d_size];
  endfunction

  // A matrix instruction, decoded.
  typedef struct packed {
    logic       ours;     // the word has the matrix opcode
    logic       legal;    // an instruction
    mx_op_e     op;
    logic [1:0] uses;     // it names L1M [0], L0M [1], even if it is illegal or its tile is empty
    mx_form_e   form;
    logic       trans;
    logic [1:0] d_size;   // log2 of the bytes of an element
    logic [2:0] md;
    logic       use_imm;  // msettile*i
    logic [9:0] imm;
  } mx_instr_t;

  typedef logic      [MxByteW-1:0] mx_idx_t;   // byte of a row or of a memory line
  typedef logic        [MxByteW:0] mx_len_t;   // bytes of a memory line, or lines
  typedef logic   [MxRowBytes-1:0] mx_mask_t;  // bytes of a row or of a memory line
  typedef logic [8*MxRowBytes-1:0] mx_row_t;

  // A load or store. In memory it is `lines` lines of `bytes` bytes, each `stride` behind the
  // one before: the rows of the tile, or its columns when it is transposed.
  typedef struct packed {
    tag_t        tag;
    logic        store;
    logic        trans;
    logic  [1:0] d_size;  // log2 of the bytes of an element: 0 to 2
    logic  [2:0] md;      // register: tr0 to tr3, acc0 to acc3
    mx_len_t     lines;   // 1 to MxRowBytes
    mx_len_t     bytes;   // 1 to MxRowBytes
    host_t       base;
    host_t       stride;
  } mx_cmd_t;

  // The bytes of a memory line that are in one memory word.
  typedef struct packed {
    tag_t              tag;
    logic              trans;
    logic        [1:0] d_size;
    logic        [2:0] md;
    mx_idx_t           line;
    mx_idx_t           pos;    // of the first byte in the line
    mx_len_t           stop;   // behind the last byte in the line
    port_off_t         turn;   // lane that the first byte of the line has in its memory word
    logic [MxMemW-1:0] addr;   // of the first byte
    logic              first;  // of the access
    logic              last;   // of the access
  } mx_beat_t;

  // The bytes of a memory line that a beat holds.
  function automatic mx_mask_t mx_window(mx_idx_t pos, mx_len_t stop);
    mx_window = ({MxRowBytes{1'b1}} << pos) & ~({MxRowBytes{1'b1}} << stop);
  endfunction

  // Load and store engines.
  // rows that wait for each bank while other engines use it
  parameter int unsigned BankQueue = Rows >= 32 ? 16 : Rows >= 8 ? Rows / 2 : 4;

  typedef logic [$clog2(BankQueue)-1:0] bank_place_t;  // of one of them

  // Load engine.
  parameter int unsigned LoadSlots = 4;                  // commands in work; a power of two
  parameter int unsigned SlotW     = $clog2(LoadSlots);

  typedef logic [SlotW-1:0] load_slot_t;  // a command in the load engine

  // A store that has been checked.
  typedef struct packed {
    tag_t        tag;
    src_t        src;
    part_t       part;   // its slice stands for several, of this length; 0: for itself
    logic        none;   // nothing is stored: it traps, or no slice is selected
    cause_e      cause;
    host_t       tval;
  } store_op_t;

endpackage
