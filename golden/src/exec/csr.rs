// SPDX-License-Identifier: Apache-2.0
//! The six CSR instructions (docs/isa.md, "CSR instructions").

use super::write_gpr;
use crate::decode::{CsrInstruction, CsrOperation, CsrSource};
use crate::machine::Machine;
use crate::outcome::Outcome;

/// rd receives the old value; the source is read before rd is written, so both may be the same register.
pub(super) fn csr(m: &mut Machine, out: &mut Outcome, instruction: CsrInstruction) {
    let CsrInstruction { operation, csr, rd, source } = instruction;
    let old = m.csr.read(csr);
    let source = match source {
        CsrSource::Register(rs1) => m.x(rs1),
        CsrSource::Immediate(uimm) => uimm.into(),
    };
    if instruction.writes() {
        let new = match operation {
            CsrOperation::Write => source,
            CsrOperation::Set => old | source,
            CsrOperation::Clear => old & !source,
        };
        out.csr_write = m.csr.write(csr, new).map(|kept| (csr.address(), kept));
    }
    write_gpr(m, out, rd, old);
}
