// SPDX-License-Identifier: Apache-2.0
//! The verilated unit, with its C++ side out of sight.

use std::path::Path;

use cxx::UniquePtr;
use golden::{MatrixConfig, Tile};
use serde::{Deserialize, Serialize};

pub use crate::bridge::ffi::{Built, CsrState, Inputs, ModelKind, Outputs, RegisterMap};
use crate::bridge::ffi::{Model, new_model};
use crate::target::Target;
use crate::tiles;

/// Clock cycles for which reset is held.
pub const RESET_CYCLES: u32 = 3;

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

/// RTL and model are not of one configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the RTL of configuration {config} has {field} = {rtl}, the bench expects {expected}: built from other sources?"
)]
pub struct ConfigMismatch {
    config: String,
    field: &'static str,
    rtl: u32,
    expected: u32,
}

impl From<ConfigMismatch> for RtlError {
    fn from(mismatch: ConfigMismatch) -> Self {
        RtlError(mismatch.to_string())
    }
}

/// An instance of the unit.
pub struct Rtl {
    model: UniquePtr<Model>,
    /// What the last cycle gave.
    pub outputs: Outputs,
    /// CSR state after the last instruction that executed while sampling was on.
    pub executed_csrs: CsrState,
}

// The C++ object has no tie to a thread: it has a context of its own and is used by one at a time.
unsafe impl Send for Rtl {}

impl Rtl {
    /// A unit of `target` that has been reset; `seed` fills everything that reset leaves alone.
    ///
    /// # Errors
    /// When this program has no such model, the RTL has other parameters than `target`, or it fails during reset.
    pub fn new(target: &Target, kind: ModelKind, seed: u64) -> Result<Rtl, RtlError> {
        Rtl::of(target, new_model(target.name(), kind, seed)?)
    }

    /// As [`Rtl::new`], on a model that was made elsewhere.
    ///
    /// # Errors
    /// As [`Rtl::new`].
    pub fn of(target: &Target, model: UniquePtr<Model>) -> Result<Rtl, RtlError> {
        let mut rtl = Rtl { model, outputs: Outputs::default(), executed_csrs: CsrState::default() };
        rtl.check_built(target)?;
        rtl.reset()?;
        Ok(rtl)
    }

    /// Checks that the RTL has the parameters that bench and model work with.
    ///
    /// # Errors
    /// The first parameter that differs.
    fn check_built(&self, target: &Target) -> Result<(), ConfigMismatch> {
        let built = self.model.built();
        let mask = golden::ElementWidths::ALLOWED.iter().rev();
        let mask = mask.fold(0, |m, &w| m << 1 | u32::from(target.golden.element_widths.contains(w)));
        let fields = [
            ("lanes", built.lanes, target.rtl.lanes),
            ("mem_port_bytes", built.port_bytes, target.rtl.port_bytes()),
            ("reg_bytes", built.reg_bytes, u32::try_from(target.golden.reg_bytes).unwrap_or(0)),
            ("element_widths (one bit each)", built.width_mask, mask),
            ("engine_id", built.engine_id, target.golden.engine_id.into()),
            ("l1m_bytes", built.l1m_bytes, target.golden.l1m_bytes),
            ("l0m_bytes", built.l0m_bytes, target.golden.l0m_bytes),
            ("tlen", built.tlen, target.golden.matrix.map_or(0, |matrix| matrix.tlen)),
            ("trlen", built.trlen, target.golden.matrix.map_or(0, |matrix| matrix.trlen)),
        ];
        match fields.into_iter().find(|(_, rtl, expected)| rtl != expected) {
            Some((field, rtl, expected)) => Err(ConfigMismatch { config: target.name().into(), field, rtl, expected }),
            None => Ok(()),
        }
    }

    /// Resets the unit, whatever it is doing.
    ///
    /// # Errors
    /// When the RTL fails.
    pub fn reset(&mut self) -> Result<(), RtlError> {
        Ok(self.model.pin_mut().reset(RESET_CYCLES)?)
    }

    /// One clock cycle. `self.outputs` are then those of the cycle, the state is that after it.
    ///
    /// # Errors
    /// When the RTL fails.
    #[inline]
    pub fn step(&mut self, inputs: &Inputs) -> Result<(), RtlError> {
        Ok(self.model.pin_mut().step(inputs, &mut self.outputs, &mut self.executed_csrs)?)
    }

    /// CSR state.
    pub fn csrs(&self) -> CsrState {
        self.model.csrs()
    }

    /// The rename map.
    pub fn register_map(&self) -> RegisterMap {
        self.model.register_map()
    }

    /// Whether physical register `phys` has exactly these bytes.
    pub fn register_equals(&self, phys: u8, expected: &[u8]) -> bool {
        self.model.register_equals(phys, expected)
    }

    /// The `reg_bytes` bytes of physical register `phys`.
    pub fn register(&self, phys: u8, reg_bytes: usize) -> Vec<u8> {
        let mut bytes = vec![0; reg_bytes];
        self.model.read_register(phys, &mut bytes);
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
        self.model.read_tile(tiles::number(tile), &mut bytes);
        bytes
    }

    /// Writes a waveform from now on.
    ///
    /// # Errors
    /// When the file cannot be written, or this is not a traced model.
    pub fn open_wave(&mut self, path: &Path) -> Result<(), RtlError> {
        Ok(self.model.pin_mut().open_wave(&path.to_string_lossy())?)
    }

    /// Ends the waveform.
    pub fn close_wave(&mut self) {
        self.model.pin_mut().close_wave();
    }

    /// Writes the lines and toggles of the RTL so far, in the format of Verilator.
    ///
    /// # Errors
    /// When this model does not count them.
    pub fn write_coverage(&self, path: &Path) -> Result<(), RtlError> {
        Ok(self.model.write_coverage(&path.to_string_lossy())?)
    }

    /// Activates a planted fault; 0 is none.
    ///
    /// # Errors
    /// When this model has no faults.
    pub fn set_fault(&mut self, id: u32) -> Result<(), RtlError> {
        Ok(self.model.pin_mut().set_fault(id)?)
    }
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            issue_valid: false,
            issue_instr: 0,
            issue_rs: 0,
            issue_rs2: 0,
            issue_id: 0,
            result_ready: false,
            l1m_gnt: false,
            l1m_rvalid: false,
            l1m_err: false,
            l1m_rdata: [0; 64],
            l0m_gnt: false,
            l0m_rvalid: false,
            l0m_err: false,
            sample_csrs: false,
        }
    }
}

impl Default for Outputs {
    fn default() -> Self {
        Outputs {
            issue_ready: false,
            result_valid: false,
            result_id: 0,
            result_trap: false,
            result_cause: 0,
            result_tval: 0,
            result_we: false,
            result_rd: 0,
            result_data: 0,
            l1m_req: false,
            l1m_addr: 0,
            l0m_req: false,
            l0m_addr: 0,
            l0m_be: 0,
            l0m_wdata: [0; 64],
            exec_valid: false,
            exec_tag: 0,
            retire_valid: false,
            retire_tag: 0,
            retire_word: 0,
            retire_dst_valid: 0,
            retire_dst_arch: [0; 2],
            retire_dst_phys: [0; 2],
            store_tag: 0,
            tile_valid: false,
            tile_tag: 0,
            tile_md: 0,
        }
    }
}
