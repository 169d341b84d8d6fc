// SPDX-License-Identifier: Apache-2.0
//! The unit in a system: PicoRV32, the adapter, memories. The SystemVerilog of the system is in cosim/soc.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use rtl_config::Config;

use super::bridge::ffi::{self, Core};
use super::source::SourceFile;
use super::{ModelKind, Rtl, RtlError};
use crate::unit::target::Target;

/// Bytes of program memory. It repeats itself in the addresses up to [`golden::hart::L1M_BASE`], so that a stack that begins
/// at the end of a larger one is at its end too.
pub const RAM_BYTES: usize = 1 << 18;

/// List of the adapter's files.
const LIST: &str = "tl_pcpi.f";
/// Where `make setup-soc` puts the core.
const CORE: &str = ".tools/picorv32.v";

const CONTROL: [(&str, &str); 2] = [
    ("tl_soc.vlt", include_str!("../../../soc/tl_soc.vlt")),
    ("tl_soc_bench.vlt", include_str!("../../../soc/tl_soc_bench.vlt")),
];
const SYSTEM: [(&str, &str); 3] = [
    ("soc_ram.sv", include_str!("../../../soc/soc_ram.sv")),
    ("soc_monitor.sv", include_str!("../../../soc/soc_monitor.sv")),
    ("tl_soc.sv", include_str!("../../../soc/tl_soc.sv")),
];

/// The program that the core starts with and that takes its traps.
pub const MONITOR: &str = SYSTEM[1].1;

/// The parameters of `tl_soc` for Verilator.
pub fn parameters(config: &Config) -> Vec<String> {
    let sizes = [("RamBytes", RAM_BYTES as u32), ("L1mBytes", config.l1m_bytes), ("L0mBytes", config.l0m_bytes)];
    sizes.iter().map(|(name, bytes)| format!("-G{name}={bytes}")).collect()
}

/// The files of a system around those of a unit; `generated` has the adapter.
///
/// # Errors
/// When the core is not there.
pub fn files(unit: Vec<SourceFile>, generated: &[SourceFile]) -> Result<Vec<SourceFile>> {
    let ours = |files: &[(&str, &str)]| -> Vec<SourceFile> {
        files.iter().map(|(name, text)| SourceFile { name: (*name).into(), text: (*text).into() }).collect()
    };
    let file = |name: &str| {
        let found = generated.iter().find(|file| file.name == name).cloned();
        found.with_context(|| format!("the generator gives no file {name}"))
    };
    let list = file(LIST)?.text;
    let adapter: Vec<SourceFile> = list.lines().map(file).collect::<Result<_>>()?;
    Ok([ours(&CONTROL), unit, adapter, vec![core()?], ours(&SYSTEM)].concat())
}

/// PicoRV32, as the variable PICORV32 names it, or as `make setup-soc` has got it, for this folder or one above.
fn core() -> Result<SourceFile> {
    let given = std::env::var_os("PICORV32").map(PathBuf::from);
    let here = std::env::current_dir().unwrap_or_default();
    let got = || here.ancestors().map(|folder| folder.join(CORE)).find(|path| path.is_file());
    let path = given.or_else(got).unwrap_or_else(|| PathBuf::from(CORE));
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!("cannot read {}: run `make setup-soc`, or name picorv32.v with PICORV32=/path", path.display())
    })?;
    Ok(SourceFile { name: "picorv32.v".into(), text })
}

/// A memory of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The variants are the memories.
pub enum SocMemory {
    Ram,
    L1m,
    L0m,
}

/// An instance of the system.
pub struct Soc {
    rtl: Rtl,
    sizes: [usize; 3],
    /// What the core did in the last cycle.
    pub core: Core,
}

impl Soc {
    /// A system, to be reset; `seed` fills everything that reset leaves alone.
    ///
    /// # Errors
    /// When the model cannot be made.
    pub fn new(target: &Target, seed: u64) -> Result<Soc, RtlError> {
        let rtl = Rtl::before_reset(target, ModelKind::Soc, seed, 0)?;
        let sizes = [RAM_BYTES, target.rtl.l1m_bytes as usize, target.rtl.l0m_bytes as usize];
        Ok(Soc { rtl, sizes, core: Core::default() })
    }

    /// The unit: its state, and its outputs in the last cycle.
    pub fn unit(&self) -> &Rtl {
        &self.rtl
    }

    /// Resets the system.
    ///
    /// # Errors
    /// When the RTL fails.
    pub fn reset(&mut self, cycles: u32) -> Result<(), RtlError> {
        self.rtl.reset(cycles)
    }

    /// One clock cycle. `core` and the outputs of the unit are then those of the cycle, the state is that after it.
    ///
    /// # Errors
    /// When the RTL fails.
    pub fn step(&mut self) -> Result<(), RtlError> {
        let Rtl { model, outputs, executed_csrs, .. } = &mut self.rtl;
        // SAFETY: `new` has made a system.
        Ok(unsafe { ffi::soc_step(model.pin_mut(), &mut self.core, outputs, executed_csrs) }?)
    }

    /// The bytes of a memory.
    pub fn memory(&mut self, memory: SocMemory) -> &mut [u8] {
        let place = memory as u8;
        // SAFETY: `new` has made a system, whose memory has so many bytes, and which nobody else has while this is borrowed.
        unsafe {
            let bytes = ffi::soc_memory(self.rtl.model.pin_mut(), place);
            std::slice::from_raw_parts_mut(bytes, self.sizes[usize::from(place)])
        }
    }
}

/// Checks that a program needs no more of program memory than there is; `ram` is all that a host may have.
///
/// # Errors
/// When it does.
pub fn check_size(ram: &[u8]) -> Result<()> {
    let used = ram.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    ensure!(used <= RAM_BYTES, "the program needs {used} bytes of program memory; the system has {RAM_BYTES}");
    Ok(())
}
