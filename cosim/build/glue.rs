// SPDX-License-Identifier: Apache-2.0
//! The C++ that names the verilated classes: a factory for each model, and the table of all.

use crate::model::{Kind, Model};

/// The factory of `model`.
pub fn source(model: &Model) -> String {
    let (prefix, config) = (&model.prefix, &model.config);
    if model.kind == Kind::Decoder {
        return format!(
            "#include \"{prefix}.h\"\n#include \"verilated_decoder.h\"\n\n\
             namespace cosim {{\nstd::unique_ptr<Decoder> make_{prefix}() {{\n  \
             return std::make_unique<VerilatedDecoder<{prefix}>>();\n}}\n}}  // namespace cosim\n"
        );
    }
    let fault_header =
        if model.kind == Kind::Faults { format!("#include \"{prefix}_tl_fault_pkg.h\"\n") } else { String::new() };
    format!(
        "#include \"{prefix}.h\"\n#include \"{prefix}___024root.h\"\n{fault_header}#include \"verilated_model.h\"\n\n\
         namespace cosim {{\nstd::unique_ptr<Model> make_{prefix}(std::uint64_t seed) {{\n  \
         return std::make_unique<VerilatedModel<{prefix}, {}, {}, {}, {}, {}>>(seed);\n}}\n}}  // namespace cosim\n",
        config.lanes,
        config.port_bytes(),
        config.reg_bytes,
        matches!(model.kind, Kind::Traced | Kind::Faults),
        model.kind == Kind::Faults,
    )
}

/// The tables of all factories.
pub fn registry(models: &[Model]) -> String {
    let mut declarations = String::new();
    let mut rows = String::new();
    let mut decoder = String::new();
    for Model { prefix, config, kind, .. } in models {
        if *kind == Kind::Decoder {
            declarations.push_str(&format!("std::unique_ptr<Decoder> make_{prefix}();\n"));
            decoder = format!("std::unique_ptr<Decoder> new_decoder() {{ return make_{prefix}(); }}\n");
        } else {
            declarations.push_str(&format!("std::unique_ptr<Model> make_{prefix}(std::uint64_t seed);\n"));
            rows.push_str(&format!("    {{\"{}\", ModelKind::{kind:?}, make_{prefix}}},\n", config.name));
        }
    }
    format!(
        "#include \"cosim/src/bridge.rs.h\"\n\nnamespace cosim {{\n{declarations}\n\
         const Entry registry[] = {{\n{rows}}};\n\
         const std::size_t registry_size = sizeof(registry) / sizeof(registry[0]);\n\n{decoder}}}  // namespace cosim\n"
    )
}
