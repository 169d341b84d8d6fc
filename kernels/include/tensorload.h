// SPDX-License-Identifier: Apache-2.0
// C intrinsics for the TensorLoad and matrix instruction sets (docs/isa.md). Each is one instruction, written with `.insn`,
// so that any RISC-V assembler takes it. The compiler picks the host registers. Numbers of tensor and matrix registers,
// immediates and dimensions are constants, and checked when a program is compiled.
#ifndef TENSORLOAD_H
#define TENSORLOAD_H

#include <stdint.h>

// EngineID of the unit, the parameter `engine_id` of its configuration.
#ifndef TL_ENGINE_ID
#define TL_ENGINE_ID 0
#endif

// The parameter `csr_base`: 0x800, or 0x880 for a second unit beside one core.
#ifndef TL_CSR_BASE
#define TL_CSR_BASE 0x800
#endif

// Define TL_CSR_OP for a unit with the option `csr_op`: CSRs of the unit are then reached by its own opcode. Define
// TL_GPR_RS1 for one with `gpr_rs1`: loads, stores and transpositions then have their second encodings.

// ---------------------------------------------------------------------------------------------------------------------
// A register of the host, 32 or 64 bits.
typedef uintptr_t tl_word;

// Memories as the host sees them. The unit counts the addresses of both from 0. Define TL_L1M and TL_L0M before for
// windows at other multiples of 256 MiB.

#ifndef TL_L1M
#define TL_L1M ((volatile uint8_t *)(tl_word)0x10000000u)
#endif
#ifndef TL_L0M
#define TL_L0M ((volatile uint8_t *)(tl_word)0x20000000u)
#endif
#define TL_EXIT ((volatile uint32_t *)(tl_word)0x30000000u)
#define TL_PRINT ((volatile uint8_t *)(tl_word)0x30000004u)

// An address of the unit.
typedef tl_word tl_address;

// The address that the unit has for a pointer into the window onto L1M or L0M.
static inline tl_address tl_address_of(const volatile void *p) { return (tl_word)p & 0x0fffffffu; }

// Ends the program with this code.
static inline void __attribute__((noreturn)) tl_exit(uint32_t code) {
  *TL_EXIT = code;
  for (;;) {
  }
}

// Prints a string.
static inline void tl_print(const char *text) {
  while (*text) *TL_PRINT = (uint8_t)*text++;
}

// ---------------------------------------------------------------------------------------------------------------------
// CSRs

// Where the read-only CSRs are.
#define TL_READ_ONLY_ (0xcc0 + (TL_CSR_BASE - 0x800) / 4)

enum tl_csr {
  TL_TTYPE = TL_CSR_BASE + 0x10,
  TL_TSHAPE = TL_CSR_BASE + 0x11,
  TL_TMASK_LOAD = TL_CSR_BASE + 0x12,
  TL_TMASK_STORE = TL_CSR_BASE + 0x13,
  TL_TMASK_CONCAT_1 = TL_CSR_BASE + 0x14,
  TL_TMASK_CONCAT_2 = TL_CSR_BASE + 0x15,
  TL_TLOAD_WIDTH = TL_CSR_BASE + 0x16,
  TL_TSTORE_WIDTH = TL_CSR_BASE + 0x17,
  // Of an adapter, where there is one.
  TL_TCAUSE = TL_CSR_BASE + 0x18,
  TL_TTVAL = TL_CSR_BASE + 0x19,
  // With the option `pitch`.
  TL_TLOAD_PITCH = TL_CSR_BASE + 0x1a,
  TL_TSTORE_PITCH = TL_CSR_BASE + 0x1b,
  // With the option `mask_init`.
  TL_TMASK_INIT = TL_CSR_BASE + 0x1c,
  TL_TLOAD_STRIDE0 = TL_CSR_BASE + 0x40,
  TL_TSTORE_STRIDE0 = TL_CSR_BASE + 0x60,
  TL_TLENB = TL_READ_ONLY_ + 0x10,
  TL_MTILEM = TL_CSR_BASE + 0x03,
  TL_MTILEN = TL_CSR_BASE + 0x04,
  TL_MTILEK = TL_CSR_BASE + 0x05,
  TL_XTLENB = TL_READ_ONLY_ + 0x01,
  TL_XTRLENB = TL_READ_ONLY_ + 0x02,
  TL_XALENB = TL_READ_ONLY_ + 0x03,
  TL_MTVEC = 0x305,
  TL_MSCRATCH = 0x340,
  TL_MEPC = 0x341,
  TL_MCAUSE = 0x342,
  TL_MTVAL = 0x343,
  TL_MCYCLE = 0xb00,
  TL_MINSTRET = 0xb02,
  TL_MCYCLEH = 0xb80,
  TL_MINSTRETH = 0xb82
};

