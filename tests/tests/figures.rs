// SPDX-License-Identifier: Apache-2.0
//! Tables and samples between marks in documents are what the commands of the marks print.
//!
//! ```text
//! <!-- figures: COMMAND -->         compared by `make test`
//! <!-- slow figures: COMMAND -->    compared by `make test-all`
//! <!-- measured: COMMAND -->        times: not compared; the last line has the commit
//! <!-- compared: TEST -->           written by hand, compared by this test of this file
//! ...
//! <!-- end -->
//! ```
//!
//! `make figures` writes them all, or with `ONLY=TEXT` those with this text in the mark or in the name of the document.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::markdown::{all, files, read, root, session};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Quick,
    Slow,
    Measured,
    Compared,
}

const MARKS: [(&str, Kind); 4] = [
    ("<!-- figures: ", Kind::Quick),
    ("<!-- slow figures: ", Kind::Slow),
    ("<!-- measured: ", Kind::Measured),
    ("<!-- compared: ", Kind::Compared),
];
const END: &str = "<!-- end -->\n";

/// What is between a mark and its end.
#[derive(Debug, PartialEq, Eq)]
struct Section<'a> {
    /// The line of the mark.
    line: usize,
    kind: Kind,
    /// Or the name of a test.
    command: &'a str,
    text: &'a str,
}

/// The sections of a document.
fn sections<'a>(name: &str, source: &'a str) -> Vec<Section<'a>> {
    let mut sections = Vec::new();
    let (mut at, mut fenced) = (0, false);
    for (number, line) in (1..).zip(source.split_inclusive('\n')) {
        at += line.len();
        fenced ^= line.starts_with("```");
        let mark = MARKS.iter().find_map(|(mark, kind)| Some((*kind, line.strip_prefix(mark)?)));
        let Some((kind, rest)) = mark.filter(|_| !fenced) else { continue };
        let command = rest.strip_suffix(" -->\n").unwrap_or_else(|| panic!("{name}:{number}: the mark is one line"));
        let (text, _) = source[at..].split_once(END).unwrap_or_else(|| panic!("{name}:{number}: no {END}"));
        sections.push(Section { line: number, kind, command, text });
    }
    sections
}

/// The first line that differs, in both.
fn difference(document: &str, printed: &str) -> String {
    let (mut old, mut new) = (document.lines(), printed.lines());
    loop {
        match (old.next(), new.next()) {
            (None, None) => return String::new(),
            (a, b) if a != b => {
                return format!("  document  {}\n  command   {}\n", a.unwrap_or_default(), b.unwrap_or_default());
            }
            _ => {}
        }
    }
}

/// What the command prints, and the files that it writes below docs/ in a folder of its own.
fn printed(place: &str, command: &str) -> (String, Vec<(String, Vec<u8>)>) {
    let folder = session::folder();
    fs::create_dir_all(folder.path().join("docs/images")).unwrap();
    let output = session::shell(command, folder.path());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{place}: `{command}` fails:\n{error}");
    let path = |path: &Path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
    let written = files(&folder.path().join("docs"), true);
    let written = written.iter().map(|file| (path(file), fs::read(file).unwrap())).collect();
    (String::from_utf8(output.stdout).unwrap(), written)
}

/// Compares the sections of a kind with what their commands print; with `only`, writes those of all kinds that have it.
fn hold(compared: Kind, only: Option<&str>) {
    let (mut complaints, mut count) = (String::new(), 0);
    for document in all() {
        let (name, mut new) = (&document.name, document.source.clone());
        for section in sections(name, &document.source) {
            let Section { line, kind, command, text } = section;
            let wanted = only.map_or(kind == compared, |only| format!("{name} {command}").contains(only));
            if !wanted || kind == Kind::Compared {
                continue;
            }
            count += 1;
            let place = format!("{name}:{line}");
            let (mut fresh, written) = printed(&place, command);
            if kind == Kind::Measured {
                write!(fresh, "\nMeasured with commit {}.\n", commit()).unwrap();
            }
            if only.is_some() {
                // A mark with its text is in one place: the command says what the text is.
                let section = |text: &str| format!("{command} -->\n{text}{END}");
                new = new.replace(&section(text), &section(&fresh));
                written.iter().for_each(|(file, bytes)| fs::write(root().join(file), bytes).unwrap());
                continue;
            }
            let difference = difference(text, &fresh);
            if !difference.is_empty() {
                writeln!(complaints, "{place} is not what `{command}` prints:\n{difference}").unwrap();
            }
            for (file, _) in
                written.iter().filter(|(file, bytes)| fs::read(root().join(file)).ok().as_ref() != Some(bytes))
            {
                writeln!(complaints, "{file} is not what `{command}` writes ({place})").unwrap();
            }
        }
        if new != document.source {
            fs::write(root().join(name), new).unwrap();
        }
    }
    assert!(complaints.is_empty(), "{complaints}`make figures` writes what its commands print");
    assert!(count > 0 || only.is_some(), "there is nothing to compare");
}

