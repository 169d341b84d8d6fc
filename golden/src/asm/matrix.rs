// SPDX-License-Identifier: Apache-2.0
//! Syntax of the matrix family.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::{Form, Matrix, TileSource, Transfer};

/// The mnemonics in few words, for messages.
pub(super) const PATTERNS: [&str; 4] =
    ["ml{a,b,c}[t]e{8,16,32}", "ms{a,b,c}[t]e{8,16,32}", "msettile{m,n,k}[i]", "mrelease"];

/// The instruction of that name, with operands that are all 0.
pub(super) fn named(mnemonic: &str) -> Option<Matrix> {
    Matrix::all().find(|instruction| instruction.mnemonic() == mnemonic)
}

/// Reads the operands of `mnemonic`; `None` when it is not one of the family.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<Matrix>, Fault> {
    let Some(like) = named(mnemonic) else { return Ok(None) };
    Ok(Some(match like {
        Matrix::Load(transfer) => Matrix::Load(transfer.parse(cursor)?),
        Matrix::Store(transfer) => Matrix::Store(transfer.parse(cursor)?),
        Matrix::SetTile { size, source } => Matrix::SetTile { size, source: source.parse(cursor)? },
        Matrix::Release => Matrix::Release,
    }))
}

impl Matrix {
    /// The canonical text.
    pub(super) fn print(self) -> String {
        let operands = match self {
            Self::Load(transfer) | Self::Store(transfer) => transfer.print(),
            Self::SetTile { source, .. } => source.print(),
            Self::Release => return self.mnemonic().to_string(),
        };
        format!("{} {operands}", self.mnemonic())
    }
}

impl Transfer {
    /// The same with the operands that follow in the line.
    fn parse(self, cursor: &mut Cursor) -> Result<Self, Fault> {
        let register = match self.form {
            Form::A | Form::B => cursor.tr()?,
            Form::C => cursor.acc()?,
        };
        cursor.comma()?;
        let rs1 = cursor.base()?;
        cursor.comma()?;
        Ok(Self { register, rs1, rs2: cursor.gpr()?, ..self })
    }

    /// The operands as text.
    pub(super) fn print(self) -> String {
        let Self { register, rs1, rs2, .. } = self;
        let kind = match self.form {
            Form::A | Form::B => "tr",
            Form::C => "acc",
        };
        format!("{kind}{register}, (x{rs1}), x{rs2}")
    }
}

impl TileSource {
    /// The operand that follows in the line, of the same kind as this one.
    fn parse(self, cursor: &mut Cursor) -> Result<Self, Fault> {
        match self {
            Self::Immediate(_) => Ok(Self::Immediate(cursor.integer("imm10", 0, 1023)? as u16)),
            Self::Register(_) => cursor.gpr().map(Self::Register),
        }
    }

    pub(super) fn print(self) -> String {
        match self {
            Self::Immediate(imm10) => imm10.to_string(),
            Self::Register(rs1) => format!("x{rs1}"),
        }
    }
}
