// SPDX-License-Identifier: Apache-2.0
//! The host's own CSRs (docs/isa.md, "CSRs of the host").

use super::Hart;

/// A CSR of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Each variant is the CSR of that name.
pub enum HartCsr {
    Mtvec,
    Mscratch,
    Mepc,
    Mcause,
    Mtval,
    Mcycle,
    Minstret,
    Mcycleh,
    Minstreth,
}

const TABLE: [(HartCsr, u16, &str); 9] = [
    (HartCsr::Mtvec, 0x305, "mtvec"),
    (HartCsr::Mscratch, 0x340, "mscratch"),
    (HartCsr::Mepc, 0x341, "mepc"),
    (HartCsr::Mcause, 0x342, "mcause"),
    (HartCsr::Mtval, 0x343, "mtval"),
    (HartCsr::Mcycle, 0xB00, "mcycle"),
    (HartCsr::Minstret, 0xB02, "minstret"),
    (HartCsr::Mcycleh, 0xB80, "mcycleh"),
    (HartCsr::Minstreth, 0xB82, "minstreth"),
];

impl HartCsr {
    /// All of them, by ascending address.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.into_iter().map(|row| row.0)
    }

    /// The CSR at `address`, if it is one of these.
    pub fn from_address(address: u16) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == address).map(|row| row.0)
    }

    /// The CSR of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == name).map(|row| row.0)
    }

    /// The 12-bit CSR address.
    pub fn address(self) -> u16 {
        TABLE.iter().find(|row| row.0 == self).map_or(0, |row| row.1)
    }

    /// The name in the RISC-V privileged architecture.
    pub fn name(self) -> &'static str {
        TABLE.iter().find(|row| row.0 == self).map_or("", |row| row.2)
    }

    /// Whether a write to it is an illegal instruction.
    pub fn read_only(self) -> bool {
        matches!(self, Self::Mcycle | Self::Minstret | Self::Mcycleh | Self::Minstreth)
    }
}

impl Hart {
    /// The value of `csr`.
    pub fn csr(&self, csr: HartCsr) -> u32 {
        match csr {
            HartCsr::Mtvec => self.mtvec,
            HartCsr::Mscratch => self.mscratch,
            HartCsr::Mepc => self.mepc,
            HartCsr::Mcause => self.mcause,
            HartCsr::Mtval => self.mtval,
            HartCsr::Mcycle => self.cycle as u32,
            HartCsr::Minstret => self.instret as u32,
            HartCsr::Mcycleh => (self.cycle >> 32) as u32,
            HartCsr::Minstreth => (self.instret >> 32) as u32,
        }
    }

    /// Writes `csr`, which is not read only, and gives the value that it keeps.
    pub(super) fn set_csr(&mut self, csr: HartCsr, value: u32) -> u32 {
        let (register, kept) = match csr {
            HartCsr::Mtvec => (&mut self.mtvec, value & !3),
            HartCsr::Mscratch => (&mut self.mscratch, value),
            HartCsr::Mepc => (&mut self.mepc, value & !3),
            HartCsr::Mcause => (&mut self.mcause, value),
            HartCsr::Mtval => (&mut self.mtval, value),
            HartCsr::Mcycle | HartCsr::Minstret | HartCsr::Mcycleh | HartCsr::Minstreth => return self.csr(csr),
        };
        *register = kept;
        kept
    }
}
