// SPDX-License-Identifier: Apache-2.0
//! Generator of the TensorLoad unit: a [`Config`] in, SystemVerilog files out.

mod constraints;
pub mod encoding;
pub mod guide;
pub mod matrix_encoding;
pub mod modules;
mod output;
pub mod packages;
pub mod sv;
mod tree;

pub use constraints::{CONSTRAINTS, constraints};
pub use output::{GenFile, generate, write};
pub use rtl_config::{Config, ConfigError, LoadError, PREFIX};
pub use tree::{COMMON, tree, write_tree};
