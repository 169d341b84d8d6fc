// SPDX-License-Identifier: Apache-2.0
//! One verilated model: which RTL, under which prefix, with which options.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rtl_gen::{Config, GenFile};

use crate::compile::write_if_changed;
use crate::faults;

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The unit, for speed.
    Fast,
    /// The unit, with waveforms.
    Traced,
    /// The unit, with the planted faults, and waveforms.
    Faults,
    /// The unit, counting lines and toggles.
    Covered,
    /// The decoder of the TensorLoad instructions alone.
    Decoder,
    /// The decoder of the matrix instructions alone.
    MatrixDecoder,
}

impl Kind {
    /// Whether it is a decoder, and not the unit.
    pub fn is_decoder(self) -> bool {
        matches!(self, Kind::Decoder | Kind::MatrixDecoder)
    }
}

/// A model to be verilated and compiled.
#[derive(Debug)]
pub struct Model {
    /// Configuration that it is an instance of.
    pub config: Config,
    /// What it is for.
    pub kind: Kind,
    /// Prefix of its C++ classes, unique.
    pub prefix: String,
    /// Folder of the RTL.
    pub rtl: PathBuf,
    /// Source files in the order in which Verilator reads them, with their contents.
    pub files: Vec<GenFile>,
}

impl Model {
    /// The model of `config`; writes its RTL below `out`.
    pub fn new(config: &Config, kind: Kind, out: &Path) -> Result<Model> {
        let prefix = match kind {
            Kind::Fast => format!("V{}", config.name),
            Kind::Traced => format!("V{}_trace", config.name),
            Kind::Faults => format!("V{}_faults", config.name),
            Kind::Covered => format!("V{}_covered", config.name),
            Kind::Decoder => "Vdecoder".to_owned(),
            Kind::MatrixDecoder => "Vmxdecoder".to_owned(),
        };
        let mut files = sources(config, !kind.is_decoder())?;
        if kind == Kind::Faults {
            let (planted, misfits) = faults::plant(files);
            files = planted;
            misfits.iter().for_each(|misfit| println!("cargo::warning={misfit}"));
            println!("cargo::rustc-env=COSIM_FAULTS_NOT_PLANTED={}", misfits.join("; "));
        }
        let folder = if kind == Kind::Faults { format!("{}_faults", config.name) } else { config.name.clone() };
        let rtl = out.join("rtl").join(folder);
        for file in &files {
            write_if_changed(&rtl.join(&file.name), &file.text)?;
        }
        Ok(Model { config: config.clone(), kind, prefix, rtl, files })
    }

    /// The top module.
    pub fn top(&self) -> &'static str {
        match self.kind {
            Kind::Decoder => "tl_decoder",
            Kind::MatrixDecoder => "tl_mx_decoder",
            Kind::Fast | Kind::Traced | Kind::Faults | Kind::Covered => "tl_top",
        }
    }

    /// Optimisation of the C++ that runs in every cycle.
    pub fn optimise(&self) -> &'static str {
        match self.kind {
            Kind::Fast | Kind::Decoder | Kind::MatrixDecoder => "-O3",
            // For one case after a failure, or a few: building them takes longer than running them.
            Kind::Traced | Kind::Faults => "-O0",
            Kind::Covered => "-O1",
        }
    }

    /// Options of Verilator beside top, prefix, folder and files.
    pub fn flags(&self) -> Vec<&'static str> {
        // Registers and memories that reset does not touch start at random, so that nothing can
        // depend on them without being seen.
        let mut flags = vec!["--assert", "--x-assign", "unique", "--x-initial", "unique"];
        match self.kind {
            Kind::Traced => flags.extend(["--trace-fst", "--trace-structs"]),
            // A planted fault may sit inside a cast, where the choice between right and wrong has its own width.
            Kind::Faults => flags.extend(["--trace-fst", "--trace-structs", "-Wno-WIDTH"]),
            Kind::Covered => flags.extend(["-O3", "--coverage-line", "--coverage-toggle"]),
            Kind::Fast | Kind::Decoder | Kind::MatrixDecoder => flags.push("-O3"),
        }
        flags
    }
}

/// The files of `config` in reading order: Verilator's control file, the synthesizable files, the probe.
///
/// `TL_RTL_DIR=DIR` takes them from `DIR/<config>` instead of the generator, to try an edit by hand.
fn sources(config: &Config, bench: bool) -> Result<Vec<GenFile>> {
    println!("cargo::rerun-if-env-changed=TL_RTL_DIR");
    let generated = rtl_gen::generate(config);
    let file = |name: &str| -> Result<GenFile> {
        if let Some(dir) = std::env::var_os("TL_RTL_DIR") {
            let path = Path::new(&dir).join(&config.name).join(name);
            println!("cargo::rerun-if-changed={}", path.display());
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            return Ok(GenFile { name: name.to_owned(), text });
        }
        let found = generated.iter().find(|f| f.name == name).cloned();
        found.with_context(|| format!("configuration {}: the generator gives no file {name}", config.name))
    };
    let list = |name: &str| -> Result<Vec<GenFile>> { file(name)?.text.lines().map(|l| file(l.trim())).collect() };
    let mut files = list("tl.f")?;
    if bench {
        let (control, probe): (Vec<_>, Vec<_>) =
            list("tl_bench.f")?.into_iter().partition(|f| f.name.ends_with(".vlt"));
        files = [control, files, probe].concat();
    }
    Ok(files)
}
