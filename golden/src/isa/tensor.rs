// SPDX-License-Identifier: Apache-2.0
//! The TensorLoad family: opcode custom-2 (docs/isa.md, "TensorLoad instructions").

use super::concat_merge::{self, concat, merge};
use super::needs::{Decider, Need};
use super::operands::{Access, Direction, Engine, Operand, Operands, Visit};
use super::row::{Dimension, Elements, Field, Key, Places, Row, Values};
use super::word::{bits, place};
use super::{addi, csr, load_store, xpose};
use crate::csr::Csr;
use crate::decode::{Decoded, Isa};
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// Custom-2.
pub(crate) const OPCODE: u32 = 0b101_1011;

const TLRD: Field = Field::Tl("tlrd", Access::Write, 7);
const TLRS: Field = Field::Tl("tlrs", Access::Read, 15);
const TLRS1: Field = Field::Tl("tlrs1", Access::Read, 15);
const TLRS2: Field = Field::Tl("tlrs2", Access::Read, 20);
const IMM8: Field = Field::Number("imm8", true);

/// Where a form has its host register.
const FIELD_11: u32 = 7;
const FIELD_19: u32 = 15;

/// Of a load or store of slices. The first four are those of a block with slices.
const fn slices(direction: Direction) -> [Need; 6] {
    [Need::Type, Need::Sizes, Need::BlockFits, Need::Slices, Need::WholeBytes(direction), Need::SlicesFit(direction)]
}

/// Of one with a mask.
const fn masked(direction: Direction) -> [Need; 7] {
    let [a, b, c, d, e, f] = slices(direction);
    [a, b, c, d, e, f, Need::Mask(direction.csrs().1)]
}

/// A load or store of slices with its host register at `rs`, and the TLReg at the other place. `high` are the bits
/// [29:27]: store, masked.
const fn slices_row(mnemonic: &'static str, high: [u8; 3], funct3: u32, rs: u32) -> Row {
    const LOAD: &[Need] = &slices(Direction::Load);
    const MLOAD: &[Need] = &masked(Direction::Load);
    const STORE: &[Need] = &slices(Direction::Store);
    const MSTORE: &[Need] = &masked(Direction::Store);
    const fn fields(name: &'static str, access: Access, rs: u32) -> [Field; 3] {
        [Field::Tl(name, access, FIELD_11 + FIELD_19 - rs), Field::Offset, Field::Base(rs)]
    }
    const LOADED: [&[Field]; 2] = [&fields("tlrd", Access::Write, FIELD_11), &fields("tlrd", Access::Write, FIELD_19)];
    const STORED: [&[Field]; 2] = [&fields("tlrs", Access::Read, FIELD_11), &fields("tlrs", Access::Read, FIELD_19)];
    let (store, masked, form) = (high[0] == b'1', high[1] == b'1', (rs == FIELD_19) as usize);
    Row {
        mnemonic,
        engine: if store { Engine::Store } else { Engine::Load },
        key: Key::new(high, funct3),
        dimensions: &[],
        fields: if store { STORED[form] } else { LOADED[form] },
        needs: match (store, masked) {
            (false, false) => LOAD,
            (false, true) => MLOAD,
            (true, false) => STORE,
            (true, true) => MSTORE,
        },
        elements: Elements::Slices(if store { Direction::Store } else { Direction::Load }),
    }
}

/// A transposition with these operands.
const fn xpose_row(mnemonic: &'static str, key: Key, fields: &'static [Field]) -> Row {
    Row {
        mnemonic,
        engine: Engine::Xpose,
        key,
        dimensions: &[Dimension::P, Dimension::Q],
        fields,
        needs: &[Need::Type, Need::TwoRegisters, Need::TensorSizes, Need::EvenD0, Need::FillsTwo],
        elements: Elements::Exchanged,
    }
}

/// The operands of a transposition with tlrs1 and the host register at these places.
const fn xpose_fields(tlrs1: u32, rs: u32) -> [Field; 3] {
    let access = Access::ReadWrite;
    [Field::Tl("tlrs1", access, tlrs1), Field::Tl("tlrs2", access, 20), Field::Rs(rs)]
}

/// Makes an instruction of the values of its row.
pub(crate) type Build = fn(Values) -> Tensor;

