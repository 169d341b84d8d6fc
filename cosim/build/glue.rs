// SPDX-License-Identifier: Apache-2.0
//! The C++ that names the verilated classes: a factory for each model, and the table of all.

use rtl_gen::Config;

use crate::model::{Kind, Model};

/// The factory of `model`.
pub fn source(model: &Model) -> String {
    match model.kind {
        Kind::Decoder => decoder(model, "TensorColumns"),
        Kind::MatrixDecoder => decoder(model, "MatrixColumns"),
        Kind::Fast | Kind::Traced | Kind::Faults => unit(model),
    }
}

fn decoder(model: &Model, columns: &str) -> String {
    let prefix = &model.prefix;
    format!(
        "#include \"{prefix}.h\"\n#include \"verilated_decoder.h\"\n\n\
         namespace cosim {{\nstd::unique_ptr<Decoder> make_{prefix}() {{\n  \
         return std::make_unique<VerilatedDecoder<{prefix}, {columns}>>();\n}}\n}}  // namespace cosim\n"
    )
}

fn unit(model: &Model) -> String {
    let (prefix, config) = (&model.prefix, &model.config);
    let fault_header =
        if model.kind == Kind::Faults { format!("#include \"{prefix}_tl_fault_pkg.h\"\n") } else { String::new() };
    let (tiles, definition) = match config.matrix {
        true => (format!("{prefix}_tiles"), tiles(prefix, config)),
        false => ("NoTiles".to_owned(), String::new()),
    };
    format!(
        "#include \"{prefix}.h\"\n#include \"{prefix}___024root.h\"\n{fault_header}#include \"verilated_model.h\"\n\n\
         namespace cosim {{\n{definition}std::unique_ptr<Model> make_{prefix}(std::uint64_t seed) {{\n  \
         return std::make_unique<VerilatedModel<{prefix}, {}, {}, {}, {tiles}, {}, {}>>(seed);\n}}\n}}  // namespace cosim\n",
        config.lanes,
        config.port_bytes(),
        config.reg_bytes,
        matches!(model.kind, Kind::Traced | Kind::Faults),
        model.kind == Kind::Faults,
    )
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

/// The tables of all factories.
pub fn registry(models: &[Model]) -> String {
    let mut declarations = String::new();
    let mut rows = String::new();
    for Model { prefix, config, kind, .. } in models {
        if kind.is_decoder() {
            declarations.push_str(&format!("std::unique_ptr<Decoder> make_{prefix}();\n"));
        } else {
            declarations.push_str(&format!("std::unique_ptr<Model> make_{prefix}(std::uint64_t seed);\n"));
            rows.push_str(&format!("    {{\"{}\", ModelKind::{kind:?}, make_{prefix}}},\n", config.name));
        }
    }
    let decoder = |name: &str, kind: Kind| {
        let body = match models.iter().find(|model| model.kind == kind) {
            Some(Model { prefix, .. }) => format!("return make_{prefix}();"),
            None => "throw std::logic_error(\"no configuration has this decoder\");".to_owned(),
        };
        format!("std::unique_ptr<Decoder> {name}() {{ {body} }}\n")
    };
    let decoders = [decoder("new_decoder", Kind::Decoder), decoder("new_matrix_decoder", Kind::MatrixDecoder)].concat();
    format!(
        "#include <stdexcept>\n\n#include \"cosim/src/bridge.rs.h\"\n\nnamespace cosim {{\n{declarations}\n\
         const Entry registry[] = {{\n{rows}}};\n\
         const std::size_t registry_size = sizeof(registry) / sizeof(registry[0]);\n\n{decoders}}}  // namespace cosim\n"
    )
}
