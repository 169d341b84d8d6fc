// SPDX-License-Identifier: Apache-2.0
//! The verilated models of one unit: made when they are first needed, then kept.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, bail, ensure};
use rtl_config::{Config, PREFIX};

use super::faults::FAULTS;
use super::model_kind::ModelKind;
use super::recipe::recipe;
use super::{facts, surroundings};
use crate::model::fault::plant;
use crate::model::library::Library;
use crate::model::on_demand::{Makers, OnDemand};
use crate::model::recipe::Recipe;
use crate::model::source::{self, Names, SourceFile, Sources, Style};

/// The generator: all files of a configuration, with the lists `tl.f` and `tl_bench.f`.
pub type Generate = fn(&Config) -> Result<Vec<SourceFile>>;

/// Where the RTL of a unit comes from.
#[derive(Clone, Debug)]
pub enum RtlSource {
    Generated(Generate),
    /// Somebody's files.
    Given(Arc<Sources>),
    /// It is not known here: another process has made the models, from RTL with this digest.
    Elsewhere {
        digest: u64,
        /// See [`VerilatedModels::port_only`].
        port_only: bool,
    },
}

/// The names of the files that a unit has beside its modules.
pub const NAMES: Names =
    Names { list: "tl.f", bench_list: "tl_bench.f", control: "tl_bench.vlt", probe: "tl_probe.sv" };

/// Prefix of the second unit of a system.
pub const SECOND: &str = "second";

#[derive(Debug)]
pub struct VerilatedModels {
    config: Config,
    /// Of a second unit in systems, with [`SECOND`] as prefix.
    second: Option<Config>,
    rtl: RtlSource,
    on_demand: OnDemand<ModelKind>,
    digest: OnceLock<u64>,
}

impl VerilatedModels {
    /// The models of `config`; none is made yet.
    pub fn new(config: &Config, rtl: RtlSource, makers: &Makers) -> VerilatedModels {
        let (mut config, second) = (config.clone(), None);
        // The bench knows the modules by their usual names.
        config.prefix = PREFIX.into();
        VerilatedModels { config, second, rtl, on_demand: OnDemand::new(makers), digest: OnceLock::new() }
    }

    /// The same with a second unit in systems.
    pub fn with_second(self, mut second: Config) -> VerilatedModels {
        second.prefix = SECOND.into();
        VerilatedModels { second: Some(second), ..self }
    }

    /// The model `kind`, made and loaded if it is not there.
    pub fn get(&self, kind: ModelKind) -> Result<Arc<Library>> {
        self.on_demand.get(kind, || self.recipe(kind))
    }

    /// The file of the model `kind`, made if it is not there.
    pub fn make(&self, kind: ModelKind) -> Result<PathBuf> {
        self.on_demand.make(kind, None, || self.recipe(kind))
    }

    /// As [`VerilatedModels::make`], with `jobs` compilers at a time.
    pub fn make_with(&self, kind: ModelKind, jobs: usize) -> Result<PathBuf> {
        self.on_demand.make(kind, Some(jobs), || self.recipe(kind))
    }

    /// Another process has made this model.
    pub fn made_elsewhere(&self, kind: ModelKind, path: &Path) {
        self.on_demand.made_elsewhere(kind, path);
    }

    pub fn made(&self) -> Vec<(ModelKind, PathBuf)> {
        self.on_demand.made()
    }

    /// The RTL as files, those of the bench and the lists of the generator among them.
    ///
    /// # Errors
    /// When it is not known in this process.
    pub fn files(&self) -> Result<Vec<SourceFile>> {
        match &self.rtl {
            RtlSource::Generated(generate) => generate(&self.config),
            RtlSource::Given(sources) => Ok(sources.all().cloned().collect()),
            RtlSource::Elsewhere { .. } => bail!("the RTL of {} is in another process", self.config.name),
        }
    }

    /// The RTL of the second unit, if there is one.
    fn second_files(&self) -> Result<Option<Vec<SourceFile>>> {
        match (&self.rtl, &self.second) {
            (RtlSource::Generated(generate), Some(config)) => generate(config).map(Some),
            _ => Ok(None),
        }
    }

    /// Hash of the text of the RTL.
    pub fn digest(&self) -> u64 {
        *self.digest.get_or_init(|| match &self.rtl {
            RtlSource::Elsewhere { digest, .. } => *digest,
            RtlSource::Generated(_) | RtlSource::Given(_) => source::digest(&self.files().unwrap_or_default()),
        })
    }