/// The enum of the instructions, and the table: for each its row, and what makes it of the values of the row, which are
/// the fields of the variant in their order.
macro_rules! instructions {
    ($($(#[$about:meta])* $name:ident { $($field:ident: $type:ty),* } = $row:expr;)*) => {
        /// A TensorLoad instruction with all its fields. `tlr*` are TLReg numbers, `rs` a host register number, all
        /// 0..=31.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // The fields are those of the table of encodings.
        pub enum Tensor { $($(#[$about])* $name { $($field: $type),* },)* }

        /// The table of encodings.
        pub(crate) const ROWS: &[(Row, Build)] =
            &[$(($row, |[$($field,)* ..]| Tensor::$name { $($field: $field as $type),* })),*];

        /// Numbers of the rows.
        enum Number { $($name),* }

        impl Tensor {
            /// The number of the row of the instruction, and the values of its dimensions and operands.
            fn number_and_values(self) -> (usize, Values) {
                let mut values = Values::default();
                let number = match self {
                    $(Self::$name { $($field),* } => {
                        values.iter_mut().zip([$($field as u8),*]).for_each(|(value, field)| *value = field);
                        Number::$name
                    })*
                };
                (number as usize, values)
            }
        }
    };
}

instructions! {
    /// `tl.load tlrd, imm8(rs)`
    Load { tlrd: u8, imm8: i8, rs: u8 } = slices_row("tl.load", *b"00-", 0b000, FIELD_11);
    /// `tl.mload tlrd, imm8(rs)`
    Mload { tlrd: u8, imm8: i8, rs: u8 } = slices_row("tl.mload", *b"01-", 0b000, FIELD_11);
    /// `tl.store tlrs, imm8(rs)`
    Store { tlrs: u8, imm8: i8, rs: u8 } = slices_row("tl.store", *b"10-", 0b010, FIELD_11);
    /// `tl.mstore tlrs, imm8(rs)`
    Mstore { tlrs: u8, imm8: i8, rs: u8 } = slices_row("tl.mstore", *b"11-", 0b010, FIELD_11);
    /// `tl.addi tlrd, tlrs, imm8`
    Addi { tlrd: u8, tlrs: u8, imm8: i8 } = Row {
        mnemonic: "tl.addi",
        engine: Engine::Move,
        key: Key::new(*b"00-", 0b010),
        dimensions: &[],
        fields: &[TLRD, TLRS, IMM8],
        needs: &[Need::Type, Need::Integer],
        elements: Elements::Sum(|imm8| imm8),
    };
    /// `tl.concat.d tlrd, tlrs1, tlrs2`; d is 0..=2
    Concat { d: u8, tlrd: u8, tlrs1: u8, tlrs2: u8 } = Row {
        mnemonic: "tl.concat.d",
        engine: Engine::Move,
        key: Key::new(*b"000", 0b001),
        dimensions: &[Dimension::D],
        fields: &[TLRD, TLRS1, TLRS2],
        needs: &[
            Need::Type,
            Need::Sizes,
            Need::BlockFits,
            Need::Slices,
            Need::Mask(Csr::TmaskConcat1),
            Need::Mask(Csr::TmaskConcat2),
            Need::SelectionFits,
        ],
        elements: Elements::Chosen(concat),
    };
    /// `tl.merge.d tlrd, tlrs1, tlrs2`; d is 0..=2
    Merge { d: u8, tlrd: u8, tlrs1: u8, tlrs2: u8 } = Row {
        mnemonic: "tl.merge.d",
        engine: Engine::Move,
        key: Key::new(*b"001", 0b001),
        dimensions: &[Dimension::D],
        fields: &[TLRD, TLRS1, TLRS2],
        needs: &[Need::Type, Need::Sizes, Need::BlockFits, Need::Slices, Need::Mask(Csr::TmaskConcat1)],
        elements: Elements::Chosen(merge),
    };
    /// `tl.xpose.pq tlrs1, tlrs2, rs`; p is the field dim0, q the field dim1, both 0..=3
    Xpose { p: u8, q: u8, tlrs1: u8, tlrs2: u8, rs: u8 } =
        xpose_row("tl.xpose.pq", Key::new(*b"0--", 0b011), &xpose_fields(FIELD_19, FIELD_11));
    /// The second form of `tl.load`: docs/isa.md, "Second encodings". Those of other instructions follow.
    LoadRs1 { tlrd: u8, imm8: i8, rs: u8 } = slices_row("tl.load.rs1", *b"00-", 0b100, FIELD_19);
    /// `tl.mload`
    MloadRs1 { tlrd: u8, imm8: i8, rs: u8 } = slices_row("tl.mload.rs1", *b"01-", 0b100, FIELD_19);
    /// `tl.store`
    StoreRs1 { tlrs: u8, imm8: i8, rs: u8 } = slices_row("tl.store.rs1", *b"10-", 0b100, FIELD_19);
    /// `tl.mstore`
    MstoreRs1 { tlrs: u8, imm8: i8, rs: u8 } = slices_row("tl.mstore.rs1", *b"11-", 0b100, FIELD_19);
    /// `tl.xpose.pq`
    XposeRs1 { p: u8, q: u8, tlrs1: u8, tlrs2: u8, rs: u8 } =
        xpose_row("tl.xpose.pq.rs1", Key::new(*b"1--", 0b101), &xpose_fields(FIELD_11, FIELD_19));
}

/// The first forms of the rows behind [`SECOND_FORMS`], in their order.
const FIRST_FORMS: [usize; ROWS.len() - SECOND_FORMS] = [
    Number::Load as usize,
    Number::Mload as usize,
    Number::Store as usize,
    Number::Mstore as usize,
    Number::Xpose as usize,
];

/// The number of the first row that is a second form; all behind it are.
pub(crate) const SECOND_FORMS: usize = Number::LoadRs1 as usize;

/// For each row of the table, where its values are.
const PLACES: [Places; ROWS.len()] = {
    let mut places = [ROWS[0].0.places(); ROWS.len()];
    let mut n = 0;
    while n < ROWS.len() {
        places[n] = ROWS[n].0.places();
        n += 1;
    }
    places
};

/// The operands of a load or store of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SliceTransfer {
    /// Load or store.
    pub direction: Direction,
    /// Whether a mask selects slices.
    pub masked: bool,
    /// The TLReg: tlrd of a load, tlrs of a store.
    pub tl: u8,
    /// Host register with the base address in bytes.
    pub rs: u8,
    /// Signed number of slots.
    pub imm8: i8,
}

impl From<SliceTransfer> for Tensor {
    fn from(SliceTransfer { direction, masked, tl, rs, imm8 }: SliceTransfer) -> Self {
        match (direction, masked) {
            (Direction::Load, false) => Self::Load { tlrd: tl, rs, imm8 },
            (Direction::Load, true) => Self::Mload { tlrd: tl, rs, imm8 },
            (Direction::Store, false) => Self::Store { tlrs: tl, rs, imm8 },
            (Direction::Store, true) => Self::Mstore { tlrs: tl, rs, imm8 },
        }
    }
}

/// The rows that a unit has.
pub(crate) fn rows(isa: Isa) -> &'static [(Row, Build)] {
    &ROWS[..if isa.gpr_rs1 { ROWS.len() } else { SECOND_FORMS }]
}

/// Decodes a word that has the opcode of the family.
pub(crate) fn decode(word: u32, isa: Isa) -> Decoded {
    if bits(word, 30, 2) != isa.engine_id & 3 {
        return Decoded::NotOurs;
    }
    if isa.csr_op && csr::is_of_unit(word) {
        return csr::decode(word, isa);
    }
    let row = rows(isa).iter().zip(&PLACES).find(|((row, _), _)| row.matches(word));
    let instruction = row.and_then(|((row, build), places)| row.decode(word, places).map(build));
    instruction.map_or(Decoded::Illegal, Decoded::Tensor)
}

impl Tensor {
    /// One of each instruction, with operands that are all 0, in the order of the table. Of one with two forms it is
    /// the first.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS[..SECOND_FORMS].iter().map(|(_, build)| build(Values::default()))
    }

    /// The place of the instruction in the table, from 0. Both forms of one have the same.
    pub fn number(self) -> usize {
        let (number, _) = self.number_and_values();
        number.checked_sub(SECOND_FORMS).map_or(number, |second| FIRST_FORMS[second])
    }

    /// Whether it is a second form, with the host register in [19:15].
    pub fn is_second_form(self) -> bool {
        self.number_and_values().0 >= SECOND_FORMS
    }

    /// Its second form, if it has two.
    pub fn second_form(self) -> Option<Self> {
        let second = FIRST_FORMS.iter().position(|&first| first == self.number())?;
        Some(ROWS[SECOND_FORMS + second].1(self.number_and_values().1))
    }

    /// The row of the instruction, and the values of its dimensions and operands in the order of the row.
    pub(crate) fn row(self) -> (&'static Row, Values) {
        let (number, values) = self.number_and_values();
        (&ROWS[number].0, values)
    }

    /// It is illegal, and changes nothing, when one of its needs does not hold.
    pub(super) fn execute(self, m: &mut Machine, out: &mut Outcome) -> Result<(), Trap> {
        let (row, values) = self.row();
        if self.unmet(m).next().is_some() {
            return Err(Trap::illegal(out.word));
        }
        match row.elements {
            Elements::Slices(_) => self.transfer().map_or(Ok(()), |transfer| load_store::transfer(m, out, transfer)),
            Elements::Sum(_) => {
                let [tlrd, tlrs, ..] = values;
                addi::addi(m, out, tlrd, tlrs, self.added().unwrap_or(0))
            }
            Elements::Chosen(choose) => {
                let [d, tlrd, tlrs1, tlrs2, _] = values;
                concat_merge::choose(m, out, d, tlrd, [tlrs1, tlrs2], choose)
            }
            Elements::Exchanged => {
                let [p, q, tlrs1, tlrs2, rs] = values;
                xpose::xpose(m, out, [p, q], [tlrs1, tlrs2], rs)
            }
        }
    }

    /// Its operands.
    pub fn operands(self) -> Operands {
        Operands::of(self)
    }

    /// As [`Decoded::with_operands`].
    #[must_use]
    pub fn with_operands(mut self, mut value: impl FnMut(Operand) -> i32) -> Self {
        self.visit(&mut value);
        self
    }

    /// What it needs to be legal.
    pub fn needs(self) -> &'static [Need] {
        self.row().0.needs
    }

    /// Those of its needs that do not hold in the state `m`.
    pub fn unmet(self, m: &Machine) -> impl Iterator<Item = Need> {
        let (row, values) = self.row();
        row.needs.iter().copied().filter(move |need| !need.holds(m, row, values))
    }

    /// The CSRs that decide about it in a unit with all options, each once. A load or store of slices also reads the
    /// strides of those.
    pub fn csrs(self) -> impl Iterator<Item = Csr> {
        let csrs = |needs: &'static [Need]| {
            needs.iter().flat_map(|need| need.deciders()).filter_map(|decider| match decider {
                Decider::Csr(csr) => Some(csr),
                Decider::HostRegister | Decider::Operands => None,
            })
        };
        let needs = self.needs();
        let first = move |&(n, csr): &(usize, Csr)| !csrs(needs).take(n).any(|other| other == csr);
        csrs(needs).enumerate().filter(first).map(|(_, csr)| csr)
    }

    /// The other instructions with the same engine, needs and operands, all of which are 0.
    pub fn alike(self) -> impl Iterator<Item = Self> {
        let operands = |tensor: Self| tensor.operands().iter().map(|operand| (operand.kind, operand.low));
        Self::all().filter(move |&other| {
            let same = (other.engine(), other.needs()) == (self.engine(), self.needs());
            other.number() != self.number() && same && operands(other).eq(operands(self))
        })
    }

    /// How its elements lie in registers, and where those of the result come from.
    pub fn elements(self) -> Elements {
        self.row().0.elements
    }

    /// What a sum adds to each element; `None` for the other instructions.
    pub fn added(self) -> Option<i32> {
        let Elements::Sum(added) = self.elements() else { return None };
        self.operands().immediate().map(|immediate| added(immediate.value))
    }

    /// The operands of a load or store; `None` for the other instructions.
    pub fn transfer(self) -> Option<SliceTransfer> {
        let (row, [tl, imm8, rs, ..]) = self.row();
        let Elements::Slices(direction) = row.elements else { return None };
        let masked = row.needs.iter().any(|need| matches!(need, Need::Mask(_)));
        Some(SliceTransfer { direction, masked, tl, rs, imm8: imm8 as i8 })
    }

    /// The mnemonic as in the table of encodings, where d, p and q stand for dimensions: `tl.concat.d`. That of a
    /// second form has its mark: `tl.load.rs1`.
    pub fn mnemonic(self) -> &'static str {
        self.row().0.mnemonic
    }

    /// What carries it out.
    pub fn engine(self) -> Engine {
        self.row().0.engine
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self, engine_id: u8) -> u32 {
        let (row, values) = self.row();
        place(engine_id.into(), 30, 2) | row.encode(values) | OPCODE
    }
}

impl Visit for Tensor {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        let (number, mut values) = self.number_and_values();
        let (row, build) = &ROWS[number];
        row.visit(&mut values, f);
        *self = build(values);
    }
}
