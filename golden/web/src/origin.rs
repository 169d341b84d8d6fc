// SPDX-License-Identifier: Apache-2.0
//! Where each element comes from: asked of the model, which executes the same instructions on memories that hold their
//! own addresses instead of data. So nothing of the instruction set is said here.

use golden::decode::{Decoded, Engine, OperandKind, decode};
use golden::{Config, Machine, Outcome, Tile};

/// Bits of an address that one copy of the machine holds in the place of a nibble, the smallest element.
const DIGIT: u32 = 4;

/// Copies of a machine whose L1M holds its addresses. Nibble n of L1M has the number n + 1, and what is no data of L1M,
/// such as a zero that an instruction fills in, has 0. Copy i has digit i of each number.
pub struct Origins {
    copies: Vec<Machine>,
}

impl Origins {
    /// For a machine after reset.
    pub fn new(config: &Config) -> Self {
        let nibbles = 2 * u64::from(config.l1m_bytes);
        let digits = (u64::BITS - nibbles.leading_zeros()).div_ceil(DIGIT);
        let copy = |digit: u32| {
            let mut machine = Machine::new(config);
            for (address, byte) in (0..).zip(&mut machine.l1m.bytes) {
                let part = |nibble: u64| ((2 * address + nibble + 1) >> (DIGIT * digit) & 0xF) as u8;
                *byte = part(0) | part(1) << DIGIT;
            }
            machine
        };
        Self { copies: (0..digits).map(copy).collect() }
    }

    /// Executes what the machine `before` is about to execute as well. A sum keeps the origin of its element.
    pub fn execute(&mut self, before: &Machine, word: u32) {
        let instruction = decode(word, before.config());
        if !matches!(instruction, Decoded::Tensor(_) | Decoded::Matrix(_)) {
            return;
        }
        let moves = instruction.engine() == Some(Engine::Move);
        let is_addend = |kind| moves && kind == OperandKind::Immediate;
        let plain = instruction.with_operands(|operand| if is_addend(operand.kind) { 0 } else { operand.value });
        let word = plain.encode(before.config()).unwrap_or(word);
        for copy in &mut self.copies {
            copy.csr = before.csr.clone();
            for i in 0..32 {
                copy.hart.set_wide(i, before.hart.wide(i), before.config().xlen);
            }
            copy.step(word);
        }
    }

    /// The host has written these bytes of L0M.
    pub fn overwritten(&mut self, outcome: &Outcome) {
        for &(address, bytes) in &outcome.mem_writes {
            for copy in &mut self.copies {
                copy.l0m.get_mut(address, bytes).into_iter().for_each(|bytes| bytes.fill(0));
            }
        }
    }

    /// The numbers of the nibbles in a part of the machine, the low nibble of byte 0 first.
    fn numbers(&self, bytes: impl Fn(&Machine) -> &[u8]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for (digit, copy) in (0..).zip(&self.copies) {
            let nibbles = bytes(copy).iter().flat_map(|byte| [byte & 0xF, byte >> DIGIT]);
            numbers.resize(2 * bytes(copy).len(), 0);
            numbers
                .iter_mut()
                .zip(nibbles)
                .for_each(|(number, nibble)| *number |= u32::from(nibble) << (DIGIT * digit));
        }
        numbers
    }

    /// For each element of `bits` bits the address in L1M of its first byte, or -1 if it comes from elsewhere.
    fn addresses(&self, bits: u32, bytes: impl Fn(&Machine) -> &[u8]) -> Vec<i64> {
        let firsts = self.numbers(bytes).into_iter().step_by((bits / DIGIT) as usize);
        firsts.map(|number| if number == 0 { -1 } else { i64::from((number - 1) / 2) }).collect()
    }

    /// Those of a TLReg.
    pub fn of_tl(&self, tl: u8, bits: u32) -> Vec<i64> {
        self.addresses(bits, |machine| machine.tl.get(tl))
    }

    /// Those of a matrix register.
    pub fn of_tile(&self, tile: Tile, bits: u32) -> Vec<i64> {
        self.addresses(bits, |machine| machine.tiles.as_ref().map_or(&[], |tiles| tiles.get(tile)))
    }

    /// Those of bytes of L0M.
    pub fn of_l0m(&self, address: u32, bytes: u32) -> Vec<i64> {
        self.addresses(8, |machine| machine.l0m.get(address, bytes).unwrap_or_default())
    }
}
