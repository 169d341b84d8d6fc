// SPDX-License-Identifier: Apache-2.0
//! And-inverter graphs: the form in which model checkers take logic (Biere, Heljanko, Wieringa, "AIGER 1.9 and
//! beyond", 2011).

use std::collections::HashMap;
use std::ops::Not;

/// A node of a graph, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// Constant 0; its complement is constant 1.
    pub const FALSE: Lit = Lit(0);
    /// Constant 1.
    pub const TRUE: Lit = Lit(1);

    /// The code of AIGER: twice the node, plus one for the complement.
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// Number of the node.
    pub fn node(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether it is the complement of its node.
    pub fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Itself, or its complement.
    pub fn inverted_if(self, invert: bool) -> Lit {
        Lit(self.0 ^ u32::from(invert))
    }

    /// A constant.
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        self.inverted_if(true)
    }
}

/// What a node is. Operands of an AND are older than it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Constant 0: the first node, and no other.
    Zero,
    /// Any value in any cycle.
    Input,
    /// A flip-flop, 0 at the start.
    Latch,
    /// Both are 1.
    And(Lit, Lit),
}

/// A graph; the same AND twice is one node.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    known: HashMap<(Lit, Lit), Lit>,
    next: HashMap<usize, Lit>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig { nodes: vec![Node::Zero], known: HashMap::new(), next: HashMap::new() }
    }
}

impl Aig {
    /// All nodes, by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What a latch takes at the end of a cycle: 0 unless it was set.
    pub fn next(&self, latch: usize) -> Lit {
        self.next.get(&latch).copied().unwrap_or(Lit::FALSE)
    }

    /// Says what the latch of `latch` takes at the end of a cycle.
    pub fn set_next(&mut self, latch: Lit, next: Lit) {
        self.next.insert(latch.node(), next.inverted_if(latch.inverted()));
    }

    fn push(&mut self, node: Node) -> Lit {
        self.nodes.push(node);
        Lit(2 * (self.nodes.len() as u32 - 1))
    }

    /// A new input.
    pub fn input(&mut self) -> Lit {
        self.push(Node::Input)
    }

    /// A new latch that starts with `value`.
    pub fn latch(&mut self, value: bool) -> Lit {
        self.push(Node::Latch).inverted_if(value)
    }

    /// a & b.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (a, b) {
            (Lit::FALSE, _) => Lit::FALSE,
            (Lit::TRUE, _) => b,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => {
                if let Some(&known) = self.known.get(&(a, b)) {
                    return known;
                }
                let new = self.push(Node::And(a, b));
                self.known.insert((a, b), new);
                new
            }
        }
    }

    /// a | b.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Whether any of them is 1: a balanced tree, for a checker walks every level.
    pub fn any(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            lits = lits.chunks(2).map(|pair| pair.iter().fold(Lit::FALSE, |a, &b| self.or(a, b))).collect();
        }
        lits.first().copied().unwrap_or(Lit::FALSE)
    }

    /// a ^ b.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right)
    }

    /// `then` when `select` is 1, `otherwise` when it is 0.
    pub fn mux(&mut self, select: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (left, right) = (self.and(select, then), self.and(!select, otherwise));
        self.or(left, right)
    }

    /// The nodes that `root` depends on, in this cycle and all before it; what `cut` is true for depends on nothing.
    pub fn cone(&self, root: Lit, cut: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut cone = vec![false; self.nodes.len()];
        let mut stack = vec![root.node()];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut cone[node], true) {
                continue;
            }
            match self.nodes[node] {
                Node::And(a, b) => stack.extend([a.node(), b.node()]),
                Node::Latch if !cut(node) => stack.push(self.next(node).node()),
                Node::Zero | Node::Input | Node::Latch => {}
            }
        }
        cone
    }

    /// The values of all nodes in each cycle, from the start, with these values of some inputs, and of latches that are
    /// cut; other inputs are 0.
    pub fn simulate(&self, cycles: &[Vec<(usize, bool)>]) -> Vec<Vec<bool>> {
        let mut all: Vec<Vec<bool>> = Vec::with_capacity(cycles.len());
        for inputs in cycles {
            let mut values = vec![false; self.nodes.len()];
            let mut given = vec![false; self.nodes.len()];
            for &(node, value) in inputs {
                (values[node], given[node]) = (value, true);
            }
            for node in 0..self.nodes.len() {
                match self.nodes[node] {
                    Node::And(a, b) => values[node] = value(&values, a) && value(&values, b),
                    Node::Latch if !given[node] => {
                        values[node] = all.last().is_some_and(|before| value(before, self.next(node)))
                    }
                    Node::Zero | Node::Input | Node::Latch => {}
                }
            }
            all.push(values);
        }
        all
    }
}

/// The value of a literal among those of all nodes.
pub fn value(values: &[bool], lit: Lit) -> bool {
    values[lit.node()] != lit.inverted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_logic_is_one_node() {
        let mut aig = Aig::default();
        let (a, b) = (aig.input(), aig.input());
        assert_eq!(aig.and(a, b), aig.and(b, a));
        assert_eq!((aig.and(a, !a), aig.and(a, Lit::TRUE), aig.or(b, Lit::TRUE)), (Lit::FALSE, a, Lit::TRUE));
        assert_eq!(aig.mux(Lit::TRUE, a, b), a);
    }

    #[test]
    fn a_toggling_latch_toggles() {
        let mut aig = Aig::default();
        let enable = aig.input();
        let q = aig.latch(true);
        let next = aig.xor(q, enable);
        aig.set_next(q, next);
        let cycles: Vec<_> = [true, false, true, true].map(|on| vec![(enable.node(), on)]).into();
        let seen: Vec<bool> = aig.simulate(&cycles).iter().map(|values| value(values, q)).collect();
        assert_eq!(seen, [true, false, false, true]);
        // Cut out of the graph it is what it is given.
        let cycles: Vec<_> = [true, false].map(|on| vec![(enable.node(), true), (q.node(), on)]).into();
        let seen: Vec<bool> = aig.simulate(&cycles).iter().map(|values| value(values, q)).collect();
        assert_eq!(seen, [false, true]);
    }
}
