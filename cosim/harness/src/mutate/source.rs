// SPDX-License-Identifier: Apache-2.0
//! Mutants of the source: parts of the SystemVerilog text that are exchanged, all of them in one text, of which a
//! number selects one at run time.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};

use super::choose::{self, Place};
use super::mutant::{Kind, Mutant};
use super::text::Numbered;
use super::{module, sites, syntax, text};
use crate::model::source::{SourceFile, Sources};

/// The text of a unit, and where its modules begin.
#[derive(Debug)]
pub struct Source {
    sources: Sources,
    /// For each file the ends of the headers of its modules.
    headers: BTreeMap<String, Vec<usize>>,
    /// The mutants that there can be, of each module.
    places: BTreeMap<String, Vec<Place>>,
}

/// What a list of mutants is of; of all when nothing is said.
#[derive(Clone, Debug, Default)]
pub struct Only {
    pub module: Option<String>,
    pub kind: Option<Kind>,
}

impl Source {
    /// Reads the text of a unit with Verible; `folder` is for its files.
    ///
    /// # Errors
    /// When Verible does not understand it, or cannot be run.
    pub fn read(sources: Sources, verible: &Path, folder: &Path) -> Result<Source> {
        for file in sources.files.iter().chain(&sources.headers) {
            file.write_into(folder)?;
        }
        let trees = syntax::parse(verible, folder, &sources.files)?;
        let files = || sources.files.iter().zip(&trees);
        let inputs: module::Inputs = files().flat_map(|(file, tree)| module::inputs(tree, &file.text)).collect();
        let (mut headers, mut places) = (BTreeMap::new(), BTreeMap::new());
        for (file, tree) in files() {
            let ends = tree.all("kModuleHeader").into_iter().filter_map(|header| Some(header.range()?.end));
            headers.insert(file.name.clone(), ends.collect());
            for module in module::modules(tree, &file.text, &inputs) {
                let found = sites::sites(&module, &inputs);
                places.insert(module.name.to_owned(), choose::places(file, module.name, found));
            }
        }
        Ok(Source { sources, headers, places })
    }

    /// Lists `count` mutants, of the module and the kind that are asked for or of all, as many as there are.
    ///
    /// # Errors
    /// For an unknown module, and when there is nothing to mutate.
    pub fn list(&self, count: u64, seed: u64, only: &Only) -> Result<Vec<Mutant>> {
        let asked = only.module.as_deref();
        let known = asked.is_none_or(|module| self.places.contains_key(module));
        ensure!(known, "there is no module {:?} in this configuration", asked.unwrap_or_default());
        let places = self.places.iter().filter(|(module, _)| asked.is_none_or(|asked| asked == module.as_str()));
        let mutants = choose::choose(places.map(|(_, places)| places), only.kind, count, seed);
        ensure!(!mutants.is_empty(), "there is nothing to mutate");
        Ok(mutants)
    }

    /// The synthesizable files, with these mutants.
    pub fn with(&self, mutants: &[&Mutant]) -> Vec<SourceFile> {
        let with = |file: &SourceFile| {
            let there = mutants.iter().filter(|mutant| mutant.file == file.name);
            let edits: Vec<Numbered> =
                there.flat_map(|mutant| mutant.edits.iter().map(|edit| (mutant.id, edit))).collect();
            let headers = self.headers.get(&file.name).map_or(&[][..], Vec::as_slice);
            SourceFile { name: file.name.clone(), text: text::with(&file.text, headers, &edits) }
        };
        self.sources.files.iter().map(with).collect()
    }

    /// What the model with these mutants is made of.
    pub fn model(&self, mutants: &[&Mutant]) -> Sources {
        let files = [text::number()].into_iter().chain(self.with(mutants)).collect();
        Sources { files, ..self.sources.clone() }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::model::source::Style;

    /// A tool in the folder of the checkout's tools, or else on the path.
    pub fn tool(name: &str) -> std::path::PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        root.join(".tools/venv/bin").join(name).canonicalize().unwrap_or_else(|_| name.into())
    }

    pub fn source(text: &str) -> Source {
        let folder = tempfile::tempdir().expect("folder");
        let files = vec![SourceFile { name: "m.sv".into(), text: text.into() }];
        let sources = Sources { files, headers: Vec::new(), probe: None, style: Style::Rtl };
        Source::read(sources, &tool("verible-verilog-syntax"), folder.path()).expect("Verible reads it")
    }

    pub fn only(name: &str) -> Only {
        Only { module: Some(name.to_owned()), kind: None }
    }

    /// All mutants: kind, text before and after.
    fn all(text: &str) -> Vec<(Kind, String, String)> {
        let shown = |mutant: Mutant| (mutant.kind, mutant.before, mutant.after);
        source(text).list(1000, 1, &Only::default()).expect("mutants").into_iter().map(shown).collect()
    }

    const MODULE: &str = "module m #(parameter int W = 4) (\n  input logic clk_i, input logic rst_ni, input logic a_i,\n  \
        input logic [W-1:0] b_i, output logic [W-1:0] q_o, output logic [W-1:0] r_o, output logic y_o\n);\n  \
        logic [W-1:0] next;\n  assign next = a_i ? q_o + 4'd1 : b_i;\n  \
        always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) begin\n      q_o <= '0;\n    \
        end else if (a_i) begin\n      q_o <= next;\n    end\n  end\n  \
        always_comb begin\n    y_o = 1'b0;\n    unique case (b_i)\n      4'd2: y_o = !a_i;\n      default: r_o = b_i;\n    \
        endcase\n    for (int i = 0; i < W - 1; i++) y_o = y_o ^ b_i[i];\n  end\nendmodule\n";

