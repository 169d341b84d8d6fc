// SPDX-License-Identifier: Apache-2.0
//! `tl_pkg`: what only the matrix instructions use.

use crate::Config;
use crate::sv::Package;

/// What the matrix instructions add.
pub(super) fn matrix(p: &mut Package, config: &Config) {
    let (rows, tr_bytes) = (config.matrix_rows(), config.trlen / 8);
    p.constants(
        "Matrix registers. Element (i, j) of a register is at byte j * size of row i.",
        &[
            ("MxRows", rows.to_string(), "rows of a register: TLEN / TRLEN"),
            ("MxTrBytes", tr_bytes.to_string(), "bytes of a row of tr0 to tr3: TRLEN / 8"),
            ("MxAccBytes", "4 * MxRows".into(), "bytes of a row of acc0 to acc3: MxRows elements of 32 bits"),
            ("MxRowBytes", "MxTrBytes > MxAccBytes ? MxTrBytes : MxAccBytes".into(), ""),
            ("MxByteW", "$clog2(MxRowBytes)".into(), "bits of a byte index within a row"),
            ("MxMemW", config.l1m_bytes.max(config.l0m_bytes).ilog2().to_string(), "bits of a byte address"),
        ],
    );
    p.enumeration(
        "Matrix operations.",
        "mx_op_e",
        3,
        &[
            ("MxNone", 0, ""),
            ("MxLoad", 1, ""),
            ("MxStore", 2, ""),
            ("MxSetM", 3, "msettilem, msettilemi"),
            ("MxSetN", 4, ""),
            ("MxSetK", 5, ""),
            ("MxRelease", 6, "changes nothing"),
        ],
    );
    p.enumeration(
        "Operands of the product C = A * B: what a tile is.",
        "mx_form_e",
        2,
        &[("MxA", 0, "M x K"), ("MxB", 1, "N x K"), ("MxC", 2, "M x N")],
    );
    p.text(
        &["mx_instr_t", "mx_idx_t", "mx_len_t", "mx_mask_t", "mx_row_t", "mx_cmd_t", "mx_beat_t", "mx_window"],
        r#"
        // A matrix instruction, decoded.
        typedef struct packed {
          logic       ours;     // a word of the matrix opcode
          logic       legal;    // an instruction
          mx_op_e     op;
          logic [1:0] uses;     // it is to access L1M [0], L0M [1]: legal or not, empty or not
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
          logic [31:0] base;
          logic [31:0] stride;
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
          port_off_t         turn;   // byte of a memory word that the first byte of the line would be
          logic [MxMemW-1:0] addr;   // of the first byte
          logic              first;  // of the access
          logic              last;   // of the access
        } mx_beat_t;

        // The bytes of a memory line that a beat holds.
        function automatic mx_mask_t mx_window(mx_idx_t pos, mx_len_t stop);
          mx_window = ({MxRowBytes{1'b1}} << pos) & ~({MxRowBytes{1'b1}} << stop);
        endfunction
        "#,
    );
}
