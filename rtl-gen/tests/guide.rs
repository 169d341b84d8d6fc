// SPDX-License-Identifier: Apache-2.0
//! docs/integration.md has the ports of the generator, and the pictures of its waveforms are those of their sources.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use rtl_gen::{Config, guide};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

#[test]
fn the_guide_has_every_port() {
    let guide_page = std::fs::read_to_string(docs().join("integration.md")).unwrap();
    let tables = guide::ports(&Config::load("w16").unwrap());
    assert!(guide_page.contains(tables.trim_end()), "put this into docs/integration.md:\n{tables}");
    // Every configuration has its table: no port is without a meaning.
    for name in Config::names() {
        let config = Config::load(name).unwrap();
        let tables = guide::ports(&config);
        assert_eq!(tables.contains("`issue_rs2_i`"), config.matrix, "{name}");
    }
}

#[test]
fn the_pictures_show_the_signals_of_their_sources() {
    let mut count = 0;
    for entry in std::fs::read_dir(docs().join("waves")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json5") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let picture = std::fs::read_to_string(path.with_extension("svg")).unwrap();
        let ports = guide::ports(&Config::load("w16").unwrap());
        for name in source.split("name: '").skip(1).filter_map(|rest| rest.split('\'').next()) {
            count += 1;
            assert!(picture.contains(&format!(">{name}<")), "{}: no {name}; run `make waves`", path.display());
            assert!(ports.contains(&format!("`{name}`")), "{}: {name} is no port", path.display());
        }
        for value in source.split("data: [").skip(1).flat_map(|rest| rest.split(']').next().unwrap().split(", ")) {
            let value = value.trim_matches('\'');
            assert!(picture.contains(&format!(">{value}")), "{}: no {value}; run `make waves`", path.display());
        }
    }
    assert!(count > 20, "{count} signals");
}
