// SPDX-License-Identifier: Apache-2.0
//! The C++ that a model has beside what Verilator writes: where in the verilated class the bench finds what it reads,
//! and the factory.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use cosim_harness::mutate::text::{self, WIRE};
use rtl_config::Config;

use super::model_kind::ModelKind;
use super::poison;
use crate::model::fault::PACKAGE;
use crate::model::recipe::{Glue, STOP};

/// Name of the factory of a unit in its library.
pub const MAKE_MODEL: &str = "cosim_make_model";
pub const MAKE_DECODER: &str = "cosim_make_decoder";
/// What the bench should see and the RTL does not have, one name a line.
pub const UNSEEN: &str = "cosim_unseen";

/// Headers of the bench, with the names under which the glue includes them.
const HEADERS: [(&str, &str); 7] = [
    ("model.h", include_str!("../../cpp/model.h")),
    ("verilated_model.h", include_str!("../../cpp/verilated_model.h")),
    ("verilated_soc.h", include_str!("../../cpp/verilated_soc.h")),
    ("verilated_decoder.h", include_str!("../../cpp/verilated_decoder.h")),
    STOP,
    (
        "cosim/src/unit/bridge.rs.h",
        include_str!(concat!(env!("OUT_DIR"), "/cxxbridge/include/cosim/src/unit/bridge.rs.h")),
    ),
    ("cosim/cpp/model.h", include_str!("../../cpp/model.h")),
];

/// Where signals are in a unit with memories behind AXI4.
const AXI_NAMES: &str = "#define TL_PORT(name) (top_->name)\n\
    #define TL_PROBE(name) (top_->rootp->tl_axi_bench__DOT__u_axi__DOT__u_unit__DOT__u_probe__DOT__##name)\n\
    #define TL_STORE_TAG (top_->rootp->tl_axi_bench__DOT__store_tag)\n";

/// The same behind the extension interface, too.
const XIF_AXI_NAMES: &str = "#define TL_PORT(name) (top_->name)\n\
    #define TL_PROBE(name) (top_->rootp->tl_xif_bench__DOT__u_axi__DOT__u_unit__DOT__u_unit__DOT__u_probe__DOT__##name)\n\
    #define TL_STORE_TAG (top_->rootp->tl_xif_bench__DOT__store_tag)\n\
    #define TL_REFUSED (top_->rootp->tl_xif_bench__DOT__refused)\n";

/// Where signals are in a unit behind the extension interface.
const XIF_NAMES: &str = "#define TL_PORT(name) (top_->name)\n\
    #define TL_PROBE(name) (top_->rootp->tl_xif_bench__DOT__u_xif__DOT__u_unit__DOT__u_probe__DOT__##name)\n\
    #define TL_REFUSED (top_->rootp->tl_xif_bench__DOT__refused)\n";

/// The C++ of a model whose classes have this prefix. In a system with `two` units it is that of the first one.
pub fn glue(config: &Config, kind: ModelKind, prefix: &str, probe: bool, poisoned: bool, two: bool) -> Glue {
    let (config, prefix) = (config.clone(), prefix.to_owned());
    Glue {
        headers: &HEADERS,
        exports: "cosim_*",
        identity: format!("{}{}{probe}{poisoned}{two}", include_str!("glue.rs"), config.to_toml()),
        source: Box::new(move |root| match kind {
            ModelKind::Decoder => Ok(decoder(&prefix, "TensorColumns")),
            ModelKind::MatrixDecoder => Ok(decoder(&prefix, "MatrixColumns")),
            _ => unit(&config, kind, &prefix, probe, poisoned, two, root),
        }),
    }
}

fn decoder(prefix: &str, columns: &str) -> String {
    format!(
        "#include \"{prefix}.h\"\n#include \"verilated_decoder.h\"\n#include \"verilated_stop.h\"\n\n\
         extern \"C\" __attribute__((visibility(\"default\"))) cosim::Decoder *{MAKE_DECODER}() {{\n  \
         return new cosim::VerilatedDecoder<{prefix}, cosim::{columns}>();\n}}\n"
    )
}

