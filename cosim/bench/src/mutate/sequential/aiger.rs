// SPDX-License-Identifier: Apache-2.0
//! AIGER files: read in the ASCII form that Yosys writes, written in the binary form for the model checker.

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};

use super::aig::{Aig, Lit, Node};

/// A netlist as Yosys wrote it: names, and logic over the variables of the file.
#[derive(Clone, Debug, Default)]
pub struct Netlist {
    /// Variables, constant 0 included.
    pub variables: usize,
    /// Inputs: variable and name.
    pub inputs: Vec<(usize, String)>,
    /// Latches: variable, next value, name.
    pub latches: Vec<(usize, Lit, String)>,
    /// Outputs.
    pub outputs: Vec<(Lit, String)>,
    /// ANDs, operands before results.
    pub ands: Vec<(usize, Lit, Lit)>,
}

/// Most variables of a file.
const MOST: usize = 1 << 26;

impl Netlist {
    /// Reads the ASCII form.
    ///
    /// # Errors
    /// For a text that is no such file.
    pub fn parse(text: &str) -> Result<Netlist> {
        let mut lines = text.lines();
        let mut numbers = |what: &str, count: usize| -> Result<Vec<usize>> {
            let line = lines.next().with_context(|| format!("the netlist ends before its {what}"))?;
            let line = line.strip_prefix("aag ").unwrap_or(line);
            let found: Option<Vec<usize>> = line.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
            found.filter(|found| found.len() >= count).with_context(|| format!("not understood as {what}: {line:?}"))
        };
        let header = numbers("header", 5)?;
        let [most, inputs, latches, outputs, ands] = header[..] else { bail!("the header is {header:?}") };
        ensure!(most < MOST && inputs + latches + ands <= most && outputs < MOST, "the header is {header:?}");
        let lit = |code: usize| -> Result<Lit> {
            ensure!(code / 2 <= most, "there is no variable {}", code / 2);
            Ok(Lit::from_code(code as u32))
        };
        let mut netlist = Netlist { variables: most + 1, ..Netlist::default() };
        for _ in 0..inputs {
            netlist.inputs.push((lit(numbers("inputs", 1)?[0])?.node(), String::new()));
        }
        for _ in 0..latches {
            let line = numbers("latches", 2)?;
            netlist.latches.push((lit(line[0])?.node(), lit(line[1])?, String::new()));
        }
        for _ in 0..outputs {
            netlist.outputs.push((lit(numbers("outputs", 1)?[0])?, String::new()));
        }
        for _ in 0..ands {
            let line = numbers("ANDs", 3)?;
            netlist.ands.push((lit(line[0])?.node(), lit(line[1])?, lit(line[2])?));
        }
        for line in lines.take_while(|line| *line != "c") {
            netlist.name(line).with_context(|| format!("not understood as a name: {line:?}"))?;
        }
        Ok(netlist)
    }

    fn name(&mut self, line: &str) -> Option<()> {
        let (place, name) = line.split_once(' ')?;
        let index: usize = place.get(1..)?.parse().ok()?;
        let slot = match place.get(..1)? {
            "i" => &mut self.inputs.get_mut(index)?.1,
            "l" => &mut self.latches.get_mut(index)?.2,
            "o" => &mut self.outputs.get_mut(index)?.1,
            _ => return None,
        };
        name.clone_into(slot);
        Some(())
    }
}

/// Writes what `bad` depends on, with `bad` as the only output and the latches for which `cut` is true as inputs; gives
/// the nodes that are its inputs, in their order.
///
/// # Errors
/// When it cannot be written.
pub fn write(aig: &Aig, bad: Lit, cut: impl Fn(usize) -> bool, mut out: impl Write) -> std::io::Result<Vec<usize>> {
    let cone = aig.cone(bad, &cut);
    let kind = |node: usize| match aig.nodes()[node] {
        Node::Latch if cut(node) => Node::Input,
        kind => kind,
    };
    let of = |wanted: fn(Node) -> bool| -> Vec<usize> {
        (0..cone.len()).filter(|&node| cone[node] && wanted(kind(node))).collect()
    };
    let inputs = of(|node| node == Node::Input);
    let latches = of(|node| node == Node::Latch);
    let ands = of(|node| matches!(node, Node::And(..)));
    let mut code = vec![0u32; cone.len()];
    for (&node, number) in inputs.iter().chain(&latches).chain(&ands).zip(1..) {
        code[node] = 2 * number;
    }
    let lit = |lit: Lit| code[lit.node()] | u32::from(lit.inverted());
    let all = inputs.len() + latches.len() + ands.len();
    writeln!(out, "aig {all} {} {} 1 {}", inputs.len(), latches.len(), ands.len())?;
    for &latch in &latches {
        writeln!(out, "{}", lit(aig.next(latch)))?;
    }
    writeln!(out, "{}", lit(bad))?;
    for &and in &ands {
        if let Node::And(a, b) = aig.nodes()[and] {
            let (high, low) = (lit(a).max(lit(b)), lit(a).min(lit(b)));
            delta(&mut out, code[and] - high)?;
            delta(&mut out, high - low)?;
        }
    }
    Ok(inputs)
}

/// Seven bits at a time, lowest first.
fn delta(out: &mut impl Write, mut value: u32) -> std::io::Result<()> {
    while value >= 0x80 {
        out.write_all(&[value as u8 | 0x80])?;
        value >>= 7;
    }
    out.write_all(&[value as u8])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOGGLE: &str = "aag 4 1 1 1 2\n2\n4 9\n4\n6 2 4\n8 7 5\ni0 enable\nl0 q\no0 q_o\nc\nanything\n";

    #[test]
    fn the_ascii_form_is_read() {
        let netlist = Netlist::parse(TOGGLE).expect("netlist");
        assert_eq!((netlist.variables, netlist.ands.len()), (5, 2));
        assert_eq!(netlist.inputs, [(1, "enable".to_owned())]);
        assert_eq!(netlist.latches, [(2, Lit::from_code(9), "q".to_owned())]);
        assert_eq!(netlist.outputs, [(Lit::from_code(4), "q_o".to_owned())]);
    }

    #[test]
    fn damaged_files_are_errors() {
        for text in
            ["", "aag 1", "aag 1 2 0 0 0\n2\n4\n", "aag 1 1 0 0 0\n", "aag 1 1 0 0 0\n9\n", "aag 1 1 0 0 0\n2\nx0 a\n"]
        {
            assert!(Netlist::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_binary_form_has_the_cone_alone() {
        let mut aig = Aig::default();
        let (a, _unused, b) = (aig.input(), aig.input(), aig.input());
        let bad = aig.and(a, !b);
        let mut file = Vec::new();
        let inputs = write(&aig, bad, |_| false, &mut file).expect("written");
        assert_eq!(inputs, [a.node(), b.node()]);
        assert_eq!(file, b"aig 3 2 0 1 1\n6\n\x01\x03");
    }
}
