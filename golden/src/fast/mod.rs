// SPDX-License-Identifier: Apache-2.0
//! The operations on elements once more, for speed: the model executes every instruction that the bench compares. A
//! result is the same as that of the element-wise functions in `isa/`, which say what is right.

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
