// SPDX-License-Identifier: Apache-2.0
//! Tests of the generator and its program. One program, so that it is linked once and all tests share the cores.

mod cli;
mod committed_output;
mod configuration_table;
mod guide;
mod prefix;
