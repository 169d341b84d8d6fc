// SPDX-License-Identifier: Apache-2.0
//! The verilated models of a unit, by what they are for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::case::Rtl;
use super::glue::glue;
use super::kind::Kind;
use super::unit::Unit;
use crate::base::output::program;
use crate::model::fault;
use crate::model::library::Library;
use crate::model::on_demand::{Makers, OnDemand};
use crate::model::product::Product;
use crate::model::recipe::Recipe;
use crate::model::source::Sources;
use crate::mutate::WARNINGS;

/// The place for models is named after the program.
pub fn product() -> Product {
    Product::named(&program())
}

/// A unit with its RTL and its models. A unit of the program and RTL of a folder are chosen on the command line.
pub struct Target<'a, U> {
    pub unit: &'a U,
    pub rtl: Rtl,
    /// The folder that `--rtl` has named.
    pub given: Option<PathBuf>,
    sources: Sources,
    on_demand: OnDemand<Kind>,
    makers: Makers,
}

impl<'a, U: Unit> Target<'a, U> {
    /// `unit` with the RTL of the folder `given`, or with its own.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn new(unit: &'a U, given: Option<&Path>) -> Result<Target<'a, U>> {
        let mut rtl = unit.rtl();
        if let Some(folder) = given {
            rtl.folder = folder.to_owned();
        }
        let sources = Sources::files(&rtl.folder, &rtl.files).with_context(|| format!("RTL of {}", unit.name()))?;
        let makers = Makers::new(product());
        Ok(Target { unit, rtl, given: given.map(Path::to_owned), sources, on_demand: OnDemand::new(&makers), makers })
    }

    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub fn makers(&self) -> &Makers {
        &self.makers
    }

    /// Whether this fault, 0 for none, can be planted.
    ///
    /// # Errors
    /// When there is no such fault; the message lists those there are.
    pub fn check_fault(&self, fault: u32) -> Result<()> {
        let all: Vec<u32> = self.unit.faults().iter().map(|one| one.id).collect();
        let known = fault == 0 || all.contains(&fault);
        ensure!(known, "{} has no planted fault {fault}; allowed: 0 for none, {all:?}", self.unit.name());
        Ok(())
    }

    /// The model, made and loaded if it is not there.
    pub fn load(&self, kind: Kind) -> Result<Arc<Library>> {
        self.on_demand.get(kind, || self.recipe(kind))
    }

    /// The file of the model, made if it is not there.
    pub fn make(&self, kind: Kind) -> Result<PathBuf> {
        self.on_demand.make(kind, None, || self.recipe(kind))
    }

    /// Another process has made this model.
    pub fn made_elsewhere(&self, kind: Kind, path: &Path) {
        self.on_demand.made_elsewhere(kind, path);
    }

    fn recipe(&self, kind: Kind) -> Result<Recipe> {
        match kind {
            Kind::Mutants => bail!("a model of mutants is made by `mutate`"),
            Kind::Fast | Kind::Traced => Ok(self.recipe_of(kind, &self.sources)),
            Kind::Faults => {
                let (files, misfits) = fault::plant(self.sources.files.clone(), &self.unit.faults());
                ensure!(misfits.is_empty(), "{}", misfits.join("\n"));
                Ok(self.recipe_of(kind, &Sources { files, ..self.sources.clone() }))
            }
        }
    }

    /// What the model `kind` is made of, when its sources are these.
    pub fn recipe_of(&self, kind: Kind, sources: &Sources) -> Recipe {
        let name = self.unit.name();
        let prefix = format!("V{name}_{}", kind.name());
        let mut flags = vec!["--timescale", "1ns/1ps", "--assert", "--x-assign", "unique", "--x-initial", "unique"];
        flags.extend(kind.traced().then_some(["--trace-fst", "--trace-structs"]).into_iter().flatten());
        // The choice between right and wrong has a width of its own.
        flags.extend((kind == Kind::Faults).then_some("-Wno-WIDTH"));
        flags.extend(&self.rtl.flags);
        flags.extend((kind == Kind::Mutants).then_some(WARNINGS).into_iter().flatten());
        Recipe {
            config: name.to_owned(),
            kind: kind.name(),
            glue: glue(&prefix, kind),
            prefix,
            top: self.rtl.top,
            files: sources.files.clone(),
            headers: sources.headers.clone(),
            style: sources.style,
            flags,
            parameters: self.rtl.parameters.iter().map(|parameter| format!("-G{parameter}")).collect(),
            optimise: if kind == Kind::Fast { "-O2" } else { "-O1" },
            traced: kind.traced(),
            covered: false,
        }
    }
}