    /// Whether the RTL is somebody's, and not the generator's.
    pub fn given(&self) -> bool {
        matches!(self.rtl, RtlSource::Given(_))
    }

    /// Whether the bench sees the ports alone.
    pub fn port_only(&self) -> bool {
        match &self.rtl {
            RtlSource::Generated(_) => false,
            RtlSource::Given(sources) => sources.probe.is_none(),
            RtlSource::Elsewhere { port_only, .. } => *port_only,
        }
    }

    /// The planted faults whose text is not in the RTL, one line each.
    ///
    /// # Errors
    /// When the RTL is not known in this process.
    pub fn faults_not_planted(&self) -> Result<Vec<String>> {
        if matches!(self.rtl, RtlSource::Elsewhere { .. }) {
            // Whoever made the models has looked.
            return Ok(Vec::new());
        }
        Ok(plant(self.sources()?.files, &FAULTS).1)
    }

    /// The RTL, in reading order.
    ///
    /// # Errors
    /// When it is not known in this process.
    pub fn sources(&self) -> Result<Sources> {
        match &self.rtl {
            RtlSource::Generated(_) => Sources::generated(&self.files()?, NAMES),
            RtlSource::Given(sources) => Ok((**sources).clone()),
            RtlSource::Elsewhere { .. } => bail!("the RTL of {} is in another process", self.config.name),
        }
    }

    fn recipe(&self, kind: ModelKind) -> Result<Recipe> {
        let sources = self.sources()?;
        let mut recipe = recipe(&self.config, kind, &sources, self.second.is_some());
        match (kind, sources.style) {
            (ModelKind::Faults, Style::Rtl) => {
                let (files, misfits) = plant(recipe.files, &FAULTS);
                ensure!(misfits.len() < FAULTS.len(), "no planted fault fits the RTL of {}", self.config.name);
                recipe.files = files;
            }
            (ModelKind::Facts, Style::Rtl) => {
                ensure!(!self.given(), "the properties are of the generator's RTL, without --rtl and --netlist");
                recipe.files = facts::files(recipe.files, &self.config)?;
            }
            (ModelKind::Faults | ModelKind::Facts, Style::Netlist) => {
                bail!("faults are planted into SystemVerilog, not into a netlist")
            }
            (ModelKind::Decoder | ModelKind::MatrixDecoder, Style::Netlist) => {
                bail!("a netlist has no decoder that could be looked at alone; --rtl has")
            }
            (ModelKind::Soc | ModelKind::SocE40x, _) => {
                ensure!(!self.given(), "a system is made of the generator's RTL, without --rtl and --netlist");
                let system = if kind == ModelKind::Soc { surroundings::soc } else { surroundings::soc_e40x };
                let second = self.second_files()?;
                recipe.files = system(recipe.files, &self.files()?, second.as_deref())?;
                if let Some(files) = second {
                    recipe.headers.extend(files.into_iter().filter(|file| file.name.ends_with(".svh")));
                    recipe.flags.push("-DTL_SECOND");
                }
            }
            (ModelKind::Axi | ModelKind::AxiWide, _) => {
                ensure!(!self.given(), "the adapter to AXI4 is of the generator's RTL, without --rtl and --netlist");
                recipe.files = surroundings::axi(recipe.files, &self.files()?)?;
            }
            (ModelKind::Xif | ModelKind::XifTwo, _) => {
                ensure!(!self.given(), "the adapter to CV-X-IF is of the generator's RTL, without --rtl and --netlist");
                recipe.files = surroundings::xif(recipe.files, &self.files()?)?;
            }
            (ModelKind::XifAxi, _) => {
                ensure!(!self.given(), "the adapters are of the generator's RTL, without --rtl and --netlist");
                recipe.files = surroundings::xif_axi(recipe.files, &self.files()?)?;
            }
            (ModelKind::Profiled, _) => {
                ensure!(sources.probe.is_some(), "a profile needs RTL with tl_probe.sv and tl_bench.vlt");
                recipe.files = surroundings::profile(recipe.files);
            }
            (ModelKind::Mutants, _) => bail!("a model of mutants is made by `cosim mutate`"),
            _ => {}
        }
        if kind.is_decoder() {
            let top = format!("{}.sv", kind.top());
            recipe.files.iter().find(|file| file.name == top).with_context(|| format!("the RTL has no file {top}"))?;
        }
        Ok(recipe)
    }
}
