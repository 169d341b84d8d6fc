// SPDX-License-Identifier: Apache-2.0
//! The syntax tree of SystemVerilog, as Verible writes it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::base::output;
use crate::model::source::SourceFile;

/// A node; a leaf has a place in the text.
#[derive(Debug, Default, Deserialize)]
pub struct Node {
    /// Name of a rule of the grammar, or the token.
    pub tag: String,
    #[serde(default)]
    start: usize,
    #[serde(default)]
    end: usize,
    #[serde(default)]
    children: Vec<Option<Node>>,
}

impl Node {
    /// The parts that are there.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &Node> {
        self.children.iter().flatten()
    }

    /// The first part with this tag.
    pub fn part(&self, tag: &str) -> Option<&Node> {
        self.parts().find(|part| part.tag == tag)
    }

    /// What these tags lead to, one in the other.
    pub fn path(&self, tags: &[&str]) -> Option<&Node> {
        tags.iter().try_fold(self, |node, tag| node.part(tag))
    }

    pub fn is(&self, tag: &str) -> bool {
        self.tag == tag
    }

    /// All nodes with this tag, but for those in one another, in the order of the text.
    pub fn all<'a>(&'a self, tag: &str) -> Vec<&'a Node> {
        let mut found = Vec::new();
        self.collect(tag, &mut found);
        found
    }

    fn collect<'a>(&'a self, tag: &str, found: &mut Vec<&'a Node>) {
        if self.is(tag) {
            found.push(self);
        } else {
            self.parts().for_each(|part| part.collect(tag, found));
        }
    }

    /// Its bytes of the text; none when it is empty.
    pub fn range(&self) -> Option<Range<usize>> {
        if self.children.is_empty() {
            return (self.end > self.start).then_some(self.start..self.end);
        }
        let first = self.parts().find_map(Node::range)?;
        let last = self.parts().rev().find_map(Node::range)?;
        Some(first.start..last.end)
    }

    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        self.range().and_then(|range| text.get(range)).unwrap_or_default()
    }
}

/// What Verible says of a file.
#[derive(Deserialize)]
struct Parsed {
    #[serde(default)]
    errors: Vec<SyntaxError>,
    tree: Option<Node>,
}

#[derive(Deserialize)]
struct SyntaxError {
    /// From 0.
    line: usize,
    text: String,
}

/// The trees of `files`, which are in `folder`, in their order. A module that Verible does not read, because a macro
/// stands where the grammar has none, say, is not in the tree; that is said.
///
/// # Errors
/// When Verible does not understand what is outside of modules.
pub fn parse(verible: &Path, folder: &Path, files: &[SourceFile]) -> Result<Vec<Node>> {
    let mut files = files.to_vec();
    loop {
        let mut parsed = read(verible, folder, &files)?;
        let mut unread = false;
        for file in &mut files {
            let errors = parsed.get(&file.name).map_or(&[][..], |parsed| &parsed.errors);
            for SyntaxError { line, text } in errors {
                let at = format!("{}, line {}", file.name, line + 1);
                if let Some(lines) = module_around(&file.text, *line) {
                    output::log(&format!("mutate: Verible does not read the module around {at}: it has no mutants"));
                    file.text = without_lines(&file.text, &lines);
                } else {
                    // Nothing is there any more when an earlier error was in the same module.
                    let gone = file.text.lines().nth(*line).is_none_or(|line| line.trim().is_empty());
                    ensure!(gone, "Verible fails: {at}: syntax error at {text:?}");
                }
                unread = true;
            }
        }
        if unread {
            files.iter().try_for_each(|file| file.write_into(folder))?;
            continue;
        }
        let tree = |file: &SourceFile| {
            let tree = parsed.remove(&file.name).and_then(|parsed| parsed.tree);
            tree.with_context(|| format!("Verible gives no tree of {}", file.name))
        };
        return files.iter().map(tree).collect();
    }
}

fn read(verible: &Path, folder: &Path, files: &[SourceFile]) -> Result<BTreeMap<String, Parsed>> {
    let mut command = Command::new(verible);
    command.args(["--export_json", "--printtree"]).args(files.iter().map(|file| &file.name)).current_dir(folder);
    let done = command.output().with_context(|| format!("cannot run Verible: {}", verible.display()))?;
    let said = || String::from_utf8_lossy(&done.stderr).into_owned();
    serde_json::from_slice(&done.stdout).with_context(|| format!("Verible fails: {}", said()))
}

/// The lines of the module that line `line`, from 0, is in.
fn module_around(text: &str, line: usize) -> Option<Range<usize>> {
    let lines: Vec<&str> = text.lines().collect();
    let is =
        |word: &str, line: &str| line.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next() == Some(word);
    let start = lines.get(..=line)?.iter().rposition(|line| is("module", line))?;
    let end = start + lines[start..].iter().position(|line| is("endmodule", line))?;
    (line <= end).then_some(start..end + 1)
}

/// The text with blanks in these lines: all others stay where they are.
fn without_lines(text: &str, gone: &Range<usize>) -> String {
    let blank = |line: &str| line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
    let line = |(number, line): (usize, &str)| if gone.contains(&number) { blank(line) } else { line.to_owned() };
    text.split_inclusive('\n').enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_is_not_read_leaves_the_others_in_their_places() {
        let text = "module a;\nendmodule\n  module b (\u{e9});\n  `KEEP reg x;\n  endmodule\nmodule c;\nendmodule\n";
        assert_eq!(module_around(text, 3), Some(2..5));
        assert_eq!(module_around("wire x;\nmodule a;\nendmodule\n", 0), None);
        assert_eq!(module_around("module a;\nendmodule\nwire x;\n", 2), None);
        let left = without_lines(text, &(2..5));
        assert_eq!(
            (left.len(), left.find("module c"), left.contains("KEEP")),
            (text.len(), text.find("module c"), false)
        );
    }
}
