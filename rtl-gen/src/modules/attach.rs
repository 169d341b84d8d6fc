// SPDX-License-Identifier: Apache-2.0
//! A module made of others that face each other: the unit and its adapters.

use crate::sv::{Dir, Module, Port, Ty};

/// One of the modules: itself, its label, its parameters.
pub type Part<'a> = (&'a Module, &'a str, &'a [(&'a str, &'a str)]);

/// Makes `m` of `parts`. Ports whose name begins with one of `inner` face each other, those of the same stem are connected;
/// all others are ports of `m`. `constants` are for inner inputs that no other part drives. What none reads is a signal that
/// says `unused`.
pub fn attach(m: &mut Module, parts: &[Part], inner: &[&str], constants: &[(&str, &str)], unused: &str) {
    let is_inner = |port: &Port| inner.iter().any(|group| port.name().starts_with(group));
    let ports = || parts.iter().flat_map(|(module, ..)| module.ports());
    let mut outer: Vec<&Port> = Vec::new();
    for port in ports().filter(|port| !is_inner(port)) {
        if outer.iter().all(|other| other.name() != port.name()) {
            outer.push(port);
        }
    }
    for port in outer {
        if let Some(group) = port.group() {
            m.group(group);
        }
        match port.dir() {
            Dir::Input => m.input(port.name(), port.ty().clone(), port.doc()),
            Dir::Output => m.output(port.name(), port.ty().clone(), port.doc()),
        }
    }
    let stem = |port: &Port| port.name().rsplit_once('_').map_or("", |(stem, _)| stem).to_owned();
    let mut open = Vec::new();
    for port in ports().filter(|port| is_inner(port) && port.dir() == Dir::Output) {
        m.signal(&stem(port), port.ty().clone(), "");
        if !ports().any(|other| other.dir() == Dir::Input && is_inner(other) && stem(other) == stem(port)) {
            open.push(stem(port));
        }
    }
    if !open.is_empty() {
        m.signal("unused", Ty::bit(), unused);
        m.text(&format!("assign unused = ^{{{}}};", open.join(", ")));
    }
    let wire = |port: &Port| match constants.iter().find(|(name, _)| *name == port.name()) {
        Some((_, value)) => (*value).to_owned(),
        None if is_inner(port) => stem(port),
        None => port.name().to_owned(),
    };
    for (module, label, params) in parts {
        let wires: Vec<(&str, String)> = module.ports().iter().map(|port| (port.name(), wire(port))).collect();
        let wires: Vec<(&str, &str)> = wires.iter().map(|(port, wire)| (*port, wire.as_str())).collect();
        m.instance(module, label, params, &wires);
    }
}
