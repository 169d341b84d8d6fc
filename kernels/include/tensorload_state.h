// SPDX-License-Identifier: Apache-2.0
// A context switch (docs/isa.md, "Saving and restoring"): tl_save and tl_restore move all state of the unit to memory of
// the host and back. Both use the first TL_REG_BYTES bytes of L0M, or of L1M, from TL_SCRATCH on, which they do not put
// back. Call them with a trap handler in place, or behind a fence: then no instruction of the unit is in flight.
//
// Define TL_PITCH and TL_MASK_INIT for a unit with these options, TL_MATRIX for one with the matrix instruction set.
// Without TL_MASK_INIT all masks are initialised after tl_restore.
#ifndef TENSORLOAD_STATE_H
#define TENSORLOAD_STATE_H

#include "tensorload.h"

// The parameter `reg_bytes`, and the bytes of a tile and of an accumulation register (`xtlenb`, `xalenb`).
#ifndef TL_REG_BYTES
#define TL_REG_BYTES 1024
#endif
#ifndef TL_TILE_BYTES
#define TL_TILE_BYTES 64
#endif
#ifndef TL_ACC_BYTES
#define TL_ACC_BYTES 64
#endif
// Their rows: `tlen` / `trlen`.
#ifndef TL_TILE_ROWS
#define TL_TILE_ROWS 4
#endif

// An address of L1M and of L0M, a multiple of 32.
#ifndef TL_SCRATCH
#define TL_SCRATCH 0
#endif

struct tl_state {
  uint32_t csrs[8], pitches[2], mask_init, load_strides[32], store_strides[32], sizes[3];
  uint32_t tl[31][TL_REG_BYTES / 4];
  uint32_t tr[4][TL_TILE_BYTES / 4], acc[4][TL_ACC_BYTES / 4];
};

#define TL_EACH_4_(M, first) M(first) M((first) + 1) M((first) + 2) M((first) + 3)
#define TL_EACH_8_(M, first) TL_EACH_4_(M, first) TL_EACH_4_(M, (first) + 4)
#define TL_EACH_32_(M) TL_EACH_8_(M, 0) TL_EACH_8_(M, 8) TL_EACH_8_(M, 16) TL_EACH_8_(M, 24)
// tl1 to tl31, and all matrix registers; `.insn` takes a number alone.
#define TL_EACH_REGISTER_(M)                                                                        \
  M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17)      \
  M(18) M(19) M(20) M(21) M(22) M(23) M(24) M(25) M(26) M(27) M(28) M(29) M(30) M(31)
#define TL_EACH_TILE_(M) M(0) M(1) M(2) M(3)

static inline void tl_fence_(void) { __asm__ volatile("fence" ::: "memory"); }

static inline void tl_words_(volatile uint32_t *to, const volatile uint32_t *from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes / 4; i++) to[i] = from[i];
}

// What a register is moved with: one dense block of bytes, or full tiles.
static inline void tl_dense_(void) {
  tl_csr_write(TL_TTYPE, TL_INT8);
  tl_csr_write(TL_TSHAPE, TL_SHAPE(1, TL_REG_BYTES / 32, 32));
  tl_csr_writei(TL_TLOAD_WIDTH, 0);
  tl_csr_writei(TL_TSTORE_WIDTH, 0);
#ifdef TL_PITCH
  tl_csr_writei(TL_TLOAD_PITCH, 0);
  tl_csr_writei(TL_TSTORE_PITCH, 0);
#endif
  tl_csr_writei(TL_TLOAD_STRIDE0, 0);
  tl_csr_writei(TL_TSTORE_STRIDE0, 0);
#ifdef TL_MATRIX
  msettilem(TL_TILE_ROWS);
  msettilek(TL_TILE_BYTES / TL_TILE_ROWS);
  msettilen(TL_ACC_BYTES / TL_TILE_ROWS / 4);
#endif
}

