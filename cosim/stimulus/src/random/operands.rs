// SPDX-License-Identifier: Apache-2.0
//! Operands of an instruction, and which row of a table comes next.

use golden::decode::{Access, Decoded, OperandKind, Tensor};

use super::generator::Generator;

/// Values for the operands of an instruction, by their kind.
#[derive(Clone, Copy, Default)]
pub struct Values {
    /// The TLReg that is only written.
    pub result: u8,
    /// Those that are read, in order.
    pub sources: [u8; 2],
    pub dimensions: [u8; 2],
    pub immediate: i32,
    pub rs: u8,
}

impl Values {
    pub fn fill(self, tensor: Tensor) -> Tensor {
        let (mut sources, mut dimensions) = (self.sources.into_iter(), self.dimensions.into_iter());
        tensor.with_operands(|operand| match operand.kind {
            OperandKind::X(_) => self.rs.into(),
            OperandKind::Tl(Access::Write) => self.result.into(),
            OperandKind::Tl(Access::Read | Access::ReadWrite) => sources.next().unwrap_or(0).into(),
            OperandKind::Dimension => dimensions.next().unwrap_or(0).into(),
            OperandKind::Immediate => self.immediate,
            OperandKind::Tr(_) | OperandKind::Acc(_) => operand.value,
        })
    }
}

/// One of those of `rows` that the program has had least.
pub fn scarcest_of(g: &mut Generator, mut rows: Vec<Decoded>) -> Option<Decoded> {
    let least = rows.iter().map(|&row| g.drawn(row)).min()?;
    rows.retain(|&row| g.drawn(row) == least);
    g.draw.choose(&rows)
}

/// The same with this host register.
pub fn with_host_register(tensor: Tensor, rs: u8) -> Tensor {
    tensor.with_operands(|operand| match operand.kind {
        OperandKind::X(_) => rs.into(),
        OperandKind::Tl(_) | OperandKind::Tr(_) | OperandKind::Acc(_) => operand.value,
        OperandKind::Immediate | OperandKind::Dimension => operand.value,
    })
}
