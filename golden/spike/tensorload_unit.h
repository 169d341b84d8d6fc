// SPDX-License-Identifier: Apache-2.0
// The C ABI of the model: the unit of one hart, its memories, and the addresses, CSRs and console of the host of
// docs/isa.md. `src/lib.rs` implements it. Only one thread at a time may call functions with the same unit.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct tensorload_unit;

// The effect of a word on the host: a trap, or a write of register rd; rd is 0 without a write.
struct tensorload_outcome {
  bool trap;
  uint32_t cause;
  uint64_t tval;
  uint8_t rd;
  uint64_t value;
};

// A memory, and its address in the host.
struct tensorload_memory {
  uint32_t address;
  uint8_t *bytes;
  size_t size;
};

enum tensorload_csr { CSR_OF_NOBODY, CSR_OF_UNIT, CSR_OF_HOST, CSR_OF_HOST_READ_ONLY };

// Makes a unit with the configuration and memories that the environment variables name, for host registers of `xlen`
// bits. It is never freed. On an error it prints a message to standard error and returns null.
tensorload_unit *tensorload_new(uint32_t xlen);
// Resets the unit; memories keep their contents.
void tensorload_reset(tensorload_unit *unit);
// Returns memory `number`: 0 program memory, 1 L1M, 2 L0M.
tensorload_memory tensorload_get_memory(tensorload_unit *unit, uint32_t number);
// Addresses: a store to the first ends the program, a store to the second prints a byte.
uint32_t tensorload_exit_address();
uint32_t tensorload_print_address();

// Returns true if the unit executes words with this opcode [6:0].
bool tensorload_has_opcode(const tensorload_unit *unit, uint32_t opcode);
// Executes a word with such an opcode; x has the values of the host registers.
tensorload_outcome tensorload_execute(tensorload_unit *unit, uint32_t word, const uint64_t x[32]);
// Writes the disassembly of a word, with a final zero, to `text`: at most `size` bytes.
void tensorload_disassemble(const tensorload_unit *unit, uint32_t word, char *text, size_t size);

// Returns who implements the CSR with this number.
tensorload_csr tensorload_csr_owner(const tensorload_unit *unit, uint32_t address);
// Returns true if the word is a legal CSR instruction on a CSR of the unit.
bool tensorload_csr_legal(const tensorload_unit *unit, uint32_t word);
uint32_t tensorload_csr_read(const tensorload_unit *unit, uint32_t address);
void tensorload_csr_write(tensorload_unit *unit, uint32_t address, uint32_t value);

// Prints a byte.
void tensorload_print(tensorload_unit *unit, uint8_t byte);
// Call it when a program has ended with `code`. Writes the files that the environment variables name, and returns the
// exit code for Spike.
int tensorload_finish(tensorload_unit *unit, uint32_t code, const uint64_t x[32]);
}
