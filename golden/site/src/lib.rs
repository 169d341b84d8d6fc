// SPDX-License-Identifier: Apache-2.0
//! The documents of the checkout as the sources of a book: pages as `SUMMARY.md` lists them, files that they link to.
//!
//! Pages keep their paths, so links between them work. A link to what is not in the book, such as a source file,
//! becomes its text. The playground is a page of its own, and each example in assembly language has a link to it.

mod example;

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, ensure};
use data_encoding::BASE64;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

/// Most bytes of a page or of a file beside the pages.
const MOST: u64 = 16 << 20;

/// The folder of the checkout whose pages are all in the book.
const DOCS: &str = "docs";

/// The table of contents, and where the checkout has it.
const SUMMARY: &str = "golden/site/SUMMARY.md";

/// The page that mdbook writes as `index.html`.
const ENTRY: &str = "README.md";

/// Languages of fenced blocks that the highlighter of mdbook does not know, and would complain of.
const UNKNOWN: [&str; 2] = ["asm", "systemverilog"];

/// The page with the model, and the folder of its parts in the book.
const PLAYGROUND: &str = "playground.md";
const PARTS: [&str; 4] = ["machine.js", "page.js", "style.css", "view.js"];

/// The files of the book with their paths in its folder: settings, pages, and what is beside them. `root` is the folder
/// of the checkout, `model` the WebAssembly of `golden/web`.
///
/// # Errors
/// When a page of `docs/` is not in `SUMMARY.md`, or something that is there or is linked to cannot be read.
pub fn sources(root: &Path, model: &[u8]) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let summary = text(root, SUMMARY)?;
    let mut pages = destinations(&summary);
    pages.retain(|page| page != Path::new(PLAYGROUND));
    let mut beside = Vec::new();
    below(root, Path::new(DOCS), &mut beside)?;
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let (documents, beside): (Vec<_>, Vec<_>) = beside.into_iter().partition(is_page);
    for document in &documents {
        ensure!(pages.contains(document), "{SUMMARY}: {} is missing", document.display());
    }
    let known: Vec<&Path> = pages.iter().chain(&beside).map(PathBuf::as_path).collect();
    let mut sources = vec![(PathBuf::from("book.toml"), text(root, "golden/site/book.toml")?.into_bytes())];
    sources.push(("src/SUMMARY.md".into(), summary.into_bytes()));
    let playground = Path::new("golden/site/playground");
    sources.push((Path::new("src").join(PLAYGROUND), bytes(root, playground.join(PLAYGROUND))?));
    for part in PARTS {
        sources.push((Path::new("src/playground").join(part), bytes(root, playground.join(part))?));
    }
    // Pages of a folder may not read files, but a script.
    let script = format!("const TL_MODEL = '{}';\n", BASE64.encode(model));
    sources.push(("src/playground/model.js".into(), script.into_bytes()));
    for page in &pages {
        let source = text(root, page)?;
        let folder = page.parent().unwrap_or(Path::new(""));
        let is_in_book = |link: &str| {
            let path = normal(&folder.join(link));
            path == Path::new(PLAYGROUND) || known.contains(&path.as_path())
        };
        let up = "../".repeat(folder.components().count());
        let source = example::with_links(&source, &format!("{up}{PLAYGROUND}"));
        let changed = self::page(&source, is_in_book).with_context(|| page.display().to_string())?;
        sources.push((Path::new("src").join(page), changed.into_bytes()));
    }
    for path in &beside {
        sources.push((Path::new("src").join(path), bytes(root, path)?));
    }
    Ok(sources)
}

/// What the links of a page lead to.
fn destinations(source: &str) -> Vec<PathBuf> {
    let link = |event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(PathBuf::from(dest_url.as_ref())),
        _ => None,
    };
    Parser::new(source).filter_map(link).collect()
}

/// The page as the book needs it: links to what the book does not have are their text, and fenced blocks have no
/// language that it does not know.
fn page(source: &str, is_in_book: impl Fn(&str) -> bool) -> Result<String> {
    let (mut changed, mut done) = (String::new(), 0);
    for (event, range) in Parser::new_ext(source, Options::ENABLE_TABLES).into_offset_iter() {
        let text = &source[range.clone()];
        let (length, replacement) = match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let info = info.as_ref();
                let unknown = UNKNOWN.contains(&info.split(' ').next().unwrap_or_default());
                let Some(fence) = text.find(info).filter(|_| unknown) else { continue };
                (fence + info.len(), format!("{}text", &text[..fence]))
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let file = dest_url.split('#').next().unwrap_or_default();
                let is_entry = file.ends_with(ENTRY);
                if dest_url.contains("://") || file.is_empty() || is_in_book(file) && !is_entry {
                    continue;
                }
                let words = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(&format!("]({dest_url})")));
                let words = words.with_context(|| format!("`{text}`: allowed is a link of the form [text](file)"))?;
                let to_entry = format!("[{words}]({})", dest_url.replace(ENTRY, "index.md"));
                (text.len(), if is_entry { to_entry } else { words.to_owned() })
            }
            _ => continue,
        };
        changed.push_str(&source[done..range.start]);
        changed.push_str(&replacement);
        done = range.start + length;
    }
    changed.push_str(&source[done..]);
    Ok(changed)
}

/// The path without `..`.
fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        if part == Component::ParentDir {
            path.pop();
        } else {
            path.push(part);
        }
        path
    })
}

/// The files in a folder of the checkout and in the folders in it, in order.
fn below(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in files::in_folder(&root.join(folder)).with_context(|| folder.display().to_string())? {
        let inner = folder.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            below(root, &inner, found)?;
        } else {
            found.push(inner);
        }
    }
    Ok(())
}

fn bytes(root: &Path, path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let path = path.as_ref();
    files::read(&root.join(path), MOST).with_context(|| format!("cannot read {}", path.display()))
}

fn text(root: &Path, path: impl AsRef<Path>) -> Result<String> {
    let name = path.as_ref().display().to_string();
    files::text(bytes(root, path)?).with_context(|| name)
}
