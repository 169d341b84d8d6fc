// SPDX-License-Identifier: Apache-2.0
//! `tl_pcpi_top`: the unit with the adapter to PicoRV32.

use super::tl_pcpi;
use crate::sv::{Dir, Module, Port, Ty};

/// Groups of ports of the two that face each other.
const INNER: [&str; 3] = ["issue_", "result_", "resume_"];

/// There is one instruction at a time, so it needs no name.
const ID: &str = "issue_id_i";

/// The unit `unit` behind its adapter.
pub fn module(unit: &Module) -> Module {
    let adapter = tl_pcpi::module();
    let mut m = Module::new("tl_pcpi_top", "The unit as co-processor of PicoRV32: tl_pcpi and tl_top.");
    let inner = |port: &&Port| INNER.iter().any(|group| port.name().starts_with(group));
    let outer = |m: &mut Module, port: &Port| {
        if let Some(group) = port.group() {
            m.group(group);
        }
        match port.dir() {
            Dir::Input => m.input(port.name(), port.ty().clone(), port.doc()),
            Dir::Output => m.output(port.name(), port.ty().clone(), port.doc()),
        }
    };
    adapter.ports().iter().filter(|port| !inner(port)).for_each(|port| outer(&mut m, port));
    let known = |port: &&Port| adapter.ports().iter().any(|other| other.name() == port.name());
    unit.ports().iter().filter(|port| !inner(port) && !known(port)).for_each(|port| outer(&mut m, port));

    // Signals between the two, and what only one of them has.
    let stem = |port: &Port| port.name().rsplit_once('_').map_or("", |(stem, _)| stem).to_owned();
    let mut open = Vec::new();
    let between = |module: &Module| -> Vec<Port> { module.ports().iter().filter(inner).cloned().collect() };
    let (of_adapter, of_unit) = (between(&adapter), between(unit));
    for (ports, others) in [(&of_adapter, &of_unit), (&of_unit, &of_adapter)] {
        for port in ports.iter().filter(|port| port.dir() == Dir::Output) {
            m.signal(&stem(port), port.ty().clone(), "");
            if others.iter().all(|other| stem(other) != stem(port)) {
                open.push(stem(port));
            }
        }
    }
    m.signal("unused", Ty::bit(), "there is one instruction at a time, and the core knows which");
    m.text(&format!("assign unused = ^{{{}}};", open.join(", ")));
    let wires = |port: &Port| match port.name() {
        ID => "8'd0".to_owned(),
        _ if inner(&port) => stem(port),
        other => other.to_owned(),
    };
    for (module, label) in [(&adapter, "u_pcpi"), (unit, "u_unit")] {
        let wires: Vec<(&str, String)> = module.ports().iter().map(|port| (port.name(), wires(port))).collect();
        let wires: Vec<(&str, &str)> = wires.iter().map(|(port, wire)| (*port, wire.as_str())).collect();
        m.instance(module, label, &[], &wires);
    }
    m
}
