// SPDX-License-Identifier: Apache-2.0
//! Modules: a typed interface, aligned declarations, checked instances, and text for the rest.

use std::collections::BTreeMap;

use super::{Package, Ty, check_layout, comment, documented, header, reindent};

/// Direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dir {
    /// Into the module; the name ends in `_i` or `_ni`.
    Input,
    /// Out of the module; the name ends in `_o` or `_no`.
    Output,
}

/// One port of a module.
#[derive(Clone, Debug)]
pub struct Port {
    dir: Dir,
    ty: Ty,
    name: String,
    doc: String,
    group: Option<String>,
}

impl Port {
    /// Its direction.
    pub fn dir(&self) -> Dir {
        self.dir
    }

    /// Its type.
    pub fn ty(&self) -> &Ty {
        &self.ty
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, where the name does not say it.
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// The comment above it, where a group of ports begins.
    pub fn group(&self) -> Option<&str> {
        self.group.as_deref()
    }
}

/// A SystemVerilog module under construction.
#[derive(Clone, Debug)]
pub struct Module {
    name: String,
    doc: String,
    params: Vec<(String, String, String)>,
    ports: Vec<Port>,
    signals: BTreeMap<String, Ty>,
    pending_group: Option<String>,
    body: Vec<(usize, Item)>,
    depth: usize,
}

/// One piece of a module's body.
#[derive(Clone, Debug)]
enum Item {
    Comment(String),
    Text(String),
    Declarations(Vec<(Ty, String, String)>),
    Open(String),
    Close,
}

impl Module {
    /// An empty module; `doc` becomes the comment above it.
    pub fn new(name: &str, doc: &str) -> Module {
        Module {
            name: name.into(),
            doc: doc.into(),
            params: Vec::new(),
            ports: Vec::new(),
            signals: BTreeMap::new(),
            pending_group: None,
            body: Vec::new(),
            depth: 0,
        }
    }

    /// The module's name, which is also the stem of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its ports, in their order.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// An `int unsigned` parameter with its default.
    pub fn param(&mut self, name: &str, default: &str, doc: &str) {
        self.params.push((name.into(), default.into(), doc.into()));
    }

    /// Starts a group of ports behind a comment line.
    pub fn group(&mut self, title: &str) {
        self.pending_group = Some(title.into());
    }

    /// Adds an input port.
    pub fn input(&mut self, name: &str, ty: Ty, doc: &str) {
        assert!(name.ends_with("_i") || name.ends_with("_ni"), "{}: input {name} lacks _i", self.name);
        self.port(Dir::Input, name, ty, doc);
    }

    /// Adds an output port.
    pub fn output(&mut self, name: &str, ty: Ty, doc: &str) {
        assert!(name.ends_with("_o") || name.ends_with("_no"), "{}: output {name} lacks _o", self.name);
        self.port(Dir::Output, name, ty, doc);
    }

    /// Adds `clk_i` and `rst_ni`.
    pub fn clocked(&mut self) {
        self.input("clk_i", Ty::bit(), "");
        self.input("rst_ni", Ty::bit(), "asynchronous assert, synchronous release");
    }

    fn port(&mut self, dir: Dir, name: &str, ty: Ty, doc: &str) {
        self.declare(name, &ty);
        let group = self.pending_group.take();
        self.ports.push(Port { dir, ty, name: name.into(), doc: doc.into(), group });
    }

    fn declare(&mut self, name: &str, ty: &Ty) {
        let before = self.signals.insert(name.into(), ty.clone());
        assert!(before.is_none(), "{}: {name} is declared twice", self.name);
    }

    /// Declares a signal. Declarations that follow each other are aligned as one block.
    pub fn signal(&mut self, name: &str, ty: Ty, doc: &str) {
        self.declare(name, &ty);
        let row = (ty, name.into(), doc.into());
        match self.body.last_mut() {
            Some((_, Item::Declarations(rows))) => rows.push(row),
            _ => self.push(Item::Declarations(vec![row])),
        }
    }

    /// Declares several signals of one type.
    pub fn signals(&mut self, names: &[&str], ty: Ty) {
        for name in names {
            self.signal(name, ty.clone(), "");
        }
    }

