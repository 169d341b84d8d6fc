// SPDX-License-Identifier: Apache-2.0
//! What is left here of the Liberty file of a cell library: area, functions, capacitances and energies of its cells.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Where Debian's package `qflow-tech-osu018` has its library: 32 cells, 0.18 um, 1.8 V.
const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// Cells by what their names have.
pub const NAND2: &str = "nand2";
pub const BUFFER: &str = "buf";

/// Nanoseconds that an edge takes, where an energy depends on it.
const SLEW: f64 = 0.2;

/// `kind (argument, ...) { attributes, groups }`
#[derive(Debug, Default)]
struct Group {
    kind: String,
    argument: String,
    attributes: Vec<(String, String)>,
    groups: Vec<Group>,
}

/// A library of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    pub path: PathBuf,
    pub name: String,
    /// Volts.
    pub voltage: f64,
    /// Whether it has a cell that switches a clock off.
    pub clock_gates: bool,
    pub cells: BTreeMap<String, LibraryCell>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryCell {
    /// In the unit of the library.
    pub area: f64,
    /// Watts.
    pub leakage: f64,
    pub state: Option<State>,
    pub pins: BTreeMap<String, Pin>,
}

/// A flip-flop or a latch; functions of the names of pins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// A flip-flop that takes `data` when `clock` becomes true; a latch has it while `clock` is true.
    pub flip_flop: bool,
    pub data: String,
    pub clock: String,
    /// Sets it to 0, and to 1.
    pub clear: Option<String>,
    pub preset: Option<String>,
    /// Names of the state and of its complement in functions of outputs.
    pub names: [String; 2],
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pin {
    pub output: bool,
    pub function: String,
    /// Picofarads.
    pub capacitance: f64,
    /// Energies of an edge in pJ, by the load of the pin in pF, lowest first; one entry where it does not depend on it.
    pub energy: Vec<(f64, f64)>,
}

impl Pin {
    /// Energy of an edge inside of the cell, in pJ, with a load in pF.
    pub fn energy(&self, load: f64) -> f64 {
        let nearest = self.energy.iter().min_by(|a, b| (a.0 - load).abs().total_cmp(&(b.0 - load).abs()));
        nearest.map_or(0.0, |&(_, energy)| energy)
    }
}

impl Library {
    /// The one that `LIBERTY` names, or the one that `make setup-asic` has installed.
    ///
    /// # Errors
    /// When there is none, or it has no NAND gate or no buffer.
    pub fn find() -> Result<Library> {
        let named = std::env::var_os("LIBERTY").filter(|path| !path.is_empty());
        let path = named.map_or_else(|| PathBuf::from(OSU018), PathBuf::from);
        let text = fs::read_to_string(&path).with_context(|| {
            let shown = path.display();
            format!("cannot read {shown}: run `make setup-asic`, or name a library with LIBERTY=/path/NAME.lib")
        })?;
        Library::parse(&path, &text)
    }

    pub fn parse(path: &Path, text: &str) -> Result<Library> {
        let shown = path.display();
        let tokens = tokens(text);
        let file = parse(&mut tokens.iter().map(String::as_str).peekable());
        let found = file.groups.iter().find(|group| group.kind == "library");
        let group = found.with_context(|| format!("{shown} is no Liberty file: it has no library"))?;
        let cells = group.groups.iter().filter(|group| group.kind == "cell");
        let mut library = Library {
            path: path.to_owned(),
            name: group.argument.clone(),
            voltage: group.number("nom_voltage").unwrap_or(1.0),
            clock_gates: cells.clone().any(|cell| cell.text("clock_gating_integrated_cell").is_some()),
            cells: cells.map(|cell| (cell.argument.clone(), cell.cell())).collect(),
        };
        // The LATCH of OSU018 has no area there.
        let shapes = fs::read_to_string(path.with_extension("lef")).unwrap_or_default();
        for (name, cell) in library.cells.iter_mut().filter(|(_, cell)| cell.area == 0.0) {
            cell.area = lef_area(&shapes, name).unwrap_or(0.0);
        }
        // Area is told in that of the one; the other drives the inputs of a unit.
        [NAND2, BUFFER].into_iter().try_for_each(|word| library.smallest(word).map(|_| ()))?;
        Ok(library)
    }

