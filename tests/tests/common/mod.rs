// SPDX-License-Identifier: Apache-2.0
//! What several tests need.
#![allow(clippy::unwrap_used)]

pub mod browser;
pub mod legal;
pub mod pairwise;
