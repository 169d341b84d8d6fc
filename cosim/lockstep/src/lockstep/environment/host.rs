// SPDX-License-Identifier: Apache-2.0
//! The host of the bench: when it executes or issues the next instruction, of a stream or of a program. The two
//! instructions of a stream are written from docs/isa.md and not from the model. Those of a program are executed by the
//! hart that the model has too: the host is not what is tested.

use golden::decode::{Access, Isa, OperandKind, decode};
use golden::hart::{HartCsr, Place};
use golden::{Ending, Hart, Memory, Outcome};

use super::in_flight::{Operands, Outstanding};

const LOAD: u32 = 0x03;
const STORE: u32 = 0x23;
const BRANCH: u32 = 0x63;
const JALR: u32 = 0x67;
const JAL: u32 = 0x6f;
const LUI: u32 = 0x37;
const OP_IMM: u32 = 0x13;
const MISC_MEM: u32 = 0x0f;
const SYSTEM: u32 = 0x73;
const CUSTOM_1: u32 = 0x2b;
const CUSTOM_2: u32 = 0x5b;

/// Where an instruction of a stream goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The host has executed it: register and value written (x0 has not been written).
    Done(u8, u32),
    /// To the unit, with the values of the registers that it names.
    Unit(Operands),
    /// Not yet: it needs a register that a pending result will write.
    Wait,
}

/// An instruction of a program: its address and its word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// Address.
    pub pc: u32,
    pub word: u32,
}

/// What the host does in a clock cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// It has come to its end.
    #[default]
    Nothing,
    Executes(Line),
    /// It has the instruction on the issue port.
    Offers(Line),
    Waits(Line),
    /// The issue port is held back before the instruction.
    Held(Line),
}

/// What happens to the next instruction of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The host has executed it.
    Done(Outcome),
    /// To the unit, with the values of the registers that it names.
    Unit(u32, Operands),
    /// Not yet.
    Wait,
}

/// The hart, and the part of its state that has retired.
#[derive(Clone, Debug)]
pub struct Host {
    /// Registers; for a program, all else that it has.
    pub hart: Hart,
    /// The unit has precise traps.
    precise: bool,
    /// The instruction set of host and unit.
    isa: Isa,
    /// Registers and count of instructions after the last retirement.
    committed: ([u64; 32], u64),
}

/// Bits `low + 4 .. low` of the word.
fn register(word: u32, low: u32) -> u8 {
    (word >> low & 31) as u8
}

/// The CSR of the host that a SYSTEM instruction names, if it names one.
fn host_csr(word: u32) -> Option<HartCsr> {
    if word >> 12 & 3 == 0 { None } else { HartCsr::from_address((word >> 20) as u16) }
}

impl Host {
    /// A host after reset, of a unit with this instruction set, and with precise traps or not.
    pub fn new(precise: bool, isa: Isa) -> Host {
        Host { precise, isa, hart: Hart::default(), committed: Default::default() }
    }

    /// A program was loaded.
    pub fn start(&mut self) {
        self.committed = (std::array::from_fn(|i| self.hart.wide(i as u8)), self.hart.instret);
    }

    /// The registers.
    pub fn x(&self) -> &[u32; 32] {
        self.hart.x()
    }

    /// A register, with as many bits as it has.
    fn value(&self, register: u8) -> u64 {
        self.hart.wide(register) & u64::MAX >> (64 - self.isa.xlen)
    }

