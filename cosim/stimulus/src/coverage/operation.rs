// SPDX-License-Identifier: Apache-2.0
//! The values of the axes `Op` and `Engine`, and what the table and the steering ask of an operation: answered by its row
//! in `golden`.

use golden::Csr;
use golden::decode::{Access, Direction, Elements, Engine, Need, OperandKind, Tensor};

use super::values::*;

pub fn value(tensor: Tensor) -> Value {
    Value { axis: Axis::Op, index: tensor.number() as u8 }
}

/// The value of an engine; none for the host.
pub fn engine_value(engine: Engine) -> Option<Value> {
    match engine {
        Engine::Host => None,
        Engine::Csr => Some(G_CSR),
        Engine::Load => Some(G_LOAD),
        Engine::Store => Some(G_STORE),
        Engine::Move => Some(G_MOVE),
        Engine::Xpose => Some(G_XPOSE),
        Engine::MatrixLoad => Some(G_MX_LOAD),
        Engine::MatrixStore => Some(G_MX_STORE),
        Engine::MatrixConfig => Some(G_MX_SET),
    }
}

/// The operation of a value, with operands that are all 0.
pub fn tensor(value: Value) -> Option<Tensor> {
    Tensor::all().nth(value.index.into()).filter(|_| value.axis == Axis::Op)
}

/// The values of the operations for which `is` holds.
pub fn values(is: fn(Tensor) -> bool) -> Vec<Value> {
    Tensor::all().filter(|&tensor| is(tensor)).map(value).collect()
}

/// Its mnemonic without the dimensions: `tl.concat`.
pub fn stem(tensor: Tensor) -> String {
    tensor.mnemonic().split('.').take(2).collect::<Vec<_>>().join(".")
}

/// It moves slices from or to memory.
pub fn moves_slices(tensor: Tensor) -> bool {
    matches!(tensor.elements(), Elements::Slices(_))
}

pub fn loads(tensor: Tensor) -> bool {
    matches!(tensor.elements(), Elements::Slices(Direction::Load))
}

pub fn stores(tensor: Tensor) -> bool {
    matches!(tensor.elements(), Elements::Slices(Direction::Store))
}

/// It moves slices, and a mask selects them.
pub fn masks_slices(tensor: Tensor) -> bool {
    moves_slices(tensor) && has_mask(tensor)
}

pub fn chooses(tensor: Tensor) -> bool {
    matches!(tensor.elements(), Elements::Chosen(_))
}

/// It adds a number to each element.
pub fn adds(tensor: Tensor) -> bool {
    matches!(tensor.elements(), Elements::Sum(_))
}

pub fn exchanges(tensor: Tensor) -> bool {
    matches!(tensor.elements(), Elements::Exchanged)
}

pub fn has_block(tensor: Tensor) -> bool {
    moves_slices(tensor) || chooses(tensor)
}

pub fn has_two_forms(tensor: Tensor) -> bool {
    tensor.second_form().is_some()
}

pub fn has_mask(tensor: Tensor) -> bool {
    tensor.needs().iter().any(|need| matches!(need, Need::Mask(_)))
}

pub fn has_two_masks(tensor: Tensor) -> bool {
    tensor.needs().contains(&Need::Mask(Csr::TmaskConcat2))
}

/// The TLRegs that it only writes, and those that it reads.
pub fn registers(tensor: Tensor) -> [Vec<u8>; 2] {
    let named = |is: fn(OperandKind) -> bool| {
        tensor.operands().iter().filter(|operand| is(operand.kind)).map(|operand| operand.value as u8).collect()
    };
    [
        named(|kind| kind == OperandKind::Tl(Access::Write)),
        named(|kind| matches!(kind, OperandKind::Tl(Access::Read | Access::ReadWrite))),
    ]
}
