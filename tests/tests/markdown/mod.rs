// SPDX-License-Identifier: Apache-2.0
//! What the tests of the documents read in Markdown: fenced blocks, and the text between them.
#![allow(dead_code, clippy::unwrap_used)] // Each test uses a part of it.

pub mod session;

use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

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

#[derive(Debug, Default)]
pub struct Document {
    /// Path from the workspace folder.
    pub name: String,
    pub source: String,
    pub blocks: Vec<Block>,
    /// Inline code, with the numbers of its lines.
    pub code: Vec<(usize, String)>,
    /// Targets of links and of pictures.
    pub links: Vec<String>,
    /// Anchors of the headings, as GitHub and GitLab make them.
    pub anchors: Vec<String>,
}

/// The workspace folder.
pub fn root() -> PathBuf {
    e2e::root().canonicalize().unwrap()
}

/// Reads the document at this path from the workspace folder.
pub fn read(name: &str) -> Document {
    let source = std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut document = Document { name: name.to_owned(), ..Document::default() };
    let (mut is_fenced, mut title) = (false, None::<String>);
    for (event, range) in Parser::new_ext(&source, Options::ENABLE_TABLES).into_offset_iter() {
        let number = 1 + source[..range.start].matches('\n').count();
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let language = words.next().unwrap_or_default();
                document.blocks.push(Block { language, file: words.next(), lines: Vec::new() });
                is_fenced = true;
            }
            Event::End(TagEnd::CodeBlock) => {
                let end = source[range].trim_end().lines().skip(1).last().unwrap_or_default();
                assert!(
                    !is_fenced || end.trim_start().starts_with("```"),
                    "{name}:{number}: a fenced block has no end"
                );
                is_fenced = false;
            }
            Event::Text(text) if is_fenced => {
                let lines = (number..).zip(text.lines().map(str::to_owned));
                document.blocks.last_mut().unwrap().lines.extend(lines);
            }
            Event::Text(text) => {
                assert!(!text.contains('`'), "{name}:{number}: inline code has no end");
                title.iter_mut().for_each(|title| title.push_str(&text));
            }
            Event::Code(text) => {
                title.iter_mut().for_each(|title| title.push_str(&text));
                document.code.push((number, text.into_string()));
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                document.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => title = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => document.anchors.push(anchor(&title.take().unwrap(), &document.anchors)),
            _ => {}
        }
    }
    Document { source, ..document }
}

/// The anchor of a heading behind those with the anchors `before`.
fn anchor(title: &str, before: &[String]) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
    let again = before.iter().filter(|other| **other == anchor).count();
    if again == 0 { anchor } else { format!("{anchor}-{again}") }
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

/// Whether `text` is `pattern`, in which `any` stands for anything.
pub fn is_like(pattern: &str, any: &str, text: &str) -> bool {
    match pattern.split_once(any) {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(n, _)| n).chain([rest.len()]);
            ends.any(|n| is_like(tail, any, &rest[n..]))
        }),
    }
}
