// SPDX-License-Identifier: Apache-2.0
//! A netlist becomes a circuit: its nets, gates in the order of what they depend on, and the energy of an edge.

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{CLOCK, Circuit, Gate, Memory, Node, State};
use crate::ppa::cells::memory;
use crate::ppa::liberty::{Function, Library, LibraryCell};
use crate::ppa::netlist::{Module, Netlist};
use crate::ppa::sta::{MEMORY_CLOCK, MEMORY_INPUT, WIRE_LOAD};

/// Nets that are constant.
const ZERO: usize = 0;
const ONE: usize = 1;

/// The instance that the top is itself.
const TOP: &str = "top";

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
