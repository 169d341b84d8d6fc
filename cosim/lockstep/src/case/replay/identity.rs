// SPDX-License-Identifier: Apache-2.0
//! What a replay file says about the programs and the RTL that it was made with.

use crate::base::draw::{FNV_START, fnv};
use crate::unit::target::Target;

/// A configuration as replay files name it. Making one generates the RTL, so it is made once and not for every case.
#[derive(Clone, Debug)]
pub struct Identity {
    pub name: String,
    pub toml: String,
    pub hash: u64,
    /// Hash of the text of the RTL.
    pub rtl: u64,
}

impl Identity {
    pub fn new(target: &Target) -> Identity {
        let toml = target.rtl.to_toml();
        let rtl = target.models.digest();
        let name = target.name().to_owned();
        let hash = fnv(FNV_START, toml.as_bytes());
        Identity { name, toml, hash, rtl }
    }
}
