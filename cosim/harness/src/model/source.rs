// SPDX-License-Identifier: Apache-2.0
//! Where the SystemVerilog of a unit comes from: the generator, a folder, or netlists. It is read once, so that whoever
//! edits a file during a run gets one verdict on one state.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::string::FromUtf8Error;

use anyhow::{Context, Result, bail, ensure};

use crate::base::draw::{FNV_START, fnv};

/// The names of the files that a unit has beside its modules.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// List of the synthesizable files, in reading order.
    pub list: &'static str,
    /// List of the files that the bench adds: the next two.
    pub bench_list: &'static str,
    /// Control file of Verilator: what C++ may read.
    pub control: &'static str,
    /// What the bench binds into the unit.
    pub probe: &'static str,
}

/// Most bytes of a source file.
const LARGEST: u64 = 256 << 20;

/// A file of SystemVerilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// File name without a folder. Where two files would have the same one, and for what others include with a folder,
    /// a path below the folder of all.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl SourceFile {
    /// Writes the file into `folder`, where the tools that read RTL run.
    pub fn write_into(&self, folder: &Path) -> Result<()> {
        let path = folder.join(&self.name);
        let around = path.parent().unwrap_or(folder);
        fs::create_dir_all(around).with_context(|| format!("cannot create the folder {}", around.display()))?;
        fs::write(&path, &self.text).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Who has written the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// By people, or for them: what Verilator warns of is an error.
    Rtl,
    /// By a synthesizer.
    Netlist,
}

/// All files of a unit.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The synthesizable files in reading order.
    pub files: Vec<SourceFile>,
    /// Files that others include.
    pub headers: Vec<SourceFile>,
    /// What the bench binds into the unit; without it only the ports are seen.
    pub probe: Option<Probe>,
    /// Who has written them.
    pub style: Style,
}

