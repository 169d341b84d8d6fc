// SPDX-License-Identifier: Apache-2.0
//! Puts every port of a mapped unit behind a flip-flop, so that four pins are left and all paths are between flip-flops.
//!
//! Inputs come from a shift register. Outputs go through a flip-flop each into a second shift register that adds them up
//! with exclusive or, so that none can be left out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::netlist::{Bit, Cell, Direction, Module, Port, Wire};

/// Port of the unit that stays a pin.
const CLOCK: &str = "clk_i";

/// Names of everything that is added start with this.
pub const PREFIX: &str = "wrapper.";

/// The unit with four pins: clock, an input, an output.
pub fn wrap(mut module: Module) -> Module {
    let mut wrapper = Wrapper { next: module.nets() as u32, module: Module::default(), clock: 0 };
    let ports = std::mem::take(&mut module.ports);
    wrapper.module = module;
    wrapper.clock = match ports.get(CLOCK).and_then(|port| port.bits.first()?.net()) {
        Some(net) => net,
        None => wrapper.net("clock"),
    };
    let serial = wrapper.net("serial_i");
    let (mut input, mut sum) = (serial, None);
    for (name, port) in ports.iter().filter(|(name, _)| *name != CLOCK) {
        for (at, net) in port.bits.iter().enumerate().filter_map(|(at, bit)| Some((at, bit.net()?))) {
            let name = format!("{name}[{at}]");
            if port.direction == Direction::Input {
                wrapper.flip_flop(&name, input, net);
                input = net;
            } else {
                let output = wrapper.net(&format!("{name}.q"));
                wrapper.flip_flop(&name, net, output);
                sum = Some(match sum {
                    None => output,
                    Some(sum) => wrapper.add(&name, output, sum),
                });
            }
        }
    }
    let pin = |direction, net| Port { direction, bits: vec![Bit::Net(net)] };
    let (clock, output) = (wrapper.clock, sum.unwrap_or(input));
    let pins = [
        ("clk_i", pin(Direction::Input, clock)),
        ("serial_i", pin(Direction::Input, serial)),
        ("serial_o", pin(Direction::Output, output)),
    ];
    let mut module = wrapper.module;
    module.ports = pins.map(|(name, port)| (name.to_owned(), port)).into();
    module.attributes = [("top".to_owned(), Value::from("1"))].into();
    module
}

struct Wrapper {
    module: Module,
    next: u32,
    clock: u32,
}

impl Wrapper {
    /// A new net.
    fn net(&mut self, name: &str) -> u32 {
        let net = self.next;
        self.next += 1;
        let wire = Wire { bits: vec![Bit::Net(net)], ..Wire::default() };
        self.module.netnames.insert(format!("{PREFIX}{name}"), wire);
        net
    }

    fn flip_flop(&mut self, name: &str, from: u32, to: u32) {
        // Yosys ends text that could be a number with a space.
        let parameters = [
            ("GSR", "DISABLED"),
            ("CEMUX", "1 "),
            ("CLKMUX", "CLK"),
            ("LSRMUX", "LSR"),
            ("SRMODE", "LSR_OVER_CE"),
            ("REGSET", "RESET"),
        ];
        let pins = [("CLK", Bit::Net(self.clock)), ("DI", Bit::Net(from)), ("Q", Bit::Net(to))];
        self.cell(&format!("{name}.ff"), "TRELLIS_FF", &parameters, &pins, "Q");
    }

    /// A flip-flop with the exclusive or of two nets.
    fn add(&mut self, name: &str, a: u32, b: u32) -> u32 {
        let (sum, kept) = (self.net(&format!("{name}.sum")), self.net(&format!("{name}.sum_q")));
        let zero = || Bit::Constant("0".into());
        let pins = [("A", Bit::Net(a)), ("B", Bit::Net(b)), ("C", zero()), ("D", zero()), ("Z", Bit::Net(sum))];
        self.cell(&format!("{name}.xor"), "LUT4", &[("INIT", "0110011001100110")], &pins, "Z");
        self.flip_flop(&format!("{name}.sum"), sum, kept);
        kept
    }

    fn cell(&mut self, name: &str, kind: &str, parameters: &[(&str, &str)], pins: &[(&str, Bit)], output: &str) {
        let way = |pin: &str| if pin == output { Direction::Output } else { Direction::Input };
        let cell = Cell {
            kind: kind.to_owned(),
            parameters: parameters.iter().map(|&(name, value)| (name.to_owned(), Value::from(value))).collect(),
            port_directions: pins.iter().map(|(pin, _)| ((*pin).to_owned(), way(pin))).collect(),
            connections: pins.iter().map(|(pin, bit)| ((*pin).to_owned(), vec![bit.clone()])).collect(),
            attributes: BTreeMap::new(),
            hide_name: 0,
        };
        self.module.cells.insert(format!("{PREFIX}{name}"), cell);
    }
}
