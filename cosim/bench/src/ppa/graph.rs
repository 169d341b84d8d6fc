// SPDX-License-Identifier: Apache-2.0
//! Combinational paths of a netlist: who owns its cells, and how deep it is.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};

use super::cells::{self, Arc, Counts};
use super::netlist::{Bit, Cell, Direction, Module};

/// Nobody's number.
const NONE: u32 = u32::MAX;

/// A netlist as a graph. Nets and cells go by numbers.
pub struct Graph {
    /// Names of the nets.
    pub names: Vec<Option<String>>,
    /// Paths of the instances; the unit is the empty one.
    pub instances: Vec<String>,
    /// The modules of the instances.
    pub modules: Vec<String>,
    /// Instance that a cell belongs to.
    owner: Vec<u32>,
    /// What a cell counts for.
    counts: Vec<Counts>,
    /// Combinational parts of cells, each after those that it depends on, with the cell.
    arcs: Vec<(u32, Arc)>,
    /// Where clocked things and ports of the unit give values: the net, and the instance or port.
    pub starts: Vec<(u32, Place)>,
    /// Where they take them.
    pub ends: Vec<(u32, Place)>,
}

/// Where a path starts or ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A port of the unit.
    Port(String),
    /// A flip-flop or memory of this instance.
    Instance(u32),
}

/// The deepest path to each net, from some starts.
pub struct Depths {
    /// Levels; `None` where nothing arrives.
    pub level: Vec<Option<u32>>,
    /// The net before.
    before: Vec<u32>,
}

impl Graph {
    /// The graph of a flat netlist of module `top`.
    ///
    /// # Errors
    /// For a combinational loop.
    pub fn new(module: &Module, top: &str) -> Result<Graph> {
        let names = module.names();
        let (instances, modules): (Vec<String>, Vec<String>) = module.instances(top).into_iter().unzip();
        let cells: Vec<_> = module.cells.iter().filter(|(_, cell)| cell.kind != "$scopeinfo").collect();
        let mut arcs: Vec<(u32, Arc)> = Vec::new();
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        let mut clocked = Vec::new();
        for (number, (_, cell)) in (0..).zip(&cells) {
            let own = cells::arcs(cell);
            let driven: BTreeSet<u32> = own.iter().flat_map(|arc| arc.to.iter().copied()).collect();
            let read: BTreeSet<u32> = own.iter().flat_map(|arc| arc.from.iter().map(|&(net, _)| net)).collect();
            for (pin, bits) in &cell.connections {
                let output = cell.port_directions.get(pin) == Some(&Direction::Output);
                // The other pins of a memory that is read without a clock have one.
                let written =
                    own.is_empty() || (cells::is_memory(cell) && !cells::READ_ADDRESSES.contains(&pin.as_str()));
                let takes = |net: &u32| !output && (written || cells::is_memory(cell) && !read.contains(net));
                let gives = |net: &u32| output && !driven.contains(net);
                let nets = bits.iter().filter_map(Bit::net).filter(|net| takes(net) || gives(net));
                clocked.extend(nets.map(|net| (net, number, output)));
            }
            arcs.extend(own.into_iter().map(|arc| (number, arc)));
        }
        let arcs = in_order(arcs, &names)?;
        let outputs: Vec<Vec<u32>> = cells
            .iter()
            .map(|(_, cell)| {
                let outputs = cell.connections.iter();
                let outputs = outputs.filter(|(pin, _)| cell.port_directions.get(*pin) == Some(&Direction::Output));
                outputs.flat_map(|(_, bits)| bits.iter().filter_map(Bit::net)).collect()
            })
            .collect();
        let mut graph = Graph {
            owner: vec![NONE; cells.len()],
            counts: cells.iter().map(|(_, cell)| cells::count(cell)).collect(),
            names,
            instances,
            modules,
            arcs,
            starts: Vec::new(),
            ends: Vec::new(),
        };
        for (number, (name, _)) in cells.iter().enumerate() {
            let plain: String = name.replace("$flatten", "").chars().filter(|&c| c != '\\').collect();
            let by_name =
                if name.starts_with('$') && !name.starts_with("$flatten") { None } else { graph.place(&plain) };
            let named = outputs[number].iter().find_map(|&net| graph.names[net as usize].clone());
            let by_net = || named.and_then(|name| graph.place(&name));
            graph.owner[number] = by_name.or_else(by_net).unwrap_or(NONE);
        }
        graph.adopt(&cells.iter().map(|(_, cell)| *cell).collect::<Vec<_>>(), &outputs);
        for (name, port) in &module.ports {
            let list = if port.direction == Direction::Input { &mut starts } else { &mut ends };
            list.extend(port.bits.iter().filter_map(Bit::net).map(|net| (net, Place::Port(name.clone()))));
        }
        for (net, cell, output) in clocked {
            let list = if output { &mut starts } else { &mut ends };
            list.push((net, Place::Instance(graph.owner[cell as usize])));
        }
        (graph.starts, graph.ends) = (starts, ends);
        Ok(graph)
    }