/// What the bench binds into the unit.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Control files of Verilator: what C++ may read.
    pub control: Vec<SourceFile>,
    /// The modules that are bound.
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// The files that the generator gives.
    ///
    /// # Errors
    /// When a file of the list is not there, which is an error of the generator.
    pub fn generated(files: &[SourceFile], names: Names) -> Result<Sources> {
        Ok(Sources {
            files: listed(files, names.list)?,
            headers: files.iter().filter(|file| file.name.ends_with(".svh")).cloned().collect(),
            probe: Some(Probe { control: vec![file(files, names.control)?], files: vec![file(files, names.probe)?] }),
            style: Style::Rtl,
        })
    }

    /// These files of a folder, in reading order, and what they may include from it.
    ///
    /// # Errors
    /// For a file that cannot be read.
    pub fn files(folder: &Path, names: &[&str]) -> Result<Sources> {
        let files = names.iter().map(|name| read(&folder.join(name))).collect::<Result<Vec<_>>>()?;
        let headers = headers_of(&[folder.to_owned()], &files)?;
        Ok(Sources { files, headers, probe: None, style: Style::Rtl })
    }

    /// The files that the list of a folder names, and the probe if it is there. Files that others include are taken
    /// from the folders that a line `+incdir+FOLDER` names, the first one that has it, and from the folder itself.
    ///
    /// # Errors
    /// For a list or a file that cannot be read, and for lines that are neither; the message names the line.
    pub fn folder(folder: &Path, names: Names) -> Result<Sources> {
        let list = folder.join(names.list);
        let text = read(&list).with_context(|| format!("--rtl {}", folder.display()))?.text;
        let mut files = Vec::new();
        let mut folders: Vec<PathBuf> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = without_comment(line).trim();
            let at = || format!("{}, line {number}", list.display());
            match (line, line.strip_prefix("+incdir+")) {
                ("", _) => {}
                (line, _) if line.starts_with('#') => {}
                (_, Some(paths)) => {
                    let named = paths.split('+').map(|path| folder.join(path));
                    let new: Vec<PathBuf> = named.filter(|path| !folders.contains(path)).collect();
                    folders.extend(new);
                }
                (line, None) if line.starts_with(['-', '+']) => {
                    bail!("{}: {line:?} is not allowed; allowed: names of files, +incdir+FOLDER, // comments", at())
                }
                (line, None) => files.push(read(&folder.join(line)).with_context(at)?),
            }
        }
        ensure!(!files.is_empty(), "{}: no files", list.display());
        if !folders.contains(&folder.to_owned()) && !folders.contains(&folder.join(".")) {
            folders.push(folder.to_owned());
        }
        let headers = headers_of(&folders, &files)?;
        let extra = files::read_text(&folder.join(names.bench_list), files::TABLE).unwrap_or_default();
        let beside = |name: &str| -> Result<Option<SourceFile>> {
            // In a tree of several configurations it may be in a folder that they share.
            let places = files_named(&extra, name).map(|path| folder.join(path)).chain([folder.join(name)]);
            places.into_iter().find(|path| path.exists()).map(|path| read(&path)).transpose()
        };
        let probe = match (beside(names.control)?, beside(names.probe)?) {
            (Some(control), Some(probe)) => Some(Probe { control: vec![control], files: vec![probe] }),
            _ => None,
        };
        files.retain(|file| file.name != names.probe);
        distinguish(&mut files);
        Ok(Sources { files, headers, probe, style: Style::Rtl })
    }

    /// A unit after synthesis: netlists and the models of their cells. Initial values in the models of cells do not
    /// count: as in the RTL, flip-flops and memories start at random.
    pub fn netlist(netlists: &[PathBuf], cells: &[PathBuf]) -> Result<Sources> {
        let mut files = Vec::new();
        for path in cells {
            files.push(read(path)?);
        }
        let folders: BTreeSet<&Path> = cells.iter().filter_map(|path| path.parent()).collect();
        let named = |folder: &Path| if folder == Path::new("") { PathBuf::from(".") } else { folder.to_owned() };
        let mut headers = headers_of(&folders.into_iter().map(named).collect::<Vec<_>>(), &files)?;
        files.iter_mut().chain(&mut headers).for_each(|file| file.text = without_values_and_delays(&file.text));
        for path in netlists {
            files.push(read(path)?);
        }
        distinguish(&mut files);
        Ok(Sources { files, headers, probe: None, style: Style::Netlist })
    }

    /// All of them, those of the probe too.
    pub fn all(&self) -> impl Iterator<Item = &SourceFile> {
        let probe = self.probe.iter().flat_map(|probe| probe.control.iter().chain(&probe.files));
        self.files.iter().chain(&self.headers).chain(probe)
    }
}

/// A line of a list up to its comment: `//` within a path (`.//a.sv`) is none.
fn without_comment(line: &str) -> &str {
    let comment =
        line.match_indices("//").find(|(at, _)| line[..*at].chars().next_back().is_none_or(char::is_whitespace));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// The lines of a list that name the file `name` in another folder.
fn files_named<'a>(list: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    list.lines().map(str::trim).filter(move |line| Path::new(line).file_name() == Some(OsStr::new(name)))
}

/// What the `listed` files may include: files in `folders` with the endings of headers, and what is included by name. Of
/// several with a name the first one counts, as for Verilator.
fn headers_of(folders: &[PathBuf], listed: &[SourceFile]) -> Result<Vec<SourceFile>> {
    let mut headers: Vec<SourceFile> = Vec::new();
    for folder in folders {
        let paths = files::in_folder(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
        let is_header = |path: &&PathBuf| path.extension().is_some_and(|e| e == "svh" || e == "vh") && path.is_file();
        for path in paths.iter().filter(is_header) {
            let header = read(path)?;
            if listed.iter().chain(&headers).all(|other| other.name != header.name) {
                headers.push(header);
            }
        }
    }
    let mut texts: Vec<String> = listed.iter().chain(&headers).map(|file| file.text.clone()).collect();
    while let Some(text) = texts.pop() {
        for name in included(&text) {
            if listed.iter().chain(&headers).any(|other| other.name == name) || !is_below(name) {
                continue;
            }
            // What is not found may be left out by the preprocessor; else Verilator says so.
            if let Some(path) = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()) {
                let header = SourceFile { name: name.to_owned(), ..read(&path)? };
                texts.push(header.text.clone());
                headers.push(header);
            }
        }
    }
    Ok(headers)
}

