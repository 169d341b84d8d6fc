// SPDX-License-Identifier: Apache-2.0
// On RV64: an address above 2^32 is outside and comes back whole in mtval; inside, the unit moves what the host sees.
#include "tensorload.h"

static volatile tl_word cause, tval;

static void __attribute__((interrupt("machine"), aligned(4))) handler(void) {
  cause = tl_csr_read(TL_MCAUSE);
  tval = tl_csr_read(TL_MTVAL);
  tl_csr_write(TL_MEPC, tl_csr_read(TL_MEPC) + 4);
}

static int trapped(tl_word expected_cause, tl_word expected_tval) {
  const int as_expected = cause == expected_cause && tval == expected_tval;
  cause = tval = 0;
  return as_expected;
}

int main(void) {
  const tl_word high = (tl_word)1 << 32;
  tl_csr_write(TL_MTVEC, handler);
  tl_csr_write(TL_TSHAPE, TL_SHAPE(1, 1, 64));
  for (uint32_t i = 0; i < 64; i++) TL_L1M[i] = (uint8_t)(3 * i + 1);
  tl_load(1, 0, high);
  if (!trapped(TL_LOAD_FAULT, high)) return 1;
  tl_store(1, -1, high + 64);
  if (!trapped(TL_STORE_FAULT, high)) return 2;
  tl_load(1, 0, (tl_word)0);
  tl_store(1, 2, (tl_word)-64);
  for (uint32_t i = 0; i < 64; i++) {
    if (TL_L0M[64 + i] != TL_L1M[i]) return 3;
  }
  tl_csr_write(TL_TMASK_LOAD, (tl_word)-1);
  if (tl_csr_read(TL_TMASK_LOAD) != 0xffffffffu) return 4;
  return cause == 0 ? 0 : 5;
}