// Stride registers by number; i is a constant, 0 to 31.
#define TL_TLOAD_STRIDE(i) (TL_TLOAD_STRIDE0 + (i))
#define TL_TSTORE_STRIDE(i) (TL_TSTORE_STRIDE0 + (i))

// Values of ttype.
enum tl_type {
  TL_INT4 = 0x001,
  TL_INT8 = 0x002,
  TL_INT16 = 0x004,
  TL_INT32 = 0x008,
  TL_FP4 = 0x010,
  TL_FP8_E4M3 = 0x040,
  TL_FP8_E5M2 = 0x080,
  TL_FP8_E3M4 = 0x0c0,
  TL_FP16 = 0x100,
  TL_FP32 = 0x400
};

// Values of mcause.
enum tl_cause {
  TL_FETCH_MISALIGNED = 0,
  TL_FETCH_FAULT = 1,
  TL_ILLEGAL = 2,
  TL_BREAKPOINT = 3,
  TL_LOAD_MISALIGNED = 4,
  TL_LOAD_FAULT = 5,
  TL_STORE_MISALIGNED = 6,
  TL_STORE_FAULT = 7,
  TL_ECALL = 11
};

// A value of tshape, the block [d0, d1, d2].
#define TL_SHAPE(d0, d1, d2) ((uint32_t)(d0) << 16 | (uint32_t)(d1) << 8 | (uint32_t)(d2))
// The operand of tl_xpose, the tensor [d0, d1, d2, d3].
#define TL_SIZES(d0, d1, d2, d3) \
  ((uint32_t)(d0) | (uint32_t)(d1) << 8 | (uint32_t)(d2) << 16 | (uint32_t)(d3) << 24)

// The parts of a CSR instruction as `.insn i`, whose 12-bit field is signed.
#ifdef TL_CSR_OP
#define TL_OWN_(csr)                                              \
  (((csr) >= TL_CSR_BASE && (csr) < TL_CSR_BASE + 0x80) || ((csr) >= TL_READ_ONLY_ && (csr) < TL_READ_ONLY_ + 0x20))
#else
#define TL_OWN_(csr) 0
#endif
#define TL_N_(csr) ((csr) < 0xc00 ? (csr) - TL_CSR_BASE : (csr) - TL_READ_ONLY_ + 0xc0)
#define TL_OPCODE_(csr) (TL_OWN_(csr) ? 0x5b : 0x73)
#define TL_FUNCT3_(csr, funct3) (TL_OWN_(csr) ? (funct3) | 4 : (funct3))
#define TL_SIGNED_(field) ((((field) & 0xfff) ^ 0x800) - 0x800)
#define TL_FIELD_(csr, immediate) \
  TL_SIGNED_(TL_OWN_(csr) ? TL_ENGINE_ID << 10 | (immediate) << 8 | TL_N_(csr) : (csr))
#define TL_CSR_(funct3, csr, value)                                                                 \
  ({                                                                                                \
    tl_word tl_old_;                                                                                \
    __asm__ volatile(".insn i %1, %2, %0, %3, %4"                                                    \
                     : "=r"(tl_old_)                                                                \
                     : "i"(TL_OPCODE_(csr)), "i"(TL_FUNCT3_(csr, funct3)), "r"((tl_word)(value)),  \
                       "i"(TL_FIELD_(csr, 0))                                                       \
                     : "memory");                                                                   \
    tl_old_;                                                                                        \
  })

