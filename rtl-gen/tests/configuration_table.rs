// SPDX-License-Identifier: Apache-2.0
//! The table in docs/configuration.md has the fields, defaults and ranges of the generator.
#![allow(clippy::unwrap_used)]

use rtl_gen::Config;

/// Fields that are true or false.
const FLAGS: [&str; 6] = ["pitch", "csr_op", "gpr_rs1", "mask_init", "precise", "matrix"];

/// Field, default and what is allowed, for each row of the table, without marks of code.
fn rows() -> Vec<[String; 3]> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let text = std::fs::read_to_string(path).unwrap().replace('`', "");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| field "));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 6, "{row}");
        [1, 2, 3].map(|i| cells[i].to_owned())
    })
    .collect()
}

/// What is wrong with `field = value` in a configuration that has the defaults otherwise; "" when nothing is.
fn complaint(field: &str, value: &str) -> String {
    let name = if field == "name" { "" } else { "name = \"x\"\n" };
    Config::from_toml(&format!("{name}{field} = {value}\n")).err().map(|e| e.to_string()).unwrap_or_default()
}

/// What the message for an illegal value says is allowed. Values of other fields are in brackets there.
fn allowed(field: &str) -> String {
    let value = match field {
        "name" | "prefix" => "\"X\"",
        "element_widths" => "[]",
        _ => "1000003",
    };
    let message = complaint(field, value);
    assert!(message.starts_with(&format!("configuration field `{field}`: ")), "{message}");
    message.split("; allowed: ").nth(1).unwrap().to_owned()
}

/// `text` without what is in brackets.
fn rule(text: &str) -> String {
    text.split(" (").enumerate().map(|(i, part)| if i == 0 { part } else { part.split_once(')').unwrap().1 }).collect()
}

/// The last two numbers around "to" in `text`, where the value of a field is in brackets behind its name.
fn range(text: &str) -> Option<[u32; 2]> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |at: usize| words.get(at)?.trim_matches(['(', ')', ',']).parse().ok();
    let at = words.iter().rposition(|word| *word == "to")?;
    Some([number(at.checked_sub(1)?)?, number(at + 1).or_else(|| number(at + 2))?])
}

#[test]
fn it_has_every_field_in_order() {
    let message = complaint("x", "0");
    let expected: Vec<&str> = message.split("expected one of ").nth(1).unwrap().trim().split(", ").collect();
    let fields: Vec<String> = rows().into_iter().map(|[field, ..]| format!("`{field}`")).collect();
    assert_eq!(fields, expected);
}

#[test]
fn it_has_the_defaults() {
    let config = Config::from_toml("name = \"x\"").unwrap();
    for [field, default, _] in rows() {
        match field.as_str() {
            "name" => assert_eq!(default, ""),
            "mem_port_bytes" => assert_eq!((default.as_str(), config.port_bytes()), ("lanes", config.lanes)),
            _ => assert_eq!(Config::from_toml(&format!("name = \"x\"\n{field} = {default}")).as_ref(), Ok(&config)),
        }
    }
}

#[test]
fn it_allows_what_the_messages_allow() {
    for [field, _, text] in rows() {
        if FLAGS.contains(&field.as_str()) {
            assert_eq!(text, "true or false");
            assert!(complaint(&field, "1").contains("expected a boolean"));
        } else {
            assert_eq!(text, rule(&allowed(&field)), "{field}");
        }
    }
}

#[test]
fn the_messages_allow_what_is_accepted() {
    let mut ranges = 0;
    for [field, ..] in rows().into_iter().filter(|[field, ..]| !FLAGS.contains(&field.as_str())) {
        let Some([low, high]) = range(&allowed(&field)) else { continue };
        ranges += 1;
        let refused = |value: u32| complaint(&field, &value.to_string()).contains(&format!("field `{field}`: "));
        assert!(!refused(low) && !refused(high), "{field}: {low} to {high}");
        assert!(refused(high + 1) && refused(2 * high) && (low == 0 || refused(low - 1)), "{field}: {low} to {high}");
        assert!(low < 4 || refused(low / 2), "{field}: {low}");
    }
    assert_eq!(ranges, 8);
}
