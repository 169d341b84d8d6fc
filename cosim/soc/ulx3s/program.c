// SPDX-License-Identifier: Apache-2.0
// kernels/examples/image.c on a board: makes an image, calls the example, looks at every byte of its planes, and says so.
#define main planes
#include "image.c"
#undef main

static uint8_t value(uint32_t i) { return (uint8_t)(i * 37 + (i >> 8)); }

int main(void) {
  tl_print("image to planes: ");
  for (uint32_t i = 0; i < CHANNELS * PIXELS; i++) TL_L1M[i] = value(i);
  const int failed = planes();
  if (failed) return failed;
  for (uint32_t channel = 0; channel < CHANNELS; channel++)
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++)
      if (TL_L0M[channel * PIXELS + pixel] != value(pixel * CHANNELS + channel)) {
        tl_print("wrong\n");
        return 2;
      }
  tl_print("right\n");
  return 0;
}