// Each gives the old value.
#define tl_csr_swap(csr, value) TL_CSR_(1, csr, value)
#define tl_csr_set(csr, bits) TL_CSR_(2, csr, bits)
#define tl_csr_clear(csr, bits) TL_CSR_(3, csr, bits)

#define tl_csr_read(csr)                                                                            \
  ({                                                                                                \
    tl_word tl_value_;                                                                              \
    __asm__ volatile(".insn i %1, %2, %0, x0, %3"                                                    \
                     : "=r"(tl_value_)                                                              \
                     : "i"(TL_OPCODE_(csr)), "i"(TL_FUNCT3_(csr, 2)), "i"(TL_FIELD_(csr, 0))        \
                     : "memory");                                                                   \
    tl_value_;                                                                                      \
  })

#define tl_csr_write(csr, value)                                                                    \
  __asm__ volatile(".insn i %0, %1, x0, %2, %3"                                                      \
                   :                                                                                \
                   : "i"(TL_OPCODE_(csr)), "i"(TL_FUNCT3_(csr, 1)), "r"((tl_word)(value)),         \
                     "i"(TL_FIELD_(csr, 0))                                                         \
                   : "memory")

// The same with a constant, 0 to 31, in the instruction.
#define TL_CSRI_(funct3, csr, uimm)                                                                 \
  do {                                                                                              \
    _Static_assert((uimm) >= 0 && (uimm) <= 31, "the immediate of a CSR instruction is 0 to 31");   \
    __asm__ volatile(".insn i %0, %1, x0, x%2, %3"                                                   \
                     :                                                                              \
                     : "i"(TL_OPCODE_(csr)), "i"(funct3), "i"(uimm), "i"(TL_FIELD_(csr, 1))         \
                     : "memory");                                                                   \
  } while (0)

#define tl_csr_writei(csr, uimm) TL_CSRI_(5, csr, uimm)
#define tl_csr_seti(csr, uimm) TL_CSRI_(6, csr, uimm)
#define tl_csr_cleari(csr, uimm) TL_CSRI_(7, csr, uimm)

// ---------------------------------------------------------------------------------------------------------------------
// TensorLoad

#define TL_REGISTER_(tl) _Static_assert((tl) >= 0 && (tl) <= 31, "tensor registers are 0 to 31")
#define TL_DIMENSION_(d, most) _Static_assert((d) >= 0 && (d) <= (most), "no such dimension")
#define TL_IMM8_(imm8) _Static_assert((imm8) >= -128 && (imm8) <= 127, "imm8 is -128 to 127")
#define TL_FUNCT7_(high, imm8) (TL_ENGINE_ID << 5 | (high) << 3 | ((imm8) >> 5 & 7))

// The host register, operand 2, and the TLReg, operand 3, of loads, stores and transpositions change places in the second
// form, and funct3 is another.
#ifdef TL_GPR_RS1
#define TL_PLACES_ "x%3, %2"
#define TL_FORM_(first, second) (second)
#else
#define TL_PLACES_ "%2, x%3"
#define TL_FORM_(first, second) (first)
#endif

#define TL_SLICES_(funct3, high, tl, imm8, base)                                                    \
  do {                                                                                              \
    TL_REGISTER_(tl);                                                                               \
    TL_IMM8_(imm8);                                                                                 \
    __asm__ volatile(".insn r 0x5b, %0, %1, " TL_PLACES_ ", x%4"                                     \
                     :                                                                              \
                     : "i"(TL_FORM_(funct3, 4)), "i"(TL_FUNCT7_(high, imm8)), "r"((tl_address)(base)), "i"(tl), "i"((imm8) & 31) \
                     : "memory");                                                                   \
  } while (0)

#define TL_MOVE_(funct3, funct7, field11, field19, field24) \
  __asm__ volatile(".insn r 0x5b, %0, %1, x%2, x%3, x%4"     \
                   :                                        \
                   : "i"(funct3), "i"(funct7), "i"(field11), "i"(field19), "i"(field24))

