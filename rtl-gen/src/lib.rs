// SPDX-License-Identifier: Apache-2.0
//! Generator of the TensorLoad unit: a [`Config`] in, SystemVerilog files out.

pub mod config;
pub mod encoding;
pub mod matrix_encoding;
pub mod modules;
mod named;
mod output;
pub mod sv;
mod tree;

pub use config::{Config, ConfigError};
pub use named::LoadError;
pub use output::{GenFile, generate, write};
pub use tree::{COMMON, tree, write_tree};
