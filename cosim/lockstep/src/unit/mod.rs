// SPDX-License-Identifier: Apache-2.0
//! The verilated unit, with its C++ side out of sight; and how it is made.
//!
//! `recipe` says what a model is made of, `glue` has the C++ of it, `surroundings` what is put around a unit; `models`
//! makes models when they are first needed, `factory` makes units of them.

pub mod bridge;
pub mod factory;
pub mod facts;
pub mod faults;
mod glue;
pub mod model_kind;
pub mod models;
mod parameters;
pub mod poison;
mod product;
pub mod recipe;
pub mod stage;
pub mod surroundings;
pub mod system;
mod system_tasks;
pub mod target;
pub mod testing;
pub mod tiles;

use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use cxx::UniquePtr;
use golden::{MatrixConfig, Tile};
use serde::{Deserialize, Serialize};

use crate::base::{parallel, table};
use crate::model::library::Library;
use crate::unit::target::Target;
use bridge::ffi::Model;
pub use bridge::ffi::{Built, CsrState, Inputs, Outputs, RegisterMap};
pub use model_kind::ModelKind;
pub use product::{SETUP_LINT, product};

/// Clock cycles for which reset is held where nobody wants another number.
pub const RESET_CYCLES: u32 = 3;
/// Most clock cycles for which a case may hold it.
pub const MOST_RESET_CYCLES: u32 = 64;

/// The C++ side failed: an assertion of the RTL, `$stop`, or a file that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct RtlError(String);

impl RtlError {
    /// An error of another kind, as one of the RTL.
    pub fn new(error: &dyn std::fmt::Display) -> RtlError {
        RtlError(error.to_string())
    }
}

impl From<cxx::Exception> for RtlError {
    fn from(exception: cxx::Exception) -> Self {
        RtlError(exception.what().to_owned())
    }
}

pub struct Rtl {
    model: UniquePtr<Model>,
    // Declared behind the model, whose code it is.
    library: Arc<Library>,
    /// What the last cycle gave.
    pub outputs: Outputs,
    /// CSR state after the last instruction that executed while sampling was on.
    pub executed_csrs: CsrState,
}

// The C++ object has no tie to a thread: it has a context of its own and is used by one at a time.
unsafe impl Send for Rtl {}

impl Rtl {
    /// A unit of `target`, to be reset; `seed` fills everything that reset leaves alone. `selection` is a planted
    /// fault or a mutant, 0 for none.
    ///
    /// # Errors
    /// When the model cannot be made, or the RTL has other parameters than `target`.
    pub fn new(target: &Target, kind: ModelKind, seed: u64, selection: u32) -> Result<Rtl, RtlError> {
        let rtl = Rtl::before_reset(target, kind, seed, selection)?;
        rtl.check_built(target).map_err(RtlError)?;
        Ok(rtl)
    }

    /// Checks that somebody's RTL has the parameters of the configuration. That of the generator has.
    ///
    /// # Errors
    /// With everything that differs, and when the model cannot be made.
    pub fn check(target: &Target, kind: ModelKind) -> Result<()> {
        if !target.models.given() {
            return Ok(());
        }
        target.models.make(kind)?;
        let rtl = Rtl::before_reset(target, kind, 0, 0)?;
        rtl.check_built(target).map_err(|differences| anyhow!(differences))
    }

    pub(in crate::unit) fn before_reset(
        target: &Target,
        kind: ModelKind,
        seed: u64,
        selection: u32,
    ) -> Result<Rtl, RtlError> {
        let library = target.models.get(kind).map_err(|error| RtlError(format!("{error:#}")))?;
        let model = factory::model(&library, seed, selection).map_err(|error| RtlError(format!("{error:#}")))?;
        let (outputs, executed_csrs) = (Outputs::default(), CsrState::default());
        Ok(Rtl { model, library, outputs, executed_csrs })
    }

    /// Whether more than the ports is seen.
    pub fn has_probe(&self) -> bool {
        self.model.built().probe
    }

    /// Checks that the RTL has the parameters that bench and model work with: all of them, or, without a probe, those
    /// that its ports show.
    ///
    /// # Errors
    /// Everything that differs.
    fn check_built(&self, target: &Target) -> Result<(), String> {
        let built = self.model.built();
        // A port for the matrix instruction set alone does not tell that it is there.
        let has_matrix = built.matrix_ports && (built.probe || target.golden.matrix.is_some());
        let has = [
            built.port_bytes,
            has_matrix.into(),
            built.lanes,
            built.reg_bytes,
            built.width_mask,
            built.engine_id,
            built.csr_base,
            built.options,
            built.l1m_bytes,
            built.l0m_bytes,
            built.tlen,
            built.trlen,
        ];
        parameters::compare(
            (&target.rtl, &target.golden),
            &has[..if built.probe { has.len() } else { parameters::ON_PORTS }],
        )?;
        let unseen = factory::unseen(&self.library);
        if !unseen.is_empty() {
            return Err(format!(
                "the RTL has a probe, but no {}, which the bench reads: leave tl_probe.sv and tl_bench.vlt out for a bench \
                 that sees the ports alone",
                unseen.join(", ")
            ));
        }
        Ok(())
    }

