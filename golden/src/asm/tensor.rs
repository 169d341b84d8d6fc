// SPDX-License-Identifier: Apache-2.0
//! Syntax of the TensorLoad family: it follows from the rows of the table.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::{Isa, Tensor};
use crate::isa::row::{Dimension, Field, Row, Values};
use crate::isa::tensor::{Build, ROWS, SECOND_FORMS, rows};

/// Behind the mnemonic, the marks of the two forms of an instruction with a host register: in [11:7] and in [19:15].
const FIRST: &str = ".rd";
const SECOND: &str = ".rs1";

/// The mnemonics as the table has them.
pub(super) fn mnemonics(isa: Isa) -> impl Iterator<Item = &'static str> {
    rows(isa).iter().map(|(row, _)| row.mnemonic)
}

/// Reads the operands of `mnemonic`; `None` when it is not one of the family. Of an instruction with two forms it is
/// the second one if the configuration has it, unless the mnemonic has the mark of one.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor, isa: Isa) -> Result<Option<Tensor>, Fault> {
    let (first, second) = ROWS.split_at(SECOND_FORMS);
    let by_mark = [(FIRST, first), (SECOND, second)].into_iter();
    let marked = by_mark.filter_map(|(mark, rows)| Some((mnemonic.strip_suffix(mark)?, rows))).next();
    let find = |rows: &'static [(Row, Build)], plain| rows.iter().find_map(|row| Some((row, row.0.suffix(plain)?)));
    let (plain, row) = match marked {
        // `.rd` too is for those alone that have a second form.
        Some((plain, rows)) => (plain, find(second, plain).and(find(rows, plain))),
        None => (mnemonic, find(second, mnemonic).filter(|_| isa.gpr_rs1).or_else(|| find(first, mnemonic))),
    };
    let Some(((row, build), suffix)) = row else { return Ok(None) };
    if row.mnemonic.ends_with(SECOND) && !isa.gpr_rs1 {
        return Err(cursor.bad_mnemonic(mnemonic, "the configuration has no second encodings (`gpr_rs1 = true`)"));
    }
    row.parse(plain, suffix, cursor).map(build).map(Some)
}

impl Tensor {
    /// The canonical text.
    pub(super) fn print(self, isa: Isa) -> String {
        let (row, values) = self.row();
        let first_of_two = !self.is_second_form() && self.second_form().is_some();
        row.print(values, if isa.gpr_rs1 && first_of_two { FIRST } else { "" })
    }
}

impl Dimension {
    /// What is said about a value that is not legal.
    const fn allowed(self) -> &'static str {
        match self {
            Self::D => "d in `tl.concat.d` and `tl.merge.d` is 0, 1 or 2",
            Self::P | Self::Q => "p and q in `tl.xpose.pq` are one digit each, 0 to 3",
        }
    }
}

impl Field {
    fn parse(self, mnemonic: &str, cursor: &mut Cursor) -> Result<u8, Fault> {
        match self {
            Self::Tl(..) => cursor.tl(),
            Self::Rs(_) => cursor.gpr(),
            Self::Base(_) => cursor.base(),
            Self::Number(name, _) => {
                let range = self.operand(0).range();
                cursor.integer(name, (*range.start()).into(), (*range.end()).into()).map(|number| number as u8)
            }
            Self::Offset => {
                reject_older_draft(mnemonic, cursor)?;
                cursor.offset().map(|imm8| imm8 as u8)
            }
        }
    }

    fn print(self, value: u8) -> String {
        match self {
            Self::Tl(..) => format!("tl{value}"),
            Self::Rs(_) => format!("x{value}"),
            Self::Base(_) => format!("(x{value})"),
            Self::Number(..) | Self::Offset => self.operand(value).value.to_string(),
        }
    }

    /// What is written between the operand before this one and this one.
    const fn separator(self) -> &'static str {
        match self {
            Self::Base(_) => "",
            Self::Tl(..) | Self::Rs(_) | Self::Number(..) | Self::Offset => ", ",
        }
    }
}

impl Row {
    /// The mnemonic without the dimensions, which have a letter each, and without [`SECOND`].
    fn stem(&self) -> &'static str {
        let plain = self.mnemonic.trim_end_matches(SECOND);
        plain.split_at(plain.len() - self.dimensions.len()).0
    }

    /// The part of `mnemonic` where the dimensions belong, when all before it is that of the row.
    pub(super) fn suffix<'a>(&self, mnemonic: &'a str) -> Option<&'a str> {
        mnemonic.strip_prefix(self.stem()).filter(|suffix| suffix.is_empty() || !self.dimensions.is_empty())
    }

    /// The values with these dimensions and the operands that follow in the line.
    pub(super) fn parse(&self, mnemonic: &str, suffix: &str, cursor: &mut Cursor) -> Result<Values, Fault> {
        let mut values = Values::default();
        let (dimensions, operands) = values.split_at_mut(self.dimensions.len());
        for ((n, value), dimension) in dimensions.iter_mut().enumerate().zip(self.dimensions) {
            let digit = suffix.as_bytes().get(n).map(|digit| digit.wrapping_sub(b'0'));
            let legal = digit.filter(|&digit| dimension.is_legal(digit) && suffix.len() == self.dimensions.len());
            *value = legal.ok_or_else(|| cursor.bad_mnemonic(mnemonic, dimension.allowed()))?;
        }
        for ((n, value), field) in operands.iter_mut().enumerate().zip(self.fields) {
            if n > 0 && !field.separator().is_empty() {
                cursor.comma()?;
            }
            *value = field.parse(mnemonic, cursor)?;
        }
        Ok(values)
    }

    /// The canonical text, with `mark` behind the mnemonic.
    pub(super) fn print(&self, values: Values, mark: &str) -> String {
        let (dimensions, operands) = values.split_at(self.dimensions.len());
        let mut text = self.stem().to_string();
        text.extend(dimensions.iter().map(u8::to_string));
        text += mark;
        for ((n, value), field) in operands.iter().enumerate().zip(self.fields) {
            text += if n == 0 { " " } else { field.separator() };
            text += &field.print(*value);
        }
        text
    }
}

/// The error for the form of an older draft, `tl.mload t1, x10, x11`, at the second operand.
pub(super) fn reject_older_draft(mnemonic: &str, cursor: &Cursor) -> Result<(), Fault> {
    if !cursor.looks_like(&[None, Some(","), None]) {
        return Ok(());
    }
    let register = cursor.text_before(2);
    // That draft has the shape first and the base last in a load, the other way round in a store.
    let base = cursor.text_at(if mnemonic.ends_with("load") { 2 } else { 0 });
    Err(cursor.fault(format!(
        "`{mnemonic}` with three registers is the form of an older draft; the shape comes from the CSR `tshape`: \
         set tshape, then write `{mnemonic} {register}, 0({base})`"
    )))
}