/// The glue of a unit, whatever is around it; `root` is the header of the class with all of its signals.
fn unit(
    config: &Config,
    kind: ModelKind,
    prefix: &str,
    probe: bool,
    poisoned: bool,
    two: bool,
    root: &str,
) -> Result<String> {
    let words: BTreeSet<&str> = root.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
    let mut unseen = Vec::new();
    let soc = kind.is_system();
    let system = kind.top();
    let in_system = if two { "u_tl__DOT__u_first__DOT__u_unit" } else { "u_tl__DOT__u_unit" };
    let system_place = format!("{system}__DOT__{in_system}");
    let place = match kind {
        ModelKind::Soc | ModelKind::SocE40x => system_place.as_str(),
        ModelKind::Axi | ModelKind::AxiWide => "tl_axi_bench__DOT__u_axi__DOT__u_unit",
        ModelKind::Xif | ModelKind::XifTwo => "tl_xif_bench__DOT__u_xif__DOT__u_unit",
        ModelKind::XifAxi => "tl_xif_bench__DOT__u_axi__DOT__u_unit__DOT__u_unit",
        _ => "tl_top",
    };
    if probe {
        probe_is_whole(config, place, &words)?;
    }
    let mut memory = |usual: &str| -> Option<String> {
        if !probe {
            return None;
        }
        let found = words.iter().find(|word| usual_name(word) == usual).map(|word| (*word).to_owned());
        if found.is_none() {
            unseen.push(usual.replace("__DOT__", ".").replace("__BRA__", "[").replace("__KET__", "]"));
        }
        found
    };
    // RTL of another configuration: what differs is found when the parameters are compared.
    let has_matrix = config.matrix && (!probe || has_matrix(place, &words));
    let rows = if has_matrix { config.matrix_rows() } else { 0 };
    let bank =
        |i: u32, ram: &str| format!("{place}__DOT__u_regfile__DOT__gen_bank__BRA__{i}__KET____DOT__{ram}__DOT__mem");
    let tile =
        |r: u32| format!("{place}__DOT__u_matrix__DOT__u_regs__DOT__gen_row__BRA__{r}__KET____DOT__u_ram__DOT__mem");
    // A bank of more than 512 rows has those of the first 32 physical registers in one memory, the others in a second
    // one.
    let lower = 32 * config.reg_bytes / config.lanes / 2;
    let mut banks = String::new();
    for i in 0..2 {
        let low = memory(&bank(i, "u_lower"));
        if lower < 512 {
            if let Some(low) = low {
                banks.push_str(&format!("      case {i}: return &top.rootp->{low}[index];\n"));
            }
            continue;
        }
        if let (Some(low), Some(high)) = (low, memory(&bank(i, "gen_upper__DOT__u_upper"))) {
            banks.push_str(&format!(
                "      case {i}:\n        if (index < {lower}) return &top.rootp->{low}[index];\n        \
                 return &top.rootp->{high}[index - {lower}];\n"
            ));
        }
    }
    let tiles: String = (0..rows)
        .filter_map(|r| memory(&tile(r)).map(|name| format!("      case {r}: return &top.rootp->{name}[md];\n")))
        .collect();
    let planted = format!("top.__PVT__{PACKAGE}->sel = n");
    let in_system = format!(
        "#define TL_SYSTEM(name) (this->top_->rootp->{system}__DOT__##name)\n\
         #define TL_UNIT(name) TL_SYSTEM({in_system}__DOT__##name)\n"
    );
    let (names, select) = match kind {
        ModelKind::Faults | ModelKind::Facts => ("", planted),
        ModelKind::Xif | ModelKind::XifTwo | ModelKind::XifAxi => {
            let names = if kind == ModelKind::XifAxi { XIF_AXI_NAMES } else { XIF_NAMES };
            (names, format!("{planted} & 0xffff, top.rootp->tl_xif_bench__DOT__options = n >> 16"))
        }
        ModelKind::Axi | ModelKind::AxiWide => {
            (AXI_NAMES, format!("{planted} & 0xffff, top.rootp->tl_axi_bench__DOT__calm = n >> 16 & 1"))
        }
        ModelKind::Mutants => ("", format!("{WIRE} = n")),
        ModelKind::Soc => (&*in_system, planted),
        ModelKind::SocE40x => (&*in_system, format!("{planted} & 0xffff, top.rootp->{system}__DOT__disturb = n >> 16")),
        _ => ("", String::new()),
    };
    let poison = if poisoned { format!("top.__PVT__{}->on = on", poison::PACKAGE) } else { String::new() };
    let packages: String = [(&select, PACKAGE), (&poison, poison::PACKAGE)]
        .iter()
        .filter(|(text, package)| text.contains(package))
        .map(|(_, package)| format!("#include \"{prefix}_{package}.h\"\n"))
        .collect();
    // Read once, in an initial block.
    let mutant = match kind {
        ModelKind::Mutants => text::variable(),
        _ => String::new(),
    };
    let memories = ["ram", "l1m", "l0m"].iter().zip(0..).map(|(name, i)| {
        format!("      case {i}: return &top.rootp->{system}__DOT__u_bus__DOT__u_{name}__DOT__mem[0];\n")
    });
    let memories = match soc {
        true => format!(
            "  static void *memory(Top &top, unsigned place) {{\n    switch (place) {{\n{}      default: return nullptr;\n    \
             }}\n  }}\n",
            memories.collect::<String>()
        ),
        false => String::new(),
    };
    let header = if soc { "verilated_soc.h" } else { "verilated_model.h" };
    let class = if soc { "VerilatedSoc" } else { "VerilatedModel" };
    let port_bytes = if soc { config.port_bytes().to_string() } else { "sizeof(Top::l1m_rdata_i)".into() };
    let (lanes, reg_bytes, traced) = (config.lanes, config.reg_bytes, kind.traced());
    let profiled = kind == ModelKind::Profiled;
    let facts = kind == ModelKind::Facts;
    let (tr_row, acc_row) = if rows == 0 { (0, 0) } else { (config.trlen / 8, rows * 4) };
    Ok(format!(
        r#"#include "{prefix}.h"
#include "{prefix}___024root.h"
{packages}{names}#include "{header}"
#include "verilated_stop.h"

namespace {{

{mutant}struct Unit {{
  using Top = {prefix};
  static constexpr bool driven = {driven};
  static constexpr unsigned lanes = {lanes}, port_bytes = {port_bytes}, reg_bytes = {reg_bytes};
  static constexpr unsigned tile_rows = {rows}, tr_row_bytes = {tr_row}, acc_row_bytes = {acc_row};
  static constexpr bool probe = {probe}, traced = {traced}, profiled = {profiled}, facts = {facts};
  static const void *bank([[maybe_unused]] const Top &top, unsigned i, [[maybe_unused]] unsigned index) {{
    switch (i) {{
{banks}      default: return nullptr;
    }}
  }}
  static const void *tile([[maybe_unused]] const Top &top, unsigned r, [[maybe_unused]] unsigned md) {{
    switch (r) {{
{tiles}      default: return nullptr;
    }}
  }}
{memories}  static void select([[maybe_unused]] Top &top, [[maybe_unused]] std::uint32_t n) {{ {select}; }}
  static void poison([[maybe_unused]] Top &top, [[maybe_unused]] bool on) {{ {poison}; }}
}};

}}  // namespace

extern "C" __attribute__((visibility("default"))) const char *{UNSEEN}() {{ return "{unseen}"; }}

extern "C" __attribute__((visibility("default")))
cosim::Model *{MAKE_MODEL}(std::uint64_t seed, std::uint32_t selection) try {{
  return new cosim::{class}<Unit>(seed, selection);
}} catch (const std::exception &) {{
  return nullptr;
}}
"#,
        driven = !soc,
        unseen = unseen.join("\\n"),
    ))
}

