// SPDX-License-Identifier: Apache-2.0
// A trap handler that repairs two faults. A masked load with a mask that was never written is an illegal instruction: the
// handler writes the mask and returns to the same instruction. A load of 16-bit elements from an odd address is misaligned:
// the handler copies the block, byte by byte, to a place that is aligned, loads it from there, and goes on behind the
// instruction. The block of 64 bytes at address 101 of L1M comes out at address 0 of L0M.
#include "tensorload.h"

enum { BLOCK = 64, SOURCE = 101, SCRATCH = 1024 };

static volatile uint32_t masks, copies;

static void __attribute__((interrupt("machine"), aligned(4))) handler(void) {
  const uint32_t cause = tl_csr_read(TL_MCAUSE), at = tl_csr_read(TL_MEPC);
  const uint32_t word = *(const volatile uint32_t *)at;
  const int masked_load = (word & 0xf000707fu) == 0x1000005bu;
  if (cause == TL_ILLEGAL && masked_load && masks == 0) {
    masks++;
    tl_csr_write(TL_TMASK_LOAD, 0xffffffffu);
  } else if (cause == TL_LOAD_MISALIGNED && (word >> 15 & 31) == 1) {
    copies++;
    const uint32_t from = tl_csr_read(TL_MTVAL);
    for (uint32_t i = 0; i < BLOCK; i++) TL_L1M[SCRATCH + i] = TL_L1M[from + i];
    tl_load(1, 0, SCRATCH);
    tl_csr_write(TL_MEPC, at + 4);
  } else {
    tl_exit(2);
  }
}

int main(void) {
  tl_csr_write(TL_MTVEC, handler);
  tl_csr_write(TL_TTYPE, TL_INT16);
  tl_csr_write(TL_TSHAPE, TL_SHAPE(1, 1, BLOCK / 2));
  tl_mload(1, 0, SOURCE);
  tl_store(1, 0, 0);
  if (masks != 1 || copies != 1) return 1;
  for (uint32_t i = 0; i < BLOCK; i++) {
    if (TL_L0M[i] != TL_L1M[SOURCE + i]) return 3;
  }
  tl_print("repaired\n");
  return 0;
}
