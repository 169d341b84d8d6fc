// SPDX-License-Identifier: Apache-2.0
// What matmul.c does with int8, by the host alone, from the same contents of L1M: A lies transposed, K x M, B plain, K x N.
#include "tensorload.h"

enum { FORMAT, M, N, K, A, B };

int main(void) {
  const volatile uint32_t *p = (const volatile uint32_t *)TL_L1M;
  const uint32_t rows = p[M], columns = p[N], depth = p[K];
  const volatile int8_t *a = (const volatile int8_t *)(TL_L1M + p[A]), *b = (const volatile int8_t *)(TL_L1M + p[B]);
  volatile int32_t *c = (volatile int32_t *)TL_L0M;
  if (p[FORMAT] != 0) return 1;
  for (uint32_t m = 0; m < rows; m++) {
    for (uint32_t n = 0; n < columns; n++) {
      int32_t sum = 0;
      for (uint32_t k = 0; k < depth; k++) sum += a[k * rows + m] * b[k * columns + n];
      c[m * columns + n] = sum;
    }
  }
  return 0;
}
