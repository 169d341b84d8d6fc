// SPDX-License-Identifier: Apache-2.0
// The verilated tl_soc: a core, the unit, memories.
#pragma once

// Where the unit is in it.
#define TL_PORT(name) (this->top_->rootp->tl_soc__DOT__u_tl__DOT__u_unit__DOT__##name)
#define TL_PROBE(name) (this->top_->rootp->tl_soc__DOT__u_tl__DOT__u_unit__DOT__u_probe__DOT__##name)
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
  using Base::step;

  void step(Core &core, Outputs &out, CsrState &csrs) override {
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
    core.l0m_gnt = top_->rootp->tl_soc__DOT__l0m_gnt;
    top_->clk_i = 1;
    top_->eval();
    this->dump();
    if (out.exec_valid) this->read_csrs(csrs);
  }

  std::uint8_t *memory(std::uint8_t place) override { return static_cast<std::uint8_t *>(Unit::memory(*top_, place)); }
};

}  // namespace cosim
