// SPDX-License-Identifier: Apache-2.0
//! What a module declares, and which of its signals depend on which without a clock edge between them.

use std::collections::{BTreeMap, BTreeSet};

use super::syntax::Node;

#[derive(Debug)]
pub struct Module<'a> {
    pub name: &'a str,
    pub items: &'a Node,
    pub text: &'a str,
    /// Signals without an unpacked dimension, and the text of their type.
    types: BTreeMap<&'a str, String>,
    /// Registers: signals that a nonblocking assignment drives.
    registers: BTreeSet<&'a str>,
    /// Clocks and asynchronous resets.
    edges: BTreeSet<&'a str>,
    /// What signals read, that are driven by logic.
    reads: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// Signals that instances drive, and generate blocks.
    given: BTreeSet<&'a str>,
}

/// What is connected to an instance: the port, and the expression.
pub fn connections<'a>(
    data: &'a Node,
    text: &'a str,
    inputs: &Inputs,
) -> impl Iterator<Item = (bool, &'a Node)> + use<'a> {
    let module = data.path(&[
        "kInstantiationBase",
        "kInstantiationType",
        "kDataType",
        "kLocalRoot",
        "kUnqualifiedId",
        "SymbolIdentifier",
    ]);
    let known: BTreeSet<String> = module
        .and_then(|module| inputs.get(module.text(text)))
        .map(|known| known.iter().map(|&name| name.to_owned()).collect())
        .unwrap_or_default();
    data.all("kActualNamedPort").into_iter().filter_map(move |port| {
        let is_input = known.contains(port.part("SymbolIdentifier")?.text(text));
        Some((is_input, port.path(&["kParenGroup", "kExpression"])?))
    })
}

/// The signals that a part of a module names, without those of packages and the members of structures.
pub fn names<'a>(node: &Node, text: &'a str) -> BTreeSet<&'a str> {
    node.all("kLocalRoot").into_iter().filter_map(|root| root.part("kUnqualifiedId")).map(|id| id.text(text)).collect()
}

/// The signals that it drives.
pub fn driven<'a>(node: &Node, text: &'a str) -> BTreeSet<&'a str> {
    let root = |place: &Node| place.path(&["kReference", "kLocalRoot"]).map(|root| root.text(text));
    // In a concatenation all of them.
    let of = |place: &&Node| root(place).map_or_else(|| names(place, text), |name| BTreeSet::from([name]));
    node.all("kLPValue").iter().flat_map(of).collect()
}

/// Text without needless space.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The inputs of modules, by name.
pub type Inputs<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The modules of a file with this tree; `inputs` are those of all modules.
pub fn modules<'a>(tree: &'a Node, text: &'a str, inputs: &Inputs) -> Vec<Module<'a>> {
    tree.all("kModuleDeclaration").into_iter().filter_map(|node| Module::new(node, text, inputs)).collect()
}

/// The inputs of the modules of a file.
pub fn inputs<'a>(tree: &'a Node, text: &'a str) -> Inputs<'a> {
    let of = |module: &'a Node| {
        let is_input = |port: &&Node| port.part("input").is_some();
        let ports = module.all("kPortDeclaration").into_iter().filter(is_input);
        let name = |port: &Node| port.part("kUnqualifiedId").map(|id| id.text(text));
        Some((header_name(module, text)?, ports.filter_map(name).collect()))
    };
    tree.all("kModuleDeclaration").into_iter().filter_map(of).collect()
}

fn header_name<'a>(module: &Node, text: &'a str) -> Option<&'a str> {
    Some(module.path(&["kModuleHeader", "SymbolIdentifier"])?.text(text))
}

