// SPDX-License-Identifier: Apache-2.0
//! The C++ of a model, written from the ports that Verilator reports: an entry point that makes a unit, and functions
//! that set, read and clock it.

use anyhow::{Result, ensure};

use crate::model::fault::PACKAGE;
use crate::model::recipe::{Glue, STOP};
use crate::mutate::text::{self, WIRE};

use super::kind::Kind;

/// The C++ of a model whose classes have this prefix.
pub fn glue(prefix: &str, kind: Kind) -> Glue {
    let prefix = prefix.to_owned();
    Glue {
        headers: &[STOP],
        exports: "unit_*",
        identity: include_str!("glue.rs").to_owned(),
        source: Box::new(move |root| source(&prefix, kind, root)),
    }
}

struct Port<'a> {
    name: &'a str,
    input: bool,
    bits: u32,
}

/// The ports of the top module: lines such as `VL_IN8(clk_i,0,0);` of the header of the root class.
fn ports(root: &str) -> Result<Vec<Port<'_>>> {
    let mut ports = Vec::new();
    for line in root.lines().map(str::trim) {
        let Some((kind, rest)) = line.strip_prefix("VL_").and_then(|line| line.split_once('(')) else { continue };
        let direction = kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W');
        ensure!(direction != "INOUT", "{line} is an inout; allowed: input and output");
        let input = direction == "IN";
        if !input && direction != "OUT" {
            continue;
        }
        let fields: Vec<&str> = rest.trim_end_matches([';', ')']).split(',').collect();
        let [name, high, low, ..] = fields[..] else { continue };
        let name = name.trim_start_matches('&');
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        ensure!(plain, "port {name}: an unpacked array is not supported; allowed: packed types");
        let bits = high.parse::<u32>()?.abs_diff(low.parse()?) + 1;
        ports.push(Port { name, input, bits });
    }
    ensure!(!ports.is_empty(), "Verilator reports no ports of the top module");
    Ok(ports)
}

fn source(prefix: &str, kind: Kind, root: &str) -> Result<String> {
    let ports = ports(root)?;
    let list: String =
        ports.iter().map(|p| format!("{} {} {}\\n", if p.input { "in" } else { "out" }, p.bits, p.name)).collect();
    let each = |line: &dyn Fn(&str) -> String| -> String {
        (0..).zip(&ports).map(|(i, port)| format!("    case {i}: {} break;\n", line(port.name))).collect::<String>()
    };
    let set = each(&|name| format!("std::memcpy(&unit->top->{name}, words, sizeof unit->top->{name});"));
    let get = each(&|name| format!("std::memcpy(words, &unit->top->{name}, sizeof unit->top->{name});"));
    let (include, select) = match kind {
        Kind::Faults => {
            (format!("#include \"{prefix}_{PACKAGE}.h\"\n"), format!("unit->top->__PVT__{PACKAGE}->sel = n;"))
        }
        Kind::Mutants => (String::new(), format!("{WIRE} = n;")),
        Kind::Fast | Kind::Traced => (String::new(), "(void)n;".to_owned()),
    };
    let mutant = if kind == Kind::Mutants { text::variable() } else { String::new() };
    Ok(TEMPLATE
        .replace("@PREFIX@", prefix)
        .replace("@INCLUDE@", &include)
        .replace("@MUTANT@", &mutant)
        .replace("@SELECT@", &select)
        .replace("@PORTS@", &list)
        .replace("@SET@", &set)
        .replace("@GET@", &get))
}

/// An error is a text that lives until the next call; none is a null pointer.
const TEMPLATE: &str = r#"#include "@PREFIX@.h"
@INCLUDE@#include "verilated.h"
#include "verilated_stop.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

@MUTANT@
namespace {

// Verilator's generator of initial values is seeded for the whole process.
std::mutex construction;

struct Unit {
  VerilatedContext context;
  std::unique_ptr<@PREFIX@> top;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave;
#endif
  std::uint64_t time = 0;
  std::string error;
};

template <class Work>
const char *caught(Unit *unit, Work work) {
  try {
    Verilated::threadContextp(&unit->context);
    work();
    return nullptr;
  } catch (const std::exception &error) {
    unit->error = error.what();
    return unit->error.c_str();
  }
}

}  // namespace

#define API extern "C" __attribute__((visibility("default")))

API const char *unit_ports() { return "@PORTS@"; }

API void *unit_make(std::uint64_t seed, std::uint32_t n) {
  const std::lock_guard<std::mutex> lock(construction);
  auto unit = std::make_unique<Unit>();
  // Or each unit starts a thread for each other core, which has nothing to do.
  unit->context.threads(1);
  unit->context.randReset(2);
  unit->context.randSeed(static_cast<int>(1 + (seed ^ seed >> 32) % 0x7ffffffe));
#if VM_TRACE
  unit->context.traceEverOn(true);
#endif
  Verilated::threadContextp(&unit->context);
  unit->top = std::make_unique<@PREFIX@>(&unit->context, "TOP");
  @SELECT@
  return unit.release();
}

API void unit_free(void *handle) {
  auto *unit = static_cast<Unit *>(handle);
#if VM_TRACE
  if (unit->wave) unit->wave->close();
#endif
  delete unit;
}

API void unit_set(void *handle, std::uint32_t port, const std::uint32_t *words) {
  [[maybe_unused]] auto *unit = static_cast<Unit *>(handle);
  switch (port) {
@SET@  }
}

API void unit_get(void *handle, std::uint32_t port, std::uint32_t *words) {
  [[maybe_unused]] auto *unit = static_cast<Unit *>(handle);
  switch (port) {
@GET@  }
}

// Whether assertions of the RTL count.
API void unit_assert(void *handle, bool on) { static_cast<Unit *>(handle)->context.assertOn(on); }

API const char *unit_evaluate(void *handle, bool dump) {
  auto *unit = static_cast<Unit *>(handle);
  return caught(unit, [&] {
    unit->top->eval();
#if VM_TRACE
    if (dump && unit->wave) unit->wave->dump(unit->time);
#endif
    if (dump) ++unit->time;
  });
}

API const char *unit_wave([[maybe_unused]] void *handle, [[maybe_unused]] const char *path) {
#if VM_TRACE
  auto *unit = static_cast<Unit *>(handle);
  return caught(unit, [&] {
    unit->wave = std::make_unique<VerilatedFstC>();
    unit->top->trace(unit->wave.get(), 99);
    unit->wave->open(path);
    if (!unit->wave->isOpen()) throw std::runtime_error(std::string("cannot write the waveform ") + path);
  });
#else
  return "the model has no waveforms";
#endif
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_those_of_the_root_class() {
        let root = "    VL_IN8(clk_i,0,0);\n    VL_OUT64(sum_o,63,0);\n    VL_INW(row_i,127,0,4);\n    CData x;\n";
        let found = ports(root).expect("ports");
        let shown: Vec<(&str, bool, u32)> = found.iter().map(|port| (port.name, port.input, port.bits)).collect();
        assert_eq!(shown, [("clk_i", true, 1), ("sum_o", false, 64), ("row_i", true, 128)]);
    }

    #[test]
    fn what_the_bench_cannot_drive_is_refused_by_its_name() {
        for (root, message) in [
            ("VL_IN8((&row_i)[4],7,0);", "port (&row_i)[4]: an unpacked array"),
            ("VL_INOUT8(&pad,0,0);", "an inout"),
            ("CData x;", "no ports"),
        ] {
            let error = ports(root).err().map(|error| error.to_string()).expect("refused");
            assert!(error.contains(message), "{error}");
        }
    }
}
