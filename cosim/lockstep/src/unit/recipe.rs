// SPDX-License-Identifier: Apache-2.0
//! What each kind of model is made of: which RTL, with which options.

use rtl_config::Config;

use super::model_kind::ModelKind;
use super::{glue, poison, surroundings};
use crate::model::recipe::Recipe;
use crate::model::source::{Sources, Style};

/// Optimisation of models for speed. `-Os` is slower where rows are wide.
const FAST: &str = "-O3";

/// The model of `config` made of `sources`, whose files may still be changed; a system has a second unit or not.
pub fn recipe(config: &Config, kind: ModelKind, sources: &Sources, two: bool) -> Recipe {
    let probe = sources.probe.as_ref().filter(|_| !kind.is_decoder());
    let (control, bound) = probe.map_or((&[][..], &[][..]), |probe| (&probe.control, &probe.files));
    let optimise = optimise(kind, sources.style);
    let poisoned = kind.has_poison() && sources.style == Style::Rtl;
    let unit = if poisoned { poison::plant(sources.files.clone()).0 } else { sources.files.clone() };
    let prefix = format!("V{}_{}", config.name, kind.name());
    Recipe {
        config: config.name.clone(),
        kind: kind.name(),
        top: kind.top(),
        files: [control, &unit, bound].concat(),
        headers: sources.headers.clone(),
        style: sources.style,
        flags: flags(config, kind, sources.style, probe.is_some(), optimise),
        parameters: match kind {
            ModelKind::Soc | ModelKind::SocE40x => surroundings::soc_parameters(config),
            ModelKind::XifTwo => vec!["-GNumRs=2".to_owned()],
            ModelKind::AxiWide => vec![format!("-GAxiBytes={}", surroundings::WIDEST)],
            ModelKind::XifAxi => surroundings::xif_axi_parameters(config),
            _ => Vec::new(),
        },
        optimise,
        traced: kind.traced(),
        covered: kind == ModelKind::Covered,
        glue: glue::glue(config, kind, &prefix, probe.is_some(), poisoned, two),
        prefix,
    }
}

/// Options of Verilator beside top, prefix, folder and files.
fn flags(config: &Config, kind: ModelKind, style: Style, probe: bool, optimise: &str) -> Vec<&'static str> {
    // Registers and memories that reset does not touch start at random, so that nothing can depend on them without
    // being seen.
    // A file with `timescale may stand beside files without.
    let mut flags = vec!["--timescale", "1ns/1ps", "--assert", "--x-assign", "unique", "--x-initial", "unique", "-O3"];
    // Small functions cost speed; but the compiler's time grows faster than their size, and a configuration with many
    // matrix rows takes minutes in one piece.
    flags.extend(match optimise {
        FAST => ["--output-split", "10000", "--output-split-cfuncs", "4000"],
        _ => ["--output-split", "2000", "--output-split-cfuncs", "500"],
    });
    match kind {
        ModelKind::Traced | ModelKind::Faults => flags.extend(["--trace-fst", "--trace-structs"]),
        ModelKind::Covered => flags.extend(["--coverage-line", "--coverage-toggle"]),
        ModelKind::Soc => flags.push("-DRISCV_FORMAL"),
        ModelKind::Axi
        | ModelKind::AxiWide
        | ModelKind::Xif
        | ModelKind::XifTwo
        | ModelKind::XifAxi
        | ModelKind::Profiled => {
            flags.extend(config.matrix.then_some("-DMATRIX"));
            flags.extend((kind == ModelKind::XifAxi).then_some("-DBEHIND_AXI"));
        }
        // CV32E40X has them: fields of one record that follow one another, a latch of its clock gate.
        ModelKind::SocE40x => flags.extend(["-Wno-UNOPTFLAT", "-Wno-COMBDLY", "-Wno-BLKANDNBLK"]),
        ModelKind::Fast | ModelKind::Facts | ModelKind::Mutants | ModelKind::Decoder | ModelKind::MatrixDecoder => {}
    }
    match (style, kind) {
        // A netlist is not written for the eye, bits that nothing reads have no driver, and libraries of cells include
        // the same file twice. Verilator 5.006 gets single bits of such netlists wrong when it optimises trees of
        // bit operations (seen with bit 31 of `tval`, gone with this option). It also gets vectors wrong of which one
        // bit follows another: UNOPTFLAT says so, and stays an error.
        (Style::Netlist, _) => flags.extend(["-fno-const-bit-op-tree", "-Wno-lint", "-Wno-MULTIDRIVEN", "-Wno-MODDUP"]),
        // A planted fault may sit inside a cast, where the choice between right and wrong has its own width.
        (Style::Rtl, kind) if kind == ModelKind::Faults || kind.has_adapter() => flags.push("-Wno-WIDTH"),
        // A property looks at what it needs, and says it as the solver likes it.
        (Style::Rtl, ModelKind::Facts) => flags.push("-Wno-lint"),
        (Style::Rtl, ModelKind::Mutants) => flags.extend(cosim_harness::mutate::WARNINGS),
        (Style::Rtl, _) => {}
    }
    if style == Style::Netlist && probe {
        // But a net that the probe names must be there.
        flags.extend(["-Wwarn-IMPLICIT", "-Wwarn-UNDRIVEN"]);
    }
    flags
}

/// Optimisation of the C++ that runs in every cycle.
fn optimise(kind: ModelKind, style: Style) -> &'static str {
    match kind {
        // Many small pieces that are compiled for long.
        ModelKind::Fast | ModelKind::Traced if style == Style::Netlist => "-O0",
        ModelKind::Fast | ModelKind::Decoder | ModelKind::MatrixDecoder => FAST,
        // For a few cases: making them takes longer than running them. With -O0 a waveform takes six times as long.
        ModelKind::Traced | ModelKind::Faults | ModelKind::Facts | ModelKind::Covered => "-O1",
        ModelKind::Mutants | ModelKind::Soc => "-O1",
        ModelKind::Profiled | ModelKind::Axi | ModelKind::AxiWide => "-O1",
        ModelKind::Xif | ModelKind::XifTwo | ModelKind::XifAxi => "-O1",
        ModelKind::SocE40x => "-O1",
    }
}