    /// Resets the unit, whatever it is doing, for so many clock cycles, at least one.
    pub fn reset(&mut self, cycles: u32) -> Result<(), RtlError> {
        Ok(self.model.pin_mut().reset(cycles)?)
    }

    /// One clock cycle. `self.outputs` are then those of the cycle, the state is that after it.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs) -> Result<(), RtlError> {
        Ok(self.model.pin_mut().step(inputs, &mut self.outputs, &mut self.executed_csrs)?)
    }

    pub fn csrs(&self) -> CsrState {
        self.model.csrs()
    }

    pub fn register_map(&self) -> RegisterMap {
        self.model.register_map()
    }

    /// Whether physical register `phys` has exactly these bytes.
    pub fn register_equals(&self, phys: u8, expected: &[u8]) -> bool {
        // SAFETY: the pointer is that of the slice.
        unsafe { self.model.register_equals(phys, expected.as_ptr(), expected.len()) }
    }

    pub fn register(&self, phys: u8, reg_bytes: usize) -> Vec<u8> {
        let mut bytes = vec![0; reg_bytes];
        // SAFETY: the pointer is that of the vector.
        unsafe { self.model.read_register(phys, bytes.as_mut_ptr(), bytes.len()) };
        bytes
    }

    /// All 32 TLRegs, looked up through the rename map.
    pub fn registers(&self, reg_bytes: usize) -> Vec<Vec<u8>> {
        let map = self.register_map();
        let one = |(i, &phys): (usize, &u8)| {
            if map.zero >> i & 1 == 1 { vec![0; reg_bytes] } else { self.register(phys, reg_bytes) }
        };
        map.phys.iter().enumerate().map(one).collect()
    }

    /// The bytes of a matrix register, row 0 first; zeros without the matrix instruction set.
    pub fn tile(&self, config: MatrixConfig, tile: Tile) -> Vec<u8> {
        let row_bytes = match tile {
            Tile::Tr(_) => config.tr_row_bytes(),
            Tile::Acc(_) => config.acc_row_bytes(),
        };
        let mut bytes = vec![0; (config.rows() * row_bytes) as usize];
        // SAFETY: the pointer is that of the vector.
        unsafe { self.model.read_tile(tiles::number(tile), bytes.as_mut_ptr(), bytes.len()) };
        bytes
    }

    /// Writes a waveform from now on.
    ///
    /// # Errors
    /// When the file cannot be written, or this is not a traced model.
    pub fn open_wave(&mut self, path: &Path) -> Result<(), RtlError> {
        let path = c_path(path)?;
        // SAFETY: it ends with a zero.
        Ok(unsafe { self.model.pin_mut().open_wave(path.as_ptr()) }?)
    }

    pub fn close_wave(&mut self) {
        self.model.pin_mut().close_wave();
    }

    /// Writes the lines and toggles of the RTL so far, in the format of Verilator.
    ///
    /// # Errors
    /// When this model does not count them.
    pub fn write_coverage(&self, path: &Path) -> Result<(), RtlError> {
        let path = c_path(path)?;
        // SAFETY: it ends with a zero.
        Ok(unsafe { self.model.write_coverage(path.as_ptr()) }?)
    }
}

fn c_path(path: &Path) -> Result<CString, RtlError> {
    CString::new(path.as_os_str().as_encoded_bytes()).map_err(|error| RtlError::new(&error))
}

impl Default for Inputs {
    fn default() -> Self {
        // SAFETY: all of its fields are bools, integers and arrays of these, for which zero is a value.
        unsafe { std::mem::zeroed() }
    }
}

impl Default for Outputs {
    fn default() -> Self {
        // SAFETY: as for the inputs.
        unsafe { std::mem::zeroed() }
    }
}

/// Makes the models `kind` of all targets, as many at a time as there are processors, loads them, and checks that they
/// are of their configurations: a model that cannot be used is an error before the first case, and no failure of one.
pub fn make_all(targets: &[Target], kind: ModelKind) -> Result<()> {
    let processors = table::processors();
    // The slow ones first, so that no processor is left alone with one at the end.
    let mut order: Vec<&Target> = targets.iter().collect();
    order.sort_by_key(|target| std::cmp::Reverse((target.rtl.lanes, target.rtl.matrix)));
    let jobs = if targets.len() == 1 { processors } else { 1 };
    let make = |target: &&Target| target.models.make_with(kind, jobs);
    parallel::map(&order, processors, || (), make)?;
    targets.iter().try_for_each(|target| {
        target.models.get(kind)?;
        Rtl::check(target, kind)
    })
}