impl<'a> Module<'a> {
    fn new(node: &'a Node, text: &'a str, inputs: &Inputs) -> Option<Module<'a>> {
        let items = node.part("kModuleItemList")?;
        let mut module = Module {
            name: header_name(node, text)?,
            items,
            text,
            types: BTreeMap::new(),
            registers: BTreeSet::new(),
            edges: BTreeSet::new(),
            reads: BTreeMap::new(),
            given: BTreeSet::new(),
        };
        module.declarations(node);
        for process in items.all("kAlwaysStatement") {
            if process.part("always_ff").is_some() {
                module.registers.extend(driven(process, text));
                for event in process.all("kEventExpression") {
                    module.edges.extend(names(event, text));
                }
            } else {
                module.logic(process);
            }
        }
        for assignment in items.all("kContinuousAssignmentStatement") {
            assignment.all("kNetVariableAssignment").into_iter().for_each(|one| module.logic(one));
        }
        // Signals in a generate block are read as parts of the block.
        let blocks = items.all("kLabel").into_iter().filter_map(|label| label.part("SymbolIdentifier"));
        module.given.extend(blocks.map(|block| block.text(text)));
        for data in items.all("kDataDeclaration") {
            let outputs = connections(data, text, inputs).filter(|(is_input, _)| !is_input);
            module.given.extend(outputs.flat_map(|(_, place)| names(place, text)));
        }
        Some(module)
    }

    fn declarations(&mut self, node: &'a Node) {
        let text = self.text;
        let mut declare = |data_type: Option<&Node>, name: Option<&Node>, unpacked: Option<&Node>| {
            let flat = unpacked.is_none_or(|dimensions| dimensions.range().is_none());
            if let (Some(data_type), Some(name), true) = (data_type, name, flat) {
                self.types.insert(name.text(text), squeezed(data_type.text(text)));
            }
        };
        for port in node.all("kPortDeclaration") {
            declare(port.part("kDataType"), port.part("kUnqualifiedId"), port.part("kUnpackedDimensions"));
        }
        // Only those of the module itself: others are not seen everywhere.
        for data in self.items.parts().filter(|item| item.is("kDataDeclaration")) {
            let data_type = data.path(&["kInstantiationBase", "kInstantiationType", "kDataType"]);
            for variable in data.all("kRegisterVariable") {
                declare(data_type, variable.part("SymbolIdentifier"), variable.part("kUnpackedDimensions"));
            }
        }
        for item in self.items.parts().filter(|item| !item.is("kDataDeclaration")) {
            for inner in item.all("kRegisterVariable").into_iter().chain(item.all("kForInitialization")) {
                if let Some(name) = inner.part("SymbolIdentifier") {
                    self.types.remove(name.text(text));
                }
            }
        }
    }

    /// Takes in what a process without a clock, or an assignment, drives and reads.
    fn logic(&mut self, node: &'a Node) {
        let read = names(node, self.text);
        for name in driven(node, self.text) {
            self.reads.entry(name).or_default().extend(&read);
        }
    }

    /// Whether it is a signal without an unpacked dimension.
    pub fn is_flat(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// Whether a generate block has this name.
    pub fn is_block(&self, name: &str) -> bool {
        self.given.contains(name) && !self.types.contains_key(name)
    }

    /// All that `name` depends on without a clock edge, itself included; none if an instance is among that. And whether
    /// inputs are.
    fn depends_on<'n>(&'n self, name: &'n str) -> Option<(BTreeSet<&'n str>, bool)> {
        let (mut known, mut open, mut inputs) = (BTreeSet::from([name]), vec![name], false);
        while let Some(name) = open.pop() {
            if self.given.contains(name) {
                return None;
            }
            match self.reads.get(name) {
                _ if self.registers.contains(name) => {}
                Some(reads) => open.extend(reads.iter().copied().filter(|read| known.insert(read))),
                // Otherwise it is a constant, or a variable of a loop.
                None => inputs |= self.types.contains_key(name),
            }
        }
        Some((known, inputs))
    }

    /// The signals of the same type as `name` that can be read in its place, to drive `targets`; none of them are
    /// driven behind a clock edge. Without one no loop may come of it in the module, nor, when there are no targets
    /// but the inputs of an instance, outside.
    pub fn others(&self, name: &str, targets: Option<&BTreeSet<&str>>) -> Vec<&'a str> {
        let Some(of_type) = self.types.get(name).filter(|_| !self.edges.contains(name)) else { return Vec::new() };
        let fits = |&(other, other_type): &(&&'a str, &String)| {
            *other != name && other_type == of_type && !self.edges.contains(other) && !other.starts_with("unused")
        };
        let open = |other: &&'a str| {
            let Some(targets) = targets else { return true };
            let Some((known, inputs)) = self.depends_on(other) else { return false };
            // With fewer signals behind it than behind the target: then no mutants together make a loop, either.
            let less = |target: &&str| self.depends_on(target).is_none_or(|(all, _)| known.len() < all.len());
            if targets.is_empty() { !inputs } else { targets.iter().all(less) }
        };
        self.types.iter().filter(fits).map(|(&other, _)| other).filter(open).collect()
    }
}
