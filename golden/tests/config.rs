// SPDX-License-Identifier: Apache-2.0
//! Configurations by name and from files.
#![allow(clippy::unwrap_used)]

use golden::{Config, ElementWidths, MatrixConfig};

#[test]
fn named_configurations() {
    let w16 = Config::named("w16").unwrap();
    assert_eq!((w16.reg_bytes, w16.l1m_bytes, w16.l0m_bytes, w16.engine_id), (1024, 262_144, 262_144, 0));
    assert_eq!(w16.element_widths, ElementWidths::ALL);
    assert_eq!(w16.matrix, Some(MatrixConfig::default()));
    for (name, matrix) in [("w8", None), ("w32", w16.matrix), ("w64", None), ("w16p8", None)] {
        assert_eq!(Config::named(name).unwrap(), Config { name: name.to_string(), matrix, ..w16.clone() });
    }
    assert_eq!(Config::named("int8").unwrap().element_widths.to_string(), "[8]");
    let tiny = Config::named("tiny").unwrap();
    assert_eq!((tiny.reg_bytes, tiny.l1m_bytes, tiny.l0m_bytes), (64, 4096, 4096));
    let mx1024 = Config::named("mx1024").unwrap();
    assert_eq!(mx1024.matrix, Some(MatrixConfig { tlen: 1024, trlen: 128 }));
    assert_eq!(Config { name: "w16".to_string(), matrix: w16.matrix, ..mx1024 }, w16);
    assert_eq!(Config::named("W16"), None);
    assert!(Config::names().iter().all(|name| Config::named(name).unwrap().name == *name));
}

#[test]
fn only_the_name_is_required() {
    let config = Config::from_toml_str("name = \"w8\"").unwrap();
    assert_eq!(config, Config::named("w8").unwrap());
}

#[test]
fn all_fields() {
    let text = "name = \"a_1\"\nprefix = \"tu\"\nlanes = 16\nmem_port_bytes = 8\nreg_bytes = 64\nelement_widths = [4, 32]\n\
                l1m_bytes = 64\nl0m_bytes = 268435456\nengine_id = 3\ncsr_base = 0x880\npitch = true\ncsr_op = true\ngpr_rs1 = true\nqueue_entries = 2\nspare_registers = 4\noutstanding = 32\nprecise = true\nmatrix = true\ntlen = 256\ntrlen = 32\n";
    let config = Config::from_toml_str(text).unwrap();
    assert_eq!((config.name.as_str(), config.reg_bytes, config.engine_id), ("a_1", 64, 3));
    assert_eq!((config.l1m_bytes, config.l0m_bytes), (64, 1 << 28));
    assert_eq!((config.csr_base, config.pitch, config.csr_op, config.gpr_rs1), (0x880, true, true, true));
    assert_eq!(config.element_widths.iter().collect::<Vec<u32>>(), [4, 32]);
    assert_eq!(config.matrix, Some(MatrixConfig { tlen: 256, trlen: 32 }));
}

#[test]
fn matrix_is_off_unless_it_is_switched_on() {
    let matrix = |text: &str| Config::from_toml_str(&format!("name = \"x\"\n{text}")).unwrap().matrix;
    for text in ["", "matrix = false", "tlen = 1024", "matrix = false\ntrlen = 64"] {
        assert_eq!(matrix(text), None, "{text}");
    }
    assert_eq!(matrix("matrix = true"), Some(MatrixConfig::default()));
    let lengths = |tlen, trlen| matrix(&format!("matrix = true\ntlen = {tlen}\ntrlen = {trlen}"));
    for (tlen, trlen) in [(128, 32), (128, 64), (512, 32), (512, 256), (2048, 128), (4096, 256), (4096, 2048)] {
        assert_eq!(lengths(tlen, trlen), Some(MatrixConfig { tlen, trlen }));
    }
}

