// SPDX-License-Identifier: Apache-2.0
//! One file for each emitted module, of the same name.

use crate::Config;
use crate::sv::Module;

pub mod tl_pkg;

/// The synthesizable modules of `config`, each before those that instantiate it.
pub fn synthesizable(_config: &Config) -> Vec<Module> {
    Vec::new()
}
