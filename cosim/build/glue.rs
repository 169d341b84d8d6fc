// SPDX-License-Identifier: Apache-2.0
//! The C++ that names the verilated classes: a factory for each model, and the table of all.

use crate::model::{Kind, Model};
use crate::unit;

/// The factory of `model`.
pub fn source(model: &Model) -> String {
    match model.kind {
        Kind::Decoder => decoder(model, "TensorColumns"),
        Kind::MatrixDecoder => decoder(model, "MatrixColumns"),
        Kind::Fast | Kind::Traced | Kind::Faults | Kind::Covered => unit(model),
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
    let traced = matches!(model.kind, Kind::Traced | Kind::Faults);
    let (definition, class) = unit::class(prefix, config, [traced, model.kind == Kind::Faults]);
    let (header, class) = match model.kind {
        Kind::Covered => ("verilated_coverage", format!("VerilatedCoverage<{class}>")),
        _ => ("verilated_model", class),
    };
    format!(
        "#include \"{prefix}.h\"\n#include \"{prefix}___024root.h\"\n{fault_header}#include \"{header}.h\"\n\n\
         namespace cosim {{\n{definition}std::unique_ptr<Model> make_{prefix}(std::uint64_t seed) {{\n  \
         return std::make_unique<{class}>(seed);\n}}\n}}  // namespace cosim\n"
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
