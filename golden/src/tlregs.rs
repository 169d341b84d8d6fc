// SPDX-License-Identifier: Apache-2.0
//! The tensor registers `tl0`..`tl31` (docs/isa.md, "State").

/// Number of `tl` registers, of `x` registers and of stride registers of each kind.
pub const REGISTERS: usize = 32;

/// The 32 tensor registers. Only the low five bits of a register number are used, so every number is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlRegs {
    reg_bytes: usize,
    bytes: Vec<u8>,
}

impl TlRegs {
    /// Registers of `reg_bytes` bytes each, all zero.
    pub fn new(reg_bytes: usize) -> Self {
        Self { reg_bytes, bytes: vec![0; REGISTERS.saturating_mul(reg_bytes)] }
    }

    /// Size of one register in bytes.
    pub fn reg_bytes(&self) -> usize {
        self.reg_bytes
    }

    fn offset(&self, tl: u8) -> usize {
        usize::from(tl & 31) * self.reg_bytes
    }

    /// The `reg_bytes` bytes of register `tl`, byte 0 first. tl0 reads as zeros.
    pub fn get(&self, tl: u8) -> &[u8] {
        let start = self.offset(tl);
        &self.bytes[start..start + self.reg_bytes]
    }

    /// The bytes of all registers, one behind the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of register `tl` for writing; `None` for tl0, to which writes are dropped.
    pub fn get_mut(&mut self, tl: u8) -> Option<&mut [u8]> {
        let start = self.offset(tl);
        (start != 0).then(|| &mut self.bytes[start..start + self.reg_bytes])
    }

    /// Writes `bytes` to the register from byte 0 on; missing bytes become 0, excess ones are ignored. A write to
    /// tl0 is dropped.
    pub fn set(&mut self, tl: u8, bytes: &[u8]) {
        if let Some(register) = self.get_mut(tl) {
            let n = bytes.len().min(register.len());
            register[..n].copy_from_slice(&bytes[..n]);
            register[n..].fill(0);
        }
    }

    /// A copy of two registers, one after the other: `2 * reg_bytes` bytes. For instructions whose target may be one of
    /// their sources.
    pub(crate) fn pair(&self, first: u8, second: u8) -> Vec<u8> {
        [self.get(first), self.get(second)].concat()
    }
}
