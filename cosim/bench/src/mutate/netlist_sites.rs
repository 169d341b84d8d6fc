// SPDX-License-Identifier: Apache-2.0
//! Places in the netlist by names that stay when lines move and cells get other numbers: the text that a cell comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::netlist::plain_name;

/// Ports of cells.
#[derive(Debug, Default)]
pub struct Sites(BTreeMap<(String, String), Cell>);

/// A cell.
#[derive(Debug, Default)]
struct Cell {
    /// What stands in front of the port in a name, and behind it.
    around: [String; 2],
    ports: Vec<String>,
}

/// A cell as Yosys writes it.
#[derive(Debug, Default)]
struct Written<'t> {
    kind: &'t str,
    name: &'t str,
    source: &'t str,
    /// Its ports, and what they are connected to.
    ports: Vec<(&'t str, &'t str)>,
}

impl Sites {
    /// Reads the netlist `netlist` in `folder`, and the RTL there that it comes from.
    ///
    /// # Errors
    /// When the netlist cannot be read.
    pub fn read(folder: &Path, netlist: &str) -> Result<Sites> {
        let text = fs::read_to_string(folder.join(netlist)).context("cannot read the netlist")?;
        let mut rtl = BTreeMap::new();
        let mut line = |file: &str, number: usize| -> Option<String> {
            let read = || fs::read_to_string(folder.join(file)).unwrap_or_default();
            let text = rtl.entry(file.to_owned()).or_insert_with(read);
            text.lines().nth(number.checked_sub(1)?).map(str::to_owned)
        };
        Ok(Sites::parse(&text, &mut line))
    }

    /// Reads a netlist; `line` gives a line of a file of the RTL.
    fn parse(netlist: &str, line: &mut dyn FnMut(&str, usize) -> Option<String>) -> Sites {
        let mut sites = Sites::default();
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let (mut variant, mut parameters, mut source) = ("", Vec::new(), "");
        let mut cell: Option<Written> = None;
        for text in netlist.lines() {
            let words: Vec<&str> = text.split_whitespace().collect();
            match (&words[..], &mut cell) {
                (["module", name], _) => (variant, parameters) = (plain(name), Vec::new()),
                (["parameter", name, value], None) if !name.contains("::") => {
                    parameters.push(format!("{} {value}", plain(name)));
                }
                (["attribute", "\\src", place], None) => source = place.trim_matches('"'),
                (["cell", kind, name], None) => {
                    cell = Some(Written { kind, name: plain(name), source, ports: Vec::new() });
                }
                (["connect", port, rest @ ..], Some(cell)) => {
                    cell.ports.push((plain(port), rest.first().copied().unwrap_or_default()));
                }
                (["end"], cell @ Some(_)) => {
                    if let Some(cell) = cell.take() {
                        sites.insert(variant, &parameters, &cell, line, &mut seen);
                    }
                }
                _ => {}
            }
        }
        sites
    }

    fn insert(
        &mut self,
        variant: &str,
        parameters: &[String],
        cell: &Written,
        line: &mut dyn FnMut(&str, usize) -> Option<String>,
        seen: &mut BTreeMap<String, u32>,
    ) {
        let output = cell.ports.iter().find(|(port, _)| *port == "Q").map(|(_, signal)| plain(signal).to_owned());
        let (kind, text) = match output {
            _ if !cell.name.starts_with('$') => (cell.name, String::new()),
            Some(register) => (cell.kind, format!(": {register}")),
            None => (cell.kind, marked(cell.source, line).map_or_else(String::new, |text| format!(": {text}"))),
        };
        let values = if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join(", ")) };
        let front = format!("{}.sv{values}, {kind}", plain_name(variant));
        // Of several that read the same, the second one has a number.
        let count = seen.entry(format!("{front}{text}")).or_default();
        *count += 1;
        let number = if *count == 1 { String::new() } else { format!(" #{count}") };
        let ports = cell.ports.iter().map(|(port, _)| (*port).to_owned()).collect();
        let cell = (variant.to_owned(), cell.name.to_owned());
        self.0.insert(cell, Cell { around: [front, format!("{text}{number}")], ports });
    }

    /// The name of a port of a cell of a module, as Yosys names these.
    pub fn name(&self, variant: &str, cell: &str, port: &str) -> Option<String> {
        self.0.get(&(variant.to_owned(), cell.to_owned())).map(|cell| cell.site(port))
    }

    /// All names.
    pub fn names(&self) -> BTreeSet<String> {
        self.0.values().flat_map(|cell| cell.ports.iter().map(|port| cell.site(port))).collect()
    }
}

