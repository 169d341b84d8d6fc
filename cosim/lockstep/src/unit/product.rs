// SPDX-License-Identifier: Apache-2.0
//! What this bench calls its place for models, and what installs its tools.

use crate::model::product::Product;

/// Installs Yosys and Verible, and the other tools that check RTL.
pub const SETUP_LINT: &str = "make setup-lint";

pub fn product() -> Product {
    Product { setup: Some("make setup"), setup_lint: Some(SETUP_LINT), ..Product::named("cosim") }
}
