// SPDX-License-Identifier: Apache-2.0
// A legal and an illegal instruction for both units.
#include <cstdio>

#include "Vexample.h"
#include "verilated.h"

int main() {
  VerilatedContext context;
  Vexample top(&context);
  const unsigned words[] = {0x00a120dbu, 0xffffffdbu};  // tl.addi tl1, tl2, 10, and none
  unsigned done = 0, trapped = 0;
  for (int cycle = 0; cycle < 400; ++cycle) {
    top.rst_ni = cycle > 2;
    top.valid_i = cycle == 60 || cycle == 61;
    top.instr_i = words[cycle == 61];
    top.clk_i = 0;
    top.eval();
    for (int unit = 0; unit < 2; ++unit) {
      if (top.rst_ni && (top.done_o >> unit & 1)) {
        ++done;
        trapped += top.trap_o >> unit & 1;
      }
    }
    top.clk_i = 1;
    top.eval();
  }
  std::printf("%u results, %u traps\n", done, trapped);
  return done == 4 && trapped == 2 ? 0 : 1;
}
