// SPDX-License-Identifier: Apache-2.0
//! Files of a crate of the bench import each other one way: what two need is below both.
//!
//! What a `mod.rs` makes public of its files is theirs: a name is followed to the file that has it.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Macro, UseTree, Visibility};

use crate::independence::{CRATES, sources};

/// A module by its segments; the crate itself has none.
type Module = Vec<String>;

/// What a file names, tests apart.
#[derive(Default)]
struct Names {
    used: BTreeSet<Vec<String>>,
    /// Names that it makes public, with their places.
    exported: BTreeMap<String, Vec<String>>,
}

fn leaves(tree: &UseTree, path: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |name: String| [path, &[name]].concat();
    match tree {
        UseTree::Path(inner) => leaves(&inner.tree, &with(inner.ident.to_string()), found),
        UseTree::Name(inner) => found.push((inner.ident.to_string(), with(inner.ident.to_string()))),
        UseTree::Rename(inner) => found.push((inner.rename.to_string(), with(inner.ident.to_string()))),
        UseTree::Glob(_) => found.push(("*".into(), path.to_vec())),
        UseTree::Group(group) => group.items.iter().for_each(|inner| leaves(inner, path, found)),
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(|cfg| cfg.tokens.to_string() == "test")
}

impl Visit<'_> for Names {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !item.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &[], &mut found);
        match item.vis {
            Visibility::Inherited => self.used.extend(found.into_iter().map(|(_, path)| path)),
            _ => self.exported.extend(found),
        }
    }

    /// `pub(super)` needs nothing.
    fn visit_visibility(&mut self, _: &Visibility) {}

    fn visit_path(&mut self, path: &syn::Path) {
        // One segment may be a variable; what else it is, another import tells.
        if path.segments.len() > 1 {
            self.used.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &Macro) {
        let text = item.tokens.to_string().replace(" :: ", "::");
        let paths =
            text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').filter(|path| path.contains("::"));
        self.used.extend(paths.map(|path| path.split("::").map(str::to_owned).collect()));
    }
}

/// The files of a crate with what they name.
fn modules(folder: &Path) -> BTreeMap<Module, Names> {
    let mut files = Vec::new();
    sources(folder, &mut files);
    let of_rust = files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
    let module = |file: &std::path::PathBuf| {
        let path = file.strip_prefix(folder).unwrap().with_extension("");
        let mut module: Module = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        let mut names = Names::default();
        names.visit_file(&syn::parse_file(&std::fs::read_to_string(file).unwrap()).unwrap());
        (module, names)
    };
    of_rust.map(module).collect()
}

/// The file that has what `path` names in the file `from`, if it is one of the crate.
fn place(all: &BTreeMap<Module, Names>, from: &Module, path: &[String]) -> Option<Module> {
    let (mut at, mut rest) = match path.first()?.as_str() {
        "crate" => (Module::new(), &path[1..]),
        "self" => (from.clone(), &path[1..]),
        "super" => (from[..from.len().checked_sub(1)?].to_vec(), &path[1..]),
        child => (all.contains_key(&[from.as_slice(), &[child.to_owned()]].concat()).then(|| from.clone())?, path),
    };
    while let [next, after @ ..] = rest {
        let inner = [at.as_slice(), std::slice::from_ref(next)].concat();
        if next == "super" {
            at.pop()?;
        } else if all.contains_key(&inner) && !after.is_empty() {
            at = inner;
        } else if let Some(exported) = all.get(&at)?.exported.get(next) {
            return place(all, &at, &[exported, after].concat());
        } else {
            return Some(if all.contains_key(&inner) { inner } else { at });
        }
        rest = after;
    }
    Some(at)
}

/// The files that cannot be put into an order.
fn circles(all: &BTreeMap<Module, Names>) -> Vec<String> {
    let edges = |(module, names): (&Module, &Names)| {
        let places = names.used.iter().filter_map(|path| place(all, module, path)).filter(|place| place != module);
        (module.clone(), places.collect::<BTreeSet<Module>>())
    };
    let mut left: BTreeMap<Module, BTreeSet<Module>> = all.iter().map(edges).collect();
    loop {
        let needed: BTreeSet<Module> = left.values().flatten().cloned().collect();
        let count = left.len();
        // Neither what needs nothing that is left, nor what nothing needs, is in a circle.
        left.retain(|module, needs| !needs.is_empty() && needed.contains(module));
        let names: BTreeSet<Module> = left.keys().cloned().collect();
        left.values_mut().for_each(|needs| needs.retain(|need| names.contains(need)));
        if left.len() == count {
            break;
        }
    }
    let text = |(module, needs): (&Module, &BTreeSet<Module>)| {
        format!("{} -> {}", module.join("/"), needs.iter().map(|need| need.join("/")).collect::<Vec<_>>().join(", "))
    };
    left.iter().map(text).collect()
}

#[test]
fn no_file_of_the_bench_is_in_a_circle() {
    for name in CRATES {
        let all = modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cosim").join(name).join("src"));
        assert!(all.len() > 20, "{name}: {} files", all.len());
        let circles = circles(&all);
        assert!(circles.is_empty(), "{name}: these files import each other:\n{}", circles.join("\n"));
    }
}