    /// Executes the next instruction of a stream, or says where it goes. To be called again until it is executed or
    /// issued.
    pub fn route(&mut self, word: u32, unit: &Outstanding) -> Route {
        let (rd, rs1) = (register(word, 7), register(word, 15));
        let shift = self.isa.xlen == 64 && word >> 26 == 0;
        let value = match (word & 0x7f, word >> 12 & 7) {
            (LUI, _) if !unit.busy(rd) => i64::from((word & 0xffff_f000) as i32) as u64,
            (OP_IMM, 0) if !unit.busy(rd) && !unit.busy(rs1) => {
                self.value(rs1).wrapping_add_signed((word as i32 >> 20).into())
            }
            (OP_IMM, 1) if shift && !unit.busy(rd) && !unit.busy(rs1) => self.value(rs1) << (word >> 20 & 63),
            (LUI, _) | (OP_IMM, 0) => return Route::Wait,
            (OP_IMM, 1) if shift => return Route::Wait,
            _ => return self.operands(word, unit).map_or(Route::Wait, Route::Unit),
        };
        self.hart.set_wide(rd, value, self.isa.xlen);
        Route::Done(rd, value as u32)
    }

    /// The values for a word of the unit, once they are there.
    fn operands(&self, word: u32, unit: &Outstanding) -> Option<Operands> {
        let operands = decode(word, self.isa).operands();
        let named = |low: &[u32]| {
            let mut read = operands.iter().filter(|operand| operand.kind == OperandKind::X(Access::Read));
            read.find(|operand| low.contains(&operand.low)).map(|operand| operand.value as u8)
        };
        let (rs, rs2) = (named(&[7, 15]), named(&[20]));
        let waits = [rs, rs2].into_iter().flatten().any(|register| unit.busy(register));
        let value = |named: Option<u8>, low: u32| self.value(named.unwrap_or(register(word, low)));
        (!waits).then(|| Operands { rs: value(rs, 15), rs2: value(rs2, 20) })
    }

    /// Executes the next instruction of a program in this clock cycle, or says where it goes. To be called again until
    /// it is executed or issued.
    pub fn next(&mut self, cycle: u64, unit: &Outstanding, [l1m, l0m]: [&mut Memory; 2]) -> Result<Next, Ending> {
        let word = self.hart.fetch()?;
        let in_flight = unit.any;
        // A handler sees precise traps: nothing overtakes an instruction that may trap, unless it can be undone.
        if in_flight && (self.hart.has_handler() && !self.precise || word.is_none()) {
            return Ok(Next::Wait);
        }
        let Some(word) = word else { return Ok(Next::Done(self.hart.fetch_fault())) };
        if !self.is_units(word) {
            if self.must_wait(word, unit) || in_flight && self.hart.has_handler() && self.cannot_be_undone(word) {
                return Ok(Next::Wait);
            }
            self.hart.cycle = cycle;
            if let Some(outcome) = self.hart.execute(word, l1m, l0m) {
                return Ok(Next::Done(outcome));
            }
        }
        Ok(self.operands(word, unit).map_or(Next::Wait, |operands| Next::Unit(word, operands)))
    }

    /// Whether the word is certainly not the host's.
    fn is_units(&self, word: u32) -> bool {
        match word & 0x7f {
            CUSTOM_1 | CUSTOM_2 => true,
            SYSTEM => word >> 12 & 3 != 0 && host_csr(word).is_none(),
            _ => false,
        }
    }

    /// Whether an instruction of the host has to wait for the unit. A store to L1M waits for loads, an access to L0M
    /// for stores, every instruction for the registers that it names; fences and SYSTEM instructions wait for
    /// everything, but reads of the clock do not.
    fn must_wait(&self, word: u32, unit: &Outstanding) -> bool {
        if [7, 15, 20].iter().any(|&low| unit.busy(register(word, low))) {
            return true;
        }
        match (word & 0x7f, self.hart.access(word)) {
            (SYSTEM, _) => unit.any && !matches!(host_csr(word), Some(HartCsr::Mcycle | HartCsr::Mcycleh)),
            (MISC_MEM, _) => unit.any,
            (_, Some((Place::L1m(_), true))) => unit.loads,
            (_, Some((Place::L0m(_), _))) => unit.stores,
            _ => false,
        }
    }