/// The names behind `include in a text, in comments, too.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.split("`include").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}

/// Whether a path leads to a file below the folder that it begins in.
fn is_below(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Gives files that have the name of an earlier one a folder of their own.
fn distinguish(files: &mut [SourceFile]) {
    for at in 0..files.len() {
        let (earlier, rest) = files.split_at_mut(at);
        let same = earlier.iter().filter(|file| file.name == rest[0].name).count();
        if same > 0 {
            rest[0].name = format!("{}/{}", same + 1, rest[0].name);
        }
    }
}

/// A hash of the names and texts of files.
pub fn digest<'a>(files: impl IntoIterator<Item = &'a SourceFile>) -> u64 {
    let add = |hash, file: &SourceFile| fnv(fnv(hash, file.name.as_bytes()), file.text.as_bytes());
    files.into_iter().fold(FNV_START, add)
}

/// The file of this name that the generator gives.
pub fn file(generated: &[SourceFile], name: &str) -> Result<SourceFile> {
    let found = generated.iter().find(|file| file.name == name).cloned();
    found.with_context(|| format!("the generator gives no file {name}"))
}

/// The files that `list` names, a line each, of those that the generator gives.
pub fn listed(generated: &[SourceFile], list: &str) -> Result<Vec<SourceFile>> {
    let list = file(generated, list)?.text;
    let names = list.lines().filter(|line| !line.starts_with("+incdir+"));
    names.map(|line| file(generated, line.trim())).collect()
}

