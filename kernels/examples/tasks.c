// SPDX-License-Identifier: Apache-2.0
// Two tasks share the unit, each as if it had it alone. The host has no timer: every trap is the end of a time slice, of
// breakpoints and of masked loads with a mask that the task has not written. For such a load the handler writes the mask
// of the task, and the other one runs before it is executed again. A task makes its mask uninitialised again and again,
// so that it counts on this state, too. Each leaves its results in L0M and compares them with what it expects.
#include "tensorload_state.h"

enum { ROUNDS = 4, BYTES = 64, PLACE = 2048 };

struct task {
  uint32_t x[32];  // in place of x0: pc
  uint32_t masks, rounds, mask;
  struct tl_state unit;
};

static struct task tasks[2];
static uint32_t current, slices;
static uint8_t stacks[2][1024] __attribute__((aligned(16)));
uint8_t handler_stack[1024] __attribute__((aligned(16)));

// mscratch is the place for the registers of the task that runs. CV32E40X wants handlers at multiples of 128.
void trap_entry(void);
#define EACH_SAVED(M)                                                                          \
  M(1) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18)      \
  M(19) M(20) M(21) M(22) M(23) M(24) M(25) M(26) M(27) M(28) M(29) M(30) M(31)
#define SAVE(n) "sw x" #n ", 4*" #n "(sp)\n"
#define TAKE(n) "lw x" #n ", 4*" #n "(a0)\n"
__asm__(
    ".balign 128\n"
    "trap_entry:\n"
    ".insn i 0x73, 1, sp, sp, 0x340\n"  // csrrw sp, mscratch, sp
    "sw a0, 40(sp)\n" EACH_SAVED(SAVE)
    ".insn i 0x73, 2, t0, x0, 0x340\n"  // csrr t0, mscratch
    "sw t0, 8(sp)\n"
    ".insn i 0x73, 2, t0, x0, 0x341\n"  // csrr t0, mepc
    "sw t0, 0(sp)\n"
    "mv a0, sp\n"
    "la sp, handler_stack + 1024\n"
    "call schedule\n"
    "first_task:\n"
    ".insn i 0x73, 1, x0, a0, 0x340\n"  // csrw mscratch, a0
    "lw t0, 0(a0)\n"
    ".insn i 0x73, 1, x0, t0, 0x341\n"  // csrw mepc, t0
    "lw sp, 8(a0)\n" EACH_SAVED(TAKE)
    "lw a0, 40(a0)\n"
    "mret\n");
void first_task(struct task *task) __attribute__((noreturn));

// Ends the time slice of `task`; the task that goes on.
struct task *schedule(struct task *task) {
  const uint32_t cause = tl_csr_read(TL_MCAUSE);
  tl_save(&task->unit);
  if (cause == TL_BREAKPOINT) {
    task->x[0] += 4;
  } else if (cause == TL_ILLEGAL && !(task->unit.mask_init & 1)) {
    task->masks++;
    task->unit.csrs[TL_TMASK_LOAD - TL_TTYPE] = task->mask;
    task->unit.mask_init |= 1;
  } else {
    tl_exit(2);
  }
  slices++;
  current ^= 1;
  tl_restore(&tasks[current].unit);
  return &tasks[current];
}

#define SLICE() __asm__ volatile(".word 0x00100073" ::: "memory")  // ebreak

// Slices of the mask from L1M plus a number; the others plus that are the number itself. With elements of 16 bits the
// high byte counts, too.
static void __attribute__((noinline)) work(uint32_t id) {
  struct task *const self = &tasks[id];
  const uint32_t from = PLACE + 256 * id, to = PLACE + 512 * id, wide = id;
  tl_csr_write(TL_TTYPE, wide ? TL_INT16 : TL_INT8);
  SLICE();
  tl_csr_write(TL_TSHAPE, TL_SHAPE(16, 1, wide ? 2 : 4));
  for (self->rounds = 0; self->rounds < ROUNDS; self->rounds++) {
    self->mask = 0x9e37 >> self->rounds ^ (id ? 0x5a5a : 0);
    tl_load(2, 0, from);
    tl_mload(1, 0, from);  // a trap
    tl_addi(3, 1, 7);
    SLICE();
    tl_addi(2, 2, 1);
    tl_store(3, 0, to);
    SLICE();
    tl_store(2, 0, to + BYTES);
    __asm__ volatile("fence" ::: "memory");
    tl_csr_cleari(TL_TMASK_INIT, 1);
    for (uint32_t i = 0; i < BYTES; i += 1 + wide) {
      const uint32_t most = wide ? 0xffff : 0xff, high = wide ? 256 : 0;
      const uint32_t value = TL_L1M[from + i] + high * TL_L1M[from + i + wide];
      const uint32_t sum = (self->mask >> i / 4 & 1 ? value : 0) + 7, other = value + 1;
      const uint32_t is = TL_L0M[to + i] + high * TL_L0M[to + i + wide];
      const uint32_t next = TL_L0M[to + BYTES + i] + high * TL_L0M[to + BYTES + i + wide];
      if (is != (sum < most ? sum : most) || next != (other < most ? other : most)) tl_exit(3 + id);
      if (i == BYTES / 2) SLICE();
    }
  }
  // The other one may have some to go.
  for (;;) {
    if (tasks[0].rounds == ROUNDS && tasks[1].rounds == ROUNDS) {
      tl_print(tasks[0].masks == ROUNDS && tasks[1].masks == ROUNDS ? "both done\n" : "masks lost\n");
      tl_exit(tasks[0].masks == ROUNDS && tasks[1].masks == ROUNDS && slices > 8 * ROUNDS ? 0 : 5);
    }
    SLICE();
  }
}

int main(void) {
  tl_csr_write(TL_MTVEC, trap_entry);
  for (uint32_t id = 0; id < 2; id++) {
    tl_save(&tasks[id].unit);
    tasks[id].x[0] = (uint32_t)work;
    tasks[id].x[2] = (uint32_t)stacks[id] + sizeof stacks[id];
    tasks[id].x[10] = id;
    __asm__("mv %0, gp" : "=r"(tasks[id].x[3]));
  }
  // As after reset.
  tl_restore(&tasks[0].unit);
  first_task(&tasks[0]);
}
