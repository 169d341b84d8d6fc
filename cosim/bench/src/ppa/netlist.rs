// SPDX-License-Identifier: Apache-2.0
//! A flat netlist as Yosys writes it in JSON, and to which module of the RTL each cell belongs.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A bit of a connection: a net, or a constant ("0", "1", "x", "z").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bit {
    /// The number of a net.
    Net(u32),
    /// A constant.
    Constant(String),
}

impl Bit {
    /// The net, if it is one.
    pub fn net(&self) -> Option<u32> {
        match self {
            Bit::Net(net) => Some(*net),
            Bit::Constant(_) => None,
        }
    }
}

/// Which way a port goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the module or cell.
    Input,
    /// Out of it.
    Output,
    /// Both.
    Inout,
}

/// A port of the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Port {
    /// Which way it goes.
    pub direction: Direction,
    /// Its bits, the least significant first.
    pub bits: Vec<Bit>,
}

/// A cell.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    #[serde(default)]
    pub(super) hide_name: u8,
    /// Name of the library cell.
    #[serde(rename = "type")]
    pub kind: String,
    /// Parameters: numbers in binary, the most significant digit first, or text.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, Value>,
    /// Which way its pins go.
    #[serde(default)]
    pub port_directions: BTreeMap<String, Direction>,
    /// What its pins are connected to.
    #[serde(default)]
    pub connections: BTreeMap<String, Vec<Bit>>,
}

/// A wire.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Wire {
    #[serde(default)]
    pub(super) hide_name: u8,
    pub(super) bits: Vec<Bit>,
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) offset: i64,
}

/// A module without modules below it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, Value>,
    /// Ports by name.
    #[serde(default)]
    pub ports: BTreeMap<String, Port>,
    /// Cells by name.
    #[serde(default)]
    pub cells: BTreeMap<String, Cell>,
    /// Wires by name.
    #[serde(default)]
    pub netnames: BTreeMap<String, Wire>,
}

/// A file of modules.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Design {
    #[serde(default)]
    pub(super) creator: String,
    /// Modules by name.
    pub modules: BTreeMap<String, Module>,
}

impl Design {
    /// Reads module `top` of a file.
    ///
    /// # Errors
    /// When the file cannot be read or has no such module.
    pub fn read(path: &Path, top: &str) -> Result<Module> {
        let name = path.display();
        let file = fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
        let mut design: Design =
            serde_json::from_reader(BufReader::new(file)).with_context(|| format!("{name} is no netlist of Yosys"))?;
        design.modules.remove(top).with_context(|| format!("{name} has no module {top}"))
    }
}

impl Module {
    /// One more than the highest number of a net.
    pub fn nets(&self) -> usize {
        let wires = self.netnames.values().flat_map(|wire| &wire.bits);
        let pins = self.cells.values().flat_map(|cell| cell.connections.values().flatten());
        wires.chain(pins).filter_map(Bit::net).max().map_or(0, |net| net as usize + 1)
    }

    /// The name of each net that the RTL has a name for; of several the one nearest to its driver.
    pub fn names(&self) -> Vec<Option<String>> {
        let mut best: Vec<Option<(usize, String)>> = vec![None; self.nets()];
        for (name, wire) in self.netnames.iter().filter(|(name, wire)| wire.hide_name == 0 && !name.contains('$')) {
            let rank = rank(name);
            for (at, net) in wire.bits.iter().enumerate().filter_map(|(at, bit)| Some((at, bit.net()?))) {
                let slot = &mut best[net as usize];
                if slot.as_ref().is_none_or(|(other, _)| rank < *other) {
                    let index = at as i64 + wire.offset;
                    let bit = if wire.bits.len() > 1 { format!("{name}[{index}]") } else { name.clone() };
                    *slot = Some((rank, bit));
                }
            }
        }
        // Of some registers only the cell has kept the name.
        for (name, cell) in &self.cells {
            let register = name.strip_suffix("\\TRELLIS_FF").filter(|name| !name.contains('$'));
            let output = cell.connections.get("Q").and_then(|bits| bits.first()?.net());
            if let (Some(register), Some(net)) = (register, output) {
                best[net as usize].get_or_insert_with(|| (0, register.to_owned()));
            }
        }
        best.into_iter().map(|slot| slot.map(|(_, name)| name)).collect()
    }

    /// Instances by their path, with their modules; the unit itself has an empty path.
    pub fn instances(&self, top: &str) -> BTreeMap<String, String> {
        let scopes = self.cells.iter().filter(|(_, cell)| cell.kind == "$scopeinfo");
        let module = |cell: &Cell| plain(cell.attributes.get("module")?.as_str()?).map(str::to_owned);
        let below = scopes.filter_map(|(name, cell)| Some((name.clone(), module(cell)?)));
        below.chain([(String::new(), top.to_owned())]).collect()
    }
}

/// `$paramod$3f4f\tl_fifo` and `$paramod\tl_butterfly\Expand=1` are `tl_fifo` and `tl_butterfly`. Blocks of statements have
/// no module.
fn plain(variant: &str) -> Option<&str> {
    match variant.strip_prefix("$paramod") {
        Some(rest) => rest.split('\\').nth(1),
        None => Some(variant).filter(|name| !name.is_empty()),
    }
}

/// How far a name is from what drives the net: registers and their inputs, outputs, the deepest first, others, inputs.
fn rank(name: &str) -> usize {
    let depth = name.matches('.').count().min(99);
    let kind = match name.rsplit_once('_').map(|(_, suffix)| suffix) {
        Some("q" | "d") => 0,
        Some("o") => 1,
        Some("i" | "ni") => 3,
        _ => 2,
    };
    100 * kind + 99 - depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_the_register_and_not_of_the_port_that_it_reaches() {
        let text = r#"{"netnames": {
            "u_a.u_b.x_i": {"hide_name": 0, "bits": [5, 6]}, "u_a.count_q": {"hide_name": 0, "bits": [6]},
            "count_o": {"hide_name": 0, "bits": [6]}, "$auto$1": {"hide_name": 1, "bits": [5]}}}"#;
        let module: Module = serde_json::from_str(text).expect("JSON");
        let names = module.names();
        assert_eq!((names[5].as_deref(), names[6].as_deref()), (Some("u_a.u_b.x_i[0]"), Some("u_a.count_q")));
        assert_eq!(plain("$paramod$7c\\tl_fifo"), Some("tl_fifo"));
    }
}