/// Reads a file, whatever its folder.
fn read(path: &Path) -> Result<SourceFile> {
    let shown = path.display();
    let bytes = files::read(path, LARGEST).with_context(|| format!("cannot read {shown}"))?;
    // What is not UTF-8 is Latin-1, in comments mostly.
    let latin = |error: FromUtf8Error| error.into_bytes().into_iter().map(char::from).collect();
    let mut text = String::from_utf8(bytes).unwrap_or_else(latin);
    // The mark that some editors put before a text.
    text.drain(..text.len() - text.trim_start_matches('\u{feff}').len());
    let name = path.components().next_back().and_then(|last| match last {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let name = name.with_context(|| format!("{shown} has no name"))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let ok = name.chars().all(plain) && !name.starts_with(['-', '+']);
    ensure!(
        ok,
        "the file name {name:?} is not allowed; allowed: letters, digits, '.', '_', '-', '+', not one of the last two first"
    );
    Ok(SourceFile { name: name.to_owned(), text })
}

/// The text with initial blocks that do nothing, and without blocks of delays, which newer Verilators warn of; outside
/// of comments and strings.
fn without_values_and_delays(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let mut delays = false;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '`' || c == '\\';
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, tail) = rest.split_at(length);
        delays |= token == "specify";
        match token {
            // Lines keep their numbers.
            _ if delays => result.extend(token.chars().filter(|&c| c == '\n')),
            "initial" => result.push_str("initial if (0)"),
            _ => result.push_str(token),
        }
        delays &= token != "endspecify";
        rest = tail;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_blocks_of_cells_do_nothing() {
        let text = "// initial\n/* initial */ wire initial_q; initial Q = \"initial\";\ninitial begin m[0] = 1; end";
        let expected = "// initial\n/* initial */ wire initial_q; initial if (0) Q = \"initial\";\n\
                        initial if (0) begin m[0] = 1; end";
        assert_eq!(without_values_and_delays(text), expected);
    }

    #[test]
    fn delays_of_cells_are_left_out() {
        let text =
            "wire specify_q;\nspecify\n  (A => Z) = 141; // endspecify\nendspecify assign Z = A; // specify\nendmodule";
        let expected = "wire specify_q;\n\n\n assign Z = A; // specify\nendmodule";
        assert_eq!(without_values_and_delays(text), expected);
    }

    const NAMES: Names = Names { list: "unit.f", bench_list: "bench.f", control: "bench.vlt", probe: "probe.sv" };

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("created");
            std::fs::write(path, text).expect("written");
        }
        folder
    }

    #[test]
    fn a_folder_is_read_as_its_list_says() {
        let list = "\u{feff}common//a.sv\n// synthesizable\n\n# more\n.//b.sv // the top\n+incdir+inc+more\n";
        let files = [("unit.f", list), ("common/a.sv", "A"), ("b.sv", "B"), ("inc/h.svh", "\u{feff}H"), ("c.sv", "C")];
        let files = [&files[..], &[("more/i.svh", "I")]].concat();
        let place = folder(&files);
        std::fs::write(place.path().join("b.sv"), b"// \xe9t\xe9").expect("Latin-1");
        let sources = Sources::folder(place.path(), NAMES).expect("sources");
        let names: Vec<&str> = sources.all().map(|file| file.name.as_str()).collect();
        assert_eq!((names, sources.probe.is_some()), (vec!["a.sv", "b.sv", "h.svh", "i.svh"], false));
        assert_eq!((&*sources.files[1].text, &*sources.headers[0].text), ("// \u{e9}t\u{e9}", "H"));
        let probe = [("probe.sv", "P"), ("shared/bench.vlt", "V"), ("bench.f", "shared/bench.vlt\nprobe.sv")];
        let sources = Sources::folder(folder(&[&files[..], &probe].concat()).path(), NAMES).expect("sources");
        assert!(sources.probe.is_some());
    }

    /// As Verilator takes them: files of one name, an include with a folder, in an included file, too, and a header that
    /// several folders have, of which the first one counts.
    #[test]
    fn names_are_those_that_files_use() {
        let list = "+incdir+one+two\na.sv\nsub/a.sv\nsub/b.sv\n+incdir+three\n";
        let a = "`include \"h.svh\"\n`include \"deep/i.inc\"\n`include \"b.sv\"\n`include \"../out.svh\"";
        let files = [("unit.f", list), ("a.sv", a), ("sub/a.sv", "A2"), ("sub/b.sv", "B"), ("h.svh", "here")];
        let headers = [("one/i.svh", "I"), ("two/h.svh", "second"), ("three/h.svh", "third")];
        let deep = [("two/deep/i.inc", "`include \"deep/j.svh\""), ("deep/j.svh", "J"), ("deep/k.svh", "K")];
        let place = folder(&[&files[..], &headers, &deep].concat());
        let sources = Sources::folder(place.path(), NAMES).expect("sources");
        let texts: Vec<[&str; 2]> = sources.all().map(|file| [&*file.name, &*file.text]).collect();
        let inner = ["deep/i.inc", "`include \"deep/j.svh\""];
        let headers = [["i.svh", "I"], ["h.svh", "second"], inner, ["deep/j.svh", "J"]];
        assert_eq!(texts, [&[["a.sv", a], ["2/a.sv", "A2"], ["b.sv", "B"]][..], &headers].concat());
        let written = tempfile::tempdir().expect("folder");
        sources.all().try_for_each(|file| file.write_into(written.path())).expect("written");
        assert_eq!(fs::read_to_string(written.path().join("2/a.sv")).expect("there"), "A2");
    }

    #[test]
    fn what_is_no_list_of_files_is_refused_with_its_line() {
        for (list, message) in [
            ("-v lib.v\n", "unit.f, line 1: \"-v lib.v\" is not allowed; allowed: names of files"),
            ("a.sv\nnone.sv\n", "unit.f, line 2: cannot read"),
            ("// none\n", "unit.f: no files"),
        ] {
            let folder = folder(&[("unit.f", list), ("a.sv", "A")]);
            let error = format!("{:#}", Sources::folder(folder.path(), NAMES).expect_err(list));
            assert!(error.contains(message), "{error}");
        }
        assert!(
            format!("{:#}", Sources::folder(folder(&[]).path(), NAMES).expect_err("empty")).contains("cannot read")
        );
    }
}
