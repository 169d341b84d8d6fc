// SPDX-License-Identifier: Apache-2.0
//! The syntax tree of SystemVerilog, as Verible writes it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::model::source::SourceFile;
use crate::model::toolchain::run;

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

/// The trees of `files`, which are in `folder`, in their order.
///
/// # Errors
/// With the messages of Verible, when it does not understand a file.
pub fn parse(verible: &Path, folder: &Path, files: &[SourceFile]) -> Result<Vec<Node>> {
    #[derive(Deserialize)]
    struct Parsed {
        tree: Node,
    }
    let mut command = Command::new(verible);
    command.args(["--export_json", "--printtree"]).args(files.iter().map(|file| &file.name)).current_dir(folder);
    let text = run(command, "Verible")?;
    let mut parsed: BTreeMap<String, Parsed> =
        serde_json::from_str(&text).context("the syntax trees that Verible wrote")?;
    let tree = |file: &SourceFile| {
        let tree = parsed.remove(&file.name).with_context(|| format!("Verible gives no tree of {}", file.name))?;
        Ok(tree.tree)
    };
    files.iter().map(tree).collect()
}
