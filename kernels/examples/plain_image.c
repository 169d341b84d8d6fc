// SPDX-License-Identifier: Apache-2.0
// What image.c does, by the host alone: four pixels at a time, and words on both sides.
#include "tensorload.h"

#ifndef WIDTH
#define WIDTH 64
#define HEIGHT 64
#endif

enum { PIXELS = WIDTH * HEIGHT };

int main(void) {
  const volatile uint32_t *pixel = (const volatile uint32_t *)TL_L1M;
  volatile uint32_t *plane = (volatile uint32_t *)TL_L0M;
  for (uint32_t i = 0; i < PIXELS / 4; i++, pixel += 4) {
    const uint32_t a = pixel[0], b = pixel[1], c = pixel[2], d = pixel[3];
    for (uint32_t channel = 0, shift = 0; channel < 4; channel++, shift += 8) {
      plane[channel * (PIXELS / 4) + i] =
          (a >> shift & 255) | (b >> shift & 255) << 8 | (c >> shift & 255) << 16 | (d >> shift & 255) << 24;
    }
  }
  return 0;
}
