// SPDX-License-Identifier: Apache-2.0
//! Fast versions of the operations on elements, since the model executes every instruction that the bench compares. The
//! element-wise functions in `isa/` are the reference.

mod addi;
mod exchange;
mod gather;
mod runs;

use crate::isa::{Block, Choice, ElementOps, Tensor4};

/// The fast operations.
pub(crate) struct Fast;

impl ElementOps for Fast {
    fn add(register: &[u8], e: u32, added: i32) -> Vec<u8> {
        addi::add(register, e, added)
    }

    fn gather(sources: Vec<u8>, block: Block, choice: &Choice) -> Vec<u8> {
        gather::gather(sources, block, choice)
    }

    fn exchange(source: Vec<u8>, tensor: Tensor4, p: usize, q: usize) -> Vec<u8> {
        exchange::exchange(source, tensor, p, q)
    }
}
