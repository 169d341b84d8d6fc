// SPDX-License-Identifier: Apache-2.0
//! Two statements of the instruction set: neither the model nor the generator knows the other.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Crates of this workspace that a crate needs in order to be built, itself among them.
fn closure(metadata: &Value, name: &str) -> BTreeSet<String> {
    let packages = metadata["packages"].as_array().unwrap();
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        let package = packages.iter().find(|package| package["name"] == name.as_str()).unwrap();
        let needs = package["dependencies"].as_array().unwrap().iter();
        let own = needs.filter(|needed| needed["kind"] != "dev" && needed["path"].is_string());
        open.extend(own.map(|needed| needed["name"].as_str().unwrap().to_owned()));
        found.insert(name);
        open.retain(|name| !found.contains(name));
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Reading files, which knows nothing of instructions, is all that both are built with.
#[test]
fn model_and_generator_have_only_the_reading_of_files_in_common() {
    let cargo =
        Command::new(env!("CARGO")).args(["metadata", "--no-deps", "--locked", "--format-version", "1"]).output();
    let metadata = serde_json::from_slice(&cargo.unwrap().stdout).unwrap();
    let set = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(closure(&metadata, "golden"), set(&["golden", "files"]));
    assert_eq!(closure(&metadata, "rtl-gen"), set(&["rtl-gen", "rtl-config", "files"]));
}

#[test]
fn model_and_generator_share_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (one, other) in [("golden", ["rtl-gen", "rtl_gen", "cosim"]), ("rtl-gen", ["golden", "use golden", "cosim"])] {
        let mut files = vec![root.join(one).join("Cargo.toml")];
        sources(&root.join(one).join("src"), &mut files);
        assert!(files.len() > 10, "{one}: {} files", files.len());
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for name in other {
                assert!(!text.contains(name), "{} mentions {name}", file.display());
            }
        }
    }
}