// tl.load tl, imm8(base) and so on; base is an address of the unit, imm8 counts slots.
#define tl_load(tl, imm8, base) TL_SLICES_(0, 0, tl, imm8, base)
#define tl_mload(tl, imm8, base) TL_SLICES_(0, 1, tl, imm8, base)
#define tl_store(tl, imm8, base) TL_SLICES_(2, 2, tl, imm8, base)
#define tl_mstore(tl, imm8, base) TL_SLICES_(2, 3, tl, imm8, base)

#define tl_addi(tlrd, tlrs, imm8)                                        \
  do {                                                                   \
    TL_REGISTER_(tlrd);                                                  \
    TL_REGISTER_(tlrs);                                                  \
    TL_IMM8_(imm8);                                                      \
    TL_MOVE_(2, TL_FUNCT7_(0, imm8), tlrd, tlrs, (imm8) & 31);           \
  } while (0)

#define TL_GATHER_(high, d, tlrd, tlrs1, tlrs2)                          \
  do {                                                                   \
    TL_DIMENSION_(d, 2);                                                 \
    TL_REGISTER_(tlrd);                                                  \
    TL_REGISTER_(tlrs1);                                                 \
    TL_REGISTER_(tlrs2);                                                 \
    TL_MOVE_(1, TL_ENGINE_ID << 5 | (high) << 2 | (d), tlrd, tlrs1, tlrs2); \
  } while (0)

#define tl_concat(d, tlrd, tlrs1, tlrs2) TL_GATHER_(0, d, tlrd, tlrs1, tlrs2)
#define tl_merge(d, tlrd, tlrs1, tlrs2) TL_GATHER_(1, d, tlrd, tlrs1, tlrs2)

// Exchanges dimensions p and q of the tensor in tlrs1 and tlrs2; sizes is a TL_SIZES.
#define tl_xpose(p, q, tlrs1, tlrs2, sizes)                                                         \
  do {                                                                                              \
    TL_DIMENSION_(p, 3);                                                                            \
    TL_DIMENSION_(q, 3);                                                                            \
    TL_REGISTER_(tlrs1);                                                                            \
    TL_REGISTER_(tlrs2);                                                                            \
    __asm__ volatile(".insn r 0x5b, %0, %1, " TL_PLACES_ ", x%4"                                     \
                     :                                                                              \
                     : "i"(TL_FORM_(3, 5)), "i"(TL_ENGINE_ID << 5 | TL_FORM_(0, 16) | (q) << 2 | (p)), \
                       "r"((tl_word)(sizes)), "i"(tlrs1), "i"(tlrs2));                             \
  } while (0)

// ---------------------------------------------------------------------------------------------------------------------
// Matrix instructions: mlae8(tr, base, stride) is `mlae8 tr, (base), stride`, with bytes for base and stride.

#define TL_TILE_(func4, store, d_size, first, number, base, stride)                                 \
  do {                                                                                              \
    _Static_assert((number) >= 0 && (number) <= 3, "matrix registers are 0 to 3");                  \
    __asm__ volatile(".insn r 0x2b, 0, %0, x%1, %2, %3"                                              \
                     :                                                                              \
                     : "i"((func4) << 3 | 2 | (store)), "i"((d_size) << 3 | (first) | (number)),    \
                       "r"((tl_address)(base)), "r"((tl_word)(stride))                             \
                     : "memory");                                                                   \
  } while (0)

