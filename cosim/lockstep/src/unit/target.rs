// SPDX-License-Identifier: Apache-2.0
//! A configuration as both sides see it, with the verilated models of its RTL; and where targets come from.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::builder::ArgPredicate;
use kernels::unit::{Tiles, Unit};
use rtl_config::{BESIDE_RTL, Config};
use serde::{Deserialize, Serialize};

use crate::base::shell;
use crate::model::on_demand::Makers;
use crate::model::source::Sources;
use crate::unit::faults::FAULTS;
use crate::unit::models::{Generate, NAMES, RtlSource, VerilatedModels};
use crate::unit::parameters;
use crate::unit::product::product;
use crate::unit::system_tasks;

/// One configuration: the RTL's parameters, the golden model's, which are read from the same text, and the verilated RTL.
#[derive(Clone, Debug)]
pub struct Target {
    pub rtl: Config,
    /// Parameters of the golden model.
    pub golden: golden::Config,
    pub models: Arc<VerilatedModels>,
    /// Parameters of the second unit of a system.
    pub second: Option<golden::Config>,
    /// The name or file of its configuration on the command line.
    pub argument: String,
    pub given: RtlOptions,
}

impl Target {
    pub fn name(&self) -> &str {
        &self.rtl.name
    }

    /// The options that select it on the command line.
    pub fn selection(&self) -> Vec<String> {
        [vec!["--config".to_owned(), self.argument.clone()], self.given.words(Path::new(""))].concat()
    }

    /// The command that runs a replay file of the folder `folder`, which is empty for the current one, in that folder.
    pub fn replay(&self, folder: &Path, file: &Path) -> String {
        let start = ["cosim".to_owned(), "replay".into(), file.display().to_string()];
        shell::command(start.into_iter().chain(self.given.words(folder)))
    }

    /// The parameters that plans of `kernels` depend on.
    pub fn for_plans(&self) -> Unit {
        let config = &self.rtl;
        Unit {
            reg_bytes: config.reg_bytes as usize,
            widths: config.element_widths.clone(),
            l1m_bytes: config.l1m_bytes as usize,
            l0m_bytes: config.l0m_bytes as usize,
            lanes: config.lanes as usize,
            port_bytes: config.port_bytes() as usize,
            pitch: config.pitch,
            tiles: self.golden.matrix.map(|m| Tiles { rows: m.rows() as usize, row_bytes: m.tr_row_bytes() as usize }),
        }
    }

    /// Whether this planted fault, which is not 0, can be planted here.
    ///
    /// # Errors
    /// When there is no such fault, or no place for it in the RTL.
    pub fn check_fault(&self, fault: u32) -> Result<()> {
        let known = FAULTS.iter().any(|f| f.id == fault);
        ensure!(known, "there is no planted fault {fault}; `cosim check faults` lists them");
        let misfits = self.models.faults_not_planted()?;
        let misfit = misfits.iter().find(|line| line.starts_with(&format!("fault {fault}:")));
        ensure!(misfit.is_none(), "configuration {}: {}", self.name(), misfit.map_or("", String::as_str));
        Ok(())
    }

    pub fn disassemble(&self, word: u32) -> String {
        golden::asm::disassemble(word, &self.golden)
    }
}

/// Which configuration is verified, and which RTL of it.
#[derive(Clone, Debug, clap::Args)]
pub struct UnitOptions {
    /// Configuration: a name or a file NAME.toml; some commands take several with commas between them, and `all`
    /// [default: w16, or what the command says; with --rtl the file tl.toml that `rtl-gen` left beside the RTL]
    #[arg(long)]
    pub config: Option<String>,
    #[command(flatten)]
    pub rtl: RtlOptions,
}

/// The option `--config` of a command with a default of its own, which does not count with `--rtl`.
pub fn with_default(config: clap::Arg, value: &'static str) -> clap::Arg {
    config.default_value(value).default_value_if("rtl", ArgPredicate::IsPresent, None)
}

impl UnitOptions {
    /// What `--config` says, or stands for.
    pub fn config(&self) -> String {
        let beside = self.rtl.rtl.iter().map(|folder| folder.join(BESIDE_RTL)).find(|path| path.exists());
        let found = self.config.clone().or(beside.map(|path| path.display().to_string()));
        found.unwrap_or_else(|| "w16".into())
    }

    /// The one configuration.
    ///
    /// # Errors
    /// As [`Workshop::with`] and [`Workshop::target`].
    pub fn target(&self, workshop: &Workshop) -> Result<Target> {
        workshop.with(&self.rtl)?.target(&self.config())
    }

