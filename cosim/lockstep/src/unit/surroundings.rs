// SPDX-License-Identifier: Apache-2.0
//! What the bench puts around a unit: memories behind AXI4, a core with CV-X-IF, systems with a core, the probe of
//! profiles. The SystemVerilog is in the folders of `cosim/`; `cosim/lockstep/sv/` links to them, since a crate is
//! packaged without what is outside of its folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rtl_config::Config;

use super::faults;
use crate::model::fault::{Fault, plant};
use crate::model::source::{SourceFile, listed};

/// Bytes of the widest beats of AXI4.
pub const WIDEST: u32 = 64;
/// Words of the longest burst of writes in a model.
pub const WRITE_WORDS: u32 = 8;
/// Added to the number of a fault: the memory behind AXI4 waits for nothing.
pub const CALM: u32 = 1 << 16;

/// Bytes of program memory. It repeats itself in the addresses up to [`golden::hart::L1M_BASE`], so that a stack that
/// begins at the end of a larger one is at its end too.
pub const RAM_BYTES: usize = 1 << 18;
/// Added to the number of a fault: options of `xif_host`. It never offers the opcode SYSTEM.
pub const NO_SYSTEM: u32 = 1 << 16;
/// It kills nothing; without effect for a unit with precise traps.
pub const NEVER_KILLS: u32 = 1 << 17;
/// Its third operand is not x[11:7].
pub const NO_RD_OPERAND: u32 = 1 << 18;
/// Added to the number of a fault of [`soc_e40x`]: memories are late at random.
pub const LATE: u32 = 1 << 16;
/// Added to it, too: there are interrupts, which only the monitor takes.
pub const INTERRUPTS: u32 = 1 << 17;
/// Where `make setup-soc` puts the cores, and the variables that name them elsewhere.
const PICORV32: (&str, &str) = ("PICORV32", ".tools/picorv32.v");
const CV32E40X: (&str, &str) = ("CV32E40X", ".tools/cv32e40x");

/// A file in a folder of `cosim/`.
macro_rules! ours {
    ($folder:literal, $name:literal) => {
        ($name, include_str!(concat!("../../sv/", $folder, "/", $name)))
    };
}

const AXI: [(&str, &str); 4] = [
    ours!("axi", "tl_axi_bench.vlt"),
    ours!("axi", "axi_memory.sv"),
    ours!("axi", "store_tags.sv"),
    ours!("axi", "tl_axi_bench.sv"),
];
const XIF: [(&str, &str); 3] =
    [ours!("xif", "tl_xif_bench.vlt"), ours!("xif", "xif_host.sv"), ours!("xif", "tl_xif_bench.sv")];
/// Of a unit behind both.
const XIF_AXI: [(&str, &str); 5] = [XIF[0], AXI[1], AXI[2], XIF[1], XIF[2]];
const SOC: [(&str, &str); 6] = [
    ours!("soc", "tl_soc.vlt"),
    ours!("soc", "tl_soc_bench.vlt"),
    ours!("soc", "soc_ram.sv"),
    ours!("soc", "soc_bus.sv"),
    ours!("soc", "soc_monitor.sv"),
    ours!("soc", "tl_soc.sv"),
];
const SOC_E40X: [(&str, &str); 7] = [
    ours!("soc", "tl_soc_e40x.vlt"),
    ours!("soc", "tl_soc_bench.vlt"),
    ours!("soc", "soc_ram.sv"),
    ours!("soc", "soc_bus.sv"),
    ours!("soc", "soc_stall.sv"),
    ours!("soc", "soc_monitor_e40x.sv"),
    ours!("soc", "tl_soc_e40x.sv"),
];
/// Of a system with two units.
const TWO_PCPI: [(&str, &str); 2] = [ours!("soc", "soc_share.sv"), ours!("soc", "soc_two_pcpi.sv")];
const TWO_XIF: [(&str, &str); 2] = [ours!("soc", "soc_share.sv"), ours!("soc", "soc_two_xif.sv")];
const PROFILE: [(&str, &str); 2] = [ours!("profile", "tl_profile.vlt"), ours!("profile", "tl_profile.sv")];

/// The programs that the cores start with and that take their traps.
pub const MONITORS: [&str; 2] = [SOC[4].1, SOC_E40X[5].1];

/// The files of `bench` around others: what Verilator makes readable comes first.
fn around(inner: Vec<SourceFile>, bench: &[(&str, &str)]) -> Vec<SourceFile> {
    let ours = bench.iter().map(|&(name, text)| SourceFile { name: name.into(), text: text.into() });
    let (control, sources): (Vec<_>, Vec<_>) = ours.partition(|file| file.name.ends_with(".vlt"));
    [control, inner, sources].concat()
}

/// The files of a unit, and of the adapters that `lists` of the generator name, with `faults` planted.
fn adapted(
    unit: Vec<SourceFile>,
    generated: &[SourceFile],
    lists: &[&str],
    faults: &[Fault],
) -> Result<Vec<SourceFile>> {
    let adapters = lists.iter().map(|list| listed(generated, list)).collect::<Result<Vec<_>>>()?;
    let (adapter, misfits) = plant(adapters.concat(), faults);
    ensure!(misfits.is_empty(), "faults of the adapter: {}", misfits.join("; "));
    Ok([unit, adapter].concat())
}

