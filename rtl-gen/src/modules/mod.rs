// SPDX-License-Identifier: Apache-2.0
//! One file for each emitted module, of the same name.

use crate::Config;
use crate::sv::Module;

pub mod tl_decoder;
pub mod tl_pkg;
pub mod tl_ram_1r1w;

/// The synthesizable modules of `config`, each before those that instantiate it.
pub fn synthesizable(config: &Config) -> Vec<Module> {
    vec![tl_ram_1r1w::module(), tl_decoder::module(config)]
}
