// SPDX-License-Identifier: Apache-2.0
//! docs/integration.md has the ports of the unit, and the pictures of its waveforms are those of their sources.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use rtl_gen::{Config, Sources, guide};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn tables() -> String {
    guide::tables(&Sources::load(None).unwrap())
}

#[test]
fn the_guide_has_every_port() {
    let tables = tables();
    let unit = tables.split("\n### ").next().unwrap();
    let text = std::fs::read_to_string(docs().join("integration.md")).unwrap();
    assert!(text.contains(unit.trim_end()), "put this into docs/integration.md:\n{unit}");
    assert!(!tables.contains("guide_ports.txt"), "a port is without a meaning:\n{tables}");
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
        let ports = tables();
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

#[test]
fn the_constraints_name_every_port_once() {
    let tables = tables();
    let folder = tempfile::tempdir().unwrap();
    rtl_gen::write(&Config::load("tiny").unwrap(), folder.path()).unwrap();
    for stem in ["tl", "tl_pcpi", "tl_axi", "tl_xif"] {
        let text = std::fs::read_to_string(folder.path().join(format!("{stem}.sdc"))).unwrap();
        constraints_name_every_port_once(&tables, &format!("{stem}_top"), &text);
    }
}

/// A strict reader of the few commands of an SDC file: what they name are ports, and every port has its delays.
fn constraints_name_every_port_once(tables: &str, top: &str, text: &str) {
    let table = |top: &str| tables.split("### Ports of ").find(|table| table.starts_with(&format!("{top}\n"))).unwrap();
    // An adapter names the ports that are those of the unit, `l1m_*` for all that begin so.
    let own = table(top);
    let shared = own.lines().find_map(|line| line.strip_prefix("As in `tl_top`: ")).unwrap_or_default();
    let shared: Vec<&str> = shared.split('`').skip(1).step_by(2).collect();
    let is_shared = |row: &&str| {
        let port = row.split('`').nth(1).unwrap_or_default();
        shared.iter().any(|name| name.strip_suffix('*').map_or(*name == port, |start| port.starts_with(start)))
    };
    let rows: Vec<&str> = own.lines().chain(table("tl_top").lines().filter(is_shared)).collect();
    let ports = |direction: &str| -> Vec<String> {
        let rows = rows.iter().filter(|line| line.split('|').nth(2).is_some_and(|bits| bits.starts_with(direction)));
        rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    let mut sets = std::collections::BTreeMap::new();
    let mut known = Vec::new();
    let mut lines = lines.into_iter();
    let mut delayed = Vec::new();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let known_value =
            |value: &str, known: &[String]| known.iter().any(|name| value.strip_prefix('$') == Some(name));
        match words.as_slice() {
            ["if", "{![info", "exists", parameter, "{", "set", set, value, "}", ";#", ..] => {
                assert_eq!(*parameter, format!("{set}]}}"));
                value.parse::<f64>().unwrap();
                known.push((*set).to_owned());
            }
            ["set", set, "[get_ports", "{"] => {
                let names = lines.by_ref().take_while(|line| *line != "}]");
                sets.insert(*set, names.flat_map(str::split_whitespace).map(str::to_owned).collect::<Vec<_>>());
            }
            ["create_clock", "-name", "clk", "-period", value, "[get_ports", "clk_i]"]
            | ["set_clock_uncertainty", value, "[get_clocks", "clk]"] => {
                assert!(known_value(value, &known), "{line}")
            }
            ["set_input_delay" | "set_output_delay", "-clock", "clk", "-max" | "-min", value, ports @ ..] => {
                assert!(known_value(value, &known), "{line}");
                delayed.push(ports.join(" "));
            }
            ["set_false_path", "-fall_from", "[get_ports", "rst_ni]"] => (),
            _ => panic!("no command of the file: {line}"),
        }
    }
    let ends = ["clk_i", "rst_ni"];
    let inputs: Vec<String> = ports(" in ").into_iter().filter(|port| !ends.contains(&port.as_str())).collect();
    for (set, mut expected) in [("tl_inputs", inputs), ("tl_outputs", ports(" out "))] {
        let mut named = sets[set].clone();
        // The page of an adapter has its own ports first, its module may have them behind the others.
        if !shared.is_empty() {
            named.sort();
            expected.sort();
        }
        assert_eq!(named, expected);
    }
    let twice = ["$tl_inputs", "$tl_outputs", "[get_ports rst_ni]"].map(|ports| [ports, ports]).concat();
    assert_eq!(delayed, twice);
}
