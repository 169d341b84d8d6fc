// SPDX-License-Identifier: Apache-2.0
// Two units beside one core, both at work at a time. This one transposes blocks of 16 columns, as large as two registers,
// from L1M; that of two_units_second.c adds 3 to every byte of the same blocks. The core compares every byte.
#include "tensorload.h"

enum { BLOCKS = 2, COLUMNS = 16 };

void second_begin(void);
void second_add(uint32_t from, uint32_t to, uint32_t bytes);

int main(void) {
  const uint32_t bytes = tl_csr_read(TL_TLENB), block = 2 * bytes, rows = block / COLUMNS, sums = BLOCKS * block;
  tl_csr_write(TL_TTYPE, TL_INT8);
  tl_csr_write(TL_TSHAPE, TL_SHAPE(8, 1, bytes / 8));
  second_begin();
  for (uint32_t at = 0; at < BLOCKS * block; at += block) {
    tl_load(1, 0, at);
    tl_load(2, 8, at);
    second_add(at, sums + at, block / 2);
    tl_xpose(0, 1, 1, 2, TL_SIZES(rows, COLUMNS, 1, 1));
    second_add(at + block / 2, sums + at + block / 2, block / 2);
    tl_store(1, 0, at);
    tl_store(2, 8, at);
  }
  for (uint32_t i = 0; i < BLOCKS * block; i++) {
    const uint32_t at = i / block * block, column = i % block / rows, row = i % rows;
    if (TL_L0M[i] != TL_L1M[at + COLUMNS * row + column]) return 1;
    const uint32_t sum = TL_L1M[i] + 3u;
    if (TL_L0M[sums + i] != (sum > 255 ? 255 : sum)) return 2;
  }
  return 0;
}