    /// The smallest of the cells whose names have `word`, and its area.
    pub fn smallest(&self, word: &str) -> Result<(&str, f64)> {
        let named = |name: &str| name.to_lowercase().contains(word);
        let cells = self.cells.iter().filter(|(name, cell)| named(name) && cell.area > 0.0);
        let sizes = cells.map(|(name, cell)| (name.as_str(), cell.area));
        sizes.min_by(|a, b| a.1.total_cmp(&b.1)).with_context(|| format!("{} has no cell {word}", self.path.display()))
    }

    /// A latch with one output: its name, its pins for data and clock, and its output.
    pub fn latch(&self) -> Option<[&str; 4]> {
        self.cells.iter().find_map(|(name, cell)| {
            let state = cell.state.as_ref().filter(|state| !state.flip_flop && cell.pins.len() == 3)?;
            let output = cell.pins.iter().find(|(_, pin)| pin.output && pin.function == state.names[0])?;
            let pin = |name: &String| cell.pins.contains_key(name);
            (pin(&state.data) && pin(&state.clock)).then_some([name.as_str(), &state.data, &state.clock, output.0])
        })
    }
}

impl Group {
    fn text(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.trim().parse().ok()
    }

    fn cell(&self) -> LibraryCell {
        let state = self.groups.iter().find(|group| ["ff", "latch"].contains(&group.kind.as_str()));
        let text = |group: &Group, name: &str| group.text(name).map(str::to_owned);
        let state = state.map(|group| {
            let flip_flop = group.kind == "ff";
            let [data, clock] = if flip_flop { ["next_state", "clocked_on"] } else { ["data_in", "enable"] };
            let mut names = group.argument.split(',').map(|name| name.trim().to_owned());
            State {
                flip_flop,
                data: text(group, data).unwrap_or_default(),
                clock: text(group, clock).unwrap_or_default(),
                clear: text(group, "clear"),
                preset: text(group, "preset"),
                names: std::array::from_fn(|_| names.next().unwrap_or_default()),
            }
        });
        let pins = self.groups.iter().filter(|group| group.kind == "pin");
        LibraryCell {
            area: self.number("area").unwrap_or(0.0),
            // The unit is nW where there is one.
            leakage: 1e-9 * self.number("cell_leakage_power").unwrap_or(0.0),
            state,
            pins: pins.map(|pin| (pin.argument.clone(), pin.pin())).collect(),
        }
    }

    fn pin(&self) -> Pin {
        let tables = self.groups.iter().filter(|group| group.kind == "internal_power").flat_map(|group| &group.groups);
        let tables: Vec<_> = tables.map(Group::energies).filter(|table| !table.is_empty()).collect();
        let loads = tables.first().cloned().unwrap_or_default();
        // The mean of rising and falling edges, whatever input causes them.
        let mean = |i: usize| {
            let values: Vec<f64> = tables.iter().filter_map(|table| table.get(i)).map(|entry| entry.1).collect();
            values.iter().sum::<f64>() / values.len().max(1) as f64
        };
        Pin {
            output: self.text("direction") == Some("output"),
            function: self.text("function").unwrap_or_default().to_owned(),
            capacitance: self.number("capacitance").unwrap_or(0.0),
            energy: loads.iter().enumerate().map(|(i, &(load, _))| (load, mean(i))).collect(),
        }
    }

    /// A table of energies by load and slew, or by slew alone: those at [`SLEW`].
    fn energies(&self) -> Vec<(f64, f64)> {
        let list = |name: &str| -> Vec<f64> {
            let numbers = self.text(name).unwrap_or_default().split([',', ' ']);
            numbers.filter_map(|number| number.parse().ok()).collect()
        };
        let (first, second, values) = (list("index_1"), list("index_2"), list("values"));
        let (loads, slews) = if second.is_empty() { (vec![0.0], first) } else { (first, second) };
        let distance = |&i: &usize| (slews[i] - SLEW).abs();
        let Some(at) = (0..slews.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return Vec::new() };
        let rows = values.chunks_exact(slews.len());
        loads.into_iter().zip(rows).map(|(load, row)| (load, row[at])).collect()
    }
}

/// Words, strings without their quotes, and `(){}:;`. Strings keep a mark, so that none is taken for the others.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
        } else if let Some(string) = rest.strip_prefix('"') {
            let (string, behind) = string.split_once('"').unwrap_or((string, ""));
            tokens.push(format!("\"{string}"));
            rest = behind;
        } else if "(){}:;,".contains(first) {
            tokens.push(first.to_string());
            rest = &rest[1..];
        } else if first.is_whitespace() || first == '\\' {
            rest = &rest[first.len_utf8()..];
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c)).unwrap_or(rest.len());
            tokens.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    tokens
}

