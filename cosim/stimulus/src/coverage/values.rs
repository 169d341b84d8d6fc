// SPDX-License-Identifier: Apache-2.0
//! The vocabulary of the coverage table: axes, and the values on them that are told apart.

use super::axis::axes;
use super::values_matrix::with_matrix;

// Those of matrix instructions come between the two parts.
with_matrix! { axes! {
    Op op "operation" {}
    Type ttype "element type" {
        INT4  "tint4"  "integers of 4 bits",
        INT8  "tint8"  "integers of 8 bits",
        INT16 "tint16" "integers of 16 bits",
        INT32 "tint32" "integers of 32 bits",
        FP4   "tfp4"   "floating point of 4 bits",
        FP8   "tfp8"   "floating point of 8 bits",
        FP16  "tfp16"  "floating point of 16 bits",
        FP32  "tfp32"  "floating point of 32 bits",
    }
    Width width "element width" {
        E4  "e4"  "elements of 4 bits",
        E8  "e8"  "elements of 8 bits",
        E16 "e16" "elements of 16 bits",
        E32 "e32" "elements of 32 bits",
    }
    Format format "floating-point format" {
        FORMAT1 "format 1" "value 1 of a floating-point field of ttype",
        FORMAT2 "format 2" "value 2",
        FORMAT3 "format 3" "value 3",
    }
    Shape shape "shape of the block" {
        SINGLE "one element"    "every dimension is 1",
        FULL   "full register"  "the block fills the register",
        LINE   "line"           "one dimension is not 1, and the register is not full",
        POWERS "powers of two"  "several dimensions, all powers of two, and the register is not full",
        ODD    "other"          "several dimensions, one of them not a power of two",
    }
    Dim dim "dimension" {
        D0 "d0" "along dimension 0",
        D1 "d1" "along dimension 1",
        D2 "d2" "along dimension 2, the innermost",
    }
    Slices slices "number of slices" {
        ONE_SLICE "1"    "the dimension that slices count in has size 1",
        TWO       "2"    "size 2",
        SOME      "3-31" "size 3 to 31",
        MOST      "32"   "size 32, as many as a mask has bits",
    }
    Run run "size of a slice against a word of the port, or of a run of elements against a row" {
        NIBBLES  "half bytes"    "a run of an odd number of 4-bit elements",
        BYTE     "1 byte"        "a slice of one byte",
        PART     "part"          "less than a word or row, and not one of those above",
        WHOLE    "whole"         "exactly a word or row",
        MULTIPLE "several"       "several whole words or rows",
        UNEVEN   "uneven"        "more than a word or row, and not a multiple of it",
    }
    End end "end of the block in the register" {
        END_FULL   "register" "where the register ends",
        END_ROW    "row"      "where a row ends",
        END_INSIDE "in a row" "at a byte inside a row",
        END_NIBBLE "in a byte" "in the middle of a byte",
    }
    Mask mask "mask, or first mask" {
        M_NONE   "none"   "no slice selected",
        M_ALL    "all"    "every slice selected",
        M_ONE    "one"    "one of several slices selected",
        M_PREFIX "first"  "slices from 0 on without a gap, two or more and not all",
        M_RUN    "run"    "slices without a gap, two or more, not from 0 on",
        M_HOLES  "holes"  "slices with gaps between them",
    }
    Mask2 mask2 "second mask" {
        N_NONE   "none 2"   "no slice of tlrs2 selected",
        N_ALL    "all 2"    "every slice selected",
        N_ONE    "one 2"    "one of several slices selected",
        N_PREFIX "first 2"  "slices from 0 on without a gap",
        N_RUN    "run 2"    "slices without a gap, not from 0 on",
        N_HOLES  "holes 2"  "slices with gaps between them",
    }
    High high "mask bits that stand for no slice" {
        HIGH_CLEAR "high bits clear" "they are 0",
        HIGH_SET   "high bits set"   "some of them are 1, which changes nothing",
    }
    Sum sum "slices that tl.concat selects" {
        SUM_NONE  "empty"  "no slice: the result is zeros",
        SUM_LESS  "room"   "fewer than the dimension has",
        SUM_EXACT "filled" "as many as the dimension has",
    }
    Alias alias "same registers" {
        DISTINCT   "different"     "all operands are different registers",
        D_IS_S1    "rd = rs1"      "the result replaces the (first) source",
        D_IS_S2    "rd = rs2"      "the result replaces the second source",
        S1_IS_S2   "rs1 = rs2"     "both sources are the same register",
        ALL_SAME   "all the same"  "both sources and the result",
    }
    Zero zero "use of tl0" {
        NO_ZERO   "no tl0"   "tl0 is not an operand",
        ZERO_D    "rd = tl0" "the result is dropped",
        ZERO_S1   "rs1 = tl0" "the only or first source is zeros",
        ZERO_S2   "rs2 = tl0" "the second source is zeros",
        ZEROS     "several tl0" "several operands are tl0",
    }
    WidthCsr width_csr "width CSR" {
        WIDTH_0      "0"       "0, which stands for D1 * D2",
        WIDTH_EQUAL  "D1 * D2" "the same as D1 * D2",
        WIDTH_LESS   "less"    "less than D1 * D2",
        WIDTH_MORE   "more"    "more than D1 * D2",
    }
    Pitch pitch "pitch CSR" {
        P_0       "0"       "0: slots follow each other",
        P_1       "1"       "1: slots count bytes",
        P_DENSE   "dense"   "the bytes of a whole slice",
        P_OVERLAP "overlap" "fewer bytes than are moved of a slice",
        P_INSIDE  "inside"  "fewer bytes than a whole slice, and as many as are moved or more",
        P_MORE    "more"    "more bytes than a whole slice",
        P_HIGH    "high"    "32,768 or more",
    }
    Pitched pitched "pitch CSR of an illegal access" {
        ILLEGAL_DENSE   "0"     "0",
        ILLEGAL_PITCHED "not 0" "another value",
    }
    Order order "places of the selected slices in memory" {
        O_SINGLE   "one slice" "one slice is selected",
        O_ADJACENT "adjacent"  "each slice begins where the one before it ends",
        O_SAME     "same"      "all slices at one address",
        O_BACKWARD "backward"  "each slice ends where the one before it begins",
        O_GAPS     "gaps"      "ascending, with gaps",
        O_MIXED    "mixed"     "anything else",
    }
    Slot slot "slots" {
        SLOT_PLUS  "positive" "stride + imm8 is 0 to 2^31 - 1 for all selected slices",
        SLOT_MINUS "negative" "for one of them it is negative, and the base address makes up for it",
        SLOT_HUGE  "huge"     "for one of them the product with the slice size, as a signed number, overflows 32 bits",
    }
    Offset offset "first address within a word of the port" {
        AT_0    "0"         "a multiple of the word",
        AT_LOW  "low half"  "in the lower half of the word, not at its beginning",
        AT_HALF "half"      "in the middle of the word",
        AT_HIGH "high half" "in the upper half, not at its beginning",
    }
    Place place "place in the memory" {
        START   "address 0"  "one slice begins at address 0",
        INSIDE  "inside"     "neither the first nor the last byte of the memory",
        LAST    "last byte"  "one slice ends where the memory ends",
    }
    Cause cause "trap" {
        DONE       "no trap"    "the instruction completed",
        ILLEGAL    "illegal"    "illegal instruction",
        MISALIGNED "misaligned" "load or store address misaligned",
        OUTSIDE    "outside"    "access fault: outside the memory",
        PORT       "port error" "access fault: the memory port answered with an error",
    }
    Why why "the one reason for which the operation is illegal" {
        NO_TYPE       "no type"            "ttype is 0",
        TWO_TYPES     "several types"      "several fields of ttype are not 0",
        OTHER_WIDTH   "width not built in" "a legal type of a width that the configuration does not have",
        ZERO_SIZE     "size 0"             "a dimension is 0",
        BLOCK_BIG     "block too big"      "the block is larger than a register",
        DIM_BIG       "dimension > 32"     "the dimension that slices count in is larger than a mask",
        MASK_1        "mask not written"   "the mask has not been written since reset (tl.concat: the first one)",
        MASK_2        "mask 2 not written" "the second mask has not been written",
        HALF_BYTE     "half bytes"         "a slice is not whole bytes",
        SLICES_BIG    "slices too big"     "the slices are larger than a register",
        TOO_MANY      "too many slices"    "tl.concat selects more slices than the dimension has",
        SAME_REGISTER "same register"      "tl.xpose names one register twice",
        SIZE_0        "size of 0"          "a size in the operand of tl.xpose is 0",
        ODD_D0        "D0 odd"             "the first size of tl.xpose is odd",
        PRODUCT       "wrong product"      "the sizes of tl.xpose do not fill two registers",
        NOT_INTEGER   "not integer"        "tl.addi with a floating-point type",
        OTHER_NEED    "other condition"    "a condition that has no value of its own here",
    }
    Pos pos "slice that traps" {
        POS_FIRST  "first slice"  "the first selected slice, or the only one",
        POS_MIDDLE "middle slice" "neither the first nor the last selected slice",
        POS_LAST   "last slice"   "the last of several selected slices",
    }
    Beyond beyond "how a slice is outside the memory" {
        CROSSES "crosses the end" "it begins inside and ends outside",
        BEHIND  "behind the end"  "it begins outside",
        WRAPS   "wraps around"    "it crosses address 2^32",
    }
    Shared shared "the first word that answers with an error" {
        S_ALONE   "of one slice" "it has bytes of the slice that traps alone",
        S_BEGINS  "shared, slice begins" "the slice that traps begins in it, and the next one follows in it",
        S_CROSSES "shared, slice ends" "the slice that traps begins before it, and the next one follows in it",
    }
    Continues continues "a load or store that goes on where the one before it in its engine ended" {
        GOES_ON_SAME  "goes on, same register" "in memory, and with the number of the next slice; the same register",
        GOES_ON_OTHER "goes on, other register" "the same with another register",
    }
    Crowd crowd "slices of older loads, or stores, in flight at dispatch" {
        CROWD_NONE "none in flight" "none",
        CROWD_SOME "some in flight" "up to 32, as many as the longest access has",
        CROWD_MORE "more than 32 in flight" "more than 32, of several accesses",
    }
    Unanswered unanswered "most requests of a memory port that were without an answer at a time" {
        L1M_16 "L1M: 16" "16 of L1M",
        L1M_32 "L1M: 32" "32 of L1M",
        L1M_64 "L1M: 64" "64 of L1M",
        L0M_16 "L0M: 16" "16 of L0M",
        L0M_32 "L0M: 32" "32 of L0M",
        L0M_64 "L0M: 64" "64 of L0M",
    }
    Reach reach "what a load or store with a negative immediate could reach, were any stride between 0 and the greatest one" {
        REACH_IN   "reach inside" "a slice with the stride 0 and one with the greatest of all strides would be inside the memory",
        REACH_LOW  "reach below"  "the one with the stride 0 would be outside, the other one not",
        REACH_HIGH "reach above"  "the one with the greatest stride would be outside, the other one not",
    }
    Press press "what is at work before it, with results that are taken at once" {
        PRESS_WRITES "writers" "a transposition, and two results of the move engine that need no operand",
        PRESS_READS  "readers" "a transposition, a store, and an operation of the move engine with operands",
    }
    Outer outer "slices that come again for each outer index" {
        OUTER_MORE "again" "several slices for each of several outer indices",
    }
    Between between "what was killed before it, for the same trap" {
        BEHIND_STORE "behind store" "a store; both had been dispatched when the trap was known",
    }
    StridesRead strides_read "reads of strides of stores before it, since the last write of one" {
        READS_32 "32 reads" "as many as there are strides, and more",
    }
    AfterReset after_reset "clock cycles of the reset before it, the first instruction of the unit after that" {
        RESET_1    "reset of 1" "one",
        RESET_2    "reset of 2" "two",
        RESET_3    "reset of 3" "three",
        RESET_MORE "reset of more" "four and more",
    }
    SinceReset since_reset "clock cycles between the reset and its issue" {
        SINCE_0  "at once"      "it is issued in the first one",
        SINCE_1  "1-31 later"   "while the unit sets the CSRs that are memories",
        SINCE_32 "32 later"     "these have just got their values",
        SINCE_33 "33 later"     "a cycle after that",
        SINCE_34 "34-63 later"  "soon after that",
    }
    Interrupted interrupted "what a reset interrupted; a CSR instruction, or the first other one after it" {
        I_LOAD     "reset in load"     "the load engine worked for the oldest instruction",
        I_STORE    "reset in store"    "the store engine",
        I_MOVE     "reset in move"     "the engine of tl.addi, tl.concat and tl.merge",
        I_XPOSE    "reset in xpose"    "the transposition engine",
        I_MX_LOAD  "reset in matrix load"  "the matrix engine, for a load",
        I_MX_STORE "reset in matrix store" "the matrix engine, for a store",
    }
    Spared spared "what masked slices would have done" {
        SPARED_OUTSIDE "outside"    "a slice that is not selected is outside the memory; the instruction completes",
        SPARED_PORT    "port error" "a slice that is not selected would meet an error of the port; it completes",
    }
    Imm imm "immediate of a sum" {
        IMM_MIN   "least" "the least one: -128 of eight bits with a sign",
        IMM_MINUS "negative" "others below -1",
        IMM_M1    "-1" "one less",
        IMM_0     "0" "zero",
        IMM_1     "1" "one more",
        IMM_PLUS  "positive" "others above 1",
        IMM_MAX   "greatest" "the greatest one: 127 of eight bits with a sign",
    }
    Clamp clamp "saturation" {
        C_NONE     "none"      "no element saturates",
        C_LOW      "some at 0" "some elements, at 0",
        C_LOW_ALL  "all at 0"  "all elements, at 0",
        C_HIGH     "some at the top" "some elements, at 2^e - 1",
        C_HIGH_ALL "all at the top"  "all elements, at 2^e - 1",
        C_BOTH     "both"      "elements at 0 and elements at 2^e - 1",
    }
    Edge edge "sums next to the end of the range" {
        UNDER    "below by one"  "a sum is -1, and saturates at 0 (else: is exactly 0)",
        EDGE_0   "exactly 0"     "a sum is 0",
        OVER     "above by one"  "a sum is 2^e, and saturates at 2^e - 1 (else: is exactly that)",
        EDGE_TOP "exactly the top" "a sum is 2^e - 1",
    }
    Pq pq "dimensions exchanged, as encoded" {}
    Exchange exchange "class of the exchange" {
        X_SAME    "p = q"         "the same dimension twice: nothing moves",
        X_TRIVIAL "both 1"        "two dimensions of size 1",
        X_ONE     "one is 1"      "one of the two dimensions has size 1",
        X_EQUAL   "equal sizes"   "equal sizes above 1: the exchange is its own inverse",
        X_OTHER   "different"     "different sizes, both above 1",
    }
    Crossing crossing "address bits that go from row to lane" {}
    Sizes sizes "sizes of tl.xpose" {
        D0_IS_2  "D0 = 2"      "the least first size",
        SIZE_128 "a size 128"  "the largest size that is a power of two",
        ALL_FOUR "all above 1" "no size is 1",
        TWO_DIMS "two above 1" "two sizes are 1: a matrix",
    }
    Upper upper "upper half of a base address" {
        UPPER_0     "0"     "0: the address has 32 bits",
        UPPER_ONES  "ones"  "all ones: the address is just below 0",
        UPPER_OTHER "other" "anything else: no 32 bits can bring it back",
    }
    Form form "encoding of an operation" {
        FORM_FIRST  "first"  "host register in [11:7], or none",
        FORM_SECOND "second" "host register in [19:15]",
    }
    CsrForm csr_form "encoding of a CSR instruction" {
        CSR_STANDARD "standard" "opcode SYSTEM",
        CSR_UNIT     "unit"     "the unit's own opcode",
    }
    CsrName csr_name "CSR" {}
    CsrKind csr_kind "CSR instruction" {
        CSRRW    "csrrw"       "`csrrw` from a register",
        CSRRW_0  "csrrw x0"    "`csrrw` from x0",
        CSRRS    "csrrs"       "`csrrs` from a register",
        CSRRS_0  "csrrs x0"    "`csrrs` from x0, which only reads",
        CSRRC    "csrrc"       "`csrrc` from a register",
        CSRRC_0  "csrrc x0"    "`csrrc` from x0, which only reads",
        CSRRWI   "csrrwi"      "`csrrwi`",
        CSRRSI   "csrrsi"      "`csrrsi`",
        CSRRSI_0 "csrrsi 0"    "`csrrsi` with 0, which only reads",
        CSRRCI   "csrrci"      "`csrrci`",
        CSRRCI_0 "csrrci 0"    "`csrrci` with 0, which only reads",
    }
    CsrRd csr_rd "target of the old value" {
        RD_0     "rd = x0"  "dropped",
        RD_RS1   "rd = rs1" "the register that the source comes from",
        RD_OTHER "rd"       "another register",
    }
    Encoding encoding "word that is not an instruction" {
        W_LOAD29    "000, bit 29"      "funct3 000 with bit 29",
        W_MOVE28    "001, bit 28"      "funct3 001 with bit 28",
        W_MOVE29    "001, bit 29"      "funct3 001 with bit 29",
        W_CONCAT3   "tl.concat.3"      "`tl.concat` along dimension 3",
        W_MERGE3    "tl.merge.3"       "`tl.merge` along dimension 3",
        W_STORE01   "010, 01"          "funct3 010 with 01 in [29:28]",
        W_XPOSE29   "011, bit 29"      "funct3 011 with bit 29",
        W_F4        "100"              "funct3 100",
        W_F5        "101"              "funct3 101",
        W_F6        "110"              "funct3 110",
        W_F7        "111"              "funct3 111",
        W_UNIT_CSR   "tl.csrrw of no CSR" "a CSR instruction of the unit on an n that is no CSR",
        W_UNIT_WRITE "tl.csrrw, read only" "a CSR instruction of the unit that writes a read-only CSR",
        W_ENGINE    "other EngineID"   "the opcode with another EngineID",
        W_TLENB_W   "csrrw tlenb"      "`csrrw` or `csrrwi` of the read-only CSR tlenb",
        W_TLENB_S   "csrrs tlenb"      "`csrrs` or `csrrsi` that writes tlenb",
        W_TLENB_C   "csrrc tlenb"      "`csrrc` or `csrrci` that writes tlenb",
        W_CSR       "other CSR"        "a CSR instruction on an address that is no CSR of the unit",
        W_SYSTEM    "SYSTEM"           "opcode SYSTEM with funct3 000 or 100",
        W_CUSTOM1   "custom-1"         "opcode custom-1, without the matrix instruction set",
        W_TILE_CSR  "write of a matrix CSR" "a CSR instruction that writes a CSR of the matrix instruction set",
        W_OTHER     "other opcode"     "an opcode that neither the unit nor the host has",
    }
    Engine engine "instruction" {
        G_CSR     "CSR"     "a CSR instruction",
        G_ILLEGAL "illegal" "an illegal instruction, by its word or by the state",
        G_LOAD    "load"    "for the load engine",
        G_STORE   "store"   "for the store engine",
        G_MOVE    "move"    "for the engine of tl.addi, tl.concat and tl.merge",
        G_XPOSE   "xpose"   "for the transposition engine",
        G_MX_LOAD  "matrix load"  "a load for the matrix engine",
        G_MX_STORE "matrix store" "a store for the matrix engine",
        G_MX_SET   "tile size"    "`msettile*` or `mrelease`",
    }
    Before before "the instruction before it" {
        B_CSR     "after CSR"     "a CSR instruction",
        B_ILLEGAL "after illegal" "an illegal instruction",
        B_LOAD    "after load"    "for the load engine",
        B_STORE   "after store"   "for the store engine",
        B_MOVE    "after move"    "for the engine of tl.addi, tl.concat and tl.merge",
        B_XPOSE   "after xpose"   "for the transposition engine",
        B_MX_LOAD  "after matrix load"  "a load for the matrix engine",
        B_MX_STORE "after matrix store" "a store for the matrix engine",
        B_MX_SET   "after tile size"    "`msettile*` or `mrelease`",
    }
    Hazard hazard "registers shared with the instruction before it" {
        H_NONE "no hazard"   "none that either writes; tl0 does not count",
        H_RAW  "read after write"  "it reads what the one before writes",
        H_WAW  "write after write" "it writes what the one before writes, and reads none of that",
        H_WAR  "write after read"  "it writes what the one before reads, and nothing else of these",
    }
    Older older "engines at work on older instructions at dispatch" {}
    Trapped trapped "trap of the instruction before it" {
        T_ILLEGAL  "illegal before"  "illegal",
        T_LOAD_MIS "load misaligned before" "a load whose address is misaligned",
        T_LOAD_OUT "load outside before" "a load outside the memory",
        T_LOAD_ERR "load error before" "a load that the port answered with an error",
        T_STORE_MIS "store misaligned before" "a store whose address is misaligned",
        T_STORE_OUT "store outside before" "a store outside the memory",
        T_STORE_ERR "store error before" "a store that the port answered with an error",
        T_MX_LOAD_MIS "matrix load misaligned before" "a matrix load whose base or stride is misaligned",
        T_MX_LOAD_OUT "matrix load outside before" "a matrix load outside the memory",
        T_MX_LOAD_ERR "matrix load error before" "a matrix load that the port answered with an error",
        T_MX_STORE_MIS "matrix store misaligned before" "a matrix store whose base or stride is misaligned",
        T_MX_STORE_OUT "matrix store outside before" "a matrix store outside the memory",
        T_MX_STORE_ERR "matrix store error before" "a matrix store that the port answered with an error",
    }
    Killer killer "trap of the instruction that it was killed for" {
        KILLER_ILLEGAL  "for illegal"  "illegal",
        KILLER_LOAD_MIS "for load misaligned" "a load whose address is misaligned",
        KILLER_LOAD_OUT "for load outside" "a load outside the memory",
        KILLER_LOAD_ERR "for load error" "a load that the port answered with an error",
        KILLER_STORE_MIS "for store misaligned" "a store whose address is misaligned",
        KILLER_STORE_OUT "for store outside" "a store outside the memory",
        KILLER_STORE_ERR "for store error" "a store that the port answered with an error",
        KILLER_MX_LOAD_MIS "for matrix load misaligned" "a matrix load whose base or stride is misaligned",
        KILLER_MX_LOAD_OUT "for matrix load outside" "a matrix load outside the memory",
        KILLER_MX_LOAD_ERR "for matrix load error" "a matrix load that the port answered with an error",
        KILLER_MX_STORE_MIS "for matrix store misaligned" "a matrix store whose base or stride is misaligned",
        KILLER_MX_STORE_OUT "for matrix store outside" "a matrix store outside the memory",
        KILLER_MX_STORE_ERR "for matrix store error" "a matrix store that the port answered with an error",
    }
    Killed killed "when it was issued" {
        KILLED_FLIGHT "in flight" "before the result of the trap was taken",
        KILLED_LATE   "late" "after that",
        KILLED_RESUME "with resume" "after that, in the cycle in which the host resumes",
        KILLED_BEGUN  "begun" "before that, a store that has written something",
    }
    KilledNumber killed_number "number of the killed instruction, from the trap on" {
        KILLED_1 "first" "1",
        KILLED_2 "second" "2",
        KILLED_3 "some" "3 to 7",
        KILLED_8 "many" "8 and more",
    }
    Host host "what a program for the host does" {
        HOST_UNIT_TRAP "unit traps" "a trap of the unit goes to the handler",
        HOST_OWN_TRAP  "host traps" "a trap of the host does",
        HOST_INTERRUPTED "interrupted stream" "one of the unit, with younger instructions in flight, which are killed",
        HOST_WAITING "others wait" "one of the unit, while instructions that were killed before have not been issued again",
        HOST_INSIDE  "handler traps" "a trap in the handler",
        HOST_NO_HANDLER "no handler" "a trap of the host without a handler",
        HOST_WFI "wfi" "`wfi`, an instruction of nobody",
        HOST_SKIPPED "skipped" "the handler returns behind the instruction that trapped",
        HOST_RETRIED "retried" "the handler returns to it, and it completes",
        HOST_RETURN_TRAPS "trap after mret" "the first instruction after `mret` traps",
        HOST_LOOP "loop" "a jump backwards over instructions of the unit",
        HOST_LOADS_STORED  "load of a store" "the host loads from L0M what the last store of the unit wrote",
        HOST_STORES_STORED "store to a store" "it stores to there",
        HOST_STORED_LOADS  "load behind a store" "the unit loads behind a store of the host to L1M",
    }
    Wrote wrote "the last CSR written, one of those that the operation looks at" {
        WROTE_TYPE   "ttype"  "element type",
        WROTE_SHAPE  "tshape" "shape",
        WROTE_MASK   "mask"   "a mask of the operation",
        WROTE_WIDTH  "width"  "the width of the direction",
        WROTE_PITCH  "pitch"  "the pitch of the direction",
        WROTE_INIT   "initialised bits" "tmask_init, which has those of the masks",
        WROTE_STRIDE "stride" "the stride of a selected slice",
        WROTE_ROWS    "tile rows"    "the tile size that is the rows of a matrix operation",
        WROTE_COLUMNS "tile columns" "the tile size that is its columns",
    }
    Ago ago "instructions between the CSR write and the operation" {
        AGO_0 "at once" "the CSR instruction is the one before",
        AGO_1 "1 between" "one",
        AGO_2 "2 between" "two",
        AGO_3 "3 between" "three",
    }
    CsrClass csr_class "class of the CSR that is written" {
        K_TYPE  "ttype" "element type",
        K_SHAPE "tshape" "shape",
        K_MASK  "mask" "any mask",
        K_WIDTH "width" "either width",
        K_PITCH "pitch" "either pitch",
        K_INIT  "initialised bits" "tmask_init",
        K_LOAD_STRIDE  "load stride" "a stride of loads",
        K_STORE_STRIDE "store stride" "a stride of stores",
    }
} {
    Issue stall_issue "stalls of the issue port" {
        ISSUE_NONE  "issue: none"  "instructions are offered as early as can be",
        ISSUE_LIGHT "issue: light" "one cycle in four is left out",
        ISSUE_HEAVY "issue: heavy" "long pauses",
    }
    Results stall_results "stalls of the result port" {
        RESULT_NONE  "results: none"  "results are taken at once",
        RESULT_LIGHT "results: light" "one cycle in four is left out",
        RESULT_HEAVY "results: heavy" "long pauses",
    }
    Grant stall_grant "stalls of grants on the memory port of the direction" {
        GRANT_NONE  "grants: none"  "requests are granted at once",
        GRANT_LIGHT "grants: light" "one cycle in four is left out",
        GRANT_HEAVY "grants: heavy" "long pauses",
    }
    Response stall_response "stalls of responses on the memory port of the direction" {
        RESPONSE_NONE  "responses: none"  "one cycle after the grant",
        RESPONSE_LIGHT "responses: light" "one cycle in four is left out",
        RESPONSE_HEAVY "responses: heavy" "long pauses",
    }
} }
