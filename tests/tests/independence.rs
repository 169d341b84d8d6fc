// SPDX-License-Identifier: Apache-2.0
//! Two statements of the instruction set: neither the model nor the generator knows the other, and the harness knows
//! none.
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

pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
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
    assert_eq!(closure(&metadata, "tensorload-golden"), set(&["tensorload-golden", "tensorload-files"]));
    assert_eq!(closure(&metadata, "rtl-gen"), set(&["rtl-gen", "rtl-config", "tensorload-files"]));
    assert_eq!(closure(&metadata, "cosim-harness"), set(&["cosim-harness", "tensorload-files"]));
    assert!(!closure(&metadata, "cosim-bench").contains("rtl-gen"), "a change of the generator compiles the bench");
}

#[test]
fn model_and_generator_share_nothing_and_the_harness_names_neither() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (one, other) in [
        ("golden", &["rtl-gen", "rtl_gen", "cosim"][..]),
        ("rtl-gen", &["golden", "cosim"]),
        ("cosim/harness", &["golden", "kernels", "rtl-gen", "rtl_gen", "rtl_config", "bench::", "tl_", "cosim: "]),
    ] {
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

/// A product gives its own name, and the command that installs its tools.
#[test]
fn no_word_of_a_product_is_in_the_harness() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cosim/harness/src"), &mut files);
    assert!(files.len() > 50, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
        let text = text.replace("cosim-harness", "").replace("cosim_harness", "");
        for word in ["cosim", "tensor", "make setup", "mnemonic"] {
            assert!(!text.contains(word), "{} has the word {word:?}", file.display());
        }
    }
}

/// `cargo check -p tensorload-golden --lib --no-default-features` builds without these.
const WITH_TEXT: [&str; 4] = ["asm", "run.rs", "main.rs", "lib.rs"];

#[test]
fn the_specification_does_not_know_its_assembler() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/src");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    let inner = |file: &&PathBuf| {
        let top = file.strip_prefix(&folder).unwrap().iter().next().unwrap();
        WITH_TEXT.iter().all(|name| top != *name)
    };
    let code = |text: String| text.lines().filter(|line| !line.trim().starts_with("//")).collect::<String>();
    let knows = |file: &&PathBuf| code(std::fs::read_to_string(file).unwrap()).contains("asm::");
    assert!(files.iter().filter(inner).count() > 25);
    let knowing: Vec<&PathBuf> = files.iter().filter(inner).filter(knows).collect();
    assert!(knowing.is_empty(), "use the assembler: {knowing:?}");
}

/// The rooms of a crate in the order of the list in its `lib.rs`, which names each of its modules.
fn rooms(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("lib.rs")).unwrap();
    let name = |line: &str| Some(line.strip_prefix("//! ")?.split_once(". `")?.1.split_once('`')?.0.to_owned());
    let rooms: Vec<String> = text.lines().filter_map(name).collect();
    let modules: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(rooms.iter().map(String::as_str).collect::<BTreeSet<_>>(), modules, "{}", folder.display());
    rooms
}

/// The crates of the bench below `cosim/`; each stands on the one before.
pub const CRATES: [&str; 6] = ["harness", "lockstep", "stimulus", "triage", "measure", "bench"];

/// A comment in a crate costs its compilation.
#[test]
fn no_crate_of_the_bench_is_large() {
    const MOST: usize = 10_000;
    for name in CRATES {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cosim").join(name).join("src"), &mut files);
        let rust = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
        let lines: usize = rust.map(|file| std::fs::read_to_string(file).unwrap().lines().count()).sum();
        assert!((1..=MOST).contains(&lines), "cosim/{name}/src has {lines} lines of Rust; allowed: {MOST}");
    }
}

#[test]
fn imports_of_the_bench_go_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cosim");
    let (mut order, mut wrong) = (Vec::new(), Vec::new());
    for folder in CRATES.map(|name| root.join(name).join("src")) {
        for room in rooms(&folder) {
            order.push(room.clone());
            let mut files = Vec::new();
            sources(&folder.join(room), &mut files);
            for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
                for line in std::fs::read_to_string(file).unwrap().lines() {
                    let named = line.split("crate::").skip(1);
                    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
                    let named = named.filter_map(|rest| rest.split(ends).next()).filter(|name| !name.is_empty());
                    if named.into_iter().any(|name| name != "say" && !order.iter().any(|room| room == name)) {
                        wrong.push(format!("{}: {}", file.display(), line.trim()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of the rooms:\n{}", wrong.join("\n"));
}