impl Cell {
    fn site(&self, port: &str) -> String {
        let [front, back] = &self.around;
        format!("{front} {port}{back}")
    }
}

/// A name without the sign that Yosys gives those that are of the RTL.
fn plain(name: &str) -> &str {
    name.strip_prefix('\\').unwrap_or(name)
}

/// The line of the RTL with this place in brackets, `assign a = [[b & c]];` for `m.sv:3.14-3.19`; the innermost of several.
fn marked(source: &str, line: &mut dyn FnMut(&str, usize) -> Option<String>) -> Option<String> {
    let (file, range) = source.rsplit('|').next()?.split_once(':')?;
    let place = |text: &str| -> Option<(usize, usize)> {
        let (line, column) = text.split_once('.')?;
        Some((line.parse().ok()?, column.parse::<usize>().ok()?.checked_sub(1)?))
    };
    let (first, last) = range.split_once('-')?;
    let ((number, start), (last, end)) = (place(first)?, place(last)?);
    let text = line(file, number)?;
    // Yosys may give the end of a line behind it.
    let end = if last == number { end.min(text.len()) } else { text.len() };
    let (before, inside, after) = (text.get(..start)?, text.get(start..end)?, text.get(end..)?);
    Some(format!("{before}[[{inside}]]{after}").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETLIST: &str = r#"
module $paramod$7c5c\tl_fifo
  parameter \Depth 4
  parameter \tl_pkg::Lanes 8
  attribute \src "tl_fifo.sv:2.7-2.8"
  wire \a
  attribute \src "tl_fifo.sv:1.1-9.2|tl_fifo.sv:2.14-2.19"
  cell $and $and$tl_fifo.sv:2$77
    parameter \Y_WIDTH 1
    connect \A \b
    connect \Y \a
  end
  attribute \src "tl_fifo.sv:2.14-2.19"
  cell $and $and$tl_fifo.sv:2$78
    connect \A \b [3:2]
  end
  attribute \src "tl_fifo.sv:3.3-6.4"
  cell $dff $procdff$9
    connect \D \a
    connect \Q \head_q
  end
end
module \tl_top
  attribute \src "tl_top.sv:1.1-1.2"
  cell $paramod$7c5c\tl_fifo \u_fifo
    connect \valid_i 1'1
  end
end
"#;

    fn sites() -> Sites {
        Sites::parse(NETLIST, &mut |_, number| ["", "  assign a = b & c;"].get(number - 1).map(|&line| line.into()))
    }

    #[test]
    fn a_port_is_named_by_its_text_register_or_instance() {
        let sites = sites();
        let name = |variant, cell, port| sites.name(variant, cell, port).expect("a cell");
        let fifo = "$paramod$7c5c\\tl_fifo";
        assert_eq!(name(fifo, "$and$tl_fifo.sv:2$77", "A"), "tl_fifo.sv (Depth 4), $and A: assign a = [[b & c]];");
        assert_eq!(name(fifo, "$and$tl_fifo.sv:2$78", "A"), "tl_fifo.sv (Depth 4), $and A: assign a = [[b & c]]; #2");
        assert_eq!(name(fifo, "$procdff$9", "D"), "tl_fifo.sv (Depth 4), $dff D: head_q");
        assert_eq!(name("tl_top", "u_fifo", "valid_i"), "tl_top.sv, u_fifo valid_i");
        assert_eq!(sites.names().len(), 6);
        assert_eq!(sites.name("tl_top", "u_other", "valid_i"), None);
    }

    #[test]
    fn a_place_that_ends_behind_its_line_or_in_another_one_ends_with_it() {
        let mut line = |_: &str, _| Some("  assign a = b &".to_owned());
        assert_eq!(marked("m.sv:1.14-1.40", &mut line).expect("a place"), "assign a = [[b &]]");
        assert_eq!(marked("m.sv:1.14-2.9", &mut line).expect("a place"), "assign a = [[b &]]");
        assert_eq!(marked("m.sv:1.60-1.70", &mut line), None);
    }

    #[test]
    fn numbers_of_cells_and_lines_leave_names_alone() {
        let moved = NETLIST.replace("$and$tl_fifo.sv:2$7", "$and$tl_fifo.sv:3$9").replace(":2.14-2.19", ":3.14-3.19");
        let later = Sites::parse(&moved, &mut |_, number| {
            ["", "", "  assign a = b & c;"].get(number - 1).map(|&line| line.into())
        });
        assert_eq!(later.names(), sites().names());
    }
}
