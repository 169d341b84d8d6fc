// SPDX-License-Identifier: Apache-2.0
// A verilated tl_top that counts its lines and toggles.
#pragma once

#include "verilated_cov.h"
#include "verilated_model.h"

namespace cosim {

// Base: a VerilatedModel whose RTL was verilated with coverage.
template <class Base>
class VerilatedCoverage final : public Base {
 public:
  using Base::Base;

  void write_coverage(rust::Str path) const override { this->context().coveragep()->write(std::string(path).c_str()); }
};

}  // namespace cosim
