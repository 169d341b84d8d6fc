// SPDX-License-Identifier: Apache-2.0
//! The SystemVerilog that is edited by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use include_dir::{Dir, include_dir};

use crate::constants;

/// The files are a part of the program, so that it needs none when it is installed.
static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/sv");

/// Where they are in the checkout that the program was built in.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sv");

/// The first line of each.
const LICENCE: &str = "// SPDX-License-Identifier: Apache-2.0\n";

/// Texts of modules, the constants of a configuration and the control file of the bench, checked.
#[derive(Clone, Debug)]
pub struct Sources {
    files: BTreeMap<String, String>,
}

impl Sources {
    /// The files of `folder`. Without one: those of the checkout that the program was built in, so that an edit counts
    /// at once; where that is gone, those that were embedded when it was built.
    ///
    /// # Errors
    /// For a file that cannot be read, or that does not declare what its name says; the message names it.
    pub fn load(folder: Option<&Path>) -> Result<Sources> {
        let checkout = Path::new(CHECKOUT);
        match folder.or(checkout.is_dir().then_some(checkout)) {
            Some(folder) => Sources::read(folder).with_context(|| format!("SystemVerilog in {}", folder.display())),
            None => {
                let file = |file: &'static include_dir::File| {
                    Some((file.path().to_str()?.to_owned(), file.contents_utf8()?.to_owned()))
                };
                Sources::checked(EMBEDDED.files().filter_map(file).collect())
            }
        }
    }

    fn read(folder: &Path) -> Result<Sources> {
        let mut texts = BTreeMap::new();
        for path in files::in_folder(folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if [".sv", ".svh", ".vlt"].iter().any(|ending| name.ends_with(ending)) {
                let text = files::read_text(&path, files::TABLE).with_context(|| format!("cannot read {name}"))?;
                texts.insert(name.to_owned(), text);
            }
        }
        Sources::checked(texts)
    }

    fn checked(files: BTreeMap<String, String>) -> Result<Sources> {
        for (name, text) in &files {
            ensure!(text.starts_with(LICENCE), "{name}: the first line is not `{}`", LICENCE.trim_end());
            let Some(stem) = name.strip_suffix(".sv") else { continue };
            let declares = |line: &str| words(line).nth(1) == Some(stem) && !line.starts_with(' ');
            let declared = text.lines().any(declares);
            ensure!(declared, "{name}: no module or package `{stem}`: a file has the name of what it declares");
        }
        let sources = Sources { files };
        for name in ["tl_top.sv", "tl_probe.sv", "tl_bench.vlt", "tl_pkg.sv", constants::FILE] {
            ensure!(sources.files.contains_key(name), "no file {name}");
        }
        constants::check(sources.body(constants::FILE))?;
        Ok(sources)
    }

    /// The text of a file below the line with its licence; empty when there is no such file.
    pub fn body(&self, name: &str) -> &str {
        self.files.get(name).and_then(|text| text.strip_prefix(LICENCE)).unwrap_or_default()
    }

    /// Names of all modules that `top` consists of, itself as the last one: each behind those that it instantiates.
    /// Those in `known` are left out.
    pub fn below(&self, top: &str, known: &[String]) -> Vec<String> {
        let mut order = known.to_vec();
        self.visit(top, &mut BTreeSet::new(), &mut order);
        order.split_off(known.len())
    }

    fn visit<'a>(&'a self, module: &'a str, begun: &mut BTreeSet<&'a str>, order: &mut Vec<String>) {
        let Some((name, text)) = self.files.get_key_value(&format!("{module}.sv")) else { return };
        let is_known = order.iter().any(|known| known == module);
        if is_known || name == "tl_pkg.sv" || !begun.insert(module) {
            return;
        }
        for line in text.lines() {
            words(line).for_each(|word| self.visit(word, begun, order));
        }
        order.push(module.to_owned());
    }
}

/// The identifiers and numbers of a line, without those in a comment.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> Result<Sources> {
        let mut all = Sources::load(None).expect("sources").files;
        let licensed = |(name, text): &(&str, &str)| ((*name).to_owned(), format!("{LICENCE}{text}"));
        all.extend(files.iter().map(licensed));
        Sources::checked(all)
    }

    #[test]
    fn a_module_is_behind_those_that_it_instantiates() {
        let sources = sources(&[
            ("tl_a.sv", "// like tl_d\nmodule tl_a (\n);\n  tl_b u_b ();\n  tl_c u_c ();\nendmodule\n"),
            ("tl_b.sv", "module tl_b;\n  logic [tl_pkg::Lanes-1:0] a;\n  tl_c u_c ();\nendmodule\n"),
            ("tl_c.sv", "module tl_c;\nendmodule\n"),
            ("tl_d.sv", "module tl_d;\nendmodule\n"),
        ])
        .expect("sources");
        assert_eq!(sources.below("tl_a", &[]), ["tl_c", "tl_b", "tl_a"]);
        assert_eq!(sources.below("tl_a", &["tl_c".to_owned()]), ["tl_b", "tl_a"]);
    }

    #[test]
    fn what_a_file_lacks_is_told_with_its_name() {
        for (name, text, expected) in [
            ("tl_a.sv", "module tl_b;\nendmodule\n", "tl_a.sv: no module or package `tl_a`"),
            ("tl_config.svh", "\n", "tl_config.svh: no `parameter ... Lanes = ...;`"),
        ] {
            assert!(sources(&[(name, text)]).expect_err(name).to_string().contains(expected), "{name}");
        }
    }

    #[test]
    fn what_is_embedded_is_complete() {
        let count = EMBEDDED.files().count();
        assert_eq!(count, Sources::load(None).expect("sources").files.len());
    }
}
