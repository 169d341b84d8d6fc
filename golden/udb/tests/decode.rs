// SPDX-License-Identifier: Apache-2.0
//! A decoder that knows nothing but the files takes the words that the model takes, and gives them the same name.
#![allow(clippy::unwrap_used)]

use golden::decode::{Decoded, Isa, decode};
use golden::{Config, asm};
use saphyr::{LoadableYamlNode, Yaml};

struct Row {
    name: String,
    mask: u32,
    value: u32,
}

/// The documents of this kind.
fn documents(files: &[(String, String)], kind: &str) -> Vec<String> {
    files.iter().filter(|(_, text)| text.contains(&format!("\nkind: {kind}\n"))).map(|(_, text)| text.clone()).collect()
}

fn rows(files: &[(String, String)]) -> Vec<Row> {
    let row = |text: String| {
        let document = &Yaml::load_from_str(&text).unwrap()[0];
        let pattern = document["encoding"]["match"].as_str().unwrap();
        let bits = |of: fn(char) -> bool| pattern.chars().fold(0, |bits, c| bits << 1 | u32::from(of(c)));
        let (mask, mut free) = (bits(|c| c != '-'), 0u32);
        let variables = document["encoding"].as_mapping_get("variables");
        for variable in variables.and_then(Yaml::as_vec).into_iter().flatten() {
            let (high, low) = variable["location"].as_str().unwrap().split_once('-').unwrap();
            let field = (0..32).filter(|bit| (low.parse().unwrap()..=high.parse().unwrap()).contains(bit));
            let field = field.fold(0, |field, bit: u32| field | 1 << bit);
            assert_eq!(field & free, 0, "{text}");
            free |= field;
        }
        assert_eq!((pattern.len(), mask ^ free), (32, u32::MAX), "{text}");
        Row { name: document["name"].as_str().unwrap().to_owned(), mask, value: bits(|c| c == '1') }
    };
    documents(files, "instruction").into_iter().map(row).collect()
}

/// The first word for which they differ. A pattern cannot say which CSRs there are.
fn difference(rows: &[Row], isa: Isa) -> Option<String> {
    let of_funct3: Vec<Vec<&Row>> =
        (0..8).map(|n| rows.iter().filter(|row| (row.value ^ n << 12) & row.mask & 0x7000 == 0).collect()).collect();
    (0..1u32 << 26).find_map(|number| {
        let word = (number << 7 & !0x7F) | if number >> 25 == 0 { 0x5B } else { 0x2B };
        let mut found = of_funct3[(word >> 12 & 7) as usize].iter().filter(|row| word & row.mask == row.value);
        let on_ttype = word & !(0xFF << 20) | 0x10 << 20;
        let csr = matches!(decode(on_ttype, isa), Decoded::Csr(_));
        let known = match decode(if csr { on_ttype } else { word }, isa) {
            Decoded::Tensor(_) | Decoded::Matrix(_) | Decoded::Csr(_) => true,
            Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => false,
        };
        let (one, more) = (found.next(), found.next());
        let same = one.is_some() == known && more.is_none();
        // To write the text of a word takes long: one word in many, and each with few operands.
        let sampled = word.is_multiple_of(61) || word >> 7 & 0x3FF == 0;
        let name = || asm::disassemble(if csr { on_ttype } else { word }, isa).split(' ').next().map(str::to_owned);
        let same = same && (!known || !sampled || one.map(|row| row.name.clone()) == name());
        (!same).then(|| format!("{word:#010x} is {:?}", one.map(|row| &row.name)))
    })
}

#[test]
fn a_decoder_of_the_files_is_the_decoder_of_the_model() {
    for (config, count) in [("w16", 27 + 43), ("w16r", 27 + 20 + 6 + 43)] {
        let config = Config::named(config).unwrap();
        let rows = rows(&tensorload_udb::files(&config));
        assert_eq!(rows.len(), count, "{}", config.name);
        assert_eq!(difference(&rows, Isa::from(&config)), None, "{}", config.name);
    }
}

#[test]
fn csrs_are_those_of_the_model() {
    let config = Config::from_toml_str("name = \"other\"\ncsr_base = 0x880\nmatrix = true").unwrap();
    let (isa, files) = (Isa::from(&config), tensorload_udb::files(&config));
    let mut found = documents(&files, "csr");
    for address in 0..0x1000u16 {
        let here: Vec<usize> =
            (0..found.len()).filter(|&i| found[i].contains(&format!("\naddress: {address:#x}\n"))).collect();
        assert_eq!(here.len(), usize::from(isa.csr(address).is_some()), "{address:#x}");
        let Some(csr) = isa.csr(address) else { continue };
        let text = found.swap_remove(here[0]);
        let written = decode(u32::from(address) << 20 | 1 << 15 | 1 << 12 | 0x73, isa);
        assert!(text.contains(&format!("\nname: {}\n", csr.name())), "{text}");
        assert!(text.contains(&format!("\nwritable: {}\n", written != Decoded::Illegal)), "{text}");
    }
    assert!(found.is_empty(), "{found:?}");
    let shape = files.iter().find(|(name, _)| name == "csr/Xtensorload/tshape.yaml").map(|(_, text)| text.as_str());
    assert!(shape.is_some_and(|text| text.contains("location: 23-0\n    type: RW\n    reset_value: 0\n")), "{shape:?}");
    let store = files.iter().find(|(name, _)| name.ends_with("/tl.mstore.yaml")).map(|(_, text)| text.as_str());
    assert!(store.is_some_and(|text| text.contains("\nassembly: \"tlrs, imm8(rs)\"\n")), "{store:?}");
}
