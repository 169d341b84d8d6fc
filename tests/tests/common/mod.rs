// SPDX-License-Identifier: Apache-2.0
//! What several tests need.

pub mod browser;
pub mod legal;
