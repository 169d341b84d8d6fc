// SPDX-License-Identifier: Apache-2.0
//! A row of the table of TensorLoad encodings (docs/isa.md, "TensorLoad instructions"): decoder, encoder, assembler,
//! disassembler and operands of an instruction all follow from it.

use super::concat_merge::Choice;
use super::load_store::reject_older_draft;
use super::needs::Need;
use super::operands::{Access, Direction, Engine, Operand, OperandKind};
use crate::asm::{Cursor, Fault};

/// Behind the mnemonic, the marks of the two forms of an instruction with a host register: in [11:7] and in [19:15].
pub(super) const FIRST: &str = ".rd";
pub(super) const SECOND: &str = ".rs1";

/// The most dimensions and operands that a row has, those of `tl.xpose`.
const MOST: usize = 5;

/// The dimensions and operands of an instruction in the order of its row; 0 behind the last one.
pub(super) type Values = [u8; MOST];

/// Where [`Values`] are in the word: lowest bit and mask. Worked out beforehand, since the model decodes all the time.
pub(super) type Places = [(u32, u32); MOST];

/// How the elements of an instruction lie in its registers, and where those of its result come from.
#[derive(Clone, Copy, Debug)]
pub enum Elements {
    /// The slices of a block, from L1M or to L0M.
    Slices(Direction),
    /// All of a register, whatever the shape: each is that of the source plus a number, saturating. The function gives
    /// the number for the immediate.
    Sum(fn(i32) -> i32),
    /// The slices of a block along dimension d. The function gives, for the values of both masks and the size of the
    /// dimension, where each slice of the result comes from.
    Chosen(fn([u32; 2], u8) -> Choice),
    /// A tensor in both registers, with the sizes in x[rs]; dimensions p and q are exchanged.
    Exchanged,
}

/// An instruction.
pub(super) struct Row {
    /// As in the table, where letters stand for the dimensions. That of a second form ends with [`SECOND`].
    pub mnemonic: &'static str,
    pub engine: Engine,
    pub key: Key,
    /// The dimensions at the end of the mnemonic.
    pub dimensions: &'static [Dimension],
    /// The operands in the order of assembly language.
    pub fields: &'static [Field],
    /// It is illegal when one of these does not hold.
    pub needs: &'static [Need],
    pub elements: Elements,
}

/// The bits that tell an instruction from the others of the family.
pub(super) struct Key {
    mask: u32,
    value: u32,
}

/// A dimension in the mnemonic.
#[derive(Clone, Copy)]
pub(super) enum Dimension {
    /// Of a block, at [26:25].
    D,
    /// Of a tensor, at [26:25].
    P,
    /// Of a tensor, at [28:27].
    Q,
}

