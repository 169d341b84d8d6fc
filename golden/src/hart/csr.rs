// SPDX-License-Identifier: Apache-2.0
//! The host's own CSRs (docs/isa.md, "CSRs of the host").

use super::Hart;
use crate::csr_table::csrs;

csrs! {
    /// A CSR of the host.
    HartCsr {
        Mtvec = 0x305 "mtvec",
        Mscratch = 0x340 "mscratch",
        Mepc = 0x341 "mepc",
        Mcause = 0x342 "mcause",
        Mtval = 0x343 "mtval",
        Mcycle = 0xB00 "mcycle",
        Minstret = 0xB02 "minstret",
        Mcycleh = 0xB80 "mcycleh",
        Minstreth = 0xB82 "minstreth",
    }
}

impl HartCsr {
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
