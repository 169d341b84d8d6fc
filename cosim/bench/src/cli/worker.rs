// SPDX-License-Identifier: Apache-2.0
//! `cosim worker`: runs cases for another process, and writes the folders of those that fail.

use anyhow::Result;

use crate::run::worker::{WorkerOptions, serve};
use crate::triage;

/// Answers requests until there are no more.
///
/// # Errors
/// When standard input or output fail, or the options are no good.
pub fn worker(options: &WorkerOptions) -> Result<()> {
    serve(options, triage::carry_out)
}
