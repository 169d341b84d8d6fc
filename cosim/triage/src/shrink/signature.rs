// SPDX-License-Identifier: Apache-2.0
//! What makes two failures the same: the check that failed, the operation, the first field that is wrong.

use crate::lockstep::failure::{Cause, Failure, Mismatch};
use crate::lockstep::memory::PortError;
use crate::unit::target::Target;

/// The kind of a failure. Shrinking keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The check that failed.
    pub checker: &'static str,
    /// Mnemonic of the instruction that it happened to; empty at the end, when all had retired.
    pub operation: String,
    /// What differed first.
    pub field: String,
}

impl Signature {
    pub fn of_failure(target: &Target, failure: &Failure) -> Signature {
        let (checker, field) = match &failure.cause {
            Cause::Hang { .. } => ("hang", String::new()),
            Cause::Port(PortError::Address { port, .. }) => ("port address", port.to_string()),
            Cause::Port(PortError::Unstable { port, .. }) => ("port stability", port.to_string()),
            Cause::Protocol(rule) => ("protocol", rule.to_string()),
            Cause::Rtl(error) => ("RTL", error.to_string()),
            Cause::Crash(crash) => ("crash", crash.how.clone()),
            Cause::Mismatch(mismatch) => of_mismatch(mismatch),
        };
        Signature {
            checker,
            operation: failure.at.map_or(String::new(), |(_, word, _)| operation(target, word)),
            field,
        }
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let operation = if self.operation.is_empty() { "the end" } else { &self.operation };
        write!(f, "{} at {operation}", self.checker)?;
        if self.field.is_empty() { Ok(()) } else { write!(f, ": {}", self.field) }
    }
}

fn of_mismatch(mismatch: &Mismatch) -> (&'static str, String) {
    let side = |by_rtl: bool| if by_rtl { "too many" } else { "too few" }.to_owned();
    match mismatch {
        Mismatch::Order { .. } => ("order", String::new()),
        Mismatch::Word { .. } => ("word", String::new()),
        Mismatch::NotExecuted => ("not executed", String::new()),
        Mismatch::Killed { rtl, .. } => ("killed", if *rtl { "too early" } else { "not" }.into()),
        Mismatch::Trap { rtl, model } => {
            let field = match (rtl, model) {
                (Some(rtl), Some(model)) if rtl.cause != model.cause => "cause",
                (Some(_), Some(_)) => "tval",
                (Some(_), None) => "trap of the RTL alone",
                (None, _) => "trap of the model alone",
            };
            ("trap", field.into())
        }
        Mismatch::Gpr { rtl, model } => {
            let field = match (rtl, model) {
                (Some(rtl), Some(model)) if rtl.0 == model.0 => "value",
                (Some(_), Some(_)) => "number",
                _ => "written or not",
            };
            ("host register", field.into())
        }
        // Which one of an array does not count.
        Mismatch::Csr { name, .. } => ("CSR", name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()),
        Mismatch::Meaning { field, .. } => ("meaning", field.clone()),
        Mismatch::Destinations { .. } => ("TLRegs written", String::new()),
        Mismatch::Register { .. } => ("TLReg", "contents".into()),
        Mismatch::TileWrite { .. } => ("matrix register written", String::new()),
        Mismatch::StrayTile { .. } => ("stray matrix register", String::new()),
        Mismatch::Tile { .. } => ("matrix register", "contents".into()),
        Mismatch::StoreSet { by_rtl, .. } => ("bytes stored", side(*by_rtl)),
        Mismatch::StoreValue { .. } => ("value stored", String::new()),
        Mismatch::StrayWrite { .. } => ("stray write", String::new()),
        Mismatch::X { .. } => ("host register at the end", String::new()),
        Mismatch::L0m { .. } => ("L0M at the end", String::new()),
        Mismatch::Host { what, .. } => ("host", what.clone()),
        Mismatch::Uncompared { .. } => ("uncompared", String::new()),
    }
}

/// The mnemonic without dimensions and encoding, and without `i` for CSR instructions: an operand may change when a
/// case gets smaller.
fn operation(target: &Target, word: u32) -> String {
    let text = target.disassemble(word);
    let mnemonic = text.split(' ').next().unwrap_or_default();
    match mnemonic.trim_start_matches("tl.") {
        csr if csr.starts_with("csrr") => csr.trim_end_matches('i').to_owned(),
        _ if mnemonic.starts_with("tl.") => mnemonic.splitn(3, '.').take(2).collect::<Vec<_>>().join("."),
        _ => mnemonic.to_owned(),
    }
}
