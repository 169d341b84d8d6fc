// SPDX-License-Identifier: Apache-2.0
//! Targets for unit tests, without RTL.

use crate::unit::target::{Target, Workshop};

fn workshop() -> Workshop {
    Workshop::new(|_| Ok(Vec::new()))
}

pub fn target(name: &str) -> Target {
    workshop().target(name).expect("a configuration")
}

pub fn all() -> Vec<Target> {
    workshop().targets("all").expect("configurations")
}