/// The commit that is checked out.
fn commit() -> String {
    let git = ["log", "-1", "--format=%h", "--abbrev=8"];
    let output = std::process::Command::new("git").args(git).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn figures_of_documents_are_what_their_commands_print() {
    hold(Kind::Quick, None);
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn slow_figures_are_what_their_commands_print() {
    hold(Kind::Slow, std::env::var("WRITE_FIGURES").ok().as_deref());
}

#[test]
fn a_stale_figure_is_told() {
    let page = "# A\n<!-- figures: cosim x -->\n| a |\n| 1 |\n<!-- end -->\n```\n<!-- figures: no -->\n```\n";
    let section = Section { line: 2, kind: Kind::Quick, command: "cosim x", text: "| a |\n| 1 |\n" };
    assert_eq!(sections("a.md", page), [section]);
    assert_eq!(difference("| a |\n| 1 |\n", "| a |\n| 1 |\n"), "");
    assert_eq!(difference("| a |\n| 1 |\n", "| a |\n| 2 |\n"), "  document  | 1 |\n  command   | 2 |\n");
    assert_eq!(difference("| a |\n", "| a |\n| 2 |\n"), "  document  \n  command   | 2 |\n");
}

/// Numbers are aligned to the right: such a table has a mark.
#[test]
fn a_table_of_numbers_has_a_command() {
    for document in all() {
        let marked = sections(&document.name, &document.source);
        for Section { line, kind, command, .. } in &marked {
            let is_test = include_str!("figures.rs").contains(&format!("\n#[test]\nfn {command}() {{"));
            assert!(*kind != Kind::Compared || is_test, "{}:{line}: there is no test {command}", document.name);
        }
        let lines: Vec<&str> = document.source.lines().collect();
        for (head, rule) in
            lines.iter().zip(&lines[1..]).filter(|(_, rule)| rule.starts_with('|') && rule.contains("-:|"))
        {
            let has_mark = marked.iter().any(|section| section.text.contains(&format!("{head}\n{rule}\n")));
            assert!(has_mark, "{}: no mark for the table {head}", document.name);
        }
    }
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<&str> {
    line.split('|').skip(1).map(str::trim).collect()
}

/// Column *draft* of docs/revision.md is that of `w16` in docs/workloads.md, *revision*, *best* and *DMA* of `w16r`.
#[test]
fn the_gain_of_the_revision_is_that_of_the_workloads() {
    let workloads = read("docs/workloads.md").source;
    let group = |config: &str| -> Vec<Vec<&str>> {
        let text = workloads.split(&format!("\n## {config}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
        text.lines().filter(|line| line.starts_with("| ")).map(cells).collect()
    };
    let (draft, revision) = (group("w16"), group("w16r"));
    let head = &draft[0];
    let column = |name: &str| head.iter().position(|cell| *cell == name).unwrap();
    let [share, best, dma] = ["of W bytes", "of the best", "DMA, 16 B"].map(column);
    let page = read("docs/revision.md").source;
    let marked = sections("docs/revision.md", &page);
    let table = marked.iter().find(|section| section.kind == Kind::Compared).unwrap().text;
    let mut count = 0;
    for line in table.lines().skip(2) {
        let cells = cells(line);
        let bare = |cell: &str| cell.split(',').next().unwrap().replace("**", "");
        let is_row = |i: &usize| {
            [&draft, &revision].map(|group| &group[*i]).map(|row| bare(row[share])) == [cells[1], cells[2]]
                && [bare(revision[*i][best]), bare(revision[*i][dma])] == [cells[3], cells[5]]
        };
        assert!((1..draft.len()).any(|i| is_row(&i)), "docs/workloads.md has no such row: {line}");
        count += 1;
    }
    assert!(count > 10, "{count} rows");
}
