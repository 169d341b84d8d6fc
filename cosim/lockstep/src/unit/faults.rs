// SPDX-License-Identifier: Apache-2.0
//! The planted faults: small, plausible mistakes, one or a few in every module of the RTL, and one of every
//! instruction, which changes it and no other. They are the rows of `faults.json`.
//!
//! Each of them is selectable in one extra model of configuration `tiny`; the tests demand that the bench catches every
//! one.

use std::sync::LazyLock;

pub use crate::model::fault::Fault;
use crate::model::fault::read;

pub static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| read(include_str!("faults.json")).unwrap_or_default());

/// What a designer of the adapter to AXI4 could have done wrong.
pub static AXI: LazyLock<Vec<Fault>> = LazyLock::new(|| read(include_str!("faults_axi.json")).unwrap_or_default());

/// What a designer of the adapter to CV-X-IF could have done wrong.
pub static XIF: LazyLock<Vec<Fault>> = LazyLock::new(|| read(include_str!("faults_xif.json")).unwrap_or_default());

/// What a designer of the adapter to PicoRV32 could have done wrong.
pub static PCPI: LazyLock<Vec<Fault>> = LazyLock::new(|| read(include_str!("faults_pcpi.json")).unwrap_or_default());

/// What a designer of the top with both could have done wrong. It also has those of both: all numbers differ.
pub static XIF_AXI: LazyLock<Vec<Fault>> =
    LazyLock::new(|| read(include_str!("faults_xif_axi.json")).unwrap_or_default());

/// What a system with CV32E40X does without: each option of `tl_xif_e40x`.
pub static E40X: LazyLock<Vec<Fault>> = LazyLock::new(|| read(include_str!("faults_e40x.json")).unwrap_or_default());

/// What breaks the assumption of a proof about a neighbour, and in the end the bound of an instruction; each ends at
/// that assumption, or at the bound.
pub static FACTS: LazyLock<Vec<Fault>> = LazyLock::new(|| read(include_str!("faults_facts.json")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read_and_their_numbers_ascend() {
        for table in [&FAULTS, &AXI, &XIF, &XIF_AXI, &PCPI, &E40X, &FACTS] {
            assert!(table[0].id > 0 && table.is_sorted_by(|a, b| a.id < b.id));
        }
    }
}
