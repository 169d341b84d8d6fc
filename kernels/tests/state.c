// SPDX-License-Identifier: Apache-2.0
// What tl_restore puts into the unit is what tl_save finds there, of two states in turn: of every register and CSR.
#include "tensorload_state.h"

static struct tl_state given[2], found;

static uint32_t draw(void) {
  static uint32_t x = 1;
  x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return x;
}

int main(void) {
  for (uint32_t turn = 0; turn < 4; turn++) {
    struct tl_state *state = &given[turn & 1];
    if (turn < 2) {
      for (uint32_t i = 0; i < sizeof *state / 4; i++) ((uint32_t *)state)[i] = draw();
      // Bits that are there.
      state->csrs[0] &= 0xfff;
      state->csrs[1] &= 0xffffff;
      state->pitches[0] &= 0xffff;
      state->pitches[1] &= 0xffff;
      state->mask_init = turn ? 5 : 10;
    }
    tl_restore(state);
    tl_save(&found);
    for (uint32_t i = 0; i < sizeof found / 4; i++) {
      if (((uint32_t *)&found)[i] != ((uint32_t *)state)[i]) return 1 + i;
    }
  }
  return 0;
}
