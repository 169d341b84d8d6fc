// SPDX-License-Identifier: Apache-2.0
//! Assembly language as tokens: labels, numbers, separators, strings and comments are told apart here, as GNU as does.

use super::error::Fault;

/// A token and the column, from 1, of its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub column: usize,
}

/// What stands between separators, the end of the line or `;`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    /// The line of its first token, from 1.
    pub line: usize,
    /// `,`, `(`, `)`, `:`, strings, characters, and the words between them and white space.
    pub tokens: Vec<Token<'a>>,
    /// `;` stands before it.
    pub follows: bool,
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

/// The statements of a program in order, and what is no token.
pub(super) fn statements(source: &str) -> (Vec<Statement<'_>>, Vec<(usize, Fault)>) {
    let mut lexer = Lexer { rest: source.strip_prefix('\u{feff}').unwrap_or(source), line: 1, column: 1 };
    let (mut done, mut faults, mut current) = (Vec::new(), Vec::new(), Statement::default());
    while let Some(c) = lexer.rest.chars().next() {
        let (line, column) = (lexer.line, lexer.column);
        match c {
            '\n' | ';' => {
                lexer.advance(1);
                done.push(std::mem::replace(&mut current, Statement { follows: c == ';', ..Statement::default() }));
            }
            _ if c.is_whitespace() => drop(lexer.advance(c.len_utf8())),
            _ if lexer.at_comment() => {
                if lexer.skip_comment().is_none() {
                    faults.push((line, Fault::new(column, "`/*` without `*/`")));
                }
            }
            _ => {
                let text = lexer.token(c).unwrap_or_else(|| {
                    faults.push((line, Fault::new(column, format!("`{c}` without its end in the same line"))));
                    lexer.advance(lexer.rest.find('\n').unwrap_or(lexer.rest.len()))
                });
                if current.tokens.is_empty() {
                    current.line = line;
                }
                current.tokens.push(Token { text, column });
            }
        }
    }
    done.push(current);
    done.retain(|statement| !statement.tokens.is_empty());
    (done, faults)
}

impl<'a> Lexer<'a> {
    /// The next `bytes` bytes.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (text, rest) = self.rest.split_at(bytes);
        for c in text.chars() {
            (self.line, self.column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        text
    }

    fn at_comment(&self) -> bool {
        ["#", "//", "/*"].iter().any(|mark| self.rest.starts_with(mark))
    }

    /// Goes behind a comment; `None` where it has no end.
    fn skip_comment(&mut self) -> Option<()> {
        let end = if self.rest.starts_with("/*") {
            self.rest[2..].find("*/").map(|at| at + 4)
        } else {
            Some(self.rest.find('\n').unwrap_or(self.rest.len()))
        };
        self.advance(end.unwrap_or(self.rest.len()));
        end.map(drop)
    }

    /// The token that begins with `c`; `None` for a string or a character without an end.
    fn token(&mut self, c: char) -> Option<&'a str> {
        let bytes = match c {
            ',' | '(' | ')' | ':' => 1,
            '"' => self.quoted()?,
            '\'' => self.character()?,
            _ => self.word(),
        };
        Some(self.advance(bytes))
    }

    fn word(&self) -> usize {
        let ends = |(at, c): (usize, char)| {
            let comment = ["//", "/*"].iter().any(|mark| self.rest[at..].starts_with(mark));
            (c.is_whitespace() || comment || matches!(c, ',' | '(' | ')' | ':' | ';' | '#' | '"' | '\'')).then_some(at)
        };
        self.rest.char_indices().find_map(ends).unwrap_or(self.rest.len())
    }

    /// Bytes of a string, with its marks.
    fn quoted(&self) -> Option<usize> {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                '\n' => return None,
                '"' if !escaped => return Some(at + 1),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        None
    }

    /// Bytes of a character, of which the second mark may be missing: `'a'` or `'a`.
    fn character(&self) -> Option<usize> {
        let mut chars = self.rest.chars().skip(1);
        let (first, then) = (chars.next().filter(|&c| c != '\n')?, chars.next());
        let length = if first == '\\' { 2 + then.filter(|&c| c != '\n')?.len_utf8() } else { 1 + first.len_utf8() };
        Some(length + usize::from(self.rest[length..].starts_with('\'')))
    }
}

/// The bytes of a string, or of a character, without its marks; `None` for an escape that is not known.
pub(super) fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match chars.next()? {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            'b' => 8,
            'f' => 12,
            first @ '0'..='7' => {
                let mut value = first.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = 8 * value + digit;
                    chars.next();
                }
                value as u8
            }
            c @ ('\\' | '"' | '\'') => c as u8,
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<Vec<&str>> {
        let (statements, faults) = statements(source);
        assert_eq!(faults, []);
        statements.iter().map(|statement| statement.tokens.iter().map(|token| token.text).collect()).collect()
    }

    #[test]
    fn columns_count_characters_and_comments_are_dropped() {
        let (statements, _) = statements("\u{feff}\u{3000}é tl.load t1,-1(x5)// 载入, x\n\n/* \n*/ b");
        let found: Vec<(&str, usize)> = statements[0].tokens.iter().map(|t| (t.text, t.column)).collect();
        assert_eq!(
            found,
            [("é", 2), ("tl.load", 4), ("t1", 12), (",", 14), ("-1", 15), ("(", 17), ("x5", 18), (")", 20)]
        );
        assert_eq!((statements[1].line, statements[1].tokens[0].column), (4, 4));
    }

    #[test]
    fn what_ends_a_statement() {
        for source in ["a # b", "a // b;c", "a#; b", "a/* b; \n */", "# b\na"] {
            assert_eq!(texts(source), [["a"]], "{source}");
        }
        assert_eq!(texts("a ; b;;c\n"), [["a"], ["b"], ["c"]]);
        assert_eq!(texts("l:a\r\n1:2:b"), [vec!["l", ":", "a"], vec!["1", ":", "2", ":", "b"]]);
        assert_eq!(
            texts("a \"#;\\\",\" , 'b',';' '#,'\\'"),
            [["a", "\"#;\\\",\"", ",", "'b'", ",", "';'", "'#", ",", "'\\'"]]
        );
        for (source, end) in [("\"a\nb", 2), ("'\nb", 2), ("'", 1), ("a /* b", 1), ("\"\\\"\nb", 2)] {
            let (statements, faults) = statements(source);
            assert_eq!((faults.len(), statements.last().map(|s| s.line)), (1, Some(end)), "{source}");
        }
    }

    #[test]
    fn escapes_are_those_of_c() {
        assert_eq!(unescaped("a\\n\\0\\101\\\"é").as_deref(), Some("a\n\0A\"é".as_bytes()));
        assert_eq!((unescaped("\\q"), unescaped("\\")), (None, None));
    }
}
