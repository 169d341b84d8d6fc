// SPDX-License-Identifier: Apache-2.0
//! A netlist in cells of a library, run cycle by cycle: gates have no delay, and all edges are counted.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::cells::memory;
use super::liberty::{Function, Library, LibraryCell};
use super::netlist::{Module, Netlist};
use super::sta::{MEMORY_CLOCK, MEMORY_INPUT, WIRE_LOAD};

/// Nets that are constant.
const ZERO: usize = 0;
const ONE: usize = 1;

/// The port that clocks flip-flops and memories.
pub const CLOCK: &str = "clk_i";

/// The instance that the top is itself.
const TOP: &str = "top";

/// A function of at most six nets.
#[derive(Clone, Debug, Default)]
struct Gate {
    table: u64,
    inputs: Vec<usize>,
}

/// A flip-flop or latch.
#[derive(Debug)]
struct State {
    data: Gate,
    clock: Gate,
    clear: Option<Gate>,
    preset: Option<Gate>,
    /// The net of each output, and whether it has the complement.
    outputs: Vec<(usize, bool)>,
    instance: usize,
}

/// A memory with one read and one write port.
#[derive(Debug)]
struct Memory {
    pins: HashMap<String, Vec<usize>>,
    words: Vec<Vec<bool>>,
}

/// What has a value as soon as its inputs have one.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Gate, and its output.
    Gate(usize, usize),
    Latch(usize),
}

/// A unit that runs.
#[derive(Debug, Default)]
pub struct Circuit {
    values: Vec<bool>,
    /// Edges of each net.
    edges: Vec<u64>,
    gates: Vec<Gate>,
    states: Vec<State>,
    /// Numbers of the states that are flip-flops.
    flip_flops: Vec<usize>,
    memories: Vec<Memory>,
    /// Gates and latches, each behind what it depends on; and those of them that a clock edge reaches at once.
    order: Vec<Node>,
    clock_order: Vec<Node>,
    pub instances: Vec<String>,
    /// Energy of an edge of a net in an instance, in pJ.
    energies: Vec<(usize, usize, f64)>,
    /// Watts of each instance that nothing changes.
    leakage: Vec<f64>,
    pub ports: BTreeMap<String, Vec<usize>>,
    /// Words of memories that were read or written.
    accesses: u64,
}

/// What a run has cost.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Picojoules of the cells of each instance in the top, without leakage.
    pub picojoules: Vec<f64>,
    /// Watts of leakage of each.
    pub leakage: Vec<f64>,
    /// Edges of the outputs of flip-flops of each.
    pub register_edges: Vec<u64>,
    /// Words of memories that were read or written.
    pub accesses: u64,
}

/// A netlist that becomes a circuit.
struct Builder<'a> {
    netlist: &'a Netlist,
    library: &'a Library,
    circuit: Circuit,
    functions: HashMap<String, Function>,
    /// Picofarads, and the pins of cells that are driven: instance, and energy inside of the cell.
    loads: Vec<Vec<(usize, f64, f64)>>,
    /// Net, cell, output and instance of each output.
    drivers: Vec<(usize, &'a str, &'a str, usize)>,
    nodes: Vec<Node>,
}

impl Circuit {
    /// The module `top` of a netlist with everything below it.
    ///
    /// # Errors
    /// When a cell is unknown or has a function of more than six inputs, or gates make a loop.
    pub fn new(netlist: &Netlist, top: &str, library: &Library) -> Result<Circuit> {
        let mut builder = Builder {
            netlist,
            library,
            circuit: Circuit::default(),
            functions: HashMap::new(),
            loads: Vec::new(),
            drivers: Vec::new(),
            nodes: Vec::new(),
        };
        let constants = [builder.net(), builder.net()];
        builder.circuit.values[constants[1]] = true;
        builder.instance(TOP);
        let module = netlist.modules.get(top).with_context(|| format!("Yosys gives no {top}"))?;
        let mut nets = HashMap::new();
        for (name, port) in &module.ports {
            let bits = port.bits.iter().map(|bit| builder.bit(bit, &mut nets)).collect();
            builder.circuit.ports.insert(name.clone(), bits);
        }
        builder.module(module, &mut nets, None)?;
        builder.finish()
    }

