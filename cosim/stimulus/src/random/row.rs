// SPDX-License-Identifier: Apache-2.0
//! Instructions drawn from the tables of `golden`: none is named here, so a new row is drawn like the others.

use golden::decode::{Access, Decoded, Direction, Elements, Engine, OperandKind, Register, Tensor, instructions};

use super::establish::{establish_matrix, establish_tensor};
use super::generator::Generator;
use super::operands::{Values, scarcest_of};
use super::{memory_ops, move_ops, noise, shape};

/// A row of the TensorLoad family is rare when it is less than one instruction in so many.
const RARE: u32 = 54;

/// Percentage of rows of the TensorLoad family when none of it is rare.
const TENSOR: u32 = 50;

/// The row that the program has had least, with all that it needs, on registers that hold data.
pub fn row(g: &mut Generator) {
    let Some(row) = scarcest(g) else { return };
    match noise::any_operands(g, row) {
        Decoded::Tensor(tensor) => tensor_row(g, tensor),
        Decoded::Matrix(matrix) => {
            let legal = establish_matrix(g, matrix);
            g.emit_as_is(Decoded::Matrix(legal));
        }
        Decoded::Csr(csr) => noise::csr_row(g, csr, 50),
        Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => {}
    }
}

/// Whether the program has a row of the TensorLoad family rarely.
pub fn is_one_rare(g: &Generator) -> bool {
    rows(g, true).any(|row| g.drawn(row) * RARE < g.words().len() as u32)
}

/// The rows of the TensorLoad family, or those of the others that a unit executes.
fn rows(g: &Generator, tensor: bool) -> impl Iterator<Item = Decoded> {
    let of_unit = instructions(&g.target.golden).filter(|row| row.engine() != Some(Engine::Host));
    of_unit.filter(move |row| matches!(row, Decoded::Tensor(_)) == tensor)
}

/// The row that the program has had least: of the TensorLoad family as long as one of it is rare.
fn scarcest(g: &mut Generator) -> Option<Decoded> {
    let tensor = is_one_rare(g) || g.draw.chance(TENSOR);
    let rows = rows(g, tensor).collect();
    scarcest_of(g, rows)
}

fn tensor_row(g: &mut Generator, tensor: Tensor) {
    if g.draw.chance(20) {
        shape::change(g);
    }
    let mut tensor = establish_tensor(g, tensor);
    if g.draw.chance(40) {
        let registers = tensor.operands().reads();
        registers.for_each(|register| transfer(g, Direction::Load, register));
        tensor = establish_tensor(g, tensor);
    }
    for _ in 0..g.draw.range(1, 3) {
        g.emit_as_is(Decoded::Tensor(tensor));
        let other = tensor.with_operands(|operand| match operand.kind {
            OperandKind::Tl(Access::Write) => g.tl().into(),
            OperandKind::Dimension => noise::any_operand(g, operand),
            OperandKind::X(_) | OperandKind::Tl(_) | OperandKind::Immediate => operand.value,
            OperandKind::Tr(_) | OperandKind::Acc(_) => operand.value,
        });
        tensor = if other.unmet(&g.machine).next().is_none() { other } else { tensor };
    }
    let seen = if g.target.models.port_only() { 100 } else { 20 };
    if g.draw.chance(seen) {
        tensor.operands().writes().for_each(|register| transfer(g, Direction::Store, register));
    }
}

/// Loads a TLReg with data, or stores it.
fn transfer(g: &mut Generator, direction: Direction, register: Register) {
    let Register::Tl(tl @ 1..) = register else { return };
    let moves = |row: &Decoded| row.slice_transfer().is_some_and(|transfer| transfer.direction == direction);
    let rows: Vec<Decoded> = rows(g, true).filter(moves).collect();
    if let Some(Decoded::Tensor(row)) = scarcest_of(g, rows) {
        let legal = establish_tensor(g, Values { result: tl, sources: [tl; 2], ..Values::default() }.fill(row));
        g.emit_as_is(Decoded::Tensor(legal));
    }
}

/// Some instructions of a row of the TensorLoad family, in a state made for its kind of elements.
pub fn tensor(g: &mut Generator) {
    of_kind(g, |_| true);
}

pub fn load(g: &mut Generator) {
    of_kind(g, |elements| matches!(elements, Elements::Slices(Direction::Load)));
}

pub fn store(g: &mut Generator) {
    of_kind(g, |elements| matches!(elements, Elements::Slices(Direction::Store)));
}

pub fn sum(g: &mut Generator) {
    of_kind(g, |elements| matches!(elements, Elements::Sum(_)));
}

pub fn chosen(g: &mut Generator) {
    of_kind(g, |elements| matches!(elements, Elements::Chosen(_)));
}

pub fn exchanged(g: &mut Generator) {
    of_kind(g, |elements| matches!(elements, Elements::Exchanged));
}

fn of_kind(g: &mut Generator, is: fn(Elements) -> bool) {
    let rows: Vec<Tensor> = Tensor::all().filter(|row| is(row.elements())).collect();
    let Some(row) = g.draw.choose(&rows) else { return };
    match row.elements() {
        Elements::Slices(direction) => memory_ops::access(g, row, direction),
        Elements::Sum(_) => move_ops::sum(g, row),
        Elements::Chosen(_) => move_ops::chosen(g, row),
        Elements::Exchanged => move_ops::exchanged(g, row),
    }
}
