// SPDX-License-Identifier: Apache-2.0
//! Cycles per operation.

use anyhow::Result;
/// Options of `cosim bench`.
#[derive(Debug, clap::Args)]
pub struct Options {}
/// Placeholder.
pub fn run(_o: &Options) -> Result<bool> {
    Ok(true)
}