    fn get(&self, gate: &Gate) -> bool {
        let index = gate.inputs.iter().enumerate().map(|(i, &net)| usize::from(self.values[net]) << i);
        gate.table >> index.sum::<usize>() & 1 == 1
    }

    fn set(&mut self, net: usize, value: bool) {
        self.edges[net] += u64::from(self.values[net] != value);
        self.values[net] = value;
    }

    fn set_state(&mut self, state: usize, value: bool) {
        for i in 0..self.states[state].outputs.len() {
            let (net, complement) = self.states[state].outputs[i];
            self.set(net, value != complement);
        }
    }

    /// Gives a port a value, the lowest bit first.
    pub fn drive(&mut self, port: &str, bits: &[bool]) {
        let nets = self.ports.get(port).cloned().unwrap_or_default();
        nets.into_iter().zip(bits).for_each(|(net, &bit)| self.set(net, bit));
    }

    pub fn read(&self, port: &str) -> Vec<bool> {
        self.ports.get(port).into_iter().flatten().map(|&net| self.values[net]).collect()
    }

    fn evaluate(&mut self, order: &[Node]) {
        for &node in order {
            match node {
                Node::Gate(gate, output) => {
                    let value = self.get(&self.gates[gate]);
                    self.set(output, value);
                }
                Node::Latch(state) => {
                    if self.get(&self.states[state].clock) {
                        let value = self.get(&self.states[state].data);
                        self.set_state(state, value);
                    }
                }
            }
        }
    }

    /// The value that set or reset gives to a flip-flop, whatever its clock does.
    fn forced(&self, state: &State) -> Option<bool> {
        let active = |gate: &Option<Gate>| gate.as_ref().is_some_and(|gate| self.get(gate));
        if active(&state.clear) { Some(false) } else { active(&state.preset).then_some(true) }
    }

