// SPDX-License-Identifier: Apache-2.0
// The model behind a C ABI: the unit of one hart, its memories, and what the host of docs/isa.md has. `src/lib.rs` is
// the other side. Functions that take a unit are called by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct tensorload_unit;

// What a word did: a trap, or a write of a host register (rd is 0 without one).
struct tensorload_outcome {
  bool trap;
  uint32_t cause;
  uint64_t tval;
  uint8_t rd;
  uint64_t value;
};

// A memory at an address of the host.
struct tensorload_memory {
  uint32_t address;
  uint8_t *bytes;
  size_t size;
};

enum tensorload_csr { CSR_OF_NOBODY, CSR_OF_UNIT, CSR_OF_HOST, CSR_OF_HOST_READ_ONLY };

// A unit of the configuration and with the memories that the environment names, for registers of `xlen` bits. Null, and
// a message on standard error, when that is no unit. It is never freed.
tensorload_unit *tensorload_new(uint32_t xlen);
// The state after reset; memories keep their contents.
void tensorload_reset(tensorload_unit *unit);
// Program memory, L1M and L0M, in this order.
tensorload_memory tensorload_get_memory(tensorload_unit *unit, uint32_t number);
// Addresses where a store ends the program, and where one prints.
uint32_t tensorload_exit_address();
uint32_t tensorload_print_address();

// Whether the unit takes words with this opcode [6:0].
bool tensorload_has_opcode(const tensorload_unit *unit, uint32_t opcode);
// Executes a word of such an opcode; x are the registers of the host.
tensorload_outcome tensorload_execute(tensorload_unit *unit, uint32_t word, const uint64_t x[32]);
// Writes the text of a word and a zero to `text`, at most `size` bytes.
void tensorload_disassemble(const tensorload_unit *unit, uint32_t word, char *text, size_t size);

// Whose CSR `address` is.
tensorload_csr tensorload_csr_owner(const tensorload_unit *unit, uint32_t address);
// Whether the word is a legal CSR instruction on a CSR of the unit.
bool tensorload_csr_legal(const tensorload_unit *unit, uint32_t word);
uint32_t tensorload_csr_read(const tensorload_unit *unit, uint32_t address);
void tensorload_csr_write(tensorload_unit *unit, uint32_t address, uint32_t value);

// Prints a byte.
void tensorload_print(tensorload_unit *unit, uint8_t byte);
// Writes the files that the environment asks for, after a program that ended with `code`; gives the exit code of Spike.
int tensorload_finish(tensorload_unit *unit, uint32_t code, const uint64_t x[32]);
}