    /// The configurations.
    ///
    /// # Errors
    /// As [`Workshop::with`] and [`Workshop::targets`].
    pub fn targets(&self, workshop: &Workshop) -> Result<Vec<Target>> {
        workshop.with(&self.rtl)?.targets(&self.config())
    }
}

/// Which RTL is verified.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct RtlOptions {
    /// SystemVerilog of this folder in place of the generator's: its list tl.f, and tl_bench.vlt and tl_probe.sv if
    /// they are there; without these the bench compares what the ports show
    #[arg(long, value_name = "DIR", conflicts_with = "netlist")]
    pub rtl: Option<PathBuf>,
    /// The unit after synthesis, in Verilog; the bench compares what the ports show. May be given several times
    #[arg(long, value_name = "FILE")]
    pub netlist: Vec<PathBuf>,
    /// Models of the cells of the netlist, in Verilog. May be given several times
    #[arg(long, value_name = "FILE", requires = "netlist")]
    pub cells: Vec<PathBuf>,
    /// Refuse RTL and netlists of others that could run commands, call C or touch files: every system task but those
    /// for text, properties, time, random numbers and types (docs/models.md)
    #[arg(long)]
    #[serde(default)]
    pub refuse_system_tasks: bool,
}

impl RtlOptions {
    /// Whether they name RTL other than the generator's.
    pub fn given(&self) -> bool {
        self.rtl.is_some() || !self.netlist.is_empty()
    }

    /// The options again, as on a command line in `folder`.
    fn words(&self, folder: &Path) -> Vec<String> {
        let option = |name: &str, path: &PathBuf| [format!("--{name}"), seen_from(folder, path).display().to_string()];
        let paths = self.rtl.iter().map(|path| option("rtl", path));
        let paths = paths.chain(self.netlist.iter().map(|path| option("netlist", path)));
        let words = paths.chain(self.cells.iter().map(|path| option("cells", path))).flatten();
        words.chain(self.refuse_system_tasks.then(|| "--refuse-system-tasks".to_owned())).collect()
    }
}

