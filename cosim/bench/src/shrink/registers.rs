// SPDX-License-Identifier: Apache-2.0
//! The registers that an instruction names, and the same instruction with others.

use std::collections::BTreeSet;

use golden::decode::{CsrInstruction, CsrSource, Decoded, Host, Matrix, Tensor, TileSource, Transfer, decode};

use super::draft::Draft;
use crate::unit::target::Target;

/// The instruction with its host registers and TLRegs replaced; `None` when it names none, or is no instruction.
pub fn renamed(target: &Target, word: u32, mut x: impl FnMut(u8) -> u8, mut tl: impl FnMut(u8) -> u8) -> Option<u32> {
    let instruction = match decode(word, &target.golden) {
        Decoded::Tensor(tensor) => Decoded::Tensor(match tensor {
            Tensor::Load { tlrd, rs, imm8 } => Tensor::Load { tlrd: tl(tlrd), rs: x(rs), imm8 },
            Tensor::Mload { tlrd, rs, imm8 } => Tensor::Mload { tlrd: tl(tlrd), rs: x(rs), imm8 },
            Tensor::Store { tlrs, rs, imm8 } => Tensor::Store { tlrs: tl(tlrs), rs: x(rs), imm8 },
            Tensor::Mstore { tlrs, rs, imm8 } => Tensor::Mstore { tlrs: tl(tlrs), rs: x(rs), imm8 },
            Tensor::Addi { tlrd, tlrs, imm8 } => Tensor::Addi { tlrs: tl(tlrs), tlrd: tl(tlrd), imm8 },
            Tensor::Concat { d, tlrd, tlrs1, tlrs2 } => {
                Tensor::Concat { d, tlrs1: tl(tlrs1), tlrs2: tl(tlrs2), tlrd: tl(tlrd) }
            }
            Tensor::Merge { d, tlrd, tlrs1, tlrs2 } => {
                Tensor::Merge { d, tlrs1: tl(tlrs1), tlrs2: tl(tlrs2), tlrd: tl(tlrd) }
            }
            Tensor::Xpose { p, q, tlrs1, tlrs2, rs } => {
                Tensor::Xpose { p, q, tlrs1: tl(tlrs1), tlrs2: tl(tlrs2), rs: x(rs) }
            }
        }),
        Decoded::Csr(CsrInstruction { operation, csr, rd, source }) => {
            let source = match source {
                CsrSource::Register(rs) => CsrSource::Register(x(rs)),
                immediate => immediate,
            };
            Decoded::Csr(CsrInstruction { operation, csr, rd: x(rd), source })
        }
        Decoded::Host(Host::Lui { rd, imm20 }) => Decoded::Host(Host::Lui { rd: x(rd), imm20 }),
        Decoded::Host(Host::Addi { rd, rs1, imm12 }) => Decoded::Host(Host::Addi { rs1: x(rs1), rd: x(rd), imm12 }),
        Decoded::Matrix(matrix) => {
            let mut transfer = |all: Transfer| Transfer { rs1: x(all.rs1), rs2: x(all.rs2), ..all };
            Decoded::Matrix(match matrix {
                Matrix::Load(operands) => Matrix::Load(transfer(operands)),
                Matrix::Store(operands) => Matrix::Store(transfer(operands)),
                Matrix::SetTile { size, source: TileSource::Register(rs1) } => {
                    Matrix::SetTile { size, source: TileSource::Register(x(rs1)) }
                }
                Matrix::SetTile { .. } | Matrix::Release => return None,
            })
        }
        Decoded::Illegal | Decoded::NotOurs => return None,
    };
    instruction.encode(target.golden.engine_id)
}

/// The host registers and the TLRegs of program and state, in the order in which they first occur.
pub fn used(target: &Target, draft: &Draft) -> (Vec<u8>, Vec<u8>) {
    let (mut x, mut tl) = (Vec::new(), Vec::new());
    let add = |list: &mut Vec<u8>, number: u8| {
        if !list.contains(&number) {
            list.push(number);
        }
        number
    };
    for step in &draft.program {
        renamed(target, step.word, |number| add(&mut x, number), |number| add(&mut tl, number));
    }
    for &number in draft.state.x.keys() {
        add(&mut x, number);
    }
    for &number in draft.state.tl.keys() {
        add(&mut tl, number);
    }
    (x, tl)
}

/// The draft with host registers and TLRegs under other numbers, state and program alike. Numbers that are mapped to one
/// number become one register.
pub fn rename(target: &Target, draft: &Draft, x: impl Fn(u8) -> u8, tl: impl Fn(u8) -> u8) -> Draft {
    let mut result = draft.clone();
    for step in &mut result.program {
        step.word = renamed(target, step.word, &x, &tl).unwrap_or(step.word);
    }
    result.state.x = draft.state.x.iter().map(|(&i, &value)| (x(i), value)).filter(|&(i, _)| i != 0).collect();
    let tls = draft.state.tl.iter().map(|(&i, bytes)| (tl(i), bytes.clone()));
    result.state.tl = tls.filter(|&(i, _)| i != 0).collect();
    result
}

/// Maps the numbers of `used` to 1, 2, 3, ... in this order; 0 stays.
pub fn lowest(used: &[u8]) -> impl Fn(u8) -> u8 {
    let order: Vec<u8> = used.iter().copied().filter(|&number| number != 0).collect();
    move |number| order.iter().position(|&other| other == number).map_or(number, |place| place as u8 + 1)
}

/// As [`lowest`], for one number alone: it changes places with the lowest one that is not used.
pub fn lower_one(used: &[u8], number: u8) -> impl Fn(u8) -> u8 + use<> {
    let taken: BTreeSet<u8> = used.iter().copied().collect();
    let free = (1..32).find(|i| !taken.contains(i)).unwrap_or(number);
    let free = if number == 0 { 0 } else { free.min(number) };
    move |i| if i == number { free } else { i }
}