#define mlae8(tr, base, stride) TL_TILE_(0, 0, 0, 0, tr, base, stride)
#define mlae16(tr, base, stride) TL_TILE_(0, 0, 1, 0, tr, base, stride)
#define mlae32(tr, base, stride) TL_TILE_(0, 0, 2, 0, tr, base, stride)
#define mlbe8(tr, base, stride) TL_TILE_(1, 0, 0, 0, tr, base, stride)
#define mlbe16(tr, base, stride) TL_TILE_(1, 0, 1, 0, tr, base, stride)
#define mlbe32(tr, base, stride) TL_TILE_(1, 0, 2, 0, tr, base, stride)
#define mlce8(acc, base, stride) TL_TILE_(2, 0, 0, 4, acc, base, stride)
#define mlce16(acc, base, stride) TL_TILE_(2, 0, 1, 4, acc, base, stride)
#define mlce32(acc, base, stride) TL_TILE_(2, 0, 2, 4, acc, base, stride)
#define mlate8(tr, base, stride) TL_TILE_(4, 0, 0, 0, tr, base, stride)
#define mlate16(tr, base, stride) TL_TILE_(4, 0, 1, 0, tr, base, stride)
#define mlate32(tr, base, stride) TL_TILE_(4, 0, 2, 0, tr, base, stride)
#define mlbte8(tr, base, stride) TL_TILE_(5, 0, 0, 0, tr, base, stride)
#define mlbte16(tr, base, stride) TL_TILE_(5, 0, 1, 0, tr, base, stride)
#define mlbte32(tr, base, stride) TL_TILE_(5, 0, 2, 0, tr, base, stride)
#define mlcte8(acc, base, stride) TL_TILE_(6, 0, 0, 4, acc, base, stride)
#define mlcte16(acc, base, stride) TL_TILE_(6, 0, 1, 4, acc, base, stride)
#define mlcte32(acc, base, stride) TL_TILE_(6, 0, 2, 4, acc, base, stride)
#define msae8(tr, base, stride) TL_TILE_(0, 1, 0, 0, tr, base, stride)
#define msae16(tr, base, stride) TL_TILE_(0, 1, 1, 0, tr, base, stride)
#define msae32(tr, base, stride) TL_TILE_(0, 1, 2, 0, tr, base, stride)
#define msbe8(tr, base, stride) TL_TILE_(1, 1, 0, 0, tr, base, stride)
#define msbe16(tr, base, stride) TL_TILE_(1, 1, 1, 0, tr, base, stride)
#define msbe32(tr, base, stride) TL_TILE_(1, 1, 2, 0, tr, base, stride)
#define msce8(acc, base, stride) TL_TILE_(2, 1, 0, 4, acc, base, stride)
#define msce16(acc, base, stride) TL_TILE_(2, 1, 1, 4, acc, base, stride)
#define msce32(acc, base, stride) TL_TILE_(2, 1, 2, 4, acc, base, stride)
#define msate8(tr, base, stride) TL_TILE_(4, 1, 0, 0, tr, base, stride)
#define msate16(tr, base, stride) TL_TILE_(4, 1, 1, 0, tr, base, stride)
#define msate32(tr, base, stride) TL_TILE_(4, 1, 2, 0, tr, base, stride)
#define msbte8(tr, base, stride) TL_TILE_(5, 1, 0, 0, tr, base, stride)
#define msbte16(tr, base, stride) TL_TILE_(5, 1, 1, 0, tr, base, stride)
#define msbte32(tr, base, stride) TL_TILE_(5, 1, 2, 0, tr, base, stride)
#define mscte8(acc, base, stride) TL_TILE_(6, 1, 0, 4, acc, base, stride)
#define mscte16(acc, base, stride) TL_TILE_(6, 1, 1, 4, acc, base, stride)
#define mscte32(acc, base, stride) TL_TILE_(6, 1, 2, 4, acc, base, stride)

#define TL_SET_TILE_(func4, size) \
  __asm__ volatile(".insn r 0x2b, 0, %0, x0, %1, x0" : : "i"((func4) << 3 | 1), "r"((tl_word)(size)))
#define TL_SET_TILE_I_(func4, imm10)                                                                \
  do {                                                                                              \
    _Static_assert((imm10) >= 0 && (imm10) <= 1023, "imm10 is 0 to 1023");                          \
    __asm__ volatile(".insn r 0x2b, 0, %0, x0, x%1, x%2"                                             \
                     :                                                                              \
                     : "i"((func4) << 3), "i"((imm10) & 31), "i"((imm10) >> 5));                    \
  } while (0)

#define msettilek(size) TL_SET_TILE_(1, size)
#define msettilem(size) TL_SET_TILE_(2, size)
#define msettilen(size) TL_SET_TILE_(3, size)
#define msettileki(imm10) TL_SET_TILE_I_(1, imm10)
#define msettilemi(imm10) TL_SET_TILE_I_(2, imm10)
#define msettileni(imm10) TL_SET_TILE_I_(3, imm10)
#define mrelease() __asm__ volatile(".insn r 0x2b, 0, 0, x0, x0, x0")

#endif
