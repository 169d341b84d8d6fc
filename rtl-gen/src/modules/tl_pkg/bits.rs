// SPDX-License-Identifier: Apache-2.0
//! `tl_pkg`: functions of bits, written so that they take few LUTs.

use crate::sv::Package;

/// Masks below a number, and counts of bits.
pub(super) fn bits(p: &mut Package) {
    p.text(
        &["below", "ones4", "ones"],
        r#"
        // The low `count` bits set, for 0 to 32.
        function automatic logic [31:0] below(logic [5:0] count);
          below = ~({32{1'b1}} << count);
        endfunction

        // The number of bits that are set: of four, in three LUTs.
        function automatic logic [2:0] ones4(logic [3:0] value);
          ones4[0] = ^value;
          ones4[1] = !(&value) && ((value[0] && value[1]) || (value[2] && value[3]) ||
              ((value[0] || value[1]) && (value[2] || value[3])));
          ones4[2] = &value;
        endfunction

        // Of a word. A sum of two numbers takes one bit more, behind both of them: {a, c} + {b, c} is
        // {a + b + c, 0}.
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
        "#,
    );
}
