// SPDX-License-Identifier: Apache-2.0
//! End-to-end tests of the programs. One program, so that it is linked once and all tests share the cores.

mod by_git;
mod circles;
mod cocotb;
mod common;
mod configurations;
mod documents;
mod figures;
mod first_edit;
mod formal;
mod independence;
mod kernels;
mod lint;
mod markdown;
mod matmul;
mod netlist;
mod opcodes;
mod packages;
mod page;
mod pins;
mod public;
mod setup;
mod site;
mod test_modules;
mod two_units;
mod ulx3s;