    /// Whether an instruction of the host may change more than registers and the pc: a store, and whatever can trap.
    fn cannot_be_undone(&self, word: u32) -> bool {
        let target = self.x()[usize::from(register(word, 15))].wrapping_add_signed(word as i32 >> 20);
        match word & 0x7f {
            STORE => true,
            LOAD => {
                let size = 1 << (word >> 12 & 3);
                let in_program_memory = matches!(self.hart.access(word), Some((Place::Ram(_), _)));
                !(in_program_memory && target.is_multiple_of(size) && self.hart.ram.get(target, size).is_some())
            }
            // Where bit 1 of the distance is in the word.
            JAL => word >> 21 & 1 == 1,
            BRANCH => word >> 8 & 1 == 1,
            JALR => target >> 1 & 1 == 1,
            _ => false,
        }
    }

    /// The unit has given a result; `counts` unless it is a trap.
    pub fn retired(&mut self, write: Option<(u8, u32)>, counts: bool) {
        let write = write.map(|(rd, value)| (rd, u64::from(value)));
        write.into_iter().for_each(|(rd, value)| self.hart.set_wide(rd, value, self.isa.xlen));
        self.commit(write, counts);
    }

    /// An instruction of the host has retired in program order, with what it wrote; `counts` unless it trapped.
    pub fn committed(&mut self, write: Option<(u8, u32)>, counts: bool) {
        self.commit(write.map(|(rd, value)| (rd, i64::from(value as i32) as u64)), counts);
    }

    fn commit(&mut self, write: Option<(u8, u64)>, counts: bool) {
        if let Some((rd, value)) = write {
            self.committed.0[usize::from(rd)] = value;
        }
        self.committed.1 += u64::from(counts);
    }

    /// Undoes what is younger than the instruction that retires: its trap goes to the handler.
    pub fn roll_back(&mut self) {
        let (x, instret) = self.committed;
        (0..).zip(x).for_each(|(rd, value)| self.hart.set_wide(rd, value, self.isa.xlen));
        self.hart.instret = instret;
    }

    /// The unit has taken the next instruction, or it was one of a stream: on to the one behind it.
    pub fn advance(&mut self) {
        self.hart.pc = self.hart.pc.wrapping_add(4);
    }

