// SPDX-License-Identifier: Apache-2.0
// The verilated tl_decoder.
#pragma once

#include "cosim/cpp/model.h"
#include "verilated.h"

namespace cosim {

template <class Verilated>
class VerilatedDecoder final : public Decoder {
 public:
  void decode(std::uint32_t first, std::uint32_t step, rust::Slice<std::uint64_t> rows) override {
    std::uint32_t word = first;
    for (std::uint64_t &row : rows) {
      top_->instr_i = word;
      top_->eval();
      row = std::uint64_t{top_->ours_o} | std::uint64_t{top_->illegal_o} << 1 | std::uint64_t{top_->op_o} << 2 |
            std::uint64_t{top_->rd_o} << 6 | std::uint64_t{top_->rs1_o} << 11 | std::uint64_t{top_->rs2_o} << 16 |
            std::uint64_t{top_->gpr_o} << 21 | std::uint64_t{top_->imm_o} << 26 | std::uint64_t{top_->dim_o} << 34 |
            std::uint64_t{top_->p_o} << 36 | std::uint64_t{top_->q_o} << 38;
      word += step;
    }
  }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Verilated> top_ = std::make_unique<Verilated>(context_.get());
};

}  // namespace cosim