/// A path of the current folder as it is in `folder`: the whole path when that is not below the current one.
fn seen_from(folder: &Path, path: &Path) -> PathBuf {
    if folder.components().all(|part| matches!(part, Component::Normal(_))) {
        // An absolute path stays as it is.
        return Path::new(&"../".repeat(folder.components().count())).join(path);
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Where targets come from: configurations by name or out of files, and the RTL that is made of them.
#[derive(Clone, Debug)]
pub struct Workshop {
    rtl: RtlSource,
    /// Models of another process, in the place of all others.
    elsewhere: Option<Arc<VerilatedModels>>,
    makers: Makers,
    options: RtlOptions,
}

impl Workshop {
    /// RTL from a generator.
    pub fn new(generate: Generate) -> Workshop {
        let (makers, options) = (Makers::new(product()), RtlOptions::default());
        Workshop { rtl: RtlSource::Generated(generate), elsewhere: None, makers, options }
    }

    /// For a process that gets the models of this configuration from another one; what is known of their RTL as in
    /// [`RtlSource::Elsewhere`].
    pub fn elsewhere(config: &Config, digest: u64, port_only: bool) -> Workshop {
        let (rtl, makers) = (RtlSource::Elsewhere { digest, port_only }, Makers::new(product()));
        let models = Arc::new(VerilatedModels::new(config, rtl.clone(), &makers));
        Workshop { rtl, elsewhere: Some(models), makers, options: RtlOptions::default() }
    }

    /// The workshop for the RTL that the options name, which is read now.
    ///
    /// # Errors
    /// For files that cannot be read, and for system tasks in them that are to be refused.
    pub fn with(&self, options: &RtlOptions) -> Result<Workshop> {
        let sources = match &options.rtl {
            Some(folder) => Sources::folder(folder, NAMES)?,
            None if options.netlist.is_empty() => return Ok(self.clone()),
            None => Sources::netlist(&options.netlist, &options.cells)?,
        };
        if options.refuse_system_tasks {
            system_tasks::refuse(&sources)?;
        }
        Ok(Workshop { rtl: RtlSource::Given(Arc::new(sources)), options: options.clone(), ..self.clone() })
    }

    pub fn makers(&self) -> &Makers {
        &self.makers
    }

    /// The configuration `argument`: a name, or a file NAME.toml.
    ///
    /// # Errors
    /// For an unknown name and a file that is no configuration; the message says what is allowed. For one that the RTL is
    /// not of, as far as its folder tells.
    pub fn target(&self, argument: &str) -> Result<Target> {
        let config = Config::load(argument)?;
        let target = self.selected(config, argument)?;
        self.check_beside(&target)?;
        Ok(target)
    }

    /// The target of a configuration.
    ///
    /// # Errors
    /// When the golden model refuses it.
    pub fn target_of(&self, config: Config) -> Result<Target> {
        let name = config.name.clone();
        self.selected(config, &name)
    }

    fn selected(&self, rtl: Config, argument: &str) -> Result<Target> {
        let golden = golden::Config::from_toml_str(&rtl.to_toml())
            .with_context(|| format!("the model refuses configuration {}", rtl.name))?;
        let make = || Arc::new(VerilatedModels::new(&rtl, self.rtl.clone(), &self.makers));
        let models = self.elsewhere.clone().unwrap_or_else(make);
        let (second, argument) = (None, argument.to_owned());
        Ok(Target { rtl, golden, models, second, argument, given: self.options.clone() })
    }

    /// `first` in a system beside a unit of the configuration of `second`.
    ///
    /// # Errors
    /// When the two cannot be beside each other; the message says what has to differ, or be the same.
    pub fn beside(&self, first: &Target, second: &Target) -> Result<Target> {
        let [one, other] = [&first.rtl, &second.rtl];
        let names = [first.name(), second.name()].join(" and ");
        let ids = [one.engine_id, other.engine_id];
        ensure!(ids[0] != ids[1], "configurations {names} have engine_id = {}: two units need different ones", ids[0]);
        let bases = [one.csr_base, other.csr_base];
        ensure!(bases[0] != bases[1], "configurations {names} have csr_base = {:#x}: two units need both", bases[0]);
        ensure!(
            !(one.matrix && other.matrix),
            "configurations {names} have matrix = true: one of two units at most has"
        );
        let sizes = [one, other].map(|config| [config.l1m_bytes, config.l0m_bytes]);
        ensure!(sizes[0] == sizes[1], "configurations {names} differ in l1m_bytes or l0m_bytes: two units share them");
        let models = VerilatedModels::new(one, self.rtl.clone(), &self.makers).with_second(other.clone());
        Ok(Target { models: Arc::new(models), second: Some(second.golden.clone()), ..first.clone() })
    }

    /// Compares a configuration with the one that `rtl-gen` left beside the RTL, before a model is made. One that
    /// cannot be read says nothing: the model tells.
    fn check_beside(&self, target: &Target) -> Result<()> {
        let Some(beside) = self.options.rtl.as_ref().map(|folder| folder.join(BESIDE_RTL)) else { return Ok(()) };
        let config = Config::load(&beside.to_string_lossy()).ok().filter(|config| *config != target.rtl);
        let golden = config.as_ref().and_then(|config| golden::Config::from_toml_str(&config.to_toml()).ok());
        let Some((rtl, golden)) = config.zip(golden) else { return Ok(()) };
        let has = parameters::values(&rtl, &golden);
        parameters::compare((&target.rtl, &target.golden), &has)
            .map_err(anyhow::Error::msg)
            .with_context(|| beside.display().to_string())
    }

    /// The target for planted faults: `tiny` with all instruction sets and precise traps, so that there is a place for
    /// each.
    pub fn with_faults(&self) -> Result<Target> {
        let mut config = Config::load("tiny")?;
        config.matrix = true;
        config.precise = true;
        [config.pitch, config.csr_op, config.gpr_rs1, config.mask_init] = [true; 4];
        self.selected(config, "tiny")
    }

    /// The configuration `argument`, or the one with this planted fault; 0 is none. In `tiny` all instruction sets are
    /// on for a fault.
    ///
    /// # Errors
    /// As [`Workshop::target`], and for an unknown fault.
    pub fn with_fault(&self, argument: &str, fault: u32) -> Result<Target> {
        let target = self.target(argument)?;
        if fault == 0 {
            return Ok(target);
        }
        let target = if argument == "tiny" { self.with_faults()? } else { target };
        target.check_fault(fault)?;
        Ok(target)
    }

    /// The configurations that `list` names, separated by commas; `all` is all that have a name.
    ///
    /// # Errors
    /// As [`Workshop::target`]; for more than one configuration with RTL that is of one.
    pub fn targets(&self, list: &str) -> Result<Vec<Target>> {
        let named: Vec<&str> = if list == "all" { Config::names().to_vec() } else { list.split(',').collect() };
        let mut names: Vec<&str> = Vec::new();
        named.into_iter().for_each(|name| names.extend((!names.contains(&name)).then_some(name)));
        let one = names.len() == 1 || matches!(self.rtl, RtlSource::Generated(_));
        ensure!(one, "--rtl and --netlist are RTL of one configuration: name it with --config");
        names.into_iter().map(|name| self.target(name)).collect()
    }
}
