// SPDX-License-Identifier: Apache-2.0
//! What `cosim measure bench` has measured.

use serde::Serialize;

use super::measure::Measured;
use super::speed::Speed;
use super::streams::Stream;

#[derive(Debug, Default, Serialize)]
pub struct Results {
    /// One entry for each operation and configuration, in cycles.
    pub operations: Vec<Measured>,
    /// One entry for each stream and configuration, in cycles.
    pub streams: Vec<Stream>,
    pub speed: Vec<Speed>,
}
