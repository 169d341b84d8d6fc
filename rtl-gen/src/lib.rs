// SPDX-License-Identifier: Apache-2.0
//! Generator of the TensorLoad unit: a [`Config`] in, SystemVerilog files out.
//!
//! The modules are SystemVerilog in `rtl-gen/sv`. What differs between configurations are the constants of
//! `tl_config.svh`, which are computed here, and the prefix.

mod constants;
mod constraints;
mod geometry;
pub mod guide;
mod output;
pub mod packages;
pub mod ports;
mod record;
mod sources;
mod tree;

pub use output::{GenFile, generate, write};
pub use record::Edited;
pub use rtl_config::{Config, ConfigError, LoadError, PREFIX};
pub use sources::Sources;
pub use tree::COMMON;