    /// Starts a section of the body behind a comment.
    pub fn section(&mut self, text: &str) {
        self.push(Item::Comment(comment(2, text)));
    }

    /// Adds text to the body, re-indented. Names of the package are written bare.
    pub fn text(&mut self, text: &str) {
        self.push(Item::Text(reindent(2, text)));
    }

    /// Adds an instance of `child`. Every port must be connected once; a connection that is a
    /// plain signal of this module must have the port's type. An empty expression leaves an
    /// output open.
    pub fn instance(&mut self, child: &Module, label: &str, params: &[(&str, &str)], connections: &[(&str, &str)]) {
        for (name, _) in params {
            assert!(child.params.iter().any(|p| p.0 == *name), "{}: {} has no parameter {name}", self.name, child.name);
        }
        for (name, _) in connections {
            assert!(
                child.ports.iter().any(|p| p.name == *name),
                "{}: {label}: {} has no port {name}",
                self.name,
                child.name
            );
        }
        let width = child.ports.iter().map(|p| p.name.len()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for port in &child.ports {
            let matches: Vec<_> = connections.iter().filter(|c| c.0 == port.name).collect();
            assert!(
                matches.len() == 1,
                "{}: {label}: port {} is connected {} times",
                self.name,
                port.name,
                matches.len()
            );
            let expression = matches[0].1;
            assert!(
                !(expression.is_empty() && port.dir == Dir::Input),
                "{}: {label}: input {} is open",
                self.name,
                port.name
            );
            if let Some(ty) = self.signals.get(expression) {
                assert!(
                    params.is_empty() && *ty == port.ty || !params.is_empty(),
                    "{}: {label}: {} is `{}`, {expression} is `{ty}`",
                    self.name,
                    port.name,
                    port.ty
                );
            }
            lines.push(format!("    .{:<width$} ({expression})", port.name));
        }
        let mut text = format!("  {}", child.name);
        if !params.is_empty() {
            let width = params.iter().map(|p| p.0.len()).max().unwrap_or(0);
            let rows: Vec<_> = params.iter().map(|(n, v)| format!("    .{n:<width$} ({v})")).collect();
            text.push_str(&format!(" #(\n{}\n  )", rows.join(",\n")));
        }
        text.push_str(&format!(" {label} (\n{}\n  );\n", lines.join(",\n")));
        self.push(Item::Text(text));
    }

    /// Opens a generate block: `head` up to, but without, `begin : label`. What is added until
    /// [`Module::close`] is inside it.
    pub fn open(&mut self, head: &str, label: &str) {
        assert!(label.starts_with("gen_"), "{}: generate block {label} lacks gen_", self.name);
        self.push(Item::Open(format!("  {head} begin : {label}\n")));
        self.depth += 1;
    }

    /// Closes the innermost generate block.
    pub fn close(&mut self) {
        assert!(self.depth > 0, "{}: close without open", self.name);
        self.depth -= 1;
        self.push(Item::Close);
    }

    fn push(&mut self, item: Item) {
        self.body.push((self.depth, item));
    }

    /// The finished file: names of `package` are qualified, and the constants that the body uses
    /// become local parameters (the reader of Yosys knows no import).
    pub fn emit(&self, package: &Package) -> String {
        let mut text = format!("{}\n{}module {} ", header(), comment(0, &self.doc), self.name);
        if !self.params.is_empty() {
            text.push_str("#(\n");
            let last = self.params.len() - 1;
            for (at, (name, default, doc)) in self.params.iter().enumerate() {
                let comma = if at == last { "" } else { "," };
                let default = package.qualify_all(default);
                text.push_str(&documented("  ", &format!("parameter int unsigned {name} = {default}{comma}"), 44, doc));
            }
            text.push_str(") ");
        }
        text.push_str("(\n");
        text.push_str(&self.emit_ports(package));
        text.push_str(");\n");
        let mut body = String::new();
        let mut tight = false;
        for (depth, item) in &self.body {
            if !tight && !matches!(item, Item::Close) {
                body.push('\n');
            }
            tight = matches!(item, Item::Comment(_) | Item::Open(_));
            let piece = match item {
                Item::Comment(text) => text.clone(),
                Item::Text(text) | Item::Open(text) => package.qualify(text),
                Item::Declarations(rows) => declarations(rows, package),
                Item::Close => "  end\n".into(),
            };
            body.push_str(&if *depth == 0 { piece } else { reindent(2 + 2 * depth, &piece) });
        }
        let constants: Vec<_> =
            package.constants_in(&body).into_iter().filter(|name| !self.params.iter().any(|p| p.0 == *name)).collect();
        if !constants.is_empty() {
            text.push('\n');
            let width = constants.iter().map(|name| name.len()).max().unwrap_or(0);
            for name in constants {
                text.push_str(&format!("  localparam int unsigned {name:<width$} = {}::{name};\n", package.name()));
            }
        }
        text.push_str(&body);
        text.push_str("\nendmodule\n");
        check_layout(&self.name, &text);
        text
    }

    fn emit_ports(&self, package: &Package) -> String {
        let types: Vec<_> = self.ports.iter().map(|p| package.qualify_all(&p.ty.to_string())).collect();
        let ty_width = types.iter().map(String::len).max().unwrap_or(0);
        let name_width = self.ports.iter().map(|p| p.name.len() + 1).max().unwrap_or(0);
        let mut text = String::new();
        let last = self.ports.len().saturating_sub(1);
        for (at, (port, ty)) in self.ports.iter().zip(types).enumerate() {
            if let Some(group) = &port.group {
                if at > 0 {
                    text.push('\n');
                }
                text.push_str(&comment(2, group));
            }
            let dir = if port.dir == Dir::Input { "input " } else { "output" };
            let name = format!("{}{}", port.name, if at == last { "" } else { "," });
            text.push_str(&documented(&format!("  {dir} {ty:<ty_width$} "), &name, name_width, &port.doc));
        }
        text
    }
}

/// A block of declarations in columns.
fn declarations(rows: &[(Ty, String, String)], package: &Package) -> String {
    let types: Vec<_> = rows.iter().map(|row| package.qualify(&row.0.to_string())).collect();
    let ty_width = types.iter().map(String::len).max().unwrap_or(0);
    let name_width = rows.iter().map(|row| row.1.len() + 1).max().unwrap_or(0);
    rows.iter()
        .zip(types)
        .map(|((_, name, doc), ty)| documented(&format!("  {ty:<ty_width$} "), &format!("{name};"), name_width, doc))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf() -> Module {
        let mut m = Module::new("leaf", "A leaf.");
        m.input("a_i", Ty::bits(4), "operand");
        m.output("y_o", Ty::bits(4), "");
        m.text("assign y_o = ~a_i;");
        m
    }

    #[test]
    fn a_module_is_laid_out_in_columns() {
        let text = leaf().emit(&Package::new("t_pkg", "T."));
        assert!(text.contains("  input  logic [3:0] a_i,  // operand\n  output logic [3:0] y_o\n"), "{text}");
        assert!(text.ends_with("\n  assign y_o = ~a_i;\n\nendmodule\n"), "{text}");
    }

    #[test]
    #[should_panic(expected = "declared twice")]
    fn a_duplicate_name_is_refused() {
        let mut m = leaf();
        m.signal("a_i", Ty::bit(), "");
    }

    #[test]
    #[should_panic(expected = "lacks _i")]
    fn a_wrong_suffix_is_refused() {
        leaf().input("b", Ty::bit(), "");
    }

    #[test]
    #[should_panic(expected = "is connected 0 times")]
    fn an_open_input_is_refused() {
        let mut top = Module::new("top", "Top.");
        top.signal("y", Ty::bits(4), "");
        top.instance(&leaf(), "u_leaf", &[], &[("y_o", "y")]);
    }

    #[test]
    #[should_panic(expected = "y is `logic [2:0]`")]
    fn a_width_mismatch_is_refused() {
        let mut top = Module::new("top", "Top.");
        top.signal("y", Ty::bits(3), "");
        top.instance(&leaf(), "u_leaf", &[], &[("a_i", "4'd0"), ("y_o", "y")]);
    }
}
