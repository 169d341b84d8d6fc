// SPDX-License-Identifier: Apache-2.0
//! What the second instruction of a pair has to do with the first one.

use golden::decode::{Access, Operand, OperandKind, Operands};

/// Which registers the second instruction shares with the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// None.
    Apart,
    /// It reads the first result with its first operand.
    ReadsFirst,
    /// It reads the last result with its last operand.
    ReadsLast,
    /// Its result is that of the first one.
    Overwrites,
    /// Its result is what the first one reads.
    OverwritesSource,
    /// All registers are those of the first one, in their order.
    Same,
    /// All registers are `tl0`, but the last operand that is read.
    Zero,
}

impl Relation {
    pub const ALL: [Relation; 7] = [
        Relation::Apart,
        Relation::ReadsFirst,
        Relation::ReadsLast,
        Relation::Overwrites,
        Relation::OverwritesSource,
        Relation::Same,
        Relation::Zero,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Relation::Apart => "no register in common",
            Relation::ReadsFirst => "reads its first result",
            Relation::ReadsLast => "reads its last result",
            Relation::Overwrites => "overwrites its result",
            Relation::OverwritesSource => "overwrites its operand",
            Relation::Same => "the same registers",
            Relation::Zero => "tl0",
        }
    }
}

/// The first register of an instruction that follows none; the others come behind it.
pub const FIRST: u8 = 1;
/// The first one of an instruction that shares none with it.
pub const APART: u8 = 11;

/// The registers of an instruction that follows none, one after the other.
pub fn alone() -> impl FnMut(Operand) -> u8 {
    let mut registers = FIRST..;
    move |_| registers.next().unwrap_or_default()
}

/// TLRegs and matrix registers of an instruction, in the order of its operands.
fn registers(operands: Operands) -> Vec<(Access, u8)> {
    let register = |kind| match kind {
        OperandKind::Tl(access) | OperandKind::Tr(access) | OperandKind::Acc(access) => Some(access),
        OperandKind::X(_) | OperandKind::Immediate | OperandKind::Dimension => None,
    };
    operands.iter().filter_map(|operand| Some((register(operand.kind)?, operand.value as u8))).collect()
}

fn reads((access, _): &(Access, u8)) -> bool {
    *access != Access::Write
}

fn writes((access, _): &(Access, u8)) -> bool {
    *access != Access::Read
}

impl Relation {
    /// Numbers for the registers of an instruction with the operands `own` behind one with the operands `before`, in
    /// the order of its operands. `None` if the two cannot be related so.
    pub fn numbers(self, before: Operands, own: Operands) -> Option<Vec<u8>> {
        let (before, own) = (registers(before), registers(own));
        let mut numbers: Vec<u8> = (APART..).take(own.len()).collect();
        let (place, number) = match self {
            Relation::Apart => return Some(numbers),
            Relation::ReadsFirst => (own.iter().position(reads), before.iter().find(|one| writes(one))),
            Relation::ReadsLast => (own.iter().rposition(reads), before.iter().rfind(|one| writes(one))),
            Relation::Overwrites => (own.iter().position(writes), before.iter().find(|one| writes(one))),
            Relation::OverwritesSource => (own.iter().position(writes), before.iter().find(|one| reads(one))),
            Relation::Same => {
                numbers.iter_mut().zip(&before).for_each(|(number, &(_, before))| *number = before);
                return (!before.is_empty() && !own.is_empty()).then_some(numbers);
            }
            Relation::Zero => {
                let last = own.iter().rposition(reads);
                numbers.iter_mut().enumerate().filter(|(i, _)| Some(*i) != last).for_each(|(_, number)| *number = 0);
                return (!own.is_empty()).then_some(numbers);
            }
        };
        numbers[place?] = number?.1;
        Some(numbers)
    }
}
