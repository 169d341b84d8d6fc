// SPDX-License-Identifier: Apache-2.0
//! A line of assembly language as tokens.

/// A token and the column, from 1, of its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub column: usize,
}

/// The tokens of a line without its comment: `,`, `(`, `)` and the words between them and white space.
pub(super) fn tokens(line: &str) -> Vec<Token<'_>> {
    let line = &line[..comment_start(line)];
    let mut tokens = Vec::new();
    let mut word_start = None;
    let mut column = 0;
    let mut start_column = 0;
    for (at, c) in line.char_indices() {
        column += 1;
        let is_mark = matches!(c, ',' | '(' | ')');
        if is_mark || c.is_whitespace() {
            if let Some(start) = word_start.take() {
                tokens.push(Token { text: &line[start..at], column: start_column });
            }
            if is_mark {
                tokens.push(Token { text: &line[at..at + 1], column });
            }
        } else if word_start.is_none() {
            (word_start, start_column) = (Some(at), column);
        }
    }
    if let Some(start) = word_start {
        tokens.push(Token { text: &line[start..], column: start_column });
    }
    tokens
}

/// Byte index of the first `#`, `;` or `//`, or the length of the line.
fn comment_start(line: &str) -> usize {
    ["#", ";", "//"].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_comments_are_dropped() {
        let tokens = tokens("\u{3000}é tl.load t1,-1(x5)// 载入, x");
        let found: Vec<(&str, usize)> = tokens.iter().map(|t| (t.text, t.column)).collect();
        assert_eq!(
            found,
            [("é", 2), ("tl.load", 4), ("t1", 12), (",", 14), ("-1", 15), ("(", 17), ("x5", 18), (")", 20)]
        );
    }

    #[test]
    fn every_comment_mark_ends_the_line() {
        for line in ["a # b", "a ; b", "a // b", "a#; b"] {
            assert_eq!(tokens(line), [Token { text: "a", column: 1 }], "{line}");
        }
        assert_eq!(tokens("# only a comment"), []);
    }
}
