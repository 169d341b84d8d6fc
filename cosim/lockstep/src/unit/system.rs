// SPDX-License-Identifier: Apache-2.0
//! The unit in a system: a core, the adapter, memories.

use anyhow::{Result, ensure};
use golden::hart::Pages;

use super::bridge::ffi::{self, Core};
pub use super::surroundings::RAM_BYTES;
use super::{ModelKind, Rtl, RtlError};
use crate::unit::target::Target;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocMemory {
    Ram,
    L1m,
    L0m,
}

pub struct Soc {
    rtl: Rtl,
    sizes: [usize; 3],
    /// What the core did in the last cycle.
    pub core: Core,
}

impl Soc {
    /// The system `kind`, to be reset; `seed` fills everything that reset leaves alone. `selection` is a planted fault
    /// or 0, and what [`super::surroundings`] adds to it.
    pub fn new(target: &Target, kind: ModelKind, seed: u64, selection: u32) -> Result<Soc, RtlError> {
        let rtl = Rtl::before_reset(target, kind, seed, selection)?;
        let sizes = [RAM_BYTES, target.rtl.l1m_bytes as usize, target.rtl.l0m_bytes as usize];
        Ok(Soc { rtl, sizes, core: Core::default() })
    }

    /// The unit: its state, and its outputs in the last cycle.
    pub fn unit(&self) -> &Rtl {
        &self.rtl
    }

    pub fn reset(&mut self, cycles: u32) -> Result<(), RtlError> {
        self.rtl.reset(cycles)
    }

    /// One clock cycle. `core` and the outputs of the unit are then those of the cycle, the state is that after it.
    pub fn step(&mut self) -> Result<(), RtlError> {
        let Rtl { model, outputs, executed_csrs, .. } = &mut self.rtl;
        // SAFETY: `new` has made a system.
        Ok(unsafe { ffi::soc_step(model.pin_mut(), &mut self.core, outputs, executed_csrs) }?)
    }

    pub fn memory(&mut self, memory: SocMemory) -> &mut [u8] {
        let place = memory as u8;
        // SAFETY: `new` has made a system, whose memory has so many bytes, and which nobody else has while this is
        // borrowed.
        unsafe {
            let bytes = ffi::soc_memory(self.rtl.model.pin_mut(), place);
            std::slice::from_raw_parts_mut(bytes, self.sizes[usize::from(place)])
        }
    }
}

/// Checks that a program needs no more of program memory than there is; `ram` is all that a host may have.
pub fn check_size(ram: &Pages) -> Result<()> {
    let used = ram.used();
    ensure!(used <= RAM_BYTES, "the program needs {used} bytes of program memory; the system has {RAM_BYTES}");
    Ok(())
}
