// SPDX-License-Identifier: Apache-2.0
//! A prefix changes names and nothing else.
#![allow(clippy::unwrap_used)]

use rtl_gen::{Config, generate};

#[test]
fn a_prefix_is_in_every_name_and_changes_nothing_else() {
    for name in Config::names() {
        let mut plain = Config::load(name).unwrap();
        // As in a file of a user: the header names it.
        plain.name = "mine".into();
        let mut config = plain.clone();
        config.prefix = "zz9_dma_unit_abc".into();
        let own = format!("{}_", config.prefix);
        for (file, plain) in generate(&config).unwrap().iter().zip(generate(&plain).unwrap()) {
            assert!(file.text.replace(&own, "tl_") == plain.text, "{name}: {}", file.name);
            assert_eq!(file.name.replace(&own, "tl_"), plain.name, "{name}");
            let is_source = file.name.ends_with(".sv") || file.name.ends_with(".svh");
            assert_eq!(is_source, file.name.starts_with(&own), "{name}: {}", file.name);
            for declared in ["module ", "package "] {
                for line in file.text.lines().filter_map(|line| line.strip_prefix(declared)) {
                    assert!(line.starts_with(&own), "{name}: {}: {line}", file.name);
                }
            }
            for used in ["tl_pkg::", " tl_top ", "\"tl_"] {
                assert!(!file.text.contains(used), "{name}: {} has {used}", file.name);
            }
        }
    }
}

#[test]
fn the_timing_constraints_say_it_too() {
    let mut config = Config::named("tiny").unwrap();
    config.prefix = "zz9".into();
    let folder = tempfile::tempdir().unwrap();
    rtl_gen::write(&config, folder.path()).unwrap();
    for (file, top) in [("tl.sdc", "zz9_top"), ("tl_xif.sdc", "zz9_xif_top")] {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains(&format!("constraints of {top}.")) && !text.contains("tl_config"), "{text}");
    }
}
