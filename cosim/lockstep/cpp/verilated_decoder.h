// SPDX-License-Identifier: Apache-2.0
// The verilated tl_decoder and tl_mx_decoder.
#pragma once

#include "model.h"
#include "verilated.h"

namespace cosim {

// The columns of tl_decoder, packed. csr_o has eight flags, the number of a stride, 32 bits of operand, and one bit for each
// other CSR. The first flag says that the word is a CSR instruction, the second that it is legal; without both the rest does
// not count.
struct TensorColumns {
  template <class Top>
  static std::uint64_t pack(Top &top) {
    const std::uint64_t flags = std::uint64_t{top.csr_o} >> flags_at(top);
    const std::uint64_t csr = flags >> 6 == 3 ? flags | number(top, flags) << 8 : 0;
    return std::uint64_t{top.ours_o} | std::uint64_t{top.illegal_o} << 1 | std::uint64_t{top.op_o} << 2 |
           std::uint64_t{top.rd_o} << 6 | std::uint64_t{top.rs1_o} << 11 | std::uint64_t{top.rs2_o} << 16 |
           std::uint64_t{top.gpr_o} << 21 | std::uint64_t{top.imm_o} << 26 | std::uint64_t{top.dim_o} << 34 |
           std::uint64_t{top.p_o} << 36 | std::uint64_t{top.q_o} << 38 | csr << 40;
  }

  // Of a stride its number, of another CSR the place of its bit; 63 when another number of bits is set.
  template <class Top>
  static std::uint64_t number(Top &top, std::uint64_t flags) {
    const std::uint64_t csr = top.csr_o, select = csr & ((std::uint64_t{1} << (flags_at(top) - 37)) - 1);
    const bool stride = (flags & 3) != 0;
    if (__builtin_popcountll(select) != (stride ? 0 : 1)) return 63;
    return stride ? csr >> (flags_at(top) - 5) & 31 : __builtin_ctzll(select);
  }

  // The first flag is the highest bit: it is set for a word of the opcode SYSTEM.
  template <class Top>
  static int flags_at(Top &top) {
    static const int at = [&top] {
      const std::uint32_t word = top.instr_i;
      top.instr_i = 0x73;
      top.eval();
      const int highest = 63 - __builtin_clzll(top.csr_o);
      top.instr_i = word;
      top.eval();
      return highest - 7;
    }();
    return at;
  }
};

// The columns of tl_mx_decoder, packed.
struct MatrixColumns {
  template <class Top>
  static std::uint64_t pack(const Top &top) {
    return std::uint64_t{top.ours_o} | std::uint64_t{top.illegal_o} << 1 | std::uint64_t{top.op_o} << 2 |
           std::uint64_t{top.form_o} << 5 | std::uint64_t{top.trans_o} << 7 | std::uint64_t{top.d_size_o} << 8 |
           std::uint64_t{top.md_o} << 10 | std::uint64_t{top.use_imm_o} << 13 | std::uint64_t{top.imm_o} << 14;
  }
};

template <class Verilated, class Columns>
class VerilatedDecoder final : public Decoder {
 public:
  void decode(std::uint32_t first, std::uint32_t step, std::uint64_t *rows, std::size_t count) override {
    std::uint32_t word = first;
    for (std::size_t i = 0; i < count; ++i) {
      top_->instr_i = word;
      top_->eval();
      rows[i] = Columns::pack(*top_);
      word += step;
    }
  }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Verilated> top_ = std::make_unique<Verilated>(context_.get());
};

}  // namespace cosim
