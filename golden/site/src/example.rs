// SPDX-License-Identifier: Apache-2.0
//! Examples in assembly language: each gets a link that opens it in the playground.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// The configuration of `golden run` without `--config`.
const DEFAULT: &str = "w16";

/// A fenced block.
#[derive(Default)]
struct Block {
    language: String,
    /// The file that it is.
    file: Option<String>,
    text: String,
    /// Where the page goes on behind it.
    end: usize,
}

/// The page with a link to `playground` behind each block in assembly language that a command `golden run` of the page
/// names, with the files that this command names.
pub fn with_links(source: &str, playground: &str) -> String {
    let blocks = blocks(source);
    let (mut changed, mut done) = (String::new(), 0);
    for (at, block) in blocks.iter().enumerate() {
        let Some(file) = block.file.as_deref().filter(|_| block.language == "asm") else { continue };
        let command = format!("$ golden run {file}");
        let run = |block: &Block| block.text.lines().find_map(|line| line.strip_prefix(&command).map(str::to_owned));
        let consoles = (at..).zip(&blocks[at..]).filter(|(_, block)| block.language == "console");
        let Some((end, options)) = consoles.filter_map(|(at, block)| Some((at, run(block)?))).next() else { continue };
        let option = |name: &str| options.split_once(name)?.1.split_whitespace().next();
        // A later file of the same name takes the place of an earlier one.
        let is_file = |block: &&Block, name: &str| block.file.as_deref() == Some(name);
        let contents =
            |name: &str| blocks[..end].iter().rev().find(|block| is_file(block, name)).map(|file| &file.text[..]);
        let config = option("--config ").map_or(DEFAULT, |name| contents(name).unwrap_or(name));
        let mut link = format!("{playground}#program={}&config={}", encoded(&block.text), encoded(config));
        if let Some(l1m) = option("--l1m ").and_then(contents) {
            link += &format!("&text={}", encoded(l1m));
        }
        changed.push_str(source[done..block.end].trim_end());
        changed.push_str(&format!("\n\n[Step through {file}]({link})\n"));
        done = block.end;
    }
    changed + &source[done..]
}

fn blocks(source: &str) -> Vec<Block> {
    let (mut blocks, mut open) = (Vec::new(), None::<Block>);
    for (event, range) in Parser::new(source).into_offset_iter() {
        match (event, &mut open) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), _) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let (language, file) = (words.next().unwrap_or_default(), words.next());
                open = Some(Block { language, file, end: range.end, ..Block::default() });
            }
            (Event::Text(text), Some(block)) => block.text.push_str(&text),
            (Event::End(TagEnd::CodeBlock), _) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// As a part of a link.
fn encoded(text: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let one = |byte: u8| if is_plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}