    #[test]
    fn every_kind_of_mutant_is_found_where_it_can_be() {
        let found = all(MODULE);
        for (kind, before, after) in [
            (Kind::Operator, "q_o + 4'd1", "q_o - 4'd1"),
            (Kind::Operator, "y_o ^ b_i[i]", "y_o | b_i[i]"),
            (Kind::Constant, "4'd1", "4'd2"),
            (Kind::Negation, "!a_i", "!(!a_i)"),
            (Kind::Negation, "a_i", "!a_i"),
            (Kind::DroppedReset, "q_o <= '0;", ""),
            (Kind::DroppedAssignment, "q_o <= next;", ""),
            (Kind::DroppedAssignment, "y_o = !a_i;", ""),
            (Kind::SwappedArms, "a_i ? q_o + 4'd1 : b_i", "a_i ? b_i : q_o + 4'd1"),
            (Kind::SwappedArms, "y_o = !a_i;", "r_o = b_i;"),
            (Kind::ConstantIf, "a_i", "1'b0"),
            // Behind a clock edge.
            (Kind::WrongSignal, "next", "b_i"),
        ] {
            let wanted = (kind, before.to_owned(), after.to_owned());
            assert!(found.contains(&wanted), "{wanted:?} is missing in {found:?}");
        }
    }

    #[test]
    fn what_is_not_evaluated_at_run_time_or_would_make_a_latch_is_left_alone() {
        let found = all(MODULE);
        let none = |is: &dyn Fn(&(Kind, String, String)) -> bool| assert!(!found.iter().any(is), "{found:?}");
        none(&|(_, before, _)| ["W-1", "W - 1", "i < W - 1", "0", "!rst_ni", "4'd2"].contains(&before.as_str()));
        none(&|(kind, before, _)| {
            *kind == Kind::DroppedAssignment && ["y_o = 1'b0;", "r_o = b_i;"].contains(&before.as_str())
        });
        none(&|(_, before, after)| [before, after].iter().any(|name| ["clk_i", "rst_ni"].contains(&name.as_str())));
    }

    #[test]
    fn an_index_without_a_signal_stays_a_constant_so_that_verilator_sees_whether_it_is_in_range() {
        let text = MODULE.replace("= b_i;\n    endcase", "= {b_i[W-1], b_i[1], b_i[next], b_i[W-2+:1]};\n    endcase");
        let found = all(&text);
        let after = |wanted: &str| found.iter().any(|(_, _, after)| after == wanted);
        for wanted in ["b_i[W+1]", "b_i[W-0]", "b_i[W-2]", "b_i[0]", "b_i[2]", "b_i[W-3+:1]"] {
            assert!(after(wanted), "{wanted} is missing in {found:?}");
        }
        assert!(!after("W+1"), "{found:?}");
        // Of an index with a parameter Verilator says so where it is that of a slice.
        let source = source(&text);
        let mutants = source.list(1000, 1, &Only::default()).expect("mutants");
        let text = &source.with(&mutants.iter().collect::<Vec<_>>())[0].text;
        for wanted in ["b_i[(W+1)+:1]", "b_i[(2)+:1]"] {
            assert!(text.contains(wanted), "{wanted} is missing in {text}");
        }
    }

    #[test]
    fn a_list_depends_on_its_seed_alone_and_is_even_over_modules() {
        let two = format!("{MODULE}module n (input logic a_i, output logic y_o);\n  assign y_o = !a_i;\nendmodule\n");
        let list = |seed| source(&two).list(6, seed, &Only::default()).expect("mutants");
        assert_eq!(list(5), list(5));
        assert_ne!(list(5), list(6));
        // There is one mutant in the second one.
        assert_eq!(list(5).iter().filter(|mutant| mutant.module == "n").count(), 1);
        let listed = source(&two).list(100, 1, &only("n")).expect("mutants");
        assert!(listed.iter().all(|mutant| mutant.module == "n"));
        assert!(source(&two).list(1, 1, &only("none")).is_err());
    }

    #[test]
    fn the_name_of_a_mutant_stays_when_lines_are_added() {
        let names = |text: &str| -> Vec<String> {
            source(text).list(1000, 1, &Only::default()).expect("mutants").into_iter().map(|it| it.name).collect()
        };
        let before = names(MODULE);
        let edited = MODULE.replace("  logic [W-1:0] next;", "  // A comment.\n\n  logic  [W-1:0]  next;");
        assert_eq!(before, names(&edited));
        assert!(before.contains(&"m.sv, constant if: end else if ([[a_i -> 1'b0]]) begin".to_owned()), "{before:?}");
    }

    #[test]
    fn only_a_module_with_a_mutant_reads_which_one_is_selected() {
        let two = format!("{MODULE}module n (input logic a_i, output logic y_o);\n  assign y_o = !a_i;\nendmodule\n");
        let source = source(&two);
        let mutants = source.list(1, 1, &only("n")).expect("mutants");
        let text = &source.with(&mutants.iter().collect::<Vec<_>>())[0].text;
        assert!(text.starts_with(MODULE.strip_suffix('\n').expect("end")), "{text}");
        assert_eq!(text.matches(text::SELECT).count(), 1, "{text}");
        assert_eq!(source.with(&[])[0].text, two);
    }
}
