// SPDX-License-Identifier: Apache-2.0
// A verilated system, tl_soc or tl_soc_e40x: a core, the unit, memories.
#pragma once

// The glue has TL_SYSTEM, a signal of the system, and TL_UNIT, one of the unit in it.
#define TL_PORT(name) TL_UNIT(name)
#define TL_PROBE(name) TL_UNIT(u_probe__DOT__##name)
#include "verilated_model.h"

namespace cosim {

// Unit is as for VerilatedModel, and has
//   memory(top, place)                   the first byte of a memory of the system
template <class Unit>
class VerilatedSoc final : public VerilatedModel<Unit, Soc> {
  using Base = VerilatedModel<Unit, Soc>;
  using Base::top_;

 public:
  using Base::Base;
  using Base::try_step;

  const char *try_step(Core &core, Outputs &out, CsrState &csrs) noexcept override {
    return this->caught([&] {
      top_->clk_i = 0;
      top_->print_ready_i = 1;
      top_->eval();
      this->dump();
      this->sample(out);
      core.retire_valid = top_->retire_valid_o;
      core.pc = top_->retire_pc_o;
      core.word = top_->retire_instr_o;
      core.rd = top_->retire_rd_o;
      core.data = top_->retire_data_o;
      core.exit_valid = top_->exit_valid_o;
      core.exit_code = top_->exit_code_o;
      core.print_valid = top_->print_valid_o;
      core.print = top_->print_o;
      core.fault = top_->fault_o;
      core.stopped = top_->stopped_o;
      core.l0m_gnt = TL_SYSTEM(l0m_gnt);
      top_->clk_i = 1;
      top_->eval();
      this->dump();
      if (out.exec_valid) this->read_csrs(csrs);
    });
  }

  std::uint8_t *memory(std::uint8_t place) override { return static_cast<std::uint8_t *>(Unit::memory(*top_, place)); }
};

}  // namespace cosim