    /// The innermost instance that a name is in; `None` for a name that is of no instance.
    fn place(&self, name: &str) -> Option<u32> {
        let mut path = name;
        while let Some((above, _)) = path.rsplit_once('.') {
            if let Ok(at) = self.instances.binary_search_by(|instance| instance.as_str().cmp(above)) {
                return Some(at as u32);
            }
            path = above;
        }
        None
    }

    /// The path of the instance that owns a cell.
    pub fn instance(&self, cell: usize) -> &str {
        &self.instances[self.owner[cell] as usize]
    }

    /// The instance that a name is in, and its module.
    pub fn instance_of(&self, name: &str) -> (String, String) {
        let at = self.place(name).map_or_else(|| self.top(), |at| at as usize);
        (self.instances[at].clone(), self.modules[at].clone())
    }

    /// The module of an instance.
    pub fn module_of(&self, instance: &str) -> &str {
        let at = self.instances.binary_search_by(|other| other.as_str().cmp(instance));
        at.map_or("", |at| self.modules[at].as_str())
    }

    fn top(&self) -> usize {
        self.instances.iter().position(String::is_empty).unwrap_or(0)
    }

    /// Gives cells without a name to the instance that first uses them.
    fn adopt(&mut self, cells: &[&Cell], outputs: &[Vec<u32>]) {
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        for (number, cell) in (0..).zip(cells) {
            let inputs = cell.connections.iter();
            let inputs = inputs.filter(|(pin, _)| cell.port_directions.get(*pin) != Some(&Direction::Output));
            for net in inputs.flat_map(|(_, bits)| bits.iter().filter_map(Bit::net)) {
                users[net as usize].push(number);
            }
        }
        let top = self.top() as u32;
        // Consumers come after what they use, so they have an owner when it is asked for.
        let order: Vec<u32> = self.arcs.iter().rev().map(|&(cell, _)| cell).collect();
        let all = order.into_iter().chain(0..cells.len() as u32);
        for cell in all {
            if self.owner[cell as usize] == NONE {
                let users = outputs[cell as usize].iter().flat_map(|&net| &users[net as usize]);
                let owners = users.map(|&user| self.owner[user as usize]).filter(|&owner| owner != NONE);
                self.owner[cell as usize] = owners.min().unwrap_or(top);
            }
        }
    }

    /// What each module has, in all of its instances together.
    pub fn modules(&self) -> BTreeMap<String, Counts> {
        let mut sums: BTreeMap<String, Counts> = self.modules.iter().map(|m| (m.clone(), Counts::default())).collect();
        for (&owner, &counts) in self.owner.iter().zip(&self.counts) {
            if let Some(sum) = sums.get_mut(&self.modules[owner as usize]) {
                *sum += counts;
            }
        }
        sums
    }

    /// The deepest paths from the starts that `from` takes.
    pub fn depths(&self, from: impl Fn(&Place) -> bool) -> Depths {
        let mut depths = Depths { level: vec![None; self.names.len()], before: vec![NONE; self.names.len()] };
        for (net, _) in self.starts.iter().filter(|(_, place)| from(place)) {
            depths.level[*net as usize] = Some(0);
        }
        for (_, arc) in &self.arcs {
            let arrivals = arc.from.iter();
            let arrivals = arrivals.filter_map(|&(net, cost)| Some((depths.level[net as usize]? + cost, net)));
            if let Some((level, net)) = arrivals.max_by_key(|&(level, net)| (level, std::cmp::Reverse(net))) {
                for &to in &arc.to {
                    if depths.level[to as usize].is_none_or(|other| other < level) {
                        depths.level[to as usize] = Some(level);
                        depths.before[to as usize] = net;
                    }
                }
            }
        }
        depths
    }

    /// The levels of the deepest path in each module by itself, from what enters it to what leaves it.
    pub fn depths_inside(&self) -> BTreeMap<String, u32> {
        let mut level: Vec<(u32, u32)> = vec![(NONE, 0); self.names.len()];
        let mut deepest: BTreeMap<String, u32> = self.modules.iter().map(|module| (module.clone(), 0)).collect();
        for (cell, arc) in &self.arcs {
            let owner = self.owner[*cell as usize];
            let of = |&(net, cost): &(u32, u32)| {
                let (driver, level) = level[net as usize];
                cost + if driver == owner { level } else { 0 }
            };
            let here = arc.from.iter().map(of).max().unwrap_or(0);
            for &to in &arc.to {
                let before = level[to as usize];
                level[to as usize] = (owner, if before.0 == owner { before.1.max(here) } else { here });
            }
            if let Some(most) = deepest.get_mut(&self.modules[owner as usize]) {
                *most = here.max(*most);
            }
        }
        deepest
    }

