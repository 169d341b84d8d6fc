// SPDX-License-Identifier: Apache-2.0
//! The files under rtl/ are the generator's output of today, no more and no less.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use rtl_gen::{Config, Sources, generate};

fn rtl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl")
}

fn sources() -> Sources {
    Sources::load(None).unwrap()
}

fn named() -> Vec<Config> {
    Config::names().iter().map(|name| Config::load(name).unwrap()).collect()
}

/// Every file below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}; run `make rtl`", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_file_is_up_to_date_and_there_is_no_other() {
    let tree = sources().tree(&named()).unwrap();
    for (path, text) in &tree {
        let committed = std::fs::read_to_string(rtl().join(path)).unwrap_or_default();
        assert!(committed == *text, "rtl/{} is not what rtl-gen emits; run `make rtl`", path.display());
    }
    for file in files(&rtl()) {
        let path = file.strip_prefix(rtl()).unwrap();
        assert!(tree.contains_key(path), "rtl-gen does not emit rtl/{}", path.display());
    }
}

#[test]
fn a_configuration_with_the_name_of_a_file_or_folder_of_rtl_is_refused() {
    for name in ["common", "unit", "pcpi", "axi", "xif", "xif_axi"] {
        let mut config = Config::load("tiny").unwrap();
        config.name = name.into();
        let error = sources().tree(&[config]).unwrap_err().to_string();
        assert!(error.contains(&format!("`name`: \"{name}\" is not allowed")), "{error}");
    }
}

/// A manifest for Bender, and each file and folder that it names.
#[test]
fn the_manifests_are_up_to_date_and_name_files_that_are_there() {
    let root = rtl().join("..");
    let own = std::fs::read_to_string(root.join("Bender.yml")).unwrap_or_default();
    assert!(
        own == sources().manifest(Path::new("rtl")).unwrap(),
        "Bender.yml is not what rtl-gen emits; run `make rtl`"
    );
    for folder in [root, rtl()] {
        let text = std::fs::read_to_string(folder.join("Bender.yml")).unwrap();
        let files = text.lines().filter_map(|line| line.strip_prefix("      - "));
        let folders = text.lines().filter_map(|line| line.strip_prefix("    include_dirs: [")?.strip_suffix(']'));
        let missing: Vec<&str> = files.chain(folders).filter(|path| !folder.join(path).exists()).collect();
        // These say that two configurations do not fit into one design.
        assert!(missing.iter().all(|path| path.starts_with("two_units_in_one_design")), "{missing:?}");
    }
}

#[test]
fn a_configuration_with_the_common_files_is_what_it_is_on_its_own() {
    let configs = named();
    let tree = sources().tree(&configs).unwrap();
    for config in &configs {
        let folder = Path::new(&config.name);
        for file in generate(config).unwrap() {
            let own = tree.get(&folder.join(&file.name));
            let common = tree.get(&Path::new("common").join(&file.name));
            if file.name.ends_with(".f") {
                let listed = own.xor(common).unwrap();
                let list = listed.replace("../common/", "");
                assert_eq!(list, file.text, "{}: {}", config.name, file.name);
                let there =
                    |name: &str| name.strip_prefix("../").is_some_and(|path| tree.contains_key(Path::new(path)));
                assert!(listed.lines().all(|line| line == "+incdir+." || there(line)));
            } else {
                assert_eq!(own.xor(common), Some(&file.text), "{}: {}", config.name, file.name);
            }
        }
    }
}

#[test]
fn all_but_the_constants_and_the_lists_is_common() {
    let [mut a, mut b] = ["tiny", "tiny"].map(|name| Config::load(name).unwrap());
    (a.name, b.name, b.queue_entries) = ("a".into(), "b".into(), 8);
    let paths: Vec<_> = sources().tree(&[a, b]).unwrap().into_keys().collect();
    let alone = |folder| paths.iter().filter(|path| path.starts_with(folder)).collect::<Vec<_>>();
    assert_eq!(alone("b"), ["b/tl.f", "b/tl.toml", "b/tl_bench.f", "b/tl_config.svh"].map(Path::new));
    assert!(alone("common").len() > 30);
}

#[test]
fn every_legal_combination_of_sizes_is_generated() {
    for lanes in [8, 16, 32, 64] {
        for reg_bytes in [64, 128, 256, 512, 1024] {
            for port in [4, 8, 16, 32, 64] {
                for widths in ["[4, 8, 16, 32]", "[8]", "[4, 16]", "[16, 32]", "[32]"] {
                    let text = format!(
                        "name = \"x\"\nlanes = {lanes}\nreg_bytes = {reg_bytes}\nmem_port_bytes = {port}\n\
                         element_widths = {widths}\nqueue_entries = 5\nengine_id = 2\n"
                    );
                    match Config::from_toml(&text) {
                        Ok(config) => assert!(generate(&config).unwrap().len() > 10),
                        Err(_) => assert!(port > lanes || reg_bytes < 4 * lanes, "{text}"),
                    }
                }
            }
        }
    }
}
