// SPDX-License-Identifier: Apache-2.0
// The second unit of two_units.c: the header is for the one with this EngineID and these CSR numbers.
#define TL_ENGINE_ID 1
#define TL_CSR_BASE 0x880
#include "tensorload.h"

void second_begin(void) {
  tl_csr_write(TL_TTYPE, TL_INT8);
  tl_csr_write(TL_TSHAPE, TL_SHAPE(8, 1, tl_csr_read(TL_TLENB) / 8));
}

void second_add(uint32_t from, uint32_t to, uint32_t bytes) {
  const uint32_t step = tl_csr_read(TL_TLENB);
  for (uint32_t i = 0; i < bytes; i += step) {
    tl_load(1, 0, from + i);
    tl_addi(2, 1, 3);
    tl_store(2, 0, to + i);
  }
}
