// SPDX-License-Identifier: Apache-2.0
//! What can be asked of every instruction without a match over instructions: its operands and its engine.

use std::ops::RangeInclusive;

use crate::outcome::Trap;
use crate::tiles::Tile;

/// What carries an instruction out. The specification has no engines; it is how implementations, and whoever watches
/// them, sort instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The host itself: `lui`, `addi`.
    Host,
    /// CSR instructions.
    Csr,
    /// `tl.load`, `tl.mload`
    Load,
    /// `tl.store`, `tl.mstore`
    Store,
    /// What makes one register of registers: `tl.addi`, `tl.concat`, `tl.merge`.
    Move,
    /// `tl.xpose`
    Xpose,
    /// Loads of matrix registers.
    MatrixLoad,
    /// Stores of matrix registers.
    MatrixStore,
    /// `msettile*`, `mrelease`
    MatrixConfig,
}

impl Engine {
    /// All of them, in the order of the variants.
    pub const ALL: [Self; 9] = [
        Self::Host,
        Self::Csr,
        Self::Load,
        Self::Store,
        Self::Move,
        Self::Xpose,
        Self::MatrixLoad,
        Self::MatrixStore,
        Self::MatrixConfig,
    ];
}

/// Between which side of a unit and memory data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From L1M to a register.
    Load,
    /// From a register to L0M.
    Store,
}

impl Direction {
    /// The cause of a trap for an address that is misaligned.
    pub(super) fn misaligned(self) -> u32 {
        match self {
            Self::Load => Trap::LOAD_MISALIGNED,
            Self::Store => Trap::STORE_MISALIGNED,
        }
    }

    /// The cause of an access fault.
    pub(super) fn fault(self) -> u32 {
        match self {
            Self::Load => Trap::LOAD_FAULT,
            Self::Store => Trap::STORE_FAULT,
        }
    }
}

/// What an instruction does with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it, all of it or, as a matrix load, a part.
    Write,
    /// Both, as `tl.xpose` does.
    ReadWrite,
}

/// A register that an instruction names; x0 and tl0 are registers like others here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A host register, 0..=31.
    X(u8),
    /// A TLReg, 0..=31.
    Tl(u8),
    /// A matrix register.
    Tile(Tile),
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// A host register.
    X(Access),
    /// A TLReg.
    Tl(Access),
    /// One of `tr0`..`tr3`.
    Tr(Access),
    /// One of `acc0`..`acc3`.
    Acc(Access),
    /// An immediate.
    Immediate,
    /// A dimension in the mnemonic: d, p, q.
    Dimension,
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Its name in docs/isa.md: `tlrd`.
    pub name: &'static str,
    /// What it is.
    pub kind: OperandKind,
    /// Number of the register, the immediate with its sign, or the dimension.
    pub value: i32,
    /// Lowest bit of its field in the instruction word: 7, 15 or 20 for a host register or a TLReg.
    pub low: u32,
    /// Bits of that field.
    pub width: u32,
    /// Whether the highest of them is a sign.
    pub signed: bool,
}

impl Operand {
    pub(super) fn new(name: &'static str, kind: OperandKind, value: impl Into<i32>, (low, width): (u32, u32)) -> Self {
        Self { name, kind, value: value.into(), low, width, signed: false }
    }

    /// A signed immediate.
    pub(super) fn signed(name: &'static str, value: impl Into<i32>, field: (u32, u32)) -> Self {
        Self { signed: true, ..Self::new(name, OperandKind::Immediate, value, field) }
    }

    /// The values that its field can have.
    pub fn range(self) -> RangeInclusive<i32> {
        let half = 1 << (self.width - 1);
        if self.signed { -half..=half - 1 } else { 0..=2 * half - 1 }
    }

    /// The register, if it is one.
    pub fn register(self) -> Option<Register> {
        let number = self.value as u8;
        match self.kind {
            OperandKind::X(_) => Some(Register::X(number)),
            OperandKind::Tl(_) => Some(Register::Tl(number)),
            OperandKind::Tr(_) => Some(Register::Tile(Tile::Tr(number))),
            OperandKind::Acc(_) => Some(Register::Tile(Tile::Acc(number))),
            OperandKind::Immediate | OperandKind::Dimension => None,
        }
    }

    /// What the instruction does with it, if it is a register.
    pub fn access(self) -> Option<Access> {
        match self.kind {
            OperandKind::X(access) | OperandKind::Tl(access) | OperandKind::Tr(access) | OperandKind::Acc(access) => {
                Some(access)
            }
            OperandKind::Immediate | OperandKind::Dimension => None,
        }
    }
}

/// Operands of the instruction with the most of them, `tl.xpose`.
const MOST: usize = 5;

/// The operands of an instruction: first all that it reads, immediates and dimensions among them, then the registers
/// that it only writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands([Option<Operand>; MOST]);

impl Operands {
    /// Those that `instruction` shows.
    pub(crate) fn of(mut instruction: impl Visit) -> Self {
        let mut operands = Self::default();
        let mut free = operands.0.iter_mut();
        instruction.visit(&mut |operand: Operand| {
            if let Some(place) = free.next() {
                *place = Some(operand);
            }
            operand.value
        });
        operands
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Operand> {
        self.0.into_iter().flatten()
    }

    /// The value of the operand of that name.
    pub fn named(self, name: &str) -> Option<i32> {
        self.iter().find(|operand| operand.name == name).map(|operand| operand.value)
    }

    /// The immediate; no instruction has two.
    pub fn immediate(self) -> Option<Operand> {
        self.iter().find(|operand| operand.kind == OperandKind::Immediate)
    }

    /// The registers that are read.
    pub fn reads(self) -> impl Iterator<Item = Register> {
        self.registers(Access::Write)
    }

    /// The registers that are written, if the instruction does not trap.
    pub fn writes(self) -> impl Iterator<Item = Register> {
        self.registers(Access::Read)
    }

    /// Those with another access than this one.
    fn registers(self, without: Access) -> impl Iterator<Item = Register> {
        self.iter().filter(move |operand| operand.access() != Some(without)).filter_map(Operand::register)
    }
}

/// An instruction that shows its operands, and takes others in their place. The one statement of what they are: all
/// that is asked about operands is answered from it.
pub(crate) trait Visit {
    /// Calls `f` for each operand in the order of [`Operands`]; what it gives is the new value, of which only the bits
    /// that the operand has count.
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32);
}
