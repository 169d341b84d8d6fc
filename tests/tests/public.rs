// SPDX-License-Identifier: Apache-2.0
//! What is public (CONTRIBUTING.md, Versions) against tests/public.txt, which has it as of the last release.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use e2e::{root, stdout};
use rtl_gen::{Config, Sources, ports::ports};
use serde_json::Value;

const PINNED: &str = "tests/public.txt";
/// Modules that a team instantiates.
const MODULES: [&str; 6] = ["tl_top", "tl_pcpi_top", "tl_axi_top", "tl_xif_top", "tl_xif_e40x", "tl_window_guard"];
/// JSON objects whose keys are names of engines and reasons.
const MAPS: [&str; 2] = ["engines", "reasons"];
/// It prints, traps and ends with code 7, on a unit with matrix registers and pitches.
const PROGRAM: &str = "li x5, 0x30000000\nli x6, 65\nsb x6, 4(x5)\n.word 0xfff0005b\nli x6, 7\nsw x6, 0(x5)\n";

fn interface(sources: &Sources, lines: &mut BTreeSet<String>) {
    for module in MODULES {
        let text = sources.body(&format!("{module}.sv"));
        for port in ports(text) {
            let direction = if port.is_input { "in" } else { "out" };
            lines.insert(format!("port {module} {} {direction} {}", port.name, port.ty));
        }
        let header = text.lines().take_while(|line| *line != ");").map(str::trim);
        for parameter in header.filter_map(|line| line.strip_prefix("parameter ")) {
            let value = parameter.split("//").next().unwrap().trim().trim_end_matches(',');
            lines.insert(format!("parameter {module} {}", value.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    for field in Config::named("w16r").unwrap().to_toml().lines().filter_map(|line| line.split_once(" = ")) {
        lines.insert(format!("configuration {}", field.0));
    }
}

/// The CSRs that the disassembler knows: `csrr x5, NUMBER` of every number of a unit.
fn csrs(lines: &mut BTreeSet<String>) {
    let numbers: Vec<u32> = (0x800..0x880).chain(0xcc0..0xce0).collect();
    let words: Vec<String> = numbers.iter().map(|number| format!("{number:03x}022f3")).collect();
    let arguments = ["disasm", "--config", "w16r"].into_iter().chain(words.iter().map(String::as_str));
    let text = stdout("golden", &arguments.collect::<Vec<_>>());
    for (number, line) in numbers.iter().zip(text.lines()) {
        if let Some(name) = line.strip_prefix("csrrs x5, ").and_then(|rest| rest.strip_suffix(", x0")) {
            lines.insert(format!("csr {number:#x} {name}"));
        }
    }
}

/// Macros and functions of the C header; those that end in `_` are its own.
fn header(lines: &mut BTreeSet<String>) {
    let text = fs::read_to_string(kernels::folder().join("include/tensorload.h")).unwrap();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if word.to_ascii_lowercase().starts_with("tl_") && !word.ends_with('_') {
            lines.insert(format!("C {word}"));
        }
    }
}

fn exit_codes(lines: &mut BTreeSet<String>) {
    for (program, arguments) in [("golden", &["run", "--help"][..]), ("rtl-gen", &["--help"]), ("cosim", &["--help"])] {
        let help = stdout(program, arguments);
        let codes = help.split_once("Exit code").unwrap().1.lines().next().unwrap();
        let codes = codes.trim_start_matches('s').trim_start_matches([':', ' ']);
        lines.insert(format!("exit {program} {codes}"));
    }
}

/// The fields of a JSON text: `a.b[].c`.
fn fields(name: &str, path: &str, value: &Value, lines: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let is_map = MAPS.iter().any(|map| path.ends_with(map));
            for (key, value) in object {
                let path = format!("{path}.{}", if is_map { "*" } else { key });
                fields(name, &path, value, lines);
                lines.insert(format!("json {name} {path}"));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(name, &format!("{path}[]"), item, lines)),
        _ => (),
    }
}

fn reports(lines: &mut BTreeSet<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("p.s"), PROGRAM).unwrap();
    let report = path("run");
    let ended = e2e::run("golden", &["run", &path("p.s"), "--config", "w16r", "--json", &report]).status.code();
    assert_eq!(ended, Some(3), "a program that ends with another code than 0");
    let addi = "tests/programs/addi.s";
    for arguments in [
        &["run", addi, "--config", "tiny", "--profile-json", &path("profile")][..],
        &["random", "--config", "tiny", "--count", "3000", "--coverage", &path("hits")],
        &["coverage", "report", &path("hits"), "--json", &path("coverage")],
        &["measure", "bench", "--config", "tiny", "--json", &path("bench")],
    ] {
        stdout("cosim", arguments);
    }
    let read = |path| serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap();
    for name in ["run", "profile", "coverage", "bench"] {
        fields(name, "", &read(PathBuf::from(path(name))), lines);
    }
    let faulty =
        ["random", "--config", "tiny", "--fault", "38", "--seed", "1", "--no-shrink", "--out", &path("failures")];
    assert_eq!(e2e::run("cosim", &faulty).status.code(), Some(1), "planted fault 38");
    let mut folders = fs::read_dir(path("failures")).unwrap().map(|entry| entry.unwrap().path());
    let replay = read(folders.find(|path| path.is_dir()).unwrap().join("original.json"));
    lines.insert(format!("json replay .version {}", replay["version"]));
    fields("replay", "", &replay, lines);
    // Which of them a case has depends on the case.
    lines.retain(|line| !line.starts_with("json replay") || !(line.contains("errors[]") || line.contains("patches[]")));
}

/// Major, minor.
fn version(text: &str) -> (u32, u32) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap())
}