/// The statements up to the end of a group. It is not recursive: a file of others may be nested deeply.
fn parse<'a>(tokens: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Group {
    let mut open = vec![Group::default()];
    let close = |open: &mut Vec<Group>| {
        if open.len() > 1
            && let (Some(done), Some(around)) = (open.pop(), open.last_mut())
        {
            around.groups.push(done);
        }
    };
    while let Some(name) = tokens.next() {
        let plain = |token: &str| token.strip_prefix('"').unwrap_or(token).to_owned();
        match (name, tokens.peek().copied()) {
            ("}", _) => close(&mut open),
            (_, Some(":")) => {
                tokens.next();
                let words: Vec<String> = tokens.by_ref().take_while(|&token| token != ";").map(plain).collect();
                open.last_mut().into_iter().for_each(|it| it.attributes.push((name.to_owned(), words.join(" "))));
            }
            (_, Some("(")) => {
                tokens.next();
                let words: Vec<String> = tokens.by_ref().take_while(|&token| token != ")").map(plain).collect();
                let (kind, argument) = (name.to_owned(), words.join(" "));
                if tokens.next_if_eq(&"{").is_some() {
                    open.push(Group { kind, argument, ..Group::default() });
                } else {
                    open.last_mut().into_iter().for_each(|it| it.attributes.push((kind.clone(), argument.clone())));
                }
            }
            _ => {}
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().unwrap_or_default()
}

/// The area of a cell in a LEF file, in square micrometres: `MACRO NAME ... SIZE 5.600 BY 10.000 ;`
fn lef_area(text: &str, name: &str) -> Option<f64> {
    let mut lines = text.lines().skip_while(|line| line.split_whitespace().ne(["MACRO", name]));
    let size = lines.find_map(|line| line.trim().strip_prefix("SIZE "))?;
    let numbers: Vec<f64> = size.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [width, height] = numbers.try_into().ok()?;
    Some(width * height)
}

/// A function of at most 16 inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Names of its inputs.
    pub inputs: Vec<String>,
    /// The value for each combination of inputs; the first one is the lowest bit of the index.
    pub values: Vec<bool>,
}

impl Function {
    /// Reads a function of Liberty: `!` or `'` inverts; a blank, `*` or `&` is AND; `^` is XOR; `+` or `|` is OR.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Function> {
        let mut names: Vec<String> =
            text.split(|c: char| !(c.is_alphanumeric() || "_[]".contains(c))).map(str::to_owned).collect();
        names.retain(|name| !name.is_empty() && name != "0" && name != "1");
        names.sort();
        names.dedup();
        ensure!(names.len() <= 16, "the function {text} has {} inputs; allowed are 16", names.len());
        let values: Option<Vec<bool>> = (0..1usize << names.len())
            .map(|index| {
                let mut expression = Expression { rest: text, names: &names, index, depth: 0 };
                let value = expression.or()?;
                expression.rest.trim().is_empty().then_some(value)
            })
            .collect();
        let values = values.with_context(|| format!("{text} is no function of Liberty"))?;
        Ok(Function { inputs: names, values })
    }
}

/// What is left of a function that is evaluated.
struct Expression<'a> {
    rest: &'a str,
    names: &'a [String],
    index: usize,
    depth: u32,
}

