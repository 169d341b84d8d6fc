// SPDX-License-Identifier: Apache-2.0
//! The axes of `values.rs` that matrix instructions alone have.

/// Makes axes with those of matrix instructions between two lists of others.
macro_rules! with_matrix {
    ($make:ident! { $($before:tt)* } { $($after:tt)* }) => { $make! { $($before)*
    Mx mx "matrix operation" {
        MLA  "mla"  "load of A, plain: `mlae8` and so on",
        MLB  "mlb"  "load of B, plain",
        MLC  "mlc"  "load of C, plain",
        MLAT "mlat" "load of A, transposed",
        MLBT "mlbt" "load of B, transposed",
        MLCT "mlct" "load of C, transposed",
        MSA  "msa"  "store of A, plain",
        MSB  "msb"  "store of B, plain",
        MSC  "msc"  "store of C, plain",
        MSAT "msat" "store of A, transposed",
        MSBT "msbt" "store of B, transposed",
        MSCT "msct" "store of C, transposed",
    }
    MxDirection mx_direction "direction" {
        MX_LOAD  "matrix load"  "a matrix load",
        MX_STORE "matrix store" "a matrix store",
    }
    MxSize mx_size "element size" {
        S8  "8 bits"  "elements of 8 bits",
        S16 "16 bits" "elements of 16 bits",
        S32 "32 bits" "elements of 32 bits",
    }
    MxRegister mx_register "matrix register" {
        R0 "register 0" "`tr0` or `acc0`",
        R1 "register 1" "`tr1` or `acc1`",
        R2 "register 2" "`tr2` or `acc2`",
        R3 "register 3" "`tr3` or `acc3`",
    }
    MxRows mx_rows "rows of the tile" {
        ROWS_1    "1 row"     "one row",
        ROWS_PART "some rows" "more than one, fewer than the register has",
        ROWS_ALL  "all rows"  "as many as the register has",
    }
    MxColumns mx_columns "columns of the tile" {
        COLUMNS_1    "1 column"     "one element in a row",
        COLUMNS_PART "some columns" "more than one, fewer than a row has",
        COLUMNS_ALL  "full rows"    "as many as a row has",
    }
    MxEmpty mx_empty "empty tile" {
        NO_ROWS    "no rows"    "no rows, but columns",
        NO_COLUMNS "no columns" "no columns, but rows",
        NOTHING    "neither"    "neither rows nor columns",
    }
    MxBase mx_base "base address that nothing is read from or written to" {
        BASE_GOOD    "good base"       "aligned and inside the memory",
        BASE_ODD     "misaligned base" "it would be misaligned",
        BASE_OUTSIDE "base outside"    "it would be outside the memory",
    }
    MxStride mx_stride "bytes from a memory line to the next" {
        ST_ONE     "one line"           "there is one line; the stride is a multiple of the element",
        ST_ONE_ODD "one line, odd"      "there is one line; the stride is not a multiple of the element",
        ST_DENSE   "dense"              "as many as a line has",
        ST_GAP     "gap"                "more than a line has",
        ST_OVERLAP "overlap"            "fewer than a line has, and more than 0",
        ST_SAME    "same"               "0: all lines in one place",
        ST_B_DENSE "backward"           "as many as a line has, downwards",
        ST_B_GAP   "backward, gap"      "more than a line has, downwards",
        ST_B_OVERLAP "backward, overlap" "fewer than a line has, downwards",
    }
    MxMisaligned mx_misaligned "what is misaligned" {
        MIS_BASE   "base"   "the base address alone",
        MIS_STRIDE "stride" "the stride alone",
        MIS_BOTH   "base and stride" "both: the base comes first",
    }
    MxElement mx_element "element that traps" {
        EL_FIRST "first element"       "the first of all",
        EL_LINE  "in the first line"   "a later one of the first line",
        EL_LATER "begin of a line"     "the first of a later line",
        EL_IN    "within a later line" "a later one of a later line",
    }
    MxWhy mx_why "the one reason for which the size is illegal" {
        TOO_MANY_ROWS    "too many rows"    "more rows than the register has",
        TOO_MANY_COLUMNS "too many columns" "longer rows than the register has",
        COLUMNS_OVERFLOW "columns overflow" "columns times element size is more than 32 bits hold",
    }
    MxSet mx_set "instruction that sets a tile size" {
        SET_M  "msettilem"  "M from a register",
        SET_N  "msettilen"  "N from a register",
        SET_K  "msettilek"  "K from a register",
        SET_MI "msettilemi" "M, immediate",
        SET_NI "msettileni" "N, immediate",
        SET_KI "msettileki" "K, immediate",
        RELEASE "mrelease"  "`mrelease`, which sets nothing",
    }
    MxValue mx_value "tile size" {
        SIZE_NONE "0"      "0",
        SIZE_ROWS "small"  "1 to the number of rows of a register",
        SIZE_MORE "more"   "more, up to 1023",
        SIZE_HUGE "huge"   "1024 and more",
    }
    MxWord mx_word "word of opcode custom-1 that is not an instruction" {
        MW_FUNCT3   "funct3"       "funct3 is not 000",
        MW_UOP2     "uop 10"       "uop 10",
        MW_UOP3     "uop 11"       "uop 11",
        MW_SIZE     "d_size 11"    "64-bit elements",
        MW_WHOLE    "func4 0011"   "loads and stores of whole registers",
        MW_FUNC4    "func4 0111 and up" "loads and stores with a func4 that is not defined",
        MW_AB_ACC   "A or B in acc" "A or B in an accumulation register",
        MW_C_TILE   "C in tr"      "C in a tile register",
        MW_SET_RD   "[11:7]"       "configuration with [11:7] not 0",
        MW_SET_RS2  "[24:20]"      "configuration from a register with [24:20] not 0",
        MW_SET_FUNC4 "configuration" "configuration with another func4",
    }
    $($after)* } };
}
pub(super) use with_matrix;
