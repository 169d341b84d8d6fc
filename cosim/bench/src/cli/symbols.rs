// SPDX-License-Identifier: Apache-2.0
//! The names of addresses.

use std::collections::BTreeMap;

/// Names of addresses in an ELF file.
#[derive(Clone, Debug, Default)]
pub struct Symbols(BTreeMap<u32, String>);

impl Symbols {
    /// Those of a file; none of a program in assembly language.
    pub fn new(file: &[u8]) -> Symbols {
        let names = golden::hart::symbols(file).into_iter();
        Symbols(names.map(|(address, name)| (address, files::printable(&name))).collect())
    }

    /// An address, and behind it where that is.
    pub fn place(&self, address: u32) -> String {
        match self.0.range(..=address).next_back() {
            None => format!("{address:#x}"),
            Some((start, name)) if *start == address => format!("{address:#x} ({name})"),
            Some((start, name)) => format!("{address:#x} ({name}+{:#x})", address - start),
        }
    }
}
