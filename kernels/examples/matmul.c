// SPDX-License-Identifier: Apache-2.0
// C = A * B. A lies transposed in L1M, K x M, and B plain, K x N. The unit gathers tiles of rows from them, transposed on
// the way, and leaves them in L0M; the host multiplies them there, and writes C, M x N elements of 32 bits, into L1M, from
// where the unit moves it to address 0 of L0M.
//
// The first words of L1M are format, M, N, K and the addresses of A, B and C. Formats: 0 is int8 with sums of int32,
// 1 FP16, 2 BF16 and 3 FP32 with sums of FP32, each rounded after each product and each sum, k ascending.
#include "tensorload.h"

enum { FORMAT, M, N, K, A, B, C };
enum { INT8, FP16, BF16, FP32 };

// Tiles in L0M: behind anything that C may be.
enum { TILE_A = 0x20000, TILE_B = 0x28000 };

union bits {
  uint32_t u;
  float f;
};

static float from_half(uint32_t half) {
  const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31) return (union bits){.u = sign | 0x7f800000u | fraction << 13}.f;
  if (exponent != 0) return (union bits){.u = sign | (exponent + 112) << 23 | fraction << 13}.f;
  const float small = (float)fraction * (1.0f / 16777216.0f);
  return sign ? -small : small;
}

static float element(uint32_t format, uint32_t address) {
  switch (format) {
    case FP16: return from_half(*(volatile uint16_t *)(TL_L0M + address));
    case BF16: return (union bits){.u = (uint32_t) * (volatile uint16_t *)(TL_L0M + address) << 16}.f;
    default: return (union bits){.u = *(volatile uint32_t *)(TL_L0M + address)}.f;
  }
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Rows of the tiles at (m, k) and (n, k), `row` bytes apart, in TILE_A and TILE_B.
static void gather(const volatile uint32_t *p, uint32_t m, uint32_t n, uint32_t k, uint32_t row) {
  const uint32_t log = p[FORMAT] == INT8 ? 0 : p[FORMAT] == FP32 ? 2 : 1;
  const uint32_t pitch_a = p[M] << log, pitch_b = p[N] << log;
  const uint32_t a = p[A] + k * pitch_a + (m << log), b = p[B] + k * pitch_b + (n << log);
  switch (log) {
    case 0:
      mlate8(0, a, pitch_a);
      mlbte8(1, b, pitch_b);
      msae8(0, TILE_A, row);
      msbe8(1, TILE_B, row);
      break;
    case 1:
      mlate16(0, a, pitch_a);
      mlbte16(1, b, pitch_b);
      msae16(0, TILE_A, row);
      msbe16(1, TILE_B, row);
      break;
    default:
      mlate32(0, a, pitch_a);
      mlbte32(1, b, pitch_b);
      msae32(0, TILE_A, row);
      msbe32(1, TILE_B, row);
  }
}

static uint32_t multiply_add(uint32_t format, uint32_t sum, uint32_t a, uint32_t b) {
  if (format == INT8) {
    const int32_t product = (int32_t)(int8_t)TL_L0M[TILE_A + a] * (int8_t)TL_L0M[TILE_B + b];
    return sum + (uint32_t)product;
  }
  union bits s = {.u = sum};
  const float product = element(format, TILE_A + a) * element(format, TILE_B + b);
  s.f = s.f + product;
  return s.u;
}

int main(void) {
  const volatile uint32_t *p = (const volatile uint32_t *)TL_L1M;
  const uint32_t format = p[FORMAT], log = format == INT8 ? 0 : format == FP32 ? 2 : 1;
  const uint32_t row = tl_csr_read(TL_XTRLENB), rows = tl_csr_read(TL_XTLENB) / row, depth = row >> log;
  volatile uint32_t *c = (volatile uint32_t *)(TL_L1M + p[C]);
  if (format > FP32) return 1;
  for (uint32_t m = 0; m < p[M]; m += rows) {
    for (uint32_t n = 0; n < p[N]; n += rows) {
      const uint32_t tile_m = smaller(rows, p[M] - m), tile_n = smaller(rows, p[N] - n);
      msettilem(tile_m);
      msettilen(tile_n);
      for (uint32_t k = 0; k < p[K]; k += depth) {
        const uint32_t tile_k = smaller(depth, p[K] - k);
        msettilek(tile_k);
        gather(p, m, n, k, row);
        for (uint32_t i = 0; i < tile_m; i++) {
          for (uint32_t j = 0; j < tile_n; j++) {
            volatile uint32_t *at = c + (m + i) * p[N] + n + j;
            uint32_t sum = *at;
            for (uint32_t l = 0; l < tile_k; l++) {
              sum = multiply_add(format, sum, i * row + (l << log), j * row + (l << log));
            }
            *at = sum;
          }
        }
      }
      const uint32_t place = 4 * (m * p[N] + n);
      mlce32(0, p[C] + place, 4 * p[N]);
      msce32(0, place, 4 * p[N]);
    }
  }
  mrelease();
  return 0;
}
