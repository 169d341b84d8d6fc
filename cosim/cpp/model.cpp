// SPDX-License-Identifier: Apache-2.0
#include "cosim/cpp/model.h"

#include <stdexcept>
#include <string>

#include "cosim/src/bridge.rs.h"
#include "verilated.h"

namespace cosim {

std::unique_ptr<Model> new_model(rust::Str config, ModelKind kind, std::uint64_t seed) {
  const std::string name(config);
  for (std::size_t i = 0; i < registry_size; ++i) {
    if (registry[i].kind == kind && name == registry[i].config) return registry[i].make(seed);
  }
  throw std::invalid_argument("no such model of configuration " + name);
}

}  // namespace cosim

// What Verilator calls for $stop, $fatal and failing assertions, and for $finish. Its own versions
// end the process; these arrive in Rust as errors.

void vl_stop(const char *file, int line, const char *scope) VL_MT_UNSAFE {
  throw std::runtime_error(std::string("the RTL stopped in ") + scope + ", " + file + ":" + std::to_string(line));
}

void vl_finish(const char *file, int line, const char *scope) VL_MT_UNSAFE { vl_stop(file, line, scope); }

void vl_fatal(const char *file, int line, const char *scope, const char *message) VL_MT_UNSAFE {
  throw std::runtime_error(std::string("the RTL failed in ") + scope + ", " + file + ":" + std::to_string(line) +
                           ": " + message);
}
