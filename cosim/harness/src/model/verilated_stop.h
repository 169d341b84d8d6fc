// SPDX-License-Identifier: Apache-2.0
// What Verilator calls for $stop, $fatal and failing assertions, and for $finish. Its own versions end the process;
// these arrive in Rust as errors. Included once in a model.
#pragma once

#include <stdexcept>
#include <string>

#include "verilated.h"

// The top module has no name here.
static std::string place(const char *file, int line, const char *scope) {
  return std::string(*scope != '\0' ? scope : "the top module") + ", " + file + ":" + std::to_string(line);
}

void vl_stop(const char *file, int line, const char *scope) VL_MT_UNSAFE {
  throw std::runtime_error("the RTL stopped in " + place(file, line, scope));
}

void vl_finish(const char *file, int line, const char *scope) VL_MT_UNSAFE { vl_stop(file, line, scope); }

void vl_fatal(const char *file, int line, const char *scope, const char *message) VL_MT_UNSAFE {
  throw std::runtime_error("the RTL failed in " + place(file, line, scope) + ": " + message);
}
