// SPDX-License-Identifier: Apache-2.0
//! A netlist in cells of a library, run cycle by cycle: gates have no delay, and all edges are counted.

mod build;

use std::collections::{BTreeMap, HashMap};

/// The port that clocks flip-flops and memories.
pub const CLOCK: &str = "clk_i";

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

impl Circuit {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use anyhow::Result;

    use super::*;
    use crate::ppa::liberty::Library;

    const LIBERTY: &str = "library (small) { nom_voltage : 2; cell (BUFX2) { area : 1; }
        cell (NAND2X1) { area : 1; pin(A) { } pin(B) { } pin(Y) { direction : output; function : \"!(A B)\"; } }
        cell (LATCH) { latch (S, N) { data_in : \"D\"; enable : \"!G\"; } pin(D) { } pin(G) { }
            pin(Q) { direction : output; function : \"S\"; } }
        cell (DFF) { ff (S, N) { next_state : \"D\"; clocked_on : \"C\"; clear : \"!R\"; }
            pin(D) { } pin(C) { } pin(R) { } pin(Q) { direction : output; function : \"S\"; } } }";

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