#[test]
fn errors_name_the_field_its_value_and_what_is_allowed() {
    let widths = "a list of one or more of 4, 8, 16 and 32, ascending, each once";
    let name = "a string: a lower-case letter, then lower-case letters, digits and `_`, 32 characters at most";
    let error = |text: &str| Config::from_toml_str(&format!("name = \"x\"\n{text}\n")).unwrap_err().to_string();
    for (allowed, lines) in [
        (
            "a power of two, 64 to 1024",
            &["reg_bytes = 32", "reg_bytes = 96", "reg_bytes = 2048", "reg_bytes = \"64\""][..],
        ),
        ("a power of two, 128 to 1024", &["lanes = 32\nreg_bytes = 64"]),
        (
            "a power of two, 1024 to 268435456",
            &["l1m_bytes = 512", "l0m_bytes = 536870912", "l0m_bytes = -9223372036854775808"],
        ),
        ("true or false", &["matrix = 1", "precise = 1", "pitch = 1"]),
        ("a power of two, 128 to 4096", &["tlen = 64", "tlen = 8192", "tlen = 768"]),
        ("a power of two, 32 to 256", &["trlen = 16", "trlen = 96", "trlen = 512"]),
        ("an integer, 0 to 3", &["engine_id = 4"]),
        ("0x800 or 0x880", &["csr_base = 2049"]),
        ("32 or 64", &["xlen = 33", "xlen = true"]),
        ("a power of two, 8 to 64", &["lanes = 1.5", "lanes = 24"]),
        ("a power of two, 4 to 16", &["mem_port_bytes = 32"]),
        ("an integer, 2 to 16", &["queue_entries = true"]),
        ("a power of two, 4 to 32", &["spare_registers = 3"]),
        ("a power of two, 16 to 64", &["outstanding = 8"]),
        (widths, &["element_widths = [32, 4]", "element_widths = [8, 8]", "element_widths = [64]"]),
        (widths, &["element_widths = []", "element_widths = 8"]),
    ] {
        for line in lines {
            let (field, value) = line.lines().last().and_then(|line| line.split_once(" = ")).unwrap();
            assert_eq!(error(line), format!("field `{field}` is {value}; allowed is {allowed}"));
        }
    }
    // What is allowed depends on another field.
    assert_eq!(error("tlen = 128"), "field `trlen` is 128; allowed is a power of two, 32 to 64");
    assert_eq!(error("matrix = true\ntlen = 4096"), "field `trlen` is 128; allowed is a power of two, 256 to 2048");
    for bad in ["", "A", "1a", "_a", "a-b", &"a".repeat(33)] {
        let error = Config::from_toml_str(&format!("name = \"{bad}\"")).unwrap_err().to_string();
        assert_eq!(error, format!("field `name` is \"{bad}\"; allowed is {name}"));
    }
    let missing = Config::from_toml_str("lanes = 8").unwrap_err().to_string();
    assert_eq!(missing, format!("field `name` is missing; allowed is {name}"));
    let unknown = Config::from_toml_str("name = \"x\"\nwidth = 3").unwrap_err().to_string();
    assert!(unknown.starts_with("unknown field `width`; allowed are name, prefix, lanes, "), "{unknown}");
    let syntax = Config::from_toml_str("name = ").unwrap_err().to_string();
    assert!(syntax.starts_with("not valid TOML: "), "{syntax}");
}

#[test]
fn the_table_of_the_documents_has_these_fields_defaults_and_ranges() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let text = std::fs::read_to_string(path).unwrap().replace('`', "");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| field "));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').map(str::trim).collect()).collect();
    let error = |line: &str| Config::from_toml_str(&format!("name = \"x\"\n{line}")).unwrap_err().to_string();

    let fields: Vec<&str> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(error("width = 3"), format!("unknown field `width`; allowed are {}", fields.join(", ")));

    let given = |row: &&Vec<&str>| !["name", "mem_port_bytes"].contains(&row[1]);
    let defaults: String = rows.iter().filter(given).map(|row| format!("{} = {}\n", row[1], row[2])).collect();
    for matrix in ["", "matrix = true\n"] {
        let named = format!("name = \"x\"\n{matrix}");
        let defaults = if matrix.is_empty() { defaults.clone() } else { defaults.replace("matrix = false\n", "") };
        assert_eq!(Config::from_toml_str(&format!("{named}{defaults}")), Config::from_toml_str(&named));
    }

    for row in rows.iter().filter(|row| {
        ["l1m_bytes", "engine_id", "csr_base", "pitch", "csr_op", "gpr_rs1", "queue_entries", "matrix", "tlen"]
            .contains(&row[1])
    }) {
        let (message, allowed) = (error(&format!("{} = 1000003", row[1])), row[3].replace("reg_bytes", "1024"));
        assert!(message.ends_with(&allowed), "{message}: {allowed}");
    }
}
