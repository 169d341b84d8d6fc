// SPDX-License-Identifier: Apache-2.0
// An image of WIDTH x HEIGHT pixels of four bytes, at address 0 of L1M, becomes four planes, one behind the other from
// address 0 of L0M. A pair of registers holds four runs of pixels: [run, pixel, channel] becomes [run, channel, pixel], and
// each (run, channel) is a slice of the store. The number of pixels is a multiple of half the bytes of a register.
#include "tensorload.h"

#ifndef WIDTH
#define WIDTH 64
#define HEIGHT 64
#endif

enum { CHANNELS = 4, PIXELS = WIDTH * HEIGHT };

#define SLOT(i, slot) tl_csr_write(TL_TSTORE_STRIDE(i), slot)

int main(void) {
  const uint32_t bytes = tl_csr_read(TL_TLENB), run = bytes / 8, plane = PIXELS / run;
  if (PIXELS % (bytes / 2) != 0) {
    tl_print("the number of pixels is no multiple of half a register\n");
    return 1;
  }
  // A register has two runs: slices (0, 0) to (0, 3), then (1, 0) to (1, 3).
  tl_csr_write(TL_TSHAPE, TL_SHAPE(2 * CHANNELS, 1, run));
  SLOT(0, 0);
  SLOT(1, plane);
  SLOT(2, 2 * plane);
  SLOT(3, 3 * plane);
  SLOT(4, 1);
  SLOT(5, plane + 1);
  SLOT(6, 2 * plane + 1);
  SLOT(7, 3 * plane + 1);
  const uint32_t sizes = TL_SIZES(4, run, CHANNELS, 1);
  for (uint32_t pixel = 0; pixel < PIXELS; pixel += 4 * run) {
    tl_load(1, 0, pixel * CHANNELS);
    tl_load(2, 8, pixel * CHANNELS);
    tl_xpose(1, 2, 1, 2, sizes);
    tl_store(1, 0, pixel);
    tl_store(2, 2, pixel);
  }
  return 0;
}