/// In a netlist a generate block is part of an instance's name: `gen_bank[0]` as an escaped identifier. The matrix
/// engine is in `gen_matrix`, but not in RTL of earlier commits.
fn usual_name(word: &str) -> String {
    if !word.ends_with("__DOT__mem") {
        return String::new();
    }
    let mut usual = word.to_owned();
    for (code, name) in [("__05b", "__BRA__"), ("__05d", "__KET__"), ("__02e", "__DOT__"), ("gen_matrix__DOT__", "")] {
        usual = usual.replace(code, name).replace(&code.to_uppercase(), name);
    }
    usual
}

/// Whether the probe shows the matrix instruction set.
fn has_matrix(place: &str, words: &BTreeSet<&str>) -> bool {
    words.contains(format!("{place}__DOT__u_probe__DOT__csr_mtilem").as_str())
}

/// Checks that the probe has every signal that `verilated_model.h` reads.
fn probe_is_whole(config: &Config, place: &str, words: &BTreeSet<&str>) -> Result<()> {
    let header = include_str!("../../cpp/verilated_model.h");
    let read = header.split("PROBE(").skip(1).filter_map(|rest| rest.split_once(')')).map(|(name, _)| name);
    let of_matrix = |name: &str| name.starts_with("tile_") || name.starts_with("csr_mtile");
    let missing: BTreeSet<&str> = read
        .filter(|name| *name != "name" && (config.matrix && has_matrix(place, words) || !of_matrix(name)))
        .filter(|name| !words.contains(format!("{place}__DOT__u_probe__DOT__{name}").as_str()))
        .collect();
    let missing: Vec<&str> = missing.into_iter().collect();
    ensure!(
        missing.is_empty(),
        "the probe of the RTL has no {}: take tl_probe.sv and tl_bench.vlt from `rtl-gen --config {}`, or leave both out \
         for a bench that sees the ports alone",
        missing.join(", "),
        config.name
    );
    Ok(())
}