    /// Gates, latches, and flip-flops that are set or reset, until nothing changes.
    fn settle(&mut self) {
        let order = std::mem::take(&mut self.order);
        loop {
            self.evaluate(&order);
            let mut changed = false;
            for i in 0..self.flip_flops.len() {
                let state = &self.states[self.flip_flops[i]];
                let holds = state.outputs.first().map(|&(net, complement)| self.values[net] != complement);
                if let Some(value) = self.forced(state).filter(|&value| holds != Some(value)) {
                    self.set_state(self.flip_flops[i], value);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.order = order;
    }

    /// The low half of a clock cycle, with new inputs.
    pub fn low(&mut self) {
        self.drive(CLOCK, &[false]);
        self.settle();
    }

    /// The rising edge of the clock, and the high half.
    pub fn high(&mut self) {
        let clocks: Vec<bool> = self.flip_flops.iter().map(|&i| self.get(&self.states[i].clock)).collect();
        let data: Vec<bool> = self.flip_flops.iter().map(|&i| self.get(&self.states[i].data)).collect();
        self.drive(CLOCK, &[true]);
        let order = std::mem::take(&mut self.clock_order);
        self.evaluate(&order);
        self.clock_order = order;
        let takes = |i: usize| {
            let state = &self.states[self.flip_flops[i]];
            !clocks[i] && self.get(&state.clock) && self.forced(state).is_none()
        };
        let taken: Vec<usize> = (0..clocks.len()).filter(|&i| takes(i)).collect();
        let mut memories = std::mem::take(&mut self.memories);
        let reads: Vec<_> = memories.iter_mut().map(|memory| self.access(memory)).collect();
        for (memory, read) in memories.iter().zip(reads) {
            let outputs = memory.pins.get("rdata_o").into_iter().flatten();
            outputs.zip(read.unwrap_or_default()).for_each(|(&net, bit)| self.set(net, bit));
        }
        self.memories = memories;
        taken.into_iter().for_each(|i| self.set_state(self.flip_flops[i], data[i]));
        self.settle();
    }

    /// A clock edge of a memory: the word that it reads, if it does.
    fn access(&mut self, memory: &mut Memory) -> Option<Vec<bool>> {
        let value = |pin: &str| memory.pins.get(pin).into_iter().flatten().map(|&net| self.values[net]);
        let address = |pin: &str| value(pin).rev().fold(0, |sum, bit| sum << 1 | usize::from(bit));
        let (write, read) = (value("we_i").any(|bit| bit), value("re_i").any(|bit| bit));
        let word = read.then(|| memory.words.get(address("raddr_i")).cloned().unwrap_or_default());
        let written = write.then(|| (address("waddr_i"), value("wdata_i").collect::<Vec<_>>()));
        if let Some((address, data)) = written
            && let Some(word) = memory.words.get_mut(address)
        {
            *word = data;
        }
        self.accesses += u64::from(write) + u64::from(read);
        word
    }

    /// What the edges since the last call have cost.
    pub fn cost(&mut self) -> Cost {
        let mut cost = Cost { leakage: self.leakage.clone(), accesses: self.accesses, ..Cost::default() };
        cost.picojoules.resize(self.instances.len(), 0.0);
        cost.register_edges.resize(self.instances.len(), 0);
        for &(net, instance, energy) in &self.energies {
            cost.picojoules[instance] += self.edges[net] as f64 * energy;
        }
        for state in self.flip_flops.iter().map(|&i| &self.states[i]) {
            let edges = state.outputs.first().map_or(0, |&(net, _)| self.edges[net]);
            cost.register_edges[state.instance] += edges;
        }
        self.edges.fill(0);
        self.accesses = 0;
        cost
    }
}

impl<'a> Builder<'a> {
    fn net(&mut self) -> usize {
        self.circuit.values.push(false);
        self.loads.push(Vec::new());
        self.loads.len() - 1
    }

    fn instance(&mut self, name: &str) -> usize {
        self.circuit.instances.push(name.to_owned());
        self.circuit.leakage.push(0.0);
        self.circuit.instances.len() - 1
    }

    fn bit(&mut self, bit: &Value, nets: &mut HashMap<u64, usize>) -> usize {
        match (bit.as_u64(), bit.as_str()) {
            (Some(number), _) => *nets.entry(number).or_insert_with(|| self.net()),
            (None, Some("1")) => ONE,
            _ => ZERO,
        }
    }

    /// The cells of a module that is in instance `within` of the top.
    fn module(&mut self, module: &'a Module, nets: &mut HashMap<u64, usize>, within: Option<usize>) -> Result<()> {
        for (name, cell) in &module.cells {
            let mut pins: HashMap<String, Vec<usize>> = HashMap::new();
            for (pin, bits) in &cell.connections {
                pins.insert(pin.clone(), bits.iter().map(|bit| self.bit(bit, nets)).collect());
            }
            if let Some((kind, known)) = self.library.cells.get_key_value(&cell.kind) {
                self.cell(kind, known, &pins, within.unwrap_or(0)).with_context(|| format!("cell {kind}"))?;
                continue;
            }
            let below = self.netlist.modules.get(&cell.kind);
            let below = below.with_context(|| format!("{} has no cell {}", self.library.path.display(), cell.kind))?;
            let instance = within.unwrap_or_else(|| self.instance(name));
            if let Some(size) = memory(&cell.kind, below) {
                for (pin, nets) in pins.iter().filter(|(pin, _)| *pin != "rdata_o") {
                    let capacitance = if pin == CLOCK { MEMORY_CLOCK } else { MEMORY_INPUT };
                    nets.iter().for_each(|&net| self.loads[net].push((instance, capacitance, 0.0)));
                }
                let words = vec![vec![false; size.width as usize]; size.depth as usize];
                self.circuit.memories.push(Memory { pins, words });
                continue;
            }
            let mut inner = HashMap::new();
            let bits = |direction: &'static str| {
                let ports = below.ports.iter().filter(move |(_, port)| port.direction == direction);
                ports.flat_map(|(name, port)| {
                    port.bits.iter().zip(pins.get(name).into_iter().flatten().copied().collect::<Vec<_>>())
                })
            };
            for (bit, net) in bits("input") {
                inner.extend(bit.as_u64().map(|number| (number, net)));
            }
            for (bit, net) in bits("output") {
                // An output may be an input, another output, or a constant.
                let source = match bit.as_u64() {
                    Some(number) => *inner.entry(number).or_insert(net),
                    None => self.bit(bit, &mut HashMap::new()),
                };
                if source != net {
                    self.nodes.push(Node::Gate(self.circuit.gates.len(), net));
                    self.circuit.gates.push(Gate { table: 0b10, inputs: vec![source] });
                }
            }
            self.module(below, &mut inner, Some(instance))?;
        }
        Ok(())
    }

    fn function(&mut self, text: &str, pin: &dyn Fn(&str) -> Option<usize>) -> Result<Gate> {
        if !self.functions.contains_key(text) {
            self.functions.insert(text.to_owned(), Function::parse(text)?);
        }
        let function = &self.functions[text];
        ensure!(function.inputs.len() <= 6, "{text} has more than six inputs");
        let table = function.values.iter().rev().fold(0, |table, &value| table << 1 | u64::from(value));
        let inputs = function.inputs.iter().map(|name| pin(name).with_context(|| format!("no pin {name} in {text}")));
        Ok(Gate { table, inputs: inputs.collect::<Result<_>>()? })
    }

    fn cell(
        &mut self,
        kind: &'a str,
        known: &'a LibraryCell,
        pins: &HashMap<String, Vec<usize>>,
        instance: usize,
    ) -> Result<()> {
        let pin = |name: &str| pins.get(name).and_then(|nets| nets.first()).copied();
        self.circuit.leakage[instance] += known.leakage;
        let mut outputs = Vec::new();
        for (name, it) in &known.pins {
            let Some(net) = pin(name) else { continue };
            if !it.output {
                self.loads[net].push((instance, it.capacitance, it.energy(0.0)));
                continue;
            }
            self.drivers.push((net, kind, name, instance));
            match known.state.as_ref().and_then(|state| state.names.iter().position(|other| *other == it.function)) {
                Some(complement) => outputs.push((net, complement == 1)),
                None => {
                    let gate = self.function(&it.function, &pin)?;
                    self.nodes.push(Node::Gate(self.circuit.gates.len(), net));
                    self.circuit.gates.push(gate);
                }
            }
        }
        if let Some(state) = &known.state {
            let data = self.function(&state.data, &pin)?;
            let clock = self.function(&state.clock, &pin)?;
            let mut option = |text: &Option<String>| text.as_ref().map(|text| self.function(text, &pin)).transpose();
            let (clear, preset) = (option(&state.clear)?, option(&state.preset)?);
            let number = self.circuit.states.len();
            if state.flip_flop {
                self.circuit.flip_flops.push(number);
            } else {
                self.nodes.push(Node::Latch(number));
            }
            self.circuit.states.push(State { data, clock, clear, preset, outputs, instance });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Circuit> {
        let squared = self.library.voltage * self.library.voltage;
        for (net, pins) in self.loads.iter().enumerate() {
            for &(instance, capacitance, inside) in pins {
                let energy = (capacitance + WIRE_LOAD) * squared / 2.0 + inside;
                self.circuit.energies.push((net, instance, energy));
            }
        }
        for &(net, kind, pin, instance) in &self.drivers {
            let load = self.loads[net].iter().map(|(_, capacitance, _)| capacitance + WIRE_LOAD).sum();
            let energy = self.library.cells[kind].pins[pin].energy(load);
            self.circuit.energies.push((net, instance, energy));
        }
        self.circuit.edges.resize(self.circuit.values.len(), 0);
        self.sort()?;
        Ok(self.circuit)
    }

    /// Orders the nodes by what they depend on.
    fn sort(&mut self) -> Result<()> {
        let circuit = &self.circuit;
        let inputs = |node: Node| match node {
            Node::Gate(gate, _) => circuit.gates[gate].inputs.clone(),
            Node::Latch(state) => {
                let state = &circuit.states[state];
                [&state.data.inputs[..], &state.clock.inputs[..]].concat()
            }
        };
        let outputs = |node: Node| match node {
            Node::Gate(_, output) => vec![output],
            Node::Latch(state) => circuit.states[state].outputs.iter().map(|&(net, _)| net).collect(),
        };
        let mut driven = vec![false; circuit.values.len()];
        self.nodes.iter().flat_map(|&node| outputs(node)).for_each(|net| driven[net] = true);
        let mut readers = vec![Vec::new(); circuit.values.len()];
        let mut missing = vec![0; self.nodes.len()];
        for (i, &node) in self.nodes.iter().enumerate() {
            for net in inputs(node).into_iter().filter(|&net| driven[net]) {
                readers[net].push(i);
                missing[i] += 1;
            }
        }
        let clock = circuit.ports.get(CLOCK);
        let mut reached = vec![false; circuit.values.len()];
        clock.into_iter().flatten().for_each(|&net| reached[net] = true);
        let mut ready: Vec<usize> = (0..self.nodes.len()).filter(|&i| missing[i] == 0).collect();
        let (mut order, mut clock_order) = (Vec::new(), Vec::new());
        while let Some(i) = ready.pop() {
            let node = self.nodes[i];
            order.push(node);
            if inputs(node).iter().any(|&net| reached[net]) {
                clock_order.push(node);
                outputs(node).into_iter().for_each(|net| reached[net] = true);
            }
            for net in outputs(node) {
                for &reader in &readers[net] {
                    missing[reader] -= 1;
                    if missing[reader] == 0 {
                        ready.push(reader);
                    }
                }
            }
        }
        if order.len() < self.nodes.len() {
            bail!("gates of the netlist make a loop");
        }
        (self.circuit.order, self.circuit.clock_order) = (order, clock_order);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const LIBERTY: &str = "library (small) { nom_voltage : 2; cell (BUFX2) { area : 1; }
        cell (NAND2X1) { area : 1; pin(A) { } pin(B) { } pin(Y) { direction : output; function : \"!(A B)\"; } }
        cell (LATCH) { latch (S, N) { data_in : \"D\"; enable : \"!G\"; } pin(D) { } pin(G) { }
            pin(Q) { direction : output; function : \"S\"; } }
        cell (DFF) { ff (S, N) { next_state : \"D\"; clocked_on : \"C\"; clear : \"!R\"; } pin(D) { } pin(C) { } pin(R) { }
            pin(Q) { direction : output; function : \"S\"; } } }";

    /// A flip-flop that changes with each edge of a clock that `en_i` switches off.
    fn circuit(nand: [u64; 3]) -> Result<Circuit> {
        let [a, b, y] = nand;
        let port = |direction: &str, bit: u64| format!(r#"{{"direction": "{direction}", "bits": [{bit}]}}"#);
        let ports = [("clk_i", "input", 2), ("rst_ni", "input", 3), ("en_i", "input", 4), ("q_o", "output", 9)];
        let ports = ports.map(|(name, direction, bit)| format!(r#""{name}": {}"#, port(direction, bit))).join(",");
        let text = format!(
            r#"{{"modules": {{"top": {{"ports": {{{ports}}}, "cells": {{
                "l": {{"type": "LATCH", "connections": {{"G": [2], "D": [4], "Q": [5]}}}},
                "n": {{"type": "NAND2X1", "connections": {{"A": [2], "B": [5], "Y": [6]}}}},
                "c": {{"type": "NAND2X1", "connections": {{"A": [6], "B": ["1"], "Y": [7]}}}},
                "d": {{"type": "NAND2X1", "connections": {{"A": [{a}], "B": [{b}], "Y": [{y}]}}}},
                "q": {{"type": "DFF", "connections": {{"C": [7], "R": [3], "D": [8], "Q": [9]}}}}}}}}}}}}"#
        );
        let library = Library::parse(Path::new("small.lib"), LIBERTY)?;
        Circuit::new(&serde_json::from_str(&text)?, "top", &library)
    }

    #[test]
    fn a_flip_flop_moves_with_its_clock_and_rests_without_it() {
        let mut circuit = circuit([9, 9, 8]).expect("a circuit");
        let mut run = |reset: bool, enable: bool| {
            circuit.drive("rst_ni", &[!reset]);
            circuit.drive("en_i", &[enable]);
            circuit.cost();
            for _ in 0..4 {
                circuit.low();
                circuit.high();
            }
            let cost = circuit.cost();
            (circuit.read("q_o")[0], cost.register_edges[0], cost.picojoules[0] > 0.0)
        };
        assert_eq!(run(true, true), (false, 0, true));
        assert_eq!(run(false, true), (false, 4, true));
        assert_eq!(run(false, false), (false, 0, true));
    }

    #[test]
    fn gates_that_make_a_loop_are_refused() {
        let error = circuit([8, 9, 8]).expect_err("a loop").to_string();
        assert_eq!(error, "gates of the netlist make a loop");
    }
}