/// A unit behind the adapter to AXI4 with its faults, and a random memory.
///
/// # Errors
/// When a fault does not fit, or the generator gives no adapter; as for the next ones.
pub fn axi(unit: Vec<SourceFile>, generated: &[SourceFile]) -> Result<Vec<SourceFile>> {
    Ok(around(adapted(unit, generated, &["tl_axi.f"], &faults::AXI)?, &AXI))
}

/// A unit behind the adapter to CV-X-IF with its faults, and a random core.
pub fn xif(unit: Vec<SourceFile>, generated: &[SourceFile]) -> Result<Vec<SourceFile>> {
    Ok(around(adapted(unit, generated, &["tl_xif.f"], &faults::XIF)?, &XIF))
}

/// A unit between both adapters with all their faults, a random core, and a random memory.
pub fn xif_axi(unit: Vec<SourceFile>, generated: &[SourceFile]) -> Result<Vec<SourceFile>> {
    let lists = ["tl_xif.f", "tl_axi.f", "tl_xif_axi.f"];
    let faults = [&faults::AXI[..], &faults::XIF, &faults::XIF_AXI].concat();
    Ok(around(adapted(unit, generated, &lists, &faults)?, &XIF_AXI))
}

/// The parameters of a unit between both adapters for Verilator: other values than by default.
pub fn xif_axi_parameters(config: &Config) -> Vec<String> {
    let bytes = (2 * config.port_bytes()).min(WIDEST);
    let values = [
        ("IdWidth", 5),
        ("HartWidth", 2),
        ("Entries", 4),
        ("InFlight", 4),
        ("AxiBytes", bytes),
        ("ReadWords", 16),
        ("WriteWords", WRITE_WORDS),
        ("Bursts", 4),
    ];
    values.iter().map(|(name, value)| format!("-G{name}={value}")).collect()
}

/// A unit in a system with PicoRV32 and the faults of its adapter, with the generated files of a second unit, if any.
///
/// # Errors
/// As [`axi`], and when the core is not there.
pub fn soc(unit: Vec<SourceFile>, generated: &[SourceFile], second: Option<&[SourceFile]>) -> Result<Vec<SourceFile>> {
    let core = source(&core(PICORV32), PICORV32)?;
    let second = beside(second, "tl_pcpi.f", &TWO_PCPI)?;
    let unit = adapted(unit, generated, &["tl_pcpi.f"], &faults::PCPI)?;
    Ok(around([unit, vec![core], second].concat(), &SOC))
}

/// The files of a second unit and of what connects it.
fn beside(second: Option<&[SourceFile]>, list: &str, two: &[(&str, &str)]) -> Result<Vec<SourceFile>> {
    let Some(generated) = second else { return Ok(Vec::new()) };
    Ok(around([listed(generated, "tl.f")?, listed(generated, list)?].concat(), two))
}

/// The same in a system with CV32E40X.
pub fn soc_e40x(
    unit: Vec<SourceFile>,
    generated: &[SourceFile],
    second: Option<&[SourceFile]>,
) -> Result<Vec<SourceFile>> {
    let folder = core(CV32E40X);
    let entries = std::fs::read_dir(&folder).with_context(|| missing(&folder, CV32E40X))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    // The package first, and the interfaces before those who have them as ports.
    paths.sort_by_key(|path| (!path.ends_with("cv32e40x_pkg.sv"), path.clone()));
    let files = paths.iter().map(|path| source(path, CV32E40X)).collect::<Result<Vec<_>>>()?;
    let second = beside(second, "tl_xif.f", &TWO_XIF)?;
    Ok(around([files, adapted(unit, generated, &["tl_xif.f"], &faults::E40X)?, second].concat(), &SOC_E40X))
}

/// A unit with the probe of profiles.
pub fn profile(unit: Vec<SourceFile>) -> Vec<SourceFile> {
    around(unit, &PROFILE)
}

/// The parameters of a system for Verilator.
pub fn soc_parameters(config: &Config) -> Vec<String> {
    let sizes = [("RamBytes", RAM_BYTES as u32), ("L1mBytes", config.l1m_bytes), ("L0mBytes", config.l0m_bytes)];
    sizes.iter().map(|(name, bytes)| format!("-G{name}={bytes}")).collect()
}

/// Where a core is: as its variable says, or as `make setup-soc` has got it in the checkout that this program was built
/// from. A simulator runs it, so nothing is taken out of the current folder.
fn core((variable, place): (&str, &str)) -> PathBuf {
    let got = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(place);
    std::env::var_os(variable).map_or_else(got, PathBuf::from)
}

fn missing(path: &Path, (variable, place): (&str, &str)) -> String {
    format!("cannot read {}: run `make setup-soc`, or set {variable} to a copy of {place}", path.display())
}

fn source(path: &Path, core: (&str, &str)) -> Result<SourceFile> {
    let text = std::fs::read_to_string(path).with_context(|| missing(path, core))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(SourceFile { name, text })
}
