// SPDX-License-Identifier: Apache-2.0
//! Mutants of the source: parts of the SystemVerilog text that are exchanged, all of them in one text, of which a number
//! selects one at run time.

mod choose;
mod module;
mod operators;
mod refuse;
mod sites;
mod syntax;
mod text;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::mutant::Change as AnyChange;
use super::mutant::Mutant;
use super::select;
use super::tools::Tools;
use crate::unit::source::{SourceFile, Sources};
use crate::unit::target::Target;
pub use refuse::refuse;
use sites::Edit;

/// What a mutant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Another operator.
    Operator,
    /// Another comparison.
    Comparison,
    /// A number that is greater or less by one.
    Constant,
    /// A condition or value that is inverted, or no longer.
    Negation,
    /// A register that reset leaves alone.
    DroppedReset,
    /// An assignment that is not made.
    DroppedAssignment,
    /// Two arms of `?:` or `case` that change places.
    SwappedArms,
    /// A condition of `if` that is always true or always false.
    ConstantIf,
    /// Another signal of the same type.
    WrongSignal,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Operator => "operator",
            Kind::Comparison => "comparison",
            Kind::Constant => "constant",
            Kind::Negation => "negation",
            Kind::DroppedReset => "dropped reset",
            Kind::DroppedAssignment => "dropped assignment",
            Kind::SwappedArms => "swapped arms",
            Kind::ConstantIf => "constant if",
            Kind::WrongSignal => "wrong signal",
        }
    }
}

/// A mutant of the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// File.
    pub file: String,
    /// Where it begins, from 1.
    pub line: usize,
    /// The same, in bytes, from 1.
    pub column: usize,
    /// What is done.
    pub kind: Kind,
    /// The text there.
    pub before: String,
    /// The text in its place.
    pub after: String,
    /// All that is changed.
    #[serde(skip)]
    pub edits: Vec<Edit>,
}

impl Change {
    /// A name that depends on the text alone.
    pub fn name(&self) -> String {
        let Change { file, line, column, kind, before, after, .. } = self;
        format!("{file}:{line}:{column} {}: {before} -> {after}", kind.name())
    }
}

/// The text of a unit, and where its modules begin.
#[derive(Debug)]
pub struct Source {
    sources: Sources,
    /// For each file the ends of the headers of its modules.
    headers: BTreeMap<String, Vec<usize>>,
    /// The mutants that there can be, of each module.
    places: BTreeMap<String, Vec<choose::Place>>,
}

impl Source {
    /// Reads the text of a unit.
    ///
    /// # Errors
    /// When Verible does not understand it, or cannot be run.
    pub fn read(tools: &Tools, target: &Target, folder: &Path) -> Result<Source> {
        let verible = tools.verible.as_ref().context("Verible is missing")?;
        let sources = Sources::generated(&target.models.files()?)?;
        for file in &sources.files {
            std::fs::write(folder.join(&file.name), &file.text)
                .with_context(|| format!("cannot write to {}", folder.display()))?;
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
                places.insert(module.name.to_owned(), choose::places(file, found));
            }
        }
        Ok(Source { sources, headers, places })
    }

    /// Lists `count` mutants, of module `only` or of all, as many as there are.
    ///
    /// # Errors
    /// For an unknown module, and when there is nothing to mutate.
    pub fn list(&self, count: u64, seed: u64, only: Option<&str>) -> Result<Vec<Mutant>> {
        let known = only.is_none_or(|module| self.places.contains_key(module));
        ensure!(known, "there is no module {:?} in this configuration", only.unwrap_or_default());
        let places = self.places.iter().filter(|(module, _)| only.is_none_or(|only| only == module.as_str()));
        let mutants = choose::choose(places, count, seed);
        ensure!(!mutants.is_empty(), "there is nothing to mutate");
        Ok(mutants)
    }

    /// The synthesizable files, with these mutants.
    pub fn with(&self, mutants: &[&Mutant]) -> Vec<SourceFile> {
        let of_file = |file: &SourceFile| {
            let changes = mutants.iter().filter_map(|mutant| match &mutant.change {
                AnyChange::Source(change) if change.file == file.name => Some((mutant.id, change)),
                _ => None,
            });
            let edits: Vec<text::Numbered> =
                changes.flat_map(|(id, change)| change.edits.iter().map(move |edit| (id, edit))).collect();
            let headers = self.headers.get(&file.name).map_or(&[][..], Vec::as_slice);
            SourceFile { name: file.name.clone(), text: text::with(&file.text, headers, &edits) }
        };
        self.sources.files.iter().map(of_file).collect()
    }

    /// What the model with these mutants is made of.
    pub fn model(&self, mutants: &[&Mutant]) -> Sources {
        let files = [select::number()].into_iter().chain(self.with(mutants)).collect();
        Sources { files, ..self.sources.clone() }
    }
}
