// SPDX-License-Identifier: Apache-2.0
//! One file for each emitted module, of the same name.

use crate::Config;
use crate::sv::Module;

pub mod tl_bank_arb;
pub mod tl_csr;
pub mod tl_decoder;
pub mod tl_dispatch;
pub mod tl_pkg;
pub mod tl_queue;
pub mod tl_ram_1r1w;
pub mod tl_regfile;
pub mod tl_rename;
pub mod tl_retire;
pub mod tl_shape;
pub mod tl_slice_walk;

/// The synthesizable modules of `config`, each before those that instantiate it.
pub fn synthesizable(config: &Config) -> Vec<Module> {
    vec![
        tl_ram_1r1w::module(),
        tl_bank_arb::module(),
        tl_regfile::module(),
        tl_decoder::module(config),
        tl_csr::module(config),
        tl_shape::module(config),
        tl_queue::module(),
        tl_rename::module(),
        tl_retire::module(),
        tl_dispatch::module(config),
        tl_slice_walk::module(),
    ]
}