/// The least version behind `old` for the change from `before` to `now`. An input that is added is no addition: whoever
/// instantiates the module has to drive it.
fn needed(old: (u32, u32), before: &BTreeSet<String>, now: &BTreeSet<String>) -> (u32, u32) {
    let is_new_input = |line: &&String| line.starts_with("port ") && line.contains(" in ");
    if before.difference(now).next().is_some() || now.difference(before).any(|line| is_new_input(&line)) {
        (old.0 + 1, 0)
    } else if now != before {
        (old.0, old.1 + 1)
    } else {
        old
    }
}

/// `make public` writes the file.
#[test]
fn a_change_of_what_is_public_has_a_new_version() {
    let mut now = BTreeSet::new();
    interface(&Sources::load(None).unwrap(), &mut now);
    csrs(&mut now);
    header(&mut now);
    exit_codes(&mut now);
    reports(&mut now);
    let ours = env!("CARGO_PKG_VERSION");
    if std::env::var_os("PIN_PUBLIC").is_some() {
        let text: String = now.iter().map(|line| format!("{line}\n")).collect();
        return fs::write(root().join(PINNED), format!("version {ours}\n{text}")).unwrap();
    }
    let text = fs::read_to_string(root().join(PINNED)).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let released = first.strip_prefix("version ").unwrap();
    let before: BTreeSet<String> = rest.lines().map(str::to_owned).collect();
    let least = needed(version(released), &before, &now);
    let list = |sign, from: &BTreeSet<String>, to: &BTreeSet<String>| -> String {
        from.difference(to).map(|line| format!("  {sign} {line}\n")).collect()
    };
    assert!(
        version(ours) >= least,
        "this is version {ours}, and what is public is not what it was in {released}:\n{}{}\
         it needs version {}.{}.0 in Cargo.toml (all of them); if {released} is not released yet: make public",
        list('-', &before, &now),
        list('+', &now, &before),
        least.0,
        least.1
    );
}

#[test]
fn removal_needs_a_major_version_and_addition_a_minor_one() {
    let set = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let before = set(&["port m a in logic", "json run .x"]);
    for (now, version) in [
        (&["port m a in logic", "json run .x"][..], (1, 2)),
        (&["port m a in logic", "json run .x", "json run .y"], (1, 3)),
        (&["port m a in logic", "json run .x", "port m b out logic"], (1, 3)),
        (&["port m a in logic", "json run .x", "port m b in logic"], (2, 0)),
        (&["port m a in logic [1:0]", "json run .x"], (2, 0)),
        (&["port m a in logic"], (2, 0)),
    ] {
        assert_eq!(needed((1, 2), &before, &set(now)), version, "{now:?}");
    }
}

/// One version: crates and their dependencies on each other, packages of `rtl/`, the change log.
#[test]
fn the_version_is_the_same_everywhere() {
    let ours = env!("CARGO_PKG_VERSION");
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for line in manifest.lines().filter(|line| line.contains("path = \"")) {
        assert!(line.ends_with(&format!("version = \"{ours}\" }}")), "{line}");
    }
    let python = fs::read_to_string(root().join("golden/python/Cargo.toml")).unwrap();
    assert!(python.contains(&format!("\nversion = \"{ours}\"\n")), "golden/python/Cargo.toml");
    let changes = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let heading = changes.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert!(heading.split([' ', ',']).next() == Some(ours), "CHANGELOG.md: its first heading is {heading:?}");
    let core = fs::read_to_string(root().join("rtl/w16.core")).unwrap();
    assert!(core.contains(&format!("name: tensorload:unit:w16:{ours}\n")), "run `make rtl`");
}

/// `make release-check` runs a block of CONTRIBUTING.md.
#[test]
fn the_check_list_of_a_release_names_targets_that_there_are() {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let list = text.split("\n```sh release\n").nth(1).and_then(|rest| rest.split("\n```\n").next()).unwrap();
    assert!(
        !list.contains("&&") && !list.contains("||"),
        "`sh -e` goes on behind the first part of such a line:\n{list}"
    );
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let targets = list.lines().filter_map(|line| line.strip_prefix("make ")?.split('#').next());
    let targets: Vec<&str> = targets.flat_map(str::split_whitespace).collect();
    for target in &targets {
        assert!(makefile.contains(&format!("\n{target}:")), "make {target}");
    }
    assert!(
        ["test-all", "setup-formal", "public", "dist"].iter().all(|needed| targets.contains(needed)),
        "{targets:?}"
    );
}
