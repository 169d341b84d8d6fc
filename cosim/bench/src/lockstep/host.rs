// SPDX-License-Identifier: Apache-2.0
//! The host of the bench: the x registers, `lui` and `addi`. Written from docs/isa.md and not from the model.

use serde::{Deserialize, Serialize};

const LUI: u32 = 0x37;
const OP_IMM: u32 = 0x13;
const SYSTEM: u32 = 0x73;
const CUSTOM_1: u32 = 0x2b;
const CUSTOM_2: u32 = 0x5b;

/// Where an instruction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The host has executed it: register and value written (x0 has not been written).
    Done(u8, u32),
    /// To the unit, with the values of the registers that it names.
    Unit(Operands),
    /// Not yet: it needs a register that a pending result will write.
    Wait,
}

/// Values of host registers that go to the unit with an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operands {
    /// x[11:7] for TensorLoad instructions, x[19:15] for all others.
    pub rs: u32,
    /// x[24:20]. Only matrix instructions name a register there: with all others it is whatever that register holds,
    /// the result of an older instruction or not.
    pub rs2: u32,
}

/// Registers, and which of them wait for a result of the unit.
#[derive(Clone, Debug, Default)]
pub struct Host {
    x: [u32; 32],
    pending: u32,
}

/// Bits `low + 4 .. low` of the word.
fn register(word: u32, low: u32) -> u8 {
    (word >> low & 31) as u8
}

/// The host register that the unit may write for this word: rd of a CSR instruction.
fn result_register(word: u32) -> u8 {
    if word & 0x7f == SYSTEM && word >> 12 & 3 != 0 { register(word, 7) } else { 0 }
}

impl Host {
    /// The registers.
    pub fn x(&self) -> &[u32; 32] {
        &self.x
    }

    fn busy(&self, register: u8) -> bool {
        self.pending >> register & 1 == 1
    }

    fn write(&mut self, rd: u8, value: u32) {
        if rd != 0 {
            self.x[usize::from(rd)] = value;
        }
    }

    /// Executes the next instruction of the program, or says where it goes. It may be asked again.
    pub fn route(&mut self, word: u32) -> Route {
        let (rd, rs1) = (register(word, 7), register(word, 15));
        let value = match (word & 0x7f, word >> 12 & 7) {
            (LUI, _) if !self.busy(rd) => word & 0xffff_f000,
            (OP_IMM, 0) if !self.busy(rd) && !self.busy(rs1) => {
                self.x[usize::from(rs1)].wrapping_add_signed(word as i32 >> 20)
            }
            (LUI, _) | (OP_IMM, 0) => return Route::Wait,
            (CUSTOM_2, _) => return self.unit(word, rd),
            (CUSTOM_1, _) if self.busy(register(word, 20)) => return Route::Wait,
            _ => return self.unit(word, rs1),
        };
        self.write(rd, value);
        Route::Done(rd, value)
    }

    fn unit(&self, word: u32, rs: u8) -> Route {
        let value = |register: u8| self.x[usize::from(register)];
        if self.busy(rs) {
            return Route::Wait;
        }
        Route::Unit(Operands { rs: value(rs), rs2: value(register(word, 20)) })
    }

    /// Whether the unit can take the word: its result register is not waiting for an older result.
    pub fn may_issue(&self, word: u32) -> bool {
        !self.busy(result_register(word))
    }

    /// The unit has taken the word.
    pub fn issued(&mut self, word: u32) {
        self.pending |= 1 << result_register(word) & !1;
    }

    /// The unit has given the result of the word.
    pub fn retired(&mut self, word: u32, write: Option<(u8, u32)>) {
        self.pending &= !(1 << result_register(word));
        if let Some((rd, value)) = write {
            self.write(rd, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_that_waits_for_a_result_holds_back_its_readers_and_writers() {
        let mut host = Host::default();
        let unit = |rs, rs2| Route::Unit(Operands { rs, rs2 });
        let csrr_x5 = 0x8100_22f3; // csrrs x5, ttype, x0
        assert_eq!(host.route(csrr_x5), unit(0, 0));
        host.issued(csrr_x5);
        assert!(!host.may_issue(csrr_x5));
        assert_eq!(host.route(0x0012_8313), Route::Wait); // addi x6, x5, 1
        assert_eq!(host.route(0x0010_0293), Route::Wait); // addi x5, x0, 1
        assert_eq!(host.route(0x0000_82db), Route::Wait); // tl.load tl1, 0(x5)
        assert_eq!(host.route(0x0405_302b), unit(0, 0)); // no instruction, x10, x0
        assert_eq!(host.route(0x0455_002b), Route::Wait); // mlae8 tr0, (x10), x5
        assert_eq!(host.route(0x04a2_802b), Route::Wait); // mlae8 tr0, (x5), x10
        assert_eq!(host.route(0x2202_802b), Route::Wait); // msettilem x5
        host.retired(csrr_x5, Some((5, 41)));
        assert_eq!(host.route(0x0012_8313), Route::Done(6, 42));
        assert_eq!(host.route(0x0000_82db), unit(41, 0));
        assert_eq!(host.route(0xffff_f0b7), Route::Done(1, 0xffff_f000)); // lui x1, 0xfffff
        assert_eq!(host.route(0x0412_802b), unit(41, 0xffff_f000)); // mlae8 tr0, (x5), x1
    }
}
