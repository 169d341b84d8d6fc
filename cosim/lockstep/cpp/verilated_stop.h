// SPDX-License-Identifier: Apache-2.0
// What Verilator calls for $stop, $fatal and failing assertions, and for $finish. Its own versions end the process;
// these arrive in Rust as errors. Included once in a model.
#pragma once

#include <stdexcept>
#include <string>

#include "verilated.h"

void vl_stop(const char *file, int line, const char *scope) VL_MT_UNSAFE {
  throw std::runtime_error(std::string("the RTL stopped in ") + scope + ", " + file + ":" + std::to_string(line));
}

void vl_finish(const char *file, int line, const char *scope) VL_MT_UNSAFE { vl_stop(file, line, scope); }

void vl_fatal(const char *file, int line, const char *scope, const char *message) VL_MT_UNSAFE {
  throw std::runtime_error(std::string("the RTL failed in ") + scope + ", " + file + ":" + std::to_string(line) +
                           ": " + message);
}
