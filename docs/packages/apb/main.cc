// SPDX-License-Identifier: Apache-2.0
// A master of APB that lets a unit of configuration tiny load a register, add to it, store it, and trap.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "Vtl_apb.h"
#include "verilated.h"

namespace {

VerilatedContext context;
Vtl_apb top(&context);
std::uint8_t l1m[4096], l0m[4096];
bool error;  // PSLVERR of the last transfer

// A clock cycle. The memories grant at once and answer in the next cycle.
void cycle() {
  top.clk_i = 0;
  top.eval();
  const bool read = top.l1m_req_o, write = top.l0m_req_o;
  std::uint64_t word = 0;
  if (read) std::memcpy(&word, l1m + top.l1m_addr_o, sizeof word);
  for (unsigned i = 0; write && i < 8; ++i) {
    if (top.l0m_be_o >> i & 1) l0m[top.l0m_addr_o + i] = static_cast<std::uint8_t>(top.l0m_wdata_o >> 8 * i);
  }
  top.clk_i = 1;
  top.eval();
  top.l1m_rvalid_i = read;
  top.l1m_rdata_i = word;
  top.l0m_rvalid_i = write;
}

std::uint32_t transfer(bool write, unsigned address, std::uint32_t value) {
  top.psel_i = 1;
  top.penable_i = 0;
  top.pwrite_i = write;
  top.paddr_i = address;
  top.pwdata_i = value;
  cycle();
  top.penable_i = 1;
  for (unsigned waited = 0; waited < 1000; ++waited) {
    top.clk_i = 0;
    top.eval();
    value = top.prdata_o;
    error = top.pslverr_o;
    const bool ready = top.pready_o;
    cycle();
    if (ready) break;
  }
  top.psel_i = top.penable_i = 0;
  return value;
}

// Issues an instruction, takes its result, and gives that.
std::uint32_t run(std::uint32_t word, std::uint32_t operand) {
  transfer(true, 0x00, operand);
  transfer(true, 0x04, word);
  for (unsigned tries = 0; tries < 1000; ++tries) {
    const std::uint32_t result = transfer(false, 0x08, 0);
    if (!(result >> 31)) continue;
    transfer(true, 0x08, 0);
    return result;
  }
  return 0;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < sizeof l1m; ++i) l1m[i] = static_cast<std::uint8_t>(7 * i);
  top.l1m_gnt_i = top.l0m_gnt_i = 1;
  top.rst_ni = 0;
  for (unsigned i = 0; i < 4; ++i) cycle();
  top.rst_ni = 1;
  const std::uint32_t results[] = {
      run(0x81109073, 0x080402),  // csrrw x0, tshape, x1
      run(0x000080db, 128),       // tl.load tl1, 0(x1)
      run(0x0050a15b, 0),         // tl.addi tl2, tl1, 5
      run(0x200120db, 256),       // tl.store tl2, 0(x1)
      run(0x811022f3, 0),         // csrrs x5, tshape, x0
      run(0xffffffdb, 0),         // none
  };
  const std::uint32_t expected[] = {0x80000000, 0x80000001, 0x80000002, 0x80000003, 0x90000504, 0xc0020005};
  unsigned wrong = std::memcmp(results, expected, sizeof results) != 0;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned sum = l1m[128 + i] + 5u;
    wrong += l0m[256 + i] != (sum > 255 ? 255 : sum);
  }
  transfer(true, 0x0c, 0);
  wrong += transfer(false, 0x0c, 0) != 0;
  // While no result is taken the unit fills up, and says so in place of stopping the bus.
  unsigned issued = 0, taken = 0;
  for (error = false; !error && issued < 100; issued += !error) transfer(true, 0x04, 0x811022f3);
  wrong += !error;
  for (unsigned tries = 0; tries < 1000 && taken < issued; ++tries) {
    if (!(transfer(false, 0x08, 0) >> 31)) continue;
    transfer(true, 0x08, 0);
    ++taken;
  }
  wrong += taken != issued || transfer(false, 0x0c, 0) != 0;
  std::printf("%s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
