// SPDX-License-Identifier: Apache-2.0
//! The C++ class that drives a verilated tl_top. Also part of `cosim mutate`, which makes models at run time.

use rtl_gen::Config;

/// Definitions that the class needs, and its name, for the Verilator class `prefix` of `config`; `traced` and `faults`
/// as `VerilatedModel` explains them.
pub fn class(prefix: &str, config: &Config, [traced, faults]: [bool; 2]) -> (String, String) {
    let (tiles, definition) = match config.matrix {
        true => (format!("{prefix}_tiles"), tiles(prefix, config)),
        false => ("NoTiles".to_owned(), String::new()),
    };
    let (lanes, port, register) = (config.lanes, config.port_bytes(), config.reg_bytes);
    (definition, format!("VerilatedModel<{prefix}, {lanes}, {port}, {register}, {tiles}, {traced}, {faults}>"))
}

/// The class through which `VerilatedModel` finds the matrix registers: their sizes in bytes, and where row r of
/// register md is. Each row has a memory of its own, which Verilator gives a name of its own.
fn tiles(prefix: &str, config: &Config) -> String {
    let rows = config.tlen / config.trlen;
    let cases: String = (0..rows)
        .map(|r| {
            let memory =
                format!("tl_top__DOT__u_matrix__DOT__u_regs__DOT__gen_row__BRA__{r}__KET____DOT__u_ram__DOT__mem");
            format!("      case {r}: return &top.rootp->{memory}[md];\n")
        })
        .collect();
    format!(
        "struct {prefix}_tiles {{\n  \
         static constexpr unsigned rows = {rows}, tr_row_bytes = {}, acc_row_bytes = {};\n  \
         static const void *row(const {prefix} &top, unsigned r, unsigned md) {{\n    \
         switch (r) {{\n{cases}      default: return nullptr;\n    }}\n  }}\n}};\n\n",
        config.trlen / 8,
        rows * 4,
    )
}