static inline void tl_save(struct tl_state *state) {
  volatile uint32_t *const scratch = (volatile uint32_t *)(TL_L0M + TL_SCRATCH);
#define TL_READ_(i) state->csrs[i] = tl_csr_read(TL_TTYPE + (i));
  TL_EACH_8_(TL_READ_, 0)
#ifdef TL_PITCH
  state->pitches[0] = tl_csr_read(TL_TLOAD_PITCH);
  state->pitches[1] = tl_csr_read(TL_TSTORE_PITCH);
#endif
#ifdef TL_MASK_INIT
  state->mask_init = tl_csr_read(TL_TMASK_INIT);
#endif
#define TL_READ_STRIDES_(i)                                \
  state->load_strides[i] = tl_csr_read(TL_TLOAD_STRIDE(i)); \
  state->store_strides[i] = tl_csr_read(TL_TSTORE_STRIDE(i));
  TL_EACH_32_(TL_READ_STRIDES_)
#ifdef TL_MATRIX
  state->sizes[0] = tl_csr_read(TL_MTILEM);
  state->sizes[1] = tl_csr_read(TL_MTILEN);
  state->sizes[2] = tl_csr_read(TL_MTILEK);
#endif
  tl_dense_();
#define TL_SAVE_(n)                               \
  tl_store(n, 0, TL_SCRATCH);                     \
  tl_fence_();                                    \
  tl_words_(state->tl[(n) - 1], scratch, TL_REG_BYTES);
  TL_EACH_REGISTER_(TL_SAVE_)
#ifdef TL_MATRIX
#define TL_SAVE_TILE_(n)                          \
  msae8(n, TL_SCRATCH, TL_TILE_BYTES / TL_TILE_ROWS);                      \
  tl_fence_();                                    \
  tl_words_(state->tr[n], scratch, TL_TILE_BYTES); \
  msce32(n, TL_SCRATCH, TL_ACC_BYTES / TL_TILE_ROWS);                     \
  tl_fence_();                                    \
  tl_words_(state->acc[n], scratch, TL_ACC_BYTES);
  TL_EACH_TILE_(TL_SAVE_TILE_)
#endif
}

static inline void tl_restore(const struct tl_state *state) {
  volatile uint32_t *const scratch = (volatile uint32_t *)(TL_L1M + TL_SCRATCH);
  tl_dense_();
#define TL_RESTORE_(n)                                    \
  tl_words_(scratch, state->tl[(n) - 1], TL_REG_BYTES);   \
  tl_load(n, 0, TL_SCRATCH);                              \
  tl_fence_();
  TL_EACH_REGISTER_(TL_RESTORE_)
#ifdef TL_MATRIX
#define TL_RESTORE_TILE_(n)                       \
  tl_words_(scratch, state->tr[n], TL_TILE_BYTES); \
  mlae8(n, TL_SCRATCH, TL_TILE_BYTES / TL_TILE_ROWS);                      \
  tl_fence_();                                    \
  tl_words_(scratch, state->acc[n], TL_ACC_BYTES); \
  mlce32(n, TL_SCRATCH, TL_ACC_BYTES / TL_TILE_ROWS);                     \
  tl_fence_();
  TL_EACH_TILE_(TL_RESTORE_TILE_)
  msettilem(state->sizes[0]);
  msettilen(state->sizes[1]);
  msettilek(state->sizes[2]);
#endif
#define TL_WRITE_(i) tl_csr_write(TL_TTYPE + (i), state->csrs[i]);
  TL_EACH_8_(TL_WRITE_, 0)
#ifdef TL_PITCH
  tl_csr_write(TL_TLOAD_PITCH, state->pitches[0]);
  tl_csr_write(TL_TSTORE_PITCH, state->pitches[1]);
#endif
#define TL_WRITE_STRIDES_(i)                              \
  tl_csr_write(TL_TLOAD_STRIDE(i), state->load_strides[i]); \
  tl_csr_write(TL_TSTORE_STRIDE(i), state->store_strides[i]);
  TL_EACH_32_(TL_WRITE_STRIDES_)
  // Behind the masks, each of which has set its bit.
#ifdef TL_MASK_INIT
  tl_csr_write(TL_TMASK_INIT, state->mask_init);
#endif
}

#endif
