// SPDX-License-Identifier: Apache-2.0
//! Netlists as Yosys writes them in JSON, and what their cells count for.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::ops::AddAssign;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize)]
pub struct Netlist {
    /// By the names of Yosys.
    pub modules: BTreeMap<String, Module>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Module {
    #[serde(default)]
    pub ports: BTreeMap<String, Port>,
    #[serde(default)]
    pub cells: BTreeMap<String, Cell>,
    #[serde(default)]
    parameter_default_values: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
pub struct Port {
    /// `input` or `output`.
    pub direction: String,
    pub bits: Vec<Value>,
}

/// A cell, or an instance of a module.
#[derive(Debug, Default, Deserialize)]
pub struct Cell {
    /// Name of the library cell or module.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    #[serde(default)]
    pub connections: BTreeMap<String, Vec<Value>>,
}

impl Netlist {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Netlist> {
        let name = path.display();
        let file = fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
        serde_json::from_reader(BufReader::new(file)).with_context(|| format!("{name} is no netlist of Yosys"))
    }

    /// How many instances of each module there are below `top`, itself included.
    pub fn instances(&self, top: &str) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        self.count(top, &mut counts);
        counts
    }

    fn count<'a>(&'a self, name: &str, counts: &mut BTreeMap<&'a str, u64>) {
        if let Some((name, module)) = self.modules.get_key_value(name) {
            *counts.entry(name).or_default() += 1;
            module.cells.values().for_each(|cell| self.count(&cell.kind, counts));
        }
    }
}

/// A unit or module in gates, whatever the technology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gates {
    /// Sixths of the area of a NAND gate with two inputs, flip-flops included, memories not.
    pub sixths: u64,
    pub flip_flops: u64,
    pub memory_bits: u64,
}

impl AddAssign for Gates {
    fn add_assign(&mut self, other: Gates) {
        self.sixths += other.sixths;
        self.flip_flops += other.flip_flops;
        self.memory_bits += other.memory_bits;
    }
}

impl Module {
    /// Its cells, without those of the modules below it.
    pub fn gates(&self) -> Gates {
        let mut sum = Gates::default();
        self.cells.values().for_each(|cell| sum += gates(cell));
        sum
    }

    /// A parameter, where it is a number.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        number(self.parameter_default_values.get(name)?)
    }

    pub fn kinds(&self) -> BTreeMap<String, u64> {
        let mut kinds = BTreeMap::new();
        for cell in self.cells.values().filter(|cell| !cell.kind.starts_with('$')) {
            *kinds.entry(cell.kind.clone()).or_default() += 1;
        }
        kinds
    }
}

/// A number as Yosys writes it, in binary digits.
fn number(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?, 2).ok()
}

/// What a cell counts for.
///
/// The areas of gates are those of the Nangate 45 nm open cell library in units of its NAND2_X1, rounded to sixths:
/// INV_X1 0.67, AND2_X1 and OR2_X1 1.33, XOR2_X1 and XNOR2_X1 2, MUX2_X1 2.33, DFF_X1 5.67, DFFR_X1 and DFFS_X1 6.67.
fn gates(cell: &Cell) -> Gates {
    let kind = cell.kind.as_str();
    let number = |name: &str| cell.parameters.get(name).and_then(number).unwrap_or(0);
    let sixths = match kind {
        "$_NOT_" => 4,
        "$_NAND_" | "$_NOR_" => 6,
        "$_AND_" | "$_OR_" => 8,
        "$_XOR_" | "$_XNOR_" => 12,
        "$_MUX_" => 14,
        "$mem_v2" => return Gates { memory_bits: number("SIZE") * number("WIDTH"), ..Gates::default() },
        _ if kind.starts_with("$_DFF") || kind.starts_with("$_SDFF") => {
            return Gates { sixths: flip_flop(kind), flip_flops: 1, memory_bits: 0 };
        }
        _ => 0,
    };
    Gates { sixths, ..Gates::default() }
}

/// A flip-flop as a plain one with what its kind says: a multiplexer for an enable, a gate for a synchronous reset.
fn flip_flop(kind: &str) -> u64 {
    let pins = kind.trim_matches(['$', '_']).split('_').nth(1).map_or(0, str::len);
    let enable = if kind.contains("FFE_") || kind.contains("FFCE_") { 14 } else { 0 };
    let reset = match kind {
        kind if kind.starts_with("$_SDFF") => 8,
        _ if pins >= 3 => 6,
        _ => 0,
    };
    34 + enable + reset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::yosys;

    #[test]
    fn flip_flops_have_what_their_kind_says() {
        let sixths = |kind: &str| gates(&Cell { kind: kind.into(), ..Cell::default() }).sixths;
        let kinds = ["$_DFF_P_", "$_DFF_PN0_", "$_DFFE_PP_", "$_DFFE_PN0P_", "$_SDFFCE_PN0P_", "$_XOR_"];
        assert_eq!(kinds.map(sixths), [34, 40, 48, 54, 56, 12]);
    }

    #[test]
    fn instances_of_instances_are_counted() {
        let text = r#"{"modules": {"top": {"cells": {"a": {"type": "m"}, "b": {"type": "m"}}},
            "m": {"cells": {"c": {"type": "n"}, "d": {"type": "n"}, "e": {"type": "$_NOT_"}}}, "n": {}}}"#;
        let netlist: Netlist = serde_json::from_str(text).expect("JSON");
        assert_eq!(netlist.instances("top"), [("m", 2), ("n", 4), ("top", 1)].into());
        assert_eq!((yosys::plain("$paramod$7c\\tl_fifo"), yosys::plain("tl_a")), ("tl_fifo", "tl_a"));
    }
}