    /// The names along the deepest path to `net`, from its start on.
    pub fn path(&self, depths: &Depths, net: u32) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = net;
        while at != NONE {
            path.extend(self.names[at as usize].as_deref());
            at = depths.before[at as usize];
        }
        path.reverse();
        path
    }
}

/// The arcs, each after those that it depends on.
fn in_order(arcs: Vec<(u32, Arc)>, names: &[Option<String>]) -> Result<Vec<(u32, Arc)>> {
    let mut drivers: Vec<u32> = vec![0; names.len()];
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
    for (number, (_, arc)) in (0..).zip(&arcs) {
        arc.to.iter().for_each(|&net| drivers[net as usize] += 1);
        arc.from.iter().for_each(|&(net, _)| readers[net as usize].push(number));
    }
    let mut waits: Vec<u32> = arcs
        .iter()
        .map(|(_, arc)| arc.from.iter().filter(|&&(net, _)| drivers[net as usize] > 0).count() as u32)
        .collect();
    let mut ready: Vec<u32> = (0..arcs.len() as u32).filter(|&arc| waits[arc as usize] == 0).collect();
    let mut order = Vec::with_capacity(arcs.len());
    while let Some(arc) = ready.pop() {
        order.push(arc);
        for &net in &arcs[arc as usize].1.to {
            drivers[net as usize] -= 1;
            if drivers[net as usize] == 0 {
                for &reader in &readers[net as usize] {
                    waits[reader as usize] -= 1;
                    if waits[reader as usize] == 0 {
                        ready.push(reader);
                    }
                }
            }
        }
    }
    let stuck = (0..arcs.len()).filter(|&arc| waits[arc] > 0).flat_map(|arc| &arcs[arc].1.to);
    let named: Vec<&str> = stuck.filter_map(|&net| names[net as usize].as_deref()).take(8).collect();
    ensure!(order.len() == arcs.len(), "the netlist has a combinational loop, about {}", named.join(", "));
    let mut arcs: Vec<Option<(u32, Arc)>> = arcs.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|arc| arcs[arc as usize].take()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x_i` through a gate of `u_a` and one of `u_b` to a register of `u_b`, whose value goes to `y_o`.
    const UNIT: &str = r#"{
        "ports": {"x_i": {"direction": "input", "bits": [2]}, "y_o": {"direction": "output", "bits": [5]}},
        "cells": {
            "u_a": {"type": "$scopeinfo", "attributes": {"module": "tl_a"}},
            "u_b": {"type": "$scopeinfo", "attributes": {"module": "$paramod$12\\tl_b\\W=1"}},
            "$flatten\\u_a.$abc$1": {"type": "$_AND_",
                "port_directions": {"A": "input", "B": "input", "Y": "output"},
                "connections": {"A": [2], "B": [5], "Y": [3]}},
            "$flatten\\u_b.$abc$2": {"type": "$_XOR_",
                "port_directions": {"A": "input", "B": "input", "Y": "output"},
                "connections": {"A": [3], "B": ["1"], "Y": [4]}},
            "$flatten\\u_b.$auto$3": {"type": "$_DFF_P_",
                "port_directions": {"C": "input", "D": "input", "Q": "output"},
                "connections": {"C": [9], "D": [4], "Q": [5]}}},
        "netnames": {"x_i": {"bits": [2]}, "u_a.z_o": {"bits": [3]}, "u_b.y_q": {"bits": [5]}, "y_o": {"bits": [5]}}}"#;

    fn graph(text: &str) -> Result<Graph> {
        Graph::new(&serde_json::from_str(text).expect("JSON"), "tl_top")
    }

    #[test]
    fn gates_belong_to_modules_and_paths_have_names() {
        let graph = graph(UNIT).expect("no loop");
        let modules = graph.modules();
        assert_eq!((modules["tl_a"].sixths, modules["tl_b"].sixths, modules["tl_b"].ff), (8, 46, 1));
        assert_eq!((graph.depths_inside()["tl_a"], graph.depths_inside()["tl_b"]), (1, 1));
        let depths = graph.depths(|place| matches!(place, Place::Port(_)));
        assert_eq!((depths.level[4], depths.level[5]), (Some(2), None));
        assert_eq!(graph.path(&depths, 4), ["x_i", "u_a.z_o"]);
    }

    #[test]
    fn a_loop_is_an_error_that_names_a_net() {
        let text = UNIT.replace(r#""B": [5], "Y": [3]"#, r#""B": [4], "Y": [3]"#);
        let error = graph(&text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("combinational loop, about u_a.z_o"), "{error}");
    }

    #[test]
    fn a_path_through_another_part_is_found() {
        let paths = super::super::paths::find(&graph(UNIT).expect("no loop"));
        let ends: Vec<(&str, &str)> = paths.keys().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        assert_eq!(ends, [("port x", "tl_b"), ("tl_b", "port y")]);
        assert_eq!(paths.values().next().map(|found| found.depth), Some(2));
    }
}
