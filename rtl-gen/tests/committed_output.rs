// SPDX-License-Identifier: Apache-2.0
//! The files under rtl/ are the generator's output of today, no more and no less.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rtl_gen::{Config, generate};

fn rtl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl")
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}; run `make rtl`", folder.display()));
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_file_is_up_to_date() {
    for name in Config::names() {
        let config = Config::named(name).unwrap();
        let folder = rtl().join(name);
        let files = generate(&config);
        for file in &files {
            let committed = std::fs::read_to_string(folder.join(&file.name)).unwrap_or_default();
            assert!(committed == file.text, "rtl/{name}/{} is not what rtl-gen emits; run `make rtl`", file.name);
        }
        let generated: BTreeSet<_> = files.into_iter().map(|file| file.name).collect();
        assert_eq!(names_in(&folder), generated, "rtl/{name}: files that rtl-gen does not emit, or lacks");
    }
}

#[test]
fn there_is_a_folder_for_each_built_in_configuration_and_no_other() {
    let expected: BTreeSet<_> = Config::names().iter().map(|name| name.to_string()).collect();
    assert_eq!(names_in(&rtl()), expected);
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
                    // The layout checks of the writer are assertions: generating is the test.
                    match Config::from_toml(&text) {
                        Ok(config) => assert!(generate(&config).len() > 10),
                        Err(_) => assert!(port > lanes || reg_bytes < 4 * lanes, "{text}"),
                    }
                }
            }
        }
    }
}

#[test]
fn the_same_configuration_gives_the_same_files() {
    let config = Config::named("w16").unwrap();
    assert_eq!(generate(&config), generate(&config));
}
