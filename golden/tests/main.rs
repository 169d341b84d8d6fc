// SPDX-License-Identifier: Apache-2.0
//! Tests of the model and its program. One program, so that it is linked once and all tests share the cores.

mod answers;
mod assembler;
mod cli;
mod common;
mod config;
mod csr_host;
mod data_move;
mod elf;
mod encoding;
mod errata;
mod hart;
mod instructions;
mod load_store;
mod matrix_load_store;
mod operands;
mod programs;
mod revision;
mod riscv_opcodes;
mod text;
mod totality;
mod traps;