    /// The instruction of a program at `pc` has retired in the unit; with a trap, on to the handler if there is one.
    pub fn count(&mut self, pc: u32, trap: Option<golden::Trap>) {
        let next = self.hart.pc;
        self.hart.retire(&Outcome { pc, trap, ..Outcome::default() });
        if trap.is_none() || !self.hart.has_handler() {
            self.hart.pc = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::in_flight::result_register;
    use super::*;

    /// A host with a program in its memory, and two memories of 64 bytes.
    fn host(source: &str) -> (Host, Memory, Memory) {
        let (mut l1m, mut l0m) = (Memory::new(64), Memory::new(64));
        let words = golden::asm::assemble("test", source, 0).expect("assembles");
        let mut host = Host::new(false, Isa { gpr_rs1: false, ..Isa::ALL });
        host.hart.load(&golden::Program::from_words(&words), &mut l1m, &mut l0m).expect("fits");
        (host, l1m, l0m)
    }

    /// The unit has these words.
    fn unit(words: &[u32]) -> Outstanding {
        let facts = |&word: &u32| {
            let instruction = decode(word, Isa::ALL);
            (instruction.engine(), result_register(instruction))
        };
        Outstanding::new(words.iter().map(facts), [].into_iter())
    }

    /// The unit has `word` while the program runs: how many instructions the host executes before it waits, and how
    /// many when the unit has retired it.
    fn before_and_after(word: u32, source: &str) -> (usize, usize) {
        let (mut host, mut l1m, mut l0m) = host(source);
        let mut steps = |words: &[u32]| {
            let mut next = || host.next(7, &unit(words), [&mut l1m, &mut l0m]);
            (0..100).take_while(|_| matches!(next(), Ok(Next::Done(_)))).count()
        };
        let before = steps(&[word]);
        (before, before + steps(&[]))
    }

    #[test]
    fn the_host_waits_for_the_unit_where_the_order_can_be_seen() {
        let (load, store, addi) = (0x0000_855b, 0x2002_2a5b, 0x00a1_20db);
        let (tile_load, tile_store) = (0x04b5_002b, 0x06b5_002b);
        let l1m = "lui x5, 0x10000";
        let l0m = "lui x5, 0x20000";
        for (word, first, second, waits) in [
            (load, l1m, "sw x0, 0(x5)", true),
            (tile_load, l1m, "sb x0, 0(x5)", true),
            (load, l1m, "lw x6, 0(x5)", false),
            (store, l1m, "sw x0, 0(x5)", false),
            (addi, l1m, "sw x0, 0(x5)", false),
            (store, l0m, "lw x6, 0(x5)", true),
            (tile_store, l0m, "lbu x6, 0(x5)", true),
            (store, l0m, "sw x0, 0(x5)", true),
            (load, l0m, "lw x6, 0(x5)", false),
            (load, l0m, "sw x0, 0(x5)", false),
            (addi, "nop", "fence", true),
            (addi, "nop", "csrr x6, minstret", true),
            (addi, "nop", "csrw mtvec, x5", true),
            (addi, "nop", "ecall", true),
            (addi, "nop", "csrr x6, mcycle", false),
            (addi, "nop", "lw x6, 0(x0)", false),
            (addi, "csrw mscratch, x0", "nop", true),
        ] {
            let program = format!("{first}\n{second}");
            let expected = if !waits {
                2
            } else if first.starts_with("csrw") {
                0
            } else {
                1
            };
            assert_eq!(before_and_after(word, &program), (expected, 2), "{word:#010x}: {program}");
        }
        // A register that the unit will write.
        assert_eq!(before_and_after(0x8100_22f3, "nop\nadd x6, x5, x5"), (1, 2));
    }

    #[test]
    fn with_a_handler_nothing_overtakes_the_unit() {
        let (mut host, mut l1m, mut l0m) =
            host("addi x5, x0, 8\ncsrw mtvec, x5\nhandler: nop\ntl.addi tl1, tl1, 1\nnop");
        for _ in 0..3 {
            assert!(matches!(host.next(0, &unit(&[]), [&mut l1m, &mut l0m]), Ok(Next::Done(_))));
        }
        let Ok(Next::Unit(word, _)) = host.next(0, &unit(&[]), [&mut l1m, &mut l0m]) else {
            panic!("tl.addi is the unit's")
        };
        host.advance();
        assert_eq!(host.next(0, &unit(&[word]), [&mut l1m, &mut l0m]), Ok(Next::Wait));
        host.count(12, Some(golden::Trap::illegal(word)));
        assert_eq!((host.hart.pc, host.hart.csr(HartCsr::Mepc), host.hart.csr(HartCsr::Mtval)), (8, 12, word));
    }

    #[test]
    fn with_precise_traps_a_handler_sees_nothing_of_what_overtakes() {
        // The host goes on where what it does can be undone.
        for (source, goes_on) in [
            ("addi x6, x0, 1", true),
            ("lw x6, 4(x0)", true),
            ("csrr x6, mcycle", true),
            ("j 4", true),
            ("beq x0, x0, 8", true),
            ("jalr x0, 12(x0)", true),
            ("sw x0, 0(x0)", false),
            ("lw x6, 2(x0)", false),
            ("lw x6, -4(x0)", false),
            ("lui x6, 0x10000\nlw x6, 0(x6)", false),
            ("j 6", false),
            ("beq x0, x0, -2", false),
            ("jalr x0, 14(x0)", false),
            ("csrr x6, minstret", false),
            ("ecall", false),
        ] {
            let (mut host, mut l1m, mut l0m) = host(&format!("addi x5, x0, 64\ncsrw mtvec, x5\n{source}"));
            host.precise = true;
            let mut step = |words: &[u32]| host.next(0, &unit(words), [&mut l1m, &mut l0m]);
            for number in 0..source.lines().count() + 1 {
                let words: &[u32] = if number < 2 { &[] } else { &[0x00a1_20db] };
                assert!(matches!(step(words), Ok(Next::Done(_))), "{source}");
            }
            let next = step(&[0x00a1_20db]);
            assert_eq!(matches!(next, Ok(Next::Done(_))), goes_on, "{source}");
        }
    }

    #[test]
    fn what_is_younger_than_a_trap_is_undone() {
        let (mut host, mut l1m, mut l0m) = host(
            "addi x5, x0, 8\ncsrw mtvec, x5\nhandler: nop\ntl.addi tl1, tl1, 1\ncsrr x7, ttype\naddi x5, x0, 9\nnop",
        );
        host.precise = true;
        host.start();
        for write in [Some((5, 8)), None, None] {
            assert!(matches!(host.next(0, &unit(&[]), [&mut l1m, &mut l0m]), Ok(Next::Done(_))));
            host.committed(write, true);
        }
        let mut words = Vec::new();
        for _ in 0..2 {
            let Ok(Next::Unit(word, _)) = host.next(0, &unit(&words), [&mut l1m, &mut l0m]) else {
                panic!("the unit's")
            };
            host.advance();
            words.push(word);
        }
        for _ in 0..2 {
            assert!(matches!(host.next(0, &unit(&words), [&mut l1m, &mut l0m]), Ok(Next::Done(_))));
        }
        assert_eq!((host.x()[5], host.hart.instret), (9, 5));
        host.committed(None, false);
        host.roll_back();
        host.count(12, Some(golden::Trap::illegal(words[0])));
        assert_eq!((host.x()[5], host.hart.instret), (8, 3));
        assert_eq!((host.hart.pc, host.hart.csr(HartCsr::Mepc)), (8, 12));
        // What was killed and is no part of the program any more is waited for, and writes nothing.
        let dropped = Outstanding::new([].into_iter(), words[1..].iter().map(|&word| decode(word, Isa::ALL).engine()));
        assert_eq!((dropped.any, dropped.busy(7), unit(&words).busy(7)), (true, false, true));
    }

    #[test]
    fn a_register_that_waits_for_a_result_holds_back_its_readers_and_writers() {
        let mut host = Host::new(false, Isa { gpr_rs1: false, ..Isa::ALL });
        let to_unit = |rs, rs2| Route::Unit(Operands { rs, rs2 });
        let csrr_x5 = 0x8100_22f3; // csrrs x5, ttype, x0
        assert_eq!(host.route(csrr_x5, &unit(&[])), to_unit(0, 0));
        let waits = unit(&[csrr_x5]);
        assert!(!waits.may_issue(decode(csrr_x5, Isa::ALL)));
        assert_eq!(host.route(0x0012_8313, &waits), Route::Wait); // addi x6, x5, 1
        assert_eq!(host.route(0x0010_0293, &waits), Route::Wait); // addi x5, x0, 1
        assert_eq!(host.route(0x0000_82db, &waits), Route::Wait); // tl.load tl1, 0(x5)
        assert_eq!(host.route(0x0405_302b, &waits), to_unit(0, 0)); // no instruction, x10, x0
        assert_eq!(host.route(0x0455_002b, &waits), Route::Wait); // mlae8 tr0, (x10), x5
        assert_eq!(host.route(0x04a2_802b, &waits), Route::Wait); // mlae8 tr0, (x5), x10
        assert_eq!(host.route(0x2202_802b, &waits), Route::Wait); // msettilem x5
        host.retired(Some((5, 41)), true);
        assert_eq!(host.route(0x0012_8313, &unit(&[])), Route::Done(6, 42));
        assert_eq!(host.route(0x0000_82db, &unit(&[])), to_unit(41, 0));
        assert_eq!(host.route(0xffff_f0b7, &unit(&[])), Route::Done(1, 0xffff_f000)); // lui x1, 0xfffff
        assert_eq!(host.route(0x0412_802b, &unit(&[])), to_unit(41, 0xffff_f000)); // mlae8 tr0, (x5), x1
    }
}
