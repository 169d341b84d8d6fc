// SPDX-License-Identifier: Apache-2.0
//! The package file: constants, types and functions that all modules share.

use std::collections::BTreeSet;

use super::{check_layout, comment, documented, package_header, reindent};

/// A SystemVerilog package under construction.
#[derive(Clone, Debug)]
pub struct Package {
    name: String,
    doc: String,
    body: String,
    constants: Vec<String>,
    others: BTreeSet<String>,
}

impl Package {
    /// An empty package; `doc` becomes the comment above it.
    pub fn new(name: &str, doc: &str) -> Package {
        assert!(name.ends_with("_pkg"), "package name {name} does not end in _pkg");
        Package {
            name: name.into(),
            doc: doc.into(),
            body: String::new(),
            constants: Vec::new(),
            others: BTreeSet::new(),
        }
    }

    /// The package's name, which is also the stem of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A block of `int unsigned` constants, aligned: (name, value, comment).
    pub fn constants(&mut self, title: &str, rows: &[(&str, String, &str)]) {
        let width = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        let value_width = rows.iter().map(|row| row.1.len() + 1).max().unwrap_or(0);
        let mut text = comment(2, title);
        for (name, value, doc) in rows {
            let value = format!("{value};");
            let left = format!("  parameter int unsigned {name:<width$} = ");
            text.push_str(&documented(&left, &value, value_width, doc));
            self.constants.push((*name).into());
        }
        self.push(&text);
    }

    /// An enumeration `name` of `width` bits: (enumerator, value, comment).
    pub fn enumeration(&mut self, doc: &str, name: &str, width: u32, rows: &[(&str, u32, &str)]) {
        let mut text = comment(2, doc);
        text.push_str(&format!("  typedef enum logic [{}:0] {{\n", width - 1));
        let name_width = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        for (at, (enumerator, value, doc)) in rows.iter().enumerate() {
            let comma = if at + 1 == rows.len() { ' ' } else { ',' };
            let line = format!("    {enumerator:<name_width$} = {width}'d{value}{comma}  // {doc}");
            text.push_str(line.trim_end_matches("// ").trim_end());
            text.push('\n');
            self.others.insert((*enumerator).into());
        }
        text.push_str(&format!("  }} {name};\n"));
        self.others.insert(name.into());
        self.push(&text);
    }

    /// Types and functions as text; `names` are those that it declares.
    pub fn text(&mut self, names: &[&str], text: &str) {
        for name in names {
            assert!(text.contains(name), "{}: {name} is not declared by its text", self.name);
            self.others.insert((*name).into());
        }
        self.push(&reindent(2, text));
    }

    /// Qualifies the types, functions and enumerators of this package in `text`.
    pub(crate) fn qualify(&self, text: &str) -> String {
        self.rewrite(text, |word| self.others.contains(word))
    }

    /// Qualifies the constants of this package too, as port declarations need it.
    pub(crate) fn qualify_all(&self, text: &str) -> String {
        self.rewrite(text, |word| self.others.contains(word) || self.constants.iter().any(|c| c == word))
    }

    /// The constants that `text` uses outside comments, in declaration order.
    pub(crate) fn constants_in(&self, text: &str) -> Vec<String> {
        let mut used = BTreeSet::new();
        self.rewrite(text, |word| {
            used.insert(word.to_owned());
            false
        });
        self.constants.iter().filter(|name| used.contains(*name)).cloned().collect()
    }

    /// Puts `package::` before every identifier outside comments that `qualifies` accepts.
    fn rewrite(&self, text: &str, mut qualifies: impl FnMut(&str) -> bool) -> String {
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
            let mut rest = code;
            while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                let (before, tail) = rest.split_at(start);
                let end = tail.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(tail.len());
                let (word, after) = tail.split_at(end);
                out.push_str(before);
                let scoped = out.ends_with("::") || out.ends_with('.') || out.ends_with('\'');
                if !scoped && qualifies(word) {
                    out.push_str(&self.name);
                    out.push_str("::");
                }
                out.push_str(word);
                rest = after;
            }
            out.push_str(rest);
            out.push_str(comment);
        }
        out
    }

    fn push(&mut self, text: &str) {
        if !self.body.is_empty() {
            self.body.push('\n');
        }
        self.body.push_str(text);
    }

    /// The finished file, for the configuration `config` that `argument` of the program stands for.
    pub fn emit(&self, config: &str, argument: &str) -> String {
        let text = format!(
            "{}\n{}package {};\n\n{}\nendpackage\n",
            package_header(config, argument),
            comment(0, &self.doc),
            self.name,
            self.body
        );
        check_layout(&self.name, &text);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_package_are_qualified_outside_comments_and_fields() {
        let mut p = Package::new("a_pkg", "A.");
        p.constants("C.", &[("RowW", "3".into(), "rows")]);
        p.text(&["x_t"], "typedef logic x_t;");
        assert_eq!(p.qualify("x_t a; // x_t\nb.x_t x_tt\n"), "a_pkg::x_t a; // x_t\nb.x_t x_tt\n");
        assert_eq!(p.qualify_all("logic [RowW-1:0]"), "logic [a_pkg::RowW-1:0]");
        assert_eq!(p.constants_in("4'(RowW) // RowX"), ["RowW"]);
    }
}
