// SPDX-License-Identifier: Apache-2.0
//! What the tests of the documents read in Markdown: fenced blocks, and the text between them.
#![allow(dead_code, clippy::unwrap_used)] // Each test uses a part of it.

pub mod session;

use std::path::{Path, PathBuf};

/// A fenced block.
#[derive(Debug)]
pub struct Block {
    /// First word behind the fence, such as `console`.
    pub language: String,
    /// Second word: the name of the file that the block is.
    pub file: Option<String>,
    /// Its lines, with their numbers in the document.
    pub lines: Vec<(usize, String)>,
}

/// A document, in its two parts.
#[derive(Debug)]
pub struct Document {
    /// Path from the workspace folder.
    pub name: String,
    /// Fenced blocks.
    pub blocks: Vec<Block>,
    /// All other lines, with their numbers.
    pub text: Vec<(usize, String)>,
}

/// The workspace folder.
pub fn root() -> PathBuf {
    e2e::root().canonicalize().unwrap()
}

/// Reads the document at this path from the workspace folder.
pub fn read(name: &str) -> Document {
    let source = std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (mut blocks, mut text, mut open) = (Vec::new(), Vec::new(), None::<Block>);
    for (number, line) in (1..).zip(source.lines()) {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let language = words.next().unwrap_or_default();
                open = Some(Block { language, file: words.next(), lines: Vec::new() });
            }
            (None, Some(block)) => block.lines.push((number, line.to_owned())),
            (None, None) => text.push((number, line.to_owned())),
        }
    }
    assert!(open.is_none(), "{name}: a fenced block has no end");
    Document { name: name.to_owned(), blocks, text }
}

/// All documents: *.md in the workspace folder and below docs/.
pub fn all() -> Vec<Document> {
    let mut names = Vec::new();
    let is_document = |path: &Path| path.extension().is_some_and(|e| e == "md");
    names.extend(files(Path::new(""), false).into_iter().filter(|path| is_document(path)));
    names.extend(files(Path::new("docs"), true).into_iter().filter(|path| is_document(path)));
    assert!(names.len() > 10, "{names:?}");
    names.iter().map(|path| read(path.to_str().unwrap())).collect()
}

/// Files in a folder, as paths from the workspace folder, in order; `deep`: and in the folders in it.
pub fn files(folder: &Path, deep: bool) -> Vec<PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(|entry| entry.file_name());
    let mut found = Vec::new();
    for entry in entries {
        let path = folder.join(entry.file_name());
        if !entry.file_type().unwrap().is_dir() {
            found.push(path);
        } else if deep {
            found.extend(files(&path, true));
        }
    }
    found
}

impl Document {
    /// The text with the inline code cut out, and the inline code: each with the number of its line.
    pub fn prose_and_code(&self) -> (String, Vec<(usize, String)>) {
        let (mut prose, mut code, mut open) = (String::new(), Vec::new(), None::<(usize, String)>);
        for (number, line) in &self.text {
            // Inline code does not go beyond its paragraph.
            if line.trim().is_empty() {
                assert!(open.is_none(), "{}:{number}: inline code has no end", self.name);
            }
            for (part, piece) in line.split('`').enumerate() {
                if part > 0 {
                    match open.take() {
                        Some(done) => code.push(done),
                        None => open = Some((*number, String::new())),
                    }
                }
                match &mut open {
                    Some((_, text)) => text.push_str(piece),
                    None => prose.push_str(piece),
                }
            }
            match &mut open {
                Some((_, text)) => text.push(' '),
                None => prose.push('\n'),
            }
        }
        (prose, code)
    }

    /// Anchors of the headings, as GitHub and GitLab make them.
    pub fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for (_, line) in &self.text {
            let title = line.trim_start_matches('#');
            if title.len() == line.len() || !title.starts_with(' ') {
                continue;
            }
            let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
            let again = anchors.iter().filter(|other| **other == anchor).count();
            anchors.push(if again == 0 { anchor } else { format!("{anchor}-{again}") });
        }
        anchors
    }
}
