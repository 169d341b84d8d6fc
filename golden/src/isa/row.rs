// SPDX-License-Identifier: Apache-2.0
//! A row of the table of TensorLoad encodings (docs/isa.md, "TensorLoad instructions"): decoder, encoder and
//! operands of an instruction follow from it, and its syntax (`asm/tensor.rs`).

use super::concat_merge::Choice;
use super::needs::Need;
use super::operands::{Access, Direction, Engine, Operand, OperandKind};

/// The most dimensions and operands that a row has, those of `tl.xpose`.
const MOST: usize = 5;

/// The dimensions and operands of an instruction in the order of its row; 0 behind the last one.
pub(crate) type Values = [u8; MOST];

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
pub(crate) struct Row {
    /// As in the table, where letters stand for the dimensions. That of a second form ends with `.rs1`.
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
pub(crate) struct Key {
    mask: u32,
    value: u32,
}

/// A dimension in the mnemonic.
#[derive(Clone, Copy)]
pub(crate) enum Dimension {
    /// Of a block, at [26:25].
    D,
    /// Of a tensor, at [26:25].
    P,
    /// Of a tensor, at [28:27].
    Q,
}

/// A field of the word that holds an operand.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    /// The TLReg of this name at [24:20], [19:15] or [11:7].
    Tl(&'static str, Access, u32),
    /// The host register at [11:7] or [19:15].
    Rs(u32),
    /// The same in parentheses, with no comma before it.
    Base(u32),
    /// The number of this name at [27:20], and whether it has a sign.
    Number(&'static str, bool),
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

    pub(crate) fn is_legal(self, value: u8) -> bool {
        match self {
            Self::D => value <= 2,
            Self::P | Self::Q => value <= 3,
        }
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

    pub(crate) fn operand(self, value: u8) -> Operand {
        match self {
            Self::Tl(name, access, low) => Operand::new(name, OperandKind::Tl(access), value, (low, 5)),
            Self::Rs(_) | Self::Base(_) => {
                Operand::new("rs", OperandKind::X(Access::Read), value, self.low_and_width())
            }
            Self::Number(name, false) => Operand::new(name, OperandKind::Immediate, value, self.low_and_width()),
            Self::Number(name, true) => Operand::signed(name, value as i8, self.low_and_width()),
            Self::Offset => Operand::signed("imm8", value as i8, self.low_and_width()),
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
