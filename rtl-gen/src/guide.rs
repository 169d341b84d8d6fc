// SPDX-License-Identifier: Apache-2.0
//! The ports of the modules that a team attaches, as tables.

use crate::Sources;
use crate::output::ADAPTERS;
use crate::ports::{Port, ports};

/// A line for each port: name, meaning, value after reset, when it counts or changes. After reset, outputs that are
/// valid only with another one have any value.
const PORTS: &str = include_str!("guide_ports.txt");

/// The tables of the modules that a team attaches, in Markdown, the same in every configuration. An adapter's table has
/// the ports that `tl_top` lacks, and names the others.
pub fn tables(sources: &Sources) -> String {
    let unit = ports(sources.body("tl_top.sv"));
    let adapter = |name: &str| {
        let module = format!("tl_{name}_top");
        let all = ports(sources.body(&format!("{module}.sv")));
        let is_shared = |port: &Port| unit.iter().any(|other| other.name == port.name);
        let (shared, own): (Vec<Port>, Vec<Port>) = all.into_iter().partition(is_shared);
        format!("### Ports of {module}\n\nAs in `tl_top`: {}.\n\n{}\n", interfaces(&shared), table(&own))
    };
    let adapters: String = ADAPTERS.iter().map(|name| adapter(name)).collect();
    format!("### Ports of tl_top\n\n{}\n{adapters}", table(&unit))
}

/// The names of ports, those with one first word together: `l1m_*`.
fn interfaces(ports: &[Port]) -> String {
    let first_word = |port: &Port| port.name.split('_').next().unwrap_or_default().to_owned();
    let name = |port: &Port| {
        let word = first_word(port);
        match ports.iter().filter(|other| first_word(other) == word).count() {
            1 => format!("`{}`", port.name),
            _ => format!("`{word}_*`"),
        }
    };
    let mut names: Vec<String> = ports.iter().map(name).collect();
    names.dedup();
    names.join(", ")
}

fn table(ports: &[Port]) -> String {
    let head = "| port | bits | meaning | after reset | timing |\n|---|---|---|---|---|\n";
    ports.iter().fold(head.to_owned(), |table, port| table + &row(port))
}

fn row(port: &Port) -> String {
    let known = PORTS.lines().find_map(|line| line.strip_prefix(port.name)?.strip_prefix(" | "));
    let mut cells = known.unwrap_or("not in rtl-gen/src/guide_ports.txt").split('|').map(str::trim);
    let mut cell = || cells.next().unwrap_or_default();
    let (meaning, reset, timing) = (cell(), cell(), cell());
    let direction = if port.is_input { "in" } else { "out" };
    format!("| `{}` | {direction} {} | {meaning} | {reset} | {timing} |\n", port.name, bits(&port.ty))
}

/// `logic [31:0]` has 32 bits; another type says it by its name.
fn bits(ty: &str) -> String {
    match ty.strip_prefix("logic [").and_then(|range| range.strip_suffix(":0]")) {
        None if ty == "logic" => "1".into(),
        None => ty.into(),
        Some(high) => match high.parse::<u32>() {
            Ok(high) => (high + 1).to_string(),
            Err(_) => high.trim_end_matches("-1").into(),
        },
    }
}