/// A field of the word that holds an operand.
#[derive(Clone, Copy)]
pub(super) enum Field {
    /// The TLReg of this name at [24:20], [19:15] or [11:7].
    Tl(&'static str, Access, u32),
    /// The host register at [11:7] or [19:15].
    Rs(u32),
    /// The same in parentheses, with no comma before it.
    Base(u32),
    /// The number of this name at [27:20], from the second to the third value.
    Number(&'static str, i32, i32),
    /// imm8 in front of a base, where 0 can be left out.
    Offset,
}

impl Key {
    /// `high` are the bits [29:27], with `-` for those of operands.
    pub(super) const fn new(high: [u8; 3], funct3: u32) -> Self {
        let mut key = Self { mask: 0b111 << 12, value: funct3 << 12 };
        let mut i = 0;
        while i < high.len() {
            assert!(matches!(high[i], b'0' | b'1' | b'-'));
            let bit = 1 << (29 - i);
            key.mask |= if high[i] == b'-' { 0 } else { bit };
            key.value |= if high[i] == b'1' { bit } else { 0 };
            i += 1;
        }
        key
    }
}

impl Dimension {
    const WIDTH: u32 = 2;

    const fn low(self) -> u32 {
        match self {
            Self::D | Self::P => 25,
            Self::Q => 27,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::D => "d",
            Self::P => "p",
            Self::Q => "q",
        }
    }

    /// The highest one, and what is said about others.
    const fn range(self) -> (u8, &'static str) {
        match self {
            Self::D => (2, "d in `tl.concat.d` and `tl.merge.d` is 0, 1 or 2"),
            Self::P | Self::Q => (3, "p and q in `tl.xpose.pq` are one digit each, 0 to 3"),
        }
    }

    fn is_legal(self, value: u8) -> bool {
        value <= self.range().0
    }
}

impl Field {
    const fn low_and_width(self) -> (u32, u32) {
        match self {
            Self::Tl(_, _, low) => (low, 5),
            Self::Rs(low) | Self::Base(low) => (low, 5),
            Self::Number(..) | Self::Offset => (20, 8),
        }
    }

    fn operand(self, value: u8) -> Operand {
        match self {
            Self::Tl(name, access, low) => Operand::new(name, OperandKind::Tl(access), value, (low, 5)),
            Self::Rs(_) | Self::Base(_) => {
                Operand::new("rs", OperandKind::X(Access::Read), value, self.low_and_width())
            }
            Self::Number(name, 0, _) => Operand::new(name, OperandKind::Immediate, value, self.low_and_width()),
            Self::Number(name, ..) => Operand::signed(name, value as i8, self.low_and_width()),
            Self::Offset => Operand::signed("imm8", value as i8, self.low_and_width()),
        }
    }

    fn parse(self, mnemonic: &str, cursor: &mut Cursor) -> Result<u8, Fault> {
        match self {
            Self::Tl(..) => cursor.tl(),
            Self::Rs(_) => cursor.gpr(),
            Self::Base(_) => cursor.base(),
            Self::Number(name, low, high) => cursor.integer(name, low.into(), high.into()).map(|number| number as u8),
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
    /// Where the values of the row are.
    pub(super) const fn places(&self) -> Places {
        let mut places = [(0, 0); MOST];
        let mut n = 0;
        while n < self.dimensions.len() + self.fields.len() {
            let (low, width) = match n.checked_sub(self.dimensions.len()) {
                None => (self.dimensions[n].low(), Dimension::WIDTH),
                Some(field) => self.fields[field].low_and_width(),
            };
            places[n] = (low, (1 << width) - 1);
            n += 1;
        }
        places
    }

    /// The values in `word`, which has the key of the row, unless a dimension is reserved.
    pub(super) fn decode(&self, word: u32, places: &Places) -> Option<Values> {
        let values = places.map(|(low, mask)| (word >> low & mask) as u8);
        let legal = self.dimensions.iter().zip(values).all(|(dimension, value)| dimension.is_legal(value));
        legal.then_some(values)
    }

    /// Whether `word` has the key of the row.
    pub(super) fn matches(&self, word: u32) -> bool {
        word & self.key.mask == self.key.value
    }

    /// The bits of the word but for opcode and EngineID.
    pub(super) fn encode(&self, values: Values) -> u32 {
        let values = self.places().into_iter().zip(values);
        values.fold(self.key.value, |word, ((low, mask), value)| word | (u32::from(value) & mask) << low)
    }

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
            *value = legal.ok_or_else(|| cursor.bad_mnemonic(mnemonic, dimension.range().1))?;
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

    /// Shows the operands, those that are only written last, and puts what `f` gives in their place.
    pub(super) fn visit(&self, values: &mut Values, f: &mut impl FnMut(Operand) -> i32) {
        let (dimensions, operands) = values.split_at_mut(self.dimensions.len());
        for (value, dimension) in dimensions.iter_mut().zip(self.dimensions) {
            let place = (dimension.low(), Dimension::WIDTH);
            *value = f(Operand::new(dimension.name(), OperandKind::Dimension, *value, place)) as u8;
        }
        for only_written in [false, true] {
            for (value, field) in operands.iter_mut().zip(self.fields) {
                let operand = field.operand(*value);
                if (operand.access() == Some(Access::Write)) == only_written {
                    *value = f(operand) as u8;
                }
            }
        }
    }
}