impl Expression<'_> {
    fn take(&mut self, symbols: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.chars().next().is_some_and(|first| symbols.contains(first));
        if found {
            self.rest = &rest[1..];
        }
        found
    }

    fn or(&mut self) -> Option<bool> {
        let mut value = self.xor()?;
        while self.take("+|") {
            value |= self.xor()?;
        }
        Some(value)
    }

    fn xor(&mut self) -> Option<bool> {
        let mut value = self.and()?;
        while self.take("^") {
            value ^= self.and()?;
        }
        Some(value)
    }

    fn and(&mut self) -> Option<bool> {
        let mut value = self.factor()?;
        loop {
            let next = self.rest.trim_start().chars().next();
            if !self.take("*&") && !next.is_some_and(|c| c.is_alphanumeric() || "(!_".contains(c)) {
                return Some(value);
            }
            value &= self.factor()?;
        }
    }

    fn factor(&mut self) -> Option<bool> {
        self.depth += 1;
        let mut value = if self.depth > 64 {
            return None;
        } else if self.take("!") {
            !self.factor()?
        } else if self.take("(") {
            let value = self.or()?;
            if !self.take(")") {
                return None;
            }
            value
        } else {
            let rest = self.rest.trim_start();
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "_[]".contains(c))).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            self.rest = behind;
            match name {
                "0" => false,
                "1" => true,
                _ => self.index >> self.names.iter().position(|other| other == name)? & 1 == 1,
            }
        };
        while self.take("'") {
            value = !value;
        }
        self.depth -= 1;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBERTY: &str = "/* a comment */\nlibrary (small) {\n  nom_voltage : 1.8;\n  capacitive_load_unit (1,pf);\n\
        cell (NAND2X1) { area : 24;\n cell_leakage_power : 2.0; pin(A) { direction : input; capacitance : 0.01; }\n\
        pin(Y) { direction : output; function : \"(!(A B))\";\n internal_power() { related_pin : \"A\";\n\
        fall_power(t) { index_1 (\"0.1, 0.2\"); index_2 (\"0.06, 0.18\"); values ( \\\n \"1, 2\", \\\n \"3, 4\"); }\n\
        rise_power(t) { index_1 (\"0.1, 0.2\"); index_2 (\"0.06, 0.18\"); values (\"1, 4\", \"3, 6\"); } } } }\n\
        cell (BUFX2) { area : 24; }\n\
        cell(\"DFF\") { area : 96.0; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"CLK\"; } }\n\
        cell(LATCH) { area : 0; latch (S,N) { data_in : \"D\"; enable : \"G\"; } pin(D) { } pin(G) { }\n\
        pin(Q) { direction : output; function : \"S\"; } } }\n";

    #[test]
    fn areas_states_and_energies_of_a_library_are_read() {
        let library = Library::parse(Path::new("small.lib"), LIBERTY).expect("a library");
        assert_eq!((library.name.as_str(), library.voltage), ("small", 1.8));
        assert_eq!(library.smallest(NAND2).ok(), Some(("NAND2X1", 24.0)));
        assert_eq!(library.latch(), Some(["LATCH", "D", "G", "Q"]));
        let dff = library.cells["DFF"].state.as_ref().expect("a flip-flop");
        assert_eq!((dff.flip_flop, dff.data.as_str(), dff.names[1].as_str()), (true, "D", "IQN"));
        let nand = &library.cells["NAND2X1"];
        assert_eq!((nand.leakage, nand.pins["A"].capacitance), (2e-9, 0.01));
        assert_eq!(nand.pins["Y"].energy, [(0.1, 3.0), (0.2, 5.0)]);
        assert_eq!((nand.pins["Y"].energy(0.19), nand.pins["A"].energy(0.19)), (5.0, 0.0));
        let error = Library::parse(Path::new("small.lib"), "library (none) {\n}\n").expect_err("no NAND2");
        assert_eq!(error.to_string(), "small.lib has no cell nand2");
        assert!(Library::parse(Path::new("small.lib"), "}}(((").is_err());
    }

    #[test]
    fn functions_of_liberty_are_evaluated() {
        let values = |text: &str| {
            let function = Function::parse(text).expect("a function");
            (function.inputs.join(" "), function.values.iter().map(|&bit| u8::from(bit)).collect::<Vec<_>>())
        };
        assert_eq!(values("(!(A B))"), ("A B".to_owned(), vec![1, 1, 1, 0]));
        assert_eq!(values("A^B + C'"), ("A B C".to_owned(), vec![1, 1, 1, 1, 0, 1, 1, 0]));
        assert_eq!(values("(!((S A) + (!S B)))"), ("A B S".to_owned(), vec![1, 1, 0, 0, 1, 0, 1, 0]));
        for wrong in ["(A", "A B)", "", "+", &"!".repeat(100), &"(".repeat(100_000)] {
            assert!(Function::parse(wrong).is_err(), "{wrong:.9}");
        }
    }

    #[test]
    fn a_cell_without_an_area_has_that_of_its_shape() {
        let text = "MACRO OTHER\n  SIZE 1 BY 1 ;\nMACRO LATCH\n  CLASS CORE ;\n  SIZE 5.600 BY 10.000 ;\n";
        assert_eq!((lef_area(text, "LATCH"), lef_area(text, "NONE")), (Some(56.0), None));
    }
}
